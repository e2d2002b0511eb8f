"""The middleware that requires a login, except on public pages."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from server.hall_network import is_network_open
from server.logins import login_sessions, passwords
from server.models import User
from server.private_apis import find_loaded_user

PASSWORD_PAGES = {"password_change", "password_change_done", "logout"}
SECOND_FACTOR_PAGES = PASSWORD_PAGES | {
    "account",
    "again",
    "mfa_activate_totp",
    "mfa_add_webauthn",
    "mfa_download_recovery_codes",
    "mfa_index",
    "mfa_reauthenticate_webauthn",
    "mfa_view_recovery_codes",
}
"""The pages that a user may open before changing the password or adding a second factor."""


class RequireLoginMiddleware(LoginRequiredMiddleware):
    """Middleware that requires a login, except on public pages.

    Django's own middleware reads the user before it checks whether a page is public. That opens
    the session, and the response would vary by cookie.
    """

    def process_view(
        self,
        request: HttpRequest,
        view_func: Callable[..., HttpResponseBase],
        view_args: tuple[Any, ...],
        view_kwargs: dict[str, Any],
    ) -> HttpResponseBase | None:
        """Let public views pass, or redirect to the sign-in page or to a required action."""
        if not getattr(view_func, "login_required", True):
            return None
        denial_response = super().process_view(request, view_func, view_args, view_kwargs)
        return denial_response or _redirect_to_required_action(request)


def find_required_action(user: User) -> str:
    """Return the action that a login must take first: "password", "factor" or "" for none."""
    if passwords.must_change_password(user):
        return "password"
    if passwords.has_no_password_yet(user) and is_network_open():
        return "password"
    due_at = user.factor_due_at
    return "factor" if due_at is not None and due_at <= timezone.now() else ""


def sign_out_if_expired(request: HttpRequest) -> bool:
    """Return whether the session has expired; sign out an expired session."""
    if not settings.IS_SERVER_DEPLOYMENT or not login_sessions.has_session_expired(request):
        return False
    login_sessions.delete_session_row(request)
    logout(request)
    return True


def forbid_caching(get_response: Callable[[HttpRequest], HttpResponse]) -> Any:
    """Return a middleware that forbids caching of pages that need a login."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        user = find_loaded_user(request)
        if (user is not None and user.is_authenticated) or "Authorization" in request.headers:
            response.headers["Cache-Control"] = "no-store"
        return response

    return middleware


def _redirect_to_required_action(request: HttpRequest) -> HttpResponseBase | None:
    user = request.user
    if not isinstance(user, User):
        return None
    if sign_out_if_expired(request):
        messages.info(request, _("You were signed out after a while. Sign in again."))
        return redirect(f"{settings.LOGIN_URL}?next={request.path}")
    page_url_name = request.resolver_match.url_name if request.resolver_match else ""
    match find_required_action(user):
        case "password" if page_url_name not in PASSWORD_PAGES:
            return redirect("password_change")
        case "factor" if page_url_name not in SECOND_FACTOR_PAGES:
            return redirect("mfa_index")
    return None
