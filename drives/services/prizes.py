"""Services that set the prizes, record the winners of cuts, and close or reopen a drive."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from clubs import audit
from clubs.activities.secrecy import format_full_name
from clubs.activities.services import (
    close_activity,
    increment_revision,
    lock_activity,
    reopen_activity,
)
from clubs.audit import Actor, Undo
from clubs.errors import ActionUnavailable
from clubs.undo import get_existing_row
from drives.draw.participants import PlayerId
from drives.drive_results import compute_awards, describe_missing_scores, find_cutting_players
from drives.errors import DriveActionNotAllowed
from drives.files.export import build_prize
from drives.models import Award, Drive, Prize
from drives.prizes.awards import PrizeAward, fill_in_names
from drives.prizes.prize import PrizeLine, parse_prizes
from drives.services.seat_changes import check_drive_open
from drives.snapshot import DriveSnapshot, load_drive_snapshot


@transaction.atomic
def set_prizes(*, drive: Drive, lines: Sequence[Mapping[str, Any]], by: Actor) -> list[Prize]:
    """Replace the prize list.

    Each item of `lines` is a prize with the keys of the drive file (words, field, measure …).
    Raises UnreadableDrive with the number of the invalid prize.
    """
    locked_drive = lock_activity(drive)
    check_drive_open(locked_drive)
    stored_prizes = list(locked_drive.prizes.all())
    old_prize_lines = [build_prize(prize) for prize in stored_prizes]
    prize_lines = parse_prizes(lines)
    new_prizes = [
        build_prize_row(locked_drive, prize_number, prize_line)
        for prize_number, prize_line in enumerate(prize_lines, start=1)
    ]
    new_prize_lines = [build_prize(prize) for prize in new_prizes]
    if old_prize_lines == new_prize_lines:
        return stored_prizes
    locked_drive.prizes.all().delete()
    for prize in new_prizes:
        prize.clean_fields(exclude=["drive"])
    Prize.objects.bulk_create(new_prizes)
    increment_revision(locked_drive)
    audit.record(
        by,
        "drive.prizes",
        subject=locked_drive,
        before={"prizes": len(old_prize_lines)},
        after={"prizes": len(new_prize_lines)},
        undo=Undo(("prizes",), "drive.prizes", {"lines": old_prize_lines}),
    )
    return new_prizes


def build_prize_row(drive: Drive, prize_number: int, prize_line: PrizeLine) -> Prize:
    """Return an unsaved `Prize` with the values of a line of the prize list."""
    return Prize(
        drive=drive,
        number=prize_number,
        words=prize_line.words,
        field=prize_line.field,
        measure=prize_line.measure,
        count=prize_line.count,
        ties=str(prize_line.ties),
        places=list(prize_line.places),
        then=list(prize_line.then),
        round=prize_line.round,
        least=prize_line.least,
        won=list(prize_line.won),
        cut_by=list(prize_line.cut_by) or None,
    )


@transaction.atomic
def record_cut_winners(
    *, drive: Drive, prize_number: int, winner_numbers: Sequence[int], by: Actor
) -> Prize:
    """Record the winners of the cut for a prize, in the order of the cut.

    The players who cut are stored too. If a correction later ties other players with them, all
    of them must cut again. Raises DriveActionNotAllowed for a winner who is not among the tied
    players.
    """
    locked_drive = lock_activity(drive)
    check_drive_open(locked_drive)
    stored_prize = locked_drive.prizes.filter(number=prize_number).first()
    if stored_prize is None:
        raise DriveActionNotAllowed(_("Prize %(prize)s not found.") % {"prize": prize_number})
    player_numbers = set(
        locked_drive.players.filter(house=False).values_list("number", flat=True)
    )
    for winner_number in winner_numbers:
        if winner_number not in player_numbers:
            raise DriveActionNotAllowed(
                _("Player %(number)s not found.") % {"number": winner_number}
            )
    if list(winner_numbers) == stored_prize.won and not _is_cut_void(
        locked_drive, stored_prize
    ):
        return stored_prize
    tied_players = _check_cut_winners(locked_drive, stored_prize, winner_numbers)
    cutting_players = sorted(tied_players, key=str) if winner_numbers else None
    return _store_cut_winners(
        locked_drive, stored_prize, list(winner_numbers), cutting_players, by
    )


@transaction.atomic
def restore_cut_winners(
    *,
    drive: Drive,
    prize: int,
    numbers: Sequence[int],
    cut_by: Sequence[PlayerId] | None = None,
    by: Actor,
) -> Prize:
    """Restore earlier winners of a cut and the players who cut; this is an undo action."""
    locked_drive = lock_activity(drive)
    check_drive_open(locked_drive)
    stored_prize = get_existing_row(locked_drive.prizes.all(), number=prize)
    cutter_numbers = list(cut_by) if cut_by else None
    if (stored_prize.won, stored_prize.cut_by) == (list(numbers), cutter_numbers):
        return stored_prize
    return _store_cut_winners(locked_drive, stored_prize, list(numbers), cutter_numbers, by)


def _store_cut_winners(
    drive: Drive,
    prize: Prize,
    winner_numbers: list[int],
    cutting_players: list[PlayerId] | None,
    by: Actor,
) -> Prize:
    # `won` stores the numbers of the winners, `cut_by` those of all players who cut cards.
    old_values = {"prize": prize.number, "numbers": prize.won, "cut_by": prize.cut_by}
    prize.won, prize.cut_by = winner_numbers, cutting_players
    prize.save(update_fields=["won", "cut_by"])
    increment_revision(drive)
    audit.record(
        by,
        "drive.cut",
        subject=drive,
        where={"prize": prize.number},
        before={"won": old_values["numbers"]},
        after={"won": winner_numbers},
        undo=Undo(("prizes",), "drive.cut", old_values),
    )
    return prize


def _is_cut_void(drive: Drive, prize: Prize) -> bool:
    """Return whether the players must cut again, because now other players are tied too."""
    return bool(prize.cut_by) and not _find_tied_players(drive, prize) <= set(
        prize.cut_by or ()
    )


def _find_tied_players(drive: Drive, prize: Prize) -> frozenset[PlayerId]:
    prizes = list(drive.prizes.all())
    return find_cutting_players(load_drive_snapshot(drive), prizes)[prizes.index(prize)]


def _check_cut_winners(
    drive: Drive, prize: Prize, winner_numbers: Sequence[int]
) -> frozenset[PlayerId]:
    """Raise DriveActionNotAllowed if a listed winner of the cut did not take part in it."""
    tied_players = _find_tied_players(drive, prize)
    for winner_number in winner_numbers:
        if winner_number not in tied_players:
            message = _("Player %(number)s isn’t cutting for prize %(prize)s.")
            raise DriveActionNotAllowed(
                message % {"number": winner_number, "prize": prize.number}
            )
    return tied_players


def close_drive(*, drive: Drive, anyway: bool = False, closed_at: str = "", by: Actor) -> Drive:
    """Close a drive: the ranking is final, the prizes are awarded, and the secret may be shown.

    Raises ActionUnavailable with the reason if scores are missing, the totals do not add up, or
    tied players still have to cut for a prize. If `anyway` is true, the drive is closed in
    spite of these reasons, and prizes with an undecided cut get no winner.
    """

    def store_awards(locked_drive: Drive) -> dict[str, int]:
        snapshot = load_drive_snapshot(locked_drive)
        awards = compute_awards(
            snapshot, list(locked_drive.prizes.all()), is_secret_revealed=True
        )
        unresolved_problems = [
            *describe_missing_scores(snapshot),
            *_describe_totals_difference(snapshot),
            *_describe_open_cuts(snapshot, awards),
        ]
        if unresolved_problems and not anyway:
            raise ActionUnavailable(" ".join(unresolved_problems))
        _write_awards(locked_drive, snapshot, awards)
        return {"prizes": len(awards)}

    return close_activity(activity=drive, get_result=store_awards, closed_at=closed_at, by=by)


def _write_awards(drive: Drive, snapshot: DriveSnapshot, awards: Sequence[PrizeAward]) -> None:
    _delete_awards(drive)
    prize_by_number = {prize.number: prize for prize in drive.prizes.all()}
    Award.objects.bulk_create(
        Award(
            prize=prize_by_number[award.prize_number],
            order=order,
            player=snapshot.player_by_number.get(award.player_number)
            if isinstance(award.player_number, int)
            else None,
            why=award.reason,
        )
        for order, award in enumerate(awards, start=1)
    )


def _delete_awards(drive: Drive) -> None:
    Award.objects.filter(prize__drive=drive).delete()


def _describe_totals_difference(snapshot: DriveSnapshot) -> list[str]:
    difference = snapshot.scores.check_totals(snapshot.table_count).difference
    if not difference:
        return []
    return [_("Totals are out by %(off)s. Check the cards.") % {"off": difference}]


def _describe_open_cuts(snapshot: DriveSnapshot, awards: Sequence[PrizeAward]) -> list[str]:
    message = _("Prize %(prize)s: %(why)s.")

    def fill_in(reason: str) -> str:
        return fill_in_names(
            reason, lambda number: format_full_name(snapshot.player_by_number[number])
        )

    return [
        message % {"prize": award.prize_number, "why": fill_in(award.reason)}
        for award in awards
        if award.player_number is None
    ]


def reopen_drive(*, drive: Drive, by: Actor) -> Drive:
    """Reopen a closed drive for corrections; the next close awards the prizes again.

    The secret was visible while the drive was closed, so later lots are predictable.
    """
    return reopen_activity(
        activity=drive, check=_delete_awards, undo_arguments={"anyway": True}, by=by
    )
