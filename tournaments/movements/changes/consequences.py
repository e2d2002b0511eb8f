"""The consequences of a change, found by comparing the old and the new schedule."""

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

    `instead` is the board group to play instead. None means that the table is left out, and its
    pairs sit out.
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
    """A board group that others play, with the places that no longer play it."""

    board_group: int
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Fairness:
    """Statistics of one schedule; comparisons are between entries ranked together."""

    met: int
    possible: int
    comparisons: Spread
    sit_outs: Spread
    groups: int
    rounds: int


@dataclass(frozen=True, slots=True)
class Consequences:
    """The consequences of a change, shown to the director before it is made."""

    met_again: tuple[RepeatedMeeting, ...]
    no_longer_met: tuple[Couple, ...]
    lost_boards: tuple[LostBoards, ...]
    new_groups: tuple[int, ...]
    # place, and the rounds that it additionally sits out
    sit_outs: tuple[tuple[int, tuple[int, ...]], ...]
    before: Fairness
    after: Fairness


def compute_consequences(
    old_movement: Movement, new_movement: Movement, withdrawn: Iterable[int] = ()
) -> Consequences:
    """Compare a schedule with its replacement.

    `withdrawn` places have left and lose nothing.
    """
    withdrawn_places = frozenset(withdrawn)
    old, new = map_meeting_rounds(old_movement), map_meeting_rounds(new_movement)
    lost_couples = [
        couple
        for couple in old
        if couple not in new and not withdrawn_places.intersection(couple)
    ]
    return Consequences(
        met_again=tuple(
            RepeatedMeeting(couple, rounds)
            for couple, rounds in sorted(new.items())
            if len(rounds) > max(1, len(old.get(couple, ())))
        ),
        no_longer_met=tuple(sorted(lost_couples)),
        lost_boards=_find_lost_boards(old_movement, new_movement, withdrawn_places),
        new_groups=tuple(sorted(_list_groups(new_movement) - _list_groups(old_movement))),
        sit_outs=_find_new_sit_outs(old_movement, new_movement, withdrawn_places),
        before=_compute_planned_fairness(old_movement),
        after=compute_fairness(new_movement, old_movement, withdrawn_places),
    )


@lru_cache(maxsize=8)
def _compute_planned_fairness(movement: Movement) -> Fairness:
    """Compute the statistics of the old schedule, with which all ways are compared."""
    return compute_fairness(movement, movement)


def map_meeting_rounds(movement: Movement) -> dict[Couple, tuple[int, ...]]:
    """Return the rounds in which two places oppose each other, by couple."""
    rounds_by_couple: dict[Couple, list[int]] = defaultdict(list)
    for meeting in movement.played:
        for one, other in product(meeting.ns, meeting.ew):
            rounds_by_couple[min(one, other), max(one, other)].append(meeting.round)
    return {couple: tuple(rounds) for couple, rounds in rounds_by_couple.items()}


def compute_fairness(
    movement: Movement, planned: Movement, withdrawn: frozenset[int] = frozenset()
) -> Fairness:
    """Compute the statistics of a schedule, comparable with those of the planned one.

    A pair that once sat the wrong way is still ranked in its original field.
    """
    balance = compute_balance(movement)
    index_by_place = {place: index for index, place in enumerate(balance.competitors)}
    staying = [place for place in balance.competitors if place not in withdrawn]
    one_field = movement.contest is Contest.TEAMS or planned.winners == 1
    ranked = [
        balance.same[index_by_place[a]][index_by_place[b]]
        for a, b in combinations(staying, 2)
        if one_field or movement.field(a) == movement.field(b)
    ]
    idle = _find_sit_outs(movement, min(movement.rounds, planned.rounds))
    sit_outs = [
        len(rounds)
        for place, rounds in idle.items()
        if place not in withdrawn and place in planned.occupied_places
    ]
    return Fairness(
        met=balance.met,
        possible=balance.possible,
        comparisons=_compute_spread(ranked),
        sit_outs=_compute_spread(sit_outs),
        groups=len(_list_groups(movement)),
        rounds=movement.rounds,
    )


def _find_lost_boards(
    old_movement: Movement, new_movement: Movement, withdrawn: frozenset[int]
) -> tuple[LostBoards, ...]:
    then, now = _map_plays(old_movement.played), _map_plays(new_movement.played)
    in_play = _list_groups(new_movement)
    losers: dict[int, list[int]] = defaultdict(list)
    for place, groups in sorted(then.items()):
        for group in groups - now[place]:
            if group in in_play and place not in withdrawn:
                losers[group].append(place)
    return tuple(LostBoards(group, tuple(places)) for group, places in sorted(losers.items()))


def _find_new_sit_outs(
    old_movement: Movement, new_movement: Movement, withdrawn: frozenset[int]
) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Return the rounds that each place sits out because of the change.

    Rounds that are no longer played do not count.
    """
    last = min(old_movement.rounds, new_movement.rounds)
    old, new = _find_sit_outs(old_movement, last), _find_sit_outs(new_movement, last)
    sit_outs = []
    for place in new_movement.occupied_places:
        rounds = sorted(new[place] - old.get(place, set()))
        if rounds and place not in withdrawn and place in old:
            sit_outs.append((place, tuple(rounds)))
    return tuple(sit_outs)


def _find_sit_outs(movement: Movement, rounds: int) -> dict[int, set[int]]:
    """Return the rounds that each place sits out, up to the last planned one."""
    idle = {place: set(range(1, rounds + 1)) for place in movement.occupied_places}
    for meeting in movement.played:
        for place in meeting.places:
            idle[place].discard(meeting.round)
    return idle


def _map_plays(meetings: Iterable[Meeting]) -> dict[int, set[int]]:
    groups_by_place: dict[int, set[int]] = defaultdict(set)
    for meeting in meetings:
        for place in meeting.places:
            groups_by_place[place].add(meeting.board_group)
    return groups_by_place


def _list_groups(movement: Movement) -> set[int]:
    return {meeting.board_group for meeting in movement.played}


def _compute_spread(numbers: list[int]) -> Spread:
    counts = Counter(numbers)
    return Spread(min(counts, default=0), max(counts, default=0))
