"""The choice between the average and a new deal after a faulty deal (rules E and F)."""

from dataclasses import dataclass
from enum import StrEnum

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.methods.remedies import AverageRuling, NewDealRuling

MIN_TABLES_FOR_AVERAGE = 3


class Fault(StrEnum):
    """A fault found in a deal."""

    FAULTY_DEALING = "faulty_dealing"
    """A card exposed, a wrong pack, or not thirteen cards to each (Law III §2 a-c)."""
    CARDS_LEFT_IN_TRAY = "cards_left_in_tray"
    """On the original play, found after the first trick was quitted (Law III §2 d)."""
    WRONG_TRUMP_TURNED = "wrong_trump_turned"
    """On an overplay, corrected only after it had begun (Law IV §9)."""
    WRONG_TRUMP_RECORDED = "wrong_trump_recorded"
    """The slip shows another trump than the one turned in dealing (Law IV §10)."""
    BAD_HAND = "bad_hand"
    """On an overplay: a card too many, the trump card missing, or a card faced (Law V §1)."""


class AffectedTables(StrEnum):
    """The tables to which the remedy applies."""

    THIS_TABLE = "this_table"
    ORIGINAL_TABLE = "original_table"


@dataclass(frozen=True, slots=True)
class FaultDecision:
    """The remedy prescribed by the law, the tables to which it applies, and the reason."""

    remedy: AverageRuling | NewDealRuling
    table: AffectedTables
    law: str
    reason: str


def decide_remedy(
    fault: Fault, tables: int, *, was_played_since: bool = False
) -> FaultDecision:
    """Decide between the average and a new deal by the number of tables that play the deal.

    `tables` is the number of tables of the section at which the deal is played.
    `was_played_since` is true if a table after the original one has already played it with
    the recorded trump.
    """
    if fault is Fault.FAULTY_DEALING:
        return _decide_new_deal("III.2", _("A dealing fault always means a new deal."))
    if fault is Fault.CARDS_LEFT_IN_TRAY:
        return _decide_new_deal(
            "III.2",
            _("Cards were left in the tray on the original play, so there is a new deal."),
        )
    if fault is Fault.WRONG_TRUMP_RECORDED and not was_played_since:
        return _decide_new_deal(
            "IV.10", _("Noticed before any other table played it with the recorded trump.")
        )
    law = _LAWS_BY_FAULT[fault]
    if tables < MIN_TABLES_FOR_AVERAGE:
        sentence = ngettext(
            "Only one table plays the deal. With fewer than three there is a new deal.",
            "%(tables)s tables play the deal. With fewer than three there is a new deal.",
            tables,
        )
        return _decide_new_deal(law, sentence % {"tables": tables})
    if fault is Fault.WRONG_TRUMP_RECORDED:
        sentence = _(
            "%(tables)s tables play the deal, and it has been played "
            "with the recorded trump. That trump counts, and the "
            "original table takes the average."
        )
        return FaultDecision(
            AverageRuling(), AffectedTables.ORIGINAL_TABLE, law, sentence % {"tables": tables}
        )
    sentence = _(
        "%(tables)s tables play the deal. With three or more this table takes the average."
    )
    return FaultDecision(
        AverageRuling(), AffectedTables.THIS_TABLE, law, sentence % {"tables": tables}
    )


_LAWS_BY_FAULT = {
    Fault.WRONG_TRUMP_TURNED: "IV.9",
    Fault.WRONG_TRUMP_RECORDED: "IV.10",
    Fault.BAD_HAND: "V.1",
}


def _decide_new_deal(law: str, reason: str) -> FaultDecision:
    return FaultDecision(NewDealRuling(), AffectedTables.THIS_TABLE, law, reason)
