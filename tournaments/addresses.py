"""The part of a URL that identifies an event and one of its sessions.

`tuesday-2026-11-17` is the event and its first session, `tuesday-2026-11-17/session-2` the
second session. Every page of an event has this part in its URL.
"""

from django.urls.converters import StringConverter

_SESSION_PATH_MARKER = "/session-"


class EventAddressConverter(StringConverter):
    """URL converter for the address of an event and one of its sessions."""

    regex = rf"[-a-zA-Z0-9_]+(?:{_SESSION_PATH_MARKER}(?:[2-9]|[1-9][0-9]))?"


def format_event_address(slug: str, session_number: int) -> str:
    """Return the address of an event's session; the number of the first session is omitted."""
    return slug if session_number == 1 else f"{slug}{_SESSION_PATH_MARKER}{session_number}"


def parse_event_address(address: str) -> tuple[str, int]:
    """Return an event's slug and the session's number from an address."""
    slug, _, session_number = address.partition(_SESSION_PATH_MARKER)
    return slug, int(session_number or 1)
