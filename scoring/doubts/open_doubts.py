"""The doubtful results of a session, and mistakes that explain a table's whole round.

The expected result of a deal is derived from the other tables that played it, and from best
play.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from boards.models import Board
from boards.whist import Suit
from clubs import permissions
from clubs.audit import Actor
from scoring.doubts.plausibility import (
    MIN_OTHER_TABLE_SCORES,
    MIN_TRICKS_FROM_RANGE_AND_BEST_PLAY,
    CorrectedRound,
    DealEvidence,
    ResultDoubt,
    check_result,
    find_corrected_round,
)
from scoring.models import Doubt, Result
from scoring.secrecy import can_order_card_papers
from scoring.session_snapshot import SeatedTable, SessionSnapshot
from scoring.tray_deals import find_tray_key, iter_comparable_results
from tournaments.models import Event, Session

BestPlay = Mapping[tuple[int, str], int]
"""The N-S tricks of best play, by board and declared trumps ("" without declarations).

Empty for users who must not know the cards.
"""


@dataclass(frozen=True, slots=True)
class TableCorrection:
    """The corrected scores of a table's round, if one mistake explains its doubtful results."""

    table: SeatedTable
    round_correction: CorrectedRound


@dataclass(frozen=True, slots=True)
class DoubtfulResult:
    """A result that the plausibility check doubts, with the evidence against it."""

    table: SeatedTable
    board_number: int
    typed_tricks: int
    result_doubt: (
        ResultDoubt | None
    )  # None if no evidence contradicts the queried result any more
    # The number of other tables omitted from the evidence, because their results are doubtful.
    omitted_table_count: int
    # The correction of the whole round; None if there is none or if it was not searched for.
    table_correction: TableCorrection | None = None


@dataclass(frozen=True, slots=True)
class OpenDoubts:
    """All doubtful results of a session that are neither accepted nor corrected yet."""

    doubtful_results: tuple[DoubtfulResult, ...]
    round_corrections: tuple[TableCorrection, ...]


def load_best_play(session: Session) -> dict[tuple[int, str], int]:
    """Return the N-S tricks of best play for each analysed board, as described at `BestPlay`.

    Empty while the cards are sealed, because the director may still play them. Also empty in
    events that count points, to which best play does not apply.
    """
    is_scored_in_points = session.event.is_scored_in_points
    if session.board_set is None or is_scored_in_points or not can_order_card_papers(session):
        return {}
    tricks_by_board = {}
    for board in session.board_set.boards.current():
        for declared_trump, trump_suit in _map_declared_trumps(session.event, board).items():
            tricks = board.get_best_tricks(trump_suit)
            if tricks is not None:
                tricks_by_board[board.number, declared_trump] = tricks
    return tricks_by_board


def _map_declared_trumps(event: Event, board: Board) -> dict[str, Suit | None]:
    """Return the trump suits in which a board may be played, by the code of the declaration.

    Without declarations, the code is "" and the suit is that of the deal.
    """
    if event.has_declared_trumps:
        return {suit.value: suit for suit in Suit}
    return {"": event.build_played_deal(board.as_deal()).trumps}


def load_visible_best_play(session: Session, user: Actor) -> BestPlay:
    """Return best play if the user who enters a result is a director, else {}.

    Other scorers must not know the cards, because they may still play the deal (rules D2).
    """
    can_know_cards = user is None or permissions.can_direct(user, session.event.club)
    return load_best_play(session) if can_know_cards else {}


def list_open_doubts(snapshot: SessionSnapshot, best_play: BestPlay | None) -> OpenDoubts:
    """List the doubtful results, and the corrections that could settle a whole round.

    A director sees all of them, including results far from best play. For other users,
    `best_play` is None, and only results that other tables contradict are listed.
    """
    plays_with_open_doubt = list_plays_with_open_doubt(snapshot, best_play)
    table_by_sitting = {table.sitting_id: table for table, _board in plays_with_open_doubt}
    round_corrections = (
        find_round_correction(snapshot, table, best_play or {})
        for table in table_by_sitting.values()
    )
    return OpenDoubts(
        tuple(
            _build_doubtful_result(snapshot, table, board_number, best_play or {})
            for table, board_number in plays_with_open_doubt
        ),
        tuple(
            table_correction
            for table_correction in round_corrections
            if table_correction is not None
        ),
    )


def list_plays_with_open_doubt(
    snapshot: SessionSnapshot, best_play: BestPlay | None
) -> list[tuple[SeatedTable, int]]:
    """List the table and the board of each result in `list_open_doubts`."""
    return [
        (table, board_number)
        for board_number, tables in snapshot.tables_by_board.items()
        for table in tables
        if _has_open_doubt(snapshot, table, board_number, best_play)
    ]


