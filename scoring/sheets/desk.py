"""What the director works with: the score grid, the steps of the evening, the history."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from scoring.models import Outcome, ResultVersion, mark
from scoring.sheets.acts import value_of_act, way_of_act, words_of_act
from scoring.sheets.papers import span
from scoring.sheets.room import Room, Table
from scoring.sheets.undoing import WayBack, reasons_to_stand, version_way_back, ways_back
from tournaments import audit
from tournaments.models import Event


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


@dataclass(frozen=True, slots=True)
class Change:
    """One line of an event's history."""

    at: datetime
    by: str
    text: str
    before: str
    after: str
    via: str
    undo: WayBack | None = None  # the form that takes it back, where it can be
    back_to: str = ""  # what undoing puts back where more has been changed since
    stands: str = ""  # why it cannot be taken back, or not yet


def grid(found: Room, by: str) -> Grid:
    """Lay out a session's results by board (traveller order) or by round (slip order)."""
    blocks = _by_round(found) if by == "round" else _by_board(found)
    return Grid(by=by, blocks=tuple(blocks), expected=found.expected, missing=found.missing)


def changes(event: Event, most: int = 500) -> list[Change]:
    """List what was done to an event and its results, newest first."""
    told = list(audit.history(event)[:most])
    back = ways_back(event, told) if event.is_directed else {}
    reasons = reasons_to_stand(told) if event.is_directed else {}
    acts = [
        Change(
            at=act.at,
            by=act.by,
            text=words_of_act(event, act),
            before=value_of_act(act, act.before),
            after=value_of_act(act, act.after),
            via=way_of_act(act),
            undo=back.get(act.pk),
            stands="" if act.pk in back else reasons.get(act.pk, ""),
        )
        for act in told
    ]
    found = sorted([*acts, *_entered(event, most)], key=lambda change: change.at, reverse=True)
    return found[:most]


def _by_board(found: Room) -> Iterable[GridBlock]:
    for board, tables in found.by_board.items():
        cells = tuple(_cell(found, table, board) for table in tables)
        yield GridBlock(f"board-{board}", _("Board %(board)s") % {"board": board}, cells)


def _by_round(found: Room) -> Iterable[GridBlock]:
    for table in sorted(found.tables, key=lambda each: (each.round, each.section, each.table)):
        if not table.is_played:
            continue
        words = {"round": table.round, "table": table.table, "boards": span(table.boards)}
        yield GridBlock(
            f"round-{table.round}-{table.section}{table.table}",
            _("Round %(round)s, table %(table)s, boards %(boards)s") % words,
            tuple(_cell(found, table, board) for board in table.boards),
        )


def _cell(found: Room, table: Table, board: int) -> GridCell:
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


def _entered(event: Event, most: int) -> Iterable[Change]:
    """The values entered for results, each with the one before it."""
    versions = ResultVersion.objects.filter(
        result__sitting__section__session__event=event
    ).select_related("result__sitting")
    rows = list(versions.order_by("-id")[:most])
    earlier: dict[tuple[int, int], ResultVersion] = {}
    numbers = defaultdict(set)
    for row in rows:
        numbers[row.result_id].add(row.number - 1)
    for row in versions.filter(
        result_id__in=numbers, number__in={n for s in numbers.values() for n in s}
    ):
        earlier[row.result_id, row.number] = row
    latest: dict[int, ResultVersion] = {}
    for row in rows:
        before = earlier.get((row.result_id, row.number - 1))
        last = latest.setdefault(row.result_id, row)
        wanted = _tricks(before) if before else _("cleared")
        may_undo = last.pk == row.pk or wanted != _tricks(last)
        sitting = row.result.sitting
        yield Change(
            at=row.at,
            by=row.by,
            text=_("Board %(board)s, round %(round)s, table %(table)s")
            % {"board": row.result.board, "round": sitting.round, "table": sitting.table},
            before=_tricks(before) if before else "",
            after=_tricks(row),
            via=row.get_via_display(),
            undo=version_way_back(event, row.pk, last.pk) if may_undo else None,
            back_to="" if last.pk == row.pk else wanted,
        )


def _tricks(version: ResultVersion) -> str:
    if version.outcome == Outcome.PLAYED and version.ns_tricks is not None:
        return _("N-S %(ns)s, E-W %(ew)s") % {
            "ns": version.ns_tricks,
            "ew": 13 - version.ns_tricks,
        }
    return _("not played") if mark(version.outcome, version.ns_tricks) else _("cleared")
