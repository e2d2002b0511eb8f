"""The call sheet, from which the organiser reads out trumps, sit-outs and moves."""

from collections.abc import Sequence
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from drives.papers.trumps import draw_trumps, find_cycle, format_trumps
from drives.sheets.on_paper import PrintedDrive, PrintedRound
from printing import grid, lists, pages
from printing.box import MM, Box
from printing.fonts import BOLD_FONT
from printing.grid import Column
from printing.kinds import OutdatingChanges, PaperGroup
from printing.layout import PageLayout
from printing.text_boxes import write_text

_ROW_HEIGHT, _MAX_ROW_HEIGHT, _TOP_HEIGHT = 8 * MM, 18 * MM, 24 * MM
_MAX_NAMED_PLAYERS = 3
"""If more players than this rest in a round, they are listed by number instead of by name."""
_REST_COLUMN_INDEX = 3


def lay_out_pages(drive: PrintedDrive, *, paper_size: pages.Size) -> PageLayout:
    """Return the pages. Each has the rule of moves, and below it a table of rounds."""
    available_height = lists.compute_rows_height(paper_size) - _TOP_HEIGHT
    body_drawings = []
    for page_rounds in grid.split_rows(drive.rounds, int(available_height / _ROW_HEIGHT)):
        row_height = grid.compute_row_height(
            available_height,
            len(page_rounds),
            min_height=_ROW_HEIGHT,
            max_height=_MAX_ROW_HEIGHT,
        )
        body_drawings.append(partial(_draw_page, drive, page_rounds, row_height))
    return lists.lay_out_page_bodies(drive, _("Call sheet"), paper_size, body_drawings)


def _draw_page(
    drive: PrintedDrive,
    rounds: Sequence[PrintedRound],
    row_height: float,
    canvas: Canvas,
    box: Box,
) -> None:
    moves_box = box.get_top_strip(_TOP_HEIGHT - 3 * MM)
    write_text(canvas, drive.moves_text, moves_box, font=BOLD_FONT, size=18, min_size=13)
    type_size = grid.compute_type_size(row_height, max_size=24)
    has_cycles = any(len(find_cycle(round_.trumps)) > 1 for round_ in rounds)
    columns = [
        Column(drive.row_title, 16, font=BOLD_FONT, size=type_size, is_row_header=True),
        Column("", 30 if has_cycles else 14),
        Column(_("Trumps"), 48, align="left", size=type_size, min_size=12),
        Column(_("Sit out"), 60, align="left", size=min(type_size, 16), min_size=11),
        Column(_("Called at"), 22),
        Column(_("All in"), 16),
    ]
    rows = [
        [
            str(round_.number),
            "",
            _format_trumps(round_.trumps),
            _format_resting_players(drive, round_),
            "",
            "",
        ]
        for round_ in rounds
    ]
    if not any(round_.resting_players for round_ in drive.rounds):
        columns, rows = remove_column(columns, rows, _REST_COLUMN_INDEX)
    if not drive.has_trumps:
        columns, rows = remove_column(*remove_column(columns, rows, 2), 1)

    def draw_cell(row_index: int, column_index: int, cell: Box) -> None:
        if column_index == 1 and drive.has_trumps:
            draw_trumps(canvas, rounds[row_index].trumps, cell, size=type_size * 1.2)

    grid.draw_grid(
        canvas, box.exclude_top(_TOP_HEIGHT), columns, rows,
        head_height=lists.TITLES_HEIGHT, row_height=row_height,
        title_size=10,
        draw_cell=draw_cell,
    )  # fmt: skip


def remove_column(
    columns: Sequence[Column], rows: Sequence[grid.Row], column_index: int
) -> tuple[list[Column], list[list[str]]]:
    """Return the columns and rows of a table without the column at `column_index`."""
    return (
        [*columns[:column_index], *columns[column_index + 1 :]],
        [[*row[:column_index], *row[column_index + 1 :]] for row in rows],
    )


def _format_trumps(trumps: str) -> str:
    trumps_text = format_trumps(trumps)
    return trumps_text[:1].upper() + trumps_text[1:]


def _format_resting_players(drive: PrintedDrive, round_: PrintedRound) -> str:
    if len(round_.resting_players) <= _MAX_NAMED_PLAYERS:
        return ", ".join(map(drive.format_player, round_.resting_players))
    return ", ".join(map(str, round_.resting_players))


PAPER_KIND = pages.create_kind_without_cards(
    name="call_sheet",
    title=gettext_lazy("Call sheet"),
    blurb=gettext_lazy("What to read out each round: trumps, sit-outs and moves."),
    group=PaperGroup.TABLES,
    outdating_changes=OutdatingChanges.SEATS,
    lay_out=lay_out_pages,
)
