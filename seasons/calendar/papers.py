"""The printed list of attendance and payments, sorted by surname, to tick at the door."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from clubs.name_order import sort_by_name
from clubs.names.surnames import format_surname_first
from printing import grid, paper
from printing.box import MM, Box
from printing.fonts import BOLD_FONT
from printing.grid import Column
from printing.headings import PAGE_TITLE_HEIGHT, draw_page_title
from printing.tags import TaggedCanvas
from printing.text_boxes import write_text
from printing.values import Heading
from seasons.calendar.sheets.evening import AttendanceSheet, PersonLine
from server.dates import format_date

_HEAD_HEIGHT, _ROW_HEIGHT, _FOOT_HEIGHT = 9 * MM, 9 * MM, 22 * MM
TICK_BOX_MM = 12
"""The width of a tick box in millimetres.

Rows are 9 mm high, which makes a box at least 8 mm high.
"""
SPARE_ROW_COUNT = 6
"""The number of empty rows for people who are not on the list."""


def draw_attendance_list(
    attendance_sheet: AttendanceSheet, *, paper_size: paper.Size = "A4"
) -> bytes:
    """Return a PDF of the attendance list, with spare rows and space for the sums.

    The PDF has as many pages as the list needs.
    """
    heading = Heading(attendance_sheet.club_name, attendance_sheet.title, attendance_sheet.day)
    title = _("Attendance")
    canvas = paper.start_canvas(paper_size, title, [heading])
    page = paper.get_page_box(paper_size)
    content_box = page.inset(paper.PAGE_MARGIN)
    max_rows = int(
        (content_box.height - PAGE_TITLE_HEIGHT - _HEAD_HEIGHT - _FOOT_HEIGHT) / _ROW_HEIGHT
    )
    person_lines = sort_by_name(
        attendance_sheet.lines, lambda line: format_surname_first(line.name)
    )
    table_rows = [
        *(_build_row(person_line) for person_line in person_lines),
        *([""] * 7 for _row in range(SPARE_ROW_COUNT)),
    ]
    page_rows_list = grid.split_rows(table_rows, max_rows)
    for page_number, page_rows in enumerate(page_rows_list, start=1):
        draw_page_title(canvas, content_box, heading, title, page_number=page_number)
        box = content_box.exclude_top(PAGE_TITLE_HEIGHT)
        grid_bottom = grid.draw_grid(
            canvas,
            box,
            _build_columns(),
            page_rows,
            head_height=_HEAD_HEIGHT,
            row_height=_ROW_HEIGHT,
            title_size=9,
        )
        if page_number == len(page_rows_list):
            _draw_sums(
                canvas, box.exclude_top(box.top - grid_bottom + 3 * MM), attendance_sheet
            )
        paper.draw_footer(canvas, page, "", page_number, len(page_rows_list))
        canvas.showPage()
    return paper.finish_canvas(canvas)


def _build_columns() -> list[Column]:
    return [
        Column(_("Name"), 62, align="left", size=13, is_row_header=True, min_size=11),
        Column(_("Kind"), 20, align="left", size=9),
        Column(_("Fee"), 18, align="right", size=11, font=BOLD_FONT),
        Column(_("Present"), TICK_BOX_MM),
        Column(_("Cash"), TICK_BOX_MM),
        Column(_("Other"), 20),
        Column(_("Owed since"), 30, align="left", size=8),
    ]


def _build_row(person_line: PersonLine) -> Sequence[str]:
    settlement_code = person_line.settled if person_line.settled != "owing" else ""
    debts_text = ", ".join(
        f"{format_date(debt.day, 'SHORT_DATE')} {debt.amount_text}"
        for debt in person_line.debts
    )
    cash_text, other_text = (
        "x" if settlement_code == "cash" else "",
        "x" if settlement_code in ("other", "free") else "",
    )
    return [
        format_surname_first(person_line.name),
        person_line.kind_label,
        person_line.fee_text,
        "",
        cash_text,
        other_text,
        debts_text,
    ]


def _draw_sums(canvas: TaggedCanvas, box: Box, attendance_sheet: AttendanceSheet) -> None:
    sum_texts = [
        f"{sum_label}: {amount}" for sum_label, amount in attendance_sheet.money_sums.rows
    ]
    texts_per_line = -(-len(sum_texts) // 2)
    for line_index, line_text in enumerate(
        (" · ".join(sum_texts[:texts_per_line]), " · ".join(sum_texts[texts_per_line:]))
    ):
        write_text(
            canvas,
            line_text,
            box.exclude_top(line_index * 6 * MM).get_top_strip(6 * MM),
            size=10,
        )
