"""Errors for pages that do not exist, with a reason and a link."""

from django.http import Http404


class PageMissing(Http404):
    """Nothing exists at this URL, for a reason that the page shows.

    `way` is the text and URL of a link.
    """

    def __init__(self, reason: str, *, way: tuple[str, str] | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.way = way


class PageNotYetThere(PageMissing):
    """The page will exist later, after something has happened."""
