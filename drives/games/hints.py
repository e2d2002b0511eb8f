"""Notes on surprising hands, e.g. "Is that right?". Surprising hands are accepted anyway."""

from django.utils.translation import gettext as _

from drives.games.contracts import TRICKS_PER_DEAL, TrickGoal
from drives.games.settling import Settlement

MIN_UNUSUAL_MISSING_TRICKS, MIN_UNUSUAL_OVERTRICKS = 5, 6
"""A hand with at least this many missing tricks, or this many overtricks, is surprising."""
RARE_CONTRACT_CODE_PREFIX = "troel"
"""The beginning of the codes of contracts that need three or four aces in one hand."""


def find_hints(
    settlement: Settlement, previous_settlement: Settlement | None = None
) -> list[str]:
    """Return notes for the scorer about a surprising hand.

    `previous_settlement` is the previous hand at the same table.
    """
    contract, hints = settlement.hand.contract, []
    if contract is None:
        return []
    title, target_tricks = contract.label.local, contract.rule.wants or 0
    if contract.rule.goal is TrickGoal.AT_LEAST and settlement.hand.tricks:
        tricks = settlement.hand.tricks[0]
        if (
            tricks <= target_tricks - MIN_UNUSUAL_MISSING_TRICKS
            or tricks >= target_tricks + MIN_UNUSUAL_OVERTRICKS
        ):
            question = _("%(contract)s, tricks: %(tricks)s. Is that right?")
            hints.append(question % {"contract": title, "tricks": tricks})
    if target_tricks == TRICKS_PER_DEAL and any(
        settlement_part.is_made for settlement_part in settlement.parts
    ):
        hints.append(_("%(contract)s was made: is that right?") % {"contract": title})
    if previous_settlement is not None and previous_settlement.hand.contract is not None:
        codes = (contract.code, previous_settlement.hand.contract.code)
        if all(code.startswith(RARE_CONTRACT_CODE_PREFIX) for code in codes):
            question = _("%(contract)s twice in a row: is that right?")
            hints.append(question % {"contract": title})
    return hints
