"""Display settings stored in cookies and chosen in the footer, without a login.

They are the language, the colour scheme, larger text, denser rows, and four suit colours.
"""

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from server.safe_redirects import clean_redirect

SETTING_VALUES = {
    "scheme": ("light", "dark"),
    "letters": ("large",),
    "rows": ("close",),
    "suits": ("four",),
}
"""The allowed values of each setting, by the name of its cookie; `language` has its own."""
COOKIE_AGE_SECONDS = 60 * 60 * 24 * 365  # seconds


def read_display_settings(request: HttpRequest | None) -> dict[str, str]:
    """Return the browser's settings that differ from their default."""
    cookies = request.COOKIES if request else {}
    return {
        name: cookies[name]
        for name, values in SETTING_VALUES.items()
        if cookies.get(name) in values
    }


@login_not_required
@csrf_exempt  # a CSRF token would need a cookie on public pages; only display changes
@require_POST
def store_display_setting(request: HttpRequest) -> HttpResponse:
    """Store a setting in a cookie, and redirect back to the page."""
    response = redirect(clean_redirect(request.POST.get("back", "")) or "/")
    allowed = {**SETTING_VALUES, settings.LANGUAGE_COOKIE_NAME: dict(settings.LANGUAGES)}
    for name in allowed.keys() & request.POST.keys():
        value = request.POST[name]
        if value in allowed[name]:
            response.set_cookie(
                name,
                value,
                max_age=COOKIE_AGE_SECONDS,
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Lax",
            )
        else:
            response.delete_cookie(name)
    return response
