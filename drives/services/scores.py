"""Services that enter sheets and totals; every value is stored with author, time and source."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

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
from drives.models import CardTotal, CardVersion, Drive, DrivePlayer, Round, Sheet, SheetVersion
from drives.models.scores import Agreement
from drives.play_forms import SeatsKnown, find_play_form
from drives.scores.rules import MAX_ABSOLUTE_SCORE, Scoring
from drives.scores.score_format import format_score
from drives.scores.terms import parse_scoring
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
    score: Sequence[int],
    hand: int = 0,
    extras: Sequence[int] = (),
    seen: Sequence[int] | None = None,
    key: str = "",
    agreement: str = Agreement.NONE,
    by: Actor,
) -> EnteredSheet:
    """Enter a table's score of a hand, or of a whole round where `hand` is 0.

    One number is enough where the other follows from it; an empty score removes the sheet's.
    `seen` is what the page showed before, scores then extras: if the sheet has changed since,
    EnteredMeanwhile is raised. Repeating a value is idempotent, and so is a phone's request
    with the same `key`. Raises ScoreRefused, which begins with the place.
    """
    row = lock_activity(drive)
    check_open(row)
    hand = _normalise_hand(row, hand)
    where = _format_place(round_number, table, hand)
    _advance_to_round(row, round_number, by)
    played = _find_round(row, round_number, table, where)
    scoring = _find_hand_terms(row, hand, where)
    figures, more = _complete_scores(scoring, score, extras, where)
    sheet = _find_or_build_sheet(row, played, table, hand, where)
    if key and sheet.pk and sheet.versions.filter(key=key).exists():
        return EnteredSheet(sheet, changed=False)
    if (sheet.score, sheet.extras) == (figures, more):
        return EnteredSheet(sheet, changed=False)
    if seen is not None and _split_shown_values(scoring, seen) != (sheet.score, sheet.extras):
        raise _build_conflict(where, sheet)
    return EnteredSheet(_write(row, sheet, figures, more, agreement, key, by), changed=True)


def _write(
    drive: Drive,
    sheet: Sheet,
    score: list[int],
    extras: list[int],
    agreement: str,
    key: str,
    by: Actor,
) -> Sheet:
    before = {"score": sheet.score, "extras": sheet.extras}
    sheet.score, sheet.extras = score, extras
    sheet.agreement = agreement if score else Agreement.NONE
    sheet.save()
    SheetVersion.objects.create(
        sheet=sheet,
        score=score,
        extras=extras,
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
        before=_build_history_value(before["score"], before["extras"]),
        after=_build_history_value(score, extras),
        back=Undo(
            (f"sheet {' '.join(map(str, place.values()))}",), "drive.sheet", place | before
        ),
    )
    return sheet


def _build_history_value(score: list[int], extras: list[int]) -> dict[str, list[int]]:
    """Return a sheet's scores for the history, with the extras if there are any."""
    return {"score": score} | ({"extras": extras} if any(extras) else {})


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
    where = _format_place(round_number, table, hand)
    played = _find_round(row, round_number, table, where)
    sheet = _find_or_build_sheet(row, played, table, hand, where)
    score, extras = _split_shown_values(_find_hand_terms(row, hand, where), seen)
    is_whole = len(seen) > len(score)
    if not sheet.score or sheet.score != score or (is_whole and sheet.extras != extras):
        raise _build_conflict(where, sheet)
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


def _split_shown_values(scoring: Scoring, seen: Sequence[int]) -> tuple[list[int], list[int]]:
    """Split the values of a page into scores and extras; extras of only 0 become empty."""
    figures, extras = seen[: scoring.scores_per_sheet], seen[scoring.scores_per_sheet :]
    return list(figures), list(extras) if any(extras) else []


def _build_conflict(where: str, sheet: Sheet) -> EnteredMeanwhile:
    score = format_entered_score(sheet.score)
    if sheet.extras:
        words = _("%(score)s, extras %(extras)s")
        score = words % {"score": score, "extras": format_entered_score(sheet.extras)}
    words = _("%(where)s: someone has just entered %(score)s. Check it first.")
    seen = [*sheet.score, *(sheet.extras or [0] * len(sheet.score))]
    return EnteredMeanwhile(
        words % {"where": where, "score": score}, seen=",".join(map(str, seen))
    )


