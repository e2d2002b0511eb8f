"""Who may see what, and when: the only module that decides it.

The law writes the trump card on one slip "and nowhere else", and no player plays a deal twice;
so nobody who may still play a deal may see its cards, its turn-up or what others made of it
(Law IV §1, IV §4; rules D2).
"""

from printing.kinds import Cards, PaperKind
from scoring.sittings import SeatedSession
from tournaments.models import Event, Session


def hands_may_be_seen(session: Session) -> bool:
    """Hands, turn-ups and the secret they come from stay hidden until the session closes.

    Where the same board set is played in several sessions, until the last of them closes.
    """
    if session.state != Session.State.CLOSED or session.board_set_id is None:
        return session.state == Session.State.CLOSED
    others = Session.objects.filter(board_set=session.board_set_id)
    return not others.exclude(state=Session.State.CLOSED).exists()


def paper_may_be_made(session: Session, paper: PaperKind) -> bool:
    """Papers that tell cards wait for the close, but those that the trays need do not."""
    if paper.shows_cards is Cards.FOR_THE_TRAYS:
        return cards_may_be_ordered(session)
    return paper.shows_cards is Cards.NONE or hands_may_be_seen(session)


def cards_may_be_ordered(session: Session) -> bool:
    """A director orders what the trays need, unless the boards are sealed from all."""
    board_set = session.board_set
    return board_set is None or not board_set.is_sealed or hands_may_be_seen(session)


def results_may_be_seen(room: SeatedSession, board: int) -> bool:
    """A board's results are secret while some table may still play it."""
    return room.is_through(board) or hands_may_be_seen(room.session)


def boards_to_type(room: SeatedSession, *, by_outsiders: bool) -> set[int]:
    """The boards whose cards helpers may read from the trays: nobody plays them any more.

    Before that only where the director vouches that no helper plays; and a set that lies at
    several sessions waits for all of them.
    """
    session = room.session
    if by_outsiders or hands_may_be_seen(session):
        return set(room.boards)
    if session.state != Session.State.OPEN or _is_shared(session):
        return set()
    return {board for board in room.boards if room.is_through(board)}


def _is_shared(session: Session) -> bool:
    others = Session.objects.filter(board_set=session.board_set_id).exclude(pk=session.pk)
    return session.board_set_id is not None and others.exists()


def standings_may_be_seen(event: Event) -> bool:
    """The director shows the standings always, after the session, or never."""
    states = {session.state for session in event.sessions.all()}
    if event.standings_shown == Event.Shown.ALWAYS:
        return states != {Session.State.PLANNED}
    is_over = Session.State.CLOSED in states and Session.State.OPEN not in states
    return event.standings_shown == Event.Shown.AFTER and is_over
