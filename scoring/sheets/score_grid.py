"""The director's score grid, by board or by round; a large session is shown in parts."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from django.utils.translation import gettext as _

from scoring.doubts.disputes import PlayKey, load_disputed_plays
from scoring.models import Agreement
from scoring.session_snapshot import SeatedTable, SessionSnapshot
from scoring.sheets.current_round import find_current_round
from scoring.sheets.doubts import QueryRow
from scoring.sheets.score_slips import ResultSlip, divide_slips, find_part, list_result_slips
from scoring.sheets.short_names import shorten_to_surnames, split_partners
from server import formatting
from tournaments.models import Session


@dataclass(frozen=True, slots=True)
class GridCell:
    """One result to enter: one board at one table."""

    sitting: int
    board: int
    round: int
    place: str  # the displayed table: "13", "A13"
    ns_label: str
    ns_name: str  # lines only break between partners
    ns_short: str  # surnames, for narrow screens
    ew_label: str
    ew_name: str
    ew_short: str
    stored_value: str  # "" none, "8", in points "120-40", "-" not played
    side_text: str  # the tricks of E-W, or the points N-S won less those lost
    trump: str  # the suit that the table declared: "H"
    state: str  # "queried", "disputed", "awaited", "missing", "early", "later" or ""
    query: QueryRow | None  # the query about the result

    @property
    def name(self) -> str:
        """The name of the cell's input in the form."""
        return format_cell_name(self.sitting, self.board)

    @property
    def is_early(self) -> bool:
        """Whether the round of the result has not begun."""
        return self.state in ("early", "later")

    @property
    def state_text(self) -> str:
        """The state in words."""
        state_texts = {
            "queried": _("please check"),
            "disputed": _("scores don't agree"),
            "awaited": _("not confirmed yet"),
            "missing": _("no score yet"),
            "early": _("later round"),
            "later": _("later round"),
        }
        return state_texts.get(self.state, "")


@dataclass(frozen=True, slots=True)
class GridBlock:
    """One slip of paper with its results: a board's traveller, or a table's round."""

    key: str
    title: str
    section: str
    cells: tuple[GridCell, ...]

    @property
    def expected_count(self) -> int:
        """The number of results that the slip should have."""
        return len(self.cells)

    @property
    def entered_count(self) -> int:
        """The number of results of the slip that are entered."""
        return sum(bool(cell.stored_value) for cell in self.cells)

    @property
    def is_full(self) -> bool:
        """Whether every result of the slip is entered."""
        return self.entered_count == self.expected_count


@dataclass(frozen=True, slots=True)
class GridTile:
    """A link in the map of the grid: to one slip, or to another part of a large session."""

    key: str  # of the slip that it links to
    title: str
    number: str
    entered_count: int
    expected_count: int
    is_queried: bool
    is_here: bool  # whether the page shows the slip or some of the slips

    @property
    def state(self) -> str:
        """The state of the results behind the link: "full", "part" or ""."""
        if self.entered_count == self.expected_count:
            return "full"
        return "part" if self.entered_count else ""


@dataclass(frozen=True, slots=True)
class SlipLink:
    """A link to the previous or the next slip, outside the part on the page."""

    key: str
    title: str
    number: str


@dataclass(frozen=True, slots=True)
class ScoreGrid:
    """The results of a session, or of one part of it, in the order of the printed slips."""

    by: str  # "board" (travellers) or "round" (score slips)
    blocks: tuple[GridBlock, ...]
    expected_count: int  # in the whole session, like `missing`
    missing: int
    is_lettered: bool  # whether several sections play
    is_part: bool  # whether the session is too large for one page
    at: str  # the key of the slip that a link named, or ""
    is_lost: bool  # whether a link named a slip that the session does not have
    groups: tuple[tuple[str, tuple[GridTile, ...]], ...]  # the map: titles with their slips
    sections: tuple[GridTile, ...]  # only in a large session, like the next two
    rounds: tuple[GridTile, ...]
    ranges: tuple[GridTile, ...]  # ranges of boards
    before: SlipLink | None
    after: SlipLink | None
    missing_elsewhere: str  # the key of the next slip on another page that lacks a result
    queries_elsewhere: tuple[QueryRow, ...]  # those of the following parts first

    @property
    def entered_count(self) -> int:
        """The number of results that are entered."""
        return self.expected_count - self.missing

    @property
    def page_queries(self) -> list[QueryRow]:
        """The queries about results of this page."""
        return [cell.query for block in self.blocks for cell in block.cells if cell.query]


