"""The content of a club's home page: the event in play, the next event, and recent winners."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date as Date
from urllib.parse import urlencode

from django.core.paginator import Page, Paginator

from clubs.models import Club
from clubs.name_folding import fold_name, rank_match, split_search_words
from clubs.today import build_today_filter, get_club_date
from scoring.secrecy import can_see_standings
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.current_round import find_current_round
from scoring.sheets.ranks import load_rank_table
from scoring.sheets.values import RankField, RankTable
from seasons.club_pages.sheets.in_play import ActivityInPlay, list_activities_today
from seasons.ladders.models import Trophy
from seasons.people.sheets.people import query_playing_clubs
from seasons.publishing.feed import load_winners
from seasons.publishing.models import Received
from tournaments.entry_words import format_entry_count
from tournaments.models import Event, EventQuerySet, Session
from tournaments.views.states import EventLine, build_event_line
from tournaments.visits import Visit, load_session

MAX_LEADERS = 3
"""The number of leaders that the home page shows for each field."""
MAX_FIELDS = 2
"""The maximum number of fields whose leaders the home page shows.

If an event has more fields, the page only links to its standings.
"""
MAX_EVENTS_IN_PLAY = 5
CLUBS_PER_PAGE = 50


@dataclass(frozen=True, slots=True)
class EventInPlay:
    """An event in play, with its progress and its leaders."""

    name: str
    address: str
    entry_count_text: str  # "14 pairs"
    round: int
    rounds: int
    entered: int
    expected: int
    table: RankTable | None
    fields: tuple[RankField, ...]


@dataclass(frozen=True, slots=True)
class NextEvent:
    """The club's next event."""

    pk: int
    name: str
    address: str
    day: Date
    place: str
    entry_count_text: str  # "11 pairs"; empty while there are no entries


@dataclass(frozen=True, slots=True)
class ClubHome:
    """The content of a club's home page."""

    playing: EventInPlay | None
    also_playing: tuple[tuple[str, str], ...]  # names and URLs of other events in play
    coming: NextEvent | None
    latest: tuple[tuple[EventLine, tuple[str, ...]], ...]  # each event with its winners

    @property
    def leads(self) -> bool:
        """Whether the page shows anything above its list of evenings."""
        return self.playing is not None or self.coming is not None


def load_club_home(club: Club, newest: Sequence[Event]) -> ClubHome:
    """Load the content of a club's home page; the number of queries is fixed.

    `newest` are the club's newest listed events, with prefetched sessions.
    """
    listed_events = Event.objects.filter(club=club).exclude_hidden()
    playing = list(
        listed_events.filter(sessions__state=Session.State.OPEN)
        .distinct()
        .with_sessions()
        .select_related("terms")[:MAX_EVENTS_IN_PLAY]
    )
    next_event = _load_next_event(club, listed_events)
    texts_by_key = {playing_event.pk for playing_event in playing} | {
        next_event.pk if next_event else 0
    }
    winners = _load_winners(newest)
    return ClubHome(
        playing=_load_event_in_play(playing[0]) if playing else None,
        also_playing=tuple(
            (playing_event.name, playing_event.slug) for playing_event in playing[1:]
        ),
        coming=next_event,
        latest=tuple(
            (build_event_line(event), winners.get(event.pk, ()))
            for event in newest
            if event.pk not in texts_by_key
        ),
    )


def _load_event_in_play(event: Event) -> EventInPlay:
    opened = [
        session for session in event.sessions.all() if session.state == Session.State.OPEN
    ]
    visit = Visit(event, number=opened[-1].number)
    seated = load_session_snapshot(load_session(visit))
    table = load_rank_table(event) if can_see_standings(event) else None
    now = find_current_round(seated)
    return EventInPlay(
        name=event.name,
        address=visit.address,
        entry_count_text=format_entry_count(event, event.entries.count()),
        round=now.round,
        rounds=now.last,
        entered=seated.expected_result_count - seated.missing_result_count,
        expected=seated.expected_result_count,
        table=table if table and table.has_begun else None,
        fields=_select_shown_fields(table),
    )


def _select_shown_fields(table: RankTable | None) -> tuple[RankField, ...]:
    if table is None or not table.has_begun or len(table.fields) > MAX_FIELDS:
        return ()
    return table.fields


def _load_next_event(club: Club, listed_events: EventQuerySet) -> NextEvent | None:
    """Return the next planned event, which may be today, or None."""
    today = get_club_date(club)
    sessions = Session.objects.filter(
        event__in=listed_events, state=Session.State.PLANNED, evening__date__gte=today
    )
    session_ = (
        sessions.select_related("event", "evening").order_by("evening__date", "pk").first()
    )
    if session_ is None:
        return None
    event = session_.event
    count = event.entries.count()
    entry_count_text = format_entry_count(event, count) if count else ""
    return NextEvent(
        event.pk, event.name, event.slug, session_.day, session_.evening.place, entry_count_text
    )


def _load_winners(events: Collection[Event]) -> dict[int, tuple[str, ...]]:
    """Return the winners of each closed event with public standings, by event primary key."""
    public_events = [
        event
        for event in events
        if event.state == Session.State.CLOSED and can_see_standings(event)
    ]
    return load_winners(public_events)


@dataclass(frozen=True, slots=True)
class OptionalPages:
    """The flags of the pages that only some clubs have."""

    has_trophies: bool
    has_received: bool


def load_optional_pages(club: Club) -> OptionalPages:
    """Return which optional pages a club has, in two queries."""
    return OptionalPages(
        has_trophies=Trophy.objects.filter(club=club).exists(),
        has_received=Received.objects.filter(club=club, withdrawn_at=None).exists(),
    )


@dataclass(frozen=True, slots=True, order=True)
class ClubLine:
    """A club in the search results of the front page."""

    plain: str
    name: str
    slug: str


@dataclass(frozen=True, slots=True)
class ClubSearch:
    """The content of the front page of a server with many clubs."""

    words: str
    clubs: "Page[ClubLine]"
    count: int
    today: tuple[tuple[EventLine, str], ...]  # each event with its club
    today_count: int
    activities: tuple[ActivityInPlay, ...]  # the drives and rubber nights of today

    @property
    def query_string(self) -> str:
        """The query string of the search, to which page links add the page number."""
        return urlencode({"q": self.words}) if self.words else ""


def search_clubs(words: str, page: str | None) -> ClubSearch:
    """Return the clubs whose names match the search words; the number of queries is fixed."""
    rows = query_playing_clubs().values_list("name", "slug")
    lines = sorted(ClubLine(fold_name(name), name, slug) for name, slug in rows)
    folded_words = split_search_words(words)
    matching_lines = (
        [line for line in lines if rank_match(folded_words, line.plain)]
        if folded_words
        else lines
    )
    is_today = build_today_filter("sessions__evening__date", "club")
    today = (
        Event.objects.exclude_hidden()
        .filter(is_today)
        .distinct()
        .order_by("club__name", "name")
    )
    first_page = today.with_sessions()[:CLUBS_PER_PAGE]
    return ClubSearch(
        words=words,
        clubs=Paginator(matching_lines, CLUBS_PER_PAGE).get_page(page),
        count=len(lines),
        today=tuple((build_event_line(event), event.club.name) for event in first_page),
        today_count=today.count(),
        activities=tuple(list_activities_today(CLUBS_PER_PAGE)),
    )
