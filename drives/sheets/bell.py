"""The bell that ends a round at all tables, e.g. as soon as table 1 has finished."""

from django.utils.translation import gettext as _

from drives.drive_results import BELL_AT_ANY_TABLE, BELL_AT_HEAD_TABLE, BELL_BY_CLOCK
from drives.play_forms.rounds import BELL_TERM
from drives.sheets.clock import build_clock
from drives.snapshot import DriveSnapshot

HEAD_TABLE = 1


def describe_bell(snapshot: DriveSnapshot) -> str:
    """Return why the organiser should ring the bell while some tables still play; "" if not."""
    drive, current_round = snapshot.drive, snapshot.current_round
    bell_rule = drive.terms.get(BELL_TERM, "")
    if not bell_rule or current_round is None or drive.is_closed:
        return ""
    finished_table_numbers = [
        table_number
        for table_number in current_round.seats_by_table
        if current_round.count_hands_entered(table_number, drive.hands) >= drive.hands
    ]
    if len(finished_table_numbers) == len(current_round.seats_by_table):
        return ""
    if bell_rule == BELL_AT_HEAD_TABLE and HEAD_TABLE in finished_table_numbers:
        return _("Table 1 has finished. Ring the bell: all scores so far count.")
    if bell_rule == BELL_AT_ANY_TABLE and finished_table_numbers:
        message = _("Table %(table)s has finished. Ring the bell: all scores so far count.")
        return message % {"table": finished_table_numbers[0]}
    if bell_rule == BELL_BY_CLOCK and build_clock(drive).state == "over":
        return _("Time is up. Ring the bell: all scores so far count.")
    return ""


def can_call_next_round(snapshot: DriveSnapshot) -> bool:
    """Return whether every table has a score, so that the next round can begin at the bell."""
    current_round = snapshot.current_round
    return current_round is not None and all(
        current_round.count_hands_entered(table, snapshot.drive.hands)
        for table in current_round.seats_by_table
    )
