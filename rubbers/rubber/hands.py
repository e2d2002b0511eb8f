"""The result of one hand at a table.

The constructor of `Hand` raises UnplayableHand for values that no code of laws allows, such as
five honours. `hand_score` checks values that only some codes allow, such as a penalty.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated, NamedTuple

from django.utils.translation import gettext as _

from rubbers.rubber.errors import UnplayableHand
from server.json_reader.formats import JsonKey
from server.json_reader.values import build_whole_number_reader

TRICKS_PER_HAND = 13
HONOURS_PER_SUIT = 4
"""The honours are the ace, king, queen and knave of trumps."""


class Side(StrEnum):
    """One of the two partnerships of a table."""

    A = "A"
    B = "B"

    @property
    def opponents(self) -> "Side":
        """The other side."""
        return Side.B if self is Side.A else Side.A


class SideCounts(NamedTuple):
    """A number for each side: tricks, honours, or a score."""

    a: Annotated[int, JsonKey("A"), build_whole_number_reader(0, 13)] = 0
    b: Annotated[int, JsonKey("B"), build_whole_number_reader(0, 13)] = 0

    def get_count(self, side: Side) -> int:
        """Return the number of one side."""
        return self.a if side is Side.A else self.b

    def with_count(self, side: Side, new_count: int) -> "SideCounts":
        """Return a copy with another number for one side."""
        return (
            SideCounts(new_count, self.b) if side is Side.A else SideCounts(self.a, new_count)
        )


class Penalty(StrEnum):
    """The penalty for a revoke."""

    TRICKS = "tricks"
    """Tricks of the revoking side are given to the other side."""
    LOST_POINTS = "minus"
    """Points are subtracted from the score of the revoking side."""
    OPPONENT_POINTS = "plus"
    """Points are added to the score of the other side."""


class Revoke(NamedTuple):
    """A revoke of one side, with the penalty that the other side chose.

    `penalty` is None if the code has only one penalty. A revoke by the side's dummy costs
    nothing.
    """

    by: Side
    penalty: Penalty | None = None
    is_by_dummy: Annotated[bool, JsonKey("dummy")] = False


ZERO_COUNTS = SideCounts()


@dataclass(frozen=True, kw_only=True)
class Hand:
    """The tricks and honours of each side in a hand, or the side that called its honours.

    A side that calls its honours wins the game without playing the hand. The constructor raises
    UnplayableHand.
    """

    tricks: SideCounts | None = None
    """The tricks that each side won, before any penalty; None if honours were called."""
    honours: SideCounts = ZERO_COUNTS
    """The number of honours that each side held, 0 to 4."""
    are_honours_claimed: Annotated[bool, JsonKey("claimed")] = True
    """Whether the honours were claimed in time. Unclaimed honours do not score."""
    revokes: tuple[Revoke, ...] = ()
    calling_side: Annotated[Side | None, JsonKey("called")] = None

    def __post_init__(self) -> None:
        _check_honours(self.honours)
        if self.calling_side is not None:
            _check_call(self, self.calling_side)
        elif self.tricks is None:
            raise UnplayableHand(_("enter the tricks"))
        else:
            _check_tricks(self.tricks)

    def without_dummy_revokes(self) -> "Hand":
        """Return the hand without the revokes of dummies, which cost nothing."""
        penalised_revokes = tuple(revoke for revoke in self.revokes if not revoke.is_by_dummy)
        return (
            self
            if penalised_revokes == self.revokes
            else replace(self, revokes=penalised_revokes)
        )

    def list_revokes(self, side: Side) -> tuple[Revoke, ...]:
        """Return the revokes of one side."""
        return tuple(revoke for revoke in self.revokes if revoke.by is side)


def _check_tricks(tricks: SideCounts) -> None:
    if not all(0 <= trick_count <= TRICKS_PER_HAND for trick_count in tricks):
        message = _("tricks must be 0 to %(most)s")
        raise UnplayableHand(message % {"most": TRICKS_PER_HAND})
    if sum(tricks) != TRICKS_PER_HAND:
        message = _("tricks %(a)s and %(b)s add up to %(sum)s")
        raise UnplayableHand(message % {"a": tricks.a, "b": tricks.b, "sum": sum(tricks)})


def _check_honours(honours: SideCounts) -> None:
    if not all(0 <= honour_count <= HONOURS_PER_SUIT for honour_count in honours):
        message = _("honours must be 0 to %(most)s")
        raise UnplayableHand(message % {"most": HONOURS_PER_SUIT})
    if sum(honours) > HONOURS_PER_SUIT:
        message = _("honours can’t add up to more than four (%(a)s + %(b)s)")
        raise UnplayableHand(message % {"a": honours.a, "b": honours.b})


def _check_call(hand: Hand, calling_side: Side) -> None:
    if hand.tricks is not None:
        raise UnplayableHand(_("a called hand has no tricks"))
    if hand.revokes:
        raise UnplayableHand(_("a called hand has no revokes"))
    if any(hand.honours) and hand.honours.get_count(calling_side) < HONOURS_PER_SUIT - 1:
        message = _("side %(side)s called, so it has three honours, not %(number)s")
        raise UnplayableHand(
            message % {"side": calling_side, "number": hand.honours.get_count(calling_side)}
        )
