"""Enters the totals of score cards, and stores the author, time and source of each value."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs import audit
from clubs.activities.services import increment_revision, lock_activity
from clubs.audit import Actor, Undo
from drives.errors import InvalidScore
from drives.models import CardTotal, CardVersion, Drive, DrivePlayer
from drives.scores.rules import MAX_ABSOLUTE_SCORE, Scoring
from drives.scores.terms import parse_scoring
from drives.services.seat_changes import check_drive_open
from server.request_source import get_request_source


@dataclass(frozen=True, slots=True)
class EnteredTotal:
    """A card's total after an entry, and whether the entry changed it."""

    card: CardTotal
    is_changed: bool


class TotalAlreadyEntered(InvalidScore):
    """Raised if the card already has another total, which may be corrected."""

    code = "card_taken"

    def __init__(self, message: str, card: CardTotal) -> None:
        super().__init__(message)
        self.card = card


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
    """Enter the total of a score card, or of one part of it; a total of None removes it.

    Raises TotalAlreadyEntered if the card has another total, unless `corrects` is true. `rows`
    are the scores of single rounds or halves on the card, if they are typed too.
    """
    locked_drive = lock_activity(drive)
    check_drive_open(locked_drive)
    place_text = _("card %(number)s") % {"number": number}
    player = _find_card_holder(locked_drive, number, place_text)
    _check_total(locked_drive, total, part, rests, rows, place_text)
    card = CardTotal.objects.filter(player=player, part=part).first()
    card = card or CardTotal(player=player, part=part)
    card.player = player
    if key and card.pk and card.versions.filter(key=key).exists():
        return EnteredTotal(card, is_changed=False)
    if (card.total, card.rests, card.rows) == (total, rests, list(rows)):
        return EnteredTotal(card, is_changed=False)
    if card.total is not None and total != card.total and not corrects:
        message = _("%(where)s already has %(total)s. Correct it?")
        message_text = message % {"where": place_text, "total": card.total}
        raise TotalAlreadyEntered(message_text[:1].upper() + message_text[1:], card)
    return EnteredTotal(
        _write_card_total(locked_drive, card, total, rests, list(rows), key, by),
        is_changed=True,
    )


def _write_card_total(
    drive: Drive,
    card: CardTotal,
    total: int | None,
    sit_out_count: int,
    rows: list[int],
    request_key: str,
    by: Actor,
) -> CardTotal:
    old_values = {"total": card.total, "rests": card.rests, "rows": card.rows}
    card.total, card.rests, card.rows = total, sit_out_count, rows
    card.save()
    CardVersion.objects.create(
        card=card,
        total=total,
        rests=sit_out_count,
        rows=rows,
        entered_by=audit.format_author_key(by),
        entered_at=timezone.now(),
        way=get_request_source(),
        key=request_key,
    )
    increment_revision(drive)
    card_reference = {"number": card.player.number, "part": card.part}
    audit.record(
        by,
        "drive.total",
        subject=drive,
        where={"player": card.player.number, "part": card.part},
        before={"total": old_values["total"]},
        after={"total": total},
        undo=Undo(
            (f"card {card.player.number} {card.part}",),
            "drive.total",
            card_reference | old_values | {"corrects": True},
        ),
    )
    return card


def _find_card_holder(drive: Drive, player_number: int, place_text: str) -> DrivePlayer:
    player = drive.players.filter(number=player_number).first()
    if player is None:
        message = _("Player %(number)s not found.")
        raise InvalidScore(message % {"number": player_number})
    if player.house:
        message = _("%(where)s: stand-ins aren’t ranked and don’t hand in a card.")
        raise InvalidScore(message % {"where": place_text})
    return player


def _check_total(
    drive: Drive,
    total: int | None,
    part_number: int,
    sit_out_count: int,
    rows: Sequence[int],
    place_text: str,
) -> None:
    scoring = parse_scoring(drive.score, drive.hands)
    part_count = 2 if drive.halves else 1
    if not 1 <= part_number <= part_count:
        message = _("%(where)s: a card has %(parts)s parts.")
        raise InvalidScore(message % {"where": place_text, "parts": part_count})
    max_rounds = _count_card_rounds(drive, part_number)
    if not 0 <= sit_out_count <= max_rounds:
        message = _("%(where)s: enter 0–%(most)s sit-outs, not %(rests)s.")
        raise InvalidScore(
            message % {"where": place_text, "rests": sit_out_count, "most": max_rounds}
        )
    for entered_value in (*([] if total is None else [total]), *rows):
        if isinstance(entered_value, bool) or not isinstance(entered_value, int):
            message = _("%(where)s: “%(figure)s” isn’t a whole number.")
            raise InvalidScore(
                message % {"where": place_text, "figure": str(entered_value)[:20]}
            )
        error_message = _find_range_error(drive, scoring, entered_value)
        if error_message:
            raise InvalidScore(f"{place_text}: {error_message}")


def _count_card_rounds(drive: Drive, part_number: int) -> int:
    """Return the number of rounds on a part of the card; 100 if the number is not fixed."""
    if not drive.rounds:
        return 100
    first_part_round_count = drive.rounds // 2 if drive.halves else drive.rounds
    return first_part_round_count if part_number == 1 else drive.rounds - first_part_round_count


def _find_range_error(drive: Drive, scoring: Scoring, score: int) -> str:
    hand_count = drive.hands * (drive.rounds or 100)
    min_total = (
        -MAX_ABSOLUTE_SCORE if scoring.min_score is None else scoring.min_score * hand_count
    )
    max_total = (
        MAX_ABSOLUTE_SCORE
        if scoring.max_score is None or scoring.extras_step
        else scoring.max_score * hand_count
    )
    if not min_total <= score <= min(max_total, MAX_ABSOLUTE_SCORE):
        message = _("%(figure)s is not between %(low)s and %(high)s.")
        return message % {
            "figure": score,
            "low": min_total,
            "high": min(max_total, MAX_ABSOLUTE_SCORE),
        }
    if score % scoring.step:
        message = _("%(figure)s is not a multiple of %(step)s.")
        return message % {"figure": score, "step": scoring.step}
    return ""
