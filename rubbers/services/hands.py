"""Services that record, correct and undo hands; each value of a hand is kept."""

import json
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from boards.whist import format_problems
from clubs import access, audit
from clubs.activities.services import increment_revision, lock_activity
from clubs.audit import Actor
from clubs.errors import NotNow
from drives.models import Seat, Sheet
from drives.services.scores import enter_sheet
from rubbers.errors import RubberConflict, RubberRefused
from rubbers.files.night_file import build_hand
from rubbers.files.rubber_file import parse_hand
from rubbers.models import HandVersion, RubberHand, RubberNight, RubberTable, Spell
from rubbers.rubber.corrections import CorrectionSpan
from rubbers.rubber.dummy import check_revokes
from rubbers.rubber.errors import UnplayableHand
from rubbers.rubber.hands import Hand
from rubbers.rubber.spell_score import ScoredSpell, replace_hand, score_hands
from rubbers.services.table_acts import (
    build_table_subject,
    check_open,
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
    """Record the next hand of a table; `hand` has the format of files.

    `spell` and `number` are those that the page showed. Sending the same hand twice is
    idempotent; a hand that another screen has recorded since raises RubberConflict. Raises
    RubberRefused or UnreadableRubber for an impossible hand.
    """
    row = lock_activity(night)
    check_open(row)
    if row.drive is not None:
        _copy_drive_seats(row, table, round)
    _night, table_snapshot = load_table(row, table, round)
    hand_data = _normalise_hand(hand, number)
    existing_hand = RubberHand.objects.filter(
        table=table_snapshot.row, spell=spell, number=number
    ).first()
    if existing_hand is not None and existing_hand.told:
        if existing_hand.told == hand_data:
            return existing_hand
        raise RubberConflict(_("Someone else has just entered this hand. Check it first."))
    _check_next(table_snapshot, spell, number)
    _check_score_missing(row, table_snapshot)
    parsed_hand = parse_hand(hand_data, _format_place(number))
    _check_dummies(table_snapshot, spell, parsed_hand)
    score_hands(
        table_snapshot.night.terms, [*table_snapshot.night.spells[-1].hands, parsed_hand]
    )
    hand_row = existing_hand or RubberHand(table=table_snapshot.row, spell=spell, number=number)
    return _write_hand(
        by, "rubbers.marked", table_snapshot.row, hand_row, hand_data, "rubbers.unmark"
    )


def _check_next(table_snapshot: TableSnapshot, spell: int, number: int) -> None:
    if not table_snapshot.spells:
        raise NotNow(_("First choose who plays with whom."))
    if (spell, number) != (
        table_snapshot.spells[-1].number,
        len(table_snapshot.stored_hands[-1]) + 1,
    ):
        raise RubberConflict(_("Someone else has just entered something. Check it first."))
    if table_snapshot.row.settled:
        raise NotNow(_("This table has finished its round."))
    if table_snapshot.is_over:
        if table_snapshot.row.round:
            raise NotNow(_("The rubber is over, so this table’s round is finished."))
        raise NotNow(_("The rubber is over. First choose who plays next."))


def _check_score_missing(row: RubberNight, table_snapshot: TableSnapshot) -> None:
    """Refuse a hand for a drive's past round that has a score; a delayed hand is accepted."""
    if row.drive is None or table_snapshot.row.round >= row.drive.at_round:
        return
    sheets = Sheet.objects.filter(
        round__drive=row.drive,
        round__number=table_snapshot.row.round,
        table=table_snapshot.row.number,
    )
    if any(sheet.score for sheet in sheets):
        raise NotNow(_("That round has finished. Ask the organiser to change it."))


def _copy_drive_seats(row: RubberNight, table: int, round_: int) -> None:
    """Give a drive's table the seats of the drive's round, unless the table has hands."""
    assert row.drive is not None  # checked by the caller
    if not 1 <= round_ <= row.drive.at_round:
        raise RubberRefused(_("This round hasn't started."))
    seats = dict(
        Seat.objects.filter(
            round__drive=row.drive, round__number=round_, table=table
        ).values_list("seat", "player__number")
    )
    if len(seats) != 4:
        raise RubberRefused(_("Table %(table)s not found.") % {"table": table})
    table_seats = [seats[1], seats[3], seats[2], seats[4]]
    table_snapshot, _is_new = RubberTable.objects.get_or_create(
        night=row, round=round_, number=table
    )
    spell = Spell.objects.filter(table=table_snapshot, number=1).first()
    if spell is None:
        Spell.objects.create(
            table=table_snapshot, number=1, seats=table_seats, dealer=table_seats[0]
        )
    elif spell.seats != table_seats:
        if RubberHand.objects.filter(table=table_snapshot).exclude(told={}).exists():
            message = _("Different players sit here now. First undo this table’s hands.")
            raise NotNow(message)
        spell.seats, spell.dealer = table_seats, table_seats[0]
        spell.save(update_fields=["seats", "dealer"])


@transaction.atomic
def undo_hand(
    *, night: RubberNight, table: int, spell: int, number: int, round: int = 0, by: Actor
) -> None:
    """Undo the last hand of a table. Raises NotNow if it is no longer the last."""
    _night, table_snapshot = lock_table(night, table, round)
    if not table_snapshot.spells or (spell, number) != (
        table_snapshot.spells[-1].number,
        len(table_snapshot.stored_hands[-1]),
    ):
        raise NotNow(_("Only a table’s last hand can be undone."))
    hand_row = RubberHand.objects.get(table=table_snapshot.row, spell=spell, number=number)
    _write_hand(by, "rubbers.unmarked", table_snapshot.row, hand_row, {}, "rubbers.mark")


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

    `seen` is the hand that the page showed (`serialize_hand`); RubberConflict is raised if it
    has changed since.

    Every marker may correct a hand during its game. Until the rubber's end, every marker may
    correct values that change the rubber. Later only a director may, with a reason. Raises
    NotNow; RubberRefused where the rubber would be over before its last hand; UnreadableRubber
    where a later hand becomes impossible.
    """
    snapshot, table_snapshot = lock_table(night, table, round)
    hands = (
        RubberHand.objects.filter(table=table_snapshot.row)
        if table_snapshot.row.pk
        else RubberHand.objects.none()
    )
    hand_row = hands.filter(spell=spell, number=number).first()
    if hand_row is None or not hand_row.told:
        raise RubberRefused(_("Hand not found."))
    hand_data = _normalise_hand(hand, number)
    if hand_row.told == hand_data:
        return hand_row
    if seen is not None and seen != serialize_hand(hand_row.told):
        raise RubberConflict(_("Someone else has just entered this hand. Check it first."))
    clean_reason = " ".join(reason.split())
    if (
        len(clean_reason) > 200
        or not clean_reason.isprintable()
        or not can_be_stored(clean_reason)
    ):
        raise RubberRefused(_("Enter the reason on one line, at most 200 characters."))
    _check_span(snapshot.row, table_snapshot, spell, number, clean_reason, by)
    hand_now, earlier = (
        parse_hand(hand_data, _format_place(number)),
        table_snapshot.night.spells[spell - 1].hands,
    )
    _check_dummies(table_snapshot, spell, hand_now)
    corrected = score_hands(table_snapshot.night.terms, replace_hand(earlier, number, hand_now))
    _check_one_rubber(table_snapshot.scored_spells[spell - 1], corrected)
    return _write_hand(
        by,
        "rubbers.corrected",
        table_snapshot.row,
        hand_row,
        hand_data,
        "rubbers.correct",
        clean_reason,
    )


def serialize_hand(hand: Mapping[str, Any]) -> str:
    """Serialize a recorded hand for the correction page, which sends it back."""
    return json.dumps(hand, sort_keys=True)


def _check_one_rubber(current: ScoredSpell, corrected: ScoredSpell) -> None:
    """Refuse a correction after which hands would follow the end of the rubber.

    Data of an older version that violates this can still be corrected.
    """
    early_end = corrected.early_end
    if early_end not in (None, current.early_end):
        message = _("The rubber would end with hand %(hand)s. First undo the hands after it.")
        raise RubberRefused(message % {"hand": early_end})


def _check_span(
    row: RubberNight,
    table_snapshot: TableSnapshot,
    spell: int,
    number: int,
    reason: str,
    by: Actor,
) -> None:
    if table_snapshot.get_correction_span(spell, number) is not CorrectionSpan.ORGANISER:
        return
    if by is not None and not access.can_direct(by, row.club):
        raise NotNow(_("The rubber is over. Only the organiser can correct it now."))
    if not reason and get_request_source() != "undo":
        raise RubberRefused(_("The rubber is over. Enter why you're correcting this hand."))


def _check_dummies(table_snapshot: TableSnapshot, spell: int, hand: Hand) -> None:
    try:
        check_revokes(table_snapshot.night.spells[spell - 1].sides, hand)
    except UnplayableHand as problem:
        raise RubberRefused(format_problems([str(problem)])) from None


def _normalise_hand(hand: Mapping[str, Any], number: int) -> dict[str, Any]:
    """Return the normalized stored form of a hand."""
    return build_hand(parse_hand(dict(hand), _format_place(number)))


def _format_place(number: int) -> str:
    return _("hand %s") % number


def _write_hand(
    by: Actor,
    action: str,
    table: RubberTable,
    hand: RubberHand,
    hand_data: dict[str, Any],
    undo: str,
    reason: str = "",
) -> RubberHand:
    """Store the value of a hand as a version, and record the act.

    Recording and undoing a hand are undone in order; a correction is undone separately.
    """
    before, hand.told = hand.told, hand_data
    hand.save()
    HandVersion.objects.create(
        hand=hand,
        told=hand_data,
        reason=reason,
        entered_by=audit.format_author_key(by),
        entered_at=timezone.now(),
        way=get_request_source(),
    )
    _enter_in_drive(table, by)
    hand_subject = f"rubber hand {table.round}.{table.number}.{hand.spell}.{hand.number}"
    record_table_act(
        by,
        action,
        table,
        undo,
        {"spell": hand.spell, "number": hand.number} | ({"hand": before} if before else {}),
        where={"spell": hand.spell, "hand": hand.number},
        before={"marked": before} if before else None,
        after=({"marked": hand_data} if hand_data else {})
        | ({"reason": reason} if reason else {}),
        about=(hand_subject,)
        if before and hand_data
        else (build_table_subject(table), hand_subject),
    )
    return hand


def _enter_in_drive(table: RubberTable, by: Actor) -> None:
    """Enter the points of a drive's table as its score in the drive."""
    drive = table.night.drive
    if drive is None:
        return
    table_snapshot = load_night(table.night).tables[table.round, table.number]
    entered = enter_sheet(
        drive=drive,
        round_number=table.round,
        table=table.number,
        score=table_snapshot.drive_score,
        by=by,
    )
    if not entered.changed:  # the file of the drive has the hands too
        increment_revision(lock_activity(drive))


@transaction.atomic
def settle_table(
    *, night: RubberNight, table: int, round: int, settled: bool = True, by: Actor
) -> None:
    """End the round at a drive's table; an unfinished rubber counts by its term.

    Without `settled` the table continues. Raises NotNow where no hand was recorded.
    """
    row = lock_activity(night)
    check_open(row)
    if row.drive is None:
        raise NotNow(_("A night’s tables finish when the night is closed."))
    _night, table_snapshot = load_table(row, table, round)
    if table_snapshot.row.settled == settled:
        return
    if not any(table_snapshot.stored_hands):
        raise NotNow(_("No hands entered at this table."))
    table_snapshot.row.settled = settled
    table_snapshot.row.save(update_fields=["settled"])
    _enter_in_drive(table_snapshot.row, by)
    action = "rubbers.settled" if settled else "rubbers.unsettled"
    record_table_act(by, action, table_snapshot.row, "rubbers.settle", {"settled": not settled})
