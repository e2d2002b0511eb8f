"""A program's token that is for one club alone, and what is said once that club has gone."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.request import Request

from clubs.models import Club
from server.api.tokens import TokenAuth


class ClubTokenAuth(TokenAuth):
    """`Authorization: Token ovp_…`, refused in words where it could reach nothing any more.

    A club that is replaced from an archive comes in anew, and who has rights there is said
    there: no token of before reaches into it.
    """

    def authenticate(self, request: Request) -> tuple[Any, Any] | None:
        """Find who a token speaks for; raise AuthenticationFailed where its club is no more."""
        found = super().authenticate(request)
        club = found[1].club if found else None
        if club is not None and not Club.objects.filter(pk=club).exists():
            raise exceptions.AuthenticationFailed(
                _(
                    "The club of this token was replaced from an archive, or is here no more. "
                    "Make a new one under Account."
                ),
                code="club_gone",
            )
        return found
