"""Play records: the cards that each seat played to each trick."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from boards.whist import Play, Seat
from boards.whist.notation import format_hands
from clubs import audit
from clubs.audit import Actor, Undo
from clubs.models import Club
from scoring import tasks
from scoring.errors import PlayRefused
from scoring.models import PlayRecord
from scoring.secrecy import can_record_play, can_see_hands
from scoring.session_snapshot import load_session_snapshot
from server.jobs.outbox import enqueue
from tournaments.models import Session


@dataclass(frozen=True, slots=True)
class PlayContext:
    """The session, board, table and players of a recorded deal.

    A deal that was not played in a session has `session=None`.
    """

    club: Club
    session: Session | None = None
    board_number: int | None = None
    round_number: int | None = None
    table_number: int | None = None
    section_letter: str = ""  # the letter of the section, if there are several
    title: str = ""
    names_by_seat: Mapping[Seat, str] = field(default_factory=dict)
    is_entered_by_outsider: bool = (
        False  # the author has confirmed that he does not play these boards
    )


@transaction.atomic
def show_or_hide_play(*, record: PlayRecord, counts: bool, by: Actor) -> PlayRecord:
    """Show a play record if `counts` is True, else hide it. A record is never deleted.

    The argument's name is stored in undo actions, so it cannot be changed.
    """
    record = PlayRecord.objects.select_for_update(of=("self",)).get(pk=record.pk)
    if record.is_taken_back == counts:
        record.is_taken_back = not counts
        record.save(update_fields=["is_taken_back"])
        _record_history(by, "play.recorded" if counts else "play.taken_back", record)
    return record


def _record_history(by: Actor, action: str, play_record: PlayRecord) -> None:
    undo_arguments = {"record": play_record.pk, "counts": play_record.is_taken_back}
    audit.record(
        by,
        action,
        subject=play_record.session.event if play_record.session else play_record.club,
        where={"board": play_record.board}
        if play_record.board
        else {"name": play_record.title},
        undo=Undo((f"play {play_record.pk}",), "play.count", undo_arguments),
    )


@transaction.atomic
def create_play_record(
    *, context: PlayContext, play: Play, should_accept_revokes: bool = False, by: Actor
) -> PlayRecord:
    """Store a play record, and enqueue the analysis of best play after each trick.

    Idempotent: if the same play is sent twice, only one record is stored.

    Raises PlayRefused for a record without a card, and for a board whose play cannot be
    recorded yet. Also raises it for a record with a revoke, unless `should_accept_revokes` is
    True.
    """
    if not play.cards:
        raise PlayRefused(_("No cards recorded. Start with the lead to the first trick."))
    check_can_record_play(context)
    if play.revokes and not should_accept_revokes:
        revoke_text = " ".join(str(revoke) for revoke in play.revokes)
        raise PlayRefused(
            _(
                "%(revokes)s If it was really played like this, tick the box "
                "below. Otherwise correct it."
            )
            % {"revokes": revoke_text}
        )
    # A double click submits the play twice, which must create one record.
    Club.objects.select_for_update().get(pk=context.club.pk)
    play_record, is_new = PlayRecord.objects.get_or_create(
        club=context.club,
        session=context.session,
        board=context.board_number,
        round=context.round_number,
        table=context.table_number,
        section=context.section_letter,
        title=context.title,
        **{seat.name.lower(): context.names_by_seat.get(seat, "")[:100] for seat in Seat},
        dealer=play.deal.dealer.value,
        deal=format_hands(play.deal),
        turn_up=play.deal.turn_up.code if play.deal.turn_up else "",
        declared=play.deal.declared_trumps.value if play.deal.declared_trumps else "",
        cards=" ".join(card.code for card in play.cards),
        defaults={"entered_by": audit.format_author_key(by), "entered_at": timezone.now()},
    )
    if play_record.is_taken_back:
        return show_or_hide_play(record=play_record, counts=True, by=by)
    if not is_new:
        return play_record
    _record_history(by, "play.recorded", play_record)
    enqueue(tasks.PLAY_ANALYSIS_JOB, play_record.pk)
    return play_record


def check_can_record_play(context: PlayContext) -> None:
    """Raise PlayRefused if the play of a session's board cannot be recorded yet."""
    session, board_number = context.session, context.board_number
    if session is None or board_number is None:
        return
    snapshot = load_session_snapshot(session)
    if not can_record_play(snapshot, board_number, is_outsider=context.is_entered_by_outsider):
        raise PlayRefused(_("Others may still play this board. Close the session first."))
    rounds_and_tables = [
        (table.round, table.table_number)
        for table in snapshot.tables_by_board.get(board_number, [])
    ]
    if (
        not can_see_hands(session)
        and (context.round_number, context.table_number) not in rounds_and_tables
    ):
        raise PlayRefused(_("Choose the table and round where it was played."))
