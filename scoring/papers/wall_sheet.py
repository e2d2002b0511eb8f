"""The movement sheet for the wall: a row for each round, a column for each table.

Each cell has the pairs and their boards.
"""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from printing import grid, paper
from printing.box import MM, Box
from printing.fonts import BOLD_FONT, LEADING_RATIO, SANS_FONT
from printing.grid import Column
from printing.headings import PAGE_TITLE_HEIGHT, draw_page_title
from printing.kinds import (
    OutdatingChanges,
    PaperGroup,
    PaperKind,
    PlaceOfUse,
    ShownCards,
    TableRequirement,
)
from printing.layout import PageLayout
from printing.table_flow import TablePart, choose_row_height
from printing.text_boxes import wrap_text, write_paragraph, write_text
from scoring.sheets import hall_papers
from scoring.sheets.hall_values import WallCell, WallSheet

_ROW_HEIGHTS = tuple(height * MM for height in (24, 21, 18, 16, 14, 12, 11, 10))
_TITLES_HEIGHT = 8 * MM
_ROUND_COLUMN_WIDTH_MM = 16
_MIN_CELL_WIDTH_MM = 21.0  # "12 v 14" and "101–104" are readable at arm's length
_MOVES_TYPE_SIZE = 12.0  # points
_NOTE_TYPE_SIZE = 8.5


def draw_wall_sheet_pdf(wall_sheet: WallSheet, *, paper_size: paper.Size = "A4") -> bytes:
    """Print the movement in landscape, as large as possible; many tables take more pages."""
    return draw_pdf([wall_sheet], paper_size=paper_size)


def draw_pdf(wall_sheets: Sequence[WallSheet], *, paper_size: paper.Size = "A4") -> bytes:
    """Print the movement of each section on separate pages."""
    headings = [wall_sheet.heading for wall_sheet in wall_sheets]
    canvas = paper.start_canvas(paper_size, _("Movement"), headings, is_landscape=True)
    lay_out_pages(wall_sheets, paper_size=paper_size).draw(canvas)
    return paper.finish_canvas(canvas)


def lay_out_pages(wall_sheets: Sequence[WallSheet], *, paper_size: paper.Size) -> PageLayout:
    """Lay out the movement of each section in landscape."""
    page = paper.get_page_box(paper_size, is_landscape=True)
    inner_box = page.inset(paper.PAGE_MARGIN)
    layouts = [(wall_sheet, *_split_pages(wall_sheet, inner_box)) for wall_sheet in wall_sheets]

    def draw_pages(canvas: Canvas) -> None:
        for wall_sheet, row_height, pages in layouts:
            _draw_sheet(canvas, wall_sheet, page, row_height, pages)

    return PageLayout(
        sum(len(pages) for _sheet, _row_height, pages in layouts), draw_pages, is_landscape=True
    )


def _split_pages(
    wall_sheet: WallSheet, inner_box: Box
) -> tuple[float, list[tuple[range, TablePart]]]:
    """Return the height of a row, and the tables and rounds of each page."""
    explanation_height = _measure_explanations(wall_sheet, inner_box.width)
    row_height, pages_of_rounds = choose_row_height(
        [len(wall_sheet.rounds)],
        inner_box.height - PAGE_TITLE_HEIGHT - explanation_height - 3 * MM,
        extra_height=_TITLES_HEIGHT,
        row_heights=_ROW_HEIGHTS,
    )
    table_ranges = _split_tables_over_pages(wall_sheet, inner_box.width)
    return row_height, [
        (tables, table_part) for tables in table_ranges for (table_part,) in pages_of_rounds
    ]


def _draw_sheet(
    canvas: Canvas,
    wall_sheet: WallSheet,
    page: Box,
    row_height: float,
    pages: Sequence[tuple[range, TablePart]],
) -> None:
    inner_box = page.inset(paper.PAGE_MARGIN)
    for page_number, (table_indexes, table_part) in enumerate(pages, start=1):
        draw_page_title(
            canvas,
            inner_box,
            wall_sheet.heading,
            wall_sheet.movement_title,
            page_number=page_number,
        )
        box = inner_box.exclude_top(PAGE_TITLE_HEIGHT)
        lower_edge = _draw_sheet_part(
            canvas, wall_sheet, table_indexes, table_part, box, row_height
        )
        _draw_explanations(canvas, wall_sheet, box.exclude_top(box.top - lower_edge + 2 * MM))
        caption = _("In each square: N-S v E-W, and their boards.")
        paper.draw_footer(canvas, page, caption, page_number, len(pages))
        canvas.showPage()


