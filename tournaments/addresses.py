"""The address of an event, which says the session too once there are several.

`tuesday-2026-11-17` is the event and its first session, `tuesday-2026-11-17/session-2` its
second. All pages about an evening take such an address, so none forgets which it is about.
"""

from django.urls.converters import StringConverter

_MARK = "/session-"


class EventAddress(StringConverter):
    """The part of a page's address that names an event and one of its sessions."""

    regex = rf"[-a-zA-Z0-9_]+(?:{_MARK}(?:[2-9]|[1-9][0-9]))?"


def address(slug: str, session: int) -> str:
    """Write the address of an event's session; the first goes without saying."""
    return slug if session == 1 else f"{slug}{_MARK}{session}"


def parted(written: str) -> tuple[str, int]:
    """Read an event's slug and the session's number from an address."""
    slug, _, number = written.partition(_MARK)
    return slug, int(number or 1)
