"""The URL path of an event, including the session if it is not the first.

`tuesday-2026-11-17` is the event and its first session, `tuesday-2026-11-17/session-2` the
second session. Every page of an event has this path in its URL, so each page has a session.
"""

from django.urls.converters import StringConverter

_SESSION_MARK = "/session-"


class EventAddressConverter(StringConverter):
    """The part of a page's URL that identifies an event and one of its sessions."""

    regex = rf"[-a-zA-Z0-9_]+(?:{_SESSION_MARK}(?:[2-9]|[1-9][0-9]))?"


def format_address(slug: str, session: int) -> str:
    """Return the URL path of an event's session; the number of the first session is omitted."""
    return slug if session == 1 else f"{slug}{_SESSION_MARK}{session}"


def parse_address(written: str) -> tuple[str, int]:
    """Return an event's slug and the session's number from a URL path."""
    slug, _, number = written.partition(_SESSION_MARK)
    return slug, int(number or 1)