@dataclass(frozen=True, slots=True)
class _GridData:
    """The data from which the rows and tiles of a grid are built."""

    snapshot: SessionSnapshot
    queried: Mapping[str, QueryRow]  # by input name
    disputed: set[PlayKey]  # plays on which the sides of a table disagree
    begun: int  # rounds that have begun

    def count_entered(self, slip: ResultSlip) -> int:
        """Count the results of a slip that are entered."""
        return sum(bool(_format_cell_value(self.snapshot, *play)) for play in slip.plays)


def format_cell_name(sitting: int, board: int) -> str:
    """Return the name of a result's input in the grid."""
    return f"r-{sitting}-{board}"


def build_score_grid(
    snapshot: SessionSnapshot, by: str, *, at: str = "", queries_by_cell: Mapping[str, QueryRow]
) -> ScoreGrid:
    """Return a session's results by board (traveller order) or by round (slip order).

    `at` names a slip, a result or a query. In a large session the part with it is shown,
    otherwise the first part with a missing result. Results of a round that has not begun are
    marked: by the clock, and on score slips also those after an incomplete round.
    """
    current_round = find_current_round(snapshot)
    is_marked = snapshot.session.state == Session.State.OPEN and (
        current_round.is_timed or by == "round"
    )
    begun_rounds = (
        current_round.round + current_round.is_over if is_marked else current_round.last
    )
    grid = _GridData(snapshot, queries_by_cell, load_disputed_plays(snapshot), begun_rounds)
    parts = divide_slips(list_result_slips(snapshot, by), snapshot.session.boards_a_round)
    place = find_part(parts, at) if at else None
    index, key = place or (_find_first_part(grid, parts), "")
    shown_part = parts[index] if parts else []
    sides = (side for table in snapshot.tables for side in (table.ns, table.ew))
    short = shorten_to_surnames(side.name for side in sides if side.name)
    other_parts = parts[index + 1 :] + parts[:index]
    return ScoreGrid(
        by=by,
        blocks=tuple(_build_block(grid, slip, short) for slip in shown_part),
        expected_count=snapshot.expected_result_count,
        missing=snapshot.missing_result_count,
        is_lettered=snapshot.is_lettered,
        is_part=len(parts) > 1,
        at=key,
        is_lost=bool(at) and place is None,
        groups=tuple(_iter_tile_groups(grid, parts, shown_part)),
        sections=tuple(_iter_section_tiles(grid, parts, shown_part)),
        rounds=tuple(_iter_round_tiles(grid, parts, shown_part)),
        ranges=tuple(_iter_range_tiles(grid, parts, shown_part)),
        before=_build_slip_link(parts[index - 1][-1]) if index else None,
        after=_build_slip_link(parts[index + 1][0]) if index + 1 < len(parts) else None,
        missing_elsewhere=_find_first_incomplete(grid, other_parts),
        queries_elsewhere=_list_queries(grid, other_parts),
    )


def _find_first_part(grid: _GridData, parts: Sequence[Sequence[ResultSlip]]) -> int:
    parts_with_gaps = (
        index for index, part in enumerate(parts) if _find_first_incomplete(grid, [part])
    )
    return next(parts_with_gaps, 0)


def _find_first_incomplete(grid: _GridData, parts: Iterable[Sequence[ResultSlip]]) -> str:
    """Return the key of the first slip with a missing result, or ""."""
    all_slips = (slip for part in parts for slip in part)
    return next(
        (
            result_slip.key
            for result_slip in all_slips
            if grid.count_entered(result_slip) < len(result_slip.plays)
        ),
        "",
    )


