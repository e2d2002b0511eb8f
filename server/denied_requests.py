"""A middleware that logs requests that were denied for lack of permissions.

A log line has the view, the login and the status, but not the URL, which may contain a secret.
"""

import json
import logging
from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase

log = logging.getLogger("overplay.rights")

GetResponse = Callable[[HttpRequest], HttpResponseBase]

PRIVATE_PREFIXES = ("/director/", "/api/")
"""URL prefixes whose views respond 404 to other clubs' logins, so that nothing is revealed."""


def log_denied_requests(get_response: GetResponse) -> GetResponse:
    """Return a middleware that logs each denied request."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if response.status_code in {401, 403, 404} and log.isEnabledFor(logging.INFO):
            _log_denied_request(request, response.status_code)
        return response

    return middleware


def _log_denied_request(request: HttpRequest, status: int) -> None:
    match = request.resolver_match
    user = getattr(request, "user", None)
    login = getattr(user, "pk", None)
    is_hidden = match is not None and login and request.path.startswith(PRIVATE_PREFIXES)
    if status == 404 and not is_hidden:
        return  # probably a mistyped URL
    log_entry = {
        "what": "refused",
        "status": status,
        "method": request.method,
        "view": match.view_name if match else "",
        "login": login,
    }
    log.info(json.dumps({key: value for key, value in log_entry.items() if value}))
