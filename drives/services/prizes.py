"""Services for the prize list, the winners of cuts, and the close, which awards the prizes."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from clubs import audit
from clubs.activities.services import close, increment_revision, lock_activity, reopen
from clubs.audit import Actor, Undo
from clubs.errors import NotNow
from clubs.undo import get_existing
from drives.draw.participants import PlayerId
from drives.drive_results import compute_awards, describe_missing_scores, find_cutting_players
from drives.errors import DriveRefused
from drives.files.export import build_prize
from drives.models import Award, Drive, Prize
from drives.prizes.awards import PrizeAward as Given
from drives.prizes.prize import PrizeLine as Line
from drives.prizes.prize import parse_prizes
from drives.services.seat_changes import check_open
from drives.snapshot import DriveSnapshot, load_drive


@transaction.atomic
def set_prizes(*, drive: Drive, lines: Sequence[Mapping[str, Any]], by: Actor) -> list[Prize]:
    """Replace the prize list, in the format of files: words, field, measure, count, ties ….

    Raises UnreadableDrive, which names the line and its problem.
    """
    row = lock_activity(drive)
    check_open(row)
    stored_prizes = list(row.prizes.all())
    before = [build_prize(prize) for prize in stored_prizes]
    prize_lines = parse_prizes(lines)
    new_prizes = [
        build_prize_row(row, number, line) for number, line in enumerate(prize_lines, start=1)
    ]
    after = [build_prize(prize) for prize in new_prizes]
    if before == after:
        return stored_prizes
    row.prizes.all().delete()
    for prize in new_prizes:
        prize.clean_fields(exclude=["drive"])
    Prize.objects.bulk_create(new_prizes)
    increment_revision(row)
    audit.record(
        by,
        "drive.prizes",
        subject=row,
        before={"prizes": len(before)},
        after={"prizes": len(after)},
        back=Undo(("prizes",), "drive.prizes", {"lines": before}),
    )
    return new_prizes


def build_prize_row(drive: Drive, number: int, line: Line) -> Prize:
    """Return a prize as an unsaved row."""
    return Prize(
        drive=drive,
        number=number,
        words=line.words,
        field=line.field,
        measure=line.measure,
        count=line.count,
        ties=str(line.ties),
        places=list(line.places),
        then=list(line.then),
        round=line.round,
        least=line.least,
        won=list(line.won),
        cut_by=list(line.cut_by) or None,
    )


@transaction.atomic
def record_cut_winners(*, drive: Drive, prize: int, numbers: Sequence[int], by: Actor) -> Prize:
    """Record the winners of the cut for a prize, in order of winning.

    The players who cut are stored with it: where a correction makes others equal too, they cut
    again. Raises DriveRefused for a player who is not among the equals that cut for it.
    """
    row = lock_activity(drive)
    check_open(row)
    prize_row = row.prizes.filter(number=prize).first()
    if prize_row is None:
        raise DriveRefused(_("Prize %(prize)s not found.") % {"prize": prize})
    known_numbers = set(row.players.filter(house=False).values_list("number", flat=True))
    for number in numbers:
        if number not in known_numbers:
            raise DriveRefused(_("Player %(number)s not found.") % {"number": number})
    if list(numbers) == prize_row.won and not _is_cut_void(row, prize_row):
        return prize_row
    tied_players = _check_cut(row, prize_row, numbers)
    cut_by = sorted(tied_players, key=str) if numbers else None
    return _write_cut(row, prize_row, list(numbers), cut_by, by)


@transaction.atomic
def restore_cut_winners(
    *,
    drive: Drive,
    prize: int,
    numbers: Sequence[int],
    cut_by: Sequence[PlayerId] | None = None,
    by: Actor,
) -> Prize:
    """Restore the stored winners of a cut and the players who cut, as an undo action."""
    row = lock_activity(drive)
    check_open(row)
    prize_row = get_existing(row.prizes.all(), number=prize)
    before = list(cut_by) if cut_by else None
    if (prize_row.won, prize_row.cut_by) == (list(numbers), before):
        return prize_row
    return _write_cut(row, prize_row, list(numbers), before, by)


def _write_cut(
    drive: Drive, prize: Prize, won: list[int], cut_by: list[PlayerId] | None, by: Actor
) -> Prize:
    before = {"prize": prize.number, "numbers": prize.won, "cut_by": prize.cut_by}
    prize.won, prize.cut_by = won, cut_by
    prize.save(update_fields=["won", "cut_by"])
    increment_revision(drive)
    audit.record(
        by,
        "drive.cut",
        subject=drive,
        where={"prize": prize.number},
        before={"won": before["numbers"]},
        after={"won": won},
        back=Undo(("prizes",), "drive.cut", before),
    )
    return prize


def _is_cut_void(drive: Drive, prize: Prize) -> bool:
    """Return whether a correction has tied further players with those who cut."""
    return bool(prize.cut_by) and not _find_equals(drive, prize) <= set(prize.cut_by or ())


def _find_equals(drive: Drive, prize: Prize) -> frozenset[PlayerId]:
    prizes = list(drive.prizes.all())
    return find_cutting_players(load_drive(drive), prizes)[prizes.index(prize)]


def _check_cut(drive: Drive, prize: Prize, numbers: Sequence[int]) -> frozenset[PlayerId]:
    """Raise DriveRefused if a listed winner of the cut did not take part in it."""
    tied_players = _find_equals(drive, prize)
    for number in numbers:
        if number not in tied_players:
            message = _("Player %(number)s isn't one of those who cut for prize %(prize)s.")
            raise DriveRefused(message % {"number": number, "prize": prize.number})
    return tied_players


def close_drive(*, drive: Drive, anyway: bool = False, closed_at: str = "", by: Actor) -> Drive:
    """Close a drive: the ranking is final, the prizes are awarded, and the secret may be shown.

    Refused with the reason while scores are missing, the totals do not add up, or equals have
    still to cut for a prize, unless `anyway`; such prizes then stay open.
    """

    def store_awards(row: Drive) -> dict[str, int]:
        snapshot = load_drive(row)
        awards = compute_awards(snapshot, list(row.prizes.all()), is_revealed=True)
        reasons = [
            *describe_missing_scores(snapshot),
            *_describe_totals_difference(snapshot),
            *_describe_open_cuts(awards),
        ]
        if reasons and not anyway:
            raise NotNow(" ".join(reasons))
        _write_awards(row, snapshot, awards)
        return {"prizes": len(awards)}

    return close(activity=drive, first=store_awards, closed_at=closed_at, by=by)


def _write_awards(drive: Drive, snapshot: DriveSnapshot, awards: Sequence[Given]) -> None:
    _delete_awards(drive)
    prizes = {prize.number: prize for prize in drive.prizes.all()}
    Award.objects.bulk_create(
        Award(
            prize=prizes[award.prize],
            order=order,
            player=snapshot.players.get(award.number)
            if isinstance(award.number, int)
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


def _describe_open_cuts(awards: Sequence[Given]) -> list[str]:
    message = _("Prize %(prize)s: %(why)s.")
    return [
        message % {"prize": award.prize, "why": award.reason}
        for award in awards
        if award.number is None
    ]


def reopen_drive(*, drive: Drive, by: Actor) -> Drive:
    """Reopen a closed drive for corrections; the next close awards the prizes again.

    Its secret was visible, so lots drawn afterwards are predictable.
    """
    return reopen(activity=drive, first=_delete_awards, undo_arguments={"anyway": True}, by=by)
