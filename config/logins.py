"""What guessing at passwords meets: who is asking, and the closed door."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext


def client_address(request: HttpRequest) -> str:
    """Return the address that a login comes from.

    Behind the server's proxy it is the last address that the proxy itself wrote down; whatever
    a client claims stands before it and is not believed.
    """
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "") if settings.ON_A_SERVER else ""
    return str(forwarded.rpartition(",")[2].strip() or request.META.get("REMOTE_ADDR", ""))


def locked_out(
    request: HttpRequest, response: HttpResponse | None = None, *args: Any, **kwargs: Any
) -> HttpResponse:
    """Answer a login after too many wrong passwords, as a page or, under /api/, as JSON."""
    minutes = int(settings.AXES_COOLOFF_TIME.total_seconds() // 60)
    wait = ngettext(
        "Too many wrong passwords. Wait %(minutes)d minute and try again.",
        "Too many wrong passwords. Wait %(minutes)d minutes and try again.",
        minutes,
    ) % {"minutes": minutes}
    if request.path.startswith("/api/"):
        return JsonResponse({"code": "too_many_attempts", "detail": wait}, status=429)
    context = {"title": _("Wait a little"), "wait": wait, "minutes": minutes}
    return render(request, "registration/locked.html", context, status=429)
