"""What the director works with: the score grid, by board or by round."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _

from scoring.sheets.next_moves import span
from scoring.sittings import SeatedSession, SeatedTable


@dataclass(frozen=True, slots=True)
class GridCell:
    """One result to enter: one board at one table."""

    sitting: int
    board: int
    round: int
    table: int
    section: str
    ns_label: str
    ns_name: str
    ew_label: str
    ew_name: str
    outcome: str
    ns_tricks: int | None
    ew_tricks: int | None
    seen: str  # "" none, "8", "-" not played

    @property
    def name(self) -> str:
        """The name of the cell's input in the form."""
        return f"r-{self.sitting}-{self.board}"


@dataclass(frozen=True, slots=True)
class GridBlock:
    """What one slip of paper says: a board's traveller, or a table's round."""

    key: str
    title: str
    cells: tuple[GridCell, ...]

    @property
    def expected(self) -> int:
        """How many results the slip should have."""
        return len(self.cells)

    @property
    def entered(self) -> int:
        """How many it has."""
        return sum(bool(cell.seen) for cell in self.cells)


@dataclass(frozen=True, slots=True)
class Grid:
    """All results of a session in the order in which the papers lie on the desk."""

    by: str  # "board" (travellers) or "round" (score slips)
    blocks: tuple[GridBlock, ...]
    expected: int
    missing: int

    @property
    def entered(self) -> int:
        """How many results are in."""
        return self.expected - self.missing


def grid(found: SeatedSession, by: str) -> Grid:
    """Lay out a session's results by board (traveller order) or by round (slip order)."""
    blocks = _by_round(found) if by == "round" else _by_board(found)
    return Grid(by=by, blocks=tuple(blocks), expected=found.expected, missing=found.missing)


def _by_board(found: SeatedSession) -> Iterable[GridBlock]:
    for board, tables in found.by_board.items():
        cells = tuple(_cell(found, table, board) for table in tables)
        yield GridBlock(f"board-{board}", _("Board %(board)s") % {"board": board}, cells)


def _by_round(found: SeatedSession) -> Iterable[GridBlock]:
    for table in sorted(found.tables, key=lambda each: (each.round, each.section, each.table)):
        if not table.is_played:
            continue
        words = {"round": table.round, "table": table.table, "boards": span(table.boards)}
        yield GridBlock(
            f"round-{table.round}-{table.section}{table.table}",
            _("Round %(round)s, table %(table)s, boards %(boards)s") % words,
            tuple(_cell(found, table, board) for board in table.boards),
        )


def _cell(found: SeatedSession, table: SeatedTable, board: int) -> GridCell:
    result = found.to_enter(table, board)
    ns_tricks = result.ns_tricks if result else None
    return GridCell(
        sitting=table.sitting,
        board=board,
        round=table.round,
        table=table.table,
        section=table.section,
        ns_label=table.ns.label,
        ns_name=table.ns.name,
        ew_label=table.ew.label,
        ew_name=table.ew.name,
        outcome=result.outcome if result else "",
        ns_tricks=ns_tricks,
        ew_tricks=None if ns_tricks is None else 13 - ns_tricks,
        seen=result.mark if result else "",
    )
