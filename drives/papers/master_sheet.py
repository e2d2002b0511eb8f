"""The master sheet: the players at each table in each round.

If the seats are not known before play, it is a list of the players with space for totals.
"""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from drives.papers.trumps import draw_trumps
from drives.sheets.on_paper import PrintedDrive, PrintedRound
from printing import grid, lists, pages
from printing.box import MM, Box
from printing.fonts import BOLD_FONT
from printing.grid import Column
from printing.kinds import OutdatingChanges, PaperGroup
from printing.layout import PageLayout

_ROW_HEIGHT, _LIST_ROW_HEIGHT = 7 * MM, 8.5 * MM
_MAX_ROW_HEIGHT, _GAP_SIZE = 14 * MM, 4 * MM
_MIN_CELL_WIDTH = 36 * MM  # the minimum width, in which four numbers fit


class _SeatingPlanPart(NamedTuple):
    """A part of the plan: some rounds at some tables. Table 0 means the resting players."""

    rounds: Sequence[PrintedRound]
    tables: Sequence[int]


def lay_out_pages(drive: PrintedDrive, *, paper_size: pages.Size) -> PageLayout:
    """Return the pages of the plan or, if the seats are not known, of a list of players."""
    return (
        _lay_out_seating_plan(drive, paper_size)
        if drive.has_all_seats
        else _lay_out_totals(drive, paper_size)
    )


def _lay_out_seating_plan(drive: PrintedDrive, paper_size: pages.Size) -> PageLayout:
    """Return pages with a row for each table and a column for each round.

    A last row lists the resting players. If the plan is split into parts, short parts share a
    page.
    """
    content_box = lists.get_inner_box(paper_size, is_landscape=True)
    max_rounds_per_part = max(1, int((content_box.width - 16 * MM) / _MIN_CELL_WIDTH))
    available_height = lists.compute_rows_height(paper_size, is_landscape=True)
    table_numbers = [
        *range(1, drive.table_count + 1),
        *([0] if any(round_.resting_players for round_ in drive.rounds) else []),
    ]
    table_groups = grid.split_rows(
        table_numbers, int(available_height / _ROW_HEIGHT) - 1
    )  # each part also needs a row for the trumps
    seating_plan_parts = [
        _SeatingPlanPart(rounds, part_tables)
        for rounds in grid.split_rows(drive.rounds, max_rounds_per_part)
        for part_tables in table_groups
    ]
    gap_height = lists.TITLES_HEIGHT + _GAP_SIZE
    max_parts_per_page = int(
        (available_height + gap_height)
        / (gap_height + (max(map(len, table_groups)) + 1) * _ROW_HEIGHT)
    )
    body_drawings = []
    for page_parts in grid.split_rows(seating_plan_parts, max_parts_per_page):
        row_count = sum(len(part.tables) + 1 for part in page_parts)
        free_height = available_height - gap_height * (len(page_parts) - 1)
        row_height = grid.compute_row_height(
            free_height, row_count, min_height=_ROW_HEIGHT, max_height=_MAX_ROW_HEIGHT
        )
        body_drawings.append(partial(_draw_seating_plan_parts, drive, page_parts, row_height))
    foot_text = _("Players by number. Side A (seats 1 and 3) v side B (seats 2 and 4).")
    if drive.points:
        foot_text = _("Players by number, from seat 1 to seat 4.")
    return lists.lay_out_page_bodies(
        drive,
        _("Master sheet"),
        paper_size,
        body_drawings,
        foot_text=foot_text,
        is_landscape=True,
    )


def _draw_seating_plan_parts(
    drive: PrintedDrive,
    seating_plan_parts: Sequence[_SeatingPlanPart],
    row_height: float,
    canvas: Canvas,
    box: Box,
) -> None:
    for part in seating_plan_parts:
        lower_edge = _draw_seating_plan_part(drive, part, row_height, canvas, box)
        box = box.exclude_top(box.top - lower_edge + _GAP_SIZE)


def _draw_seating_plan_part(
    drive: PrintedDrive, part: _SeatingPlanPart, row_height: float, canvas: Canvas, box: Box
) -> float:
    rounds = part.rounds
    type_size = grid.compute_type_size(row_height, max_size=14)
    seats_by_round_and_table = [dict(round_.tables) for round_ in rounds]
    columns = [
        Column(_("Table"), 16, font=BOLD_FONT, size=12, is_row_header=True),
        *(
            Column(
                _("Round %(round)s") % {"round": round_.number}, 30, size=type_size, min_size=10
            )
            for round_ in rounds
        ),
    ]
    rows = [[_("Trumps"), *[""] * len(rounds)]] if drive.has_trumps else []
    for table_number in part.tables:
        cells = []
        for round_index, round_ in enumerate(rounds):
            table_players = seats_by_round_and_table[round_index].get(table_number)
            if table_number:
                cells.append(_format_table(drive, table_players) if table_players else "–")
            else:
                cells.append(", ".join(map(str, round_.resting_players)) or "–")
        rows.append([str(table_number) if table_number else _("Sit out"), *cells])

    def draw_cell(row_index: int, column_index: int, cell: Box) -> None:
        if not row_index and column_index and drive.has_trumps:
            draw_trumps(canvas, rounds[column_index - 1].trumps, cell, size=type_size)

    return grid.draw_grid(
        canvas, box, columns, rows,
        head_height=lists.TITLES_HEIGHT, row_height=row_height, title_size=10,
        draw_cell=draw_cell,
        rows_above_thick_lines=(0,) if drive.has_trumps else (),
    )  # fmt: skip


def _format_table(drive: PrintedDrive, table_players: tuple[int, int, int, int]) -> str:
    """Return a table's players as two pairs, or in seat order in a game with contracts."""
    player_1, player_2, player_3, player_4 = (
        str(player_number) if player_number > 0 else _("H") for player_number in table_players
    )
    if drive.points:
        return f"{player_1}  ·  {player_2}  ·  {player_3}  ·  {player_4}"
    return f"{player_1} + {player_3}  v  {player_2} + {player_4}"


def _lay_out_totals(drive: PrintedDrive, paper_size: pages.Size) -> PageLayout:
    columns = [
        Column(_("No."), 10, font=BOLD_FONT, size=13),
        Column(_("Name"), 60, align="left", size=12, is_row_header=True),
        *([Column(_("Role"), 18, size=10)] if drive.roles else []),
        Column(_("First half"), 22, is_framed=True),
        Column(_("Second half"), 22, is_framed=True),
        Column(_("Total"), 24, is_framed=True),
        Column(_("Place"), 16),
    ]
    rows = []
    for player in drive.players:
        if not player.is_house:
            role_cells = [player.role] if drive.roles else []
            rows.append([str(player.number), player.name, *role_cells, "", "", "", ""])
    foot_text = _("Sum of all totals: %(sum)s.") % {"sum": "_________"}
    return lists.lay_out_rows(
        drive,
        _("Master sheet"),
        paper_size,
        columns,
        rows,
        row_height=_LIST_ROW_HEIGHT,
        foot_text=foot_text,
    )


PAPER_KIND = pages.create_kind_without_cards(
    name="master_sheet",
    title=gettext_lazy("Master sheet"),
    blurb=gettext_lazy("Every table and round, or all players with space for totals."),
    group=PaperGroup.TABLES,
    outdating_changes=OutdatingChanges.SEATS | OutdatingChanges.NAMES,
    lay_out=lay_out_pages,
)
