"""The page of a login, and what programs that read the site ask for."""

from collections.abc import Callable

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.views.decorators.http import require_safe

from server.logins import factor_rows
from server.models import User

NOT_FOR_ROBOTS = (
    "/admin/",
    "/api/",
    "/b/",
    "/director/",
    "/e/",
    "/login/",
    "/me/",
    "/reset/",
    "/t/",
    "/type/",
)

Asked = Callable[[HttpRequest], bool]


@require_safe
def account(request: HttpRequest, owns: Asked, has_all: Asked) -> HttpResponse:
    """The login's own page; `owns` tells whether it says who may do what in a club.

    `has_all` tells whether it may have everything that is kept here.
    """
    user = _login(request)
    due = user.factor_due_at
    context = {
        "owns": owns(request),
        "has_all": has_all(request),
        "on_a_server": settings.ON_A_SERVER,
        "has_mail": settings.HAS_MAIL,
        "has_factor": settings.ON_A_SERVER and factor_rows.has_factor(user),
        "factor_due": factor_rows.days_left(due) if due else "",
    }
    return render(request, "server/account.html", context)


@login_not_required
@require_safe
def robots(_request: HttpRequest) -> HttpResponse:
    """Tell search engines what is for everybody: not the desk, no secret address."""
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in NOT_FOR_ROBOTS)]
    return HttpResponse("\n".join([*lines, ""]), content_type="text/plain; charset=utf-8")


@login_not_required
@require_safe
def favicon(_request: HttpRequest) -> HttpResponse:
    """Send those who ask for the old address of a site's sign to the one there is."""
    return redirect(static("img/icon.svg"), permanent=True)


def _login(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # the login wall let it through
    return request.user
