"""How the last fetch of a club's bookings went, for its page."""

from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlsplit

from django.utils.translation import gettext as _

from seasons.calendar.models import BookingFetch


@dataclass(frozen=True, slots=True)
class FetchState:
    """The last fetch: whether a worker is at it, else its outcome."""

    host: str
    asked_at: datetime
    is_waiting: bool
    words: str
    skipped: tuple[str, ...]
    problems: tuple[str, ...]


def fetch_state(row: BookingFetch | None) -> FetchState | None:
    """Return what the page shows; None where nothing was fetched."""
    if row is None:
        return None
    is_done = row.state == BookingFetch.State.DONE
    return FetchState(
        host=urlsplit(row.address).hostname or "",
        asked_at=row.asked_at,
        is_waiting=row.state == BookingFetch.State.WANTED,
        words=fetched_in_words(**row.counts) if is_done else "",
        skipped=tuple(row.skipped),
        problems=tuple(row.problems),
    )


def fetched_in_words(new: int, changed: int, gone: int) -> str:
    """Say how many bookings were imported."""
    if not (new or changed or gone):
        return _("Nothing new.")
    words = _("%(new)s new, %(changed)s changed, %(gone)s cancelled.")
    return words % {"new": new, "changed": changed, "gone": gone}
