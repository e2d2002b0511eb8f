"""Visibility rules. Only this module decides which users may see which data, and when.

By law, the trump card is written on one slip "and nowhere else", and no player plays a deal
twice. So no one who may still play a deal may see its cards, its turn-up or others' results
(Law IV §1, IV §4; rules D2).

The results of boards that move together are shown together. Until then, totals include a
table's round only as one sum, when the round is complete. A reader cannot infer from this sum
how much each board contributed, even by comparing the page before and after the round.
"""

from collections.abc import Iterable
from typing import NamedTuple

from printing.kinds import PaperKind, ShownCards
from scoring.models import Terms
from scoring.session_queries import has_repeated_foursome
from scoring.session_snapshot import SeatedTable, SessionSnapshot
from tournaments.models import Event, Session
from tournaments.movements.stray_boards import BoardNumbers

_OPEN_STATE = Session.State.OPEN


def can_see_hands(session: Session) -> bool:
    """Return whether the session is closed, so that its hands and turn-ups are public.

    The secret from which the boards were dealt becomes public at the same time. If the same
    board set is played in several sessions, all of them must be closed.
    """
    if session.state != Session.State.CLOSED or session.board_set_id is None:
        return session.state == Session.State.CLOSED
    other_sessions = Session.objects.filter(board_set=session.board_set_id)
    return not other_sessions.exclude(state=Session.State.CLOSED).exists()


def can_print_paper(session: Session, paper: PaperKind) -> bool:
    """Return whether a paper can be made now; papers with cards wait until the session is
    closed.

    Papers with cards that are needed for the trays can be made earlier, if
    `can_order_card_papers` allows it.
    """
    if paper.shown_cards is ShownCards.TURN_UPS:
        return can_order_card_papers(session)
    return paper.shown_cards is ShownCards.NONE or can_see_hands(session)


def can_order_card_papers(session: Session) -> bool:
    """Return whether a director can order the papers for trays: the boards must not be
    sealed.
    """
    board_set = session.board_set
    return board_set is None or not board_set.is_sealed or can_see_hands(session)


def can_director_see_cards(session: Session) -> bool:
    """Return whether papers, trays and queries show a director cards that are secret."""
    has_hidden_cards = session.board_set is not None and not can_see_hands(session)
    return has_hidden_cards and can_order_card_papers(session)


def can_see_results(snapshot: SessionSnapshot, board_number: int) -> bool:
    """Return whether a board's results are public: no table can still play its board group."""
    return snapshot.is_board_group_finished(board_number) or can_see_hands(snapshot.session)


def can_see_other_results(
    snapshot: SessionSnapshot, table: SeatedTable, board_number: int
) -> bool:
    """Return whether the players of a table can see other tables' results on a board they
    played.

    Standings must be public, and none of the players plays the board again. The boards of a
    round are shown together once all of them have results. Totals show the sum of a round, so
    the last result could be inferred from the others. If totals grow with every result, each
    board is shown separately.
    """
    event = snapshot.session.event
    if snapshot.is_board_replayed(board_number) or not can_see_standings(event):
        return False
    boards = (board_number,) if _are_totals_updated_per_result(event) else tuple(table.boards)
    return all(
        snapshot.has_result_or_ruling(table, other_board_number)
        for other_board_number in boards
    )


def are_results_shown_by_board(session: Session) -> bool:
    """Return whether a table sees other tables' results after each board, not after each
    round.
    """
    event = session.event
    are_standings_always_public = event.standings_shown == Event.StandingsVisibility.ALWAYS
    return (
        are_standings_always_public
        and _are_totals_updated_per_result(event)
        and not _has_replayed_deals(session)
    )


MIN_ROUND_SCORES = 2
"""The minimum number of scores that a round adds to the totals; a single one could be
inferred.
"""


class RoundProgress(NamedTuple):
    """The progress of one round at one table, and the number of scores made there."""

    session_number: int  # the number of the session
    sitting_id: int  # the key of the sitting
    boards: BoardNumbers
    is_complete: bool
    score_count: int


