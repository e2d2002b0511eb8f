"""Light, dark, or as the device: what a reader chose for this browser, without an account."""

from enum import StrEnum

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from server.returning import safe_back

COOKIE = "scheme"
KEPT = 60 * 60 * 24 * 365  # seconds


class Scheme(StrEnum):
    """How a page is coloured."""

    DEVICE = "device"
    LIGHT = "light"
    DARK = "dark"


def chosen(request: HttpRequest | None) -> Scheme:
    """Read what was chosen for this browser; whoever chose nothing has it as the device."""
    value = request.COOKIES.get(COOKIE, "") if request else ""
    return Scheme(value) if value in (Scheme.LIGHT, Scheme.DARK) else Scheme.DEVICE


@login_not_required
@csrf_exempt  # a form with a token sets a cookie, and public pages set none; this only colours
@require_POST
def choose(request: HttpRequest) -> HttpResponse:
    """Remember a scheme, and go back to the page that was coloured otherwise."""
    answer = redirect(safe_back(request.POST.get("back", "")) or "/")
    value = request.POST.get("scheme", "")
    if value in (Scheme.LIGHT, Scheme.DARK):
        answer.set_cookie(
            COOKIE,
            value,
            max_age=KEPT,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    else:
        answer.delete_cookie(COOKIE)
    return answer
