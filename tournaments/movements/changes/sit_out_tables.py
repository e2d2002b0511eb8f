"""An extra table where a late arrival plays entries that sit out; nothing else changes."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from boards.whist.seats import Side
from tournaments.movements.changes.repairs import (
    MAX_SHARING_TABLES,
    Plays,
    choose_compatible,
    map_plays,
)
from tournaments.movements.meetings import Contest, Meeting
from tournaments.movements.schedule import Movement

Chairs = tuple[int, int, int, int]  # the places at North, East, South and West


@dataclass(frozen=True, slots=True)
class SitOutTable:
    """A table (two for teams) where a newcomer plays entries that sit out in a round."""

    tables: tuple[Meeting, ...]
    # opponents that the newcomer must not meet again; for a single player, partners
    faced: frozenset[int]

    @property
    def group(self) -> int:
        """The board group."""
        return self.tables[0].board_group


def seat_against_sit_outs(
    movement: Movement,
    past: Sequence[Meeting],
    future: Sequence[Meeting],
    newcomers: Sequence[int],
    side: Side,
) -> list[Meeting]:
    """Seat a newcomer against entries that sit out, in as many later rounds as possible.

    It meets no one twice (a single player has no partner twice), and no place there plays
    boards twice. Boards that are at no table are preferred. Otherwise two tables share them, or
    as many as share boards anyway. `side` is the newcomer's side in two fields. A team has two
    places in `newcomers`. A single player needs three who sit out. Returns an empty list if the
    newcomer would play in fewer than half the rounds.
    """
    rounds = sorted({meeting.round for meeting in future})
    plays = map_plays([*past, *future])
    choices = [
        list(_iter_games(movement, number, future, newcomers, side, plays)) for number in rounds
    ]
    games = choose_compatible(choices, _is_compatible)
    if 2 * len(games) < len(rounds):
        return []
    return [table for game in games for table in game.tables]


def _is_compatible(game: SitOutTable, earlier: SitOutTable) -> bool:
    return game.group != earlier.group and not game.faced & earlier.faced


def _iter_games(
    movement: Movement,
    number: int,
    future: Sequence[Meeting],
    newcomers: Sequence[int],
    side: Side,
    plays: Plays,
) -> Iterator[SitOutTable]:
    """Yield a newcomer's possible games in one round, those on unshared boards first."""
    round_meetings = [meeting for meeting in future if meeting.round == number]
    tables = {meeting.table for meeting in round_meetings}
    played = [
        meeting
        for meeting in round_meetings
        if not movement.absent.intersection(meeting.places)
    ]
    seated = {place for meeting in played for place in meeting.places}
    idle = [
        place
        for place in movement.occupied_places
        if place not in seated | movement.withdrawn_places
    ]
    sharing = Counter(meeting.board_group for meeting in played)
    max_sharing_tables = _max_sharing_tables(movement)
    groups = {meeting.board_group for meeting in movement.meetings}
    for group in sorted(groups, key=lambda group: (sharing[group], group)):
        for chairs in _iter_seatings(movement, idle, newcomers, side):
            people = {place for chair in chairs for place in chair}
            is_crowded = sharing[group] and sharing[group] + len(chairs) > max_sharing_tables
            if not is_crowded and not any(group in plays[place] for place in people):
                is_alone = movement.contest is Contest.INDIVIDUAL
                faced = {chairs[0][2]} if is_alone else people - {*newcomers}
                yield SitOutTable(
                    _place_at_free_tables(number, chairs, group, tables), frozenset(faced)
                )


def _max_sharing_tables(movement: Movement) -> int:
    """Return how many tables may share a board group: the schedule's maximum, at least two."""
    have = Counter((meeting.round, meeting.board_group) for meeting in movement.played)
    return max(MAX_SHARING_TABLES, *have.values())


def _iter_seatings(
    movement: Movement, idle: Sequence[int], newcomers: Sequence[int], side: Side
) -> Iterator[list[Chairs]]:
    """Yield possible seatings of a newcomer's table or a team's two tables."""
    if movement.contest is Contest.TEAMS:
        ns, ew = newcomers
        for one, other in _iter_idle_teams(movement, idle):
            yield [(ns, other, ns, other), (one, ew, one, ew)]
    elif movement.contest is Contest.INDIVIDUAL:
        for three in combinations(idle, 3):
            for partner in three:
                one, other = (place for place in three if place != partner)
                yield [(newcomers[0], one, partner, other)]
    else:
        yield from _iter_pair_seatings(movement, idle, newcomers[0], side)


def _iter_pair_seatings(
    movement: Movement, idle: Sequence[int], newcomer: int, side: Side
) -> Iterator[list[Chairs]]:
    for place in idle:
        if not movement.two_fields or movement.field(place) != side.value:
            ns, ew = (newcomer, place) if side is Side.NS else (place, newcomer)
            yield [(ns, ew, ns, ew)]


def _iter_idle_teams(movement: Movement, idle: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the teams whose pairs both sit out, as North-South and East-West places."""
    for one, other in combinations(idle, 2):
        if movement.team(one) == movement.team(other):
            yield (one, other) if movement.field(one) == "NS" else (other, one)


def _place_at_free_tables(
    number: int, chairs: Sequence[Chairs], group: int, used_tables: set[int]
) -> tuple[Meeting, ...]:
    """Return a game's meetings at the first tables that are free in the round."""
    free_tables = (
        table for table in range(1, len(used_tables) + 3) if table not in used_tables
    )
    return tuple(Meeting(number, next(free_tables), n, e, s, w, group) for n, e, s, w in chairs)
