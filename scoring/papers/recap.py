"""The recap sheet: every entry's tricks on every board, on one grid."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from printing import grid, paper, tags
from printing.box import MM, Box
from printing.fonts import BOLD
from printing.grid import Column
from printing.headings import PAGE_TITLE_HEIGHT, draw_page_title
from printing.kinds import OutdatedBy, PaperGroup, PaperKind, ShownCards
from printing.table_flow import TablePart, choose_row_height
from printing.text_boxes import write_text
from scoring.methods import METHODS
from scoring.papers.conditions import describe_wait_for_session_results
from scoring.papers.ranking import RankingFormats, choose_formats, format_field_name
from scoring.sheets import papers
from scoring.sheets.standings_text import describe_ranking_score
from scoring.sheets.totals import format_average, get_total_title, is_in_points
from scoring.sheets.values import Recap, RecapField, RecapRow
from server.formatting import format_rank as written_rank

_ROW_HEIGHTS = (8 * MM, 7.5 * MM, 7 * MM, 6.5 * MM)
_TITLES_HEIGHT = 6 * MM
_FIELD_TITLE_HEIGHT = 8.5 * MM
_GAP = 3 * MM
_NAMES, _PAIR, _TRICKS, _SCORE, _RANK = 41, 13, 12, 14, 10  # mm
_MIN_CELL_MM = 6.0  # mm
_MAX_CELL_MM = 12.0
_TWO_PLAYS_WIDTH_RATIO = 1.6  # a column of boards that are played twice: space for "10/13"
_RULING_WIDTH_RATIO = (
    2.1  # a column with a ruling is wider than the others: space for "10→9 −R"
)


def draw_pdf(sheet: Recap, *, size: paper.Size = "A4") -> bytes:
    """Print the recap in landscape; boards that do not fit continue on further pages.

    Names and totals are on every page, so that each can be read separately.
    """
    title = _("Recap") if sheet.complete else _("Recap, provisional")
    canvas = paper.start_canvas(size, title, [sheet.heading], is_landscape=True)
    page = paper.get_page_box(size, is_landscape=True)
    inner = page.inset(paper.PAGE_MARGIN)
    row, fields = choose_row_height(
        [len(field.rows) for field in sheet.fields],
        inner.height - PAGE_TITLE_HEIGHT - 3 * MM,
        extra_height=_FIELD_TITLE_HEIGHT + _TITLES_HEIGHT + _GAP,
        rows=_ROW_HEIGHTS,
    )
    pages = [
        (boards, pieces)
        for boards in _split_over_pages(sheet, inner.width)
        for pieces in fields
    ]
    for number, (boards, pieces) in enumerate(pages, start=1):
        draw_page_title(canvas, inner, sheet.heading, title, number=number)
        box = inner.without_top(PAGE_TITLE_HEIGHT)
        for piece in pieces:
            lower = _draw_field(canvas, sheet, piece, boards, box, row)
            box = box.without_top(box.top - lower + _GAP)
        paper.draw_footer(canvas, page, _format_legend(sheet), number, len(pages))
        canvas.showPage()
    return paper.finish_canvas(canvas)


def _format_legend(sheet: Recap) -> str:
    """Return the meaning of the marks, and of two numbers in one cell."""
    legend = _(
        "%(method)s. −R: revoked. +R: opponents revoked. 6→5: made "
        "6, counts 5.\nA: average. D: adjusted score. V: void, "
        "redealt. –: not played."
    ) % {"method": METHODS[sheet.method].caption}
    if sheet.has_two_plays_per_cell:
        legend += " " + _("9/4: the two plays of a board (teams: N-S first).")
    if not sheet.complete:
        legend += " " + _("Don't show players: boards are still to be played.")
    return legend


def _compute_fixed_width() -> float:
    return (_NAMES + _PAIR + _TRICKS + _SCORE + _RANK) * MM


def _split_over_pages(sheet: Recap, width: float) -> list[range]:
    """Return the boards of each page, as indices of the sheet's boards."""
    width_ratio = _TWO_PLAYS_WIDTH_RATIO if sheet.has_two_plays_per_cell else 1
    min_width = _MIN_CELL_MM * max(
        _RULING_WIDTH_RATIO if is_in_points(sheet.method) else 1, width_ratio
    )
    max_columns = int((width - _compute_fixed_width()) / (min_width * MM))
    return grid.split_evenly(len(sheet.boards), max_columns)


