"""Display settings, which users choose in the footer without a login; cookies store them.

The settings are the language, the colour scheme, larger text, denser rows, and a different
colour for each of the four suits.
"""

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from server.cookie_names import build_cookie_name
from server.safe_redirects import clean_redirect

ALLOWED_SETTING_VALUES = {
    "scheme": ("light", "dark"),
    "letters": ("large",),
    "rows": ("close",),
    "suits": ("four",),
}
"""The allowed values of each setting except `language`, which has those of LANGUAGES."""
COOKIE_AGE_SECONDS = 60 * 60 * 24 * 365


def read_display_settings(request: HttpRequest | None) -> dict[str, str]:
    """Return the browser's settings that differ from their default."""
    cookies = request.COOKIES if request else {}
    chosen_values = {
        name: cookies.get(build_cookie_name(name), "") for name in ALLOWED_SETTING_VALUES
    }
    return {
        name: value
        for name, value in chosen_values.items()
        if value in ALLOWED_SETTING_VALUES[name]
    }


@login_not_required
@csrf_exempt  # harmless: only the display changes; a token would need a cookie on public pages
@require_POST
def store_display_setting(request: HttpRequest) -> HttpResponse:
    """Store a setting in a cookie, and redirect back to the page."""
    response = redirect(clean_redirect(request.POST.get("back", "")) or "/")
    allowed_values = {**ALLOWED_SETTING_VALUES, "language": dict(settings.LANGUAGES)}
    for name in allowed_values.keys() & request.POST.keys():
        value = request.POST[name]
        if value in allowed_values[name]:
            response.set_cookie(
                build_cookie_name(name),
                value,
                max_age=COOKIE_AGE_SECONDS,
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Lax",
            )
        else:
            response.delete_cookie(build_cookie_name(name))
    return response
