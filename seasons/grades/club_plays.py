"""A club's evenings as input to grades: the partnerships and tricks, without ruled boards."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date as Date
from hashlib import sha256
from typing import NamedTuple

from django.db.models import Count, F, Max, Sum

from clubs.models import Club, Player
from seasons.grades.compared_boards import COMPARED_CONTESTS, PlayedBoard, iter_plays_by_board
from seasons.grades.models import GradeBook
from seasons.grades.rating import BoardPlay, GradedEvening
from seasons.grades.rating.evenings import Partnership, make_partnership
from tournaments.models import EntryPlayer, Event, EventQuerySet

MAX_EVENTS_PER_QUERY = 50
"""The maximum number of events whose plays one query reads."""
COMPUTATION_VERSION = "1"
"""The version of the grade computation; a new value causes all grades to be recomputed."""


class GradedEvent(NamedTuple):
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


def read_change_mark(club: Club) -> str:
    """Return a text that changes with each new or corrected evening; one fast query."""
    whole = _query_events(club).aggregate(Count("pk"), Sum("ranking__version"), Max("date"))
    return " ".join(str(value) for _key, value in sorted(whole.items()))


def _query_events(club: Club) -> EventQuerySet:
    rows = Event.objects.filter(club=club, contest__in=COMPARED_CONTESTS, ranking__isnull=False)
    return rows.exclude_hidden().over()


def list_graded_events(club: Club) -> list[GradedEvent]:
    """Return the events that grades are computed from, in the order of the computation."""
    found = _query_events(club).order_by("date", "slug")
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
        GradedEvent(pk, slug, day, str(version), people.get(pk, ""))
        for pk, slug, day, version in found.values_list(
            "pk", "slug", "date", "ranking__version"
        )
    ]


def iter_graded_evenings(events: Sequence[GradedEvent]) -> Iterable[GradedEvening]:
    """Read the plays of events in batches; people are identified by primary key."""
    for start in range(0, len(events), MAX_EVENTS_PER_QUERY):
        some = events[start : start + MAX_EVENTS_PER_QUERY]
        keys = [row.pk for row in some]
        people = _load_people(keys)
        plays: dict[int, list[BoardPlay]] = defaultdict(list)
        for number, (event, played) in enumerate(iter_plays_by_board(keys)):
            plays[event] += _iter_plays(str(number), played, people)
        for row in some:
            yield GradedEvening(row.slug, row.day.toordinal(), tuple(plays[row.pk]))


def _load_people(events: list[int]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = defaultdict(list)
    rows = EntryPlayer.objects.filter(entry__event__in=events).order_by("entry", "order")
    rows = rows.exclude(player__shown=Player.Shown.UNKNOWN)
    for entry, player in rows.values_list("entry", "player"):
        found[entry].append(str(player))
    return found


def _iter_plays(
    board: str, played: Iterable[PlayedBoard], people: Mapping[int, list[str]]
) -> Iterable[BoardPlay]:
    for play in played:
        ns = _find_pair(play.north, play.south, people)
        ew = _find_pair(play.east, play.west, people)
        if ns and ew and not set(ns) & set(ew):
            yield BoardPlay(board, ns, ew, float(play.ns_tricks))


def _find_pair(
    one: int | None, other: int | None, people: Mapping[int, list[str]]
) -> Partnership | None:
    """Return the two people of a side; None if the side has more people and no known pair."""
    entries = dict.fromkeys(each for each in (one, other) if each is not None)
    found = [person for entry in entries for person in people.get(entry, [])]
    return make_partnership(found) if len(set(found)) == 2 and len(found) == 2 else None


def compute_stamps(book: GradeBook, rows: Iterable[GradedEvent]) -> list[str]:
    """Return hashes of the input.

    Item n is the hash of the constants and the first n evenings.
    """
    found = [
        sha256(f"{COMPUTATION_VERSION} {book.s0} {book.tau} {book.q}".encode()).hexdigest()
    ]
    for row in rows:
        found.append(sha256(f"{found[-1]} {row.stamp}".encode()).hexdigest())
    return found


def format_source_versions(row: GradedEvent) -> str:
    """Return the versions of one evening's sources as text.

    Comparing the parts of two such texts shows which source has changed.
    """
    return f"{row.results} {row.people} {row.day}/{row.slug} {COMPUTATION_VERSION}"


def are_grades_outdated(book: GradeBook) -> bool:
    """Return whether grades are older than the current standings."""
    return are_grades_outdated_by_stamps(
        book, compute_stamps(book, list_graded_events(book.club))
    )


def are_grades_outdated_quick(book: GradeBook) -> bool:
    """Return whether evenings were added or corrected after the grades; one query, for pages.

    Merged players are noticed only by the worker's next check.
    """
    return bool(book.why) or book.mark != read_change_mark(book.club)


def are_grades_outdated_by_stamps(book: GradeBook, stamps: list[str]) -> bool:
    """Return whether grades are older than the current standings, given their stamps."""
    is_there = (
        book.grades.exists() or not book.evenings
    )  # not for a club that was just imported
    return not is_there or book.stamp != stamps[-1]