@transaction.atomic
def undo_confirmation(*, drive: Drive, round: int, table: int, hand: int, by: Actor) -> Sheet:
    """Remove the other side's confirmation; raise NotNow if the score was entered again."""
    row = lock_activity(drive)
    check_open(row)
    hand = _normalise_hand(row, hand)
    where = _format_place(round, table, hand)
    sheet = _find_or_build_sheet(row, _find_round(row, round, table, where), table, hand, where)
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


def _format_place(round_number: int, table: int, hand: int) -> str:
    place = {"round": round_number, "table": table, "hand": hand}
    if hand:
        return _("round %(round)s, table %(table)s, hand %(hand)s") % place
    return _("round %(round)s, table %(table)s") % place


def _advance_to_round(drive: Drive, round_number: int, by: Actor) -> None:
    """Advance to a later round with a score, where all rounds are planned ahead."""
    ahead = find_play_form(drive.form).seats_known is SeatsKnown.AHEAD
    if not ahead or round_number <= drive.at_round:
        return
    if not drive.played.filter(number=round_number).exists():
        return
    with record_seat_change(drive, "drive.round", by=by) as change:
        change.drive.at_round = round_number
        change.drive.state = Drive.State.OPEN
        change.audit_place = {"round": round_number}
        restart_clock(evening=change.drive.evening)
    drive.refresh_from_db()


def _find_round(drive: Drive, round_number: int, table: int, where: str) -> Round:
    played = drive.played.filter(number=round_number).first()
    if played is None or round_number > drive.at_round:
        words = _("%(where)s: this round hasn't started.")
        raise ScoreRefused(words % {"where": where})
    if not played.seats.filter(table=table).exists():
        words = _("%(where)s: table not found.")
        raise ScoreRefused(words % {"where": where})
    return played


def _find_hand_terms(drive: Drive, hand: int, where: str) -> Scoring:
    """Return the scoring terms of one hand, or of all hands of a round if `hand` is 0.

    Raises ScoreRefused for a hand that the round does not have.
    """
    scoring = parse_scoring(drive.score, drive.hands)
    if not 0 <= hand <= drive.hands:
        words = ngettext(
            "%(where)s: a round has %(hands)s hand.",
            "%(where)s: a round has %(hands)s hands.",
            drive.hands,
        )
        raise ScoreRefused(words % {"where": where, "hands": drive.hands})
    return replace(scoring, hands=1) if hand else scoring


def _complete_scores(
    scoring: Scoring, score: Sequence[int], extras: Sequence[int], where: str
) -> tuple[list[int], list[int]]:
    """Return the scores of a sheet, the second one computed where it follows from the first."""
    figures, more = list(score), list(extras)
    if not figures:
        if any(more):
            words = _("%(where)s: enter a score with the extras, or remove them.")
            raise ScoreRefused(words % {"where": where})
        return [], []
    for figure in (*figures, *more):
        if isinstance(figure, bool) or not isinstance(figure, int):
            words = _("%(where)s: “%(figure)s” isn't a whole number.")
            raise ScoreRefused(words % {"where": where, "figure": str(figure)[:20]})
    if len(figures) == 1 and scoring.scores_per_sheet == 2 and scoring.sheet_total is not None:
        figures.append(scoring.sheet_total - figures[0])
    fault = scoring.find_fault(figures, more)
    if fault:
        raise ScoreRefused(f"{where}: {fault}")
    return figures, more if any(more) else []


