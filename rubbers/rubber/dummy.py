"""The rules of dummy for three players and double dummy for two. Source: rules W16.

We assume that each player in turn has the dummy for one rubber. A player against two opponents
wins or loses twice the points, so the sum of all points is 0.
"""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum

from django.utils.translation import gettext as _

from rubbers.rubber.errors import UnplayableHand
from rubbers.rubber.hands import Hand, Side

DUMMY_NAME = "0"
"""The name of a dummy among the players of a side; a dummy is always the second player."""
MIN_PLAYERS = 2
"""The minimum number of players at a table."""

FourSeats = tuple[str, str, str, str]
"""The names of side A's two players, then of side B's; `DUMMY_NAME` means a dummy."""


class GameKind(StrEnum):
    """The kind of game at a table, by the number of players."""

    WHIST = "whist"
    DUMMY = "dummy"
    DOUBLE_DUMMY = "double-dummy"


_GAME_KINDS_BY_PLAYER_COUNT = {2: GameKind.DOUBLE_DUMMY, 3: GameKind.DUMMY, 4: GameKind.WHIST}


def get_game_kind(player_count: int) -> GameKind:
    """Return the kind of game for two or more players at a table."""
    return _GAME_KINDS_BY_PLAYER_COUNT[min(player_count, 4)]


def remove_dummies(player_names: Iterable[str]) -> list[str]:
    """Return the names without the dummies."""
    return [name for name in player_names if name != DUMMY_NAME]


def is_valid_seating(seat_names: Sequence[str]) -> bool:
    """Return whether four names, in the order of `FourSeats`, are a valid seating.

    The players must differ, and a dummy must be the second of its side. With three players, the
    dummy is on side A. With two players, each side has a dummy.
    """
    if len(seat_names) != 4:
        return False
    dummy_seats = [
        seat_index for seat_index, name in enumerate(seat_names) if name == DUMMY_NAME
    ]
    player_names = remove_dummies(seat_names)
    return len(set(player_names)) == len(player_names) and dummy_seats in ([], [1], [1, 3])


def seat_players_with_dummy(players_in_order: Sequence[str]) -> FourSeats:
    """Seat two or three players with one or two dummies.

    The first player has the dummy that deals first.
    """
    if len(players_in_order) == MIN_PLAYERS:
        return players_in_order[0], DUMMY_NAME, players_in_order[1], DUMMY_NAME
    first_player, second_player, third_player = players_in_order
    return first_player, DUMMY_NAME, second_player, third_player


def seat_next_dummy_rubber(player_names: Sequence[str]) -> FourSeats:
    """Seat the same players for the next rubber, in which the next player has the dummy."""
    first_player, *other_players = remove_dummies(player_names)
    return seat_players_with_dummy([*other_players, first_player])


def compute_points_factor(pairs_by_side: Mapping[Side, tuple[str, str]], side: Side) -> int:
    """Return the factor of a side's points: 2 for one player against two, else 1."""
    player_count, opponent_count = (
        len(remove_dummies(pairs_by_side[counted_side]))
        for counted_side in (side, side.opponents)
    )
    return 2 if player_count < opponent_count else 1


def check_revokes(pairs_by_side: Mapping[Side, tuple[str, str]] | None, hand: Hand) -> None:
    """Raise UnplayableHand if a dummy's revoke is recorded for a side that has no dummy."""
    for revoke in hand.revokes:
        if revoke.is_by_dummy and (
            pairs_by_side is None or DUMMY_NAME not in pairs_by_side[revoke.by]
        ):
            message = _("side %(side)s has no dummy to revoke")
            raise UnplayableHand(message % {"side": revoke.by})
