"""The authentication with API tokens that are restricted to one club."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.request import Request

from clubs.models import Club
from server.api.tokens import TokenAuth


class ClubTokenAuth(TokenAuth):
    """`Authorization: Token ovp_…`, rejected with a message if its club no longer exists.

    A club replaced from an archive is a new row with new roles, so older tokens do not reach
    it.
    """

    def authenticate(self, request: Request) -> tuple[Any, Any] | None:
        """Return the user of a token; raise AuthenticationFailed if its club is gone."""
        user_and_token = super().authenticate(request)
        club = user_and_token[1].club if user_and_token else None
        if club is not None and not Club.objects.filter(pk=club).exists():
            raise exceptions.AuthenticationFailed(
                _(
                    "This token’s club was deleted or replaced. Create a new token under "
                    "Account."
                ),
                code="club_gone",
            )
        return user_and_token
