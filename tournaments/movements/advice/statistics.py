"""The statistics by which a schedule is rated, for each number of rounds it may stop after.

They are counted in one pass over the schedule. `balance` computes the full statistics, and a
test checks that both agree.
"""

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

from tournaments.movements.builder import build_full_movement, convert_size, find_empty_place
from tournaments.movements.meetings import Contest, Meeting
from tournaments.movements.schedule import Movement
from tournaments.movements.systems.catalogue import CATALOGUE
from tournaments.movements.systems.system import Unit

Options = tuple[tuple[str, Any], ...]


@dataclass(frozen=True, slots=True)
class ScheduleStatistics:
    """The statistics of a schedule stopped after `rounds`.

    `plays` counts the board groups that all `entrants` play in total, without a home set;
    `sharing` the tables that share boards, over all rounds, of `engaged` in total; `crowd` the
    most tables at one board group, of which there are `copies`. `partnered` is -1 where
    partners stay together.
    """

    contest: Contest
    tables: int
    entrants: int
    rounds: int
    groups: int
    plays: int
    least_out: int
    most_out: int
    met: int
    possible: int
    partnered: int
    seated: int
    sharing: int
    engaged: int
    crowd: int
    winners: int
    two_fields: bool
    whole: bool
    copies: int


@lru_cache(maxsize=256)
def compute_schedule_statistics(name: str, options: Options) -> tuple[ScheduleStatistics, ...]:
    """Build a movement and return its statistics for each number of rounds from one to all."""
    movement, absent = _build_movement(name, **dict(options))
    count = _StatisticsCounter(movement, absent)
    found = []
    rounds: dict[int, list[Meeting]] = {n: [] for n in range(1, movement.rounds + 1)}
    for meeting in movement.meetings:
        if absent.isdisjoint((meeting.north, meeting.east, meeting.south, meeting.west)):
            rounds[meeting.round].append(meeting)
    for number, meetings in rounds.items():
        count.add(meetings)
        found.append(count.after(number))
    return tuple(found)


def _build_movement(
    name: str, *, rounds: int | None = None, absent: tuple[int, ...] = (), **sizes: int
) -> tuple[Movement, frozenset[int]]:
    """Build as `build` does, but return the absent places separately: twice as fast."""
    system = CATALOGUE[name]
    ((unit, number),) = sizes.items()
    size = convert_size(system, Unit(unit), number)
    assert size is not None
    movement = _full(name, size[0], rounds)
    missing = absent or (
        (find_empty_place(system, movement, system.editions),) if size[1] else ()
    )
    return movement, movement.absent | frozenset(missing)


_full = lru_cache(maxsize=32)(build_full_movement)


class _StatisticsCounter:
    """The counters while a schedule is read round by round."""

    def __init__(self, movement: Movement, absent: frozenset[int]) -> None:
        self.movement = movement
        self.teams = movement.contest is Contest.TEAMS
        self.single = movement.contest is Contest.INDIVIDUAL
        self.occupied_places = [p for p in range(1, movement.places + 1) if p not in absent]
        self.of = {p: movement.team(p) if self.teams else p for p in self.occupied_places}
        self.out = dict.fromkeys(self.occupied_places, 0)
        self.homes: dict[int, tuple[int, int]] = {}
        self.gone: set[int] = set()
        self.met: set[tuple[int, int]] = set()
        self.partners: set[tuple[int, int]] = set()
        self.groups: set[int] = set()
        self.plays = self.sharing = self.engaged = self.crowd = 0
        self.possible = _count_possible_couples(
            movement, self.occupied_places, set(self.of.values())
        )
        self.winners = movement.winners
        self.two_fields = movement.two_fields
        self.rounds = movement.rounds

    def add(self, meetings: list[Meeting]) -> None:
        """Add one more round."""
        at = Counter(meeting.board_group for meeting in meetings)
        self.groups.update(at)
        self.engaged += len(meetings)
        self.sharing += sum(number for number in at.values() if number > self.movement.copies)
        self.crowd = max(self.crowd, max(at.values(), default=0))
        playing: set[int] = set()
        for meeting in meetings:
            seats = (meeting.north, meeting.east, meeting.south, meeting.west)
            self._meet(seats)
            playing.update(seats)
            for number, place in enumerate(seats if self.single else seats[:2]):
                self._sits(place, (meeting.table, number if self.single else 0))
        for place in self.occupied_places:
            self.out[place] += place not in playing

    def _meet(self, seats: tuple[int, int, int, int]) -> None:
        north, east, south, west = seats
        if not self.single:
            if self.of[north] != self.of[east]:  # at a home set a team meets itself
                self.plays += 2
                self._add(self.met, self.of[north], self.of[east])
            return
        self.plays += 4
        for one, other in product((north, south), (east, west)):
            self._add(self.met, one, other)
        self._add(self.partners, north, south)
        self._add(self.partners, east, west)

    @staticmethod
    def _add(couples: set[tuple[int, int]], one: int, other: int) -> None:
        couples.add((one, other) if one < other else (other, one))

    def _sits(self, place: int, home: tuple[int, int]) -> None:
        if self.homes.setdefault(place, home) != home:
            self.gone.add(place)

    def after(self, rounds: int) -> ScheduleStatistics:
        """Return the statistics of the rounds counted so far."""
        out = self.out.values()
        return ScheduleStatistics(
            contest=self.movement.contest,
            tables=self.movement.tables,
            entrants=len(self.occupied_places),
            rounds=rounds,
            groups=len(self.groups),
            plays=self.plays,
            least_out=min(out),
            most_out=max(out),
            met=len(self.met),
            possible=self.possible,
            partnered=len(self.partners) if self.single else -1,
            seated=len(self.homes) - len(self.gone),
            sharing=self.sharing,
            engaged=self.engaged,
            crowd=self.crowd,
            winners=self.winners,
            two_fields=self.two_fields,
            whole=rounds == self.rounds,
            copies=self.movement.copies,
        )


def _count_possible_couples(movement: Movement, taken: list[int], competitors: set[int]) -> int:
    """Count the couples that could meet: across the fields where pairs play in two."""
    number = len(competitors)
    if movement.contest is Contest.TEAMS or not movement.two_fields:
        return number * (number - 1) // 2
    north = sum(movement.field(place) == "NS" for place in taken)
    return north * (number - north)
