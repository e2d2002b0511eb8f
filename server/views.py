"""The account page, and files that robots and browsers request."""

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
    """Show the login's own page; `owns` returns whether it manages users of a club.

    `has_all` returns whether it may have all data.
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
    """Allow search engines the public pages only: no director's page, no secret link."""
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in NOT_FOR_ROBOTS)]
    return HttpResponse("\n".join([*lines, ""]), content_type="text/plain; charset=utf-8")


@login_not_required
@require_safe
def favicon(_request: HttpRequest) -> HttpResponse:
    """Redirect from the traditional URL of the icon to the current one."""
    return redirect(static("img/icon.svg"), permanent=True)


def _login(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # the login wall let it through
    return request.user