def _list_queries(
    grid: _GridData, parts: Iterable[Sequence[ResultSlip]]
) -> tuple[QueryRow, ...]:
    if not grid.queried:
        return ()
    names = (
        format_cell_name(table.sitting, board)
        for part in parts
        for result_slip in part
        for table, board in result_slip.plays
    )
    return tuple(grid.queried[name] for name in names if name in grid.queried)


def _build_slip_link(slip: ResultSlip) -> SlipLink:
    return SlipLink(slip.key, slip.title, slip.number)


def _iter_tile_groups(
    grid: _GridData, parts: Sequence[Sequence[ResultSlip]], shown_part: Sequence[ResultSlip]
) -> Iterator[tuple[str, tuple[GridTile, ...]]]:
    """Yield the map: all slips; in a large session the tables of a round or some boards."""
    keys = {slip.key for slip in shown_part}
    shown_slips = [slip for part in parts for slip in part]
    if len(parts) > 1 and shown_part[0].round:
        shown_slips = [
            slip
            for slip in shown_slips
            if _get_tile_group(slip) == _get_tile_group(shown_part[0])
        ]
    elif len(parts) > 1:
        shown_slips = list(shown_part)
    for _key, run in groupby(
        shown_slips, key=lambda result_slip: result_slip.round or result_slip.section
    ):
        group_slips = list(run)
        yield (
            _format_group_title(grid, group_slips[0], is_part=len(parts) > 1),
            tuple(
                _build_tile(
                    grid,
                    [result_slip],
                    result_slip.number,
                    _format_tile_title(result_slip),
                    is_here=result_slip.key in keys,
                )
                for result_slip in group_slips
            ),
        )


def _get_tile_group(slip: ResultSlip) -> tuple[int, str]:
    return slip.round, slip.section


def _format_group_title(grid: _GridData, slip: ResultSlip, *, is_part: bool) -> str:
    if slip.round:
        return _("Round %(number)s") % {"number": slip.round}
    if is_part:
        return ""  # there are already links to boards above the tiles
    return (
        _("Section %(letter)s") % {"letter": slip.section} if grid.snapshot.is_lettered else ""
    )


def _format_tile_title(slip: ResultSlip) -> str:
    return _("Table %(table)s") % {"table": slip.number} if slip.round else slip.title


def _build_tile(
    grid: _GridData, slips: Sequence[ResultSlip], number: str, title: str, *, is_here: bool
) -> GridTile:
    """Return a link to the first of some slips that has a missing result."""
    names = (
        (
            format_cell_name(table.sitting, board)
            for result_slip in slips
            for table, board in result_slip.plays
        )
        if grid.queried
        else ()
    )
    return GridTile(
        key=_find_first_incomplete(grid, [slips]) or slips[0].key,
        title=title,
        number=number,
        entered_count=sum(grid.count_entered(result_slip) for result_slip in slips),
        expected_count=sum(len(result_slip.plays) for result_slip in slips),
        is_queried=bool(grid.queried) and any(name in grid.queried for name in names),
        is_here=is_here,
    )


def _iter_section_tiles(
    grid: _GridData, parts: Sequence[Sequence[ResultSlip]], shown_part: Sequence[ResultSlip]
) -> Iterator[GridTile]:
    """Yield links from a part to each section: to its same round, or to its boards."""
    if len(parts) <= 1 or not grid.snapshot.is_lettered:
        return
    slips_by_section: dict[str, list[ResultSlip]] = {}
    for slip in (slip for part in parts for slip in part):
        if slip.round == shown_part[0].round:
            slips_by_section.setdefault(slip.section, []).append(slip)
    for letter, tile_slips in sorted(slips_by_section.items()):
        title = _("Section %(letter)s") % {"letter": letter}
        yield _build_tile(
            grid, tile_slips, letter, title, is_here=letter == shown_part[0].section
        )


