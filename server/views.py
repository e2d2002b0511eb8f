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
from server.stop_page import can_stop_program
from server.version_check import find_new_version

ROBOTS_DISALLOWED_PATHS = (
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
    request: HttpRequest,
    is_owner: RequestCheck,
    can_access_all_data: RequestCheck,
    has_congress_features: RequestCheck,
) -> HttpResponse:
    """Show the login's account page.

    `is_owner` returns whether the user manages the logins of a club, `can_access_all_data`
    whether the user may access all data, and `has_congress_features` whether a club of the
    user has congress features.
    """
    user = _find_current_user(request)
    due_at = user.factor_due_at
    context = {
        "owns": is_owner(request),
        "has_all": can_access_all_data(request),
        "can_stop": can_stop_program(request),
        "new_version": find_new_version(),
        "shows_tokens": has_congress_features(request)
        or ApiToken.objects.filter(user=user).exists(),
        "on_a_server": settings.IS_SERVER_DEPLOYMENT,
        "has_mail": settings.HAS_MAIL,
        "has_factor": settings.IS_SERVER_DEPLOYMENT and factor_rows.has_second_factor(user),
        "factor_due": factor_rows.format_days_left(due_at) if due_at else "",
    }
    return render(request, "server/account.html", context)


@login_not_required
@require_safe
def serve_robots_file(_request: HttpRequest) -> HttpResponse:
    """Serve robots.txt, which disallows directors' pages and secret links."""
    robots_lines = ["User-agent: *", *(f"Disallow: {path}" for path in ROBOTS_DISALLOWED_PATHS)]
    return HttpResponse(
        "\n".join([*robots_lines, ""]), content_type="text/plain; charset=utf-8"
    )


@login_not_required
@require_safe
def serve_service_worker(_request: HttpRequest) -> HttpResponse:
    """Serve the service worker of players' pages.

    Its scope is the folder of its URL, so the URL cannot be below /static/.
    """
    script = Path(settings.BASE_DIR, "static", "js", "service_worker.js").read_bytes()
    response = HttpResponse(script, content_type="text/javascript; charset=utf-8")
    response.headers["Cache-Control"] = "no-cache"
    return response


@login_not_required
@require_safe
def redirect_favicon(_request: HttpRequest) -> HttpResponse:
    """Redirect from /favicon.ico to the icon's current URL."""
    return redirect(static("img/icon.svg"), permanent=True)


def _find_current_user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # the login middleware guarantees a signed-in user
    return request.user
