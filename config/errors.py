"""What is shown when a page is missing, forbidden or broken: JSON under /api/, else a page."""

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _
from django.views import defaults
from rest_framework.response import Response
from rest_framework.views import set_rollback

from boards.whist.errors import WhistError
from server.api.errors import answer_refusal

CONFLICTS = {"entered_meanwhile"}
"""The refusals that tell of another's change meanwhile: asked again, they may be taken."""


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer for an address that leads nowhere."""
    if request.path.startswith("/api/"):
        detail = _("There is nothing here. Check the address.")
        return JsonResponse({"code": "not_found", "detail": detail}, status=404)
    return defaults.page_not_found(request, exception)


def broken(request: HttpRequest) -> HttpResponse:
    """Answer when the program itself has failed."""
    if request.path.startswith("/api/"):
        detail = _("Overplay has made a mistake here, not you. The log tells what it was.")
        return JsonResponse({"code": "error", "detail": detail}, status=500)
    return defaults.server_error(request)


def answer_error(error: Exception, context: dict[str, Any]) -> Response | None:
    """Answer for the API: a sentence where a person can put it right."""
    if not isinstance(error, WhistError):
        return answer_refusal(error, context)
    set_rollback()
    status = 409 if error.code in CONFLICTS else 400
    return Response({"code": error.code, "detail": str(error)}, status=status)
