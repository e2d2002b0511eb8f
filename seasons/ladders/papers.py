"""The noticeboard PDFs of a ladder, and of an evening's handicap ranking."""

from collections.abc import Iterator, Sequence

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from printing import grid, paper
from printing.box import MM
from printing.fonts import BOLD_FONT, LEADING_RATIO, SANS_FONT
from printing.grid import Column
from printing.headings import PAGE_TITLE_HEIGHT, draw_page_title
from printing.text_boxes import wrap_text, write_paragraph, write_text
from printing.values import Heading
from seasons.ladders.rules.rule import MEASURE_PERCENT
from seasons.ladders.rules.words import format_exact_signed
from seasons.ladders.sheets.handicaps import HandicapRanking, HandicapStratum
from seasons.ladders.sheets.ladders import LadderLine, LadderSheet
from server import formatting

_HEAD_HEIGHT, _ROW_HEIGHT, _RULE_TEXT_HEIGHT = 9 * MM, 8.5 * MM, 12 * MM
_NOTICEBOARD_FONT_SIZE = 14  # the minimum font size that is readable on a noticeboard
_SMALL_FONT_SIZE = 9.5


def draw_ladder(ladder_sheet: LadderSheet, *, paper_size: paper.Size = "A4") -> bytes:
    """Return a ladder as a PDF with as many pages as needed; ranked lines come first."""
    season = ladder_sheet.ladder.season
    heading = Heading(season.club.name, season.name, ladder_sheet.latest_day or season.last_day)
    canvas = paper.start_canvas(paper_size, ladder_sheet.ladder.name, [heading])
    page = paper.get_page_box(paper_size)
    content_box = page.inset(paper.PAGE_MARGIN)
    rule_text_line_count = len(
        wrap_text(ladder_sheet.rule, SANS_FONT, _SMALL_FONT_SIZE, content_box.width)
    )
    rule_text_height = max(
        _RULE_TEXT_HEIGHT, 2 * MM + rule_text_line_count * _SMALL_FONT_SIZE * LEADING_RATIO
    )
    max_rows = int(
        (content_box.height - PAGE_TITLE_HEIGHT - rule_text_height - _HEAD_HEIGHT - 1 * MM)
        / _ROW_HEIGHT
    )
    page_rows_list = grid.split_rows(_build_rows(ladder_sheet), max_rows)
    for page_number, page_rows in enumerate(page_rows_list, start=1):
        draw_page_title(
            canvas, content_box, heading, ladder_sheet.ladder.name, page_number=page_number
        )
        box = content_box.exclude_top(PAGE_TITLE_HEIGHT)
        columns = _build_columns(ladder_sheet)
        if not page_rows:
            message = _("No standings yet. They start after the first finished evening.")
            table_bottom = write_paragraph(canvas, message, box, size=_NOTICEBOARD_FONT_SIZE)
        else:
            table_bottom = grid.draw_grid(
                canvas,
                box,
                columns,
                page_rows,
                head_height=_HEAD_HEIGHT,
                row_height=_ROW_HEIGHT,
                title_size=10,
            )
        if page_number == len(page_rows_list):
            remaining_box = box.exclude_top(box.top - table_bottom + 2 * MM)
            write_paragraph(canvas, ladder_sheet.rule, remaining_box, size=_SMALL_FONT_SIZE)
        paper.draw_footer(canvas, page, "", page_number, len(page_rows_list))
        canvas.showPage()
    return paper.finish_canvas(canvas)


def _build_columns(ladder_sheet: LadderSheet) -> list[Column]:
    return [
        Column(_("Place"), 14, font=BOLD_FONT, size=_NOTICEBOARD_FONT_SIZE, align="right"),
        Column(
            _("Names"),
            84,
            align="left",
            size=_NOTICEBOARD_FONT_SIZE,
            min_size=_NOTICEBOARD_FONT_SIZE,
            is_row_header=True,
        ),
        Column(_("Evenings"), 20, size=_NOTICEBOARD_FONT_SIZE, align="right"),
        Column(
            capfirst(ladder_sheet.totals_heading),
            30,
            font=BOLD_FONT,
            size=_NOTICEBOARD_FONT_SIZE,
            align="right",
        ),
    ]


def _build_rows(ladder_sheet: LadderSheet) -> list[Sequence[str]]:
    total_format = formatting.choose_column_format(
        (ladder_line.total for ladder_line in ladder_sheet.lines),
        has_sign=ladder_sheet.has_signed_totals,
    )
    ranked_rows = [
        [ladder_line.rank_text, *_format_ladder_line(ladder_line, total_format)]
        for ladder_line in ladder_sheet.ranked
    ]
    return [
        *ranked_rows,
        *(
            ["–", *_format_ladder_line(ladder_line, total_format)]
            for ladder_line in ladder_sheet.unranked
        ),
    ]


def _format_ladder_line(
    ladder_line: LadderLine, total_format: formatting.ColumnFormat
) -> list[str]:
    names_text = ladder_line.names
    if ladder_line.missing_evening_count:
        message = ngettext(
            "needs %(needs)s more evening",
            "needs %(needs)s more evenings",
            ladder_line.missing_evening_count,
        )
        names_text += f" ({message % {'needs': ladder_line.missing_evening_count}})"
    return [
        names_text,
        str(ladder_line.evening_count),
        total_format.format_number(ladder_line.total),
    ]


