"""Dummy for three players and double dummy for two.

A hand without a player is open on the table, and its partner plays it. The rules are those of
whist, with these exceptions:

* Dummy deals first in each rubber; after that the deal rotates as always.
* There is no misdeal.
* Dummy's revokes cost nothing, and a revoke that is found too late is not corrected. Dummy's
  partner and the adversaries pay for theirs as always.

The books are silent on these points, which are our interpretation: each of three plays with
dummy for one rubber in turn, beginning with the lowest cut; in double dummy the two dummies
deal first in turn. A player who has no partner wins or loses twice the points, so the sum of
all points is 0.

Source: rules W16.
"""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum

from django.utils.translation import gettext as _

from rubbers.rubber.errors import UnplayableHand
from rubbers.rubber.hands import Hand, Side

DUMMY_NAME = "0"
"""The name of a dummy in the sides of a spell. Its partner is named first."""
MIN_PLAYERS = 2
"""The minimum number of players at a table."""

Four = tuple[str, str, str, str]
"""Side A's two hands, then side B's."""


class GameKind(StrEnum):
    """The kind of game at a table, by the number of players."""

    WHIST = "whist"
    DUMMY = "dummy"
    DOUBLE_DUMMY = "double-dummy"


_KINDS = {2: GameKind.DOUBLE_DUMMY, 3: GameKind.DUMMY, 4: GameKind.WHIST}


def get_game_kind(players: int) -> GameKind:
    """Return the kind of game for two or more players at a table."""
    return _KINDS[min(players, 4)]


def remove_dummies(hands: Iterable[str]) -> list[str]:
    """Return the names without the dummies."""
    return [name for name in hands if name != DUMMY_NAME]


def is_seating(hands: Sequence[str]) -> bool:
    """Return whether four names are two sides of different players, with valid dummies.

    In dummy the dummy is on side A and deals the first hand; in double dummy each side has one.
    """
    if len(hands) != 4:
        return False
    dummies = [place for place, name in enumerate(hands) if name == DUMMY_NAME]
    players = remove_dummies(hands)
    return len(set(players)) == len(players) and dummies in ([], [1], [1, 3])


def seat_with_dummy(order: Sequence[str]) -> Four:
    """Seat two or three players and the dummy. The first player is the dummy's partner, and the
    dummy deals first.
    """
    if len(order) == MIN_PLAYERS:
        return order[0], DUMMY_NAME, order[1], DUMMY_NAME
    first, second, third = order
    return first, DUMMY_NAME, second, third


def seat_next_in_turn(hands: Sequence[str]) -> Four:
    """Seat the same players for the next rubber, with the next player in turn as the dummy's
    partner.
    """
    first_player, *other_players = remove_dummies(hands)
    return seat_with_dummy([*other_players, first_player])


def compute_stake(sides: Mapping[Side, tuple[str, str]], side: Side) -> int:
    """Return the factor of a player's points: 2 with a dummy against two players, else 1."""
    own_players, opponents = (
        len(remove_dummies(sides[side_])) for side_ in (side, side.opponents)
    )
    return 2 if own_players < opponents else 1


def check_revokes(sides: Mapping[Side, tuple[str, str]] | None, hand: Hand) -> None:
    """Raise UnplayableHand if a dummy's revoke is recorded for a side that has no dummy."""
    for revoke in hand.revokes:
        if revoke.dummy and (sides is None or DUMMY_NAME not in sides[revoke.by]):
            message = _("side %(side)s has no dummy to revoke")
            raise UnplayableHand(message % {"side": revoke.by})
