"""A log of requests refused for lack of rights.

A line has the view, the login and the status, never a URL: it may have a secret.
"""

import json
import logging
from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase

log = logging.getLogger("overplay.rights")

Answer = Callable[[HttpRequest], HttpResponseBase]

OWN_PAGES = ("/director/", "/api/")
"""URL prefixes under which another club's pages are "not found", to hide that they exist."""


def log_refusals(get_response: Answer) -> Answer:
    """Return a middleware that logs each refused request."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if response.status_code in {401, 403, 404} and log.isEnabledFor(logging.INFO):
            _log(request, response.status_code)
        return response

    return middleware


def _log(request: HttpRequest, status: int) -> None:
    match = request.resolver_match
    user = getattr(request, "user", None)
    login = getattr(user, "pk", None)
    is_hidden = match is not None and login and request.path.startswith(OWN_PAGES)
    if status == 404 and not is_hidden:
        return  # a mistyped URL
    said = {
        "what": "refused",
        "status": status,
        "method": request.method,
        "view": match.view_name if match else "",
        "login": login,
    }
    log.info(json.dumps({key: value for key, value in said.items() if value}))
