"""Services that record, correct and undo hands, and store each value as a `HandVersion`."""

import json
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from boards.whist import format_problems
from clubs import audit, permissions
from clubs.activities.services import increment_revision, lock_activity
from clubs.audit import Actor
from clubs.errors import ActionUnavailable
from drives.models import Seat, Sheet
from drives.services.scores import enter_sheet
from rubbers.errors import RubberConflict, RubberRefused
from rubbers.files.night_file import build_hand_data
from rubbers.files.rubber_file import parse_hand
from rubbers.models import HandVersion, RubberHand, RubberNight, RubberTable, Spell
from rubbers.rubber.corrections import CorrectionStage
from rubbers.rubber.dummy import check_revokes
from rubbers.rubber.errors import UnplayableHand
from rubbers.rubber.hands import Hand
from rubbers.rubber.spell_score import ScoredSpell, replace_hand, score_hands
from rubbers.services.table_acts import (
    build_table_subject,
    check_is_open,
    load_table,
    lock_table,
    record_table_act,
)
from rubbers.snapshot import TableSnapshot, load_night
from server.json_reader.problems import can_be_stored
from server.request_source import get_request_source


@transaction.atomic
def record_hand(
    *,
    night: RubberNight,
    table: int,
    spell: int,
    number: int,
    hand: Mapping[str, Any],
    round: int = 0,
    by: Actor,
) -> RubberHand:
    """Record the next hand of a table; `hand` has the format of the rubber file.

    `spell` and `number` are the numbers of the spell and the hand that the page showed.
    Recording the same hand again changes nothing. Raises RubberConflict if another screen has
    recorded a different hand in the meantime. Raises RubberRefused or UnreadableRubber for an
    impossible hand.
    """
    locked_night = lock_activity(night)
    check_is_open(locked_night)
    if locked_night.drive is not None:
        _copy_drive_seats(locked_night, table, round)
    _night, table_snapshot = load_table(locked_night, table, round)
    hand_data = _normalise_hand(hand, number)
    existing_hand = RubberHand.objects.filter(
        table=table_snapshot.row, spell=spell, number=number
    ).first()
    if existing_hand is not None and existing_hand.told:
        if existing_hand.told == hand_data:
            return existing_hand
        raise RubberConflict(_("Someone else has just entered this hand. Check it first."))
    _check_is_next_hand(table_snapshot, spell, number)
    _check_has_no_score(locked_night, table_snapshot)
    parsed_hand = parse_hand(hand_data, _format_hand_label(number))
    _check_dummy_revokes(table_snapshot, spell, parsed_hand)
    score_hands(
        table_snapshot.night.terms, [*table_snapshot.night.spells[-1].hands, parsed_hand]
    )
    stored_hand = existing_hand or RubberHand(
        table=table_snapshot.row, spell=spell, number=number
    )
    return _save_hand(
        by, "rubbers.marked", table_snapshot.row, stored_hand, hand_data, "rubbers.unmark"
    )


def _check_is_next_hand(
    table_snapshot: TableSnapshot, spell_number: int, hand_number: int
) -> None:
    if not table_snapshot.spells:
        raise ActionUnavailable(_("First choose who plays with whom."))
    if (spell_number, hand_number) != (
        table_snapshot.spells[-1].number,
        len(table_snapshot.stored_hands[-1]) + 1,
    ):
        raise RubberConflict(_("Someone else has just entered something. Check it first."))
    if table_snapshot.row.settled:
        raise ActionUnavailable(_("This table has finished its round."))
    if table_snapshot.is_over:
        if table_snapshot.row.round:
            raise ActionUnavailable(_("The rubber is over, so this table’s round is finished."))
        raise ActionUnavailable(_("The rubber is over. First choose who plays next."))


def _check_has_no_score(night: RubberNight, table_snapshot: TableSnapshot) -> None:
    """Raise ActionUnavailable for a hand of an earlier round with a score in the drive."""
    if night.drive is None or table_snapshot.row.round >= night.drive.at_round:
        return
    sheets = Sheet.objects.filter(
        round__drive=night.drive,
        round__number=table_snapshot.row.round,
        table=table_snapshot.row.number,
    )
    if any(sheet.score for sheet in sheets):
        raise ActionUnavailable(_("That round has finished. Ask the organiser to change it."))


