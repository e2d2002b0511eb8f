"""Who may see what, and when: the only module that decides it.

The law writes the trump card on one slip "and nowhere else", and no player plays a deal twice;
so nobody who may still play a deal may see its cards, its turn-up or what others made of it
(Law IV §1, IV §4; rules D2).

Boards that go from table to table together are told together, and before that only as the sum
of a round at a table. So whatever is shown stays the same if each such table had made on one of
these boards what it made on another: no result can be read off any page, nor off two looks at
it.
"""

from collections.abc import Iterable

from printing.kinds import Cards, PaperKind
from scoring.models import Terms
from scoring.sitting_rows import sittings_again
from scoring.sittings import RoundSoFar, SeatedSession, SeatedTable
from tournaments.models import Event, Session

_OPEN = Session.State.OPEN


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


def director_sees_cards(session: Session) -> bool:
    """Whether a director who plays would learn of cards, in papers, trays and queries."""
    is_known = session.board_set is not None and not hands_may_be_seen(session)
    return is_known and cards_may_be_ordered(session)


def results_may_be_seen(room: SeatedSession, board: int) -> bool:
    """A board's results are secret while some table may still play it, or one of its round."""
    return room.are_through(board) or hands_may_be_seen(room.session)


def others_may_be_told(room: SeatedSession, table: SeatedTable, board: int) -> bool:
    """Whether those who sit at a table may hear what others made of a board they have played.

    Where standings are public, and nobody of them plays the board again. The boards of a round
    are told together once all of them are in: the totals tell their sum, so that all but one
    would give away the one still to be played. Where totals grow with every result they tell
    each by itself.
    """
    event = room.session.event
    if room.is_replayed(board) or not standings_may_be_seen(event):
        return False
    boards = (board,) if _grow_at_once(event) else tuple(table.boards)
    return all(room.is_in(table, each) for each in boards)


def each_board_is_told(session: Session) -> bool:
    """Whether a table hears after each board what others made, not after the round alone."""
    event = session.event
    is_public = event.standings_shown == Event.Shown.ALWAYS
    return is_public and _grow_at_once(event) and not _is_played_again(session)


MIN_ROUND_SCORES = 2
"""Scores that a round adds to the totals at once: one alone could be told from them."""


def rounds_that_count(event: Event, rounds: Iterable[RoundSoFar]) -> frozenset[int] | None:
    """Name the sittings whose results count in what everybody sees; None where all of them do.

    While a session is in play they are whole rounds of a table, with two scores at least; where
    a round is one board, and where the same people play their deals again from memory, nothing
    counts before the close, unless the event's terms let the totals grow with every result.
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
    """Whether a session in play adds nothing to the totals that everybody sees."""
    if session.state != _OPEN or _grow_at_once(event):
        return False
    return session.boards_a_round < MIN_ROUND_SCORES or _is_played_again(session)


def _is_played_again(session: Session) -> bool:
    """Whether those who have played a deal play it again: two pairs, or four single players."""
    contest = session.event.contest
    if contest == Event.Contest.MEMORY:
        return True
    return contest == Event.Contest.INDIVIDUAL and sittings_again(session.pk)


def _grow_at_once(event: Event) -> bool:
    return event.terms.totals_grow == Terms.Growth.RESULTS


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


def play_may_be_written(room: SeatedSession, board: int, *, by_outsider: bool) -> bool:
    """A play is written down once its hands may be seen.

    Where the same people play the deal again, days later it may be, it is written down at once
    by somebody who does not play it and may see its cards; it is shown to nobody before the
    close (The Standard Hoyle, Duplicate Whist; rules Q2, Q5, Q6).
    """
    return hands_may_be_seen(room.session) or (
        by_outsider and board in boards_played_again(room)
    )


def boards_played_again(room: SeatedSession) -> list[int]:
    """The boards that the same people play again, where somebody outside may see them."""
    session = room.session
    found = [board for board in room.boards if room.is_replayed(board)]
    if not found or session.state != Session.State.OPEN or _is_shared(session):
        return []
    return found if cards_may_be_ordered(session) else []


def _is_shared(session: Session) -> bool:
    others = Session.objects.filter(board_set=session.board_set_id).exclude(pk=session.pk)
    return session.board_set_id is not None and others.exists()


def standings_may_be_seen(event: Event) -> bool:
    """The director shows the standings always, after the session, or never.

    While nothing counts in them that all may see, they wait for the close.
    """
    sessions = list(event.sessions.all())
    states = {session.state for session in sessions}
    is_over = Session.State.CLOSED in states and _OPEN not in states
    if event.standings_shown != Event.Shown.ALWAYS or is_over:
        return event.standings_shown != Event.Shown.NEVER and is_over
    begun = [it for it in sessions if it.state != Session.State.PLANNED]
    return any(not totals_wait(event, it) for it in begun)
