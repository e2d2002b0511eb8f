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
from seasons.grades.compared_boards import (
    SAME_DIRECTION_CONTESTS,
    PlayedBoard,
    iter_plays_by_board,
)
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
    def data_version(self) -> str:
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
        club=club, contest__in=SAME_DIRECTION_CONTESTS, ranking__isnull=False
    )
    return events.exclude_hidden().filter_finished()


def list_graded_events(club: Club) -> list[GradedEvent]:
    """Return the events of a club that count for grades, sorted by date and slug."""
    event_rows = _query_events(club).order_by("date", "slug")
    entry_players = EntryPlayer.objects.filter(entry__event__club=club).order_by()
    people_versions_by_event = {
        event_pk: f"{player_count}.{player_sum}.{pair_sum}"
        for event_pk, player_count, player_sum, pair_sum in entry_players.values("entry__event")
        .annotate(
            count=Count("pk"),
            player_sum=Sum("player"),
            pair_sum=Sum(F("entry_id") * F("player_id")),
        )
        .values_list("entry__event", "count", "player_sum", "pair_sum")
    }
    return [
        GradedEvent(
            event_pk,
            slug,
            day,
            str(ranking_version),
            people_versions_by_event.get(event_pk, ""),
        )
        for event_pk, slug, day, ranking_version in event_rows.values_list(
            "pk", "slug", "date", "ranking__version"
        )
    ]


def iter_graded_evenings(events: Sequence[GradedEvent]) -> Iterable[GradedEvening]:
    """Yield the results of each event; people are identified by their primary keys as text.

    The results are loaded in batches of events.
    """
    for start in range(0, len(events), MAX_EVENTS_PER_QUERY):
        batch = events[start : start + MAX_EVENTS_PER_QUERY]
        event_pks = [graded_event.pk for graded_event in batch]
        people_by_entry = _load_people(event_pks)
        plays_by_event: dict[int, list[BoardPlay]] = defaultdict(list)
        for board_index, (event_pk, event_plays) in enumerate(iter_plays_by_board(event_pks)):
            plays_by_event[event_pk] += _iter_plays(
                str(board_index), event_plays, people_by_entry
            )
        for graded_event in batch:
            yield GradedEvening(
                graded_event.slug,
                graded_event.day.toordinal(),
                tuple(plays_by_event[graded_event.pk]),
            )


def _load_people(event_pks: list[int]) -> dict[int, list[str]]:
    people_by_entry: dict[int, list[str]] = defaultdict(list)
    entry_players = EntryPlayer.objects.filter(entry__event__in=event_pks).order_by(
        "entry", "order"
    )
    entry_players = entry_players.exclude(player__shown=Player.Shown.UNKNOWN)
    for entry_pk, player_pk in entry_players.values_list("entry", "player"):
        people_by_entry[entry_pk].append(str(player_pk))
    return people_by_entry


def _iter_plays(
    board_key: str, plays: Iterable[PlayedBoard], people_by_entry: Mapping[int, list[str]]
) -> Iterable[BoardPlay]:
    for play in plays:
        ns_partnership = _find_partnership(
            play.north_entry_pk, play.south_entry_pk, people_by_entry
        )
        ew_partnership = _find_partnership(
            play.east_entry_pk, play.west_entry_pk, people_by_entry
        )
        if ns_partnership and ew_partnership and not set(ns_partnership) & set(ew_partnership):
            yield BoardPlay(board_key, ns_partnership, ew_partnership, float(play.ns_tricks))


def _find_partnership(
    first_entry_pk: int | None,
    second_entry_pk: int | None,
    people_by_entry: Mapping[int, list[str]],
) -> Partnership | None:
    """Return the two people of a side; None unless exactly two people are known."""
    entry_pks = dict.fromkeys(
        entry_pk for entry_pk in (first_entry_pk, second_entry_pk) if entry_pk is not None
    )
    person_keys = [
        person_key for entry_pk in entry_pks for person_key in people_by_entry.get(entry_pk, [])
    ]
    return (
        make_partnership(person_keys)
        if len(set(person_keys)) == 2 and len(person_keys) == 2
        else None
    )


def compute_input_hashes(grade_book: GradeBook, events: Iterable[GradedEvent]) -> list[str]:
    """Return the hashes that identify the input of the computation, evening by evening.

    Item n is the hash of the constants and the first n events.
    """
    input_hashes = [
        sha256(
            f"{COMPUTATION_VERSION} {grade_book.s0} {grade_book.tau} {grade_book.q}".encode()
        ).hexdigest()
    ]
    for event in events:
        input_hashes.append(
            sha256(f"{input_hashes[-1]} {event.data_version}".encode()).hexdigest()
        )
    return input_hashes


def format_source_versions(event: GradedEvent) -> str:
    """Return the versions of an event's sources as one text, separated by spaces.

    The worker compares two such texts, version by version, to find out what has changed.
    """
    day_and_slug = f"{event.day}/{event.slug}"
    return (
        f"{event.results_version} {event.people_version} {day_and_slug} {COMPUTATION_VERSION}"
    )


def are_grades_outdated(grade_book: GradeBook) -> bool:
    """Return whether the club's standings have changed since the grades were computed."""
    return are_grades_outdated_by_hashes(
        grade_book, compute_input_hashes(grade_book, list_graded_events(grade_book.club))
    )


def may_grades_be_outdated(grade_book: GradeBook) -> bool:
    """Return whether an event was added or corrected after the grades were computed.

    Pages use this function, because it needs only one query. It does not detect a merge of two
    players, which the worker detects later.
    """
    return bool(grade_book.why) or grade_book.mark != compute_change_fingerprint(
        grade_book.club
    )


def are_grades_outdated_by_hashes(grade_book: GradeBook, input_hashes: list[str]) -> bool:
    """Return whether grades are outdated, given the hashes of the current standings."""
    # An imported archive contains the number of graded evenings, but no grades.
    are_grades_complete = grade_book.grades.exists() or not grade_book.evenings
    return not are_grades_complete or grade_book.stamp != input_hashes[-1]
