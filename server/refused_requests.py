"""A middleware that refuses TRACE requests, and API requests over plain http on a server."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase, HttpResponseNotAllowed, JsonResponse

GetResponse = Callable[[HttpRequest], HttpResponseBase]

API_PREFIX = "/api/"
ALLOWED_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


def reject_invalid_requests(get_response: GetResponse) -> GetResponse:
    """Return a middleware that refuses requests by their method or scheme."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if request.method not in ALLOWED_METHODS:
            return HttpResponseNotAllowed(ALLOWED_METHODS)
        # not redirected to https: the client would continue to send its token unencrypted
        is_api_request = request.path.startswith(API_PREFIX) and request.path != API_PREFIX
        if is_api_request and settings.SECURE_SSL_REDIRECT and not request.is_secure():
            problem = {"code": "https_required", "detail": "Use https."}
            return JsonResponse(problem, status=403)
        return get_response(request)

    return middleware
