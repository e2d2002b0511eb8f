"""Services for the prize list, the winners of cuts, and the close, which awards the prizes."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from clubs import audit
from clubs.activities.services import close, lock, reopen, touch
from clubs.audit import Actor, Back
from clubs.errors import NotNow
from clubs.undoing import still_there
from drives.draw.company import Player
from drives.errors import DriveRefused
from drives.files.writing import prize_data
from drives.held import HeldDrive, read_drive
from drives.models import Award, Drive, Prize
from drives.prizes.awarding import Award as Given
from drives.prizes.prize import Prize as Line
from drives.prizes.prize import prizes_of
from drives.reckoning import awards, missing_scores, who_cut
from drives.services.changes import still_open


@transaction.atomic
def set_prizes(*, drive: Drive, lines: Sequence[Mapping[str, Any]], by: Actor) -> list[Prize]:
    """Replace the prize list, in the format of files: words, field, measure, count, ties ….

    Raises UnreadableDrive, which names the line and its problem.
    """
    row = lock(drive)
    still_open(row)
    standing = list(row.prizes.all())
    before = [prize_data(prize) for prize in standing]
    read = prizes_of(lines)
    made = [prize_row(row, number, line) for number, line in enumerate(read, start=1)]
    after = [prize_data(prize) for prize in made]
    if before == after:
        return standing
    row.prizes.all().delete()
    for prize in made:
        prize.clean_fields(exclude=["drive"])
    Prize.objects.bulk_create(made)
    touch(row)
    audit.record(
        by,
        "drive.prizes",
        subject=row,
        before={"prizes": len(before)},
        after={"prizes": len(after)},
        back=Back(("prizes",), "drive.prizes", {"lines": before}),
    )
    return made


def prize_row(drive: Drive, number: int, line: Line) -> Prize:
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
def win_cut(*, drive: Drive, prize: int, numbers: Sequence[int], by: Actor) -> Prize:
    """Record the winners of the cut for a prize, in order of winning.

    The players who cut are stored with it: where a correction makes others equal too, they cut
    again. Raises DriveRefused for a player who is not among the equals that cut for it.
    """
    row = lock(drive)
    still_open(row)
    found = row.prizes.filter(number=prize).first()
    if found is None:
        raise DriveRefused(_("There is no prize %(prize)s.") % {"prize": prize})
    known = set(row.players.filter(house=False).values_list("number", flat=True))
    for number in numbers:
        if number not in known:
            raise DriveRefused(_("Nobody has the number %(number)s.") % {"number": number})
    if list(numbers) == found.won and not _is_void(row, found):
        return found
    equals = _check_cut(row, found, numbers)
    cut_by = sorted(equals, key=str) if numbers else None
    return _note_cut(row, found, list(numbers), cut_by, by)


@transaction.atomic
def put_cut_back(
    *,
    drive: Drive,
    prize: int,
    numbers: Sequence[int],
    cut_by: Sequence[Player] | None = None,
    by: Actor,
) -> Prize:
    """Restore the winners of a cut and those who cut: the same winner may have won two."""
    row = lock(drive)
    still_open(row)
    found = still_there(row.prizes.all(), number=prize)
    before = list(cut_by) if cut_by else None
    if (found.won, found.cut_by) == (list(numbers), before):
        return found
    return _note_cut(row, found, list(numbers), before, by)


def _note_cut(
    drive: Drive, prize: Prize, won: list[int], cut_by: list[Player] | None, by: Actor
) -> Prize:
    before = {"prize": prize.number, "numbers": prize.won, "cut_by": prize.cut_by}
    prize.won, prize.cut_by = won, cut_by
    prize.save(update_fields=["won", "cut_by"])
    touch(drive)
    audit.record(
        by,
        "drive.cut",
        subject=drive,
        where={"prize": prize.number},
        before={"won": before["numbers"]},
        after={"won": won},
        back=Back(("prizes",), "drive.cut", before),
    )
    return prize


def _is_void(drive: Drive, prize: Prize) -> bool:
    """Return whether other players are now equal with those who cut."""
    return bool(prize.cut_by) and not _equals(drive, prize) <= set(prize.cut_by or ())


def _equals(drive: Drive, prize: Prize) -> frozenset[Player]:
    prizes = list(drive.prizes.all())
    return who_cut(read_drive(drive), prizes)[prizes.index(prize)]


def _check_cut(drive: Drive, prize: Prize, numbers: Sequence[int]) -> frozenset[Player]:
    """Refuse players who do not cut; their names would be stored without deciding the prize."""
    equals = _equals(drive, prize)
    for number in numbers:
        if number not in equals:
            words = _("%(number)s is not among the equals who cut for prize %(prize)s.")
            raise DriveRefused(words % {"number": number, "prize": prize.number})
    return equals


def close_drive(*, drive: Drive, anyway: bool = False, closed_at: str = "", by: Actor) -> Drive:
    """Close a drive: the ranking is final, the prizes are awarded, and the secret may be shown.

    Refused with the reason while scores are missing, the totals do not add up, or equals have
    still to cut for a prize, unless `anyway`; such prizes then stay open.
    """

    def give_prizes(row: Drive) -> dict[str, int]:
        held = read_drive(row)
        given = awards(held, list(row.prizes.all()), revealed=True)
        reasons = [*missing_scores(held), *_off(held), *_uncut(given)]
        if reasons and not anyway:
            raise NotNow(" ".join(reasons))
        _write_awards(row, held, given)
        return {"prizes": len(given)}

    return close(activity=drive, first=give_prizes, closed_at=closed_at, by=by)


def _write_awards(drive: Drive, held: HeldDrive, given: Sequence[Given]) -> None:
    _drop_awards(drive)
    prizes = {prize.number: prize for prize in drive.prizes.all()}
    Award.objects.bulk_create(
        Award(
            prize=prizes[award.prize],
            order=order,
            player=held.players.get(award.number) if isinstance(award.number, int) else None,
            why=award.why,
        )
        for order, award in enumerate(given, start=1)
    )


def _drop_awards(drive: Drive) -> None:
    Award.objects.filter(prize__drive=drive).delete()


def _off(held: HeldDrive) -> list[str]:
    off = held.scores.check(held.table_count).off
    if not off:
        return []
    return [_("The room is off by %(off)s: look at the cards again.") % {"off": off}]


def _uncut(given: Sequence[Given]) -> list[str]:
    words = _("Prize %(prize)s: %(why)s.")
    return [
        words % {"prize": award.prize, "why": award.why}
        for award in given
        if award.number is None
    ]


def reopen_drive(*, drive: Drive, by: Actor) -> Drive:
    """Reopen a closed drive for corrections; the next close awards the prizes again.

    Its secret was visible, so lots drawn afterwards are predictable.
    """
    return reopen(activity=drive, first=_drop_awards, given={"anyway": True}, by=by)
