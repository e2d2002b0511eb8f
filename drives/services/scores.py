"""Services that enter sheets and totals; every value is stored with author, time and source."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs import audit
from clubs.activities.services import increment_revision, lock_activity
from clubs.audit import Actor, Undo
from clubs.errors import EnteredMeanwhile, NotNow
from clubs.evenings.services import restart_clock
from drives.errors import ScoreRefused
from drives.games.reading import build_hand_data
from drives.hand_points import format_place, settle_contract
from drives.models import CardTotal, CardVersion, Drive, DrivePlayer, Round, Sheet, SheetVersion
from drives.models.scores import Agreement
from drives.play_forms import SeatsKnown, find_play_form
from drives.scores.rules import MAX_ABSOLUTE_SCORE, Scoring
from drives.scores.score_format import format_score
from drives.scores.terms import parse_points_table, parse_scoring
from drives.services.late_corrections import check_reason
from drives.services.seat_changes import check_open, record_seat_change
from server.request_source import get_request_source


@dataclass(frozen=True, slots=True)
class EnteredSheet:
    """A sheet after an entry, and whether the entry changed it."""

    sheet: Sheet
    changed: bool


@dataclass(frozen=True, slots=True)
class EnteredTotal:
    """A card's total after an entry, and whether the entry changed it."""

    card: CardTotal
    changed: bool


class CardAlreadyEntered(ScoreRefused):
    """Refusal of a total for a card that already has another total, which may be corrected."""

    code = "card_taken"

    def __init__(self, words: str, card: CardTotal) -> None:
        super().__init__(words)
        self.card = card


