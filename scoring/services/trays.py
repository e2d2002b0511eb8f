"""Service with which a director looks up a board's cards to restore its tray."""

from dataclasses import dataclass
from enum import StrEnum

from django.db import transaction
from django.utils.translation import gettext as _

from boards.whist import Deal
from clubs.audit import Actor
from scoring.errors import PaperRefused
from scoring.secrecy import can_order_card_papers
from tournaments.models import Session
from tournaments.session_acts import record_session_act


class TrayPart(StrEnum):
    """The part of a board that is looked up."""

    TURN_UP = "turn_up"
    HANDS = "hands"


class InspectionReason(StrEnum):
    """The reason why the director may see these cards."""

    NOT_PLAYING = "outside"  # the user does not play these boards
    SPOILED = "spoiled"  # the user's table has played the board, or cannot play it


@dataclass(frozen=True, slots=True)
class TrayInspection:
    """A look at a board's cards: the part of the board, and the reason."""

    tray_part: TrayPart
    reason: InspectionReason


@transaction.atomic
def record_tray_inspection(
    *, session: Session, board_number: int, inspection: TrayInspection, by: Actor
) -> Deal:
    """Return the deal of one board, so that its tray can be restored (rules G3).

    Every inspection is recorded with author, time, board, part and reason. Raises PaperRefused
    if the cards are unknown, or hidden from the director too.
    """
    check_can_inspect_tray(session, board_number)
    assert session.board_set is not None
    if inspection.tray_part is TrayPart.TURN_UP and not session.event.has_turn_up:
        raise PaperRefused(_("No card is turned: trumps are declared in this event."))
    current_board = session.board_set.boards.current().get(number=board_number)
    deal = session.event.build_played_deal(current_board.as_deal())
    record_session_act(
        by,
        "tray.looked_at",
        session,
        location_data={"board": board_number},
        new_values={"part": inspection.tray_part.value, "ground": inspection.reason.value},
    )
    return deal


def check_can_inspect_tray(session: Session, board_number: int) -> None:
    """Raise PaperRefused unless a director may look up this board's cards."""
    if not can_order_card_papers(session):
        raise PaperRefused(_("The cards are hidden from you too until the session is closed."))
    board_set = session.board_set
    if board_set is None or not board_set.boards.current().filter(number=board_number).exists():
        raise PaperRefused(
            _("The cards of board %(number)s aren’t recorded.") % {"number": board_number}
        )
