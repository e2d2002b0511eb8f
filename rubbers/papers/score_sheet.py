"""The score sheet on which a table writes the hands of a rubber, with a row for each hand."""

from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext
from reportlab.pdfgen.canvas import Canvas

from printing import grid, pages
from printing.box import MM, Box
from printing.fonts import BOLD_FONT
from printing.grid import Column
from printing.headings import draw_big_number, draw_slip_heading
from printing.kinds import OutdatingChanges, PaperGroup
from printing.layout import PageLayout
from printing.text_boxes import write_text
from rubbers.sheets.on_paper import PrintedNight, PrintedTable

_MARGIN, _HEAD_HEIGHT, _TITLE_ROW_HEIGHT, _FOOT_HEIGHT = 6 * MM, 22 * MM, 7 * MM, 6 * MM
_NAMES_HEIGHT = 8.5 * MM  # the height of the line with the names of one side
_ROW_HEIGHT, _MAX_ROW_HEIGHT = 8 * MM, 11 * MM
SHEETS_PER_TABLE = 2
"""The number of sheets that are printed for each table; a sheet is for one rubber."""


def lay_out_pages(night: PrintedNight, *, paper_size: pages.Size) -> PageLayout:
    """Return the pages with `SHEETS_PER_TABLE` score sheets for each table."""
    slips = [
        partial(_draw_sheet, night, table)
        for table in night.tables
        for _sheet in range(SHEETS_PER_TABLE)
    ]
    return pages.lay_out_half_pages(slips, paper_size)


def _draw_sheet(night: PrintedNight, table: PrintedTable, canvas: Canvas, tile: Box) -> None:
    content_box = tile.inset(_MARGIN)
    strip_box = content_box.get_top_strip(_HEAD_HEIGHT - 2 * MM)
    number_box = Box(strip_box.right - 24 * MM, strip_box.bottom, 24 * MM, strip_box.height)
    draw_big_number(canvas, number_box, str(table.number), _("Table"))
    draw_slip_heading(
        canvas,
        Box(
            strip_box.left, strip_box.bottom, strip_box.width - 27 * MM, strip_box.height
        ).inset(0, 0.5 * MM),
        night.heading,
    )
    body_box = content_box.exclude_top(_HEAD_HEIGHT)
    _draw_name_lines(canvas, body_box.get_top_strip(2 * _NAMES_HEIGHT))
    body_box = body_box.exclude_top(2 * _NAMES_HEIGHT + 1 * MM)
    honours_columns = [
        Column(_("Hon. A"), 11, is_framed=True),
        Column(_("Hon. B"), 11, is_framed=True),
    ]
    columns = [
        Column(pgettext("one deal", "Hand"), 9, font=BOLD_FONT, size=12),
        Column(_("Tricks A"), 13, is_framed=True),
        Column(_("Tricks B"), 13, is_framed=True),
        *(honours_columns if night.has_honours else ()),
        Column(_("Revoke"), 12),
        Column(_("Score A"), 13, is_framed=True),
        Column(_("Score B"), 13, is_framed=True),
        Column(_("Game"), 14),
    ]
    row_count = int((body_box.height - _TITLE_ROW_HEIGHT - _FOOT_HEIGHT) / _ROW_HEIGHT)
    row_height = grid.compute_row_height(
        body_box.height - _TITLE_ROW_HEIGHT - _FOOT_HEIGHT,
        row_count,
        min_height=_ROW_HEIGHT,
        max_height=_MAX_ROW_HEIGHT,
    )
    empty_cells = [""] * (len(columns) - 1)
    grid_rows = [[str(hand_number), *empty_cells] for hand_number in range(1, row_count + 1)]
    grid.draw_grid(
        canvas, body_box, columns, grid_rows,
        head_height=_TITLE_ROW_HEIGHT, row_height=row_height, title_size=7.5,
        are_cells_tagged=False,
    )  # fmt: skip
    foot_box = tile.inset(_MARGIN).get_bottom_strip(_FOOT_HEIGHT - 1 * MM)
    write_text(
        canvas, f"{night.law_code_title}. {night.rules_text}", foot_box, size=8, min_size=6
    )


def _draw_name_lines(canvas: Canvas, box: Box) -> None:
    """Draw a line for each side, on which its players write their names."""
    for side_index, side_letter in enumerate("AB"):
        side_box = Box(
            box.left, box.top - (side_index + 1) * _NAMES_HEIGHT, box.width, _NAMES_HEIGHT
        )
        label_box, names_box = side_box.split_columns(8, side_box.width / MM - 8)
        write_text(canvas, side_letter, label_box, font=BOLD_FONT, size=13)
        canvas.setLineWidth(0.6)
        canvas.line(
            names_box.left,
            names_box.bottom + 1.5 * MM,
            names_box.right,
            names_box.bottom + 1.5 * MM,
        )


PAPER_KIND = pages.create_kind_without_cards(
    name="score_sheet",
    title=gettext_lazy("Score sheets"),
    blurb=gettext_lazy(
        "One line per hand for tricks, honours and score. Two sheets per table."
    ),
    group=PaperGroup.TABLES,
    outdating_changes=OutdatingChanges.NOTHING,
    lay_out=lay_out_pages,
)
