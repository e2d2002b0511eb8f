"""Services for rehearsals: copies of a drive in which scores are entered automatically.

No background process runs. The organiser's open page sends a request every few seconds, and
each request enters the next hand of some tables, as their phones would. The next round begins
only when the organiser starts it.
"""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

import clubs.evenings.services
from clubs import audit
from clubs.activities.services import lock_activity
from clubs.audit import Actor
from clubs.errors import ActionUnavailable
from clubs.models import TableLink
from drives.draw.random_stream import RandomStream
from drives.drive_results import find_round_winners
from drives.errors import UnplayableDrive
from drives.files.export import build_prize_without_result
from drives.models import Award, CardTotal, Drive, DrivePlayer, Seat, Sheet
from drives.play_forms.ties import get_tie_rule
from drives.scores.random_scores import simulate_scores
from drives.services.create import CHANGEABLE_FIELDS, create_drive
from drives.services.draw_rounds import begin_next_round
from drives.services.players import NewPlayer
from drives.services.prizes import set_prizes
from drives.services.tables import (
    confirm_sheet_from_table,
    create_table_links,
    enter_score_from_table,
)
from drives.snapshot import DriveSnapshot, RoundSnapshot, format_seats, load_drive_snapshot

TABLES_PER_ENTERED_HAND = 4
"""Each request enters a hand at one of this many tables."""
MAX_SEPARATELY_ENTERED_HANDS = 8
"""If rounds have more hands than this, the score of a whole round is entered at once."""


@transaction.atomic
def create_rehearsal(*, drive: Drive, by: Actor) -> Drive:
    """Copy a drive for practice, with the same players and terms; idempotent.

    Only organisers see the copy in lists. It counts in no season, and can be deleted.
    """
    locked_drive = lock_activity(drive)
    if locked_drive.is_rehearsal:
        raise ActionUnavailable(_("This is already a rehearsal."))
    snapshot = load_drive_snapshot(locked_drive)
    playing_players = [
        player for player in snapshot.player_by_number.values() if player.to_round is None
    ]
    rehearsal = create_drive(
        club=locked_drive.club,
        name=_("Rehearsal: %(name)s") % {"name": locked_drive.name},
        date=locked_drive.date,
        form=locked_drive.form,
        players=[_build_new_player(player) for player in playing_players if not player.house],
        house=[player.name for player in playing_players if player.house],
        apart=locked_drive.apart,
        form_key=f"rehearsal {locked_drive.pk}",
        is_rehearsal=True,
        by=by,
        **{name: getattr(locked_drive, name) for name in CHANGEABLE_FIELDS if name != "name"},
    )
    if not rehearsal.prizes.exists():
        set_prizes(
            drive=rehearsal,
            lines=[build_prize_without_result(prize) for prize in locked_drive.prizes.all()],
            by=by,
        )
    create_table_links(drive=rehearsal, by=by)
    return rehearsal


def _build_new_player(player: DrivePlayer) -> NewPlayer:
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
    """Enter the next hand of some tables; return how many tables had open hands before."""
    locked_drive = _lock_rehearsal(drive)
    snapshot = load_drive_snapshot(locked_drive)
    current_round = snapshot.current_round
    if current_round is None or locked_drive.is_closed:
        return 0
    unfinished_tables = _list_unfinished_tables(snapshot, current_round)
    random_stream = RandomStream(
        bytes(locked_drive.secret or b""), "rehearsal", "order", locked_drive.revision
    )
    for table_number in random_stream.shuffle(unfinished_tables)[
        : 1 + len(current_round.seats_by_table) // TABLES_PER_ENTERED_HAND
    ]:
        _enter_hand(snapshot, current_round, table_number)
    return len(unfinished_tables)


@transaction.atomic
def finish_round(*, drive: Drive) -> Drive:
    """Enter all remaining hands of the round in play."""
    locked_drive = _lock_rehearsal(drive)
    while not locked_drive.is_closed:
        snapshot = load_drive_snapshot(locked_drive)
        current_round = snapshot.current_round
        unfinished_tables = (
            _list_unfinished_tables(snapshot, current_round) if current_round else []
        )
        if current_round is None or not unfinished_tables:
            break
        for table_number in unfinished_tables:
            _enter_hand(snapshot, current_round, table_number, is_whole_round_preferred=True)
    return locked_drive


@transaction.atomic
def play_remaining_rounds(*, drive: Drive, by: Actor) -> Drive:
    """Play all planned rounds, without closing the drive."""
    locked_drive = finish_round(drive=drive)
    while (
        locked_drive.rounds is not None
        and 0 < locked_drive.at_round < locked_drive.rounds
        and not locked_drive.is_closed
    ):
        try:
            locked_drive = begin_next_round(
                drive=locked_drive,
                winners_by_table=_choose_cut_winners(load_drive_snapshot(locked_drive)),
                by=by,
            )
        except UnplayableDrive:
            break  # too few players are left for another round
        locked_drive = finish_round(drive=locked_drive)
    return locked_drive


