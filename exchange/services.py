"""The services for board files, which record each export in the history."""

from django.db import transaction
from django.utils.translation import gettext as _

import boards.services
from clubs import audit
from clubs.audit import Actor
from exchange.formats import BoardFileFormat
from scoring.errors import PaperRefused
from scoring.secrecy import can_order_card_papers, can_see_hands
from scoring.session_snapshot import load_session_snapshot
from tournaments.models import Session


@transaction.atomic
def queue_best_play_computation(*, session: Session, by: Actor) -> None:
    """Queue the computation of a session's best-play tables: twenty numbers for each board.

    Bridge programs show these numbers. Raises PaperRefused if the hands must stay hidden.
    """
    if session.board_set is None or not session.board_set.made:
        raise PaperRefused(_("No boards have been dealt or entered for this session yet."))
    if not can_see_hands(session):
        raise PaperRefused(_("Close the session first to see best play."))
    if not session.board_set.wants_tables:
        boards.services.queue_best_play_tables(board_set=session.board_set)
        audit.record(by, "boards.tables_ordered", subject=session.event)


@transaction.atomic
def export_dealing_machine_file(
    *, session: Session, file_format: BoardFileFormat, by: Actor
) -> bytes:
    """Return a session's boards as a file for a dealing machine, and record the export.

    Raises PaperRefused if there are no boards, or if the file has cards of sealed boards.
    """
    if session.board_set is None or not session.board_set.made:
        raise PaperRefused(_("No boards have been dealt or entered for this session yet."))
    if file_format.has_cards and not can_order_card_papers(session):
        raise PaperRefused(_("The cards are hidden until the session is closed."))
    content = file_format.write_file(load_session_snapshot(session))
    audit_location = {"session": session.number, "file": file_format.name}
    audit.record(by, "boards.filed", subject=session.event, where=audit_location)
    return content
