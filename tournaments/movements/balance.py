"""How fair a movement is: who meets and is compared with whom, and what is not perfect."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations, product

from boards.whist.seats import Side
from tournaments.movements.meetings import Contest, Meeting
from tournaments.movements.schedule import Movement

Pairing = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Spread:
    """The least and the most of a figure."""

    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Balance:
    """The figures of one movement; whoever is absent is left out of all of them.

    A competitor is a place, or a team in a contest of teams. `met` of `possible` couples of
    competitors oppose each other at least once; in a movement of two fields only couples across
    the fields count. Two teams meet on as many board groups as they play against each other.
    A comparison is a board group on which two competitors sit the same way at different tables;
    in a movement with two winners only couples within a field count.
    `unplayed` counts the board groups in play that a competitor never plays.
    `replays` counts the board groups that somebody plays again, `shared` the times that a board
    group is in play at more tables in a round than there are copies of it.
    `partners` and `opponents` are kept for single players only.
    `same` and `influence` are square, by competitor from 1: how often two are compared, and the
    same less how often they sit opposite ways (a meeting at one table is left out of both).
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


def balance(movement: Movement) -> Balance:
    """Work out how fair a movement is."""
    of = _competitors(movement)
    competitors = tuple(sorted(set(of.values())))
    across, within = _pairings(movement, competitors)
    met, partnered = _at_one_table(movement, of)
    same, opposite = _compared(movement, of)
    sit_outs = _sit_outs(movement)
    single = movement.contest is Contest.INDIVIDUAL
    return Balance(
        met=sum(1 for pairing in across if met[pairing]),
        possible=len(across),
        unmet=tuple(pairing for pairing in across if not met[pairing]),
        meetings=_spread(met[pairing] for pairing in across),
        comparisons=_spread(same[pairing] for pairing in within),
        replays=_replays(movement),
        shared=_shared(movement),
        unplayed=_unplayed(movement, of),
        sit_outs=_spread(sit_outs.values()),
        sit_outs_by_place=sit_outs,
        stationary=_stationary(movement),
        partners=_spread(partnered[pairing] for pairing in across) if single else None,
        opponents=_spread(met[pairing] for pairing in across) if single else None,
        same=_square(competitors, same),
        influence=_square(
            competitors, {key: same[key] - opposite[key] for key in same | opposite}
        ),
        competitors=competitors,
    )


def opponents_met(movement: Movement, figures: Balance) -> tuple[Spread, int]:
    """How many opponents one competitor meets, and how many it could meet at most."""
    own = figures.competitors
    across, _within = _pairings(movement, own)
    could = Counter(place for pairing in across for place in pairing)
    missed = Counter(place for pairing in figures.unmet for place in pairing)
    return _spread(could[place] - missed[place] for place in own), max(
        could.values(), default=0
    )


def _competitors(movement: Movement) -> dict[int, int]:
    if movement.contest is Contest.TEAMS:
        return {place: movement.team(place) for place in movement.taken}
    return {place: place for place in movement.taken}


def _pairings(
    movement: Movement, competitors: tuple[int, ...]
) -> tuple[list[Pairing], list[Pairing]]:
    """The pairs that could meet, and the pairs that are ranked against each other."""
    every = list(combinations(competitors, 2))
    if movement.contest is Contest.TEAMS or not movement.two_fields:
        return every, every
    across = [(a, b) for a, b in every if movement.field(a) != movement.field(b)]
    if movement.winners == 1:
        return across, every
    return across, [(a, b) for a, b in every if movement.field(a) == movement.field(b)]


def _at_one_table(
    movement: Movement, of: dict[int, int]
) -> tuple[Counter[Pairing], Counter[Pairing]]:
    """How often two competitors oppose each other, and how often they are partners."""
    opposed: set[tuple[Pairing, int, int]] = set()
    partnered: Counter[Pairing] = Counter()
    teams = movement.contest is Contest.TEAMS
    for meeting in movement.played:
        when = (0, meeting.board_group) if teams else (meeting.round, meeting.board_group)
        for one, other in product(meeting.ns, meeting.ew):
            opposed.add((_key(of[one], of[other]), *when))
        for side in (meeting.ns, meeting.ew):
            partnered.update(_key(of[a], of[b]) for a, b in combinations(side, 2))
    return Counter(pairing for pairing, *_ in opposed), partnered


def _compared(
    movement: Movement, of: dict[int, int]
) -> tuple[Counter[Pairing], Counter[Pairing]]:
    """On how many board groups two competitors sit the same way, and the opposite way."""
    same: Counter[Pairing] = Counter()
    opposite: Counter[Pairing] = Counter()
    for meetings in _by_group(movement).values():
        sitting = sorted(
            (of[place], (meeting.round, meeting.table), meeting.side_of(place) is Side.NS)
            for meeting in meetings
            for place in meeting.places
        )
        alike: list[Pairing] = []
        unlike: list[Pairing] = []
        for (one, here, ns), (other, there, north) in combinations(sitting, 2):
            if here != there:
                (alike if ns == north else unlike).append((one, other))
        same.update(set(alike))
        opposite.update(set(unlike))
    return same, opposite


def _by_group(movement: Movement) -> dict[int, list[Meeting]]:
    groups: dict[int, list[Meeting]] = defaultdict(list)
    for meeting in movement.played:
        groups[meeting.board_group].append(meeting)
    return groups


def _replays(movement: Movement) -> int:
    plays = Counter(
        (place, meeting.board_group) for meeting in movement.played for place in meeting.places
    )
    return sum(times - 1 for times in plays.values())


def _shared(movement: Movement) -> int:
    tables = Counter((meeting.round, meeting.board_group) for meeting in movement.played)
    return sum(1 for number in tables.values() if number > movement.copies)


def _unplayed(movement: Movement, of: dict[int, int]) -> Spread:
    """How many of the board groups in play a competitor never plays."""
    groups: dict[int, set[int]] = {competitor: set() for competitor in of.values()}
    for meeting in movement.played:
        for place in meeting.places:
            groups[of[place]].add(meeting.board_group)
    played = len(set().union(*groups.values()))
    return _spread(played - len(own) for own in groups.values())


def _sit_outs(movement: Movement) -> dict[int, int]:
    playing = Counter(place for meeting in movement.played for place in meeting.places)
    return {place: movement.rounds - playing[place] for place in movement.taken}


def _stationary(movement: Movement) -> tuple[int, ...]:
    """Who never leaves the table; a single player keeps the very seat."""
    homes: dict[int, set[tuple[int, int]]] = defaultdict(set)
    for meeting in movement.played:
        seats = (meeting.north, meeting.east, meeting.south, meeting.west)
        for number, place in enumerate(seats):
            single = seats.count(place) == 1
            homes[place].add((meeting.table, number if single else 0))
    return tuple(sorted(place for place, found in homes.items() if len(found) == 1))


def _square(
    competitors: tuple[int, ...], counts: dict[Pairing, int]
) -> tuple[tuple[int, ...], ...]:
    return tuple(
        tuple(counts.get(_key(a, b), 0) if a != b else 0 for b in competitors)
        for a in competitors
    )


def _spread(figures: Iterable[int]) -> Spread:
    numbers = list(figures)
    return Spread(min(numbers, default=0), max(numbers, default=0))


def _key(one: int, other: int) -> Pairing:
    return (one, other) if one < other else (other, one)
