"""The queried results of a session, and corrections that explain a table's whole round.

The expected result of a deal comes from the other tables that played it, and from best play.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from boards.models import Board
from boards.whist import Suit
from clubs import access
from clubs.audit import Actor
from scoring.doubts.rule import (
    MIN_OTHER_SCORES,
    OUTSIDE_AND_FAR,
    DealEvidence,
    Mended,
    Query,
    mend,
    query,
)
from scoring.models import Doubt, Result
from scoring.secrecy import cards_may_be_ordered
from scoring.sittings import SeatedSession, SeatedTable
from scoring.trays import deal_at, with_the_same_cards
from tournaments.models import Event, Session

Best = Mapping[tuple[int, str], int]
"""The N-S tricks of best play, by board and declared trumps ("" without declarations).

Empty for a user who must not learn the cards.
"""


@dataclass(frozen=True, slots=True)
class RoundMend:
    """One correction that explains a whole round at a table."""

    table: SeatedTable
    mended: Mended


@dataclass(frozen=True, slots=True)
class DoubtfulResult:
    """One queried result, and what contradicts it."""

    table: SeatedTable
    board: int
    typed: int
    query: Query | None  # None if it was queried and nothing contradicts it now
    unheard: int  # other tables that are left out, because their own result is queried
    round_mend: RoundMend | None = None  # of the table's round, if searched for


@dataclass(frozen=True, slots=True)
class OpenDoubts:
    """All open queries of a session."""

    results: tuple[DoubtfulResult, ...]
    rounds: tuple[RoundMend, ...]


def best_of(session: Session) -> dict[tuple[int, str], int]:
    """Return the best play of each board, where it has been analysed.

    Empty while the cards are sealed, because the director may still play them. Empty also where
    points are counted, to which best play does not apply.
    """
    is_silent = session.event.counts_points
    if session.board_set is None or is_silent or not cards_may_be_ordered(session):
        return {}
    found = {}
    for board in session.board_set.boards.current():
        for noted, suit in _trumps(session.event, board).items():
            best = board.best_with(suit)
            if best is not None:
                found[board.number, noted] = best
    return found


def _trumps(event: Event, board: Board) -> dict[str, Suit | None]:
    """Return the suits in which a board is played, by the tables' declarations."""
    if event.notes_trumps:
        return {suit.value: suit for suit in Suit}
    return {"": event.as_played(board.as_deal()).trumps}


def best_for(session: Session, by: Actor) -> Best:
    """Return best play for the user who enters a result; empty for all but directors.

    Other scorers may still play the deal (rules D2).
    """
    knows = by is None or access.may_direct(by, session.event.club)
    return best_of(session) if knows else {}


def open_doubts(seated: SeatedSession, best: Best | None) -> OpenDoubts:
    """List the open queries, and the corrections that could settle a whole round.

    A director sees every query, also results far from best play that a phone or a scorer
    entered. Others, with None for `best`, see only results that the other tables contradict.
    """
    queried = open_plays(seated, best)
    tables = {table.sitting: table for table, _board in queried}
    rounds = (round_mend(seated, table, best or {}) for table in tables.values())
    return OpenDoubts(
        tuple(_doubtful(seated, table, board, best or {}) for table, board in queried),
        tuple(each for each in rounds if each is not None),
    )


def open_plays(seated: SeatedSession, best: Best | None) -> list[tuple[SeatedTable, int]]:
    """List the results in `open_doubts`: each table, and the board."""
    return [
        (table, board)
        for board, tables in seated.by_board.items()
        for table in tables
        if _is_open(seated, table, board, best)
    ]


def asked_about(
    seated: SeatedSession, table: SeatedTable, board: int, best: Best
) -> DoubtfulResult | None:
    """Return the query about a result; None if it is plausible."""
    result = seated.result(table, board)
    if result is None or result.ns_tricks is None:
        return None
    found = _doubtful(seated, table, board, best)
    return None if found.query is None else found


def round_mend(seated: SeatedSession, table: SeatedTable, best: Best) -> RoundMend | None:
    """Find the one correction that explains the round of a table."""
    typed = {
        board: result.ns_tricks
        for board in table.boards
        if (result := seated.result(table, board)) and result.ns_tricks is not None
    }
    known = {board: _known(seated, table, board, best) for board in typed}
    found = mend(typed, known)
    return None if found is None else RoundMend(table, found)


def _is_open(seated: SeatedSession, table: SeatedTable, board: int, best: Best | None) -> bool:
    found = seated.result(table, board)
    if found is None or found.ns_tricks is None or found.doubt == Doubt.KEPT:
        return False
    if found.doubt == Doubt.QUERIED and best is not None:
        return True
    known = best or {}
    far = _may_be_far(found.ns_tricks, known.get((board, found.trump)))
    if found.doubt == Doubt.NONE and not far:
        return False
    return query(found.ns_tricks, _known(seated, table, board, known)) is not None


def _may_be_far(typed: int, best: int | None) -> bool:
    """Return whether a result without a query needs a check; most do not."""
    return best is not None and abs(typed - best) >= OUTSIDE_AND_FAR[1]


def _doubtful(
    seated: SeatedSession, table: SeatedTable, board: int, best: Best
) -> DoubtfulResult:
    result = seated.result(table, board)
    assert result is not None
    typed = result.ns_tricks or 0
    known = _known(seated, table, board, best)
    made, queried = _made(seated, table, board, result)
    unheard = len(made) + len(queried) - len(known.others)
    return DoubtfulResult(table, board, typed, query(typed, known), unheard)


def _known(seated: SeatedSession, table: SeatedTable, board: int, best: Best) -> DealEvidence:
    """Return the results of the other tables on the same deal, and its best play.

    Queried results are left out, unless two of them are within a trick of this one: three
    tables do not make the same mistake.
    """
    mine = seated.result(table, board)
    is_first = deal_at(seated, table, board, mine) == ()
    made, queried = _made(seated, table, board, mine)
    typed = mine.ns_tricks if mine else None
    alike = [it for it in queried if typed is not None and abs(it - typed) <= 1]
    if len(alike) >= MIN_OTHER_SCORES - 1:
        made += alike
    played_best = best.get((board, mine.trump if mine else ""))
    return DealEvidence(tuple(made), played_best if is_first else None)


def _made(
    seated: SeatedSession, table: SeatedTable, board: int, mine: Result | None
) -> tuple[list[int], list[int]]:
    """Return the tricks of the other tables on the deal, and those of queried results.

    Tables with other cards or other declared trumps are left out.
    """
    trump = mine.trump if mine else ""
    made: list[int] = []
    queried: list[int] = []
    for _other, it in with_the_same_cards(seated, table, board):
        if it.ns_tricks is not None and it.trump == trump:
            (queried if it.doubt == Doubt.QUERIED else made).append(it.ns_tricks)
    return made, queried
