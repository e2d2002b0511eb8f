"""Statistics that rate a schedule, for each number of rounds after which it may stop.

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
    """Statistics of a schedule that stops after `rounds`.

    `plays` is the sum of board groups played by all `entrants`, without a team's home set.
    `seated` is the number of stationary places. Over all rounds, `engaged` tables play, of
    which `sharing` share boards with another. `crowd` is the maximum number of tables at one
    board group, of which there are `copies`. `partnered` counts couples of single players who
    are partners; it is -1 for pairs and teams.
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
    rows = []
    rounds: dict[int, list[Meeting]] = {n: [] for n in range(1, movement.rounds + 1)}
    for meeting in movement.meetings:
        if absent.isdisjoint((meeting.north, meeting.east, meeting.south, meeting.west)):
            rounds[meeting.round].append(meeting)
    for number, meetings in rounds.items():
        count.add(meetings)
        rows.append(count.after(number))
    return tuple(rows)


def _build_movement(
    name: str, *, rounds: int | None = None, absent: tuple[int, ...] = (), **sizes: int
) -> tuple[Movement, frozenset[int]]:
    """Return a movement with all places, and its absent places; twice as fast as `build`."""
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
    """Counters that are updated round by round."""

    def __init__(self, movement: Movement, absent: frozenset[int]) -> None:
        self.movement = movement
        self.teams = movement.contest is Contest.TEAMS
        self.single = movement.contest is Contest.INDIVIDUAL
        self.occupied_places = [p for p in range(1, movement.places + 1) if p not in absent]
        self.competitor_by_place = {
            p: movement.team(p) if self.teams else p for p in self.occupied_places
        }
        self.out = dict.fromkeys(self.occupied_places, 0)
        self.homes: dict[int, tuple[int, int]] = {}
        self.gone: set[int] = set()
        self.met: set[tuple[int, int]] = set()
        self.partners: set[tuple[int, int]] = set()
        self.groups: set[int] = set()
        self.plays = self.sharing = self.engaged = self.crowd = 0
        self.possible = _count_possible_couples(
            movement, self.occupied_places, set(self.competitor_by_place.values())
        )
        self.winners = movement.winners
        self.two_fields = movement.two_fields
        self.rounds = movement.rounds

    def add(self, meetings: list[Meeting]) -> None:
        """Add one more round."""
        tables_by_group = Counter(meeting.board_group for meeting in meetings)
        self.groups.update(tables_by_group)
        self.engaged += len(meetings)
        self.sharing += sum(
            number for number in tables_by_group.values() if number > self.movement.copies
        )
        self.crowd = max(self.crowd, max(tables_by_group.values(), default=0))
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
            # skip meetings within a team: in a home set its two pairs play each other
            if self.competitor_by_place[north] != self.competitor_by_place[east]:
                self.plays += 2
                self._add(
                    self.met, self.competitor_by_place[north], self.competitor_by_place[east]
                )
            return
        self.plays += 4
        for one, other in product((north, south), (east, west)):
            self._add(self.met, one, other)
        self._add(self.partners, north, south)
        self._add(self.partners, east, west)

    @staticmethod
    def _add(couples: set[tuple[int, int]], one: int, other: int) -> None:
        couples.add((one, other) if one < other else (other, one))

    def _sits(self, place: int, seat: tuple[int, int]) -> None:
        if self.homes.setdefault(place, seat) != seat:
            self.gone.add(place)

    def after(self, rounds: int) -> ScheduleStatistics:
        """Return the statistics of the rounds counted so far."""
        sit_outs = self.out.values()
        return ScheduleStatistics(
            contest=self.movement.contest,
            tables=self.movement.tables,
            entrants=len(self.occupied_places),
            rounds=rounds,
            groups=len(self.groups),
            plays=self.plays,
            least_out=min(sit_outs),
            most_out=max(sit_outs),
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


def _count_possible_couples(
    movement: Movement, occupied_places: list[int], competitors: set[int]
) -> int:
    """Count the couples that could meet; with two fields of pairs, only couples across them."""
    number = len(competitors)
    if movement.contest is Contest.TEAMS or not movement.two_fields:
        return number * (number - 1) // 2
    north = sum(movement.field(place) == "NS" for place in occupied_places)
    return north * (number - north)