def _split_tables_over_pages(wall_sheet: WallSheet, width: float) -> list[range]:
    max_columns = int((width / MM - _ROUND_COLUMN_WIDTH_MM) / _MIN_CELL_WIDTH_MM)
    return grid.split_count_evenly(len(wall_sheet.table_labels), max_columns)


def _draw_sheet_part(
    canvas: Canvas,
    wall_sheet: WallSheet,
    table_indexes: range,
    table_part: TablePart,
    box: Box,
    row_height: float,
) -> float:
    cell_width = (box.width / MM - _ROUND_COLUMN_WIDTH_MM) / max(len(table_indexes), 1)
    columns = [
        Column(_("Round"), _ROUND_COLUMN_WIDTH_MM, font=BOLD_FONT, size=16, is_row_header=True)
    ]
    for table_index in table_indexes:
        title = _("Table %(number)s") % {"number": wall_sheet.table_labels[table_index]}
        columns.append(Column(title, cell_width))
    round_numbers = [str(round_index + 1) for round_index in table_part.rows]
    empty_cells = [""] * len(table_indexes)

    def draw_wall_cell(row_index: int, column_index: int, cell_box: Box) -> None:
        cell_box = cell_box.inset(0.8 * MM, 0.5 * MM)
        _draw_cell(
            canvas,
            wall_sheet.rounds[table_part.rows[row_index]][table_indexes[column_index - 1]],
            cell_box,
        )

    return grid.draw_grid(
        canvas,
        box,
        columns,
        [[round_number, *empty_cells] for round_number in round_numbers],
        head_height=_TITLES_HEIGHT,
        row_height=row_height,
        title_size=10,
        draw_cell=draw_wall_cell,
    )


def _draw_cell(canvas: Canvas, cell: WallCell, box: Box) -> None:
    if not cell.ns and not cell.ew:
        return
    note_share = 0.2 if cell.note else 0.0
    pairing_box, boards_box = (
        box.get_top_strip(box.height * 0.5),
        box.exclude_top(box.height * 0.5),
    )
    pairing_text = _("%(ns)s v %(ew)s") % {"ns": cell.ns, "ew": cell.ew}
    write_text(
        canvas,
        pairing_text,
        pairing_box,
        font=BOLD_FONT,
        size=min(21, box.height * 0.42),
        align="centre",
    )
    if not cell.boards:
        write_text(
            canvas,
            cell.note,
            boards_box,
            size=min(15, box.height * 0.3),
            align="centre",
            min_size=9,
        )
        return
    range_box, note_box = (
        boards_box.exclude_bottom(box.height * note_share),
        boards_box.get_bottom_strip(box.height * note_share),
    )
    type_size = min(15, box.height * 0.3)
    write_text(canvas, cell.boards, range_box, size=type_size, align="centre")
    write_text(canvas, cell.note, note_box, size=8, align="centre", min_size=6)


def _build_explanations(wall_sheet: WallSheet) -> list[tuple[str, str, float]]:
    paragraphs = [(move, BOLD_FONT, _MOVES_TYPE_SIZE) for move in wall_sheet.moves]
    if wall_sheet.commitment:
        commitment_text = _("Fingerprint of the boards: %(hash)s") % {
            "hash": wall_sheet.commitment
        }
        paragraphs.append((commitment_text, SANS_FONT, _NOTE_TYPE_SIZE))
    return paragraphs


def _measure_explanations(wall_sheet: WallSheet, width: float) -> float:
    heights = [
        len(wrap_text(paragraph_text, font, type_size, width)) * type_size
        for paragraph_text, font, type_size in _build_explanations(wall_sheet)
    ]
    return sum(heights) * LEADING_RATIO + 3 * MM


def _draw_explanations(canvas: Canvas, wall_sheet: WallSheet, box: Box) -> None:
    for paragraph_text, font, type_size in _build_explanations(wall_sheet):
        box = box.exclude_top(
            box.top - write_paragraph(canvas, paragraph_text, box, font=font, size=type_size)
        )


PAPER_KIND = PaperKind(
    name="wall_sheet",
    title=gettext_lazy("Movement for the wall"),
    blurb=gettext_lazy("The whole movement on one sheet, to hang up."),
    group=PaperGroup.TABLES,
    build_sheet=hall_papers.build_wall_sheets,
    draw_pdf=draw_pdf,
    shown_cards=ShownCards.NONE,
    outdating_changes=OutdatingChanges.SEATS,
    table_requirement=TableRequirement(5),
    place_of_use=PlaceOfUse.WALL,
    lay_out=lay_out_pages,
)
