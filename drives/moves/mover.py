"""The move from the tables of one hand, with its winners, to the tables of the next.

Firsts and seconds each move round a ring of tables, so that every table loses one of each role
and gets one of each. A half table is part of the ring: players who arrive there rest a hand and
move on.
"""

from collections.abc import Mapping, Sequence

from drives.draw.company import Drawn, Player, Seats
from drives.moves.custom import Custom, Movers
from drives.moves.state import Role, Side, Table, check

SEATS = {
    (Side.A, Role.FIRST): 0,
    (Side.B, Role.FIRST): 1,
    (Side.A, Role.SECOND): 2,
    (Side.B, Role.SECOND): 3,
}
OTHER = {Side.A: Side.B, Side.B: Side.A}


def move(
    tables: Sequence[Table], custom: Custom, rests: Mapping[Player, int] | None = None
) -> Drawn:
    """Move the winners or losers by a custom.

    If `rests` is given, a player who would have rested more often than another who moves
    changes places with the nearest who rested least. Raises UnplayableDrive, naming the table.
    """
    check(tables)
    full = [table for table in tables if table.is_full]
    half = None if tables[-1].is_full else tables[-1]
    arrive: dict[Role, list[Player]] = {}
    rest: list[Player] = []
    for role, step in ((Role.FIRST, custom.first), (Role.SECOND, custom.second)):
        ring = _Ring(full, half, role, custom)
        ring.turn(step)
        if rests is not None:
            ring.spare(rests)
        arrive[role] = ring.at_tables
        rest += ring.resting
    seated = [
        _seated(table, place, custom, arrive[Role.FIRST][place], arrive[Role.SECOND][place])
        for place, table in enumerate(full)
    ]
    return Drawn(tuple(seated), tuple(rest))


def _leaving(table: Table, place: int, custom: Custom) -> Side:
    """Return the side of a full table that leaves it."""
    assert table.winner is not None
    winners_leave = custom.moves is Movers.WINNERS and not (custom.head and place == 0)
    return table.winner if winners_leave else OTHER[table.winner]


class _Ring:
    """The moving players of one role in the order of tables; `turn` moves them on."""

    def __init__(
        self, full: Sequence[Table], half: Table | None, role: Role, custom: Custom
    ) -> None:
        leaving = [
            table.seats[SEATS[_leaving(table, place, custom), role]]
            for place, table in enumerate(full)
        ]
        self.movers: list[Player] = [player for player in leaving if player is not None]
        self.rests_at: list[int] = []
        self.rested = half.resting(role) if half else []
        for player in self.rested:
            # A second one who rests is put in the middle, so that no one rests twice in a row.
            place = len(full) // 2 if self.rests_at else len(self.movers)
            self.rests_at = [at + (at >= place) for at in self.rests_at] + [place]
            self.movers.insert(place, player)

    def turn(self, step: int) -> None:
        """Rotate all players by a number of places."""
        size = len(self.movers)
        self.movers = [self.movers[(place - step) % size] for place in range(size)]

    def spare(self, rests: Mapping[Player, int]) -> None:
        """Exchange each player who is to rest with the nearest who rested least.

        Players who have just rested are not chosen.
        """
        size = len(self.movers)
        for here in self.rests_at:
            others = [
                place
                for place, player in enumerate(self.movers)
                if place not in self.rests_at and player not in self.rested
            ]

            def weight(place: int, here: int = here) -> tuple[int, int, int]:
                away = min((place - here) % size, (here - place) % size)
                return rests.get(self.movers[place], 0), away, place

            least = min(others, key=weight, default=here)
            if weight(least)[0] < rests.get(self.movers[here], 0):
                movers = self.movers
                movers[here], movers[least] = movers[least], movers[here]

    @property
    def at_tables(self) -> list[Player]:
        """The players who arrive at each full table."""
        return [p for place, p in enumerate(self.movers) if place not in self.rests_at]

    @property
    def resting(self) -> list[Player]:
        """The players who arrive at the half table."""
        return [self.movers[place] for place in sorted(self.rests_at, reverse=True)]


def _seated(table: Table, place: int, custom: Custom, first: Player, second: Player) -> Seats:
    """Return the four of a table: two who stay, maybe crossing over, and two who arrive."""
    stays = OTHER[_leaving(table, place, custom)]
    crosses = None if custom.head and place == 0 else custom.crosses
    seats: list[Player | None] = [None] * 4
    for role, arrives in ((Role.FIRST, first), (Role.SECOND, second)):
        stayer = table.seats[SEATS[stays, role]]
        own = OTHER[stays] if role is crosses else stays
        seats[SEATS[own, role]] = stayer
        seats[SEATS[OTHER[own], role]] = arrives
    one, two, three, four = (player for player in seats if player is not None)
    return one, two, three, four
