"""Asks the club's server for the bookings it has taken: over https, with a token."""

import json

from boards.whist import WhistError
from seasons.sending.transport import asking, club_address


class NotFetched(WhistError):
    """Why no bookings came, in the server's words."""

    code = "not_fetched"


def ask_server(server: str, club: str, token: str) -> bytes:
    """The document of bookings of a club on a server; raises WhistError with the reason."""
    answer = asking(club_address(server, club), token.strip())("GET", "bookings/", None)
    if answer.status != 200:
        raise NotFetched(answer.words)
    return json.dumps(answer.told).encode()
