"""One request to a club's server: over https, to that host alone, and its answer whole.

A redirection is not followed, so a token never reaches another host. What comes back is only
believed when all of it has come.
"""

import http.client
import json
import ssl
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from django.utils.translation import gettext as _

from boards.whist import WhistError
from seasons.errors import DestinationRefused
from server.numbers import whole_number

PATIENCE = 20.0
"""Seconds without a sign of the other side."""
LONGEST_ANSWER = 2_000_000
HERE = {"127.0.0.1", "localhost", "::1"}


class Unreachable(WhistError):
    """No whole answer came; whether anything arrived is not known, so it is sent again."""

    code = "unreachable"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server said."""

    status: int
    told: dict[str, Any] = field(default_factory=dict)
    wait: int = 0  # seconds after which to ask again

    @property
    def words(self) -> str:
        """Why it refused, as it says so."""
        told = self.told.get("detail")
        return str(told or _("The server answers %(status)s.") % {"status": self.status})


Ask = Callable[[str, str, object], Answer]
"""Ask a server: how, the path below the club's address, and the body (None for no body)."""


def asking(address: str, token: str, *, patience: float = PATIENCE) -> Ask:
    """Make what asks one club's server; raises DestinationRefused for an unfit address."""
    base = checked(address)

    def ask(way: str, path: str, body: object) -> Answer:
        parts = urlsplit(base + path)
        secure = parts.scheme == "https"
        kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        more: dict[str, Any] = {"context": ssl.create_default_context()} if secure else {}
        line = kind(parts.hostname or "", parts.port, timeout=patience, **more)
        sent = None if body is None else json.dumps(body, ensure_ascii=False).encode()
        headers = {"Authorization": f"Token {token}", "Accept": "application/json"}
        if sent is not None:
            headers["Content-Type"] = "application/json"
        try:
            target = f"{parts.path}?{parts.query}" if parts.query else parts.path
            line.request(way, target, sent, headers)
            answer = line.getresponse()
            wait = whole_number(answer.headers.get("Retry-After", ""), most=3600) or 0
            return read_answer(answer.status, answer.read(LONGEST_ANSWER), wait)
        except ssl.SSLCertVerificationError:
            raise DestinationRefused(
                _("%(host)s does not prove who it is: its certificate is not good.")
                % {"host": parts.hostname}
            ) from None
        except (OSError, http.client.HTTPException) as error:
            words = _("%(host)s does not answer (%(why)s).")
            raise Unreachable(
                words % {"host": parts.hostname, "why": type(error).__name__}
            ) from None
        finally:
            line.close()

    return ask


def checked(address: str) -> str:
    """Check the address of a club on a server: https, but for this computer itself."""
    try:
        parts = urlsplit(address)
        _number = parts.port  # read here, for only now is it looked at
    except ValueError:
        raise DestinationRefused(_("This is not the address of a server.")) from None
    if not parts.hostname or parts.username or parts.password or parts.query or parts.fragment:
        raise DestinationRefused(_("Write the server's address as https://riverside.example."))
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in HERE):
        raise DestinationRefused(_("Results are sent over https alone: write https://…"))
    return address if address.endswith("/") else f"{address}/"


def club_address(typed: str, slug: str) -> str:
    """Complete what somebody types: the server, the club's page there, or its API."""
    text = typed.strip()
    parts = urlsplit(checked(text if "://" in text else f"https://{text}"))
    steps = [each for each in parts.path.split("/") if each]
    match steps:
        case []:
            found = slug
        case ["clubs", found] | ["api", "clubs", found]:
            pass
        case _:
            words = _("Write the server's address, or that of the club's page on it.")
            raise DestinationRefused(words)
    return f"{parts.scheme}://{parts.netloc}/api/clubs/{found}/"


def read_answer(status: int, content: bytes, wait: int = 0) -> Answer:
    """Read what came; raises Unreachable for half an answer."""
    if 300 <= status < 400:
        raise DestinationRefused(
            _("The server sends us on to another address; write that one here.")
        )
    if status >= 500:
        raise Unreachable(_("The server answers %(status)s.") % {"status": status})
    try:
        told = json.loads(content) if content else {}
    except ValueError:
        raise Unreachable(_("Only a part of the server's answer has come.")) from None
    return Answer(status, told if isinstance(told, dict) else {}, wait)
