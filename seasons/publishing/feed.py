"""The Atom feed of a club, with an item for each evening and each season.

The ids are stable: an evening has the same id after its URL or title changes. A correction
changes the item's `updated` time. Source: RFC 4287.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from xml.sax.saxutils import escape, quoteattr

from django.db.models import Max
from django.utils.translation import gettext as _

from clubs.models import Club
from exchange.data_tables import UNPRINTABLE_PATTERN
from scoring.models import Standing
from scoring.sheets.short_names import shorten_to_surnames
from seasons.ladders.models import Season
from seasons.publishing.documents.writing import query_events_to_publish
from seasons.publishing.models import Received
from server.dates import format_date
from tournaments.models import Event

MAX_FEED_ITEMS = 50
"""The maximum number of items in a feed; the newest are included."""
MAX_WINNERS = 6
"""The maximum number of tied winners whose names are shown; with more, none are shown."""


@dataclass(frozen=True, slots=True)
class FeedItem:
    """One item of a feed: its stable id, title, text, link, and time of the last update."""

    uid: str
    title: str
    summary: str
    url: str
    updated_at: datetime


def build_feed(
    *, feed_uid: str, title: str, feed_url: str, page_url: str, items: Sequence[FeedItem]
) -> bytes:
    """Return an Atom feed as XML.

    `feed_url` is the URL of the feed, and `page_url` that of the club's or season's page.
    """
    latest_update = max(
        (item.updated_at for item in items), default=datetime(2000, 1, 1, tzinfo=UTC)
    )
    items_xml = "".join(_render_item(item) for item in items)
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n'
        f"<id>urn:uuid:{feed_uid}</id>\n<title>{_escape_xml(title)}</title>\n"
        f"<updated>{_format_time(latest_update)}</updated>\n<author><name>{_escape_xml(title)}</name></author>\n"
        f'<link rel="self" type="application/atom+xml" href={quoteattr(feed_url)}/>\n'
        f'<link rel="alternate" type="text/html" href={quoteattr(page_url)}/>\n'
        f"{items_xml}</feed>\n"
    ).encode()


def _render_item(item: FeedItem) -> str:
    return (
        f"<entry>\n<id>urn:uuid:{item.uid}</id>\n<title>{_escape_xml(item.title)}</title>\n"
        f"<updated>{_format_time(item.updated_at)}</updated>\n"
        f'<link rel="alternate" type="text/html" href={quoteattr(item.url)}/>\n'
        f"<summary>{_escape_xml(item.summary)}</summary>\n</entry>\n"
    )


def _escape_xml(text: str) -> str:
    return escape(UNPRINTABLE_PATTERN.sub("", text))


def _format_time(time: datetime) -> str:
    return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def list_news(
    club: Club,
    get_event_url: Callable[[Event], str],
    get_season_url: Callable[[Season], str],
    season_filter: Season | None = None,
) -> list[FeedItem]:
    """Return a club's evenings and seasons as feed items, the newest first.

    `get_event_url` and `get_season_url` return the URL of an event and of a season.
    """
    events = query_events_to_publish(club, season_filter)
    seasons = club.seasons.filter(pk=season_filter.pk) if season_filter else club.seasons.all()
    newest_events = events.annotate(
        corrected=Max("standings_versions__made_at"), closed=Max("sessions__closed_at")
    ).order_by("-date", "-slug")[:MAX_FEED_ITEMS]
    event_list = list(newest_events)
    update_times_by_event = {
        event_pk: _find_latest_time(*times)
        for event_pk, *times in newest_events.values_list("pk", "corrected", "closed")
    }
    winners_by_event = load_winners(event_list)
    items = [
        FeedItem(
            uid=str(event.uid),
            title=f"{event.name}, {format_date(event.date, 'DATE')}",
            summary=_format_winners(winners_by_event.get(event.pk, ())),
            url=get_event_url(event),
            updated_at=update_times_by_event[event.pk],
        )
        for event in event_list
    ]
    items += [
        FeedItem(
            uid=str(season.uid),
            title=season.name,
            summary=_("The ladders of this season."),
            url=get_season_url(season),
            updated_at=season.kept,
        )
        for season in seasons.annotate(kept=Max("versions__made_at"))
        if season.kept is not None
    ]
    return sorted(items, key=lambda item: (item.updated_at, item.uid), reverse=True)


def list_received_news(
    club: Club, get_document_url: Callable[[Received], str]
) -> list[FeedItem]:
    """Return the documents that a club has sent to this server as feed items."""
    received_documents = Received.objects.filter(club=club, withdrawn_at=None).defer("document")
    return [
        FeedItem(
            uid=str(received_document.uid),
            title=f"{received_document.name}, {format_date(received_document.day, 'DATE')}",
            summary="",
            url=get_document_url(received_document),
            updated_at=received_document.received_at,
        )
        for received_document in received_documents.order_by("-received_at")[:MAX_FEED_ITEMS]
    ]


def load_winners(events: Sequence[Event]) -> dict[int, tuple[str, ...]]:
    """Return the names of each event's winners by the event's primary key, in one query.

    Events with more than MAX_WINNERS tied winners are left out.
    """
    winners_by_event: dict[int, list[str]] = {}
    event_pks = [event.pk for event in events]
    standings = Standing.objects.filter(ranking__event__in=event_pks, rank=1, boards__gt=0)
    for standing in standings.select_related("entry").order_by("pk"):
        winners_by_event.setdefault(standing.entry.event_id, []).append(standing.entry.name)
    return {
        event_pk: tuple(shorten_to_surnames(winner_names).values())
        for event_pk, winner_names in winners_by_event.items()
        if len(winner_names) <= MAX_WINNERS
    }


def _format_winners(winner_names: Sequence[str]) -> str:
    return _("Won by %(names)s") % {"names": " · ".join(winner_names)} if winner_names else ""


def _find_latest_time(*times: datetime | None) -> datetime:
    return max((time for time in times if time), default=datetime(2000, 1, 1, tzinfo=UTC))
