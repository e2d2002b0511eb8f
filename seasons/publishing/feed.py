"""The Atom feed of a club, with an item for each evening and each season.

The ids are stable: an evening has the same id after its URL or title changes. A correction
changes the item's `updated` time. Source: RFC 4287.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from xml.sax.saxutils import escape, quoteattr

from django.db.models import Max
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.models import Club
from exchange.data_tables import UNPRINTABLE
from scoring.models import Standing
from scoring.sheets.short_names import shorten_to_surnames
from seasons.ladders.models import Season
from seasons.publishing.documents.writing import query_events_to_publish
from seasons.publishing.models import Received
from tournaments.models import Event

MAX_ENTRIES = 50
"""The maximum number of items in a feed; it has the newest ones."""
MAX_WINNERS = 6
"""The maximum number of tied winners whose names are shown; with more, none are shown."""


@dataclass(frozen=True, slots=True)
class FeedItem:
    """One item of a feed: its stable id, title, text, link, and time of the last update."""

    uid: str
    title: str
    words: str
    href: str
    updated: datetime


def build_feed(*, uid: str, title: str, own: str, home: str, news: Sequence[FeedItem]) -> bytes:
    """Return an Atom feed as XML.

    `own` is the URL of the feed, and `home` that of the page that it belongs to.
    """
    latest = max((item.updated for item in news), default=datetime(2000, 1, 1, tzinfo=UTC))
    entries = "".join(_render_entry(item) for item in news)
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n'
        f"<id>urn:uuid:{uid}</id>\n<title>{_escape_xml(title)}</title>\n"
        f"<updated>{_format_time(latest)}</updated>\n<author><name>{_escape_xml(title)}</name></author>\n"
        f'<link rel="self" type="application/atom+xml" href={quoteattr(own)}/>\n'
        f'<link rel="alternate" type="text/html" href={quoteattr(home)}/>\n'
        f"{entries}</feed>\n"
    ).encode()


def _render_entry(news: FeedItem) -> str:
    return (
        f"<entry>\n<id>urn:uuid:{news.uid}</id>\n<title>{_escape_xml(news.title)}</title>\n"
        f"<updated>{_format_time(news.updated)}</updated>\n"
        f'<link rel="alternate" type="text/html" href={quoteattr(news.href)}/>\n'
        f"<summary>{_escape_xml(news.words)}</summary>\n</entry>\n"
    )


def _escape_xml(text: str) -> str:
    return escape(UNPRINTABLE.sub("", text))


def _format_time(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def list_news(
    club: Club,
    event_at: Callable[[Event], str],
    season_at: Callable[[Season], str],
    only: Season | None = None,
) -> list[FeedItem]:
    """Return a club's evenings and seasons as feed items, the newest first.

    `event_at` and `season_at` return the URL of an event and of a season.
    """
    events = query_events_to_publish(club, only)
    seasons = club.seasons.filter(pk=only.pk) if only else club.seasons.all()
    newest = events.annotate(
        corrected=Max("standings_versions__made_at"), closed=Max("sessions__closed_at")
    ).order_by("-date", "-slug")[:MAX_ENTRIES]
    event_rows = list(newest)
    moments = {
        pk: _find_latest_time(*each)
        for pk, *each in newest.values_list("pk", "corrected", "closed")
    }
    won = load_winners(event_rows)
    lines = [
        FeedItem(
            uid=str(event.uid),
            title=f"{event.name}, {date_format(event.date, 'j F Y')}",
            words=_format_winners(won.get(event.pk, ())),
            href=event_at(event),
            updated=moments[event.pk],
        )
        for event in event_rows
    ]
    lines += [
        FeedItem(
            uid=str(season.uid),
            title=season.name,
            words=_("The ladders of this season."),
            href=season_at(season),
            updated=season.kept,
        )
        for season in seasons.annotate(kept=Max("versions__made_at"))
        if season.kept is not None
    ]
    return sorted(lines, key=lambda line: (line.updated, line.uid), reverse=True)


def list_received_news(club: Club, row_at: Callable[[Received], str]) -> list[FeedItem]:
    """Return the documents that a club has sent to this server as feed items."""
    rows = Received.objects.filter(club=club, withdrawn_at=None).defer("document")
    return [
        FeedItem(
            uid=str(row.uid),
            title=f"{row.name}, {date_format(row.day, 'j F Y')}",
            words="",
            href=row_at(row),
            updated=row.received_at,
        )
        for row in rows.order_by("-received_at")[:MAX_ENTRIES]
    ]


def load_winners(events: Sequence[Event]) -> dict[int, tuple[str, ...]]:
    """Return the names of each event's winners by the event's primary key; one query.

    Events with more than MAX_WINNERS tied winners are left out.
    """
    first: dict[int, list[str]] = {}
    keys = [event.pk for event in events]
    rows = Standing.objects.filter(ranking__event__in=keys, rank=1, boards__gt=0)
    for row in rows.select_related("entry").order_by("pk"):
        first.setdefault(row.entry.event_id, []).append(row.entry.name)
    return {
        event: tuple(shorten_to_surnames(names).values())
        for event, names in first.items()
        if len(names) <= MAX_WINNERS
    }


def _format_winners(names: Sequence[str]) -> str:
    return _("Won by %(names)s") % {"names": " · ".join(names)} if names else ""


def _find_latest_time(*moments: datetime | None) -> datetime:
    return max(
        (moment for moment in moments if moment), default=datetime(2000, 1, 1, tzinfo=UTC)
    )
