"""In which order the tables play a deal: who has the original play, and how many play it.

Tables that share the boards of a round play one and pass it on, so rounds alone do not tell it.
Sources: the laws' definition e; Laws III §2, IV §9-10 and V; rules F1.
"""

from collections.abc import Iterable, Sequence

from scoring.models import Outcome
from scoring.sittings import SeatedSession, SeatedTable

Plays = Sequence[SeatedTable]
"""The plays of one deal in one section, by rounds."""


def plays_of(seated: SeatedSession, section: str, board: int) -> list[SeatedTable]:
    """List the plays of the deal that lies in a section's tray: after a new deal, of that one.

    A table that shares the boards of the round in which it was dealt anew and has played the
    old cards is left out; it plays no more.
    """
    plays = [each for each in seated.by_board.get(board, []) if each.section == section]
    anew = [each for each in plays if (each.sitting, board) in seated.dealt_anew]
    if not anew:
        return plays
    begun = max(anew, key=lambda each: each.round)
    return [
        each
        for each in plays
        if each.round > begun.round
        or each.sitting == begun.sitting
        or (each.round == begun.round and not _played_the_old(seated, each, board))
    ]


def tables_in_play(plays: Iterable[SeatedTable]) -> int:
    """Count the tables at which a deal is to be played (Laws IV §9, V §1).

    Other people at the same table are another table in this sense; those who play a deal again
    at their own, as in memory duplicate, are not.
    """
    return len({(each.table, *sorted((*each.ns.entries, *each.ew.entries))) for each in plays})


def may_be_first(seated: SeatedSession, plays: Plays, board: int) -> list[SeatedTable]:
    """Say which plays may be the original one: several where that is not known.

    Where tables share the boards of the round, the one with a result has played before those
    without. A table that did not play the deal at all leaves the original play to the next.
    """
    anew = [each for each in plays if (each.sitting, board) in seated.dealt_anew]
    if anew:
        return anew[-1:]
    open_to = [each for each in plays if not _is_passed_by(seated, each, board)] or list(plays)
    begun = min((each.round for each in open_to), default=0)
    sharing = [each for each in open_to if each.round == begun]
    return [each for each in sharing if has_played(seated, each, board)] or sharing


def turns_at(
    seated: SeatedSession, plays: Plays, section_table: int, board: int
) -> list[SeatedTable]:
    """Say which play at one table may be meant: those whose turn there has come.

    Most tables have a board in one round only. A later turn comes when the one before it is
    played or passed by.
    """
    here = [each for each in plays if each.table == section_table]
    come = 1
    while come < len(here) and _is_over(seated, here[come - 1], board):
        come += 1
    return here[:come]


def has_played(seated: SeatedSession, table: SeatedTable, board: int) -> bool:
    """Whether a table has written down what it made of a deal."""
    result = seated.result(table, board)
    is_void = (table.sitting, board) in seated.renewed
    return result is not None and result.outcome == Outcome.PLAYED and not is_void


def _played_the_old(seated: SeatedSession, table: SeatedTable, board: int) -> bool:
    result = seated.result(table, board)
    return result is not None and result.deal == 1


def _is_passed_by(seated: SeatedSession, table: SeatedTable, board: int) -> bool:
    """Whether a table did not play the deal and will not."""
    result = seated.result(table, board)
    if result is not None:
        return result.outcome != Outcome.PLAYED
    return (table.sitting, board) in seated.settled


def _is_over(seated: SeatedSession, table: SeatedTable, board: int) -> bool:
    return has_played(seated, table, board) or _is_passed_by(seated, table, board)
