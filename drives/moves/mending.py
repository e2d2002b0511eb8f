"""The repair of tables after players have left or arrived; the others keep their seats.

An empty seat goes to a newcomer or to a resting player, of the same role if possible, the one
with the most rests first. If neither is left, the last table breaks up. Four who are left over
form a table.
"""

from collections.abc import Collection, Mapping, Sequence

from django.utils.translation import gettext as _

from drives.draw.company import Drawn, Player, Seats
from drives.errors import UnplayableDrive
from drives.moves.state import Role

FIRSTS = (0, 1)
"""The indexes of the firsts' seats; the others are the seconds'."""


def role_at(seat: int) -> Role:
    """Return the role of a seat, counted from 0."""
    return Role.FIRST if seat in FIRSTS else Role.SECOND


def mended(
    moved: Drawn,
    present: Collection[Player],
    roles: Mapping[Player, str],
    rested: Mapping[Player, int],
) -> Drawn:
    """Seat exactly the players who are present.

    Raises UnplayableDrive if there are fewer than four.
    """
    if len(present) < 4:
        raise UnplayableDrive(_("Fewer than four are left: nobody can play on."))
    mending = _Mending(moved, present, roles, rested)
    mending.fill()
    mending.add_tables()
    return mending.read()


class _Mending:
    """The tables with their empty seats, and the players without a seat."""

    def __init__(
        self,
        moved: Drawn,
        present: Collection[Player],
        roles: Mapping[Player, str],
        rested: Mapping[Player, int],
    ) -> None:
        there = set(present)
        self.tables: list[list[Player | None]] = [
            [player if player in there else None for player in table] for table in moved.tables
        ]
        self.rested = rested
        self.roles = dict(roles)
        for table in moved.tables:
            self.roles |= {player: role_at(seat) for seat, player in enumerate(table)}
        known = {player for table in moved.tables for player in table} | set(moved.rest)
        self.pool = [player for player in moved.rest if player in there]
        self.pool += [player for player in present if player not in known]

    def fill(self) -> None:
        """Fill every empty seat, from table 1 on; break up the last table if none can play."""
        while holes := self._holes():
            if len(self.pool) < len(holes):
                self.pool += [player for player in self.tables.pop() if player is not None]
                continue
            for place, seat in holes:
                self.tables[place][seat] = self._taken(role_at(seat))

    def _holes(self) -> list[tuple[int, int]]:
        return [
            (place, seat)
            for place, table in enumerate(self.tables)
            for seat, player in enumerate(table)
            if player is None
        ]

    def _taken(self, role: Role) -> Player:
        """Remove and return the next player to seat, of a role if there is one."""
        place = min(
            range(len(self.pool)),
            key=lambda at: (
                self._mismatch(self.pool[at], role),
                -self.rested.get(self.pool[at], 0),
                at,
            ),
        )
        player = self.pool.pop(place)
        self.roles[player] = role
        return player

    def _mismatch(self, player: Player, role: Role) -> int:
        own = self.roles.get(player)
        return 0 if own == role else 1 if not own else 2

    def add_tables(self) -> None:
        """Form tables of four players who are left over, firsts and seconds if possible."""
        while len(self.pool) >= 4:
            self.tables.append([self._taken(role_at(seat)) for seat in range(4)])

    def read(self) -> Drawn:
        """Return the tables, and the players who rest: firsts, then seconds."""
        tables: list[Seats] = []
        for table in self.tables:
            one, two, three, four = (player for player in table if player is not None)
            tables.append((one, two, three, four))
        firsts = [who for who in self.pool if self.roles.get(who) != Role.SECOND]
        seconds = [who for who in self.pool if self.roles.get(who) == Role.SECOND]
        return Drawn(tuple(tables), (*firsts, *seconds))


def roles_of(tables: Sequence[Sequence[Player]]) -> dict[Player, str]:
    """Return the roles of the seated players, by their seats."""
    return {player: str(role_at(seat)) for table in tables for seat, player in enumerate(table)}