@transaction.atomic
def delete_rehearsal(*, drive: Drive, by: Actor) -> None:
    """Delete a rehearsal with all its scores; raise ActionUnavailable for a real drive."""
    locked_drive = lock_activity(drive)
    if not locked_drive.is_rehearsal:
        raise ActionUnavailable(_("A real drive can’t be deleted."))
    audit.record(
        by, "drive.thrown_away", subject=locked_drive, before={"name": locked_drive.name}
    )
    evening = locked_drive.evening
    Award.objects.filter(prize__drive=locked_drive).delete()
    CardTotal.objects.filter(player__drive=locked_drive).delete()
    Sheet.objects.filter(round__drive=locked_drive).delete()
    Seat.objects.filter(round__drive=locked_drive).delete()
    locked_drive.played.all().delete()
    locked_drive.players.update(takes_over=None)
    locked_drive.delete()
    clubs.evenings.services.delete_evening(evening=evening)


def _lock_rehearsal(drive: Drive) -> Drive:
    locked_drive = lock_activity(drive)
    if not locked_drive.is_rehearsal:
        raise ActionUnavailable(_("This is not a rehearsal."))
    return locked_drive


def _list_unfinished_tables(
    snapshot: DriveSnapshot, round_snapshot: RoundSnapshot
) -> list[int]:
    hand_count = snapshot.drive.hands
    return [
        table_number
        for table_number in round_snapshot.seats_by_table
        if round_snapshot.count_hands_entered(table_number, hand_count) < hand_count
    ]


def _enter_hand(
    snapshot: DriveSnapshot,
    round_snapshot: RoundSnapshot,
    table_number: int,
    *,
    is_whole_round_preferred: bool = False,
) -> None:
    """Enter a table's next hand as its phone would, and confirm it for the other side.

    For practice, one table calls the director in the first round, and one leaves its second
    round unconfirmed.
    """
    drive = snapshot.drive
    link = _get_or_build_link(snapshot, table_number)
    entered_hand_count = round_snapshot.count_hands_entered(table_number, drive.hands)
    should_enter_whole_round = not entered_hand_count and (
        drive.hands == 1
        or drive.hands > MAX_SEPARATELY_ENTERED_HANDS
        or is_whole_round_preferred
    )
    hand_number = (
        0
        if should_enter_whole_round
        else _find_next_hand(round_snapshot, table_number, drive.hands)
    )
    scoring = (
        snapshot.scoring if should_enter_whole_round else snapshot.scoring.single_hand_scoring
    )
    random_purpose = ("rehearsal", round_snapshot.number, table_number, hand_number)
    side_scores, extra_points = simulate_scores(
        scoring, RandomStream(bytes(drive.secret or b""), *random_purpose)
    )
    seats = format_seats(round_snapshot.seats_by_table[table_number])
    sheet_arguments: dict[str, Any] = {
        "link": link,
        "round_number": round_snapshot.number,
        "hand_number": hand_number,
        "shown_seats": seats,
    }
    enter_score_from_table(
        **sheet_arguments,
        score=side_scores,
        extras=extra_points,
        side_letter="A",
        key="-".join(map(str, random_purpose)),
    )
    mishap_table_number = 1 + RandomStream(
        bytes(drive.secret or b""), "rehearsal", "odd"
    ).draw_integer(len(round_snapshot.seats_by_table))
    if (
        round_snapshot.number == 1
        and table_number == mishap_table_number
        and not entered_hand_count
    ):
        clubs.evenings.services.call_director(link=link)
    if (
        round_snapshot.number != 2
        or table_number != mishap_table_number
        or hand_number not in (0, drive.hands)
    ):
        confirm_sheet_from_table(**sheet_arguments, seen=side_scores)


def _find_next_hand(round_snapshot: RoundSnapshot, table_number: int, hand_count: int) -> int:
    entered_hand_numbers = {
        hand_number
        for (
            sheet_table_number,
            hand_number,
        ), sheet in round_snapshot.sheet_by_table_and_hand.items()
        if sheet_table_number == table_number and sheet.score
    }
    return next(
        hand_number
        for hand_number in range(1, hand_count + 1)
        if hand_number not in entered_hand_numbers
    )


def _get_or_build_link(snapshot: DriveSnapshot, table_number: int) -> TableLink:
    """Return a link of a table, even a revoked one; create links if the table has none."""
    links = snapshot.drive.evening.table_links.filter(table=table_number)
    link = links.order_by("revoked_at", "-pk").first()
    if link is None:
        create_table_links(drive=snapshot.drive, by=None)
        link = links.latest("pk")
    return link


def _choose_cut_winners(snapshot: DriveSnapshot) -> dict[int, str]:
    """Return side A as the winner at every tied table at which a cut decides who moves."""
    if (
        snapshot.current_round is None
        or not get_tie_rule(snapshot.drive.terms).is_winner_input_needed
    ):
        return {}
    tied_tables: Sequence[int] = find_round_winners(snapshot, snapshot.current_round.number)[1]
    return dict.fromkeys(tied_tables, "A")
