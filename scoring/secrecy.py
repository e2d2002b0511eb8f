"""Rules of visibility: the only module that decides who may see what, and when.

The law writes the trump card on one slip "and nowhere else", and no player plays a deal twice.
So no one who may still play a deal may see its cards, its turn-up or others' results (Law IV
§1, IV §4; rules D2).

The results of boards that move together are shown together, and before that only as the sum of
a round at a table. So what is shown would be the same if each such table had exchanged its
results on two of these boards. No result can be inferred from any page, nor from two visits to
it.
"""

from collections.abc import Iterable

from printing.kinds import PaperKind, ShownCards
from scoring.models import Terms
from scoring.sitting_rows import sittings_again
from scoring.sittings import RoundSoFar, SeatedSession, SeatedTable
from tournaments.models import Event, Session

_OPEN = Session.State.OPEN


def hands_may_be_seen(session: Session) -> bool:
    """Return whether hands, turn-ups and the secret are public: the session is closed.

    If the same board set is played in several sessions, all of them must be closed.
    """
    if session.state != Session.State.CLOSED or session.board_set_id is None:
        return session.state == Session.State.CLOSED
    others = Session.objects.filter(board_set=session.board_set_id)
    return not others.exclude(state=Session.State.CLOSED).exists()


def paper_may_be_made(session: Session, paper: PaperKind) -> bool:
    """Return whether a paper may be made; one with cards must wait for the close.

    Papers with cards that the trays need may be made before, if `cards_may_be_ordered`.
    """
    if paper.shown_cards is ShownCards.FOR_THE_TRAYS:
        return cards_may_be_ordered(session)
    return paper.shown_cards is ShownCards.NONE or hands_may_be_seen(session)


def cards_may_be_ordered(session: Session) -> bool:
    """Return whether a director may order the papers for trays: the boards are not sealed."""
    board_set = session.board_set
    return board_set is None or not board_set.is_sealed or hands_may_be_seen(session)


def director_sees_cards(session: Session) -> bool:
    """Return whether a director who plays would see cards, in papers, trays and queries."""
    is_known = session.board_set is not None and not hands_may_be_seen(session)
    return is_known and cards_may_be_ordered(session)


def results_may_be_seen(room: SeatedSession, board: int) -> bool:
    """Return whether a board's results are public: no table may still play its board group."""
    return room.are_through(board) or hands_may_be_seen(room.session)


def others_may_be_told(room: SeatedSession, table: SeatedTable, board: int) -> bool:
    """Return whether the players of a table may see others' results on a board they played.

    They may if standings are public, and none of them plays the board again. The boards of a
    round are shown together once all of them have results: totals show their sum, so all but
    one would reveal the last. Where totals grow with every result, each board is shown
    separately.
    """
    event = room.session.event
    if room.is_replayed(board) or not standings_may_be_seen(event):
        return False
    boards = (board,) if _grow_at_once(event) else tuple(table.boards)
    return all(room.is_in(table, each) for each in boards)


def each_board_is_told(session: Session) -> bool:
    """Return whether a table sees others' results after each board, not only each round."""
    event = session.event
    is_public = event.standings_shown == Event.Shown.ALWAYS
    return is_public and _grow_at_once(event) and not _is_played_again(session)


MIN_ROUND_SCORES = 2
"""The least number of scores that a round adds to the totals; one could be inferred."""


def rounds_that_count(event: Event, rounds: Iterable[RoundSoFar]) -> frozenset[int] | None:
    """Return the sittings whose results count in public standings; None if all count.

    During a session these are complete rounds of a table with at least two scores. If a round
    is one board, or the same players play their deals again from memory, nothing counts before
    the close. If the event's terms let totals grow with every result, all count.
    """
    if _grow_at_once(event):
        return None
    open_ones = {it.number: it for it in event.sessions.all() if it.state == _OPEN}
    known = [it for it in rounds if it.session in open_ones]
    waiting = {number for number, it in open_ones.items() if totals_wait(event, it)}
    played_on = {(it.session, each) for it in known if not it.is_whole for each in it.boards}
    hidden = {
        it.sitting
        for it in known
        if it.session in waiting
        or not it.is_whole
        or (
            it.made < MIN_ROUND_SCORES
            and any((it.session, each) in played_on for each in it.boards)
        )
    }
    return frozenset(it.sitting for it in rounds) - hidden if hidden else None


def totals_wait(event: Event, session: Session) -> bool:
    """Return whether a session in play adds nothing to the public totals."""
    if session.state != _OPEN or _grow_at_once(event):
        return False
    return session.boards_a_round < MIN_ROUND_SCORES or _is_played_again(session)


def _is_played_again(session: Session) -> bool:
    """Return whether the same players play a deal again: two pairs, or four single players."""
    contest = session.event.contest
    if contest == Event.Contest.MEMORY:
        return True
    return contest == Event.Contest.INDIVIDUAL and sittings_again(session.pk)


def _grow_at_once(event: Event) -> bool:
    return event.terms.totals_grow == Terms.Growth.RESULTS


def boards_to_type(room: SeatedSession, *, by_outsiders: bool) -> set[int]:
    """Return the boards whose cards helpers may enter from the trays: no one plays them again.

    Before that they may only if the director confirms that no helper plays. Boards of a set
    that is used in several sessions wait for all of them.
    """
    session = room.session
    if by_outsiders or hands_may_be_seen(session):
        return set(room.boards)
    if session.state != Session.State.OPEN or _is_shared(session):
        return set()
    return {board for board in room.boards if room.is_through(board)}


def play_may_be_written(room: SeatedSession, board: int, *, by_outsider: bool) -> bool:
    """Return whether a play may be recorded: its hands are public.

    The same players may play the deal again, perhaps days later. Then only an outsider who may
    see its cards may record it at once. The record is hidden before the close (The Standard
    Hoyle, Duplicate Whist; rules Q2, Q5, Q6).
    """
    return hands_may_be_seen(room.session) or (
        by_outsider and board in boards_played_again(room)
    )


def boards_played_again(room: SeatedSession) -> list[int]:
    """Return the boards that the same players play again and outsiders may see."""
    session = room.session
    found = [board for board in room.boards if room.is_replayed(board)]
    if not found or session.state != Session.State.OPEN or _is_shared(session):
        return []
    return found if cards_may_be_ordered(session) else []


def _is_shared(session: Session) -> bool:
    others = Session.objects.filter(board_set=session.board_set_id).exclude(pk=session.pk)
    return session.board_set_id is not None and others.exists()


def standings_may_be_seen(event: Event) -> bool:
    """Return whether standings are public: always, after the session, or never.

    The director chooses. While no public result counts in them, they wait for the close.
    """
    sessions = list(event.sessions.all())
    states = {session.state for session in sessions}
    is_over = Session.State.CLOSED in states and _OPEN not in states
    if event.standings_shown != Event.Shown.ALWAYS or is_over:
        return event.standings_shown != Event.Shown.NEVER and is_over
    begun = [it for it in sessions if it.state != Session.State.PLANNED]
    return any(not totals_wait(event, it) for it in begun)
