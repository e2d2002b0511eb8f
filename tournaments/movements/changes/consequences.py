"""The consequences of a change: the old and the new schedule compared."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product

from tournaments.movements.balance import Spread, balance
from tournaments.movements.meetings import Contest, Meeting
from tournaments.movements.schedule import Movement

Couple = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Clash:
    """A later meeting whose boards one of its places has played; `instead` are other boards.

    Without other boards (None) the table is left out and its pairs sit out that round.
    """

    round: int
    table: int
    places: tuple[int, ...]
    who: tuple[int, ...]
    board_group: int
    instead: int | None


@dataclass(frozen=True, slots=True)
class MetAgain:
    """Two places that meet more often than in the old schedule."""

    couple: Couple
    rounds: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LostBoards:
    """A board group that others play, and the places that now never play it."""

    board_group: int
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Fairness:
    """The statistics of one schedule; comparisons count among those ranked together."""

    met: int
    possible: int
    comparisons: Spread
    sit_outs: Spread
    groups: int
    rounds: int


@dataclass(frozen=True, slots=True)
class Consequences:
    """Everything that a director should know before a change is made."""

    met_again: tuple[MetAgain, ...]
    no_longer_met: tuple[Couple, ...]
    lost_boards: tuple[LostBoards, ...]
    new_groups: tuple[int, ...]
    sit_outs: tuple[tuple[int, tuple[int, ...]], ...]  # place, and rounds it now sits out
    before: Fairness
    after: Fairness


def consequences(before: Movement, after: Movement, gone: Iterable[int] = ()) -> Consequences:
    """Compare a schedule with its replacement; `gone` places have left and lose nothing."""
    left = frozenset(gone)
    old, new = meeting_rounds(before), meeting_rounds(after)
    kept = [couple for couple in old if couple not in new and not left.intersection(couple)]
    return Consequences(
        met_again=tuple(
            MetAgain(couple, rounds)
            for couple, rounds in sorted(new.items())
            if len(rounds) > max(1, len(old.get(couple, ())))
        ),
        no_longer_met=tuple(sorted(kept)),
        lost_boards=_lost(before, after, left),
        new_groups=tuple(sorted(_groups(after) - _groups(before))),
        sit_outs=_sat_out(before, after, left),
        before=_fairness_as_planned(before),
        after=fairness(after, before, left),
    )


@lru_cache(maxsize=8)
def _fairness_as_planned(movement: Movement) -> Fairness:
    """Compute the statistics of the old schedule, with which every way is compared."""
    return fairness(movement, movement)


def meeting_rounds(movement: Movement) -> dict[Couple, tuple[int, ...]]:
    """Return the rounds in which each two places oppose each other."""
    found: dict[Couple, list[int]] = defaultdict(list)
    for meeting in movement.played:
        for one, other in product(meeting.ns, meeting.ew):
            found[min(one, other), max(one, other)].append(meeting.round)
    return {couple: tuple(rounds) for couple, rounds in found.items()}


def fairness(
    movement: Movement, planned: Movement, gone: frozenset[int] = frozenset()
) -> Fairness:
    """Compute the statistics of a schedule in the same way as those of the planned one.

    A pair that sat the wrong way once is still ranked in the field in which it entered.
    """
    figures = balance(movement)
    number = {place: at for at, place in enumerate(figures.competitors)}
    staying = [place for place in figures.competitors if place not in gone]
    one_field = movement.contest is Contest.TEAMS or planned.winners == 1
    ranked = [
        figures.same[number[a]][number[b]]
        for a, b in combinations(staying, 2)
        if one_field or movement.field(a) == movement.field(b)
    ]
    idle = _idle(movement, min(movement.rounds, planned.rounds))
    sit_outs = [
        len(rounds)
        for place, rounds in idle.items()
        if place not in gone and place in planned.taken
    ]
    return Fairness(
        met=figures.met,
        possible=figures.possible,
        comparisons=_spread(ranked),
        sit_outs=_spread(sit_outs),
        groups=len(_groups(movement)),
        rounds=movement.rounds,
    )


def _lost(before: Movement, after: Movement, gone: frozenset[int]) -> tuple[LostBoards, ...]:
    then, now = _plays(before.played), _plays(after.played)
    in_play = _groups(after)
    losers: dict[int, list[int]] = defaultdict(list)
    for place, groups in sorted(then.items()):
        for group in groups - now[place]:
            if group in in_play and place not in gone:
                losers[group].append(place)
    return tuple(LostBoards(group, tuple(places)) for group, places in sorted(losers.items()))


def _sat_out(
    before: Movement, after: Movement, gone: frozenset[int]
) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Return the rounds that each place sits out after the change but not before it.

    Rounds that are no longer played are not sit-outs.
    """
    last = min(before.rounds, after.rounds)
    old, new = _idle(before, last), _idle(after, last)
    found = []
    for place in after.taken:
        rounds = sorted(new[place] - old.get(place, set()))
        if rounds and place not in gone and place in old:
            found.append((place, tuple(rounds)))
    return tuple(found)


def _idle(movement: Movement, rounds: int) -> dict[int, set[int]]:
    """Return the rounds that each place sits out, up to the last one planned."""
    idle = {place: set(range(1, rounds + 1)) for place in movement.taken}
    for meeting in movement.played:
        for place in meeting.places:
            idle[place].discard(meeting.round)
    return idle


def _plays(meetings: Iterable[Meeting]) -> dict[int, set[int]]:
    found: dict[int, set[int]] = defaultdict(set)
    for meeting in meetings:
        for place in meeting.places:
            found[place].add(meeting.board_group)
    return found


def _groups(movement: Movement) -> set[int]:
    return {meeting.board_group for meeting in movement.played}


def _spread(numbers: list[int]) -> Spread:
    counted = Counter(numbers)
    return Spread(min(counted, default=0), max(counted, default=0))
