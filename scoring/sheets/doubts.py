"""Results that the cards or the other tables speak against, as questions in words."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from boards import solver
from scoring.doubts.rule import ENOUGH, OUTSIDE_AND_FAR, Known, Mended, Query, mend, query
from scoring.models import Doubt
from scoring.secrecy import cards_may_be_ordered
from scoring.sittings import Room, Table
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
    unheard: str = ""  # why best play was not asked too, where the cards are known


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
        _unheard(seated.session, best),
    )


def _unheard(session: Session, best: Best | None) -> str:
    boards = session.board_set
    if best is None or best or boards is None or not boards.made:
        return ""
    return solver.missing() if cards_may_be_ordered(session) else ""


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
    """Gather what the other tables made of the same deal.

    A queried result is no witness, but two that come within a trick of this one are: three
    tables do not slip alike.
    """
    mine = seated.result(table, board)
    deal = mine.deal if mine else 1
    made, queried = _made(seated, table, board, deal)
    typed = mine.ns_tricks if mine else None
    alike = [it for it in queried if typed is not None and abs(it - typed) <= 1]
    if len(alike) >= ENOUGH - 1:
        made += alike
    return Known(tuple(made), best.get(board) if deal == 1 else None)


def _made(seated: Room, table: Table, board: int, deal: int) -> tuple[list[int], list[int]]:
    """The tricks of the other tables that played the deal, and those that are queried."""
    made: list[int] = []
    queried: list[int] = []
    for other in seated.by_board.get(board, []):
        it = seated.result(other, board)
        if it is None or it.ns_tricks is None or it.deal != deal:
            continue
        if other.sitting != table.sitting and _is_compared(seated, other, table):
            (queried if it.doubt == Doubt.QUERIED else made).append(it.ns_tricks)
    return made, queried


def _is_compared(seated: Room, one: Table, other: Table) -> bool:
    return seated.session.across_sections or one.section == other.section


def _asked(
    seated: Room, table: Table, board: int, best: Best, *, is_typing: bool = True
) -> Asked:
    result = seated.result(table, board)
    assert result is not None
    typed = result.ns_tricks or 0
    known = _known(seated, table, board, best)
    found = query(typed, known)
    made, queried = _made(seated, table, board, result.deal)
    unheard = len(made) + len(queried) - len(known.others)
    return Asked(
        sitting=table.sitting,
        board=board,
        where=_("Board %(board)s, round %(round)s, table %(table)s")
        % {"board": board, "round": table.round, "table": table.table},
        text=_words(typed, found, unheard, is_typing=is_typing),
        typed=str(typed),
        swap="" if found is None or found.swap is None else str(found.swap),
    )


def _words(typed: int, found: Query | None, unheard: int, *, is_typing: bool) -> str:
    """Give the reason and ask; what best play makes is never said.

    A list says what was entered, for who reads it need not have typed it. `unheard` counts the
    other tables whose own result is queried.
    """
    said = [_reason(typed, found, is_typing=is_typing)]
    if unheard:
        text = ngettext(
            "%(count)s other result of the board is queried too.",
            "%(count)s other results of the board are queried too.",
            unheard,
        )
        said.append(text % {"count": unheard})
    text = (
        _("Is %(typed)s right?")
        if found is None or found.swap is None
        else _("Is %(typed)s right, or was it written for the other side: N-S %(swap)s?")
    )
    said.append(text % {"typed": typed, "swap": found.swap if found else None})
    return " ".join(said)


def _reason(typed: int, found: Query | None, *, is_typing: bool) -> str:
    if found is None:
        return _("N-S %(typed)s was queried when it was entered.") % {"typed": typed}
    if found.range is None:
        return _("The cards of this board make N-S %(typed)s unlikely.") % {"typed": typed}
    least, most = found.range
    words = {"typed": typed, "count": len(found.others), "least": least, "most": most}
    if is_typing and least == most:
        text = _("%(count)s tables made %(least)s here, you typed %(typed)s.")
    elif is_typing:
        text = _("%(count)s tables made %(least)s to %(most)s here, you typed %(typed)s.")
    elif least == most:
        text = _("%(count)s tables made %(least)s here and N-S %(typed)s was entered.")
    else:
        text = _(
            "%(count)s tables made %(least)s to %(most)s here and N-S %(typed)s was entered."
        )
    return text % words


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
