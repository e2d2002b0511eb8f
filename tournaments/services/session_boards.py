"""Services for the boards of a session: their dealing, entry, correction and removal."""

from collections.abc import Mapping, Sequence

from django.db import transaction
from django.utils.translation import gettext as _

import boards.services
from boards.models import Board, BoardSet
from boards.whist import Deal
from clubs.audit import Actor, Undo
from tournaments.board_counts import count_boards
from tournaments.errors import ActionUnavailable
from tournaments.models import Session
from tournaments.services.trumps import queue_every_suit_analysis
from tournaments.session_acts import lock_session, record_session_act


@transaction.atomic
def request_dealing(
    *, session: Session, should_use_public_value: bool = False, by: Actor
) -> BoardSet:
    """Request the dealing of the session's boards; idempotent.

    If `should_use_public_value` is True, the set is dealt only after a public value is entered.
    The dealing of a failed set is retried. Raises ActionUnavailable if no movement has been
    chosen, because the movement determines the number of boards.
    """
    session = lock_session(session)
    if session.board_set is not None:
        return boards.services.retry_board_set(board_set=session.board_set)
    board_set = boards.services.create_board_set(
        name=str(session),
        board_count=count_boards(session),
        should_use_public_value=should_use_public_value,
        replaced_set=session.set_aside,
    )
    _set_board_set(session, board_set)
    undo = _build_undo(session, "boards.set_aside")
    record_session_act(
        by, "boards.ordered", session, new_values={"size": board_set.size}, undo=undo
    )
    return board_set


@transaction.atomic
def import_deals(
    *,
    session: Session,
    deals_by_board: Mapping[int, Deal],
    source: BoardSet.Source = BoardSet.Source.TYPED,
    by: Actor,
) -> BoardSet:
    """Store deals that were typed or read from a file; replaced deals remain stored."""
    session = lock_session(session)
    new_boards: list[Board] = []
    if session.board_set is None:
        board_set = boards.services.import_board_set(
            name=str(session),
            deals_by_board=deals_by_board,
            board_count=count_boards(session),
            source=source,
        )
        new_boards = list(board_set.boards.all())
        _set_board_set(session, board_set)
    else:
        board_set = session.board_set
        existing_deals_by_board = board_set.load_deals()
        for board_number, deal in sorted(deals_by_board.items()):
            if existing_deals_by_board.get(board_number) != deal:
                new_board = boards.services.replace_deal(
                    board_set=board_set, board_number=board_number, deal=deal
                )
                new_boards.append(new_board)
    undo = _build_deals_undo(session, new_boards, should_restore=False) if new_boards else None
    record_session_act(
        by, "deals.entered", session, new_values={"boards": sorted(deals_by_board)}, undo=undo
    )
    return board_set


@transaction.atomic
def correct_deal(*, session: Session, board_number: int, deal: Deal, by: Actor) -> None:
    """Replace the deal of one board; the replaced deal remains stored (rules E5)."""
    session = lock_session(session)
    if session.board_set is None:
        raise ActionUnavailable(_("This session has no recorded deals."))
    new_board = boards.services.replace_deal(
        board_set=session.board_set, board_number=board_number, deal=deal
    )
    undo = _build_deals_undo(session, [new_board], should_restore=False)
    record_session_act(
        by, "deal.replaced", session, location_data={"board": board_number}, undo=undo
    )


@transaction.atomic
def undo_or_restore_deals(
    *, session: Session, replaced_boards: Sequence[Board], is_restored: bool, by: Actor
) -> None:
    """Undo the entry of deals, or redo it if `is_restored` is True.

    After the undo, the previous deals are in effect again; no row is deleted (rules E5). If no
    deal remains, the source of the boards is undecided. Raises ActionUnavailable if another
    source has been chosen since the entry.
    """
    session, board_set = lock_session(session), replaced_boards[0].board_set
    if session.board_set not in (None, board_set) or session.deals == Session.DealsState.NONE:
        raise ActionUnavailable(_("Other boards have since been chosen."))
    boards.services.undo_or_restore_deals(
        board_set=board_set, boards=replaced_boards, is_restored=is_restored
    )
    if board_set.boards.current().exists():
        _set_board_set(session, board_set)
    else:
        session.board_set, session.deals = None, Session.DealsState.UNDECIDED
        session.save(update_fields=["board_set", "deals"])
    undo = _build_deals_undo(session, replaced_boards, should_restore=not is_restored)
    action = "deals.entered" if is_restored else "deals.taken_back"
    record_session_act(
        by,
        action,
        session,
        new_values={"boards": [board.number for board in replaced_boards]},
        undo=undo,
    )


