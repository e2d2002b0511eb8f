"""The account page, and files that search engines and browsers request."""

from collections.abc import Callable
from pathlib import Path

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.views.decorators.http import require_safe

from server.logins import factor_rows
from server.models import ApiToken, User
from server.stop_page import can_stop
from server.version_check import find_new_version

ROBOTS_DISALLOWED = (
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

RequestCheck = Callable[[HttpRequest], bool]


@require_safe
def show_account(
    request: HttpRequest, owns: RequestCheck, has_all: RequestCheck, congress: RequestCheck
) -> HttpResponse:
    """Show the login's account page.

    `owns` returns whether a login manages the users of a club, `has_all` whether it may have
    all data, and `congress` whether it has a club with congress features.
    """
    user = _find_current_user(request)
    due = user.factor_due_at
    context = {
        "owns": owns(request),
        "has_all": has_all(request),
        "can_stop": can_stop(request),
        "new_version": find_new_version(),
        "shows_tokens": congress(request) or ApiToken.objects.filter(user=user).exists(),
        "on_a_server": settings.ON_A_SERVER,
        "has_mail": settings.HAS_MAIL,
        "has_factor": settings.ON_A_SERVER and factor_rows.has_factor(user),
        "factor_due": factor_rows.format_days_left(due) if due else "",
    }
    return render(request, "server/account.html", context)


@login_not_required
@require_safe
def serve_robots_file(_request: HttpRequest) -> HttpResponse:
    """Return robots.txt, which allows public pages, but no director's page or secret link."""
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in ROBOTS_DISALLOWED)]
    return HttpResponse("\n".join([*lines, ""]), content_type="text/plain; charset=utf-8")


@login_not_required
@require_safe
def serve_service_worker(_request: HttpRequest) -> HttpResponse:
    """Return the service worker of players' pages.

    Its scope is the folder of its URL, so it cannot be below /static/.
    """
    script = Path(settings.BASE_DIR, "static", "js", "service_worker.js").read_bytes()
    answer = HttpResponse(script, content_type="text/javascript; charset=utf-8")
    answer.headers["Cache-Control"] = "no-cache"
    return answer


@login_not_required
@require_safe
def redirect_favicon(_request: HttpRequest) -> HttpResponse:
    """Redirect from /favicon.ico to the icon's current URL."""
    return redirect(static("img/icon.svg"), permanent=True)


def _find_current_user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # the login middleware guarantees a signed-in user
    return request.user
