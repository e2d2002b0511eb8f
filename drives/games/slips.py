"""Hands that explain a wrong sum on a paper sheet or a score card."""

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from drives.scores.totals_check import list_digit_exchanges


class SlipKind(StrEnum):
    """The mistake that would explain the difference."""

    LEFT_OUT = "left-out"
    WRONG_SIGN = "wrong-sign"
    DIGITS = "digits"
    """Two digits exchanged, in the hand or in the sum."""


class Slip(NamedTuple):
    """A possible mistake: the hand, counted from 1, or None for the sum itself."""

    kind: SlipKind
    hand: int | None


def find_slips(points: Sequence[int], written: int) -> list[Slip]:
    """Return the mistakes that explain a written sum, the most likely first.

    `points` are one player's computed points, hand by hand. A sum cannot show more: two
    mistakes that cancel out remain hidden.
    """
    total = sum(points)
    off = written - total
    if not off:
        return []
    hands = list(enumerate(points, start=1))
    found = [Slip(SlipKind.LEFT_OUT, hand) for hand, each in hands if each == -off]
    found += [Slip(SlipKind.WRONG_SIGN, hand) for hand, each in hands if -2 * each == off]
    found += [
        Slip(SlipKind.DIGITS, hand)
        for hand, each in hands
        if each and each + off in list_digit_exchanges(each)
    ]
    if written in list_digit_exchanges(total):
        found.append(Slip(SlipKind.DIGITS, None))
    return found
