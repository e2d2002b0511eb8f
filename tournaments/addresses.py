"""The address of an event, including the session if it is not the first.

`tuesday-2026-11-17` is the event and its first session, `tuesday-2026-11-17/session-2` its
second. All pages of an event take such an address, so that each knows its session.
"""

from django.urls.converters import StringConverter

_MARK = "/session-"


class EventAddress(StringConverter):
    """The part of a page's address that names an event and one of its sessions."""

    regex = rf"[-a-zA-Z0-9_]+(?:{_MARK}(?:[2-9]|[1-9][0-9]))?"


def address(slug: str, session: int) -> str:
    """Return the address of an event's session; the first session is not written."""
    return slug if session == 1 else f"{slug}{_MARK}{session}"


def parted(written: str) -> tuple[str, int]:
    """Return an event's slug and the session's number from an address."""
    slug, _, number = written.partition(_MARK)
    return slug, int(number or 1)
