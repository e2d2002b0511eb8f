"""Services for rehearsals of drives: copies that play automatically through the services.

No process runs for one. The organiser's open desk sends a request every few seconds, and at
each some tables enter their next hand as their phones would; a complete round waits for its
call.
"""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

import clubs.evenings.services
from clubs import audit
from clubs.activities.services import lock
from clubs.audit import Actor
from clubs.errors import NotNow
from clubs.models import TableLink
from drives.draw.chance import Chance
from drives.errors import UnplayableDrive
from drives.files.writing import prize_to_come
from drives.forms.ties import tie_rule_of
from drives.held import HeldDrive, HeldRound, read_drive, seats_of
from drives.models import Award, CardTotal, Drive, DrivePlayer, Seat, Sheet
from drives.reckoning import winners_of
from drives.scores.plausible import made_up
from drives.services.beginning import TERMS, begin_drive
from drives.services.drawing import next_round
from drives.services.players import NewPlayer
from drives.services.prizes import set_prizes
from drives.services.tables import agree_from_table, enter_from_table, make_table_links

TABLES_AN_ENTRY = 4
"""At each request one of this number of tables enters a hand."""
MOST_AT_ONCE_HANDS = 8
"""A round of more hands is entered as one score, as its score is handed in at once."""


@transaction.atomic
def rehearse_drive(*, drive: Drive, by: Actor) -> Drive:
    """Copy a drive for practice, with the same players and terms; idempotent.

    Only organisers see it in lists; it counts in no season, and can be discarded.
    """
    row = lock(drive)
    if row.is_rehearsal:
        raise NotNow(_("This is a rehearsal already."))
    held = read_drive(row)
    playing = [p for p in held.players.values() if p.to_round is None]
    made = begin_drive(
        club=row.club,
        name=_("Rehearsal: %(name)s") % {"name": row.name},
        date=row.date,
        form=row.form,
        players=[_as_new(each) for each in playing if not each.house],
        house=[each.name for each in playing if each.house],
        apart=row.apart,
        form_key=f"rehearsal {row.pk}",
        is_rehearsal=True,
        by=by,
        **{name: getattr(row, name) for name in TERMS if name != "name"},
    )
    if not made.prizes.exists():
        set_prizes(drive=made, lines=[prize_to_come(p) for p in row.prizes.all()], by=by)
    make_table_links(drive=made, by=by)
    return made


def _as_new(player: DrivePlayer) -> NewPlayer:
    return NewPlayer(
        name=player.name,
        player=player.player,
        number=player.number,
        role=player.role,
        of_club=player.of_club,
        fort=player.fort,
    )


@transaction.atomic
def play_on(*, drive: Drive) -> int:
    """Enter the next hand of some tables; return the number of tables still missing."""
    row = _rehearsed(drive)
    held = read_drive(row)
    at = held.at
    if at is None or row.is_closed:
        return 0
    open_ = _open_tables(held, at)
    chance = Chance(bytes(row.secret or b""), "rehearsal", "order", row.revision)
    for table in chance.shuffled(open_)[: 1 + len(at.tables) // TABLES_AN_ENTRY]:
        _play_hand(held, at, table)
    return len(open_)


@transaction.atomic
def finish_round(*, drive: Drive) -> Drive:
    """Enter all remaining hands of this round."""
    row = _rehearsed(drive)
    while not row.is_closed:
        held = read_drive(row)
        at = held.at
        open_ = _open_tables(held, at) if at else []
        if at is None or not open_:
            break
        for table in open_:
            _play_hand(held, at, table, at_once=True)
    return row


@transaction.atomic
def finish_evening(*, drive: Drive, by: Actor) -> Drive:
    """Play all planned rounds; only the close with its prizes is left."""
    row = finish_round(drive=drive)
    while row.rounds is not None and 0 < row.at_round < row.rounds and not row.is_closed:
        try:
            row = next_round(drive=row, winners=_after_cuts(read_drive(row)), by=by)
        except UnplayableDrive:
            break  # the last table of a cut
        row = finish_round(drive=row)
    return row


@transaction.atomic
def throw_drive_away(*, drive: Drive, by: Actor) -> None:
    """Delete a rehearsal with all its scores; raise NotNow for a real drive."""
    row = lock(drive)
    if not row.is_rehearsal:
        raise NotNow(_("This is a real drive. It is never deleted."))
    audit.record(by, "drive.thrown_away", subject=row, before={"name": row.name})
    evening = row.evening
    Award.objects.filter(prize__drive=row).delete()
    CardTotal.objects.filter(player__drive=row).delete()
    Sheet.objects.filter(round__drive=row).delete()
    Seat.objects.filter(round__drive=row).delete()
    row.played.all().delete()
    row.players.update(takes_over=None)
    row.delete()
    clubs.evenings.services.remove_evening(evening=evening)


def _rehearsed(drive: Drive) -> Drive:
    row = lock(drive)
    if not row.is_rehearsal:
        raise NotNow(_("This is a real evening, not a rehearsal."))
    return row


def _open_tables(held: HeldDrive, at: HeldRound) -> list[int]:
    hands = held.drive.hands
    return [table for table in at.tables if at.hands_entered(table, hands) < hands]


def _play_hand(held: HeldDrive, at: HeldRound, table: int, *, at_once: bool = False) -> None:
    """Enter a table's next hand as its phone would, and confirm it for the other side.

    For practice, one table calls the director in the first round, and one leaves its second
    round unconfirmed.
    """
    drive = held.drive
    link = _link(held, table)
    entered = at.hands_entered(table, drive.hands)
    is_whole = not entered and (drive.hands == 1 or drive.hands > MOST_AT_ONCE_HANDS or at_once)
    hand = 0 if is_whole else _next_hand(at, table, drive.hands)
    terms = held.scoring if is_whole else held.scoring.of_hand
    place = ("rehearsal", at.number, table, hand)
    score, extras = made_up(terms, Chance(bytes(drive.secret or b""), *place))
    seats = seats_of(at.tables[table])
    about: dict[str, Any] = {
        "link": link,
        "round_number": at.number,
        "hand": hand,
        "seats": seats,
    }
    enter_from_table(
        **about, score=score, extras=extras, side="A", key="-".join(map(str, place))
    )
    odd = 1 + Chance(bytes(drive.secret or b""), "rehearsal", "odd").one_below(len(at.tables))
    if at.number == 1 and table == odd and not entered:
        clubs.evenings.services.call_director(link=link)
    if at.number != 2 or table != odd or hand not in (0, drive.hands):
        agree_from_table(**about, seen=score)


def _next_hand(at: HeldRound, table: int, hands: int) -> int:
    done = {
        hand for (where, hand), sheet in at.sheets.items() if where == table and sheet.score
    }
    return next(hand for hand in range(1, hands + 1) if hand not in done)


def _link(held: HeldDrive, table: int) -> TableLink:
    """Return the link of a table; the phone exists even if the organiser revoked the code."""
    links = held.drive.evening.table_links.filter(table=table)
    found = links.order_by("revoked_at", "-pk").first()
    if found is None:
        make_table_links(drive=held.drive, by=None)
        found = links.latest("pk")
    return found


def _after_cuts(held: HeldDrive) -> dict[int, str]:
    """Let side A win every cut for who moves on."""
    if held.at is None or not tie_rule_of(held.drive.terms).needs_entry:
        return {}
    equal: Sequence[int] = winners_of(held, held.at.number)[1]
    return dict.fromkeys(equal, "A")
