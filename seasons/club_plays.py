"""A club's evenings as grades see them: who sat together, and the tricks, without rulings."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import date as Date

from django.db.models import Count, Sum

from clubs.models import Club
from seasons.comparing import SEATED, PlayedBoard, plays_by_board
from seasons.grades import GradedEvening, Play
from seasons.grades.evenings import Unit, unit
from tournaments.models import EntryPlayer, Event

AT_ONCE = 50
"""Events whose plays are read at once."""
Row = tuple[int, str, Date, int]
"""The key, the slug, the day, and the version of the standings of an event."""


def graded_events(club: Club) -> list[Row]:
    """The events that grades are made from, in their order."""
    rows = Event.objects.filter(club=club, contest__in=SEATED, ranking__isnull=False)
    found = rows.listed().over().order_by("date", "slug")
    return list(found.values_list("pk", "slug", "date", "ranking__version"))


def stamp_of(club: Club, events: Iterable[Row]) -> str:
    """One text for all that grades are made from: another one after any correction or merge."""
    written = ";".join(f"{pk}:{version}:{day}" for pk, _slug, day, version in events)
    people = EntryPlayer.objects.filter(entry__event__club=club)
    whole = people.aggregate(Sum("player"), Count("pk"))
    return hashlib.sha256(f"{written} {sorted(whole.items())}".encode()).hexdigest()


def evenings_of(events: list[Row]) -> Iterable[GradedEvening]:
    """Read the plays of events, some events at a time; people are called by their keys."""
    for start in range(0, len(events), AT_ONCE):
        some = events[start : start + AT_ONCE]
        keys = [pk for pk, *_rest in some]
        people = _people(keys)
        plays: dict[int, list[Play]] = defaultdict(list)
        for number, (event, played) in enumerate(plays_by_board(keys)):
            plays[event] += _plays(str(number), played, people)
        for pk, slug, day, _version in some:
            yield GradedEvening(slug, day.toordinal(), tuple(plays[pk]))


def _people(events: list[int]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = defaultdict(list)
    rows = EntryPlayer.objects.filter(entry__event__in=events).order_by("entry", "order")
    for entry, player in rows.values_list("entry", "player"):
        found[entry].append(str(player))
    return found


def _plays(
    board: str, played: Iterable[PlayedBoard], people: Mapping[int, list[str]]
) -> Iterable[Play]:
    for play in played:
        ns = _sat(play.north, play.south, people)
        ew = _sat(play.east, play.west, people)
        if ns and ew and not set(ns) & set(ew):
            yield Play(board, ns, ew, float(play.ns_tricks))


def _sat(one: int | None, other: int | None, people: Mapping[int, list[str]]) -> Unit | None:
    """The two who sat on a side; None where it is not known who of more than two did."""
    entries = dict.fromkeys(each for each in (one, other) if each is not None)
    found = [person for entry in entries for person in people.get(entry, [])]
    return unit(found) if len(set(found)) == 2 and len(found) == 2 else None
