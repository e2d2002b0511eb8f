"""The bell of a round: whether it has rung, by the custom of the house."""

from django.utils.translation import gettext as _

from drives.forms.rounds import BELL
from drives.held import HeldDrive
from drives.reckoning import ANY, CLOCK, HEAD
from drives.sheets.clock import drive_clock

HEAD_TABLE = 1


def bell(held: HeldDrive) -> str:
    """Return why the bell has rung while some tables still play; "" before that."""
    drive, at = held.drive, held.at
    who = drive.terms.get(BELL, "")
    if not who or at is None or drive.is_closed:
        return ""
    done = [table for table in at.tables if at.hands_entered(table, drive.hands) >= drive.hands]
    if len(done) == len(at.tables):
        return ""
    if who == HEAD and HEAD_TABLE in done:
        return _("Table 1 has finished: ring the bell. What the others have made counts.")
    if who == ANY and done:
        words = _("Table %(table)s has finished: ring the bell. What the others made counts.")
        return words % {"table": done[0]}
    if who == CLOCK and drive_clock(drive).state == "over":
        return _("The time is over: ring the bell. What was made counts.")
    return ""


def may_go_on(held: HeldDrive) -> bool:
    """Return whether the next round can be called at the bell: every table has a score."""
    at = held.at
    return at is not None and all(
        at.hands_entered(table, held.drive.hands) for table in at.tables
    )
