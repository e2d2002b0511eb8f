"""Dummy for three players and double dummy for two.

A hand that no player holds lies open on the table, and its partner plays it. The rules are
those of whist, with these exceptions:

* Dummy deals first in each rubber, and after that the deal goes round as always.
* There is no misdeal.
* Dummy's revokes cost nothing, and a revoke that is found too late stands. Dummy's partner and
  the adversaries pay for theirs as always.

Readings of ours, for the books are silent: each of three plays with dummy in turn, a rubber
each, beginning with the lowest cut; in double dummy the two dummies deal first in turn. Alone
against two a player wins or loses twice the points, so that the points of all add to nothing.

Source: rules W16.
"""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum

from django.utils.translation import gettext as _

from rubbers.rubber.errors import UnplayableHand
from rubbers.rubber.hands import Hand, Side

DUMMY = "0"
"""What the sides of a spell have in place of a player's number. The partner is named first."""
MIN_PLAYERS = 2
"""The fewest players at a table."""

Four = tuple[str, str, str, str]
"""Side A's two hands, then side B's."""


class Kind(StrEnum):
    """What is played at a table."""

    WHIST = "whist"
    DUMMY = "dummy"
    DOUBLE_DUMMY = "double-dummy"


_KINDS = {2: Kind.DOUBLE_DUMMY, 3: Kind.DUMMY, 4: Kind.WHIST}


def kind_for(players: int) -> Kind:
    """Return what two or more players at a table play."""
    return _KINDS[min(players, 4)]


def players_of(hands: Iterable[str]) -> list[str]:
    """Leave the dummies out."""
    return [name for name in hands if name != DUMMY]


def is_seating(hands: Sequence[str]) -> bool:
    """Tell whether four hands are two sides of different players, dummies in their places.

    In dummy the dummy is side A's, as the dealer of the first hand; in double dummy each side
    has one.
    """
    if len(hands) != 4:
        return False
    dummies = [place for place, name in enumerate(hands) if name == DUMMY]
    players = players_of(hands)
    return len(set(players)) == len(players) and dummies in ([], [1], [1, 3])


def seated_with_dummy(order: Sequence[str]) -> Four:
    """Seat three or two: the first of them plays with the dummy that deals first."""
    if len(order) == MIN_PLAYERS:
        return order[0], DUMMY, order[1], DUMMY
    first, second, third = order
    return first, DUMMY, second, third


def next_in_turn(hands: Sequence[str]) -> Four:
    """Seat the same players for the next rubber: dummy passes on to the next of them."""
    first, *others = players_of(hands)
    return seated_with_dummy([*others, first])


def stake(sides: Mapping[Side, tuple[str, str]], side: Side) -> int:
    """Return how often a player of a side wins or loses the points: twice alone against two."""
    own, others = (len(players_of(sides[each])) for each in (side, side.other))
    return 2 if own < others else 1


def check_revokes(sides: Mapping[Side, tuple[str, str]] | None, hand: Hand) -> None:
    """Raise UnplayableHand for a revoke of a dummy where the side has none."""
    for revoke in hand.revokes:
        if revoke.dummy and (sides is None or DUMMY not in sides[revoke.by]):
            words = _("side %(side)s has no dummy that could revoke")
            raise UnplayableHand(words % {"side": revoke.by})
