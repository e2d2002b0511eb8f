"""Services that enter and confirm table scores, and store their author, time and source."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Required, TypedDict, Unpack

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs import audit
from clubs.activities.services import increment_revision, lock_activity
from clubs.audit import Actor, Undo
from clubs.errors import ActionUnavailable, EntryConflict
from clubs.evenings.services import restart_clock
from drives.errors import InvalidScore
from drives.games.reading import build_hand_data
from drives.hand_points import format_hand_label, settle_contract
from drives.models import (
    Drive,
    Round,
    Seat,
    Sheet,
    SheetVersion,
)
from drives.models.scores import Agreement
from drives.play_forms import SeatingTime, find_play_form
from drives.scores.rules import Scoring
from drives.scores.score_format import format_score
from drives.scores.terms import parse_points_table, parse_scoring
from drives.services.late_corrections import get_correction_reason
from drives.services.seat_changes import check_drive_open, record_seat_change
from server.request_source import get_request_source


@dataclass(frozen=True, slots=True)
class EnteredSheet:
    """A sheet after an entry, and whether the entry changed it."""

    sheet: Sheet
    is_changed: bool


class SheetArguments(TypedDict, total=False):
    """The arguments of `enter_locked_sheet`, which explains them."""

    round_number: Required[int]
    table: Required[int]
    score: Sequence[int]
    contract: Mapping[str, Any] | None
    hand: int
    extras: Sequence[int]
    seen: Sequence[int] | None
    seen_contract: Mapping[str, Any] | None
    key: str
    reason: str | None
    agreement: str


@transaction.atomic
def enter_sheet(*, drive: Drive, by: Actor, **entry: Unpack[SheetArguments]) -> EnteredSheet:
    """Lock a drive and enter a table's score, as `enter_locked_sheet` does."""
    return enter_locked_sheet(drive=lock_activity(drive), by=by, **entry)


def enter_locked_sheet(
    *,
    drive: Drive,
    round_number: int,
    table: int,
    score: Sequence[int] = (),
    contract: Mapping[str, Any] | None = None,
    hand: int = 0,
    extras: Sequence[int] = (),
    seen: Sequence[int] | None = None,
    seen_contract: Mapping[str, Any] | None = None,
    key: str = "",
    reason: str | None = "",
    agreement: str = Agreement.NONE,
    by: Actor,
) -> EnteredSheet:
    """Enter a table's score of a hand, or of a whole round if `hand` is 0.

    The caller has locked the drive in a transaction, which an error rolls back. One number is
    enough if the other side's score follows from it. An empty score deletes the stored score.
    In a game with contracts, the points are computed from a `contract` instead of a score.
    `seen` contains the values that the page showed, scores first and then extras, and
    `seen_contract` the contract that it showed. If the stored values are different,
    EntryConflict is raised. Entering equal values again changes nothing, nor does a phone's
    second request with the same `key`. A correction of a contract after its round needs a
    `reason` (`get_correction_reason`). Raises InvalidScore; its message begins with the round
    and table.
    """
    check_drive_open(drive)
    hand_number = _normalise_hand(drive, hand)
    place_text = format_hand_label(round_number, table, hand_number)
    _advance_to_round(drive, round_number, by)
    stored_round = _find_round(drive, round_number, table, place_text)
    scoring = _find_scoring(drive, hand_number, place_text)
    contract_data: dict[str, Any] = {}
    if contract:
        contract_data, score = _settle_contract(drive, contract, hand_number, score, place_text)
    completed_scores, completed_extras = _complete_scores(scoring, score, extras, place_text)
    sheet = _find_or_build_sheet(drive, stored_round, table, hand_number, place_text)
    if key and sheet.pk and sheet.versions.filter(key=key).exists():
        return EnteredSheet(sheet, is_changed=False)
    if (sheet.score, sheet.extras, sheet.contract) == (
        completed_scores,
        completed_extras,
        contract_data,
    ):
        return EnteredSheet(sheet, is_changed=False)
    if seen is not None and _split_shown_values(scoring, seen) != (sheet.score, sheet.extras):
        raise _build_conflict_error(place_text, sheet)
    if seen_contract is not None and seen_contract != sheet.contract:
        raise _build_conflict_error(place_text, sheet)
    stored_reason = get_correction_reason(drive, sheet, reason, place_text)
    old_values = _SheetValues(sheet.score, sheet.extras, sheet.contract)
    sheet.score, sheet.extras, sheet.contract = (
        completed_scores,
        completed_extras,
        contract_data,
    )
    return EnteredSheet(
        _write_sheet(drive, sheet, old_values, agreement, key, stored_reason, by),
        is_changed=True,
    )


