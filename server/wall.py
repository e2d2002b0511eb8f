"""Middleware that requires a login except on public pages."""

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

from server.door import is_network_open
from server.logins import passwords, signins
from server.models import User
from server.private_apis import user_if_read

FOR_A_PASSWORD = {"password_change", "password_change_done", "logout"}
FOR_A_FACTOR = FOR_A_PASSWORD | {
    "account",
    "again",
    "mfa_activate_totp",
    "mfa_add_webauthn",
    "mfa_download_recovery_codes",
    "mfa_index",
    "mfa_reauthenticate_webauthn",
    "mfa_view_recovery_codes",
}
"""Pages for a login that must first change its password or set up a factor."""


class LoginWall(LoginRequiredMiddleware):
    """Requires a login, except on public pages.

    Django's own middleware reads the user first, even on public pages. That reads the cookie,
    and then no response is the same for everyone.
    """

    def process_view(
        self,
        request: HttpRequest,
        view_func: Callable[..., HttpResponseBase],
        view_args: tuple[Any, ...],
        view_kwargs: dict[str, Any],
    ) -> HttpResponseBase | None:
        """Allow public views; otherwise redirect to sign-in or to a required action."""
        if not getattr(view_func, "login_required", True):
            return None
        refused = super().process_view(request, view_func, view_args, view_kwargs)
        return refused or _held_back(request)


def required_action(user: User) -> str:
    """Return what a login must do first: "password", "factor", or nothing."""
    if passwords.must_change_password(user):
        return "password"
    if passwords.has_no_password_yet(user) and is_network_open():
        return "password"
    due = user.factor_due_at
    return "factor" if due is not None and due <= timezone.now() else ""


def is_session_over(request: HttpRequest) -> bool:
    """Return whether the session has expired; an expired one is signed out."""
    if not settings.ON_A_SERVER or not signins.has_expired(request):
        return False
    signins.remove_session(request)
    logout(request)
    return True


def forbid_caching(get_response: Callable[[HttpRequest], HttpResponse]) -> Any:
    """Forbid browsers and proxies to cache a page that needs a login."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        user = user_if_read(request)
        if (user is not None and user.is_authenticated) or "Authorization" in request.headers:
            response.headers["Cache-Control"] = "no-store"
        return response

    return answer


def _held_back(request: HttpRequest) -> HttpResponseBase | None:
    user = request.user
    if not isinstance(user, User):
        return None
    if is_session_over(request):
        messages.info(request, _("You were signed out after a while. Sign in again."))
        return redirect(f"{settings.LOGIN_URL}?next={request.path}")
    page = request.resolver_match.url_name if request.resolver_match else ""
    match required_action(user):
        case "password" if page not in FOR_A_PASSWORD:
            return redirect("password_change")
        case "factor" if page not in FOR_A_FACTOR:
            return redirect("mfa_index")
    return None
