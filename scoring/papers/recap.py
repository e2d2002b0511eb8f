"""The recap sheet: every entry's tricks on every board, on one grid."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from printing import grid, paper, tags
from printing.box import MM, Box
from printing.fonts import BOLD_FONT
from printing.grid import Column
from printing.headings import PAGE_TITLE_HEIGHT, draw_page_title
from printing.kinds import OutdatingChanges, PaperGroup, PaperKind, ShownCards
from printing.table_flow import TablePart, choose_row_height
from printing.text_boxes import write_text
from scoring.methods import METHODS_BY_NAME
from scoring.papers.conditions import describe_step_before_session_results
from scoring.papers.ranking import RankingFormats, choose_formats, format_group_name
from scoring.sheets import papers
from scoring.sheets.standings_text import describe_ranking_score
from scoring.sheets.totals import format_average, get_total_title, is_method_in_points
from scoring.sheets.values import Recap, RecapGroup, RecapRow
from server.formatting import format_rank

_ROW_HEIGHTS = (8 * MM, 7.5 * MM, 7 * MM, 6.5 * MM)
_TITLES_HEIGHT = 6 * MM
_GROUP_TITLE_HEIGHT = 8.5 * MM
_GROUP_GAP = 3 * MM
_NAME_WIDTH_MM, _PAIR_WIDTH_MM, _TRICKS_WIDTH_MM, _SCORE_WIDTH_MM, _RANK_WIDTH_MM = (
    40,
    13,
    12,
    13.5,
    11.5,
)  # mm
_MIN_CELL_WIDTH_MM = 6.0
_MAX_CELL_WIDTH_MM = 12.0
_TWO_PLAYS_WIDTH_RATIO = 1.6  # width of "10/13", relative to "10"
_RULING_WIDTH_RATIO = 2.1  # width of "10→9 −R", relative to "10"


def draw_pdf(recap: Recap, *, paper_size: paper.Size = "A4") -> bytes:
    """Print the recap in landscape; boards that do not fit continue on further pages.

    Every page has the names and the totals.
    """
    title = _("Recap") if recap.is_complete else _("Recap, provisional")
    canvas = paper.start_canvas(paper_size, title, [recap.heading], is_landscape=True)
    page = paper.get_page_box(paper_size, is_landscape=True)
    inner_box = page.inset(paper.PAGE_MARGIN)
    row_height, page_parts = choose_row_height(
        [len(recap_group.rows) for recap_group in recap.fields],
        inner_box.height - PAGE_TITLE_HEIGHT - 3 * MM,
        extra_height=_GROUP_TITLE_HEIGHT + _TITLES_HEIGHT + _GROUP_GAP,
        row_heights=_ROW_HEIGHTS,
    )
    pages = [
        (board_indexes, table_parts)
        for board_indexes in _split_boards_over_pages(recap, inner_box.width)
        for table_parts in page_parts
    ]
    for page_number, (board_indexes, table_parts) in enumerate(pages, start=1):
        draw_page_title(canvas, inner_box, recap.heading, title, page_number=page_number)
        box = inner_box.exclude_top(PAGE_TITLE_HEIGHT)
        for table_part in table_parts:
            lower_edge = _draw_group(canvas, recap, table_part, board_indexes, box, row_height)
            box = box.exclude_top(box.top - lower_edge + _GROUP_GAP)
        paper.draw_footer(canvas, page, _format_legend(recap), page_number, len(pages))
        canvas.showPage()
    return paper.finish_canvas(canvas)


def _format_legend(recap: Recap) -> str:
    """Return the legend of the recap, which explains the marks in its cells."""
    legend = _(
        "%(method)s. −R: revoked. +R: opponents revoked. 6→5: made 6, counts as 5.\nA: "
        "average. D: adjusted score. V: void, redealt. –: not played."
    ) % {"method": METHODS_BY_NAME[recap.method].caption}
    if recap.has_two_plays_per_cell:
        legend += " " + _("9/4: the two plays of a board (teams: N-S first).")
    if not recap.is_complete:
        legend += " " + _("Don’t show this to players. Some boards haven’t been played yet.")
    return legend


def _compute_fixed_columns_width() -> float:
    return (
        _NAME_WIDTH_MM + _PAIR_WIDTH_MM + _TRICKS_WIDTH_MM + _SCORE_WIDTH_MM + _RANK_WIDTH_MM
    ) * MM


def _split_boards_over_pages(recap: Recap, width: float) -> list[range]:
    """Return the boards of each page, as indices of the sheet's boards."""
    width_ratio = _TWO_PLAYS_WIDTH_RATIO if recap.has_two_plays_per_cell else 1
    min_cell_width_mm = _MIN_CELL_WIDTH_MM * max(
        _RULING_WIDTH_RATIO if is_method_in_points(recap.method) else 1, width_ratio
    )
    max_columns = int((width - _compute_fixed_columns_width()) / (min_cell_width_mm * MM))
    return grid.split_count_evenly(len(recap.boards), max_columns)