def _settle_contract(
    drive: Drive,
    contract_data: Mapping[str, Any],
    hand_number: int,
    side_scores: Sequence[int],
    place_text: str,
) -> tuple[dict[str, Any], list[int]]:
    """Return a hand in the stored format, and its points; raise InvalidScore."""
    points_table = parse_points_table(drive.score)
    if points_table is None:
        message = _("%(where)s: this drive’s game has no contracts.")
    elif side_scores:
        message = _("%(where)s: enter either a contract or a score.")
    elif not hand_number and drive.hands > 1:
        message = _("%(where)s: enter contracts hand by hand.")
    else:
        settlement = settle_contract(points_table, contract_data, place_text)
        return build_hand_data(settlement.hand), list(settlement.points)
    raise InvalidScore(message % {"where": place_text})


class _SheetValues(NamedTuple):
    """The values of a sheet before an entry."""

    side_scores: list[int]
    extra_points: list[int]
    contract: dict[str, Any]


def _write_sheet(
    drive: Drive,
    sheet: Sheet,
    old_values: _SheetValues,
    agreement: str,
    request_key: str,
    correction_reason: str,
    by: Actor,
) -> Sheet:
    """Save the new values of a sheet, with a `SheetVersion` and an act in the history."""
    side_scores, extra_points, contract_data = sheet.score, sheet.extras, sheet.contract
    sheet.agreement = agreement if side_scores else Agreement.NONE
    sheet.save()
    SheetVersion.objects.create(
        sheet=sheet,
        score=side_scores,
        extras=extra_points,
        contract=contract_data,
        entered_by=audit.format_author_key(by),
        entered_at=timezone.now(),
        way=get_request_source(),
        key=request_key,
    )
    increment_revision(drive)
    history_location = {"round": sheet.round.number, "table": sheet.table, "hand": sheet.hand}
    audit.record(
        by,
        "drive.sheet",
        subject=drive,
        where=history_location,
        before=_build_history_value(*old_values),
        after=_build_history_value(side_scores, extra_points, contract_data)
        | ({"reason": correction_reason} if correction_reason else {}),
        undo=Undo(
            (f"sheet {' '.join(map(str, history_location.values()))}",),
            "drive.sheet",
            history_location
            | {"score": old_values.side_scores, "extras": old_values.extra_points}
            | ({"contract": old_values.contract} if old_values.contract else {}),
        ),
    )
    return sheet


