"""Why there is nothing to show at an address, in words, and where to go on from there."""

from django.http import Http404


class Missing(Http404):
    """An address at which there is nothing, for a reason that the page then tells.

    `way` is where to go on: the words of a link and its address.
    """

    def __init__(self, reason: str, *, way: tuple[str, str] | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.way = way


class NotYet(Missing):
    """What will be there later, and not before something has happened."""
