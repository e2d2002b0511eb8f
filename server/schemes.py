"""How a reader wants pages, chosen in their foot for this browser, without an account.

Light, dark or as the device; larger letters; closer rows; four colours for the suits.
"""

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from server.safe_redirects import safe_back

CHOICES = {
    "scheme": ("light", "dark"),
    "letters": ("large",),
    "rows": ("close",),
    "suits": ("four",),
}
"""What may be chosen, each by the name of its cookie; anything else is as it is for all."""
KEPT = 60 * 60 * 24 * 365  # seconds


def chosen(request: HttpRequest | None) -> dict[str, str]:
    """Read what was chosen for this browser; what was not is left out."""
    cookies = request.COOKIES if request else {}
    return {
        name: cookies[name] for name, values in CHOICES.items() if cookies.get(name) in values
    }


@login_not_required
@csrf_exempt  # a form with a token sets a cookie, and public pages set none; this only draws
@require_POST
def choose(request: HttpRequest) -> HttpResponse:
    """Remember what was pressed, and go back to the page that was drawn otherwise."""
    answer = redirect(safe_back(request.POST.get("back", "")) or "/")
    for name in CHOICES.keys() & request.POST.keys():
        value = request.POST[name]
        if value in CHOICES[name]:
            answer.set_cookie(
                name,
                value,
                max_age=KEPT,
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Lax",
            )
        else:
            answer.delete_cookie(name)
    return answer
