"""The results of a club's events as input to grades.

The input consists of partnerships and tricks. Boards with a ruling in force are left out.
"""

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
"""The maximum number of events whose results are loaded by one query."""
COMPUTATION_VERSION = "1"
"""The version of the computation of grades; with a new version, all grades are recomputed."""


class GradedEvent(NamedTuple):
    """An event that counts for grades, with the versions of its sources.

    `results` changes with every correction. `people` changes with every merge of players and
    every other change of an entry's players.
    """

    pk: int
    slug: str
    day: Date
    results: str
    people: str

    @property
    def stamp(self) -> str:
        """A text that changes whenever data changes that the grades depend on."""
        return f"{self.day} {self.slug} {self.results} {self.people}"


def read_change_mark(club: Club) -> str:
    """Return a text that changes with each added or corrected event; one fast query."""
    totals = _query_events(club).aggregate(Count("pk"), Sum("ranking__version"), Max("date"))
    return " ".join(str(value) for _key, value in sorted(totals.items()))


def _query_events(club: Club) -> EventQuerySet:
    rows = Event.objects.filter(club=club, contest__in=COMPARED_CONTESTS, ranking__isnull=False)
    return rows.exclude_hidden().over()


def list_graded_events(club: Club) -> list[GradedEvent]:
    """Return the events of a club that count for grades, in the order of the computation."""
    event_rows = _query_events(club).order_by("date", "slug")
    sat = EntryPlayer.objects.filter(entry__event__club=club).order_by()
    people = {
        event: f"{count}.{is_whole}.{pairs}"
        for event, count, is_whole, pairs in sat.values("entry__event")
        .annotate(
            count=Count("pk"), whole=Sum("player"), pairs=Sum(F("entry_id") * F("player_id"))
        )
        .values_list("entry__event", "count", "whole", "pairs")
    }
    return [
        GradedEvent(pk, slug, day, str(version), people.get(pk, ""))
        for pk, slug, day, version in event_rows.values_list(
            "pk", "slug", "date", "ranking__version"
        )
    ]


def iter_graded_evenings(events: Sequence[GradedEvent]) -> Iterable[GradedEvening]:
    """Yield the results of each event; people are identified by their primary keys as text.

    The results are loaded in batches of events.
    """
    for start in range(0, len(events), MAX_EVENTS_PER_QUERY):
        batch = events[start : start + MAX_EVENTS_PER_QUERY]
        keys = [row.pk for row in batch]
        people = _load_people(keys)
        plays: dict[int, list[BoardPlay]] = defaultdict(list)
        for number, (event, played) in enumerate(iter_plays_by_board(keys)):
            plays[event] += _iter_plays(str(number), played, people)
        for row in batch:
            yield GradedEvening(row.slug, row.day.toordinal(), tuple(plays[row.pk]))


def _load_people(events: list[int]) -> dict[int, list[str]]:
    people_by_entry: dict[int, list[str]] = defaultdict(list)
    rows = EntryPlayer.objects.filter(entry__event__in=events).order_by("entry", "order")
    rows = rows.exclude(player__shown=Player.Shown.UNKNOWN)
    for entry, player in rows.values_list("entry", "player"):
        people_by_entry[entry].append(str(player))
    return people_by_entry


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
    """Return the two people of a side; None unless exactly two people are known."""
    entries = dict.fromkeys(entry_ for entry_ in (one, other) if entry_ is not None)
    people_ = [person for entry in entries for person in people.get(entry, [])]
    return make_partnership(people_) if len(set(people_)) == 2 and len(people_) == 2 else None


def compute_stamps(book: GradeBook, rows: Iterable[GradedEvent]) -> list[str]:
    """Return the hashes that identify the input of the computation, evening by evening.

    Item n is the hash of the constants and the first n events.
    """
    stamps = [
        sha256(f"{COMPUTATION_VERSION} {book.s0} {book.tau} {book.q}".encode()).hexdigest()
    ]
    for row in rows:
        stamps.append(sha256(f"{stamps[-1]} {row.stamp}".encode()).hexdigest())
    return stamps


def format_source_versions(row: GradedEvent) -> str:
    """Return the versions of an event's sources as a text of several parts.

    A comparison of two such texts, part by part, shows which source has changed.
    """
    return f"{row.results} {row.people} {row.day}/{row.slug} {COMPUTATION_VERSION}"


def are_grades_outdated(book: GradeBook) -> bool:
    """Return whether the club's grades were computed from older standings than the current
    ones.
    """
    return are_grades_outdated_by_stamps(
        book, compute_stamps(book, list_graded_events(book.club))
    )


def are_grades_outdated_quick(book: GradeBook) -> bool:
    """Return whether an event was added or corrected after the grades were computed.

    This is for pages and needs only one query. It does not notice merged players, which the
    worker checks.
    """
    return bool(book.why) or book.mark != read_change_mark(book.club)


def are_grades_outdated_by_stamps(book: GradeBook, stamps: list[str]) -> bool:
    """Return whether grades are outdated, given the stamps of the current standings."""
    is_there = (
        book.grades.exists() or not book.evenings
    )  # an imported club has evenings but no grades yet
    return not is_there or book.stamp != stamps[-1]
