"""Asks the club's server for the bookings it has taken: over https, with a token."""

import urllib.error
import urllib.request
from http.client import HTTPException
from typing import Any
from urllib.parse import quote, urlsplit

from django.utils.translation import gettext as _

from boards.whist import WhistError
from seasons.bookingfile import LARGEST

PATIENCE = 20
"""Seconds for an answer."""
HERE = {"127.0.0.1", "localhost", "::1"}


class NotFetched(WhistError):
    """Why no bookings came, in words."""

    code = "not_fetched"


class _SameHost(urllib.request.HTTPRedirectHandler):
    """Follows nobody to another host, for the token would go there too."""

    def redirect_request(self, *_given: Any) -> None:
        """Refuse every redirect."""


def ask_server(server: str, club: str, token: str) -> bytes:
    """The document of bookings of a club on a server; raises NotFetched."""
    parts = urlsplit(server.strip())
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in HERE):
        raise NotFetched(_("Write the server's address with https:// in front."))
    if not parts.hostname or not token.strip().isascii() or not token.strip().isprintable():
        raise NotFetched(_("Write the server's address and a token that it has made."))
    address = f"{parts.scheme}://{parts.netloc}/api/clubs/{quote(club)}/bookings/"
    request = urllib.request.Request(
        address,
        headers={"Authorization": f"Token {token.strip()}", "Accept": "application/json"},
    )
    opener = urllib.request.build_opener(_SameHost)
    try:
        with opener.open(request, timeout=PATIENCE) as answer:
            content: bytes = answer.read(LARGEST + 1)
    except urllib.error.HTTPError as error:
        raise NotFetched(_refusal(error.code)) from None
    except (OSError, HTTPException, ValueError):
        words = _("%(server)s does not answer. Is this computer on the internet?")
        raise NotFetched(words % {"server": parts.hostname}) from None
    return content


def _refusal(status: int) -> str:
    if status in (401, 403):
        return _("The server does not take this token. Make one there under Account.")
    if status == 404:
        return _("The server has no club of this name.")
    return _("The server answers with an error (%(status)s).") % {"status": status}
