"""A middleware that logs requests that were denied for lack of permissions.

A log line has the time, view, login and status, but not the URL, which may contain a secret.
"""

import json
import logging
from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone

log = logging.getLogger("overplay.rights")

GetResponse = Callable[[HttpRequest], HttpResponseBase]

PRIVATE_PATH_PREFIXES = ("/director/", "/api/")
"""URL prefixes whose views respond 404 instead of 403 to users of other clubs.

The response therefore doesn't reveal whether the object exists.
"""


def log_denied_requests(get_response: GetResponse) -> GetResponse:
    """Return a middleware that logs each denied request."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if response.status_code in {401, 403, 404} and log.isEnabledFor(logging.INFO):
            _log_denied_request(request, response.status_code)
        return response

    return middleware


def _log_denied_request(request: HttpRequest, status_code: int) -> None:
    url_match = request.resolver_match
    user = getattr(request, "user", None)
    user_pk = getattr(user, "pk", None)
    is_possible_denial = (
        url_match is not None and user_pk and request.path.startswith(PRIVATE_PATH_PREFIXES)
    )
    if status_code == 404 and not is_possible_denial:
        return  # probably a mistyped URL
    log_entry = {
        "what": "refused",
        "at": timezone.now().isoformat(timespec="seconds"),
        "status": status_code,
        "method": request.method,
        "view": url_match.view_name if url_match else "",
        "login": user_pk,
    }
    log.info(json.dumps({key: value for key, value in log_entry.items() if value}))