def draw_ranking(ranking: HandicapRanking, *, paper_size: paper.Size = "A4") -> bytes:
    """Return an evening's handicap ranking as a PDF; each stratum starts a new page."""
    heading = Heading(
        ranking.season.club.name, f"{ranking.season}: {ranking.name}", ranking.day
    )
    canvas = paper.start_canvas(paper_size, ranking.title, [heading])
    page = paper.get_page_box(paper_size)
    content_box = page.inset(paper.PAGE_MARGIN)
    max_rows = int(
        (content_box.height - PAGE_TITLE_HEIGHT - _RULE_TEXT_HEIGHT - _HEAD_HEIGHT - 6 * MM)
        / _ROW_HEIGHT
    )
    pages = list(_iter_ranking_pages(ranking, max_rows))
    for page_number, (title, columns, rows) in enumerate(pages, start=1):
        draw_page_title(canvas, content_box, heading, title, page_number=page_number)
        box = content_box.exclude_top(PAGE_TITLE_HEIGHT)
        if rows:
            table_bottom = grid.draw_grid(
                canvas,
                box,
                columns,
                rows,
                head_height=_HEAD_HEIGHT,
                row_height=_ROW_HEIGHT,
                title_size=10,
            )
        else:
            table_bottom = write_paragraph(
                canvas, _("No one is ranked yet."), box, size=_NOTICEBOARD_FONT_SIZE
            )
        if page_number == len(pages):
            remaining_box = box.exclude_top(box.top - table_bottom + 2 * MM)
            message = _("The official standings are those without handicap.")
            write_text(
                canvas, message, remaining_box.get_top_strip(5 * MM), size=_SMALL_FONT_SIZE
            )
        paper.draw_footer(canvas, page, "", page_number, len(pages))
        canvas.showPage()
    return paper.finish_canvas(canvas)


def _iter_ranking_pages(
    ranking: HandicapRanking, max_rows: int
) -> Iterator[tuple[str, list[Column], Sequence[list[str]]]]:
    """Yield the title, columns and rows of each page; a page has at most `max_rows` rows."""
    tables = [
        (_("With handicap"), _build_ranking_columns(ranking), _build_ranking_rows(ranking))
    ]
    for stratum in ranking.strata:
        title = _("Stratum %(name)s, with handicap") % {"name": stratum.name}
        tables.append((title, _build_stratum_columns(), _build_stratum_rows(ranking, stratum)))
    for title, columns, rows in tables:
        yield from (
            (title, columns, page_rows) for page_rows in grid.split_rows(rows, max_rows)
        )


def _build_stratum_columns() -> list[Column]:
    return [
        Column(_("Place"), 14, font=BOLD_FONT, size=_NOTICEBOARD_FONT_SIZE, align="right"),
        Column(
            _("Names"),
            84,
            align="left",
            size=_NOTICEBOARD_FONT_SIZE,
            min_size=_NOTICEBOARD_FONT_SIZE,
            is_row_header=True,
        ),
        Column(_("Stratum"), 24, size=_NOTICEBOARD_FONT_SIZE, min_size=8),
        Column(_("With"), 26, font=BOLD_FONT, size=_NOTICEBOARD_FONT_SIZE, align="right"),
        Column(_("Without"), 26, size=_NOTICEBOARD_FONT_SIZE, align="right"),
    ]


def _build_stratum_rows(ranking: HandicapRanking, stratum: HandicapStratum) -> list[list[str]]:
    total_format = formatting.choose_column_format(
        (ranked_entry.line.total for ranked_entry in ranking.lines),
        has_sign=ranking.figure != MEASURE_PERCENT,
    )
    return [
        [
            ranked_entry.rank_text,
            ranked_entry.names,
            ranked_entry.stratum_name,
            total_format.format_number(ranked_entry.line.total),
            ""
            if ranked_entry.rank_without_handicap is None
            else str(ranked_entry.rank_without_handicap),
        ]
        for ranked_entry in stratum.rows
    ]


def _build_ranking_columns(ranking: HandicapRanking) -> list[Column]:
    unit_title = _("Per cent") if ranking.figure == MEASURE_PERCENT else _("+/−")
    return [
        Column(_("Place"), 14, font=BOLD_FONT, size=_NOTICEBOARD_FONT_SIZE, align="right"),
        Column(
            _("Names"),
            74,
            align="left",
            size=_NOTICEBOARD_FONT_SIZE,
            min_size=_NOTICEBOARD_FONT_SIZE,
            is_row_header=True,
        ),
        Column(unit_title, 22, size=_NOTICEBOARD_FONT_SIZE, align="right"),
        Column(_("Handicap"), 22, size=_NOTICEBOARD_FONT_SIZE, align="right"),
        Column(_("With"), 24, font=BOLD_FONT, size=_NOTICEBOARD_FONT_SIZE, align="right"),
        Column(_("Without"), 18, size=_NOTICEBOARD_FONT_SIZE, align="right"),
    ]


def _build_ranking_rows(ranking: HandicapRanking) -> list[list[str]]:
    is_signed = ranking.figure != MEASURE_PERCENT
    base_score_format = formatting.choose_column_format(
        (ranked_entry.line.base for ranked_entry in ranking.lines), has_sign=is_signed
    )
    total_format = formatting.choose_column_format(
        (ranked_entry.line.total for ranked_entry in ranking.lines), has_sign=is_signed
    )
    return [
        [
            ranked_entry.rank_text,
            f"{ranked_entry.names} ({ranked_entry.side})"
            if ranked_entry.side
            else ranked_entry.names,
            base_score_format.format_number(ranked_entry.line.base),
            format_exact_signed(ranked_entry.line.handicap),
            total_format.format_number(ranked_entry.line.total),
            "" if ranked_entry.line.entry.place is None else str(ranked_entry.line.entry.place),
        ]
        for ranked_entry in ranking.lines
    ]
