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
from tournaments.movements import CATALOGUE, System
from tournaments.sheets.day_search import DaySearch, parse_day_search


@dataclass(frozen=True, slots=True)
class FoundEvent:
    """An event that a search found."""

    slug: str
    name: str
    date: Date


def find_events(words: tuple[str, ...], events: EventQuerySet, most: int) -> list[FoundEvent]:
    """Return at most `most` events that match by name or day, the best matches first.

    Examples of days are "last tuesday" and "march". Of equal matches, the newest is first.
    """
    search_in_zone = _query_by_zone(words)
    rated_events: list[tuple[int, FoundEvent]] = []
    newest: Date | None = None
    rows = events.order_by("-date", "-pk")
    for slug, name, day, zone in rows.values_list("slug", "name", "date", "club__timezone"):
        search = search_in_zone(zone)
        if not _fits_day(search, day, newest):
            continue
        well = _rate_match(search, name, day)
        if well:
            newest = newest or day
            rated_events.append((-well, FoundEvent(slug, name, day)))
    return [event for _well, event in sorted(rated_events, key=_sort_key)[:most]]


def find_sessions_with_board(
    board: int, words: tuple[str, ...], events: EventQuerySet, most: int
) -> list[Session]:
    """Return the sessions with a board, in events that match by name or day, newest first."""
    search_in_zone = _query_by_zone(words)
    newest: Date | None = None
    started_sessions = Session.objects.filter(event__in=events).exclude(
        state=Session.State.PLANNED
    )
    sessions: list[Session] = []
    started_sessions = started_sessions.select_related("event__club", "evening")
    for session in started_sessions.order_by("-event__date", "-event", "-number"):
        search = search_in_zone(session.event.club.timezone)
        if not _fits_day(search, session.day, newest):
            continue
        match_rating = not words or _rate_match(search, session.event.name, session.day)
        if match_rating and 1 <= board <= find_last_board(session):
            newest = newest or session.day
            sessions.append(session)
            if len(sessions) == most:
                break
    return sessions


def _query_by_zone(words: tuple[str, ...]) -> Callable[[str], DaySearch]:
    """Return a function that parses the search with "today" in a club's time zone."""
    return cache(lambda zone: parse_day_search(words, get_zone_date(zone)))


def _fits_day(search: DaySearch, day: Date, newest: Date | None) -> bool:
    """Return whether a day matches the search; `newest` is the newest matching day so far."""
    if search.fits is None:
        return True
    return search.fits(day) and not (search.is_newest and newest and day != newest)


def _rate_match(search: DaySearch, name: str, day: Date) -> int:
    """Return a rating of how well an event matches the words; 0 is no match.

    A search that has only a day is a good match.
    """
    if search.fits is not None and not search.words:
        return 2
    return rank_match(search.words, f"{fold_name(name)} {_format_day_words(day)}")


def _format_day_words(day: Date) -> str:
    """Return the words with which a user may search for a day."""
    weekday, month = WEEKDAYS[day.weekday()], MONTHS[day.month]
    return f"{fold_name(str(weekday))} {day.day} {fold_name(str(month))} {day.year}"


def _sort_key(rated_event: tuple[int, FoundEvent]) -> int:
    return rated_event[0]


def find_last_board(session: Session) -> int:
    """Return the highest board number of a session; 0 before it is seated."""
    groups = Sitting.objects.filter(section__session=session)
    group = groups.aggregate(last=Max("board_group"))["last"]
    return session.get_group_boards(group)[-1] if group else 0


def has_table(session: Session, letter: str, table: int) -> bool:
    """Return whether the section of a session has a table with this number."""
    rows = Sitting.objects.filter(section__session=session, section__letter=letter)
    return rows.filter(table=table).exists()


def find_movements(words: tuple[str, ...], most: int) -> list[System]:
    """Return the movement systems of the library whose titles match the words."""
    return _take_first(
        (
            system
            for system in CATALOGUE.values()
            if rank_match(words, fold_name(str(system.title)))
        ),
        most,
    )


def _take_first(systems: Iterable[System], most: int) -> list[System]:
    return [system for system, _number in zip(systems, range(most), strict=False)]
