"""Fills empty seats after players have left or arrived; the other players keep their seats.

An empty seat goes to a newcomer or a resting player, if possible of the same role. The player
with the most rests comes first. If no such player is left, the last table is split up. Four
remaining players form a table.
"""

from collections.abc import Collection, Mapping, Sequence

from django.utils.translation import gettext as _

from drives.draw.participants import PlayerId, SeatedRound, Seats
from drives.errors import UnplayableDrive
from drives.moves.table_result import Role

FIRST_ROLE_SEAT_INDEXES = (0, 1)
"""The indexes of the seats of firsts; the other seats belong to seconds."""


def get_seat_role(seat_index: int) -> Role:
    """Return the role of a seat, counted from 0."""
    return Role.FIRST if seat_index in FIRST_ROLE_SEAT_INDEXES else Role.SECOND


def repair_tables(
    next_round: SeatedRound,
    present_players: Collection[PlayerId],
    role_by_player: Mapping[PlayerId, str],
    rest_counts: Mapping[PlayerId, int],
) -> SeatedRound:
    """Return a round in which all seated players are present and all tables are full.

    It differs from `next_round` as little as possible. Raises UnplayableDrive if fewer than
    four players are present.
    """
    if len(present_players) < 4:
        raise UnplayableDrive(_("Fewer than four players are left, so play can’t continue."))
    table_repair = _TableRepair(next_round, present_players, role_by_player, rest_counts)
    table_repair.fill_seats()
    table_repair.add_tables()
    return table_repair.to_seated_round()


class _TableRepair:
    """The tables with their empty seats, and the players without a seat."""

    def __init__(
        self,
        next_round: SeatedRound,
        present_numbers: Collection[PlayerId],
        role_by_player: Mapping[PlayerId, str],
        rest_counts: Mapping[PlayerId, int],
    ) -> None:
        present_players = set(present_numbers)
        self.tables: list[list[PlayerId | None]] = [
            [player if player in present_players else None for player in table]
            for table in next_round.tables
        ]
        self.rest_counts = rest_counts
        self.role_by_player = dict(role_by_player)
        for table in next_round.tables:
            self.role_by_player |= {
                player: get_seat_role(seat_index) for seat_index, player in enumerate(table)
            }
        seated_players = {player for table in next_round.tables for player in table} | set(
            next_round.resting_players
        )
        self.unseated_players = [
            player for player in next_round.resting_players if player in present_players
        ]
        self.unseated_players += [
            player for player in present_numbers if player not in seated_players
        ]

    def fill_seats(self) -> None:
        """Fill all empty seats from table 1 on; split up the last table if necessary."""
        while empty_seats := self._list_empty_seats():
            if len(self.unseated_players) < len(empty_seats):
                self.unseated_players += [
                    player for player in self.tables.pop() if player is not None
                ]
                continue
            for table_index, seat_index in empty_seats:
                self.tables[table_index][seat_index] = self._pop_next_player(
                    get_seat_role(seat_index)
                )

    def _list_empty_seats(self) -> list[tuple[int, int]]:
        return [
            (table_index, seat_index)
            for table_index, table in enumerate(self.tables)
            for seat_index, player in enumerate(table)
            if player is None
        ]

    def _pop_next_player(self, role: Role) -> PlayerId:
        """Remove and return the next player to seat, if possible of the given role."""
        unseated_index = min(
            range(len(self.unseated_players)),
            key=lambda index: (
                self._compute_role_mismatch(self.unseated_players[index], role),
                -self.rest_counts.get(self.unseated_players[index], 0),
                index,
            ),
        )
        player = self.unseated_players.pop(unseated_index)
        self.role_by_player[player] = role
        return player

    def _compute_role_mismatch(self, player: PlayerId, role: Role) -> int:
        """Return 0 if the player has the role, 1 if the player has no role, and else 2."""
        player_role = self.role_by_player.get(player)
        return 0 if player_role == role else 1 if not player_role else 2

    def add_tables(self) -> None:
        """Form tables of four players who are left over, firsts and seconds if possible."""
        while len(self.unseated_players) >= 4:
            self.tables.append(
                [self._pop_next_player(get_seat_role(seat_index)) for seat_index in range(4)]
            )

    def to_seated_round(self) -> SeatedRound:
        """Return the tables, and the players who rest: firsts, then seconds."""
        tables: list[Seats] = []
        for table in self.tables:
            player_1, player_2, player_3, player_4 = (
                player for player in table if player is not None
            )
            tables.append((player_1, player_2, player_3, player_4))
        first_role_players = [
            player
            for player in self.unseated_players
            if self.role_by_player.get(player) != Role.SECOND
        ]
        second_role_players = [
            player
            for player in self.unseated_players
            if self.role_by_player.get(player) == Role.SECOND
        ]
        return SeatedRound(tuple(tables), (*first_role_players, *second_role_players))


def map_roles(tables: Sequence[Sequence[PlayerId]]) -> dict[PlayerId, str]:
    """Return each seated player's role, which follows from the seat."""
    return {
        player: str(get_seat_role(seat_index))
        for table in tables
        for seat_index, player in enumerate(table)
    }