@transaction.atomic
def enter_sheet(
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
    """Enter a table's score of a hand, or of a whole round where `hand` is 0.

    One number is enough where the other follows from it; an empty score removes the sheet's.
    In a game with contracts, the points follow from a `contract` instead of a score.
    `seen` is what the page showed before, scores then extras, and `seen_contract` the contract:
    if the sheet has changed since, EnteredMeanwhile is raised. Repeating a value is idempotent,
    and so is a phone's request with the same `key`. Raises ScoreRefused, which begins with the
    place. A correction of a contract after its round needs a `reason` (`check_reason`).
    """
    row = lock_activity(drive)
    check_open(row)
    hand = _normalise_hand(row, hand)
    place_text = format_place(round_number, table, hand)
    _advance_to_round(row, round_number, by)
    played = _find_round(row, round_number, table, place_text)
    scoring = _find_hand_terms(row, hand, place_text)
    bid: dict[str, Any] = {}
    if contract:
        bid, score = _settle(row, contract, hand, score, place_text)
    scores, all_extras = _complete_scores(scoring, score, extras, place_text)
    sheet = _find_or_build_sheet(row, played, table, hand, place_text)
    if key and sheet.pk and sheet.versions.filter(key=key).exists():
        return EnteredSheet(sheet, changed=False)
    if (sheet.score, sheet.extras, sheet.contract) == (scores, all_extras, bid):
        return EnteredSheet(sheet, changed=False)
    if seen is not None and _split_shown_values(scoring, seen) != (sheet.score, sheet.extras):
        raise _build_conflict(place_text, sheet)
    if seen_contract is not None and seen_contract != sheet.contract:
        raise _build_conflict(place_text, sheet)
    why = check_reason(row, sheet, reason, place_text)
    old_value = _SheetValues(sheet.score, sheet.extras, sheet.contract)
    sheet.score, sheet.extras, sheet.contract = scores, all_extras, bid
    return EnteredSheet(_write(row, sheet, old_value, agreement, key, why, by), changed=True)


def _settle(
    drive: Drive,
    contract: Mapping[str, Any],
    hand: int,
    score: Sequence[int],
    place_text: str,
) -> tuple[dict[str, Any], list[int]]:
    """Return a hand as stored, and its points; raise ScoreRefused with its place."""
    table = parse_points_table(drive.score)
    if table is None:
        words = _("%(where)s: this drive has no game with contracts.")
    elif score:
        words = _("%(where)s: enter either a contract or a score.")
    elif not hand and drive.hands > 1:
        words = _("%(where)s: enter contracts hand by hand.")
    else:
        settled = settle_contract(table, contract, place_text)
        return build_hand_data(settled.hand), list(settled.points)
    raise ScoreRefused(words % {"where": place_text})


class _SheetValues(NamedTuple):
    """The values of a sheet before an entry."""

    side_scores: list[int]
    extras: list[int]
    contract: dict[str, Any]


def _write(
    drive: Drive,
    sheet: Sheet,
    old_value: _SheetValues,
    agreement: str,
    key: str,
    reason: str,
    by: Actor,
) -> Sheet:
    """Save the new values of a sheet with their version and their act."""
    score, extras, contract = sheet.score, sheet.extras, sheet.contract
    sheet.agreement = agreement if score else Agreement.NONE
    sheet.save()
    SheetVersion.objects.create(
        sheet=sheet,
        score=score,
        extras=extras,
        contract=contract,
        entered_by=audit.format_author_key(by),
        entered_at=timezone.now(),
        way=get_request_source(),
        key=key,
    )
    increment_revision(drive)
    place = {"round": sheet.round.number, "table": sheet.table, "hand": sheet.hand}
    audit.record(
        by,
        "drive.sheet",
        subject=drive,
        where=place,
        before=_build_history_value(*old_value),
        after=_build_history_value(score, extras, contract)
        | ({"reason": reason} if reason else {}),
        back=Undo(
            (f"sheet {' '.join(map(str, place.values()))}",),
            "drive.sheet",
            place
            | {"score": old_value.side_scores, "extras": old_value.extras}
            | ({"contract": old_value.contract} if old_value.contract else {}),
        ),
    )
    return sheet


def _build_history_value(
    score: list[int], extras: list[int], contract: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return a sheet's scores for the history, with extras and contract if there are any."""
    history_value: dict[str, Any] = {"score": score}
    history_value |= {"extras": extras} if any(extras) else {}
    return history_value | ({"contract": contract} if contract else {})


@transaction.atomic
def confirm_sheet(
    *, drive: Drive, round_number: int, table: int, hand: int, seen: Sequence[int], by: Actor
) -> EnteredSheet:
    """Record that the other side confirms the score from its table's phone, as it was shown.

    Pages opened before extras were shown separately send only the scores, which are accepted.
    """
    row = lock_activity(drive)
    check_open(row)
    hand = _normalise_hand(row, hand)
    place_text = format_place(round_number, table, hand)
    played = _find_round(row, round_number, table, place_text)
    sheet = _find_or_build_sheet(row, played, table, hand, place_text)
    score, extras = _split_shown_values(_find_hand_terms(row, hand, place_text), seen)
    is_whole = len(seen) > len(score)
    if not sheet.score or sheet.score != score or (is_whole and sheet.extras != extras):
        raise _build_conflict(place_text, sheet)
    if sheet.agreement != Agreement.AWAITED:
        return EnteredSheet(sheet, changed=False)
    sheet.agreement = Agreement.GIVEN
    sheet.save(update_fields=["agreement"])
    place = {"round": round_number, "table": table, "hand": hand}
    about = f"sheet {' '.join(map(str, place.values()))}"
    audit.record(
        by,
        "drive.sheet_agreed",
        subject=row,
        where=place,
        after=_build_history_value(sheet.score, sheet.extras),
        back=Undo((about,), "drive.await_yes", place),
    )
    return EnteredSheet(sheet, changed=True)


def _split_shown_values(scoring: Scoring, shown: Sequence[int]) -> tuple[list[int], list[int]]:
    """Split the values of a page into scores and extras; extras of only 0 become empty."""
    scores, extras = shown[: scoring.scores_per_sheet], shown[scoring.scores_per_sheet :]
    return list(scores), list(extras) if any(extras) else []


def _build_conflict(place_text: str, sheet: Sheet) -> EnteredMeanwhile:
    score = format_entered_score(sheet.score)
    if sheet.extras:
        message = _("%(score)s, extras %(extras)s")
        score = message % {"score": score, "extras": format_entered_score(sheet.extras)}
    message = _("%(where)s: someone has just entered %(score)s. Check it first.")
    stored_values = [*sheet.score, *(sheet.extras or [0] * len(sheet.score))]
    return EnteredMeanwhile(
        message % {"where": place_text, "score": score}, seen=",".join(map(str, stored_values))
    )


@transaction.atomic
def undo_confirmation(*, drive: Drive, round: int, table: int, hand: int, by: Actor) -> Sheet:
    """Remove the other side's confirmation; raise NotNow if the score was entered again."""
    row = lock_activity(drive)
    check_open(row)
    hand = _normalise_hand(row, hand)
    place_text = format_place(round, table, hand)
    sheet = _find_or_build_sheet(
        row, _find_round(row, round, table, place_text), table, hand, place_text
    )
    if sheet.agreement != Agreement.GIVEN:
        raise NotNow(_("This score has been entered again since then."))
    sheet.agreement = Agreement.AWAITED
    sheet.save(update_fields=["agreement"])
    place = {"round": round, "table": table, "hand": hand}
    about = f"sheet {' '.join(map(str, place.values()))}"
    audit.record(by, "drive.sheet_asked_again", subject=row, where=place, back=Undo((about,)))
    return sheet


def _normalise_hand(drive: Drive, hand: int) -> int:
    """Return the hand number that is stored: 0 where the round has only one hand."""
    return 0 if drive.hands == hand == 1 else hand


def _advance_to_round(drive: Drive, round_number: int, by: Actor) -> None:
    """Advance to a later round with a score, where all rounds are planned ahead."""
    is_planned_ahead = find_play_form(drive.form).seats_known is SeatsKnown.AHEAD
    if not is_planned_ahead or round_number <= drive.at_round:
        return
    if not drive.played.filter(number=round_number).exists():
        return
    with record_seat_change(drive, "drive.round", by=by) as change:
        change.drive.at_round = round_number
        change.drive.state = Drive.State.OPEN
        change.audit_place = {"round": round_number}
        restart_clock(evening=change.drive.evening)
    drive.refresh_from_db()


def _find_round(drive: Drive, round_number: int, table: int, place_text: str) -> Round:
    played = drive.played.filter(number=round_number).first()
    if played is None or round_number > drive.at_round:
        message = _("%(where)s: this round hasn't started.")
        raise ScoreRefused(message % {"where": place_text})
    if not played.seats.filter(table=table).exists():
        message = _("%(where)s: table not found.")
        raise ScoreRefused(message % {"where": place_text})
    return played


def _find_hand_terms(drive: Drive, hand: int, place_text: str) -> Scoring:
    """Return the scoring terms of one hand, or of all hands of a round if `hand` is 0.

    Raises ScoreRefused for a hand that the round does not have.
    """
    scoring = parse_scoring(drive.score, drive.hands)
    if not 0 <= hand <= drive.hands:
        message = ngettext(
            "%(where)s: a round has %(hands)s hand.",
            "%(where)s: a round has %(hands)s hands.",
            drive.hands,
        )
        raise ScoreRefused(message % {"where": place_text, "hands": drive.hands})
    return replace(scoring, hands=1) if hand else scoring


def _complete_scores(
    scoring: Scoring, score: Sequence[int], extras: Sequence[int], place_text: str
) -> tuple[list[int], list[int]]:
    """Return the scores of a sheet, the second one computed where it follows from the first."""
    scores, filled_extras = list(score), list(extras)
    if not scores:
        if any(filled_extras):
            message = _("%(where)s: enter a score with the extras, or remove them.")
            raise ScoreRefused(message % {"where": place_text})
        return [], []
    for number in (*scores, *filled_extras):
        if isinstance(number, bool) or not isinstance(number, int):
            message = _("%(where)s: “%(figure)s” isn't a whole number.")
            raise ScoreRefused(message % {"where": place_text, "figure": str(number)[:20]})
    if len(scores) == 1 and scoring.scores_per_sheet == 2 and scoring.sheet_total is not None:
        scores.append(scoring.sheet_total - scores[0])
    fault = scoring.find_fault(scores, filled_extras)
    if fault:
        raise ScoreRefused(f"{place_text}: {fault}")
    return scores, filled_extras if any(filled_extras) else []


def _find_or_build_sheet(
    drive: Drive, played: Round, table: int, hand: int, place_text: str
) -> Sheet:
    """Return a table's sheet, or a new unsaved one.

    Raises ScoreRefused if a round has both sheets of hands and a sheet of the whole round.
    """
    existing_sheets = list(Sheet.objects.filter(round=played, table=table))
    if drive.hands == 1:  # an older sheet of hand 1 counts as the round
        hand = next((sheet.hand for sheet in existing_sheets if sheet.score), hand)
    conflicting_sheets = [s for s in existing_sheets if s.score and bool(s.hand) != bool(hand)]
    if conflicting_sheets:
        words = (
            _("%(where)s: the whole round already has a score. Remove it first.")
            if hand
            else _("%(where)s: single hands already have scores. Remove them first.")
        )
        raise ScoreRefused(words % {"where": place_text})
    same_hand_sheet = next((sheet for sheet in existing_sheets if sheet.hand == hand), None)
    sheet = same_hand_sheet or Sheet(round=played, table=table, hand=hand)
    sheet.round = played
    return sheet


@transaction.atomic
def enter_total(
    *,
    drive: Drive,
    number: int,
    total: int | None,
    part: int = 1,
    rests: int = 0,
    rows: Sequence[int] = (),
    corrects: bool = False,
    key: str = "",
    by: Actor,
) -> EnteredTotal:
    """Enter the total of a score card, or of its part; None removes it.

    Raises CardAlreadyEntered if the card has another total, unless `corrects` is True. `rows`
    are the single rounds or halves on the card, if they are typed too.
    """
    row = lock_activity(drive)
    check_open(row)
    place_text = _("card %(number)s") % {"number": number}
    player = _find_holder(row, number, place_text)
    _check_total(row, total, part, rests, rows, place_text)
    card = CardTotal.objects.filter(player=player, part=part).first()
    card = card or CardTotal(player=player, part=part)
    card.player = player
    if key and card.pk and card.versions.filter(key=key).exists():
        return EnteredTotal(card, changed=False)
    if (card.total, card.rests, card.rows) == (total, rests, list(rows)):
        return EnteredTotal(card, changed=False)
    if card.total is not None and total != card.total and not corrects:
        message = _("%(where)s already has %(total)s. Correct it?")
        message_text = message % {"where": place_text, "total": card.total}
        raise CardAlreadyEntered(message_text[:1].upper() + message_text[1:], card)
    return EnteredTotal(_write_card(row, card, total, rests, list(rows), key, by), changed=True)


def _write_card(
    drive: Drive,
    card: CardTotal,
    total: int | None,
    rests: int,
    rows: list[int],
    key: str,
    by: Actor,
) -> CardTotal:
    old_value = {"total": card.total, "rests": card.rests, "rows": card.rows}
    card.total, card.rests, card.rows = total, rests, rows
    card.save()
    CardVersion.objects.create(
        card=card,
        total=total,
        rests=rests,
        rows=rows,
        entered_by=audit.format_author_key(by),
        entered_at=timezone.now(),
        way=get_request_source(),
        key=key,
    )
    increment_revision(drive)
    place = {"number": card.player.number, "part": card.part}
    audit.record(
        by,
        "drive.total",
        subject=drive,
        where={"player": card.player.number, "part": card.part},
        before={"total": old_value["total"]},
        after={"total": total},
        back=Undo(
            (f"card {card.player.number} {card.part}",),
            "drive.total",
            place | old_value | {"corrects": True},
        ),
    )
    return card


def _find_holder(drive: Drive, number: int, place_text: str) -> DrivePlayer:
    player = drive.players.filter(number=number).first()
    if player is None:
        message = _("Player %(number)s not found.")
        raise ScoreRefused(message % {"number": number})
    if player.house:
        message = _("%(where)s: a stand-in isn't ranked and hands in no card.")
        raise ScoreRefused(message % {"where": place_text})
    return player


def _check_total(
    drive: Drive, total: int | None, part: int, rests: int, rows: Sequence[int], place_text: str
) -> None:
    scoring = parse_scoring(drive.score, drive.hands)
    parts = 2 if drive.halves else 1
    if not 1 <= part <= parts:
        message = _("%(where)s: a card has %(parts)s parts.")
        raise ScoreRefused(message % {"where": place_text, "parts": parts})
    max_rounds = _count_card_rounds(drive, part)
    if not 0 <= rests <= max_rounds:
        message = _("%(where)s: enter 0–%(most)s sit-outs, not %(rests)s.")
        raise ScoreRefused(message % {"where": place_text, "rests": rests, "most": max_rounds})
    for number in (*([] if total is None else [total]), *rows):
        if isinstance(number, bool) or not isinstance(number, int):
            message = _("%(where)s: “%(figure)s” isn't a whole number.")
            raise ScoreRefused(message % {"where": place_text, "figure": str(number)[:20]})
        fault = _find_range_fault(drive, scoring, number)
        if fault:
            raise ScoreRefused(f"{place_text}: {fault}")


def _count_card_rounds(drive: Drive, part: int) -> int:
    """Return the number of rounds on a card, or its part; 100 in a drive without an end."""
    if not drive.rounds:
        return 100
    first = drive.rounds // 2 if drive.halves else drive.rounds
    return first if part == 1 else drive.rounds - first


def _find_range_fault(drive: Drive, scoring: Scoring, number: int) -> str:
    hands = drive.hands * (drive.rounds or 100)
    low = -MAX_ABSOLUTE_SCORE if scoring.low is None else scoring.low * hands
    high = (
        MAX_ABSOLUTE_SCORE if scoring.high is None or scoring.extras else scoring.high * hands
    )
    if not low <= number <= min(high, MAX_ABSOLUTE_SCORE):
        message = _("%(figure)s is not between %(low)s and %(high)s.")
        return message % {"figure": number, "low": low, "high": min(high, MAX_ABSOLUTE_SCORE)}
    if number % scoring.step:
        message = _("%(figure)s is not a multiple of %(step)s.")
        return message % {"figure": number, "step": scoring.step}
    return ""


def format_entered_score(score: Sequence[int]) -> str:
    """Return a score as text: "8–5", below zero "−480 / 340"; "nothing" if it is empty."""
    return format_score(score) or _("no score")
