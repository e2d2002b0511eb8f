"""Authentication and scopes of the API: a client with a token, or a signed-in browser."""

from datetime import timedelta
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework import exceptions
from rest_framework.authentication import (
    SessionAuthentication,
    TokenAuthentication,
    get_authorization_header,
)
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from server import wall
from server.logins import throttle
from server.logins.notes import What, log_login_event
from server.logins.tokens import find_token
from server.models import ApiToken, User
from server.private_apis import django_request

HOUR = timedelta(hours=1)


class TokenAuth(TokenAuthentication):
    """`Authorization: Token ovp_…`."""

    def authenticate(self, request: Request) -> tuple[Any, Any] | None:
        """Return the login of a token and the token; raise for a wrong one."""
        words = get_authorization_header(request).split()
        if not words or words[0].lower() != self.keyword.lower().encode():
            return None
        shown = words[1].decode("ascii", "ignore") if len(words) == 2 else ""
        row = find_token(shown)
        if row is None:
            self._refuse(request)
        assert row is not None
        _check_owes_nothing(row.user)
        row.user.only_club = row.club
        _note_use(row, request)
        return row.user, row

    def _refuse(self, request: Request) -> None:
        """Refuse a wrong token; after many from one address, respond with the time to wait."""
        try:
            throttle.count_invalid_token(django_request(request))
        except throttle.Wait as wait:
            raise exceptions.Throttled(wait.seconds) from None
        raise exceptions.AuthenticationFailed(
            _("This token is not known, has ended or was taken back. Make one under Account.")
        )


class SessionAuth(SessionAuthentication):
    """Session authentication, behind the same login wall as the pages."""

    def authenticate(self, request: Request) -> tuple[Any, None] | None:
        """Return the login of the session."""
        found: tuple[Any, None] | None = super().authenticate(request)
        if found is None or not isinstance(found[0], User):
            return found
        if wall.is_session_over(django_request(request)):
            return None
        _check_owes_nothing(found[0])
        return found


class Scoped(BasePermission):
    """Permission by a token's scopes: "read" for safe methods, another one for writing."""

    needs = "direct"

    def has_permission(self, request: Request, view: Any) -> bool:
        """Return whether the token's scopes allow the request.

        The login's own rights are checked later.
        """
        reads = request.method in SAFE_METHODS
        if isinstance(request.auth, ApiToken):
            scope = "read" if reads else self.needs
            if scope not in request.auth.scopes.split():
                raise exceptions.PermissionDenied(
                    _("This token is not for that: it lacks the scope “%(scope)s”.")
                    % {"scope": scope},
                    code="scope_needed",
                )
        return True


def scoped(needs: str) -> type[Scoped]:
    """Make the permission class of a view whose writing needs a scope."""
    return type("Scoped", (Scoped,), {"needs": needs})


def _check_owes_nothing(user: User) -> None:
    match wall.required_action(user):
        case "password":
            words = _("Sign in and set a password of your own first.")
            raise exceptions.PermissionDenied(words, code="password_change_needed")
        case "factor":
            words = _("Sign in and add a second factor first.")
            raise exceptions.PermissionDenied(words, code="factor_needed")


def _note_use(row: ApiToken, request: Request) -> None:
    """Record the hour of a token's last use."""
    now = timezone.now()
    if row.used_at is None:
        log_login_event(
            What.TOKEN_USED, user=row.user, request=django_request(request), detail=row.name
        )
    if row.used_at is None or now - row.used_at > HOUR:
        ApiToken.objects.filter(pk=row.pk).update(used_at=now)


class SessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # the library's base sets itself up without types
    """The session cookie in the OpenAPI schema."""

    target_class = "server.api.tokens.SessionAuth"
    name = "cookieAuth"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        """Return the scheme with the cookie's name on a laptop."""
        return {"type": "apiKey", "in": "cookie", "name": "sessionid"}
