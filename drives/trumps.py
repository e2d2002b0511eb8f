"""Computes the trumps of a drive's rounds."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from drives.errors import DriveActionNotAllowed
from drives.models import Drive
from drives.models.drives import (
    MAX_TRUMP_CYCLE_LENGTH,
    SUIT_CODES,
    TRUMPS_DECLARED,
    TRUMPS_TURNED_UP,
)

CYCLE_RULE = "cycle"
"""The form value for a cycle of suits, which has its own box."""
TRUMPS_RULE_LABELS: Mapping[str, str | Promise] = {
    TRUMPS_TURNED_UP: gettext_lazy("turned up at each table"),
    TRUMPS_DECLARED: gettext_lazy("chosen by the bidder"),
    CYCLE_RULE: gettext_lazy("suits in turn"),
}
"""The ways to decide trumps, by form value."""


def get_suit_cycle(trumps: str) -> str:
    """Return the suits in turn; "" where each table decides."""
    return "" if trumps in (TRUMPS_TURNED_UP, TRUMPS_DECLARED) else trumps


def format_trumps_rule(trumps: str) -> str:
    """Return stored trumps for readers: the suits in turn, or who decides."""
    return get_suit_cycle(trumps) or str(TRUMPS_RULE_LABELS.get(trumps, ""))


def parse_trumps(rule: str, suits_text: str, stored_trumps: str) -> str:
    """Return the trumps of a form.

    Raises DriveActionNotAllowed for an unknown rule, for a cycle without valid suits, and for
    new suits with another rule than a cycle.
    """
    if rule not in TRUMPS_RULE_LABELS:
        raise DriveActionNotAllowed(_("Trumps: choose one of the options."))
    suit_cycle = "".join(suits_text.upper().replace(",", " ").split())
    if rule != CYCLE_RULE:
        # The box still contains the stored suits when a director changes only the rule.
        if suit_cycle not in ("", get_suit_cycle(stored_trumps)):
            message = _("Suits in turn: to use them, set Trumps to “%(rule)s”.")
            raise DriveActionNotAllowed(message % {"rule": TRUMPS_RULE_LABELS[CYCLE_RULE]})
        return rule
    if not 0 < len(suit_cycle) <= MAX_TRUMP_CYCLE_LENGTH or not set(suit_cycle) <= set(
        SUIT_CODES
    ):
        raise DriveActionNotAllowed(_("Trumps: enter suits in order, with H, C, D, S and N."))
    return suit_cycle


def compute_round_trumps(drive: Drive, round_number: int) -> str:
    """Return the trump suits of a round's hands, e.g. "HCDS" for four hands.

    Returns "" if trumps are decided at each table.
    """
    suit_cycle = get_suit_cycle(drive.trumps)
    if not suit_cycle:
        return ""
    first_hand_index = (round_number - 1) * drive.hands
    hand_count = min(drive.hands, MAX_TRUMP_CYCLE_LENGTH)
    return "".join(
        suit_cycle[(first_hand_index + hand_index) % len(suit_cycle)]
        for hand_index in range(hand_count)
    )