def _iter_round_tiles(
    grid: _GridData, parts: Sequence[Sequence[ResultSlip]], shown_part: Sequence[ResultSlip]
) -> Iterator[GridTile]:
    """Yield links from a part to each round of its section."""
    if len(parts) <= 1 or not shown_part[0].round:
        return
    slips_by_round: dict[int, list[ResultSlip]] = {}
    for slip in (slip for part in parts for slip in part):
        if slip.section == shown_part[0].section:
            slips_by_round.setdefault(slip.round, []).append(slip)
    for number, tile_slips in sorted(slips_by_round.items()):
        title = _("Round %(number)s") % {"number": number}
        yield _build_tile(
            grid, tile_slips, str(number), title, is_here=number == shown_part[0].round
        )


def _iter_range_tiles(
    grid: _GridData, parts: Sequence[Sequence[ResultSlip]], shown_part: Sequence[ResultSlip]
) -> Iterator[GridTile]:
    """Yield links from a part to each range of boards of its section."""
    if len(parts) <= 1 or shown_part[0].round:
        return
    for part in parts:
        if part[0].section == shown_part[0].section:
            number = "–".join(dict.fromkeys((part[0].number, part[-1].number)))
            title = _("Boards %(boards)s") % {"boards": number}
            yield _build_tile(grid, part, number, title, is_here=part[0] == shown_part[0])


def _build_block(grid: _GridData, slip: ResultSlip, short: Mapping[str, str]) -> GridBlock:
    cells = tuple(_build_cell(grid, table, board, short) for table, board in slip.plays)
    return GridBlock(slip.key, slip.title, slip.section, cells)


def _format_cell_value(snapshot: SessionSnapshot, table: SeatedTable, board: int) -> str:
    result = snapshot.find_result_to_enter(table, board)
    return result.mark if result else ""


def _build_cell(
    grid: _GridData, table: SeatedTable, board: int, short: Mapping[str, str]
) -> GridCell:
    result = grid.snapshot.find_result_to_enter(table, board)
    query = grid.queried.get(format_cell_name(table.sitting, board))
    return GridCell(
        sitting=table.sitting,
        board=board,
        round=table.round,
        place=table.label,
        ns_label=table.ns.label,
        ns_name=_format_by_partners(table.ns.name),
        ns_short=short.get(table.ns.name, ""),
        ew_label=table.ew.label,
        ew_name=_format_by_partners(table.ew.name),
        ew_short=short.get(table.ew.name, ""),
        stored_value=_format_cell_value(grid.snapshot, table, board),
        side_text=_format_ruling_mark(grid.snapshot, table, board),
        trump=result.trump if result else "",
        state=_find_cell_state(grid, table, board, query),
        query=query,
    )


def _format_by_partners(name: str) -> str:
    """Return a name in which lines only break between partners."""
    return " ".join(partner.replace(" ", "\u00a0") for partner in split_partners(name))


def _format_ruling_mark(snapshot: SessionSnapshot, table: SeatedTable, board: int) -> str:
    result = snapshot.find_result_to_enter(table, board)
    if result is None:
        return ""
    if result.mark == "-":
        return "–"
    if result.ns_points is not None:
        return formatting.format_signed(Fraction(result.written_score.ns_value or 0))
    return "" if result.ew_tricks is None else str(result.ew_tricks)


def _find_cell_state(
    grid: _GridData, table: SeatedTable, board: int, query: QueryRow | None
) -> str:
    """Return the state of a result that needs attention, or ""."""
    result = grid.snapshot.find_result_to_enter(table, board)
    if (table.sitting, board) in grid.disputed:
        return "disputed"
    if query is not None:
        return "queried"
    if result is not None and result.agreement == Agreement.AWAITED:
        return "awaited"
    is_entered = bool(result and result.mark)
    if table.round > grid.begun:
        return "early" if is_entered else "later"
    return "" if is_entered else "missing"
