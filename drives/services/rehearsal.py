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
from clubs.activities.services import lock_activity
from clubs.audit import Actor
from clubs.errors import NotNow
from clubs.models import TableLink
from drives.draw.random_stream import RandomStream
from drives.drive_results import find_round_winners
from drives.errors import UnplayableDrive
from drives.files.export import build_future_prize
from drives.models import Award, CardTotal, Drive, DrivePlayer, Seat, Sheet
from drives.play_forms.ties import get_tie_rule
from drives.scores.random_scores import draw_scores
from drives.services.create import CHANGEABLE_FIELDS, create_drive
from drives.services.draw_rounds import begin_next_round
from drives.services.players import NewPlayer
from drives.services.prizes import set_prizes
from drives.services.tables import confirm_from_table, create_table_links, enter_from_table
from drives.snapshot import DriveSnapshot, RoundSnapshot, format_seats, load_drive

TABLES_PER_ENTRY = 4
"""At each request one of this number of tables enters a hand."""
MAX_SINGLE_HANDS = 8
"""A round of more hands is entered as one score, as its score is handed in at once."""


@transaction.atomic
def create_rehearsal(*, drive: Drive, by: Actor) -> Drive:
    """Copy a drive for practice, with the same players and terms; idempotent.

    Only organisers see it in lists; it counts in no season, and can be discarded.
    """
    row = lock_activity(drive)
    if row.is_rehearsal:
        raise NotNow(_("This is already a rehearsal."))
    snapshot = load_drive(row)
    playing = [p for p in snapshot.players.values() if p.to_round is None]
    copy = create_drive(
        club=row.club,
        name=_("Rehearsal: %(name)s") % {"name": row.name},
        date=row.date,
        form=row.form,
        players=[_to_new_player(player) for player in playing if not player.house],
        house=[player.name for player in playing if player.house],
        apart=row.apart,
        form_key=f"rehearsal {row.pk}",
        is_rehearsal=True,
        by=by,
        **{name: getattr(row, name) for name in CHANGEABLE_FIELDS if name != "name"},
    )
    if not copy.prizes.exists():
        set_prizes(drive=copy, lines=[build_future_prize(p) for p in row.prizes.all()], by=by)
    create_table_links(drive=copy, by=by)
    return copy


def _to_new_player(player: DrivePlayer) -> NewPlayer:
    return NewPlayer(
        name=player.name,
        player=player.player,
        number=player.number,
        role=player.role,
        of_club=player.of_club,
        fort=player.fort,
    )


@transaction.atomic
def enter_due_hands(*, drive: Drive) -> int:
    """Enter the next hand of some tables; return the number of tables still missing."""
    row = _lock_rehearsal(drive)
    snapshot = load_drive(row)
    current_round = snapshot.current_round
    if current_round is None or row.is_closed:
        return 0
    open_tables = _list_open_tables(snapshot, current_round)
    random_stream = RandomStream(bytes(row.secret or b""), "rehearsal", "order", row.revision)
    for table in random_stream.shuffle(open_tables)[
        : 1 + len(current_round.tables) // TABLES_PER_ENTRY
    ]:
        _enter_hand(snapshot, current_round, table)
    return len(open_tables)


@transaction.atomic
def finish_round(*, drive: Drive) -> Drive:
    """Enter all remaining hands of this round."""
    row = _lock_rehearsal(drive)
    while not row.is_closed:
        snapshot = load_drive(row)
        current_round = snapshot.current_round
        open_tables = _list_open_tables(snapshot, current_round) if current_round else []
        if current_round is None or not open_tables:
            break
        for table in open_tables:
            _enter_hand(snapshot, current_round, table, all_hands_at_once=True)
    return row


@transaction.atomic
def finish_evening(*, drive: Drive, by: Actor) -> Drive:
    """Play all planned rounds; only the close with its prizes is left."""
    row = finish_round(drive=drive)
    while row.rounds is not None and 0 < row.at_round < row.rounds and not row.is_closed:
        try:
            row = begin_next_round(
                drive=row, winners=_choose_cut_winners(load_drive(row)), by=by
            )
        except UnplayableDrive:
            break  # the last table of a cut
        row = finish_round(drive=row)
    return row


