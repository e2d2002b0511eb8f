"""Results that the cards or the other tables speak against, as questions in words."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from scoring.doubts import OUTSIDE_AND_FAR, Known, Mended, Query, mend, query
from scoring.models import Doubt, Result
from scoring.sheets.room import Room, Table
from scoring.sheets.secrecy import cards_may_be_ordered
from tournaments.models import Session

Best = Mapping[int, int]
"""Best play's N-S tricks, board by board; empty for whoever must not learn of the cards."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One result that is asked about."""

    sitting: int
    board: int
    where: str
    text: str
    typed: str
    swap: str  # "2", or "" where the other direction is no likelier


@dataclass(frozen=True, slots=True)
class MendedRound:
    """One correction that explains a whole round at a table."""

    sitting: int
    text: str
    marks: tuple[tuple[int, str], ...]  # board and N-S tricks


@dataclass(frozen=True, slots=True)
class Doubts:
    """All that is asked about in a session."""

    asked: tuple[Asked, ...]
    rounds: tuple[MendedRound, ...]


def best_of(session: Session) -> dict[int, int]:
    """Read what best play makes of each board, where the program has worked it out.

    Nothing while the cards are sealed from the director too, for he may play them yet.
    """
    if session.board_set is None or not cards_may_be_ordered(session):
        return {}
    rows = session.board_set.boards.current().values_list("number", "best_tricks")
    return {number: best for number, best in rows if best is not None}


def doubts(seated: Room, best: Best | None) -> Doubts:
    """List what is asked about and not settled, and what would settle a round at once.

    A director sees every query, and results far from the cards that a table's phone sent or a
    scorer entered; anybody else, for whom `best` is None, what the other tables speak against.
    """
    queried = [
        (table, board)
        for board, tables in seated.by_board.items()
        for table in tables
        if _is_open(seated, table, board, best)
    ]
    tables = {table.sitting: table for table, _board in queried}
    rounds = (mended(seated, table, best or {}) for table in tables.values())
    return Doubts(
        tuple(
            _asked(seated, table, board, best or {}, is_typing=False)
            for table, board in queried
        ),
        tuple(each for each in rounds if each is not None),
    )


def _is_open(seated: Room, table: Table, board: int, best: Best | None) -> bool:
    found = seated.result(table, board)
    if found is None or found.ns_tricks is None or found.doubt == Doubt.KEPT:
        return False
    if found.doubt == Doubt.QUERIED and best is not None:
        return True
    known = best or {}
    if found.doubt == Doubt.NONE and not _may_be_far(found.ns_tricks, known.get(board)):
        return False
    return query(found.ns_tricks, _known(seated, table, board, known)) is not None


def _may_be_far(typed: int, best: int | None) -> bool:
    """Whether a result that nobody has queried is worth a look: most are not."""
    return best is not None and abs(typed - best) >= OUTSIDE_AND_FAR[1]


def asked_about(seated: Room, table: Table, board: int, best: Best) -> Asked | None:
    """Say whether a result is to be asked about."""
    result = seated.result(table, board)
    if result is None or result.ns_tricks is None:
        return None
    found = query(result.ns_tricks, _known(seated, table, board, best))
    return _asked(seated, table, board, best) if found else None


def mended(seated: Room, table: Table, best: Best) -> MendedRound | None:
    """Find the one correction that explains the round of a table."""
    typed = {
        board: result.ns_tricks
        for board in table.boards
        if (result := seated.result(table, board)) and result.ns_tricks is not None
    }
    known = {board: _known(seated, table, board, best) for board in typed}
    found = mend(typed, known)
    if found is None:
        return None
    marks = tuple((board, str(tricks)) for board, tricks in found.tricks)
    return MendedRound(table.sitting, _round_words(table, found), marks)


def _known(seated: Room, table: Table, board: int, best: Best) -> Known:
    """Gather what the other tables made of the same deal; queried results are no witnesses."""
    mine = seated.result(table, board)
    deal = mine.deal if mine else 1
    others = (
        seated.result(other, board)
        for other in seated.by_board.get(board, [])
        if other.sitting != table.sitting and _is_compared(seated, other, table)
    )
    made = tuple(
        it.ns_tricks
        for it in others
        if it and _is_witness(it, deal) and it.ns_tricks is not None
    )
    return Known(made, best.get(board) if deal == 1 else None)


def _is_compared(seated: Room, one: Table, other: Table) -> bool:
    return seated.session.across_sections or one.section == other.section


def _is_witness(result: Result, deal: int) -> bool:
    return result.deal == deal and result.doubt != Doubt.QUERIED


def _asked(
    seated: Room, table: Table, board: int, best: Best, *, is_typing: bool = True
) -> Asked:
    result = seated.result(table, board)
    assert result is not None
    typed = result.ns_tricks or 0
    known = _known(seated, table, board, best)
    found = query(typed, known) or Query(typed, None, known.others)
    return Asked(
        sitting=table.sitting,
        board=board,
        where=_("Board %(board)s, round %(round)s, table %(table)s")
        % {"board": board, "round": table.round, "table": table.table},
        text=_words(found, is_typing=is_typing),
        typed=str(typed),
        swap="" if found.swap is None else str(found.swap),
    )


def _words(found: Query, *, is_typing: bool) -> str:
    """Ask in words; what best play makes is never said.

    A list says what was entered, for who reads it need not have typed it.
    """
    words = {"typed": found.typed, "count": len(found.others), "swap": found.swap}
    if found.range is None:
        text = _("Is N-S %(typed)s right?") % words
    else:
        least, most = found.range
        words |= {"least": least, "most": most}
        made = (
            _("%(count)s tables made %(least)s here")
            if least == most
            else _("%(count)s tables made %(least)s to %(most)s here")
        )
        typed = (
            _(", you typed %(typed)s.") if is_typing else _(" and N-S %(typed)s was entered.")
        )
        text = f"{made}{typed}" % words
    if found.swap is None:
        return text
    return _("%(text)s Same hand, other direction: N-S %(swap)s?") % {
        "text": text,
        "swap": found.swap,
    }


def _round_words(table: Table, found: Mended) -> str:
    words = {"round": table.round, "table": table.table}
    boards = ", ".join(f"{board}: {tricks}" for board, tricks in found.tricks)
    if found.kind == "direction":
        text = _("Round %(round)s, table %(table)s: the whole round fits the other direction")
    else:
        text = _("Round %(round)s, table %(table)s: the boards seem to be mixed up")
    return _("%(text)s (N-S on board %(boards)s). Put it right at once?") % {
        "text": text % words,
        "boards": boards,
    }
