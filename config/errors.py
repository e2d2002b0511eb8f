"""What is shown when a page is missing, forbidden or broken: JSON under /api/, else a page."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _
from django.views import defaults


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