@transaction.atomic
def delete_rehearsal(*, drive: Drive, by: Actor) -> None:
    """Delete a rehearsal with all its scores; raise NotNow for a real drive."""
    row = lock_activity(drive)
    if not row.is_rehearsal:
        raise NotNow(_("A real drive can't be deleted."))
    audit.record(by, "drive.thrown_away", subject=row, before={"name": row.name})
    evening = row.evening
    Award.objects.filter(prize__drive=row).delete()
    CardTotal.objects.filter(player__drive=row).delete()
    Sheet.objects.filter(round__drive=row).delete()
    Seat.objects.filter(round__drive=row).delete()
    row.played.all().delete()
    row.players.update(takes_over=None)
    row.delete()
    clubs.evenings.services.delete_evening(evening=evening)


def _lock_rehearsal(drive: Drive) -> Drive:
    row = lock_activity(drive)
    if not row.is_rehearsal:
        raise NotNow(_("This is not a rehearsal."))
    return row


def _list_open_tables(snapshot: DriveSnapshot, at: RoundSnapshot) -> list[int]:
    hands = snapshot.drive.hands
    return [table for table in at.tables if at.count_hands_entered(table, hands) < hands]


def _enter_hand(
    snapshot: DriveSnapshot, at: RoundSnapshot, table: int, *, all_hands_at_once: bool = False
) -> None:
    """Enter a table's next hand as its phone would, and confirm it for the other side.

    For practice, one table calls the director in the first round, and one leaves its second
    round unconfirmed.
    """
    drive = snapshot.drive
    link = _get_or_build_link(snapshot, table)
    entered = at.count_hands_entered(table, drive.hands)
    is_whole = not entered and (
        drive.hands == 1 or drive.hands > MAX_SINGLE_HANDS or all_hands_at_once
    )
    hand = 0 if is_whole else _find_next_hand(at, table, drive.hands)
    terms = snapshot.scoring if is_whole else snapshot.scoring.hand_terms
    place = ("rehearsal", at.number, table, hand)
    score, extras = draw_scores(terms, RandomStream(bytes(drive.secret or b""), *place))
    seats = format_seats(at.tables[table])
    about: dict[str, Any] = {
        "link": link,
        "round_number": at.number,
        "hand": hand,
        "seats": seats,
    }
    enter_from_table(
        **about, score=score, extras=extras, side="A", key="-".join(map(str, place))
    )
    special_table = 1 + RandomStream(
        bytes(drive.secret or b""), "rehearsal", "odd"
    ).draw_one_below(len(at.tables))
    if at.number == 1 and table == special_table and not entered:
        clubs.evenings.services.call_director(link=link)
    if at.number != 2 or table != special_table or hand not in (0, drive.hands):
        confirm_from_table(**about, seen=score)


def _find_next_hand(at: RoundSnapshot, table: int, hands: int) -> int:
    entered_hands = {
        hand
        for (sheet_table, hand), sheet in at.sheets.items()
        if sheet_table == table and sheet.score
    }
    return next(hand for hand in range(1, hands + 1) if hand not in entered_hands)


def _get_or_build_link(snapshot: DriveSnapshot, table: int) -> TableLink:
    """Return the link of a table; the phone exists even if the organiser revoked the code."""
    links = snapshot.drive.evening.table_links.filter(table=table)
    link = links.order_by("revoked_at", "-pk").first()
    if link is None:
        create_table_links(drive=snapshot.drive, by=None)
        link = links.latest("pk")
    return link


def _choose_cut_winners(snapshot: DriveSnapshot) -> dict[int, str]:
    """Return side A as the winner of every cut that decides which side moves."""
    if snapshot.current_round is None or not get_tie_rule(snapshot.drive.terms).needs_entry:
        return {}
    tied_tables: Sequence[int] = find_round_winners(snapshot, snapshot.current_round.number)[1]
    return dict.fromkeys(tied_tables, "A")
