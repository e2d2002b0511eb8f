"""The URL path of an event, with the session unless it is the first one.

`tuesday-2026-11-17` is the event and its first session, `tuesday-2026-11-17/session-2` the
second session. Every page of an event has this path in its URL, so each page belongs to a
session.
"""

from django.urls.converters import StringConverter

_SESSION_MARK = "/session-"


class EventAddressConverter(StringConverter):
    """URL converter for the path of an event and one of its sessions."""

    regex = rf"[-a-zA-Z0-9_]+(?:{_SESSION_MARK}(?:[2-9]|[1-9][0-9]))?"


def format_address(slug: str, session: int) -> str:
    """Return the URL path of an event's session; the number of the first session is omitted."""
    return slug if session == 1 else f"{slug}{_SESSION_MARK}{session}"


def parse_address(path: str) -> tuple[str, int]:
    """Return an event's slug and the session's number from a URL path."""
    slug, _, number = path.partition(_SESSION_MARK)
    return slug, int(number or 1)