def _draw_field(
    canvas: Canvas, sheet: Recap, piece: TablePart, boards: range, box: Box, height: float
) -> float:
    field = sheet.fields[piece.table]
    left, right = box.top_strip(_FIELD_TITLE_HEIGHT).without_bottom(1 * MM).split_columns(1, 1)
    with tags.open_element(canvas, "H2"):
        write_text(canvas, _format_title(sheet, field, boards), left, font=BOLD, size=12)
    ranking_note = describe_ranking_score(field.placings, sheet.method)
    if ranking_note or field.average is None:
        write_text(canvas, ranking_note, right, size=9, align="right")
    else:
        average = format_average(sheet.method, field.average)
        write_text(canvas, average, right, size=10, align="right")
    rows = field.rows[piece.rows.start : piece.rows.stop]
    formats = choose_formats(
        sheet.method, [row.rank for recap_field in sheet.fields for row in recap_field.rows]
    )
    columns = _build_columns(sheet, boards, box.width)
    return grid.draw_grid(
        canvas,
        box.without_top(_FIELD_TITLE_HEIGHT),
        columns,
        [_format_cells(row, boards, formats) for row in rows],
        head=_TITLES_HEIGHT,
        row=height,
    )


def _format_title(sheet: Recap, field: RecapField, boards: range) -> str:
    title = format_field_name(field, sheet.fields)
    if len(boards) == len(sheet.boards):
        return title
    first, last = sheet.boards[boards[0]], sheet.boards[boards[-1]]
    return f"{title}, " + _("boards %(first)d–%(last)d") % {"first": first, "last": last}


def _format_cells(row: RecapRow, boards: range, formats: RankingFormats) -> Sequence[str]:
    rank = row.rank
    return [
        rank.label,
        rank.name,
        *(row.cells[place] for place in boards),
        formats.tricks.write(rank.tricks),
        formats.scores.write(rank.score),
        written_rank(rank.rank, tied=rank.tied, is_placed=rank.boards > 0),
    ]


def _compute_column_weights(sheet: Recap, boards: range) -> list[float]:
    """Return the width of each board's column, relative to one with only a number."""
    rows = [row for field in sheet.fields for row in field.rows]
    ruled = {place for row in rows for place in boards if len(row.cells[place]) > 2}
    return [_RULING_WIDTH_RATIO if place in ruled else 1.0 for place in boards]


def _build_columns(sheet: Recap, boards: range, width: float) -> list[Column]:
    room, weights = (
        (width - _compute_fixed_width()) / MM,
        _compute_column_weights(sheet, boards),
    )
    cell = min(_MAX_CELL_MM, room / max(sum(weights), 1))
    names = _NAMES + room - cell * sum(weights)
    return [
        Column(sheet.heading.one or _("Pair"), _PAIR, size=9),
        Column(_("Names"), names, align="left", size=9, floor=7.5, is_row_header=True),
        *(
            Column(str(sheet.boards[place]), cell * weight, size=9, floor=6)
            for place, weight in zip(boards, weights, strict=True)
        ),
        Column(get_total_title(sheet.method), _TRICKS, align="right", size=9.5),
        Column(METHODS[sheet.method].short_heading, _SCORE, align="right", font=BOLD, size=9.5),
        Column(_("Place"), _RANK, align="right", font=BOLD, size=9.5),
    ]


PAPER = PaperKind(
    name="recap",
    title=gettext_lazy("Recap"),
    blurb=gettext_lazy("Everyone's tricks on every board, in one grid."),
    group=PaperGroup.RESULTS,
    build_sheet=papers.build_recap,
    draw_pdf=draw_pdf,
    shown_cards=ShownCards.NONE,
    outdated_by=OutdatedBy.NAMES,
    describe_wait=describe_wait_for_session_results,
)
