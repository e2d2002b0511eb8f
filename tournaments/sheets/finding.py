"""Evenings and movements by a word of their name or their day."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date as Date

from django.db.models import Max
from django.utils.dates import MONTHS, WEEKDAYS

from clubs.letters import how_well, plain_letters
from tournaments.models import EventQuerySet, Session, Sitting
from tournaments.movements import CATALOGUE, System


@dataclass(frozen=True, slots=True)
class Evening:
    """An event that a search found."""

    slug: str
    name: str
    date: Date


def evenings_called(words: tuple[str, ...], events: EventQuerySet, most: int) -> list[Evening]:
    """Find events whose name or day fits, "tuesday march" or "2026"; the newest first."""
    days = [plain_letters(str(WEEKDAYS[number])) for number in range(7)]
    months = ["", *(plain_letters(str(MONTHS[number])) for number in range(1, 13))]
    found: list[tuple[int, Evening]] = []
    rows = events.order_by("-date", "-pk").values_list("slug", "name", "date")
    for slug, name, day in rows:
        when = f"{days[day.weekday()]} {day.day} {months[day.month]} {day.year}"
        well = how_well(words, f"{plain_letters(name)} {when}")
        if well:
            found.append((-well, Evening(slug, name, day)))
    return [each for _well, each in sorted(found, key=_how_well)[:most]]


def _how_well(found: tuple[int, Evening]) -> int:
    return found[0]


def last_board(session: Session) -> int:
    """Return the highest number of a board of a session; 0 before it is seated."""
    groups = Sitting.objects.filter(section__session=session)
    group = groups.aggregate(last=Max("board_group"))["last"]
    return session.boards_of(group)[-1] if group else 0


def movements_called(words: tuple[str, ...], most: int) -> list[System]:
    """Find systems of the library by their titles."""
    return _first(
        (it for it in CATALOGUE.values() if how_well(words, plain_letters(str(it.title)))), most
    )


def _first(systems: Iterable[System], most: int) -> list[System]:
    return [system for system, _number in zip(systems, range(most), strict=False)]
