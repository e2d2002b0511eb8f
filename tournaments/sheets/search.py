"""The search for events and movements, by words of their names or by day."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date as Date
from functools import cache

from django.db.models import Max
from django.utils.dates import MONTHS, WEEKDAYS

from clubs.name_folding import fold_name, rank_match
from clubs.today import get_zone_date
from tournaments.models import EventQuerySet, Session, Sitting
from tournaments.movements import SYSTEMS_BY_NAME, MovementSystem
from tournaments.sheets.day_search import DaySearch, parse_day_search


@dataclass(frozen=True, slots=True)
class FoundEvent:
    """An event that a search found."""

    slug: str
    name: str
    date: Date


def find_events(
    words: tuple[str, ...], events: EventQuerySet, max_count: int
) -> list[FoundEvent]:
    """Return at most `max_count` events that match by name or day, the best matches first.

    Examples of days are "last tuesday" and "march". Of equal matches, the newest is first.
    """
    get_search_in_time_zone = _build_search_getter(words)
    rated_events: list[tuple[int, FoundEvent]] = []
    newest_date: Date | None = None
    sorted_events = events.order_by("-date", "-pk")
    for slug, name, day, time_zone_name in sorted_events.values_list(
        "slug", "name", "date", "club__timezone"
    ):
        search = get_search_in_time_zone(time_zone_name)
        if not _matches_day(search, day, newest_date):
            continue
        match_quality = _rate_match(search, name, day)
        if match_quality:
            newest_date = newest_date or day
            rated_events.append((-match_quality, FoundEvent(slug, name, day)))
    return [
        event for _match_quality, event in sorted(rated_events, key=_get_sort_key)[:max_count]
    ]


def find_sessions_with_board(
    board_number: int, words: tuple[str, ...], events: EventQuerySet, max_count: int
) -> list[Session]:
    """Return the sessions with a board, in events that match by name or day, newest first."""
    get_search_in_zone = _build_search_getter(words)
    newest_date: Date | None = None
    started_sessions = Session.objects.filter(event__in=events).exclude(
        state=Session.State.PLANNED
    )
    sessions: list[Session] = []
    started_sessions = started_sessions.select_related("event__club", "evening")
    for session in started_sessions.order_by("-event__date", "-event", "-number"):
        search = get_search_in_zone(session.event.club.timezone)
        if not _matches_day(search, session.day, newest_date):
            continue
        is_match = not words or _rate_match(search, session.event.name, session.day)
        if is_match and 1 <= board_number <= find_last_board(session):
            newest_date = newest_date or session.day
            sessions.append(session)
            if len(sessions) == max_count:
                break
    return sessions


def _build_search_getter(words: tuple[str, ...]) -> Callable[[str], DaySearch]:
    """Return a function that parses the search with "today" in a club's time zone."""
    return cache(lambda zone: parse_day_search(words, get_zone_date(zone)))


def _matches_day(search: DaySearch, day: Date, newest_date: Date | None) -> bool:
    """Return whether a day matches; `newest_date` is the newest day that has matched so far."""
    if search.matches_day is None:
        return True
    return search.matches_day(day) and not (
        search.is_newest_only and newest_date and day != newest_date
    )


def _rate_match(search: DaySearch, name: str, day: Date) -> int:
    """Return a rating of how well an event matches the words; 0 is no match.

    If the search has only a day and no other words, the rating is always 2.
    """
    if search.matches_day is not None and not search.words:
        return 2
    return rank_match(search.words, f"{fold_name(name)} {_format_day_words(day)}")


def _format_day_words(day: Date) -> str:
    """Return the words with which a user may search for a day."""
    weekday, month = WEEKDAYS[day.weekday()], MONTHS[day.month]
    return f"{fold_name(str(weekday))} {day.day} {fold_name(str(month))} {day.year}"


def _get_sort_key(rated_event: tuple[int, FoundEvent]) -> int:
    return rated_event[0]


def find_last_board(session: Session) -> int:
    """Return the highest board number of a session, or 0 if it has no seats yet."""
    sittings = Sitting.objects.filter(section__session=session)
    last_board_group = sittings.aggregate(last=Max("board_group"))["last"]
    return session.get_group_boards(last_board_group)[-1] if last_board_group else 0


def has_table(session: Session, section_letter: str, table_number: int) -> bool:
    """Return whether the section of a session has a table with this number."""
    sittings = Sitting.objects.filter(section__session=session, section__letter=section_letter)
    return sittings.filter(table=table_number).exists()


def find_movements(words: tuple[str, ...], max_count: int) -> list[MovementSystem]:
    """Return the movement systems of the library whose titles match the words."""
    return _take_first_systems(
        (
            system
            for system in SYSTEMS_BY_NAME.values()
            if rank_match(words, fold_name(str(system.title)))
        ),
        max_count,
    )


def _take_first_systems(
    systems: Iterable[MovementSystem], max_count: int
) -> list[MovementSystem]:
    return [system for system, _index in zip(systems, range(max_count), strict=False)]
