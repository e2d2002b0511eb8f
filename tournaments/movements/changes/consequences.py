"""The consequences of a change: the old and the new schedule compared."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product

from tournaments.movements.balance import Spread, compute_balance
from tournaments.movements.meetings import Contest, Meeting
from tournaments.movements.schedule import Movement

Couple = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Clash:
    """A later meeting whose boards one of its places has already played.

    `instead` is another board group to play. If it is None the table is left out, and its pairs
    sit out that round.
    """

    round: int
    table: int
    places: tuple[int, ...]
    earlier_players: tuple[int, ...]
    board_group: int
    instead: int | None


@dataclass(frozen=True, slots=True)
class RepeatedMeeting:
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
    """The consequences of a change, as shown to the director before it is made."""

    met_again: tuple[RepeatedMeeting, ...]
    no_longer_met: tuple[Couple, ...]
    lost_boards: tuple[LostBoards, ...]
    new_groups: tuple[int, ...]
    sit_outs: tuple[tuple[int, tuple[int, ...]], ...]  # place, and rounds it now sits out
    before: Fairness
    after: Fairness


def compute_consequences(
    before: Movement, after: Movement, gone: Iterable[int] = ()
) -> Consequences:
    """Compare a schedule with its replacement; `gone` places have left and lose nothing."""
    left = frozenset(gone)
    old, new = map_meeting_rounds(before), map_meeting_rounds(after)
    kept = [couple for couple in old if couple not in new and not left.intersection(couple)]
    return Consequences(
        met_again=tuple(
            RepeatedMeeting(couple, rounds)
            for couple, rounds in sorted(new.items())
            if len(rounds) > max(1, len(old.get(couple, ())))
        ),
        no_longer_met=tuple(sorted(kept)),
        lost_boards=_find_lost_boards(before, after, left),
        new_groups=tuple(sorted(_list_groups(after) - _list_groups(before))),
        sit_outs=_find_new_sit_outs(before, after, left),
        before=_compute_planned_fairness(before),
        after=compute_fairness(after, before, left),
    )


@lru_cache(maxsize=8)
def _compute_planned_fairness(movement: Movement) -> Fairness:
    """Compute the statistics of the old schedule, with which every way is compared."""
    return compute_fairness(movement, movement)


def map_meeting_rounds(movement: Movement) -> dict[Couple, tuple[int, ...]]:
    """Return the rounds in which each two places oppose each other."""
    found: dict[Couple, list[int]] = defaultdict(list)
    for meeting in movement.played:
        for one, other in product(meeting.ns, meeting.ew):
            found[min(one, other), max(one, other)].append(meeting.round)
    return {couple: tuple(rounds) for couple, rounds in found.items()}


def compute_fairness(
    movement: Movement, planned: Movement, gone: frozenset[int] = frozenset()
) -> Fairness:
    """Compute the statistics of a schedule in the same way as those of the planned one.

    A pair that sat the wrong way once is still ranked in the field in which it entered.
    """
    figures = compute_balance(movement)
    number = {place: at for at, place in enumerate(figures.competitors)}
    staying = [place for place in figures.competitors if place not in gone]
    one_field = movement.contest is Contest.TEAMS or planned.winners == 1
    ranked = [
        figures.same[number[a]][number[b]]
        for a, b in combinations(staying, 2)
        if one_field or movement.field(a) == movement.field(b)
    ]
    idle = _find_sit_outs(movement, min(movement.rounds, planned.rounds))
    sit_outs = [
        len(rounds)
        for place, rounds in idle.items()
        if place not in gone and place in planned.occupied_places
    ]
    return Fairness(
        met=figures.met,
        possible=figures.possible,
        comparisons=_compute_spread(ranked),
        sit_outs=_compute_spread(sit_outs),
        groups=len(_list_groups(movement)),
        rounds=movement.rounds,
    )


def _find_lost_boards(
    before: Movement, after: Movement, gone: frozenset[int]
) -> tuple[LostBoards, ...]:
    then, now = _map_plays(before.played), _map_plays(after.played)
    in_play = _list_groups(after)
    losers: dict[int, list[int]] = defaultdict(list)
    for place, groups in sorted(then.items()):
        for group in groups - now[place]:
            if group in in_play and place not in gone:
                losers[group].append(place)
    return tuple(LostBoards(group, tuple(places)) for group, places in sorted(losers.items()))


def _find_new_sit_outs(
    before: Movement, after: Movement, gone: frozenset[int]
) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Return the rounds that each place sits out only because of the change.

    Rounds that are no longer played are not sit-outs.
    """
    last = min(before.rounds, after.rounds)
    old, new = _find_sit_outs(before, last), _find_sit_outs(after, last)
    found = []
    for place in after.occupied_places:
        rounds = sorted(new[place] - old.get(place, set()))
        if rounds and place not in gone and place in old:
            found.append((place, tuple(rounds)))
    return tuple(found)


def _find_sit_outs(movement: Movement, rounds: int) -> dict[int, set[int]]:
    """Return the rounds that each place sits out, up to the last one planned."""
    idle = {place: set(range(1, rounds + 1)) for place in movement.occupied_places}
    for meeting in movement.played:
        for place in meeting.places:
            idle[place].discard(meeting.round)
    return idle


def _map_plays(meetings: Iterable[Meeting]) -> dict[int, set[int]]:
    found: dict[int, set[int]] = defaultdict(set)
    for meeting in meetings:
        for place in meeting.places:
            found[place].add(meeting.board_group)
    return found


def _list_groups(movement: Movement) -> set[int]:
    return {meeting.board_group for meeting in movement.played}


def _compute_spread(numbers: list[int]) -> Spread:
    counted = Counter(numbers)
    return Spread(min(counted, default=0), max(counted, default=0))
