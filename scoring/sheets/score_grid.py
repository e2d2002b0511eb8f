"""What the director works with: the score grid, by board or by round."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from scoring.doubts.disputes import Play, disputed_plays
from scoring.models import Agreement
from scoring.sheets.next_moves import span
from scoring.sheets.round_now import round_now
from scoring.sheets.short_names import surnames
from scoring.sittings import SeatedSession, SeatedTable
from tournaments.models import Session


@dataclass(frozen=True, slots=True)
class GridCell:
    """One result to enter: one board at one table."""

    sitting: int
    board: int
    round: int
    table: int
    section: str
    place: str  # the table as players know it: "13", "A13"
    ns_label: str
    ns_name: str
    ns_short: str  # by surnames, where there is little room
    ew_label: str
    ew_name: str
    ew_short: str
    outcome: str
    ns_tricks: int | None
    ew_tricks: int | None
    seen: str  # "" none, "8", in points "120-40", "-" not played
    trump: str = ""  # the suit that the table declared, as it is noted: "H"
    awaits: bool = False  # whether the other side has still to confirm what a phone sent
    disputed: bool = False  # whether it typed something else instead
    is_early: bool = False  # whether its round has not begun
    net: int | None = None  # in points: what N-S won less what it lost

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
    is_lettered: bool  # whether several sections play

    @property
    def entered(self) -> int:
        """How many results are in."""
        return self.expected - self.missing


@dataclass(frozen=True, slots=True)
class Known:
    """What all rows of a grid are written with."""

    short: Mapping[str, str]  # names by surnames
    disputed: set[Play]  # about which the two sides of a table disagree
    begun: int  # rounds that have begun


def grid(found: SeatedSession, by: str) -> Grid:
    """Lay out a session's results by board (traveller order) or by round (slip order).

    Results of a round that has not begun are marked: those that the clock says so of, and on
    slips, which come in round by round, also those behind a round that is not whole.
    """
    now = round_now(found)
    tells = found.session.state == Session.State.OPEN and (now.is_timed or by == "round")
    begun = now.round + now.is_over if tells else now.last
    sides = (side for table in found.tables for side in (table.ns, table.ew))
    known = Known(
        surnames(side.name for side in sides if side.name), disputed_plays(found), begun
    )
    blocks = _by_round(found, known) if by == "round" else _by_board(found, known)
    return Grid(
        by=by,
        blocks=tuple(blocks),
        expected=found.expected,
        missing=found.missing,
        is_lettered=found.is_lettered,
    )


def _by_board(found: SeatedSession, known: Known) -> Iterable[GridBlock]:
    for board, tables in found.by_board.items():
        cells = tuple(_cell(found, table, board, known) for table in tables)
        yield GridBlock(f"board-{board}", _("Board %(board)s") % {"board": board}, cells)


def _by_round(found: SeatedSession, known: Known) -> Iterable[GridBlock]:
    for table in sorted(found.tables, key=lambda each: (each.round, each.section, each.table)):
        if not table.is_played:
            continue
        words = {"round": table.round, "table": table.label, "boards": span(table.boards)}
        yield GridBlock(
            round_key(table),
            _("Round %(round)s, table %(table)s, boards %(boards)s") % words,
            tuple(_cell(found, table, board, known) for board in table.boards),
        )


def round_key(table: SeatedTable) -> str:
    """The place of a table's round in the grid by rounds, for a link to it."""
    return f"round-{table.round}-{table.section}{table.table}"


def _cell(found: SeatedSession, table: SeatedTable, board: int, known: Known) -> GridCell:
    result = found.to_enter(table, board)
    return GridCell(
        sitting=table.sitting,
        board=board,
        round=table.round,
        table=table.table,
        section=table.section,
        place=table.label,
        ns_label=table.ns.label,
        ns_name=table.ns.name,
        ns_short=known.short.get(table.ns.name, ""),
        ew_label=table.ew.label,
        ew_name=table.ew.name,
        ew_short=known.short.get(table.ew.name, ""),
        outcome=result.outcome if result else "",
        ns_tricks=result.ns_tricks if result else None,
        ew_tricks=result.ew_tricks if result else None,
        net=result.written.made if result and result.ns_points is not None else None,
        seen=result.mark if result else "",
        trump=result.trump if result else "",
        awaits=result is not None and result.agreement == Agreement.AWAITED,
        disputed=(table.sitting, board) in known.disputed,
        is_early=table.round > known.begun,
    )
