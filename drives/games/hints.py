"""Questions about a surprising hand; they never refuse it."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from drives.games.contracts import TRICKS, Goal
from drives.games.settling import Settlement

UNUSUAL_SHORT, UNUSUAL_OVER = 5, 6
"""The missing tricks and the overtricks from which a hand is surprising."""
RARE_FAMILY = "troel"
"""The beginning of the codes of contracts that need three or four aces in one hand."""


def find_hints(settled: Settlement, previous: Settlement | None = None) -> list[str]:
    """Return questions about a hand, given the hand before at the same table."""
    return list(_list_hints(settled, previous))


def _list_hints(settled: Settlement, previous: Settlement | None) -> Iterator[str]:
    contract = settled.hand.contract
    if contract is None:
        return
    title, wants = contract.label.local, contract.rule.wants or 0
    if contract.rule.how is Goal.AT_LEAST and settled.hand.tricks:
        tricks = settled.hand.tricks[0]
        if tricks <= wants - UNUSUAL_SHORT or tricks >= wants + UNUSUAL_OVER:
            words = _("%(contract)s with %(tricks)s tricks: is that right?")
            yield words % {"contract": title, "tricks": tricks}
    if wants == TRICKS and any(part.is_made for part in settled.parts):
        yield _("%(contract)s was made: is that right?") % {"contract": title}
    if previous is not None and previous.hand.contract is not None:
        codes = (contract.code, previous.hand.contract.code)
        if all(code.startswith(RARE_FAMILY) for code in codes):
            yield _("%(contract)s twice in a row: is that right?") % {"contract": title}
