"""Looking up a tray's cards to restore it; only for the director, and recorded in history."""

from dataclasses import dataclass
from enum import StrEnum

from django.db import transaction
from django.utils.translation import gettext as _

from boards.whist import Deal
from clubs.audit import Actor
from scoring.errors import PaperRefused
from scoring.secrecy import cards_may_be_ordered
from tournaments.models import Session
from tournaments.session_acts import record_session_act


class Part(StrEnum):
    """The part of a board that is looked up."""

    TURN_UP = "turn_up"
    HANDS = "hands"


class Ground(StrEnum):
    """The reason why the director may know these cards."""

    OUTSIDE = "outside"  # he does not play these boards
    SPOILED = "spoiled"  # his table has played the board, or cannot


@dataclass(frozen=True, slots=True)
class Look:
    """A look at a tray's record: the part of the board, and the reason."""

    part: Part
    ground: Ground


@transaction.atomic
def look_at_tray(*, session: Session, board: int, look: Look, by: Actor) -> Deal:
    """Return the deal of one board so that its tray can be restored (rules G3).

    Every look is recorded: author, time, board, part and reason. Raises PaperRefused if the
    cards are unknown, or hidden from the director too.
    """
    check_tray(session, board)
    assert session.board_set is not None
    if look.part is Part.TURN_UP and not session.event.turns_a_card:
        raise PaperRefused(_("No card is turned up in this event: trumps are declared."))
    row = session.board_set.boards.current().get(number=board)
    deal = session.event.as_played(row.as_deal())
    record_session_act(
        by,
        "tray.looked_at",
        session,
        where={"board": board},
        after={"part": look.part.value, "ground": look.ground.value},
    )
    return deal


def check_tray(session: Session, board: int) -> None:
    """Raise PaperRefused unless a director may look up this board's cards."""
    if not cards_may_be_ordered(session):
        raise PaperRefused(_("The cards are hidden from you too until the session is closed."))
    board_set = session.board_set
    if board_set is None or not board_set.boards.current().filter(number=board).exists():
        raise PaperRefused(
            _("The record has no cards of board %(number)s.") % {"number": board}
        )
