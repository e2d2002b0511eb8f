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
from scoring.sheets.values import RankedGroup, RankTable
from seasons.club_pages.sheets.in_play import ActivityInPlay, list_activities_today
from seasons.ladders.models import Trophy
from seasons.people.sheets.people import query_clubs_with_events
from seasons.publishing.feed import load_winners
from seasons.publishing.models import Received
from tournaments.entry_words import format_entry_count
from tournaments.event_access import EventAccess, load_session
from tournaments.models import Event, EventQuerySet, Session
from tournaments.views.states import EventLine, build_event_line

MAX_LEADERS = 3
"""The number of leaders that the home page shows for each field."""
MAX_FIELDS_WITH_LEADERS = 2
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
    current_round_number: int
    round_count: int
    entered_count: int  # the number of results entered so far
    expected_count: int  # the number of results at the end of the session
    table: RankTable | None
    fields: tuple[RankedGroup, ...]


@dataclass(frozen=True, slots=True)
class NextEvent:
    """The club's next event."""

    pk: int
    name: str
    address: str
    day: Date
    venue: str
    entry_count_text: str  # "11 pairs"; empty while there are no entries


@dataclass(frozen=True, slots=True)
class ClubHome:
    """The content of a club's home page."""

    event_in_play: EventInPlay | None
    other_events_in_play: tuple[tuple[str, str], ...]  # (name, slug) of other events in play
    next_event: NextEvent | None
    latest_events: tuple[tuple[EventLine, tuple[str, ...]], ...]  # (event, winners)

    @property
    def has_current_event(self) -> bool:
        """Whether the page shows an event above the list of latest evenings."""
        return self.event_in_play is not None or self.next_event is not None


def load_club_home(club: Club, newest_events: Sequence[Event]) -> ClubHome:
    """Load the content of a club's home page; the number of queries is fixed.

    `newest_events` are the club's newest listed events, with prefetched sessions.
    """
    listed_events = Event.objects.filter(club=club).exclude_hidden()
    events_in_play = list(
        listed_events.filter(sessions__state=Session.State.OPEN)
        .distinct()
        .with_sessions()
        .select_related("terms")[:MAX_EVENTS_IN_PLAY]
    )
    next_event = _load_next_event(club, listed_events)
    shown_event_pks = {event_in_play.pk for event_in_play in events_in_play} | {
        next_event.pk if next_event else 0
    }
    winners_by_event = _load_winners(newest_events)
    return ClubHome(
        event_in_play=_load_event_in_play(events_in_play[0]) if events_in_play else None,
        other_events_in_play=tuple(
            (event_in_play.name, event_in_play.slug) for event_in_play in events_in_play[1:]
        ),
        next_event=next_event,
        latest_events=tuple(
            (build_event_line(event), winners_by_event.get(event.pk, ()))
            for event in newest_events
            if event.pk not in shown_event_pks
        ),
    )


def _load_event_in_play(event: Event) -> EventInPlay:
    open_sessions = [
        session for session in event.sessions.all() if session.state == Session.State.OPEN
    ]
    access = EventAccess(event, session_number=open_sessions[-1].number)
    snapshot = load_session_snapshot(load_session(access))
    rank_table = load_rank_table(event) if can_see_standings(event) else None
    current_round = find_current_round(snapshot)
    return EventInPlay(
        name=event.name,
        address=access.address,
        entry_count_text=format_entry_count(event, event.entries.count()),
        current_round_number=current_round.round_number,
        round_count=current_round.last_round_number,
        entered_count=snapshot.expected_result_count - snapshot.missing_result_count,
        expected_count=snapshot.expected_result_count,
        table=rank_table if rank_table and rank_table.has_begun else None,
        fields=_select_shown_groups(rank_table),
    )


def _select_shown_groups(rank_table: RankTable | None) -> tuple[RankedGroup, ...]:
    if (
        rank_table is None
        or not rank_table.has_begun
        or len(rank_table.fields) > MAX_FIELDS_WITH_LEADERS
    ):
        return ()
    return rank_table.fields


def _load_next_event(club: Club, listed_events: EventQuerySet) -> NextEvent | None:
    """Return the next planned event, which may be today, or None."""
    today = get_club_date(club)
    sessions = Session.objects.filter(
        event__in=listed_events, state=Session.State.PLANNED, evening__date__gte=today
    )
    next_session = (
        sessions.select_related("event", "evening").order_by("evening__date", "pk").first()
    )
    if next_session is None:
        return None
    event = next_session.event
    entry_count = event.entries.count()
    entry_count_text = format_entry_count(event, entry_count) if entry_count else ""
    return NextEvent(
        event.pk,
        event.name,
        event.slug,
        next_session.day,
        next_session.evening.place,
        entry_count_text,
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
    """Flags that say which of the optional pages a club has."""

    has_trophies: bool
    has_received_results: bool  # whether there are results that other clubs have sent


def load_optional_pages(club: Club) -> OptionalPages:
    """Return the flags of a club's optional pages, in two queries."""
    return OptionalPages(
        has_trophies=Trophy.objects.filter(club=club).exists(),
        has_received_results=Received.objects.filter(club=club, withdrawn_at=None).exists(),
    )


@dataclass(frozen=True, slots=True, order=True)
class ClubSearchResult:
    """A club in the search results of the front page."""

    folded_name: str
    name: str
    slug: str


@dataclass(frozen=True, slots=True)
class ClubSearch:
    """The content of the front page of a server with many clubs."""

    search_text: str
    clubs: "Page[ClubSearchResult]"
    club_count: int
    events_today: tuple[tuple[EventLine, str], ...]  # (event, name of the club)
    events_today_count: int
    activities: tuple[ActivityInPlay, ...]  # the drives and rubber nights of today

    @property
    def query_string(self) -> str:
        """The query string of the search, to which page links add the page number."""
        return urlencode({"q": self.search_text}) if self.search_text else ""


def search_clubs(search_text: str, page_number: str | None) -> ClubSearch:
    """Return the clubs whose names match the search words; the number of queries is fixed."""
    names_and_slugs = query_clubs_with_events().values_list("name", "slug")
    club_results = sorted(
        ClubSearchResult(fold_name(name), name, slug) for name, slug in names_and_slugs
    )
    search_words = split_search_words(search_text)
    matching_clubs = (
        [
            club_result
            for club_result in club_results
            if rank_match(search_words, club_result.folded_name)
        ]
        if search_words
        else club_results
    )
    today_filter = build_today_filter("sessions__evening__date", "club")
    events_today = (
        Event.objects.exclude_hidden()
        .filter(today_filter)
        .distinct()
        .order_by("club__name", "name")
    )
    first_page = events_today.with_sessions()[:CLUBS_PER_PAGE]
    return ClubSearch(
        search_text=search_text,
        clubs=Paginator(matching_clubs, CLUBS_PER_PAGE).get_page(page_number),
        club_count=len(club_results),
        events_today=tuple((build_event_line(event), event.club.name) for event in first_page),
        events_today_count=events_today.count(),
        activities=tuple(list_activities_today(CLUBS_PER_PAGE)),
    )
