"""The wall before every page that is not public."""

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
"""The pages that somebody may open who must first do something about the login."""


class LoginWall(LoginRequiredMiddleware):
    """Ask for a login, except on public pages.

    Django's own wall looks at the visitor first, even where nobody needs a login; that reads
    the cookie of every page, and no page is then the same for everybody.
    """

    def process_view(
        self,
        request: HttpRequest,
        view_func: Callable[..., HttpResponseBase],
        view_args: tuple[Any, ...],
        view_kwargs: dict[str, Any],
    ) -> HttpResponseBase | None:
        """Let public views through unasked; of others whoever owes nothing first."""
        if not getattr(view_func, "login_required", True):
            return None
        refused = super().process_view(request, view_func, view_args, view_kwargs)
        return refused or _held_back(request)


def owes(user: User) -> str:
    """Say what a login must do before anything else: "password", "factor", or nothing."""
    if passwords.must_change(user):
        return "password"
    due = user.factor_due_at
    return "factor" if due is not None and due <= timezone.now() else ""


def is_over(request: HttpRequest) -> bool:
    """Whether somebody has been signed in for too long; who has is signed out."""
    if not settings.ON_A_SERVER or not signins.is_over(request):
        return False
    signins.forget(request)
    logout(request)
    return True


def keep_nothing(get_response: Callable[[HttpRequest], HttpResponse]) -> Any:
    """Let no browser and no proxy keep a page for which somebody was signed in."""

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
    if is_over(request):
        messages.info(request, _("You were signed out after a while. Sign in again."))
        return redirect(f"{settings.LOGIN_URL}?next={request.path}")
    page = request.resolver_match.url_name if request.resolver_match else ""
    match owes(user):
        case "password" if page not in FOR_A_PASSWORD:
            return redirect("password_change")
        case "factor" if page not in FOR_A_FACTOR:
            return redirect("mfa_index")
    return None
