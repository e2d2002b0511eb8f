"""Display settings of a browser, chosen in the footer, without an account.

Light, dark or automatic; larger letters; closer rows; four suit colours.
"""

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from server.safe_redirects import safe_redirect

CHOICES = {
    "scheme": ("light", "dark"),
    "letters": ("large",),
    "rows": ("close",),
    "suits": ("four",),
}
"""The values of each setting, by the name of its cookie; other values are ignored."""
COOKIE_AGE = 60 * 60 * 24 * 365  # seconds


def chosen_settings(request: HttpRequest | None) -> dict[str, str]:
    """Return this browser's settings; those at their default are left out."""
    cookies = request.COOKIES if request else {}
    return {
        name: cookies[name] for name, values in CHOICES.items() if cookies.get(name) in values
    }


@login_not_required
@csrf_exempt  # a CSRF token needs a cookie, and public pages set none; this is only display
@require_POST
def store_setting(request: HttpRequest) -> HttpResponse:
    """Store a setting in a cookie, and redirect to the page."""
    answer = redirect(safe_redirect(request.POST.get("back", "")) or "/")
    for name in CHOICES.keys() & request.POST.keys():
        value = request.POST[name]
        if value in CHOICES[name]:
            answer.set_cookie(
                name,
                value,
                max_age=COOKIE_AGE,
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Lax",
            )
        else:
            answer.delete_cookie(name)
    return answer
