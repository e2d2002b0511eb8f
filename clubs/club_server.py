"""An HTTPS client for the API of one club on another Overplay server.

Redirects are not followed, so that a token never reaches another host. An incomplete response
is an error.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from django.utils.translation import gettext as _

from boards.whist import WhistError
from server.numbers import parse_whole_number
from server.outgoing import RemoteRequestFailed, encode_host, send_request

REQUEST_TIMEOUT_SECONDS = 120.0
"""The time limit for a request and its whole response, long enough for slow connections."""
MAX_URL_CHARACTERS = 200
MAX_MESSAGE_CHARACTERS = 300
"""The length to which a server's error message is truncated."""
LOCAL_HOSTS = {"127.0.0.1", "localhost", "::1"}
TOKEN_PATTERN = re.compile(r"[!-~]{1,300}")
SLUG_PATTERN = re.compile(r"[A-Za-z0-9_-]{1,100}")


class InvalidDestination(WhistError):
    """An invalid address or an invalid token for a club's server."""

    code = "destination_refused"


class ServerUnreachable(WhistError):
    """A request without a usable response.

    The server may have processed the request. The caller can repeat it.
    """

    code = "unreachable"


@dataclass(frozen=True, slots=True)
class ServerResponse:
    """A complete response of a club's server."""

    status: int
    body_data: dict[str, Any] = field(default_factory=dict)
    retry_after_seconds: int = 0  # from the Retry-After header

    @property
    def refusal_message(self) -> str:
        """The server's error message, or a generic one with the status code."""
        message = str(self.body_data.get("detail") or "")[:MAX_MESSAGE_CHARACTERS]
        return str(message or _("The server answered %(status)s.") % {"status": self.status})


RequestFunction = Callable[[str, str, object], ServerResponse]
"""A function that sends a request.

Its arguments are the HTTP method, the path below the club's API URL, and the body.
"""


def build_request_function(
    club_api_url: str, token: str, *, timeout_seconds: float = REQUEST_TIMEOUT_SECONDS
) -> RequestFunction:
    """Return a function that sends requests to the API of the club at this address.

    Raises InvalidDestination for an invalid address or token. The returned function raises
    ServerUnreachable.
    """
    base_url = normalize_server_url(club_api_url)
    headers = {"Authorization": f"Token {clean_token(token)}", "Accept": "application/json"}

    def send_club_request(method: str, path: str, body: object) -> ServerResponse:
        body_bytes = None if body is None else json.dumps(body, ensure_ascii=False).encode()
        extra_headers = {} if body_bytes is None else {"Content-Type": "application/json"}
        try:
            response = send_request(
                base_url + path,
                method=method,
                headers=headers | extra_headers,
                body=body_bytes,
                timeout_seconds=timeout_seconds,
            )
        except RemoteRequestFailed:
            message = _("%(host)s doesn’t respond. Check its address and certificate.")
            raise ServerUnreachable(message % {"host": urlsplit(base_url).hostname}) from None
        retry_after_seconds = parse_whole_number(response.retry_after, maximum=3600) or 0
        return read_response(response.status, response.content, retry_after_seconds)

    return send_club_request


def normalize_server_url(address: str) -> str:
    """Return the address of a club's server with a trailing slash.

    The address must use HTTPS unless its host is this computer. Raises InvalidDestination if
    it is invalid.
    """
    try:
        url_parts = urlsplit(address)
        port = url_parts.port  # raises ValueError if invalid
        host = encode_host(url_parts.hostname or "")
    except ValueError:
        raise InvalidDestination(_("This isn’t a server address.")) from None
    if (
        port == 0
        or url_parts.username
        or url_parts.password
        or url_parts.query
        or url_parts.fragment
    ):
        raise InvalidDestination(_("Enter the server’s address as https://riverside.example."))
    if url_parts.scheme != "https" and not (url_parts.scheme == "http" and host in LOCAL_HOSTS):
        raise InvalidDestination(_("Enter an address that begins with https://."))
    if (
        not url_parts.path.isascii()
        or not url_parts.path.isprintable()
        or " " in url_parts.path
    ):
        raise InvalidDestination(_("Enter the server’s address as https://riverside.example."))
    url = url_parts._replace(netloc=_format_netloc(host, port)).geturl()
    return url if url.endswith("/") else f"{url}/"


def clean_token(token: str) -> str:
    """Return a token without surrounding spaces.

    Raises InvalidDestination if the token is too long or contains invalid characters.
    """
    cleaned_token = token.strip()
    if not TOKEN_PATTERN.fullmatch(cleaned_token):
        raise InvalidDestination(_("This isn’t a token. Copy it from the server again."))
    return cleaned_token


def _format_netloc(host: str, port: int | None) -> str:
    url_host = f"[{host}]" if ":" in host else host
    return url_host if port is None else f"{url_host}:{port}"


def build_club_api_url(typed_address: str, slug: str) -> str:
    """Return the URL of a club's API for a typed address.

    The address may be that of the server, the club's page, or the API. If the address names no
    club, `slug` is used as the club's slug. Raises InvalidDestination.
    """
    trimmed_address = typed_address.strip()
    url_parts = urlsplit(
        normalize_server_url(
            trimmed_address if "://" in trimmed_address else f"https://{trimmed_address}"
        )
    )
    path_parts = [part for part in url_parts.path.split("/") if part]
    match path_parts:
        case []:
            club_slug = slug
        case ["clubs", club_slug] | ["api", "clubs", club_slug]:
            pass
        case _:
            message = _("Enter the address of the server or the club’s page.")
            raise InvalidDestination(message)
    api_url = f"{url_parts.scheme}://{url_parts.netloc}/api/clubs/{club_slug}/"
    if not SLUG_PATTERN.fullmatch(club_slug) or len(api_url) > MAX_URL_CHARACTERS:
        raise InvalidDestination(_("Enter the server’s address as https://riverside.example."))
    return api_url


def read_response(
    status: int, body_bytes: bytes, retry_after_seconds: int = 0
) -> ServerResponse:
    """Parse a response; `retry_after_seconds` is its Retry-After value in seconds.

    Raises InvalidDestination for a redirect, and ServerUnreachable for a server error or
    incomplete JSON.
    """
    if 300 <= status < 400:
        raise InvalidDestination(_("The server redirects to another address. Enter that one."))
    if status >= 500:
        raise ServerUnreachable(_("The server answered %(status)s.") % {"status": status})
    try:
        body_data = json.loads(body_bytes) if body_bytes else {}
    except (ValueError, RecursionError):
        raise ServerUnreachable(_("The server’s answer was incomplete.")) from None
    return ServerResponse(
        status, body_data if isinstance(body_data, dict) else {}, retry_after_seconds
    )
