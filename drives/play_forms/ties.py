"""The rules for a tied table in a play form in which one side has to move.

| code | who moves | the tie in the count of games won |
|---|---|---|
| `lot` | the sealed secret decides | counts for neither side |
| `cut` | the organiser enters who won the cut | counts for neither side |
| `next-hand` | the organiser enters who has more tricks in the next hand | for neither side |
| `half` | the organiser enters who won the cut | half a game for each side |

Sources: docs/sources.md DT1 (`next-hand`) and DT2 (`half`).
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from django.utils.translation import gettext as _

TIES_TERM = "ties"


class TieRule(StrEnum):
    """The rule that decides a tie; the values are codes of files and of the API."""

    LOT = "lot"
    CUT = "cut"
    NEXT_HAND = "next-hand"
    HALF_POINTS = "half"

    @property
    def is_winner_input_needed(self) -> bool:
        """Whether the organiser has to enter the side that counts as the winner after a tie."""
        return self is not TieRule.LOT

    @property
    def input_label(self) -> str:
        """The label of the input in which the organiser chooses a side at a tied table."""
        label_by_rule = {
            TieRule.LOT: _("tied: choose a side, or leave it to a draw"),
            TieRule.CUT: _("tied: who won the cut?"),
            TieRule.NEXT_HAND: _("tied: who wins the next hand, or the cut?"),
            TieRule.HALF_POINTS: _("tied, half a game each: who won the cut to move?"),
        }
        return label_by_rule[self]

    @property
    def announcement(self) -> str:
        """The text that the organiser announces about ties, or "" if none is needed."""
        text_by_rule = {
            TieRule.NEXT_HAND: _(
                "Ties: play one more hand, and the side with more tricks wins. Still tied: cut."
            ),
            TieRule.HALF_POINTS: _("Ties: half a game each. Cut only to decide who moves."),
        }
        return text_by_rule.get(self, "")


def is_tie_rule(value: object) -> bool:
    """Return whether a term of a file or of the API is a tie rule."""
    return isinstance(value, str) and value in set(TieRule)


def get_tie_rule(terms: Mapping[str, Any]) -> TieRule:
    """Return the tie rule in a drive's terms; the default is a random draw."""
    rule_code = terms.get(TIES_TERM, TieRule.LOT)
    return TieRule(rule_code) if is_tie_rule(rule_code) else TieRule.LOT