@transaction.atomic
def set_table_shuffling(*, session: Session, by: Actor) -> Session:
    """Let the players shuffle and deal at the tables; no hands are recorded."""
    session = lock_session(session)
    if session.deals == Session.DealsState.NONE:
        return session
    if session.board_set is not None:
        raise ActionUnavailable(_("This session already has recorded boards."))
    session.deals = Session.DealsState.NONE
    session.save(update_fields=["deals"])
    undo = _build_undo(session, "boards.decide_later")
    record_session_act(by, "deals.left_out", session, undo=undo)
    return session


@transaction.atomic
def undo_shuffle_decision(*, session: Session, by: Actor) -> Session:
    """Undo the decision to shuffle at the tables; the source of boards is undecided again."""
    session = lock_session(session)
    if session.deals == Session.DealsState.NONE:
        session.deals = Session.DealsState.UNDECIDED
        session.save(update_fields=["deals"])
        undo = _build_undo(session, "boards.leave_out")
        record_session_act(by, "deals.undecided", session, undo=undo)
    return session


@transaction.atomic
def cancel_board_request(*, session: Session, by: Actor) -> None:
    """Undo the request for boards before play; the source of the boards is undecided again.

    The set remains stored, and counts as replaced if boards are requested again. Raises
    ActionUnavailable once the session is open.
    """
    session = lock_session(session)
    if session.state != Session.State.PLANNED:
        raise ActionUnavailable(_("Play has started, so the boards can’t change."))
    if session.board_set is None:
        return
    session.set_aside, session.board_set = session.board_set, None
    session.deals = Session.DealsState.UNDECIDED
    session.save(update_fields=["set_aside", "board_set", "deals"])
    undo = _build_undo(session, "boards.take_up")
    record_session_act(by, "boards.set_aside", session, undo=undo)


@transaction.atomic
def restore_boards(*, session: Session, by: Actor) -> None:
    """Make the board set that was set aside the session's board set again."""
    session = lock_session(session)
    board_set = session.set_aside
    if session.board_set is not None or board_set is None:
        raise ActionUnavailable(_("No boards to restore, or others have since been dealt."))
    session.set_aside = None
    _set_board_set(session, board_set)
    undo = _build_undo(session, "boards.set_aside")
    record_session_act(
        by, "boards.ordered", session, new_values={"size": board_set.size}, undo=undo
    )


@transaction.atomic
def share_boards(*, session: Session, other_session: Session, by: Actor) -> BoardSet:
    """Let a session play the same deals as another session, from copies of its boards.

    The hands remain hidden until the last of these sessions closes. Raises ActionUnavailable if
    the other session has no boards or too few, or if this session has boards already.
    """
    session = lock_session(session)
    board_set = other_session.board_set
    if board_set is None:
        raise ActionUnavailable(
            _("%(other)s has no boards yet.") % {"other": str(other_session)}
        )
    if session.board_set == board_set:
        return board_set
    if session.board_set is not None or session.state != Session.State.PLANNED:
        raise ActionUnavailable(_("This session already has recorded boards."))
    needed_board_count = count_boards(session)
    if board_set.size < needed_board_count:
        raise ActionUnavailable(
            _("%(needed)s boards needed, but %(other)s has %(size)s.")
            % {
                "needed": needed_board_count,
                "other": str(other_session),
                "size": board_set.size,
            }
        )
    _set_board_set(session, board_set)
    undo = _build_undo(session, "boards.set_aside")
    record_session_act(
        by, "boards.shared", session, new_values={"size": board_set.size}, undo=undo
    )
    return board_set


def _set_board_set(session: Session, board_set: BoardSet) -> None:
    session.board_set, session.set_aside = board_set, None
    session.deals = Session.DealsState.RECORDED
    session.save(update_fields=["board_set", "set_aside", "deals"])
    queue_every_suit_analysis(session.event, board_set)


def _get_boards_subject(session: Session) -> tuple[str]:
    return (f"boards {session.pk}",)


def _build_undo(session: Session, inverse_key: str) -> Undo:
    """Return the undo action of a change of boards; later acts of play must be undone first."""
    arguments = {"session": session.pk}
    return Undo(
        _get_boards_subject(session), inverse_key, arguments, waits_for=(f"play {session.pk}",)
    )


def _build_deals_undo(
    session: Session, replaced_boards: Sequence[Board], *, should_restore: bool
) -> Undo:
    """Return the action that undoes or redoes an entry of deals; its data contain no cards."""
    arguments = {
        "session": session.pk,
        "rows": [board.pk for board in replaced_boards],
        "counts": should_restore,
    }
    return Undo(_get_boards_subject(session), "boards.count_deals", arguments)
