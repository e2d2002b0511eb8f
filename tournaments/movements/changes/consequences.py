"""The consequences of a change, found by comparing the old and the new schedule."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product

from tournaments.movements.balance import Spread, compute_balance
from tournaments.movements.meetings import Contest, Meeting
from tournaments.movements.schedule import Movement

Pairing = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Clash:
    """A later meeting whose boards one of its places has already played.

    `replacement_board_group` is the board group to play instead. None means that the table is
    left out, and its pairs sit out.
    """

    round: int
    table: int
    places: tuple[int, ...]
    places_that_have_played: tuple[int, ...]
    board_group: int
    replacement_board_group: int | None


@dataclass(frozen=True, slots=True)
class RepeatedMeeting:
    """Two places that meet more often than in the old schedule."""

    pairing: Pairing
    rounds: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LostBoards:
    """A board group that others play, with the places that no longer play it."""

    board_group: int
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Fairness:
    """Statistics of one schedule; comparisons are between entries ranked together."""

    met_pairing_count: int
    possible_pairing_count: int
    comparison_spread: Spread
    sit_out_spread: Spread
    group_count: int
    round_count: int


@dataclass(frozen=True, slots=True)
class Consequences:
    """The consequences of a change, shown to the director before it is made."""

    repeated_meetings: tuple[RepeatedMeeting, ...]
    lost_meetings: tuple[Pairing, ...]
    lost_boards: tuple[LostBoards, ...]
    new_groups: tuple[int, ...]
    # each place, and the rounds that it sits out because of the change
    sit_outs: tuple[tuple[int, tuple[int, ...]], ...]
    fairness_before: Fairness
    fairness_after: Fairness


def compute_consequences(
    old_movement: Movement, new_movement: Movement, withdrawn_places: Iterable[int] = ()
) -> Consequences:
    """Compare a schedule with its replacement.

    The entries of `withdrawn_places` have withdrawn, so their losses are not listed.
    """
    withdrawn_places_set = frozenset(withdrawn_places)
    old_rounds_by_pairing, new_rounds_by_pairing = (
        map_meeting_rounds(old_movement),
        map_meeting_rounds(new_movement),
    )
    lost_pairings = [
        pairing
        for pairing in old_rounds_by_pairing
        if pairing not in new_rounds_by_pairing
        and not withdrawn_places_set.intersection(pairing)
    ]
    return Consequences(
        repeated_meetings=tuple(
            RepeatedMeeting(pairing, rounds)
            for pairing, rounds in sorted(new_rounds_by_pairing.items())
            if len(rounds) > max(1, len(old_rounds_by_pairing.get(pairing, ())))
        ),
        lost_meetings=tuple(sorted(lost_pairings)),
        lost_boards=_find_lost_boards(old_movement, new_movement, withdrawn_places_set),
        new_groups=tuple(
            sorted(_list_board_groups(new_movement) - _list_board_groups(old_movement))
        ),
        sit_outs=_find_new_sit_outs(old_movement, new_movement, withdrawn_places_set),
        fairness_before=_compute_planned_fairness(old_movement),
        fairness_after=compute_fairness(new_movement, old_movement, withdrawn_places_set),
    )


@lru_cache(maxsize=8)
def _compute_planned_fairness(movement: Movement) -> Fairness:
    """Compute the statistics of the old schedule, with which all ways are compared."""
    return compute_fairness(movement, movement)


def map_meeting_rounds(movement: Movement) -> dict[Pairing, tuple[int, ...]]:
    """Return the rounds in which two places oppose each other, by pairing."""
    rounds_by_pairing: dict[Pairing, list[int]] = defaultdict(list)
    for meeting in movement.played_meetings:
        for ns_place, ew_place in product(meeting.ns, meeting.ew):
            pairing = (min(ns_place, ew_place), max(ns_place, ew_place))
            rounds_by_pairing[pairing].append(meeting.round)
    return {pairing: tuple(rounds) for pairing, rounds in rounds_by_pairing.items()}


def compute_fairness(
    movement: Movement,
    planned_movement: Movement,
    withdrawn_places: frozenset[int] = frozenset(),
) -> Fairness:
    """Compute the statistics of a schedule, comparable with those of the planned one.

    A pair that once sat the wrong way is still ranked in its original field.
    """
    balance = compute_balance(movement)
    indexes_by_place = {place: index for index, place in enumerate(balance.competitors)}
    remaining_places = [place for place in balance.competitors if place not in withdrawn_places]
    has_one_ranking = movement.contest is Contest.TEAMS or planned_movement.winner_count == 1
    comparison_counts = [
        balance.same_side_counts[indexes_by_place[place]][indexes_by_place[other_place]]
        for place, other_place in combinations(remaining_places, 2)
        if has_one_ranking
        or movement.get_field_name(place) == movement.get_field_name(other_place)
    ]
    sit_out_rounds_by_place = _find_sit_outs(
        movement, min(movement.round_count, planned_movement.round_count)
    )
    sit_out_counts = [
        len(rounds)
        for place, rounds in sit_out_rounds_by_place.items()
        if place not in withdrawn_places and place in planned_movement.occupied_places
    ]
    return Fairness(
        met_pairing_count=balance.met_pairing_count,
        possible_pairing_count=balance.possible_pairing_count,
        comparison_spread=_compute_spread(comparison_counts),
        sit_out_spread=_compute_spread(sit_out_counts),
        group_count=len(_list_board_groups(movement)),
        round_count=movement.round_count,
    )


def _find_lost_boards(
    old_movement: Movement, new_movement: Movement, withdrawn_places: frozenset[int]
) -> tuple[LostBoards, ...]:
    old_played_groups_by_place, new_played_groups_by_place = (
        _map_played_groups_by_place(old_movement.played_meetings),
        _map_played_groups_by_place(new_movement.played_meetings),
    )
    groups_in_play = _list_board_groups(new_movement)
    places_by_group: dict[int, list[int]] = defaultdict(list)
    for place, old_groups in sorted(old_played_groups_by_place.items()):
        for board_group in old_groups - new_played_groups_by_place[place]:
            if board_group in groups_in_play and place not in withdrawn_places:
                places_by_group[board_group].append(place)
    return tuple(
        LostBoards(board_group, tuple(places))
        for board_group, places in sorted(places_by_group.items())
    )


def _find_new_sit_outs(
    old_movement: Movement, new_movement: Movement, withdrawn_places: frozenset[int]
) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Return the rounds that each place sits out because of the change.

    Rounds that are no longer played do not count.
    """
    common_round_count = min(old_movement.round_count, new_movement.round_count)
    old_sit_out_rounds_by_place, new_sit_out_rounds_by_place = (
        _find_sit_outs(old_movement, common_round_count),
        _find_sit_outs(new_movement, common_round_count),
    )
    places_and_sit_out_rounds = []
    for place in new_movement.occupied_places:
        rounds = sorted(
            new_sit_out_rounds_by_place[place] - old_sit_out_rounds_by_place.get(place, set())
        )
        if rounds and place not in withdrawn_places and place in old_sit_out_rounds_by_place:
            places_and_sit_out_rounds.append((place, tuple(rounds)))
    return tuple(places_and_sit_out_rounds)


def _find_sit_outs(movement: Movement, round_count: int) -> dict[int, set[int]]:
    """Return the rounds that each place sits out, up to `round_count`."""
    sit_out_rounds_by_place = {
        place: set(range(1, round_count + 1)) for place in movement.occupied_places
    }
    for meeting in movement.played_meetings:
        for place in meeting.places:
            sit_out_rounds_by_place[place].discard(meeting.round)
    return sit_out_rounds_by_place


def _map_played_groups_by_place(meetings: Iterable[Meeting]) -> dict[int, set[int]]:
    played_groups_by_place: dict[int, set[int]] = defaultdict(set)
    for meeting in meetings:
        for place in meeting.places:
            played_groups_by_place[place].add(meeting.board_group)
    return played_groups_by_place


def _list_board_groups(movement: Movement) -> set[int]:
    return {meeting.board_group for meeting in movement.played_meetings}


def _compute_spread(counts: list[int]) -> Spread:
    counts_by_number = Counter(counts)
    return Spread(min(counts_by_number, default=0), max(counts_by_number, default=0))
