"""The bell that ends a round: whether it has rung, by the rule of the house."""

from django.utils.translation import gettext as _

from drives.drive_results import BELL_AT_ANY_TABLE, BELL_AT_HEAD_TABLE, BELL_BY_CLOCK
from drives.play_forms.rounds import BELL_TERM
from drives.sheets.clock import build_clock
from drives.snapshot import DriveSnapshot

HEAD_TABLE = 1


def describe_bell(snapshot: DriveSnapshot) -> str:
    """Return the reason why the bell has rung while some tables still play; "" before that."""
    drive, at = snapshot.drive, snapshot.current_round
    who = drive.terms.get(BELL_TERM, "")
    if not who or at is None or drive.is_closed:
        return ""
    done = [
        table
        for table in at.tables
        if at.count_hands_entered(table, drive.hands) >= drive.hands
    ]
    if len(done) == len(at.tables):
        return ""
    if who == BELL_AT_HEAD_TABLE and HEAD_TABLE in done:
        return _("Table 1 has finished. Ring the bell: all scores so far count.")
    if who == BELL_AT_ANY_TABLE and done:
        words = _("Table %(table)s has finished. Ring the bell: all scores so far count.")
        return words % {"table": done[0]}
    if who == BELL_BY_CLOCK and build_clock(drive).state == "over":
        return _("Time is up. Ring the bell: all scores so far count.")
    return ""


def can_call_next_round(snapshot: DriveSnapshot) -> bool:
    """Return whether the next round can be called at the bell: every table has a score."""
    at = snapshot.current_round
    return at is not None and all(
        at.count_hands_entered(table, snapshot.drive.hands) for table in at.tables
    )
