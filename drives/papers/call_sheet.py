"""The call sheet: the texts that the master of ceremonies reads out, round by round."""

from collections.abc import Sequence
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from drives.papers.trumps import draw_trumps, find_cycle, format_trumps
from drives.sheets.on_paper import DriveOnPaper, RoundOnPaper
from printing import grid, lists, pages
from printing.box import MM, Box
from printing.fonts import BOLD
from printing.grid import Column
from printing.kinds import OutdatedBy, PaperGroup
from printing.layout import Pages
from printing.text_boxes import write_paragraph

_ROW_HEIGHT, _MAX_ROW_HEIGHT, _TOP_HEIGHT = 8 * MM, 18 * MM, 24 * MM
_MAX_NAMED_PLAYERS = 3
"""Up to this number, players who rest are listed with names; a longer list has only numbers."""
_REST_COLUMN_INDEX = 3  # the index of the column


def lay_out_pages(drive: DriveOnPaper, *, size: pages.Size) -> Pages:
    """Return the pages: the repeated sentence, and below it a table of the rounds."""
    room = lists.compute_rows_height(size) - _TOP_HEIGHT
    bodies = []
    for rounds in grid.split_rows(drive.rounds, int(room / _ROW_HEIGHT)):
        row = grid.compute_row_height(
            room, len(rounds), least=_ROW_HEIGHT, most=_MAX_ROW_HEIGHT
        )
        bodies.append(partial(_draw_page, drive, rounds, row))
    return lists.lay_out_bodies(drive, _("Call sheet"), size, bodies)


def _draw_page(
    drive: DriveOnPaper,
    rounds: Sequence[RoundOnPaper],
    row: float,
    canvas: Canvas,
    box: Box,
) -> None:
    write_paragraph(
        canvas, drive.custom, box.top_strip(_TOP_HEIGHT - 3 * MM), font=BOLD, size=18
    )
    size = grid.compute_type_size(row, most=24)
    has_cycles = any(len(find_cycle(round_.trumps)) > 1 for round_ in rounds)
    columns = [
        Column(drive.row_title, 16, font=BOLD, size=size, is_row_header=True),
        Column("", 30 if has_cycles else 14),
        Column(_("Trumps"), 48, align="left", size=size, floor=12),
        Column(_("Sit out"), 60, align="left", size=min(size, 16), floor=11),
        Column(_("Called at"), 22),
        Column(_("All in"), 16),
    ]
    rows = [
        [
            str(round_.number),
            "",
            _format_trumps(round_.trumps),
            _format_resting(drive, round_),
            "",
            "",
        ]
        for round_ in rounds
    ]
    if not any(round_.rest for round_ in drive.rounds):
        columns, rows = remove_column(columns, rows, _REST_COLUMN_INDEX)

    def draw_cell(row_index: int, column_index: int, cell: Box) -> None:
        if column_index == 1:
            draw_trumps(canvas, rounds[row_index].trumps, cell, size=size * 1.2)

    grid.draw_grid(
        canvas, box.without_top(_TOP_HEIGHT), columns, rows, head=lists.TITLES_HEIGHT, row=row,
        title_size=10,
        inside=draw_cell,
    )  # fmt: skip


def remove_column(
    columns: Sequence[Column], rows: Sequence[grid.Row], at: int
) -> tuple[list[Column], list[list[str]]]:
    """Return a table without one of its columns."""
    return (
        [*columns[:at], *columns[at + 1 :]],
        [[*row[:at], *row[at + 1 :]] for row in rows],
    )


def _format_trumps(trumps: str) -> str:
    words = format_trumps(trumps)
    return words[:1].upper() + words[1:]


def _format_resting(drive: DriveOnPaper, round_: RoundOnPaper) -> str:
    if len(round_.rest) <= _MAX_NAMED_PLAYERS:
        return ", ".join(map(drive.format_player, round_.rest))
    return ", ".join(map(str, round_.rest))


PAPER = pages.create_kind_without_cards(
    name="call_sheet",
    title=gettext_lazy("Call sheet"),
    blurb=gettext_lazy("What to read out each round: trumps, sit-outs and moves."),
    group=PaperGroup.TABLES,
    outdated_by=OutdatedBy.SEATS,
    lay_out=lay_out_pages,
)