def _build_history_value(
    side_scores: list[int],
    extra_points: list[int],
    contract_data: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return a sheet's scores for the history, with extras and contract if there are any."""
    history_value: dict[str, Any] = {"score": side_scores}
    history_value |= {"extras": extra_points} if any(extra_points) else {}
    return history_value | ({"contract": contract_data} if contract_data else {})


@transaction.atomic
def confirm_sheet(
    *, drive: Drive, round_number: int, table: int, hand: int, seen: Sequence[int], by: Actor
) -> EnteredSheet:
    """Lock a drive and confirm a score, as `confirm_locked_sheet` does."""
    return confirm_locked_sheet(
        drive=lock_activity(drive),
        round_number=round_number,
        table=table,
        hand=hand,
        seen=seen,
        by=by,
    )


def confirm_locked_sheet(
    *, drive: Drive, round_number: int, table: int, hand: int, seen: Sequence[int], by: Actor
) -> EnteredSheet:
    """Record that the other side has confirmed a score on the table's phone.

    `seen` contains the scores that the phone showed and, if it showed them, the extras. Raises
    EntryConflict if the stored values are different. The caller has locked the drive in a
    transaction, which an error rolls back.
    """
    check_drive_open(drive)
    hand = _normalise_hand(drive, hand)
    place_text = format_hand_label(round_number, table, hand)
    stored_round = _find_round(drive, round_number, table, place_text)
    sheet = _find_or_build_sheet(drive, stored_round, table, hand, place_text)
    score, extra_points = _split_shown_values(_find_scoring(drive, hand, place_text), seen)
    are_extras_shown = len(seen) > len(score)
    if (
        not sheet.score
        or sheet.score != score
        or (are_extras_shown and sheet.extras != extra_points)
    ):
        raise _build_conflict_error(place_text, sheet)
    if sheet.agreement != Agreement.AWAITED:
        return EnteredSheet(sheet, is_changed=False)
    sheet.agreement = Agreement.CONFIRMED
    sheet.save(update_fields=["agreement"])
    history_location = {"round": round_number, "table": table, "hand": hand}
    undo_subject = f"sheet {' '.join(map(str, history_location.values()))}"
    audit.record(
        by,
        "drive.sheet_agreed",
        subject=drive,
        where=history_location,
        after=_build_history_value(sheet.score, sheet.extras),
        undo=Undo((undo_subject,), "drive.await_yes", history_location),
    )
    return EnteredSheet(sheet, is_changed=True)


def _split_shown_values(
    scoring: Scoring, shown_values: Sequence[int]
) -> tuple[list[int], list[int]]:
    """Split the values that a page showed into scores and extras; extras of 0 are omitted."""
    scores, extra_points = (
        shown_values[: scoring.scores_per_sheet],
        shown_values[scoring.scores_per_sheet :],
    )
    return list(scores), list(extra_points) if any(extra_points) else []


def _build_conflict_error(place_text: str, sheet: Sheet) -> EntryConflict:
    score = format_entered_score(sheet.score)
    if sheet.extras:
        message = _("%(score)s, extras %(extras)s")
        score = message % {"score": score, "extras": format_entered_score(sheet.extras)}
    message = _("%(where)s: someone has just entered %(score)s. Check it first.")
    stored_values = [*sheet.score, *(sheet.extras or [0] * len(sheet.score))]
    return EntryConflict(
        message % {"where": place_text, "score": score},
        current_value=",".join(map(str, stored_values)),
    )


@transaction.atomic
def undo_confirmation(*, drive: Drive, round: int, table: int, hand: int, by: Actor) -> Sheet:
    """Remove the confirmation of a score.

    Raises ActionUnavailable if the score was entered again later.
    """
    locked_drive = lock_activity(drive)
    check_drive_open(locked_drive)
    hand = _normalise_hand(locked_drive, hand)
    place_text = format_hand_label(round, table, hand)
    sheet = _find_or_build_sheet(
        locked_drive,
        _find_round(locked_drive, round, table, place_text),
        table,
        hand,
        place_text,
    )
    if sheet.agreement != Agreement.CONFIRMED:
        raise ActionUnavailable(_("This score has since been entered again."))
    sheet.agreement = Agreement.AWAITED
    sheet.save(update_fields=["agreement"])
    history_location = {"round": round, "table": table, "hand": hand}
    undo_subject = f"sheet {' '.join(map(str, history_location.values()))}"
    audit.record(
        by,
        "drive.sheet_asked_again",
        subject=locked_drive,
        where=history_location,
        undo=Undo((undo_subject,)),
    )
    return sheet


def _normalise_hand(drive: Drive, hand_number: int) -> int:
    """Return the hand number that is stored: 0 if the round has only one hand."""
    return 0 if drive.hands == hand_number == 1 else hand_number


def _advance_to_round(drive: Drive, round_number: int, by: Actor) -> None:
    """If all rounds are drawn ahead, put a later round in play when its first score arrives."""
    is_planned_ahead = find_play_form(drive.form).seating_time is SeatingTime.BEFORE_PLAY
    if not is_planned_ahead or round_number <= drive.at_round:
        return
    if not drive.played.filter(number=round_number).exists():
        return
    with record_seat_change(drive, "drive.round", by=by) as change:
        change.drive.at_round = round_number
        change.drive.state = Drive.State.OPEN
        change.audit_location = {"round": round_number}
        restart_clock(evening=change.drive.evening)
    drive.refresh_from_db()


def _find_round(drive: Drive, round_number: int, table_number: int, place_text: str) -> Round:
    seats = Seat.objects.filter(
        round__drive=drive, round__number=round_number, table=table_number
    )
    seat = seats.select_related("round").order_by("pk").first()
    if seat is not None and round_number <= drive.at_round:
        return seat.round
    has_started = (
        round_number <= drive.at_round and drive.played.filter(number=round_number).exists()
    )
    message = (
        _("%(where)s: table not found.")
        if has_started
        else _("%(where)s: this round hasn’t started.")
    )
    raise InvalidScore(message % {"where": place_text})


def _find_scoring(drive: Drive, hand_number: int, place_text: str) -> Scoring:
    """Return the rules of scoring for one hand, or for a whole round if `hand_number` is 0.

    Raises InvalidScore for a hand that the round does not have.
    """
    scoring = parse_scoring(drive.score, drive.hands)
    if not 0 <= hand_number <= drive.hands:
        message = ngettext(
            "%(where)s: there is only %(hands)s hand per round.",
            "%(where)s: there are only %(hands)s hands per round.",
            drive.hands,
        )
        raise InvalidScore(message % {"where": place_text, "hands": drive.hands})
    return replace(scoring, hands_per_round=1) if hand_number else scoring


def _complete_scores(
    scoring: Scoring, side_scores: Sequence[int], extra_points: Sequence[int], place_text: str
) -> tuple[list[int], list[int]]:
    """Validate scores and extras, and return them.

    A single score is completed by the other side's score if the sum of both is fixed.
    """
    scores, complete_extras = list(side_scores), list(extra_points)
    if not scores:
        if any(complete_extras):
            message = _("%(where)s: enter a score with the extras, or remove them.")
            raise InvalidScore(message % {"where": place_text})
        return [], []
    for entered_value in (*scores, *complete_extras):
        if isinstance(entered_value, bool) or not isinstance(entered_value, int):
            message = _("%(where)s: “%(figure)s” isn’t a whole number.")
            raise InvalidScore(
                message % {"where": place_text, "figure": str(entered_value)[:20]}
            )
    if len(scores) == 1 and scoring.scores_per_sheet == 2 and scoring.sheet_total is not None:
        scores.append(scoring.sheet_total - scores[0])
    error_message = scoring.find_score_error(scores, complete_extras)
    if error_message:
        raise InvalidScore(f"{place_text}: {error_message}")
    return scores, complete_extras if any(complete_extras) else []


def _find_or_build_sheet(
    drive: Drive, stored_round: Round, table_number: int, hand_number: int, place_text: str
) -> Sheet:
    """Return a table's sheet, or a new unsaved one.

    Raises InvalidScore if the table would then have a score for the whole round as well as
    scores for single hands.
    """
    existing_sheets = list(Sheet.objects.filter(round=stored_round, table=table_number))
    if drive.hands == 1:  # a stored sheet of hand 1 counts as the sheet of the round
        hand_number = next(
            (sheet.hand for sheet in existing_sheets if sheet.score), hand_number
        )
    conflicting_sheets = [
        sheet
        for sheet in existing_sheets
        if sheet.score and bool(sheet.hand) != bool(hand_number)
    ]
    if conflicting_sheets:
        message = (
            _("%(where)s: the whole round already has a score. Remove it first.")
            if hand_number
            else _("%(where)s: single hands already have scores. Remove them first.")
        )
        raise InvalidScore(message % {"where": place_text})
    same_hand_sheet = next(
        (sheet for sheet in existing_sheets if sheet.hand == hand_number), None
    )
    sheet = same_hand_sheet or Sheet(round=stored_round, table=table_number, hand=hand_number)
    sheet.round = stored_round
    return sheet


def format_entered_score(side_scores: Sequence[int]) -> str:
    """Return a score as text, e.g. "8–5" or "−480 / 340"; "no score" if it is empty."""
    return format_score(side_scores) or _("no score")
