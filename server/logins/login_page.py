"""The sign-in page, and the response after too many attempts."""

from enum import StrEnum
from typing import Any

from allauth.account.utils import perform_login
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView, LogoutView
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from server.logins import login_sessions
from server.logins.adapters import OWN_COMPUTER_KEY, SESSION_AUTH_HASH_KEY, WRONG_CODE_COUNT_KEY
from server.logins.authentication import authenticate_password
from server.logins.event_log import LoginEventKind, log_login_event
from server.logins.passwords import find_passwordless_owner, is_first_password_expired
from server.logins.throttle import AttemptLimitReached
from server.models import User


class LoginForm(AuthenticationForm):
    """The sign-in form with name and password."""

    error_messages = {
        **AuthenticationForm.error_messages,
        "invalid_login": gettext_lazy("Wrong name or password."),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = gettext_lazy("Name")
        if settings.IS_SERVER_DEPLOYMENT:
            self.fields[OWN_COMPUTER_KEY] = forms.BooleanField(
                label=gettext_lazy("Keep me signed in for 30 days (own computer only)"),
                required=False,
            )

    def clean(self) -> dict[str, Any]:
        """Authenticate the user; raise AttemptLimitReached after too many wrong passwords."""
        name, password = (
            self.cleaned_data.get(field_name) for field_name in ("username", "password")
        )
        if name is not None and password:
            assert self.request is not None
            user = authenticate_password(self.request, name, password)
            if user is None:
                raise self.get_invalid_login_error()
            self.confirm_login_allowed(user)
            self.user_cache = user
        return self.cleaned_data

    def confirm_login_allowed(self, user: Any) -> None:
        """Refuse an expired first password."""
        super().confirm_login_allowed(user)
        if is_first_password_expired(user):
            message = _(
                "This password has expired (72 hours). Ask your club’s owner for another."
            )
            raise forms.ValidationError(message, code="run_out")


class LoginPage(LoginView):
    """The sign-in page; it explains how to get a name and a password."""

    authentication_form = LoginForm
    redirect_authenticated_user = True

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Sign in, or return a response with the waiting time after too many attempts."""
        try:
            return super().post(request, *args, **kwargs)
        except AttemptLimitReached as attempt_limit:
            return build_throttled_response(request, attempt_limit)

    def form_valid(self, form: Any) -> HttpResponse:
        """Continue to the second factor, or sign in."""
        user = form.get_user()
        self.request.session[OWN_COMPUTER_KEY] = bool(form.cleaned_data.get(OWN_COMPUTER_KEY))
        self.request.session[SESSION_AUTH_HASH_KEY] = user.get_session_auth_hash()
        self.request.session[WRONG_CODE_COUNT_KEY] = 0
        target_url = self.get_success_url()
        response: HttpResponse = perform_login(self.request, user, redirect_url=target_url)
        return response

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add to the context whether a start link, e-mail and passkeys can be used."""
        return super().get_context_data(**kwargs) | {
            "has_start_link": find_passwordless_owner() is not None,
            "has_mail": settings.HAS_MAIL,
            "has_passkeys": settings.IS_SERVER_DEPLOYMENT,
            "said": messages.get_messages(self.request),
        }


class LogoutPage(LogoutView):
    """The page that signs a login out."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """Log the event, and sign out."""
        if isinstance(request.user, User):
            log_login_event(LoginEventKind.SIGNED_OUT, user=request.user, request=request)
            login_sessions.delete_session_row(request)
        return super().post(request, *args, **kwargs)


class AttemptKind(StrEnum):
    """The kind of attempt that was made too often; the error message depends on it."""

    PASSWORD = "password"
    SECOND_FACTOR_CODE = "code"
    """A code of a second factor; wrong codes count together with wrong passwords."""
    PASSWORD_RESET_MAIL = "letter"


def build_throttled_response(
    request: HttpRequest,
    attempt_limit: AttemptLimitReached,
    attempt_kind: AttemptKind = AttemptKind.PASSWORD,
) -> HttpResponse:
    """Return the response after too many attempts: a page, or JSON for the API."""
    message = format_wait_message(attempt_limit, attempt_kind)
    if request.path.startswith("/api/"):
        response: HttpResponse = JsonResponse(
            {"code": "too_many_attempts", "detail": message}, status=429
        )
    else:
        context = {"title": _("Please wait"), "wait": message}
        response = render(request, "registration/locked.html", context, status=429)
    response.headers["Retry-After"] = str(attempt_limit.seconds)
    return response


def format_wait_message(
    attempt_limit: AttemptLimitReached, attempt_kind: AttemptKind = AttemptKind.PASSWORD
) -> str:
    """Return a sentence with the waiting time."""
    if attempt_limit.seconds < 60:
        return ngettext(
            "Wait %(seconds)d second and try again.",
            "Wait %(seconds)d seconds and try again.",
            attempt_limit.seconds,
        ) % {"seconds": attempt_limit.seconds}
    message_by_kind = {
        AttemptKind.PASSWORD: ngettext(
            "Too many wrong passwords. Wait %(minutes)d minute and try again.",
            "Too many wrong passwords. Wait %(minutes)d minutes and try again.",
            attempt_limit.minutes,
        ),
        AttemptKind.SECOND_FACTOR_CODE: ngettext(
            "Too many wrong codes or passwords. Wait %(minutes)d minute and try again.",
            "Too many wrong codes or passwords. Wait %(minutes)d minutes and try again.",
            attempt_limit.minutes,
        ),
        AttemptKind.PASSWORD_RESET_MAIL: ngettext(
            "Too many reset e-mails requested. Check your inbox, or try "
            "again in %(minutes)d minute.",
            "Too many reset e-mails requested. Check your inbox, or try "
            "again in %(minutes)d minutes.",
            attempt_limit.minutes,
        ),
    }
    return message_by_kind[attempt_kind] % {"minutes": attempt_limit.minutes}
