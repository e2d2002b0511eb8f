"""Fetch the bookings from the club's server, over https and with a token."""

import json

from boards.whist import WhistError
from clubs.club_server import make_requester

DEADLINE_SECONDS = 30.0


class NotFetched(WhistError):
    """The bookings could not be fetched; the text is the server's reason."""

    code = "not_fetched"


def fetch_document(address: str, token: str) -> bytes:
    """Fetch a club's bookings as a document; `address` is that of the club's API.

    Raises WhistError with the reason.
    """
    answer = make_requester(address, token, seconds=DEADLINE_SECONDS)("GET", "bookings/", None)
    if answer.status != 200:
        raise NotFetched(answer.words)
    return json.dumps(answer.told).encode()