def find_public_sittings(
    event: Event, round_progresses: Iterable[RoundProgress]
) -> frozenset[int] | None:
    """Return the sittings whose results count in public standings; None if all of them
    count.

    During a session these are complete rounds of a table with at least two scores. If a round
    is one board, or the same players play their deals again from memory, no result counts
    before the session is closed. If the event's terms let totals grow with every result, all
    results count.
    """
    if _are_totals_updated_per_result(event):
        return None
    open_sessions_by_number = {
        session.number: session
        for session in event.sessions.all()
        if session.state == _OPEN_STATE
    }
    open_round_progresses = [
        progress
        for progress in round_progresses
        if progress.session_number in open_sessions_by_number
    ]
    hidden_session_numbers = {
        session_number
        for session_number, session in open_sessions_by_number.items()
        if are_totals_hidden(event, session)
    }
    unfinished_plays = {
        (progress.session_number, board_number)
        for progress in open_round_progresses
        if not progress.is_complete
        for board_number in progress.boards
    }
    hidden_sittings = {
        progress.sitting_id
        for progress in open_round_progresses
        if progress.session_number in hidden_session_numbers
        or not progress.is_complete
        or (
            progress.score_count < MIN_ROUND_SCORES
            and any(
                (progress.session_number, board_number) in unfinished_plays
                for board_number in progress.boards
            )
        )
    }
    return (
        frozenset(progress.sitting_id for progress in round_progresses) - hidden_sittings
        if hidden_sittings
        else None
    )


def are_totals_hidden(event: Event, session: Session) -> bool:
    """Return whether a session in play adds no results to the public totals."""
    if session.state != _OPEN_STATE or _are_totals_updated_per_result(event):
        return False
    return session.boards_a_round < MIN_ROUND_SCORES or _has_replayed_deals(session)


def _has_replayed_deals(session: Session) -> bool:
    """Return whether the same four players play a deal twice: as two pairs, or as
    individuals.
    """
    contest = session.event.contest
    if contest == Event.Contest.MEMORY:
        return True
    return contest == Event.Contest.INDIVIDUAL and has_repeated_foursome(session.pk)


def _are_totals_updated_per_result(event: Event) -> bool:
    return event.terms.totals_grow == Terms.TotalsUpdateTime.AFTER_EACH_RESULT


def list_boards_to_enter(snapshot: SessionSnapshot, *, are_helpers_outsiders: bool) -> set[int]:
    """Return the boards whose cards helpers may enter from the trays, because play on them is
    over.

    Helpers may enter all boards if the director has confirmed that no helper plays
    (`are_helpers_outsiders`). Boards of a set that is used in several sessions wait until all
    of these sessions are closed.
    """
    session = snapshot.session
    if are_helpers_outsiders or can_see_hands(session):
        return set(snapshot.boards)
    if session.state != Session.State.OPEN or _is_board_set_shared(session):
        return set()
    return {
        board_number
        for board_number in snapshot.boards
        if snapshot.is_board_finished(board_number)
    }


def can_record_play(snapshot: SessionSnapshot, board_number: int, *, is_outsider: bool) -> bool:
    """Return whether the play of a board can be recorded now, because its hands are public.

    If the same players play the deal again later, only an outsider who can see its cards may
    record it at once. The record is hidden until the session is closed (The Standard Hoyle,
    Duplicate Whist; rules Q2, Q5, Q6).
    """
    return can_see_hands(snapshot.session) or (
        is_outsider and board_number in list_replayed_boards(snapshot)
    )


def list_replayed_boards(snapshot: SessionSnapshot) -> list[int]:
    """Return the boards that the same players play again, and that outsiders can see."""
    session = snapshot.session
    replayed_boards = [
        board_number
        for board_number in snapshot.boards
        if snapshot.is_board_replayed(board_number)
    ]
    if (
        not replayed_boards
        or session.state != Session.State.OPEN
        or _is_board_set_shared(session)
    ):
        return []
    return replayed_boards if can_order_card_papers(session) else []


def _is_board_set_shared(session: Session) -> bool:
    other_sessions = Session.objects.filter(board_set=session.board_set_id).exclude(
        pk=session.pk
    )
    return session.board_set_id is not None and other_sessions.exists()


def can_see_standings(event: Event) -> bool:
    """Return whether standings are public now, by the event's setting `standings_shown`.

    With ALWAYS, they are still hidden while the session in play adds nothing to the public
    totals (`are_totals_hidden`).
    """
    sessions = list(event.sessions.all())
    states = {session.state for session in sessions}
    is_over = Session.State.CLOSED in states and _OPEN_STATE not in states
    if event.standings_shown != Event.StandingsVisibility.ALWAYS or is_over:
        return event.standings_shown != Event.StandingsVisibility.NEVER and is_over
    started_sessions = [
        session for session in sessions if session.state != Session.State.PLANNED
    ]
    return any(not are_totals_hidden(event, session) for session in started_sessions)
