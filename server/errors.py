"""Exceptions for pages that do not exist, with a reason and a link for the user."""

from django.http import Http404


class PageNotFound(Http404):
    """There is no page at this URL. The 404 page shows the reason.

    `related_link` is the text and the URL of a link to another page that may help.
    """

    def __init__(self, reason: str, *, related_link: tuple[str, str] | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.related_link = related_link


class PageNotReady(PageNotFound):
    """The page does not exist yet, e.g. because a session is not closed."""
