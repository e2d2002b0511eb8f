"""The move from the tables of one hand, with its winners, to the tables of the next.

Firsts and seconds each move round a ring of tables, so that every table loses one of each role
and gets one of each. A half table is part of the ring: players who arrive there rest a hand and
move on.
"""

from collections.abc import Mapping, Sequence

from drives.draw.participants import PlayerId, SeatedRound, Seats
from drives.moves.move_rule import Movers, MoveRule
from drives.moves.table_result import Role, Side, TableResult, check_tables

ROLE_SEATS = {
    (Side.A, Role.FIRST): 0,
    (Side.B, Role.FIRST): 1,
    (Side.A, Role.SECOND): 2,
    (Side.B, Role.SECOND): 3,
}
OPPOSITE_SIDE = {Side.A: Side.B, Side.B: Side.A}


def move_players(
    tables: Sequence[TableResult], custom: MoveRule, rests: Mapping[PlayerId, int] | None = None
) -> SeatedRound:
    """Move the winners or losers of all tables by a rule.

    If `rests` is given, a player who would have rested more often than another who moves
    changes places with the nearest who rested least. Raises UnplayableDrive, naming the table.
    """
    check_tables(tables)
    full_tables = [table for table in tables if table.is_full]
    half_table = None if tables[-1].is_full else tables[-1]
    arrivals: dict[Role, list[PlayerId]] = {}
    rest: list[PlayerId] = []
    for role, step in ((Role.FIRST, custom.first), (Role.SECOND, custom.second)):
        ring = _Ring(full_tables, half_table, role, custom)
        ring.rotate(step)
        if rests is not None:
            ring.spare_rested_players(rests)
        arrivals[role] = ring.table_arrivals
        rest += ring.half_table_arrivals
    seated = [
        _seat_table(
            table, place, custom, arrivals[Role.FIRST][place], arrivals[Role.SECOND][place]
        )
        for place, table in enumerate(full_tables)
    ]
    return SeatedRound(tuple(seated), tuple(rest))


def _find_leaving_side(table: TableResult, place: int, custom: MoveRule) -> Side:
    """Return the side of a full table that leaves it."""
    assert table.winner is not None
    winners_leave = custom.moves is Movers.WINNERS and not (custom.head and place == 0)
    return table.winner if winners_leave else OPPOSITE_SIDE[table.winner]


class _Ring:
    """The moving players of one role in the order of tables."""

    def __init__(
        self,
        full_tables: Sequence[TableResult],
        half_table: TableResult | None,
        role: Role,
        custom: MoveRule,
    ) -> None:
        leaving = [
            table.seats[ROLE_SEATS[_find_leaving_side(table, place, custom), role]]
            for place, table in enumerate(full_tables)
        ]
        self.movers: list[PlayerId] = [player for player in leaving if player is not None]
        self.rests_at: list[int] = []
        self.rested = half_table.list_resting(role) if half_table else []
        for player in self.rested:
            # A second one who rests is put in the middle, so that no one rests twice in a row.
            place = len(full_tables) // 2 if self.rests_at else len(self.movers)
            self.rests_at = [at + (at >= place) for at in self.rests_at] + [place]
            self.movers.insert(place, player)

    def rotate(self, step: int) -> None:
        """Rotate all players by a number of places."""
        size = len(self.movers)
        self.movers = [self.movers[(place - step) % size] for place in range(size)]

    def spare_rested_players(self, rests: Mapping[PlayerId, int]) -> None:
        """Exchange each player chosen to rest with the nearest player who has rested less
        often.

        Players who have just rested are not chosen.
        """
        size = len(self.movers)
        for resting_place in self.rests_at:
            candidates = [
                place
                for place, player in enumerate(self.movers)
                if place not in self.rests_at and player not in self.rested
            ]

            def compute_sort_key(
                place: int, resting_place: int = resting_place
            ) -> tuple[int, int, int]:
                distance = min((place - resting_place) % size, (resting_place - place) % size)
                return rests.get(self.movers[place], 0), distance, place

            best_place = min(candidates, key=compute_sort_key, default=resting_place)
            if compute_sort_key(best_place)[0] < rests.get(self.movers[resting_place], 0):
                movers = self.movers
                movers[resting_place], movers[best_place] = (
                    movers[best_place],
                    movers[resting_place],
                )

    @property
    def table_arrivals(self) -> list[PlayerId]:
        """The players who arrive at each full table."""
        return [p for place, p in enumerate(self.movers) if place not in self.rests_at]

    @property
    def half_table_arrivals(self) -> list[PlayerId]:
        """The players who arrive at the half table."""
        return [self.movers[place] for place in sorted(self.rests_at, reverse=True)]


def _seat_table(
    table: TableResult, place: int, custom: MoveRule, first: PlayerId, second: PlayerId
) -> Seats:
    """Return the four players of a table: two who stay (and may exchange seats) and two who
    arrive.
    """
    stays = OPPOSITE_SIDE[_find_leaving_side(table, place, custom)]
    crosses = None if custom.head and place == 0 else custom.crosses
    seats: list[PlayerId | None] = [None] * 4
    for role, arrives in ((Role.FIRST, first), (Role.SECOND, second)):
        stayer = table.seats[ROLE_SEATS[stays, role]]
        new_side = OPPOSITE_SIDE[stays] if role is crosses else stays
        seats[ROLE_SEATS[new_side, role]] = stayer
        seats[ROLE_SEATS[OPPOSITE_SIDE[new_side], role]] = arrives
    one, two, three, four = (player for player in seats if player is not None)
    return one, two, three, four