def find_doubtful_result(
    snapshot: SessionSnapshot, table: SeatedTable, board_number: int, best_play: BestPlay
) -> DoubtfulResult | None:
    """Return a result as doubtful, with the evidence against it; None if it is plausible."""
    result = snapshot.find_result(table, board_number)
    if result is None or result.ns_tricks is None:
        return None
    evidence = _collect_evidence(snapshot, table, board_number, best_play)
    if check_result(result.ns_tricks, evidence) is None:
        return None  # most results are plausible and end here
    return _build_doubtful_result(snapshot, table, board_number, best_play)


def find_round_correction(
    snapshot: SessionSnapshot, table: SeatedTable, best_play: BestPlay
) -> TableCorrection | None:
    """Find the one mistake that explains a table's round; None if there is no such mistake."""
    ns_tricks_by_board = {
        board_number: result.ns_tricks
        for board_number in table.boards
        if (result := snapshot.find_result(table, board_number))
        and result.ns_tricks is not None
    }
    evidence_by_board = {
        board_number: _collect_evidence(snapshot, table, board_number, best_play)
        for board_number in ns_tricks_by_board
    }
    round_correction = find_corrected_round(ns_tricks_by_board, evidence_by_board)
    return None if round_correction is None else TableCorrection(table, round_correction)


def _has_open_doubt(
    snapshot: SessionSnapshot, table: SeatedTable, board_number: int, best_play: BestPlay | None
) -> bool:
    result = snapshot.find_result(table, board_number)
    if result is None or result.ns_tricks is None or result.doubt == Doubt.KEPT:
        return False
    if result.doubt == Doubt.QUERIED and best_play is not None:
        return True
    best_play = best_play or {}
    is_far_from_best_play = _is_far_from_best_play(
        result.ns_tricks, best_play.get((board_number, result.trump))
    )
    if result.doubt == Doubt.NONE and not is_far_from_best_play:
        return False
    return (
        check_result(
            result.ns_tricks, _collect_evidence(snapshot, table, board_number, best_play)
        )
        is not None
    )


def _is_far_from_best_play(typed_tricks: int, best_tricks: int | None) -> bool:
    """Return whether a result is so far from best play that a full check is needed."""
    return (
        best_tricks is not None
        and abs(typed_tricks - best_tricks) >= MIN_TRICKS_FROM_RANGE_AND_BEST_PLAY[1]
    )


def _build_doubtful_result(
    snapshot: SessionSnapshot, table: SeatedTable, board_number: int, best_play: BestPlay
) -> DoubtfulResult:
    result = snapshot.find_result(table, board_number)
    assert result is not None
    typed_tricks = result.ns_tricks or 0
    evidence = _collect_evidence(snapshot, table, board_number, best_play)
    other_tricks, queried_tricks = _list_other_table_tricks(
        snapshot, table, board_number, result
    )
    omitted_table_count = len(other_tricks) + len(queried_tricks) - len(evidence.other_tricks)
    return DoubtfulResult(
        table,
        board_number,
        typed_tricks,
        check_result(typed_tricks, evidence),
        omitted_table_count,
    )


def _collect_evidence(
    snapshot: SessionSnapshot, table: SeatedTable, board_number: int, best_play: BestPlay
) -> DealEvidence:
    """Return the tricks of the other tables on the same deal, and of best play.

    Doubtful results are omitted, unless two of them are within one trick of this table's
    result: three tables are unlikely to make the same mistake.
    """
    own_result = snapshot.find_result(table, board_number)
    is_first_deal = find_tray_key(snapshot, table, board_number, own_result) == ()
    other_tricks, queried_tricks = _list_other_table_tricks(
        snapshot, table, board_number, own_result
    )
    typed_tricks = own_result.ns_tricks if own_result else None
    similar_tricks = [
        tricks
        for tricks in queried_tricks
        if typed_tricks is not None and abs(tricks - typed_tricks) <= 1
    ]
    if len(similar_tricks) >= MIN_OTHER_TABLE_SCORES - 1:
        other_tricks += similar_tricks
    best_tricks = best_play.get((board_number, own_result.trump if own_result else ""))
    return DealEvidence(tuple(other_tricks), best_tricks if is_first_deal else None)


def _list_other_table_tricks(
    snapshot: SessionSnapshot, table: SeatedTable, board_number: int, own_result: Result | None
) -> tuple[list[int], list[int]]:
    """Return the tricks of other tables on the deal: plausible ones, then doubtful ones.

    Tables with other cards or other declared trumps are omitted.
    """
    trump = own_result.trump if own_result else ""
    other_tricks: list[int] = []
    queried_tricks: list[int] = []
    for _table, result in iter_comparable_results(snapshot, table, board_number):
        if result.ns_tricks is not None and result.trump == trump:
            (queried_tricks if result.doubt == Doubt.QUERIED else other_tricks).append(
                result.ns_tricks
            )
    return other_tricks, queried_tricks
