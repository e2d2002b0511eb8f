"""Finds hands that may explain a wrong sum on a paper sheet or a score card."""

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from django.utils.translation import gettext as _

from drives.scores.totals_check import list_digit_exchanges


class MistakeKind(StrEnum):
    """The kind of a mistake that would explain a wrong sum."""

    OMISSION = "left-out"
    WRONG_SIGN = "wrong-sign"
    EXCHANGED_DIGITS = "digits"
    """Two digits were exchanged in the points of the hand or in the sum."""


class Mistake(NamedTuple):
    """A possible mistake in hand `hand_number`, or in the sum if that is None."""

    kind: MistakeKind
    hand_number: int | None

    def format(self, place_texts: Sequence[str], points_texts: Sequence[str]) -> str:
        """Return the mistake as a question, given the place and the points of each hand."""
        if self.hand_number is None:
            return _("Digits swapped in the sum?")
        message = {
            MistakeKind.OMISSION: _("%(where)s, %(points)s: left out?"),
            MistakeKind.WRONG_SIGN: _("%(where)s, %(points)s: wrong sign?"),
            MistakeKind.EXCHANGED_DIGITS: _("%(where)s, %(points)s: digits swapped?"),
        }[self.kind]
        hand_index = self.hand_number - 1
        return message % {"where": place_texts[hand_index], "points": points_texts[hand_index]}


def find_mistakes(points: Sequence[int], written_sum: int) -> list[Mistake]:
    """Return the mistakes that may explain a wrong sum, the most likely first.

    `points` are one player's computed points, hand by hand. Two mistakes that cancel out cannot
    be found.
    """
    computed_sum = sum(points)
    difference = written_sum - computed_sum
    if not difference:
        return []
    numbered_hands = list(enumerate(points, start=1))
    mistakes = [
        Mistake(MistakeKind.OMISSION, hand_number)
        for hand_number, hand_points in numbered_hands
        if hand_points == -difference
    ]
    mistakes += [
        Mistake(MistakeKind.WRONG_SIGN, hand_number)
        for hand_number, hand_points in numbered_hands
        if -2 * hand_points == difference
    ]
    mistakes += [
        Mistake(MistakeKind.EXCHANGED_DIGITS, hand_number)
        for hand_number, hand_points in numbered_hands
        if hand_points and hand_points + difference in list_digit_exchanges(hand_points)
    ]
    if written_sum in list_digit_exchanges(computed_sum):
        mistakes.append(Mistake(MistakeKind.EXCHANGED_DIGITS, None))
    return mistakes
