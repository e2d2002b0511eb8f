"""Exceptions for pages that are not found, with a reason for the user and a link."""

from django.http import Http404


class PageNotFound(Http404):
    """There is no page at this URL; the 404 page shows the reason.

    `way` is the text and URL of a link to a related page.
    """

    def __init__(self, reason: str, *, way: tuple[str, str] | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.way = way


class PageNotReady(PageNotFound):
    """The page does not exist yet, but will after something has happened."""