def _draw_group(
    canvas: Canvas,
    recap: Recap,
    table_part: TablePart,
    board_indexes: range,
    box: Box,
    row_height: float,
) -> float:
    recap_group = recap.fields[table_part.table_index]
    left_box, right_box = (
        box.get_top_strip(_GROUP_TITLE_HEIGHT).exclude_bottom(1 * MM).split_columns(1, 1)
    )
    with tags.open_element(canvas, "H2"):
        write_text(
            canvas,
            _format_title(recap, recap_group, board_indexes),
            left_box,
            font=BOLD_FONT,
            size=12,
        )
    ranking_note = describe_ranking_score(recap_group.placings, recap.method)
    if ranking_note or recap_group.average is None:
        write_text(canvas, ranking_note, right_box, size=9, align="right")
    else:
        average = format_average(recap.method, recap_group.average)
        write_text(canvas, average, right_box, size=10, align="right")
    rows = recap_group.rows[table_part.rows.start : table_part.rows.stop]
    formats = choose_formats(
        recap.method, [row.rank for listed_group in recap.fields for row in listed_group.rows]
    )
    columns = _build_columns(recap, board_indexes, box.width)
    return grid.draw_grid(
        canvas,
        box.exclude_top(_GROUP_TITLE_HEIGHT),
        columns,
        [_format_cells(row, board_indexes, formats) for row in rows],
        head_height=_TITLES_HEIGHT,
        row_height=row_height,
    )


def _format_title(recap: Recap, recap_group: RecapGroup, board_indexes: range) -> str:
    title = format_group_name(recap_group, recap.fields)
    if len(board_indexes) == len(recap.boards):
        return title
    first_board_number, last_board_number = (
        recap.boards[board_indexes[0]],
        recap.boards[board_indexes[-1]],
    )
    return f"{title}, " + _("boards %(first)d–%(last)d") % {
        "first": first_board_number,
        "last": last_board_number,
    }


def _format_cells(
    row: RecapRow, board_indexes: range, formats: RankingFormats
) -> Sequence[str]:
    rank_row = row.rank
    return [
        rank_row.label,
        rank_row.name,
        *(row.cells[index] for index in board_indexes),
        formats.tricks.format_number(rank_row.tricks),
        formats.scores.format_number(rank_row.score),
        format_rank(rank_row.rank, is_tied=rank_row.tied, has_rank=rank_row.boards > 0),
    ]


def _compute_column_weights(recap: Recap, board_indexes: range) -> list[float]:
    """Return the width of each board's column, relative to a column with only a number."""
    rows = [row for recap_group in recap.fields for row in recap_group.rows]
    wide_board_indexes = {
        index for row in rows for index in board_indexes if len(row.cells[index]) > 2
    }
    return [
        _RULING_WIDTH_RATIO if index in wide_board_indexes else 1.0 for index in board_indexes
    ]


def _build_columns(recap: Recap, board_indexes: range, width: float) -> list[Column]:
    available_width_mm, column_weights = (
        (width - _compute_fixed_columns_width()) / MM,
        _compute_column_weights(recap, board_indexes),
    )
    cell_width_mm = min(_MAX_CELL_WIDTH_MM, available_width_mm / max(sum(column_weights), 1))
    name_width_mm = _NAME_WIDTH_MM + available_width_mm - cell_width_mm * sum(column_weights)
    return [
        Column(recap.heading.entry_kind or _("Pair"), _PAIR_WIDTH_MM, size=9),
        Column(
            _("Names"), name_width_mm, align="left", size=9, min_size=7.5, is_row_header=True
        ),
        *(
            Column(str(recap.boards[index]), cell_width_mm * column_weight, size=9, min_size=6)
            for index, column_weight in zip(board_indexes, column_weights, strict=True)
        ),
        Column(get_total_title(recap.method), _TRICKS_WIDTH_MM, align="right", size=9.5),
        Column(
            METHODS_BY_NAME[recap.method].short_heading,
            _SCORE_WIDTH_MM,
            align="right",
            font=BOLD_FONT,
            size=9.5,
        ),
        Column(_("Place"), _RANK_WIDTH_MM, align="right", font=BOLD_FONT, size=9.5),
    ]


PAPER_KIND = PaperKind(
    name="recap",
    title=gettext_lazy("Recap"),
    blurb=gettext_lazy("Everyone’s tricks on every board, in one grid."),
    group=PaperGroup.RESULTS,
    build_sheet=papers.build_recap,
    draw_pdf=draw_pdf,
    shown_cards=ShownCards.NONE,
    outdating_changes=OutdatingChanges.NAMES,
    describe_required_step=describe_step_before_session_results,
)
