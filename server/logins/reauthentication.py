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

from server.logins.authentication import try_password
from server.logins.factor_rows import has_passkey
from server.logins.passwords import has_no_password_yet
from server.logins.throttle import Wait
from server.models import User

RECENT_SECONDS = 10 * 60
"""Seconds after a password or passkey without another request for it."""
AUTHENTICATED_AT = "shown_at"
"""Session key of the time of the last authentication."""
TYPED = "password_again"
KEPT_FIELDS = 200
"""Form fields that are stored while the password is requested."""

View = Callable[..., HttpResponseBase]


def is_recent(request: HttpRequest) -> bool:
    """Return whether the login authenticated recently; always True on a laptop."""
    if not settings.ON_A_SERVER:
        return True
    if not request.user.is_authenticated:
        return False
    return time.time() - float(request.session.get(AUTHENTICATED_AT, 0)) < RECENT_SECONDS


def require_recent_login(view: View) -> View:
    """Make a view require a recent authentication.

    The page that requests the password contains the submitted form and sends it again.
    """

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if is_recent(request):
            return view(request, *args, **kwargs)
        wrong = _typed_wrong(request) if TYPED in request.POST else ""
        if wrong is None:
            return view(request, *args, **kwargs)
        return render_password_page(request, wrong)

    return answer


def render_password_page(request: HttpRequest, wrong: str = "") -> HttpResponse:
    """Render the page that requests the password and contains the submitted form."""
    held = [
        (name, value)
        for name, values in request.POST.lists()
        for value in values
        if name not in (TYPED, "csrfmiddlewaretoken")
    ][:KEPT_FIELDS]
    is_form = request.method == "POST" and not request.FILES
    context = {
        "held": held if is_form else [],
        "is_form": is_form,
        "wrong": wrong,
        "has_passkey": has_passkey(_login(request)),
        "to": request.get_full_path() if request.method == "GET" else reverse("account"),
    }
    response = render(request, "server/again.html", context, status=403)
    response.headers["Cache-Control"] = "no-store"
    return response


def is_confirmed(request: HttpRequest) -> bool:
    """Return whether a form has the login's password; wrong ones count as at sign-in.

    A laptop's login without a password has nothing to enter.
    """
    login = _login(request)
    if has_no_password_yet(login):
        return True
    try:
        user = try_password(request, login.get_username(), request.POST.get("password", ""))
    except Wait:
        return False
    return user is not None and user.pk == login.pk


def record_authentication(request: HttpRequest) -> None:
    """Record that the login has just authenticated."""
    request.session[AUTHENTICATED_AT] = time.time()


def _typed_wrong(request: HttpRequest) -> str | None:
    """Return the error of a submitted password, None if it is right."""
    try:
        user = try_password(request, _login(request).get_username(), request.POST[TYPED])
    except Wait as wait:
        words = ngettext(
            "Too many wrong passwords. Try again in %(minutes)s minute.",
            "Too many wrong passwords. Try again in %(minutes)s minutes.",
            wait.minutes,
        )
        return words % {"minutes": wait.minutes}
    if user is None or user.pk != request.user.pk:
        return _("This is not your password. Type it again.")
    record_authentication(request)
    return None


def _login(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # the login wall let it through
    return request.user
