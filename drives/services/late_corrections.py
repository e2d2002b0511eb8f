"""Requires a reason for corrections of a hand with a contract after its round has ended."""

from django.utils.translation import gettext as _

from drives.errors import InvalidScore, ReasonNeeded
from drives.models import Drive, Sheet
from server.json_reader.problems import can_be_stored

MAX_REASON_LENGTH = 200


def get_correction_reason(
    drive: Drive, sheet: Sheet, given_reason: str | None, place_text: str
) -> str:
    """Return the reason to record with a new score of a sheet, or "" if none is needed.

    `sheet` still has its old values. Only a correction of a contract in an earlier round needs
    a reason. An undo passes None, because it needs no reason. `place_text` names the hand in
    error messages. Raises ReasonNeeded if the reason is missing, and InvalidScore if it is too
    long.
    """
    clean_reason = " ".join((given_reason or "").split())
    if len(clean_reason) > MAX_REASON_LENGTH or not can_be_stored(clean_reason):
        message = _("%(where)s: enter a reason of at most %(most)s characters.")
        raise InvalidScore(message % {"where": place_text, "most": MAX_REASON_LENGTH})
    if not sheet.contract or sheet.round.number >= drive.at_round:
        return ""
    if given_reason is not None and not clean_reason:
        message = _("%(where)s: the round has ended. Enter a reason for the correction.")
        raise ReasonNeeded(message % {"where": place_text})
    return clean_reason