def _find_or_build_sheet(
    drive: Drive, played: Round, table: int, hand: int, where: str
) -> Sheet:
    """Return a table's sheet, or a new unsaved one.

    Raises ScoreRefused if a round has both sheets of hands and a sheet of the whole round.
    """
    standing = list(Sheet.objects.filter(round=played, table=table))
    if drive.hands == 1:  # an older sheet of hand 1 counts as the round
        hand = next((sheet.hand for sheet in standing if sheet.score), hand)
    others = [s for s in standing if s.score and bool(s.hand) != bool(hand)]
    if others:
        words = (
            _("%(where)s: the whole round already has a score. Remove it first.")
            if hand
            else _("%(where)s: single hands already have scores. Remove them first.")
        )
        raise ScoreRefused(words % {"where": where})
    found = next((sheet for sheet in standing if sheet.hand == hand), None)
    sheet = found or Sheet(round=played, table=table, hand=hand)
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
    where = _("card %(number)s") % {"number": number}
    player = _find_holder(row, number, where)
    _check_total(row, total, part, rests, rows, where)
    card = CardTotal.objects.filter(player=player, part=part).first()
    card = card or CardTotal(player=player, part=part)
    card.player = player
    if key and card.pk and card.versions.filter(key=key).exists():
        return EnteredTotal(card, changed=False)
    if (card.total, card.rests, card.rows) == (total, rests, list(rows)):
        return EnteredTotal(card, changed=False)
    if card.total is not None and total != card.total and not corrects:
        words = _("%(where)s already has %(total)s. Correct it?")
        said = words % {"where": where, "total": card.total}
        raise CardAlreadyEntered(said[:1].upper() + said[1:], card)
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
    before = {"total": card.total, "rests": card.rests, "rows": card.rows}
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
        before={"total": before["total"]},
        after={"total": total},
        back=Undo(
            (f"card {card.player.number} {card.part}",),
            "drive.total",
            place | before | {"corrects": True},
        ),
    )
    return card


def _find_holder(drive: Drive, number: int, where: str) -> DrivePlayer:
    player = drive.players.filter(number=number).first()
    if player is None:
        words = _("Player %(number)s not found.")
        raise ScoreRefused(words % {"number": number})
    if player.house:
        words = _("%(where)s: a stand-in isn't ranked and hands in no card.")
        raise ScoreRefused(words % {"where": where})
    return player


def _check_total(
    drive: Drive, total: int | None, part: int, rests: int, rows: Sequence[int], where: str
) -> None:
    scoring = parse_scoring(drive.score, drive.hands)
    parts = 2 if drive.halves else 1
    if not 1 <= part <= parts:
        words = _("%(where)s: a card has %(parts)s parts.")
        raise ScoreRefused(words % {"where": where, "parts": parts})
    most = _count_card_rounds(drive, part)
    if not 0 <= rests <= most:
        words = _("%(where)s: enter 0–%(most)s sit-outs, not %(rests)s.")
        raise ScoreRefused(words % {"where": where, "rests": rests, "most": most})
    for figure in (*([] if total is None else [total]), *rows):
        if isinstance(figure, bool) or not isinstance(figure, int):
            words = _("%(where)s: “%(figure)s” isn't a whole number.")
            raise ScoreRefused(words % {"where": where, "figure": str(figure)[:20]})
        fault = _find_range_fault(drive, scoring, figure)
        if fault:
            raise ScoreRefused(f"{where}: {fault}")


def _count_card_rounds(drive: Drive, part: int) -> int:
    """Return the number of rounds on a card, or its part; 100 in a drive without an end."""
    if not drive.rounds:
        return 100
    first = drive.rounds // 2 if drive.halves else drive.rounds
    return first if part == 1 else drive.rounds - first


def _find_range_fault(drive: Drive, scoring: Scoring, figure: int) -> str:
    hands = drive.hands * (drive.rounds or 100)
    low = -MAX_ABSOLUTE_SCORE if scoring.low is None else scoring.low * hands
    high = (
        MAX_ABSOLUTE_SCORE if scoring.high is None or scoring.extras else scoring.high * hands
    )
    if not low <= figure <= min(high, MAX_ABSOLUTE_SCORE):
        words = _("%(figure)s is not between %(low)s and %(high)s.")
        return words % {"figure": figure, "low": low, "high": min(high, MAX_ABSOLUTE_SCORE)}
    if figure % scoring.step:
        words = _("%(figure)s is not a multiple of %(step)s.")
        return words % {"figure": figure, "step": scoring.step}
    return ""


def format_entered_score(score: Sequence[int]) -> str:
    """Return a score as text: "8–5", below zero "−480 / 340"; "nothing" if it is empty."""
    return format_score(score) or _("no score")