def _copy_drive_seats(night: RubberNight, table_number: int, round_number: int) -> None:
    """Copy the seats of a drive's round to the table's first spell.

    Raises ActionUnavailable if the table already has hands of other players.
    """
    assert night.drive is not None  # `record_hand` has checked this
    if not 1 <= round_number <= night.drive.at_round:
        raise RubberRefused(_("This round hasn’t started."))
    player_number_by_seat = dict(
        Seat.objects.filter(
            round__drive=night.drive, round__number=round_number, table=table_number
        ).values_list("seat", "player__number")
    )
    if len(player_number_by_seat) != 4:
        raise RubberRefused(_("Table %(table)s not found.") % {"table": table_number})
    table_seats = [
        player_number_by_seat[1],
        player_number_by_seat[3],
        player_number_by_seat[2],
        player_number_by_seat[4],
    ]
    rubber_table, _is_new = RubberTable.objects.get_or_create(
        night=night, round=round_number, number=table_number
    )
    first_spell = Spell.objects.filter(table=rubber_table, number=1).first()
    if first_spell is None:
        Spell.objects.create(
            table=rubber_table, number=1, seats=table_seats, dealer=table_seats[0]
        )
    elif first_spell.seats != table_seats:
        if RubberHand.objects.filter(table=rubber_table).exclude(told={}).exists():
            message = _("Different players sit here now. Undo this table’s hands first.")
            raise ActionUnavailable(message)
        first_spell.seats, first_spell.dealer = table_seats, table_seats[0]
        first_spell.save(update_fields=["seats", "dealer"])


@transaction.atomic
def undo_hand(
    *, night: RubberNight, table: int, spell: int, number: int, round: int = 0, by: Actor
) -> None:
    """Undo the last hand of a table.

    Raises ActionUnavailable if the hand is no longer the last one.
    """
    _night, table_snapshot = lock_table(night, table, round)
    if not table_snapshot.spells or (spell, number) != (
        table_snapshot.spells[-1].number,
        len(table_snapshot.stored_hands[-1]),
    ):
        raise ActionUnavailable(_("Only a table’s last hand can be undone."))
    stored_hand = RubberHand.objects.get(table=table_snapshot.row, spell=spell, number=number)
    _save_hand(by, "rubbers.unmarked", table_snapshot.row, stored_hand, {}, "rubbers.mark")


@transaction.atomic
def correct_hand(
    *,
    night: RubberNight,
    table: int,
    spell: int,
    number: int,
    hand: Mapping[str, Any],
    seen: str | None = None,
    reason: str = "",
    round: int = 0,
    by: Actor,
) -> RubberHand:
    """Correct a hand; all later hands are scored again.

    `seen` is the hand that the page showed (`serialize_hand`). Raises RubberConflict if the
    stored hand is different.

    Every marker may correct a hand until its rubber is over. Later, only a director may correct
    it, with a reason; ActionUnavailable is raised for other users. Raises RubberRefused if
    hands would follow the end of the rubber, and UnreadableRubber if a later hand would become
    impossible.
    """
    snapshot, table_snapshot = lock_table(night, table, round)
    table_hands = (
        RubberHand.objects.filter(table=table_snapshot.row)
        if table_snapshot.row.pk
        else RubberHand.objects.none()
    )
    stored_hand = table_hands.filter(spell=spell, number=number).first()
    if stored_hand is None or not stored_hand.told:
        raise RubberRefused(_("Hand not found."))
    hand_data = _normalise_hand(hand, number)
    if stored_hand.told == hand_data:
        return stored_hand
    if seen is not None and seen != serialize_hand(stored_hand.told):
        raise RubberConflict(_("Someone else has just entered this hand. Check it first."))
    clean_reason = " ".join(reason.split())
    if (
        len(clean_reason) > 200
        or not clean_reason.isprintable()
        or not can_be_stored(clean_reason)
    ):
        raise RubberRefused(_("Enter the reason on one line, at most 200 characters."))
    _check_correction_allowed(snapshot.row, table_snapshot, spell, number, clean_reason, by)
    corrected_hand, hands_before_correction = (
        parse_hand(hand_data, _format_hand_label(number)),
        table_snapshot.night.spells[spell - 1].hands,
    )
    _check_dummy_revokes(table_snapshot, spell, corrected_hand)
    corrected_spell = score_hands(
        table_snapshot.night.terms,
        replace_hand(hands_before_correction, number, corrected_hand),
    )
    _check_no_early_rubber_end(table_snapshot.scored_spells[spell - 1], corrected_spell)
    return _save_hand(
        by,
        "rubbers.corrected",
        table_snapshot.row,
        stored_hand,
        hand_data,
        "rubbers.correct",
        clean_reason,
    )


def serialize_hand(hand_data: Mapping[str, Any]) -> str:
    """Serialize a recorded hand for the HTML form for corrections, which posts it as `seen`."""
    return json.dumps(hand_data, sort_keys=True)


def _check_no_early_rubber_end(
    current_spell: ScoredSpell, corrected_spell: ScoredSpell
) -> None:
    """Raise RubberRefused if, after a correction, hands would follow the end of the rubber.

    An older version of Overplay allowed such hands. If they existed before the correction, the
    correction is accepted.
    """
    early_end_hand_number = corrected_spell.early_end_hand_number
    if early_end_hand_number not in (None, current_spell.early_end_hand_number):
        message = _("The rubber would end with hand %(hand)s. Undo the hands after it first.")
        raise RubberRefused(message % {"hand": early_end_hand_number})


