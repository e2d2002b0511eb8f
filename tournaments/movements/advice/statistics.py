"""Statistics by which the adviser rates a schedule, for each round after which it may stop.

The statistics are counted in one pass over the schedule. `balance` computes the full
statistics, and a test checks that both agree.
"""

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

from tournaments.movements.builder import build_full_movement, convert_size, find_empty_place
from tournaments.movements.meetings import Contest, Meeting
from tournaments.movements.schedule import Movement
from tournaments.movements.systems.catalogue import SYSTEMS_BY_NAME
from tournaments.movements.systems.system import SizeUnit

HashableOptions = tuple[tuple[str, Any], ...]


@dataclass(frozen=True, slots=True)
class ScheduleStatistics:
    """Statistics of a schedule that stops after `round_count`.

    `play_count` is the sum of board groups played by all `entrant_count`, without a team's home
    set. `stationary_count` is the number of stationary places. Over all rounds,
    `played_table_count` tables play, of which `sharing_table_count` share boards with another
    table. `max_tables_per_group` is the maximum number of tables at one board group, which has
    `copy_count` copies. `partnership_count` is the number of pairs of single players who are
    partners, and -1 for pairs and teams.
    """

    contest: Contest
    table_count: int
    entrant_count: int
    round_count: int
    group_count: int
    play_count: int
    min_sit_outs: int
    max_sit_outs: int
    met_pairing_count: int
    possible_pairing_count: int
    partnership_count: int
    stationary_count: int
    sharing_table_count: int
    played_table_count: int
    max_tables_per_group: int
    winner_count: int
    has_two_fields: bool
    is_complete: bool
    copy_count: int


@lru_cache(maxsize=256)
def compute_schedule_statistics(
    system_name: str, options: HashableOptions
) -> tuple[ScheduleStatistics, ...]:
    """Build a movement and return its statistics for each number of rounds from one to all."""
    movement, absent_places = _build_movement_and_empty_places(system_name, **dict(options))
    counter = _StatisticsCounter(movement, absent_places)
    statistics_by_round_count = []
    meetings_by_round: dict[int, list[Meeting]] = {
        round_number: [] for round_number in range(1, movement.round_count + 1)
    }
    for meeting in movement.meetings:
        if absent_places.isdisjoint((meeting.north, meeting.east, meeting.south, meeting.west)):
            meetings_by_round[meeting.round].append(meeting)
    for round_number, round_meetings in meetings_by_round.items():
        counter.add_round(round_meetings)
        statistics_by_round_count.append(counter.build_statistics(round_number))
    return tuple(statistics_by_round_count)


def _build_movement_and_empty_places(
    system_name: str, *, rounds: int | None = None, absent: tuple[int, ...] = (), **sizes: int
) -> tuple[Movement, frozenset[int]]:
    """Return a movement with all places, and the set of places that are left empty.

    This is twice as fast as `build_named_movement`, which returns the movement with the places
    empty.
    """
    system = SYSTEMS_BY_NAME[system_name]
    ((unit_name, entry_count),) = sizes.items()
    size_and_missing_count = convert_size(system, SizeUnit(unit_name), entry_count)
    assert size_and_missing_count is not None
    movement = _build_cached_movement(system_name, size_and_missing_count[0], rounds)
    missing_places = absent or (
        (find_empty_place(system, movement, system.edition_count),)
        if size_and_missing_count[1]
        else ()
    )
    return movement, movement.absent_places | frozenset(missing_places)


_build_cached_movement = lru_cache(maxsize=32)(build_full_movement)


