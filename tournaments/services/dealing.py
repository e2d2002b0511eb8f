"""Services that deal the boards again before play, add the public value, or seal the boards."""

from django.db import transaction
from django.utils.translation import gettext as _

import boards.services
from boards.models import BoardSet
from clubs.audit import Actor, AuditData, Undo
from tournaments.board_counts import count_boards
from tournaments.errors import ActionUnavailable
from tournaments.models import Session
from tournaments.services.trumps import queue_every_suit_analysis
from tournaments.session_acts import lock_session, record_session_act


@transaction.atomic
def redeal_boards(
    *,
    session: Session,
    seen_board_set_ordinal: int,
    should_use_public_value: bool = False,
    by: Actor,
) -> BoardSet:
    """Request a new board set that replaces the session's current set, which remains stored.

    `seen_board_set_ordinal` is the ordinal of the set that the director saw, so that a double
    click requests only one new set. Raises ActionUnavailable once the session has been opened.
    """
    session = lock_session(session)
    old_board_set = session.board_set
    if session.state != Session.State.PLANNED:
        raise ActionUnavailable(
            _(
                "Play has started, so the boards can’t be replaced. To redeal one board, "
                "add a ruling."
            )
        )
    if old_board_set is None:
        raise ActionUnavailable(_("No boards dealt yet, so there’s nothing to replace."))
    if old_board_set.ordinal != seen_board_set_ordinal:
        return old_board_set
    board_set = boards.services.create_board_set(
        name=str(session),
        board_count=count_boards(session),
        should_use_public_value=should_use_public_value,
        replaced_set=old_board_set,
    )
    session.board_set = board_set
    session.save(update_fields=["board_set"])
    queue_every_suit_analysis(session.event, board_set)
    _record_irreversible_act(by, "boards.dealt_anew", session, {"set": board_set.ordinal})
    return board_set


@transaction.atomic
def record_public_value(*, session: Session, public_value: str, by: Actor) -> BoardSet:
    """Add to the deal a public value that became known after the commitment was published."""
    session = lock_session(session)
    if session.board_set is None:
        raise ActionUnavailable(_("No boards are waiting for a number."))
    board_set = boards.services.add_public_value(
        board_set=session.board_set, public_value=public_value
    )
    _record_irreversible_act(
        by, "boards.public_value", session, {"public_value": board_set.public_value}
    )
    return board_set


@transaction.atomic
def seal_boards(*, session: Session, by: Actor) -> None:
    """Hide the cards from everyone, including the director, until the session closes.

    Irreversible. It is for a director who also plays. Trump slips and files for dealing
    machines become unavailable too.
    """
    session = lock_session(session)
    if session.board_set is None:
        raise ActionUnavailable(_("No boards dealt yet, so there’s nothing to hide."))
    if not session.board_set.is_sealed:
        BoardSet.objects.filter(pk=session.board_set.pk).update(is_sealed=True)
        _record_irreversible_act(by, "boards.sealed", session, {})


def _record_irreversible_act(
    by: Actor, action: str, session: Session, new_values: AuditData
) -> None:
    undo = Undo((f"boards {session.pk}",))  # no inverse: this and earlier acts can't be undone
    record_session_act(by, action, session, new_values=new_values, undo=undo)
