"""What the ruling assistant knows of the event by itself: who plays where, and which play."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from laws.book import Facts
from scoring.sittings import SeatedSession, SeatedTable


@dataclass(frozen=True, slots=True)
class Where:
    """One board at one table, as far as a ruling about it goes."""

    board: int
    table: SeatedTable
    original: SeatedTable
    """The table that plays the board first in its section."""
    facts: Facts
    overplayed: bool
    """Whether a later table than this has a result already."""
    here: str  # "Board 12, round 3, table 2"


def where(seated: SeatedSession, board: int, section: str, table: int) -> Where | None:
    """Find the play of a board at a table; None where that table does not play it."""
    plays = [
        each
        for each in seated.by_board.get(board, [])
        if each.section == section and each.is_played
    ]
    here = next((each for each in plays if each.table == table), None)
    if here is None:
        return None
    original = min(plays, key=lambda each: (each.round, each.table))
    is_original = here.round == original.round
    later = [each for each in plays if each.round > original.round]
    return Where(
        board=board,
        table=here,
        original=here if is_original else original,
        facts=Facts(tables=len(plays), is_original=is_original),
        overplayed=any(seated.result(each, board) for each in later),
        here=_("Board %(board)s, round %(round)s, table %(table)s")
        % {"board": board, "round": here.round, "table": here.table},
    )


def tables(seated: SeatedSession) -> list[tuple[str, str]]:
    """List the tables to choose from, as "A-3" with their names."""
    many = len(seated.sections) > 1
    found = sorted({(each.section, each.table) for each in seated.tables if each.is_played})
    return [
        (f"{section}-{table}", f"{section} {table}" if many else str(table))
        for section, table in found
    ]