class _StatisticsCounter:
    """Counts the numbers of `ScheduleStatistics`, one round after another."""

    def __init__(self, movement: Movement, absent_places: frozenset[int]) -> None:
        self.movement = movement
        self.is_team_event = movement.contest is Contest.TEAMS
        self.is_individual = movement.contest is Contest.INDIVIDUAL
        self.occupied_places = [
            place for place in range(1, movement.place_count + 1) if place not in absent_places
        ]
        self.competitors_by_place = {
            place: movement.get_team_number(place) if self.is_team_event else place
            for place in self.occupied_places
        }
        self.sit_out_counts_by_place = dict.fromkeys(self.occupied_places, 0)
        self.first_seats_by_place: dict[int, tuple[int, int]] = {}
        self.moving_places: set[int] = set()
        self.met_pairings: set[tuple[int, int]] = set()
        self.partner_pairings: set[tuple[int, int]] = set()
        self.board_groups: set[int] = set()
        self.play_count = self.sharing_table_count = self.played_table_count = (
            self.max_tables_per_group
        ) = 0
        self.possible_pairing_count = _count_possible_pairings(
            movement, self.occupied_places, set(self.competitors_by_place.values())
        )
        self.winner_count = movement.winner_count
        self.has_two_fields = movement.has_two_fields
        self.round_count = movement.round_count

    def add_round(self, meetings: list[Meeting]) -> None:
        """Add one more round."""
        table_counts = Counter(meeting.board_group for meeting in meetings)
        self.board_groups.update(table_counts)
        self.played_table_count += len(meetings)
        self.sharing_table_count += sum(
            table_count
            for table_count in table_counts.values()
            if table_count > self.movement.copy_count
        )
        self.max_tables_per_group = max(
            self.max_tables_per_group, max(table_counts.values(), default=0)
        )
        playing_places: set[int] = set()
        for meeting in meetings:
            seats = (meeting.north, meeting.east, meeting.south, meeting.west)
            self._record_meetings(seats)
            playing_places.update(seats)
            for seat_index, place in enumerate(seats if self.is_individual else seats[:2]):
                self._record_seat(
                    place, (meeting.table, seat_index if self.is_individual else 0)
                )
        for place in self.occupied_places:
            self.sit_out_counts_by_place[place] += place not in playing_places

    def _record_meetings(self, seats: tuple[int, int, int, int]) -> None:
        north, east, south, west = seats
        if not self.is_individual:
            # A meeting within a team is skipped: in a home set, both pairs of a team meet.
            if self.competitors_by_place[north] != self.competitors_by_place[east]:
                self.play_count += 2
                self._add_pairing(
                    self.met_pairings,
                    self.competitors_by_place[north],
                    self.competitors_by_place[east],
                )
            return
        self.play_count += 4
        for ns_place, ew_place in product((north, south), (east, west)):
            self._add_pairing(self.met_pairings, ns_place, ew_place)
        self._add_pairing(self.partner_pairings, north, south)
        self._add_pairing(self.partner_pairings, east, west)

    @staticmethod
    def _add_pairing(
        pairings: set[tuple[int, int]], first_place: int, second_place: int
    ) -> None:
        pairings.add(
            (first_place, second_place)
            if first_place < second_place
            else (second_place, first_place)
        )

    def _record_seat(self, place: int, table_and_seat: tuple[int, int]) -> None:
        if self.first_seats_by_place.setdefault(place, table_and_seat) != table_and_seat:
            self.moving_places.add(place)

    def build_statistics(self, round_count: int) -> ScheduleStatistics:
        """Return the statistics of the rounds counted so far."""
        sit_out_counts = self.sit_out_counts_by_place.values()
        return ScheduleStatistics(
            contest=self.movement.contest,
            table_count=self.movement.table_count,
            entrant_count=len(self.occupied_places),
            round_count=round_count,
            group_count=len(self.board_groups),
            play_count=self.play_count,
            min_sit_outs=min(sit_out_counts),
            max_sit_outs=max(sit_out_counts),
            met_pairing_count=len(self.met_pairings),
            possible_pairing_count=self.possible_pairing_count,
            partnership_count=len(self.partner_pairings) if self.is_individual else -1,
            stationary_count=len(self.first_seats_by_place) - len(self.moving_places),
            sharing_table_count=self.sharing_table_count,
            played_table_count=self.played_table_count,
            max_tables_per_group=self.max_tables_per_group,
            winner_count=self.winner_count,
            has_two_fields=self.has_two_fields,
            is_complete=round_count == self.round_count,
            copy_count=self.movement.copy_count,
        )


def _count_possible_pairings(
    movement: Movement, occupied_places: list[int], competitors: set[int]
) -> int:
    """Count the pairings that could meet. With two fields, pairs meet only the other field."""
    competitor_count = len(competitors)
    if movement.contest is Contest.TEAMS or not movement.has_two_fields:
        return competitor_count * (competitor_count - 1) // 2
    ns_count = sum(movement.get_field_name(place) == "NS" for place in occupied_places)
    return ns_count * (competitor_count - ns_count)
