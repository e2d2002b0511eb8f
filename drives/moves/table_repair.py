"""The repair of tables after players have left or arrived; the others keep their seats.

An empty seat goes to a newcomer or to a resting player, of the same role if possible, the one
with the most rests first. If neither is left, the last table breaks up. Four who are left over
form a table.
"""

from collections.abc import Collection, Mapping, Sequence

from django.utils.translation import gettext as _

from drives.draw.participants import PlayerId, SeatedRound, Seats
from drives.errors import UnplayableDrive
from drives.moves.table_result import Role

FIRST_SEATS = (0, 1)
"""The indexes of the seats of firsts; the other seats belong to seconds."""


def get_seat_role(seat: int) -> Role:
    """Return the role of a seat, counted from 0."""
    return Role.FIRST if seat in FIRST_SEATS else Role.SECOND


def repair_tables(
    next_round: SeatedRound,
    present: Collection[PlayerId],
    roles: Mapping[PlayerId, str],
    rested: Mapping[PlayerId, int],
) -> SeatedRound:
    """Return the tables with exactly the present players seated.

    Raises UnplayableDrive if there are fewer than four.
    """
    if len(present) < 4:
        raise UnplayableDrive(_("Fewer than four players are left, so play can't continue."))
    repair = _TableRepair(next_round, present, roles, rested)
    repair.fill_seats()
    repair.add_tables()
    return repair.to_drawn_round()


class _TableRepair:
    """The tables with their empty seats, and the players without a seat."""

    def __init__(
        self,
        next_round: SeatedRound,
        present: Collection[PlayerId],
        roles: Mapping[PlayerId, str],
        rested: Mapping[PlayerId, int],
    ) -> None:
        present_players = set(present)
        self.tables: list[list[PlayerId | None]] = [
            [player if player in present_players else None for player in table]
            for table in next_round.tables
        ]
        self.rested = rested
        self.roles = dict(roles)
        for table in next_round.tables:
            self.roles |= {player: get_seat_role(seat) for seat, player in enumerate(table)}
        seated_players = {player for table in next_round.tables for player in table} | set(
            next_round.rest
        )
        self.pool = [player for player in next_round.rest if player in present_players]
        self.pool += [player for player in present if player not in seated_players]

    def fill_seats(self) -> None:
        """Fill all empty seats, from table 1 on; split up the last table if no player is left
        over.
        """
        while holes := self._list_empty_seats():
            if len(self.pool) < len(holes):
                self.pool += [player for player in self.tables.pop() if player is not None]
                continue
            for place, seat in holes:
                self.tables[place][seat] = self._pop_next_player(get_seat_role(seat))

    def _list_empty_seats(self) -> list[tuple[int, int]]:
        return [
            (place, seat)
            for place, table in enumerate(self.tables)
            for seat, player in enumerate(table)
            if player is None
        ]

    def _pop_next_player(self, role: Role) -> PlayerId:
        """Remove and return the next player to seat, of a role if there is one."""
        place = min(
            range(len(self.pool)),
            key=lambda at: (
                self._compute_role_mismatch(self.pool[at], role),
                -self.rested.get(self.pool[at], 0),
                at,
            ),
        )
        player = self.pool.pop(place)
        self.roles[player] = role
        return player

    def _compute_role_mismatch(self, player: PlayerId, role: Role) -> int:
        own_role = self.roles.get(player)
        return 0 if own_role == role else 1 if not own_role else 2

    def add_tables(self) -> None:
        """Form tables of four players who are left over, firsts and seconds if possible."""
        while len(self.pool) >= 4:
            self.tables.append(
                [self._pop_next_player(get_seat_role(seat)) for seat in range(4)]
            )

    def to_drawn_round(self) -> SeatedRound:
        """Return the tables, and the players who rest: firsts, then seconds."""
        tables: list[Seats] = []
        for table in self.tables:
            one, two, three, four = (player for player in table if player is not None)
            tables.append((one, two, three, four))
        firsts = [number for number in self.pool if self.roles.get(number) != Role.SECOND]
        seconds = [number for number in self.pool if self.roles.get(number) == Role.SECOND]
        return SeatedRound(tuple(tables), (*firsts, *seconds))


def map_roles(tables: Sequence[Sequence[PlayerId]]) -> dict[PlayerId, str]:
    """Return the roles of the seated players, by their seats."""
    return {
        player: str(get_seat_role(seat))
        for table in tables
        for seat, player in enumerate(table)
    }
