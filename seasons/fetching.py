"""Asks the club's server for the bookings it has taken: over https, with a token."""

import json

from boards.whist import WhistError
from seasons.sending.transport import asking

DEADLINE_SECONDS = 30.0


class NotFetched(WhistError):
    """Why no bookings came, in the server's words."""

    code = "not_fetched"


def ask_server(address: str, token: str) -> bytes:
    """Fetch a club's bookings as a document; `address` is that of the club's API.

    Raises WhistError with the reason.
    """
    answer = asking(address, token, seconds=DEADLINE_SECONDS)("GET", "bookings/", None)
    if answer.status != 200:
        raise NotFetched(answer.words)
    return json.dumps(answer.told).encode()
