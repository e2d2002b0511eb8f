"""The fairness of a movement: meetings, comparisons and drawbacks."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, combinations, product

from tournaments.movements.meetings import Contest, Meeting
from tournaments.movements.schedule import Movement
from tournaments.movements.sides import Sides

Pairing = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Spread:
    """The minimum and maximum of a number."""

    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Balance:
    """Fairness statistics of one movement; absent places are not included.

    A competitor is a place, or a team in a contest of teams. `met` of `possible` couples of
    competitors oppose each other at least once; with two fields, only couples across the fields
    count. Two teams meet on as many board groups as they play against each other. A comparison
    is a board group on which two competitors sit the same way at different tables; with two
    winners, only couples within a field count.

    `unplayed` counts board groups in play that a competitor never plays. `replays` counts board
    groups that a player plays twice. `shared` counts how often a board group is at more tables
    in a round than it has copies. `partners` and `opponents` are only set for single players.

    `same` and `influence` are square matrices by competitor: how often two are compared, and
    that number minus how often they sit opposite ways. Both leave out meetings at one table.
    """

    met: int
    possible: int
    unmet: tuple[Pairing, ...]
    meetings: Spread
    comparisons: Spread
    replays: int
    shared: int
    unplayed: Spread
    sit_outs: Spread
    sit_outs_by_place: dict[int, int]
    stationary: tuple[int, ...]
    partners: Spread | None
    opponents: Spread | None
    same: tuple[tuple[int, ...], ...]
    influence: tuple[tuple[int, ...], ...]
    competitors: tuple[int, ...]


def compute_balance(movement: Movement) -> Balance:
    """Compute the fairness statistics of a movement."""
    played = movement.played
    competitor_by_place = _map_competitors(movement)
    competitors = tuple(sorted(set(competitor_by_place.values())))
    across, within = _list_pairings(movement, competitors)
    is_individual = movement.contest is Contest.INDIVIDUAL
    opposition_counts = _count_oppositions(
        played, competitor_by_place, once_a_set=movement.contest is Contest.TEAMS
    )
    partnered = _count_partnerships(played) if is_individual else Counter()
    sides = Sides(played, competitor_by_place)
    same_side_counts, influence = sides.squares(competitors)
    index_by_competitor = {competitor: number for number, competitor in enumerate(competitors)}
    meetings = _compute_spread(opposition_counts[pairing] for pairing in across)
    plays = [place for meeting in played for place in meeting.places]
    sit_outs = _count_sit_outs(movement, plays)
    return Balance(
        met=sum(pairing in opposition_counts for pairing in across),
        possible=len(across),
        unmet=tuple(pairing for pairing in across if pairing not in opposition_counts),
        meetings=meetings,
        comparisons=_compute_spread(
            same_side_counts[index_by_competitor[one]][index_by_competitor[other]]
            for one, other in within
        ),
        replays=len(plays) - _count_different_plays(played, sides),
        shared=_count_shared(played, movement.copies),
        unplayed=_compute_spread(sides.count_unplayed()),
        sit_outs=_compute_spread(sit_outs.values()),
        sit_outs_by_place=sit_outs,
        stationary=_find_stationary(played),
        partners=_compute_spread(partnered[pairing] for pairing in across)
        if is_individual
        else None,
        opponents=meetings if is_individual else None,
        same=same_side_counts,
        influence=influence,
        competitors=competitors,
    )


def count_opponents_met(movement: Movement, balance: Balance) -> tuple[Spread, int]:
    """Return how many opponents a competitor meets, and how many would be possible."""
    competitors = balance.competitors
    could = dict.fromkeys(competitors, len(competitors) - 1)
    if movement.contest is not Contest.TEAMS and movement.two_fields:
        fields = Counter(movement.field(competitor) for competitor in competitors)
        could = {
            competitor: len(competitors) - fields[movement.field(competitor)]
            for competitor in competitors
        }
    missed = Counter(chain.from_iterable(balance.unmet))
    return _compute_spread(could[place] - missed[place] for place in competitors), max(
        could.values(), default=0
    )


def _map_competitors(movement: Movement) -> dict[int, int]:
    if movement.contest is Contest.TEAMS:
        return {place: movement.team(place) for place in movement.occupied_places}
    return {place: place for place in movement.occupied_places}


def _list_pairings(
    movement: Movement, competitors: tuple[int, ...]
) -> tuple[list[Pairing], list[Pairing]]:
    """Return the couples that could meet, and those that are ranked against each other."""
    all_pairings = list(combinations(competitors, 2))
    if movement.contest is Contest.TEAMS or not movement.two_fields:
        return all_pairings, all_pairings
    field = {competitor: movement.field(competitor) for competitor in competitors}
    across = [(a, b) for a, b in all_pairings if field[a] != field[b]]
    if movement.winners == 1:
        return across, all_pairings
    return across, [(a, b) for a, b in all_pairings if field[a] == field[b]]


def _count_oppositions(
    played: list[Meeting], competitor_by_place: dict[int, int], *, once_a_set: bool
) -> Counter[Pairing]:
    """Count how often two competitors oppose each other; for teams, the board groups."""
    oppositions = (
        (
            _pairing_key(competitor_by_place[one], competitor_by_place[other]),
            meeting.board_group,
        )
        for meeting in played
        for one, other in product(meeting.ns, meeting.ew)
    )
    return Counter(
        [pairing for pairing, _group in (set(oppositions) if once_a_set else oppositions)]
    )


def _count_partnerships(played: list[Meeting]) -> Counter[Pairing]:
    """Count how often two single players are partners."""
    return Counter(
        [
            _pairing_key(*side)
            for meeting in played
            for side in (meeting.ns, meeting.ew)
            if len(side) == 2
        ]
    )


def _count_different_plays(played: list[Meeting], sides: Sides) -> int:
    """Return the sum of different board groups that each place plays."""
    if all(place == competitor for place, competitor in sides.competitor_by_place.items()):
        return sum((sides.north[each] | sides.east[each]).bit_count() for each in sides.north)
    return len({(place, meeting.board_group) for meeting in played for place in meeting.places})


def _count_shared(played: list[Meeting], copies: int) -> int:
    tables = Counter([(meeting.round, meeting.board_group) for meeting in played])
    return sum(number > copies for number in tables.values())


def _count_sit_outs(movement: Movement, plays: list[int]) -> dict[int, int]:
    playing = Counter(plays)
    return {place: movement.rounds - playing[place] for place in movement.occupied_places}


def _find_stationary(played: list[Meeting]) -> tuple[int, ...]:
    """Return the places that never leave their table; for single players, their seat."""
    homes: dict[int, tuple[int, int]] = {}
    moving_places: set[int] = set()
    for meeting in played:
        seats = meeting[2:6]
        pairs = len(meeting.places) == 2
        for number, place in enumerate(seats[:2] if pairs else seats):
            seat = 0 if pairs or seats.count(place) > 1 else number
            seat_and_table = (meeting.table, seat)
            if homes.setdefault(place, seat_and_table) != seat_and_table:
                moving_places.add(place)
    return tuple(sorted(homes.keys() - moving_places))


def _compute_spread(values: Iterable[int]) -> Spread:
    numbers = list(values)
    return Spread(min(numbers, default=0), max(numbers, default=0))


def _pairing_key(one: int, other: int) -> Pairing:
    return (one, other) if one < other else (other, one)
