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
from scoring.sheets.doubts import DoubtRow
from scoring.sheets.score_slips import (
    ResultSlip,
    divide_slips,
    find_part_and_slip_key,
    list_result_slips,
)
from scoring.sheets.short_names import shorten_to_surnames, split_partners
from server import formatting
from tournaments.models import Session


@dataclass(frozen=True, slots=True)
class GridCell:
    """One result to enter: one board at one table."""

    sitting_id: int
    board_number: int
    round_number: int
    table_label: str  # the displayed table: "13", "A13"
    ns_label: str
    ns_name: str  # with line breaks only between partners
    ns_surnames: str  # surnames, for narrow screens
    ew_label: str
    ew_name: str
    ew_surnames: str
    stored_value: str  # "" none, "8", in points "120-40", "-" not played
    side_text: str  # next to the input: the tricks of E-W, or the net points of N-S
    trump: str  # the suit that the table declared: "H"
    state: str  # "queried", "disputed", "awaited", "missing", "early", "later" or ""
    doubt_row: DoubtRow | None  # the plausibility query about the result

    @property
    def name(self) -> str:
        """The name of the cell's input field in the form."""
        return format_cell_name(self.sitting_id, self.board_number)

    @property
    def is_early(self) -> bool:
        """Whether the round of the result has not begun."""
        return self.state in ("early", "later")

    @property
    def state_text(self) -> str:
        """The state in words."""
        state_texts = {
            "queried": _("please check"),
            "disputed": _("scores don’t agree"),
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

    key: str  # the key of the linked slip
    title: str
    tile_label: str  # the displayed text: a board, a table, a section or a range
    entered_count: int
    expected_count: int
    is_queried: bool
    is_on_page: bool  # whether the page shows the slip or some of the slips

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
    slip_label: str


@dataclass(frozen=True, slots=True)
class ScoreGrid:
    """The results of a session, or of one part of it, in the order of the printed slips."""

    layout: str  # "board" (travellers) or "round" (score slips)
    blocks: tuple[GridBlock, ...]
    expected_count: int  # in the whole session
    missing_count: int  # in the whole session
    has_section_letters: bool  # whether there are several sections
    has_several_parts: bool  # whether the session is too large for one page
    current_key: str  # the key of the slip that the URL requests, or ""
    is_slip_unknown: bool  # whether the URL requests a slip that does not exist
    tile_groups: tuple[tuple[str, tuple[GridTile, ...]], ...]  # the map: titles with tiles
    # Links to sections, rounds and ranges of boards, only in a large session.
    section_tiles: tuple[GridTile, ...]
    round_tiles: tuple[GridTile, ...]
    board_range_tiles: tuple[GridTile, ...]
    previous_slip_link: SlipLink | None
    next_slip_link: SlipLink | None
    next_missing_slip_key: str  # the key of the next slip on another page with a missing result
    doubts_on_other_pages: tuple[DoubtRow, ...]  # those on the next pages first

    @property
    def entered_count(self) -> int:
        """The number of results that are entered."""
        return self.expected_count - self.missing_count

    @property
    def doubts_on_page(self) -> list[DoubtRow]:
        """The queries about results of this page."""
        doubt_rows = (cell.doubt_row for block in self.blocks for cell in block.cells)
        return [doubt_row for doubt_row in doubt_rows if doubt_row]


@dataclass(frozen=True, slots=True)
class _GridData:
    """The data from which the rows and tiles of a grid are built."""

    snapshot: SessionSnapshot
    doubts_by_cell: Mapping[str, DoubtRow]
    disputed_plays: set[PlayKey]  # plays on which the sides of a table disagree
    begun_round_count: int

    def count_entered_results(self, slip: ResultSlip) -> int:
        """Count the results of a slip that are entered."""
        return sum(bool(_format_cell_value(self.snapshot, *play)) for play in slip.plays)


def format_cell_name(sitting_id: int, board_number: int) -> str:
    """Return the name of the input field of a result in the grid."""
    return f"r-{sitting_id}-{board_number}"


def build_score_grid(
    snapshot: SessionSnapshot,
    layout: str,
    *,
    requested_key: str = "",
    doubts_by_cell: Mapping[str, DoubtRow],
) -> ScoreGrid:
    """Return a session's results by board (traveller order) or by round (slip order).

    `requested_key` is the key of a slip, a result or a query. A large session is shown in
    parts: the part with that key, else the first part with a missing result. Results of rounds
    that have not begun are marked, if there is a clock or the layout is by round.
    """
    current_round = find_current_round(snapshot)
    are_early_results_marked = snapshot.session.state == Session.State.OPEN and (
        current_round.is_timed or layout == "round"
    )
    begun_round_count = (
        current_round.round_number + current_round.is_over
        if are_early_results_marked
        else current_round.last_round_number
    )
    grid_data = _GridData(
        snapshot, doubts_by_cell, load_disputed_plays(snapshot), begun_round_count
    )
    slips = list_result_slips(snapshot, layout)
    slips_by_part = divide_slips(slips, snapshot.session.boards_a_round)
    part_and_key = (
        find_part_and_slip_key(slips_by_part, requested_key) if requested_key else None
    )
    part_index, slip_key = part_and_key or (
        _find_first_incomplete_part_index(grid_data, slips_by_part),
        "",
    )
    shown_slips = slips_by_part[part_index] if slips_by_part else []
    seated_sides = (side for table in snapshot.tables for side in (table.ns, table.ew))
    surnames_by_name = shorten_to_surnames(side.name for side in seated_sides if side.name)
    earlier_parts, later_parts = slips_by_part[:part_index], slips_by_part[part_index + 1 :]
    other_parts = later_parts + earlier_parts
    return ScoreGrid(
        layout=layout,
        blocks=tuple(_build_block(grid_data, slip, surnames_by_name) for slip in shown_slips),
        expected_count=snapshot.expected_result_count,
        missing_count=snapshot.missing_result_count,
        has_section_letters=snapshot.has_section_letters,
        has_several_parts=len(slips_by_part) > 1,
        current_key=slip_key,
        is_slip_unknown=bool(requested_key) and part_and_key is None,
        tile_groups=tuple(_iter_tile_groups(grid_data, slips_by_part, shown_slips)),
        section_tiles=tuple(_iter_section_tiles(grid_data, slips_by_part, shown_slips)),
        round_tiles=tuple(_iter_round_tiles(grid_data, slips_by_part, shown_slips)),
        board_range_tiles=tuple(_iter_board_range_tiles(grid_data, slips_by_part, shown_slips)),
        previous_slip_link=_build_slip_link(earlier_parts[-1][-1]) if earlier_parts else None,
        next_slip_link=_build_slip_link(later_parts[0][0]) if later_parts else None,
        next_missing_slip_key=_find_first_incomplete_slip_key(grid_data, other_parts),
        doubts_on_other_pages=_list_doubt_rows(grid_data, other_parts),
    )


def _find_first_incomplete_part_index(
    grid_data: _GridData, slips_by_part: Sequence[Sequence[ResultSlip]]
) -> int:
    incomplete_part_indexes = (
        part_index
        for part_index, part_slips in enumerate(slips_by_part)
        if _find_first_incomplete_slip_key(grid_data, [part_slips])
    )
    return next(incomplete_part_indexes, 0)


def _find_first_incomplete_slip_key(
    grid_data: _GridData, slips_by_part: Iterable[Sequence[ResultSlip]]
) -> str:
    """Return the key of the first slip with a missing result, or ""."""
    incomplete_slips = (
        slip
        for part_slips in slips_by_part
        for slip in part_slips
        if grid_data.count_entered_results(slip) < len(slip.plays)
    )
    return next((slip.key for slip in incomplete_slips), "")


def _list_doubt_rows(
    grid_data: _GridData, slips_by_part: Iterable[Sequence[ResultSlip]]
) -> tuple[DoubtRow, ...]:
    doubts_by_cell = grid_data.doubts_by_cell
    if not doubts_by_cell:
        return ()
    cell_names = (
        format_cell_name(table.sitting_id, board_number)
        for part_slips in slips_by_part
        for slip in part_slips
        for table, board_number in slip.plays
    )
    return tuple(doubts_by_cell[name] for name in cell_names if name in doubts_by_cell)


def _build_slip_link(slip: ResultSlip) -> SlipLink:
    return SlipLink(slip.key, slip.title, slip.slip_label)


def _iter_tile_groups(
    grid_data: _GridData,
    slips_by_part: Sequence[Sequence[ResultSlip]],
    shown_slips: Sequence[ResultSlip],
) -> Iterator[tuple[str, tuple[GridTile, ...]]]:
    """Yield the groups of tiles in the map of the grid, with their titles.

    A tile links to one slip. In a large session, the map has only the slips of the round on the
    page; in the layout by board, it has only the slips on the page.
    """
    shown_keys = {slip.key for slip in shown_slips}
    slips_on_map = [slip for part_slips in slips_by_part for slip in part_slips]
    has_several_parts = len(slips_by_part) > 1
    if has_several_parts and shown_slips[0].round_number:
        shown_group = _get_tile_group(shown_slips[0])
        slips_on_map = [slip for slip in slips_on_map if _get_tile_group(slip) == shown_group]
    elif has_several_parts:
        slips_on_map = list(shown_slips)
    for _key, consecutive_slips in groupby(
        slips_on_map, key=lambda slip: slip.round_number or slip.section_letter
    ):
        group_slips = list(consecutive_slips)
        yield (
            _format_group_title(grid_data, group_slips[0], has_several_parts=has_several_parts),
            tuple(
                _build_tile(
                    grid_data,
                    [slip],
                    slip.slip_label,
                    _format_tile_title(slip),
                    is_on_page=slip.key in shown_keys,
                )
                for slip in group_slips
            ),
        )


def _get_tile_group(slip: ResultSlip) -> tuple[int, str]:
    return slip.round_number, slip.section_letter


def _format_group_title(
    grid_data: _GridData, slip: ResultSlip, *, has_several_parts: bool
) -> str:
    if slip.round_number:
        return _("Round %(number)s") % {"number": slip.round_number}
    if has_several_parts:
        return ""  # there are already links to boards above the tiles
    if not grid_data.snapshot.has_section_letters:
        return ""
    return _("Section %(letter)s") % {"letter": slip.section_letter}


def _format_tile_title(slip: ResultSlip) -> str:
    return (
        _("Table %(table)s") % {"table": slip.slip_label} if slip.round_number else slip.title
    )


def _build_tile(
    grid_data: _GridData,
    slips: Sequence[ResultSlip],
    tile_label: str,
    title: str,
    *,
    is_on_page: bool,
) -> GridTile:
    """Return a link to the first of some slips that has a missing result."""
    return GridTile(
        key=_find_first_incomplete_slip_key(grid_data, [slips]) or slips[0].key,
        title=title,
        tile_label=tile_label,
        entered_count=sum(grid_data.count_entered_results(slip) for slip in slips),
        expected_count=sum(len(slip.plays) for slip in slips),
        is_queried=bool(_list_doubt_rows(grid_data, [slips])),
        is_on_page=is_on_page,
    )


def _iter_section_tiles(
    grid_data: _GridData,
    slips_by_part: Sequence[Sequence[ResultSlip]],
    shown_slips: Sequence[ResultSlip],
) -> Iterator[GridTile]:
    """Yield a link to each section of a large session, in the same round as the page."""
    if len(slips_by_part) <= 1 or not grid_data.snapshot.has_section_letters:
        return
    slips_by_section: dict[str, list[ResultSlip]] = {}
    for slip in (slip for part_slips in slips_by_part for slip in part_slips):
        if slip.round_number == shown_slips[0].round_number:
            slips_by_section.setdefault(slip.section_letter, []).append(slip)
    for section_letter, tile_slips in sorted(slips_by_section.items()):
        title = _("Section %(letter)s") % {"letter": section_letter}
        yield _build_tile(
            grid_data,
            tile_slips,
            section_letter,
            title,
            is_on_page=section_letter == shown_slips[0].section_letter,
        )


def _iter_round_tiles(
    grid_data: _GridData,
    slips_by_part: Sequence[Sequence[ResultSlip]],
    shown_slips: Sequence[ResultSlip],
) -> Iterator[GridTile]:
    """Yield links from the part on the page to each round of its section."""
    if len(slips_by_part) <= 1 or not shown_slips[0].round_number:
        return
    slips_by_round: dict[int, list[ResultSlip]] = {}
    for slip in (slip for part_slips in slips_by_part for slip in part_slips):
        if slip.section_letter == shown_slips[0].section_letter:
            slips_by_round.setdefault(slip.round_number, []).append(slip)
    for round_number, tile_slips in sorted(slips_by_round.items()):
        title = _("Round %(number)s") % {"number": round_number}
        yield _build_tile(
            grid_data,
            tile_slips,
            str(round_number),
            title,
            is_on_page=round_number == shown_slips[0].round_number,
        )


def _iter_board_range_tiles(
    grid_data: _GridData,
    slips_by_part: Sequence[Sequence[ResultSlip]],
    shown_slips: Sequence[ResultSlip],
) -> Iterator[GridTile]:
    """Yield links from the part on the page to each range of boards of its section."""
    if len(slips_by_part) <= 1 or shown_slips[0].round_number:
        return
    for part_slips in slips_by_part:
        if part_slips[0].section_letter == shown_slips[0].section_letter:
            board_range = "–".join(
                dict.fromkeys((part_slips[0].slip_label, part_slips[-1].slip_label))
            )
            title = _("Boards %(boards)s") % {"boards": board_range}
            yield _build_tile(
                grid_data,
                part_slips,
                board_range,
                title,
                is_on_page=part_slips[0] == shown_slips[0],
            )


def _build_block(
    grid_data: _GridData, slip: ResultSlip, surnames_by_name: Mapping[str, str]
) -> GridBlock:
    cells = tuple(
        _build_cell(grid_data, table, board_number, surnames_by_name)
        for table, board_number in slip.plays
    )
    return GridBlock(slip.key, slip.title, slip.section_letter, cells)


def _format_cell_value(snapshot: SessionSnapshot, table: SeatedTable, board_number: int) -> str:
    result = snapshot.find_result_to_replace(table, board_number)
    return result.mark if result else ""


def _build_cell(
    grid_data: _GridData,
    table: SeatedTable,
    board_number: int,
    surnames_by_name: Mapping[str, str],
) -> GridCell:
    result = grid_data.snapshot.find_result_to_replace(table, board_number)
    doubt_row = grid_data.doubts_by_cell.get(format_cell_name(table.sitting_id, board_number))
    state = _find_cell_state(grid_data, table, board_number, is_queried=doubt_row is not None)
    return GridCell(
        sitting_id=table.sitting_id,
        board_number=board_number,
        round_number=table.round,
        table_label=table.label,
        ns_label=table.ns.label,
        ns_name=_prevent_breaks_within_names(table.ns.name),
        ns_surnames=surnames_by_name.get(table.ns.name, ""),
        ew_label=table.ew.label,
        ew_name=_prevent_breaks_within_names(table.ew.name),
        ew_surnames=surnames_by_name.get(table.ew.name, ""),
        stored_value=_format_cell_value(grid_data.snapshot, table, board_number),
        side_text=_format_side_text(grid_data.snapshot, table, board_number),
        trump=result.trump if result else "",
        state=state,
        doubt_row=doubt_row,
    )


def _prevent_breaks_within_names(name: str) -> str:
    """Return a name in which lines only break between partners."""
    return " ".join(partner.replace(" ", "\u00a0") for partner in split_partners(name))


def _format_side_text(snapshot: SessionSnapshot, table: SeatedTable, board_number: int) -> str:
    result = snapshot.find_result_to_replace(table, board_number)
    if result is None:
        return ""
    if result.mark == "-":
        return "–"
    if result.ns_points is not None:
        return formatting.format_signed(Fraction(result.written_score.ns_value or 0))
    return "" if result.ew_tricks is None else str(result.ew_tricks)


def _find_cell_state(
    grid_data: _GridData, table: SeatedTable, board_number: int, *, is_queried: bool
) -> str:
    """Return the state of a result that needs attention, or ""."""
    result = grid_data.snapshot.find_result_to_replace(table, board_number)
    if (table.sitting_id, board_number) in grid_data.disputed_plays:
        return "disputed"
    if is_queried:
        return "queried"
    if result is not None and result.agreement == Agreement.AWAITED:
        return "awaited"
    is_entered = bool(result and result.mark)
    if table.round > grid_data.begun_round_count:
        return "early" if is_entered else "later"
    return "" if is_entered else "missing"