def _check_correction_allowed(
    night: RubberNight,
    table_snapshot: TableSnapshot,
    spell_number: int,
    hand_number: int,
    reason: str,
    by: Actor,
) -> None:
    if (
        table_snapshot.get_correction_stage(spell_number, hand_number)
        is not CorrectionStage.ORGANISER_ONLY
    ):
        return
    if by is not None and not permissions.can_direct(by, night.club):
        raise ActionUnavailable(_("The rubber is over. Only the organiser can correct it now."))
    if not reason and get_request_source() != "undo":
        raise RubberRefused(_("The rubber is over. Enter why you’re correcting this hand."))


def _check_dummy_revokes(table_snapshot: TableSnapshot, spell_number: int, hand: Hand) -> None:
    try:
        check_revokes(table_snapshot.night.spells[spell_number - 1].sides, hand)
    except UnplayableHand as problem:
        raise RubberRefused(format_problems([str(problem)])) from None


def _normalise_hand(hand_data: Mapping[str, Any], hand_number: int) -> dict[str, Any]:
    """Validate a hand, and return it in the stored format without default values."""
    return build_hand_data(parse_hand(dict(hand_data), _format_hand_label(hand_number)))


def _format_hand_label(hand_number: int) -> str:
    return _("hand %s") % hand_number


def _save_hand(
    by: Actor,
    action: str,
    rubber_table: RubberTable,
    stored_hand: RubberHand,
    hand_data: dict[str, Any],
    inverse_name: str,
    reason: str = "",
) -> RubberHand:
    """Store a new value of a hand with its version, and record the act.

    The acts of recording and undoing hands can only be undone in reverse order. A correction
    can be undone in any order.
    """
    old_hand_data, stored_hand.told = stored_hand.told, hand_data
    stored_hand.save()
    HandVersion.objects.create(
        hand=stored_hand,
        told=hand_data,
        reason=reason,
        entered_by=audit.format_author_key(by),
        entered_at=timezone.now(),
        way=get_request_source(),
    )
    _enter_score_in_drive(rubber_table, by)
    hand_undo_subject = (
        f"rubber hand {rubber_table.round}.{rubber_table.number}."
        f"{stored_hand.spell}.{stored_hand.number}"
    )
    record_table_act(
        by,
        action,
        rubber_table,
        inverse_name,
        {"spell": stored_hand.spell, "number": stored_hand.number}
        | ({"hand": old_hand_data} if old_hand_data else {}),
        where={"spell": stored_hand.spell, "hand": stored_hand.number},
        before={"marked": old_hand_data} if old_hand_data else None,
        after=({"marked": hand_data} if hand_data else {})
        | ({"reason": reason} if reason else {}),
        undo_subjects=(hand_undo_subject,)
        if old_hand_data and hand_data
        else (build_table_subject(rubber_table), hand_undo_subject),
    )
    return stored_hand


def _enter_score_in_drive(rubber_table: RubberTable, by: Actor) -> None:
    """If the table belongs to a drive, enter the points of its rubber as its score there."""
    drive = rubber_table.night.drive
    if drive is None:
        return
    table_snapshot = load_night(rubber_table.night).tables[
        rubber_table.round, rubber_table.number
    ]
    entered_sheet = enter_sheet(
        drive=drive,
        round_number=rubber_table.round,
        table=rubber_table.number,
        score=table_snapshot.drive_score,
        by=by,
    )
    # The drive file contains the hands, so the revision increases even without a new score.
    if not entered_sheet.is_changed:
        increment_revision(lock_activity(drive))


@transaction.atomic
def set_table_round_ended(
    *, night: RubberNight, table: int, round: int, settled: bool = True, by: Actor
) -> None:
    """End the round of a drive's table, and score its unfinished rubber.

    The term `unfinished_rule` decides the score. If `settled` is false, the table can continue
    to play its round. Raises ActionUnavailable if the table has no hand.
    """
    locked_night = lock_activity(night)
    check_is_open(locked_night)
    if locked_night.drive is None:
        raise ActionUnavailable(_("A night’s tables finish when the night is closed."))
    _night, table_snapshot = load_table(locked_night, table, round)
    if table_snapshot.row.settled == settled:
        return
    if not any(table_snapshot.stored_hands):
        raise ActionUnavailable(_("No hands entered at this table."))
    table_snapshot.row.settled = settled
    table_snapshot.row.save(update_fields=["settled"])
    _enter_score_in_drive(table_snapshot.row, by)
    action = "rubbers.settled" if settled else "rubbers.unsettled"
    record_table_act(by, action, table_snapshot.row, "rubbers.settle", {"settled": not settled})
