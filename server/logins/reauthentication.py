"""Re-authentication before sensitive actions."""

import time
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from server.logins.authentication import authenticate_password
from server.logins.factor_rows import has_passkey
from server.logins.passwords import has_no_password_yet
from server.logins.throttle import AttemptLimitReached
from server.models import User

RECENT_LOGIN_SECONDS = 10 * 60
"""The seconds for which the password is not requested again after an authentication."""
AUTHENTICATED_AT_SESSION_KEY = "shown_at"
"""Session key of the time of the last authentication."""
PASSWORD_FIELD = "password_again"
MAX_RESUBMITTED_FIELDS = 200
"""The maximum number of submitted form fields that the password page can contain."""

ViewFunction = Callable[..., HttpResponseBase]


def is_login_recent(request: HttpRequest) -> bool:
    """Return whether the login authenticated recently; always True on a laptop."""
    if not settings.IS_SERVER_DEPLOYMENT:
        return True
    if not request.user.is_authenticated:
        return False
    return (
        time.time() - float(request.session.get(AUTHENTICATED_AT_SESSION_KEY, 0))
        < RECENT_LOGIN_SECONDS
    )


def require_recent_login(view: ViewFunction) -> ViewFunction:
    """Decorate a view that requires a recent authentication.

    Without one, the response is a page that requests the password. That page contains the
    submitted form, and submits it again with the password.
    """

    @wraps(view)
    def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if is_login_recent(request):
            return view(request, *args, **kwargs)
        error_message = _find_password_error(request) if PASSWORD_FIELD in request.POST else ""
        if error_message is None:
            return view(request, *args, **kwargs)
        return render_password_page(request, error_message)

    return wrapper


def render_password_page(request: HttpRequest, error_message: str = "") -> HttpResponse:
    """Render the page that requests the password and contains the submitted form."""
    submitted_fields = [
        (name, value)
        for name, values in request.POST.lists()
        for value in values
        if name not in (PASSWORD_FIELD, "csrfmiddlewaretoken")
    ][:MAX_RESUBMITTED_FIELDS]
    is_form_post = request.method == "POST" and not request.FILES
    context = {
        "held": submitted_fields if is_form_post else [],
        "is_form": is_form_post,
        "wrong": error_message,
        "has_passkey": has_passkey(_find_current_user(request)),
        "to": request.get_full_path() if request.method == "GET" else reverse("account"),
    }
    response = render(request, "server/again.html", context, status=403)
    response.headers["Cache-Control"] = "no-store"
    return response


def is_own_password(request: HttpRequest, password: str) -> bool:
    """Return whether this is the current user's password.

    For a laptop's user without a password the result is True. A wrong password counts like a
    wrong one at sign-in. Raises AttemptLimitReached after too many wrong passwords.
    """
    current_user = _find_current_user(request)
    if has_no_password_yet(current_user):
        return True
    user = authenticate_password(request, current_user.get_username(), password)
    return user is not None and user.pk == current_user.pk


def is_password_confirmed(request: HttpRequest) -> bool:
    """Return whether the submitted form contains the login's password."""
    try:
        return is_own_password(request, request.POST.get("password", ""))
    except AttemptLimitReached:
        return False


def record_authentication(request: HttpRequest) -> None:
    """Record in the session that the user has just authenticated."""
    request.session[AUTHENTICATED_AT_SESSION_KEY] = time.time()


def _find_password_error(request: HttpRequest) -> str | None:
    """Return the error message for a submitted password, or None if it is right."""
    try:
        is_password_correct = is_own_password(request, request.POST[PASSWORD_FIELD])
    except AttemptLimitReached as attempt_limit:
        message = ngettext(
            "Too many wrong passwords. Try again in %(minutes)s minute.",
            "Too many wrong passwords. Try again in %(minutes)s minutes.",
            attempt_limit.minutes,
        )
        return message % {"minutes": attempt_limit.minutes}
    if not is_password_correct:
        return _("Wrong password. Try again.")
    record_authentication(request)
    return None


def _find_current_user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # the login middleware guarantees a signed-in user
    return request.user
