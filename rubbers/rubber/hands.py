"""One recorded hand at a single table.

A `Hand` refuses values that are impossible under every code: tricks that do not add up to
thirteen, or five honours. `hand_score` checks values that depend on the code: the penalty of a
revoke, and calling.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated, NamedTuple

from django.utils.translation import gettext as _

from rubbers.rubber.errors import UnplayableHand
from server.json_reader.formats import Key
from server.json_reader.values import whole_number

TRICKS_PER_HAND = 13
HONOURS_PER_SUIT = 4
"""Ace, king, queen and knave of trumps."""


class Side(StrEnum):
    """One of the two partnerships of a table."""

    A = "A"
    B = "B"

    @property
    def opponents(self) -> "Side":
        """Return the adversaries."""
        return Side.B if self is Side.A else Side.A


class SideCounts(NamedTuple):
    """A number for each side: tricks, honours, or a score."""

    a: Annotated[int, Key("A"), whole_number(0, 13)] = 0
    b: Annotated[int, Key("B"), whole_number(0, 13)] = 0

    def get_side(self, side: Side) -> int:
        """Return one side's number."""
        return self.a if side is Side.A else self.b

    def with_side(self, side: Side, number: int) -> "SideCounts":
        """Return a copy with another number for one side."""
        return SideCounts(number, self.b) if side is Side.A else SideCounts(self.a, number)


class Penalty(StrEnum):
    """The penalty of a revoke: tricks moved to the other side, points off, or points for the
    others.
    """

    TRICKS = "tricks"
    MINUS = "minus"
    PLUS = "plus"


class Revoke(NamedTuple):
    """A revoke of one side with the penalty that the other side chose; None without a choice.

    A revoke of the side's `dummy` costs nothing.
    """

    by: Side
    penalty: Penalty | None = None
    dummy: bool = False


ZERO_COUNT = SideCounts()


@dataclass(frozen=True, kw_only=True)
class Hand:
    """One hand that was played or decided by a call: the tricks and honours of each side.

    `tricks` are those won in play, before any penalty. `honours` are the honours that each side
    held, 0 to 4; they are scored only if `claimed`. A side that `called` showed its honours at
    eight and won without tricks. Raises UnplayableHand.
    """

    tricks: SideCounts | None = None
    honours: SideCounts = ZERO_COUNT
    claimed: bool = True
    revokes: tuple[Revoke, ...] = ()
    called: Side | None = None

    def __post_init__(self) -> None:
        _check_honours(self.honours)
        if self.called is not None:
            _check_called(self, self.called)
        elif self.tricks is None:
            raise UnplayableHand(_("enter the tricks"))
        else:
            _check_tricks(self.tricks)

    def without_dummies(self) -> "Hand":
        """Return the hand without the revokes of dummies, which cost nothing."""
        counted_revokes = tuple(revoke for revoke in self.revokes if not revoke.dummy)
        return (
            self if counted_revokes == self.revokes else replace(self, revokes=counted_revokes)
        )

    def list_revokes(self, side: Side) -> tuple[Revoke, ...]:
        """List the revokes of one side."""
        return tuple(revoke for revoke in self.revokes if revoke.by is side)


def _check_tricks(tricks: SideCounts) -> None:
    if not all(0 <= number <= TRICKS_PER_HAND for number in tricks):
        message = _("tricks must be 0 to %(most)s")
        raise UnplayableHand(message % {"most": TRICKS_PER_HAND})
    if sum(tricks) != TRICKS_PER_HAND:
        message = _("tricks %(a)s and %(b)s add up to %(sum)s")
        raise UnplayableHand(message % {"a": tricks.a, "b": tricks.b, "sum": sum(tricks)})


def _check_honours(honours: SideCounts) -> None:
    if not all(0 <= number <= HONOURS_PER_SUIT for number in honours):
        message = _("honours must be 0 to %(most)s")
        raise UnplayableHand(message % {"most": HONOURS_PER_SUIT})
    if sum(honours) > HONOURS_PER_SUIT:
        message = _("honours %(a)s and %(b)s are more than four")
        raise UnplayableHand(message % {"a": honours.a, "b": honours.b})


def _check_called(hand: Hand, caller: Side) -> None:
    if hand.tricks is not None:
        raise UnplayableHand(_("a called hand has no tricks"))
    if hand.revokes:
        raise UnplayableHand(_("a called hand has no revokes"))
    if any(hand.honours) and hand.honours.get_side(caller) < HONOURS_PER_SUIT - 1:
        message = _("side %(side)s called, so it has three honours, not %(number)s")
        raise UnplayableHand(
            message % {"side": caller, "number": hand.honours.get_side(caller)}
        )
