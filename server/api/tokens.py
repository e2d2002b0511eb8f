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

from server import login_wall
from server.logins import throttle
from server.logins.event_log import LoginEventKind, log_login_event
from server.logins.tokens import find_token
from server.models import ApiToken, User
from server.private_apis import to_django_request

MIN_USE_UPDATE_INTERVAL = timedelta(hours=1)
"""The minimum time between two updates of a token's "last used" time."""


class TokenAuth(TokenAuthentication):
    """Token authentication with the header `Authorization: Token ovp_…`."""

    def authenticate(self, request: Request) -> tuple[Any, Any] | None:
        """Return the token's user and the token, or None if the header has no token.

        Raises AuthenticationFailed for an invalid token.
        """
        header_parts = get_authorization_header(request).split()
        if not header_parts or header_parts[0].lower() != self.keyword.lower().encode():
            return None
        token_text = header_parts[1].decode("ascii", "ignore") if len(header_parts) == 2 else ""
        token = find_token(token_text)
        if token is None:
            self._reject_invalid_token(request)
        assert token is not None
        _check_no_required_action(token.user)
        token.user.only_club = token.club
        _record_token_use(token, request)
        return token.user, token

    def _reject_invalid_token(self, request: Request) -> None:
        """Raise AuthenticationFailed, or Throttled after many invalid tokens from one
        address.
        """
        try:
            throttle.count_invalid_token(to_django_request(request))
        except throttle.AttemptLimitReached as limit:
            raise exceptions.Throttled(limit.seconds) from None
        raise exceptions.AuthenticationFailed(
            _("This token is unknown, expired or cancelled. Create one under Account.")
        )


class SessionAuth(SessionAuthentication):
    """Session authentication with the checks of `server.login_wall`."""

    def authenticate(self, request: Request) -> tuple[Any, None] | None:
        """Return the session's login, or None if there is none or the session has expired."""
        authentication: tuple[Any, None] | None = super().authenticate(request)
        if authentication is None or not isinstance(authentication[0], User):
            return authentication
        if login_wall.sign_out_if_expired(to_django_request(request)):
            return None
        _check_no_required_action(authentication[0])
        return authentication


class HasScope(BasePermission):
    """Permission by a token's scopes: reading requires "read", writing the view's scope."""

    required_scope = "direct"

    def has_permission(self, request: Request, view: Any) -> bool:
        """Return True if the token has the required scope; raise PermissionDenied if not.

        The permissions of the login itself are checked later, by the view.
        """
        is_reading = request.method in SAFE_METHODS
        if isinstance(request.auth, ApiToken):
            scope = "read" if is_reading else self.required_scope
            if scope not in request.auth.scopes.split():
                raise exceptions.PermissionDenied(
                    _("This token doesn’t have the scope “%(scope)s”.") % {"scope": scope},
                    code="scope_needed",
                )
        return True


def require_scope(scope: str) -> type[HasScope]:
    """Return the permission class of a view that requires a scope for writing."""
    return type("HasScope", (HasScope,), {"required_scope": scope})


def _check_no_required_action(user: User) -> None:
    """Raise PermissionDenied if the login must change its password or add a factor first."""
    match login_wall.find_required_action(user):
        case "password":
            message = _("Sign in and set your own password first.")
            raise exceptions.PermissionDenied(message, code="password_change_needed")
        case "factor":
            message = _("Sign in and set up two-step sign-in first.")
            raise exceptions.PermissionDenied(message, code="factor_needed")


def _record_token_use(token: ApiToken, request: Request) -> None:
    """Log a token's first use, and update its "last used" time at most once an hour."""
    now = timezone.now()
    if token.used_at is None:
        log_login_event(
            LoginEventKind.TOKEN_USED,
            user=token.user,
            request=to_django_request(request),
            detail=token.name,
        )
    if token.used_at is None or now - token.used_at > MIN_USE_UPDATE_INTERVAL:
        ApiToken.objects.filter(pk=token.pk).update(used_at=now)


class SessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # the library's `__init_subclass__` has no types
    """The description of the session cookie in the OpenAPI schema."""

    target_class = "server.api.tokens.SessionAuth"
    name = "cookieAuth"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        """Return the security scheme; on a server the cookie is named `__Host-sessionid`."""
        return {"type": "apiKey", "in": "cookie", "name": "sessionid"}
