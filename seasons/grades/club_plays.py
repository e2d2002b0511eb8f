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

    `results_version` changes with every correction. `people_version` changes with every change
    of an entry's players, such as a merge of two players.
    """

    pk: int
    slug: str
    day: Date
    results_version: str
    people_version: str

    @property
    def stamp(self) -> str:
        """A text that changes whenever data changes that the grades depend on."""
        return f"{self.day} {self.slug} {self.results_version} {self.people_version}"


def compute_change_fingerprint(club: Club) -> str:
    """Return a text that changes with each added or corrected event, in one fast query."""
    aggregates = _query_events(club).aggregate(
        Count("pk"), Sum("ranking__version"), Max("date")
    )
    return " ".join(str(aggregate) for _key, aggregate in sorted(aggregates.items()))


def _query_events(club: Club) -> EventQuerySet:
    events = Event.objects.filter(
        club=club, contest__in=COMPARED_CONTESTS, ranking__isnull=False
    )
    return events.exclude_hidden().filter_finished()


def list_graded_events(club: Club) -> list[GradedEvent]:
    """Return the events of a club that count for grades, sorted by date and slug."""
    event_rows = _query_events(club).order_by("date", "slug")
    entry_players = EntryPlayer.objects.filter(entry__event__club=club).order_by()
    people_versions = {
        event_key: f"{count}.{player_sum}.{pair_sum}"
        for event_key, count, player_sum, pair_sum in entry_players.values("entry__event")
        .annotate(
            count=Count("pk"),
            player_sum=Sum("player"),
            pair_sum=Sum(F("entry_id") * F("player_id")),
        )
        .values_list("entry__event", "count", "player_sum", "pair_sum")
    }
    return [
        GradedEvent(
            event_key, slug, day, str(ranking_version), people_versions.get(event_key, "")
        )
        for event_key, slug, day, ranking_version in event_rows.values_list(
            "pk", "slug", "date", "ranking__version"
        )
    ]


def iter_graded_evenings(events: Sequence[GradedEvent]) -> Iterable[GradedEvening]:
    """Yield the results of each event; people are identified by their primary keys as text.

    The results are loaded in batches of events.
    """
    for start in range(0, len(events), MAX_EVENTS_PER_QUERY):
        batch = events[start : start + MAX_EVENTS_PER_QUERY]
        event_keys = [graded_event.pk for graded_event in batch]
        people_by_entry = _load_people(event_keys)
        plays_by_event: dict[int, list[BoardPlay]] = defaultdict(list)
        for board_number, (event_key, event_plays) in enumerate(
            iter_plays_by_board(event_keys)
        ):
            plays_by_event[event_key] += _iter_plays(
                str(board_number), event_plays, people_by_entry
            )
        for graded_event in batch:
            yield GradedEvening(
                graded_event.slug,
                graded_event.day.toordinal(),
                tuple(plays_by_event[graded_event.pk]),
            )


def _load_people(event_keys: list[int]) -> dict[int, list[str]]:
    people_by_entry: dict[int, list[str]] = defaultdict(list)
    entry_players = EntryPlayer.objects.filter(entry__event__in=event_keys).order_by(
        "entry", "order"
    )
    entry_players = entry_players.exclude(player__shown=Player.Shown.UNKNOWN)
    for entry_key, player_key in entry_players.values_list("entry", "player"):
        people_by_entry[entry_key].append(str(player_key))
    return people_by_entry


def _iter_plays(
    board: str, plays: Iterable[PlayedBoard], people_by_entry: Mapping[int, list[str]]
) -> Iterable[BoardPlay]:
    for play in plays:
        ns = _find_pair(play.north, play.south, people_by_entry)
        ew = _find_pair(play.east, play.west, people_by_entry)
        if ns and ew and not set(ns) & set(ew):
            yield BoardPlay(board, ns, ew, float(play.ns_tricks))


def _find_pair(
    first_entry: int | None, second_entry: int | None, people_by_entry: Mapping[int, list[str]]
) -> Partnership | None:
    """Return the two people of a side; None unless exactly two people are known."""
    entries = dict.fromkeys(entry for entry in (first_entry, second_entry) if entry is not None)
    people = [person for entry in entries for person in people_by_entry.get(entry, [])]
    return make_partnership(people) if len(set(people)) == 2 and len(people) == 2 else None


def compute_stamps(book: GradeBook, events: Iterable[GradedEvent]) -> list[str]:
    """Return the hashes that identify the input of the computation, evening by evening.

    Item n is the hash of the constants and the first n events.
    """
    stamps = [
        sha256(f"{COMPUTATION_VERSION} {book.s0} {book.tau} {book.q}".encode()).hexdigest()
    ]
    for event in events:
        stamps.append(sha256(f"{stamps[-1]} {event.stamp}".encode()).hexdigest())
    return stamps


def format_source_versions(event: GradedEvent) -> str:
    """Return the versions of an event's sources as one text, separated by spaces.

    The worker compares two such texts, version by version, to find out what has changed.
    """
    day_and_slug = f"{event.day}/{event.slug}"
    return (
        f"{event.results_version} {event.people_version} {day_and_slug} {COMPUTATION_VERSION}"
    )


def are_grades_outdated(book: GradeBook) -> bool:
    """Return whether the club's standings have changed since the grades were computed."""
    return are_grades_outdated_by_stamps(
        book, compute_stamps(book, list_graded_events(book.club))
    )


def may_grades_be_outdated(book: GradeBook) -> bool:
    """Return whether an event was added or corrected after the grades were computed.

    Pages use this function, because it needs only one query. It does not detect a merge of two
    players, which the worker detects later.
    """
    return bool(book.why) or book.mark != compute_change_fingerprint(book.club)


def are_grades_outdated_by_stamps(book: GradeBook, stamps: list[str]) -> bool:
    """Return whether grades are outdated, given the stamps of the current standings."""
    # An imported archive contains the number of graded evenings, but no grades.
    are_grades_complete = book.grades.exists() or not book.evenings
    return not are_grades_complete or book.stamp != stamps[-1]
