"""A club's evenings as input to grades: the partnerships and tricks, without ruled boards."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date as Date
from hashlib import sha256
from typing import NamedTuple

from django.db.models import Count, F, Max, Sum

from clubs.models import Club, Player
from seasons.grades.comparing import SEATED, PlayedBoard, plays_by_board
from seasons.grades.models import GradeBook
from seasons.grades.rating import GradedEvening, Play
from seasons.grades.rating.evenings import Unit, unit
from tournaments.models import EntryPlayer, Event, EventQuerySet

EVENTS_A_QUERY = 50
"""The maximum number of events whose plays one query reads."""
MADE_BY = "1"
"""The version of the grade computation; a new value causes all grades to be recomputed."""


class Row(NamedTuple):
    """One graded event: its position in the order, and the versions of its sources.

    `results` changes with every correction, `people` with every merge or other change of who
    sat where.
    """

    pk: int
    slug: str
    day: Date
    results: str
    people: str

    @property
    def stamp(self) -> str:
        """A text that changes if any data of the event that grades depend on changes."""
        return f"{self.day} {self.slug} {self.results} {self.people}"


def mark_of(club: Club) -> str:
    """Return a text that changes with each new or corrected evening; one fast query."""
    whole = _events(club).aggregate(Count("pk"), Sum("ranking__version"), Max("date"))
    return " ".join(str(value) for _key, value in sorted(whole.items()))


def _events(club: Club) -> EventQuerySet:
    rows = Event.objects.filter(club=club, contest__in=SEATED, ranking__isnull=False)
    return rows.exclude_hidden().over()


def graded_events(club: Club) -> list[Row]:
    """Return the events that grades are computed from, in the order of the computation."""
    found = _events(club).order_by("date", "slug")
    sat = EntryPlayer.objects.filter(entry__event__club=club).order_by()
    people = {
        event: f"{count}.{whole}.{pairs}"
        for event, count, whole, pairs in sat.values("entry__event")
        .annotate(
            count=Count("pk"), whole=Sum("player"), pairs=Sum(F("entry_id") * F("player_id"))
        )
        .values_list("entry__event", "count", "whole", "pairs")
    }
    return [
        Row(pk, slug, day, str(version), people.get(pk, ""))
        for pk, slug, day, version in found.values_list(
            "pk", "slug", "date", "ranking__version"
        )
    ]


def evenings_of(events: Sequence[Row]) -> Iterable[GradedEvening]:
    """Read the plays of events in batches; people are identified by primary key."""
    for start in range(0, len(events), EVENTS_A_QUERY):
        some = events[start : start + EVENTS_A_QUERY]
        keys = [row.pk for row in some]
        people = _people(keys)
        plays: dict[int, list[Play]] = defaultdict(list)
        for number, (event, played) in enumerate(plays_by_board(keys)):
            plays[event] += _plays(str(number), played, people)
        for row in some:
            yield GradedEvening(row.slug, row.day.toordinal(), tuple(plays[row.pk]))


def _people(events: list[int]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = defaultdict(list)
    rows = EntryPlayer.objects.filter(entry__event__in=events).order_by("entry", "order")
    rows = rows.exclude(player__shown=Player.Shown.UNKNOWN)
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
    """Return the two people of a side; None if the side has more people and no known pair."""
    entries = dict.fromkeys(each for each in (one, other) if each is not None)
    found = [person for entry in entries for person in people.get(entry, [])]
    return unit(found) if len(set(found)) == 2 and len(found) == 2 else None


def stamps_of(book: GradeBook, rows: Iterable[Row]) -> list[str]:
    """Return hashes of the input.

    Item n is the hash of the constants and the first n evenings.
    """
    found = [sha256(f"{MADE_BY} {book.s0} {book.tau} {book.q}".encode()).hexdigest()]
    for row in rows:
        found.append(sha256(f"{found[-1]} {row.stamp}".encode()).hexdigest())
    return found


def made_from(row: Row) -> str:
    """Return the versions of one evening's sources as text.

    Comparing the parts of two such texts shows which source has changed.
    """
    return f"{row.results} {row.people} {row.day}/{row.slug} {MADE_BY}"


def is_behind(book: GradeBook) -> bool:
    """Return whether grades are older than the current standings."""
    return is_behind_of(book, stamps_of(book, graded_events(book.club)))


def is_behind_quickly(book: GradeBook) -> bool:
    """Return whether evenings were added or corrected after the grades; one query, for pages.

    Merged players are noticed only by the worker's next check.
    """
    return bool(book.why) or book.mark != mark_of(book.club)


def is_behind_of(book: GradeBook, stamps: list[str]) -> bool:
    """Return whether grades are older than the current standings, given their stamps."""
    is_there = (
        book.grades.exists() or not book.evenings
    )  # not for a club that was just imported
    return not is_there or book.stamp != stamps[-1]
