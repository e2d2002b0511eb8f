"""The final ranking: the places of each field, its average, and the overall winner."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
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
from scoring.papers.conditions import describe_wait_for_results
from scoring.sheets import papers
from scoring.sheets.standings_edition import Edition
from scoring.sheets.standings_text import describe_ranking_score
from scoring.sheets.totals import choose_total_format, format_average, get_total_title
from scoring.sheets.values import RankField, RankRow, RankTable, RecapField
from server import formatting

WINNER_SIGN = "★"
_ROW_HEIGHTS = (9 * MM, 8 * MM, 7 * MM)
_TITLES_HEIGHT = 7 * MM
_FIELD_TITLE_HEIGHT = 11 * MM
_GAP = 5 * MM
_STATUS_LINE_HEIGHT = 7 * MM
_NOTE_LINE_HEIGHT = 5 * MM  # of the version, and of a correction
_NOTES_HEIGHT = _STATUS_LINE_HEIGHT + _NOTE_LINE_HEIGHT + 2 * MM
_MAX_CORRECTIONS = 20  # the latest of them


def draw_pdf(sheet: RankTable, *, size: paper.Size = "A4") -> bytes:
    """Print the standings, with a note while results are missing."""
    title = _format_title(sheet)
    canvas = paper.start_canvas(size, title, [sheet.heading])
    page = paper.get_page_box(size)
    inner = page.inset(paper.PAGE_MARGIN)
    corrections = _format_corrections(sheet)
    row, pages = _fill_pages(
        sheet, inner.height - PAGE_TITLE_HEIGHT - _NOTES_HEIGHT - 3 * MM, len(corrections)
    )
    for number, pieces in enumerate(pages, start=1):
        draw_page_title(canvas, inner, sheet.heading, title, number=number)
        box = inner.without_top(PAGE_TITLE_HEIGHT)
        with tags.mark_artifact(canvas, is_artifact=number > 1):
            write_text(
                canvas,
                describe_state(sheet),
                box.top_strip(_STATUS_LINE_HEIGHT),
                font=BOLD,
                size=11,
            )
            write_text(
                canvas,
                _format_edition(sheet.edition),
                box.without_top(_STATUS_LINE_HEIGHT).top_strip(_NOTE_LINE_HEIGHT),
                size=9,
            )
        box = box.without_top(_NOTES_HEIGHT)
        for piece in pieces:
            lower = _draw_field(canvas, sheet, piece, box, row)
            box = box.without_top(box.top - lower + _GAP)
        if number == len(pages):
            _draw_corrections(canvas, corrections, box)
        paper.draw_footer(canvas, page, METHODS[sheet.method].caption, number, len(pages))
        canvas.showPage()
    return paper.finish_canvas(canvas)


def format_field_name(
    field: RankField | RecapField, all_fields: Sequence[RankField | RecapField]
) -> str:
    """Return a field's name in words, with its section if there are several."""
    side = {"NS": _("North-South"), "EW": _("East-West")}.get(field.field, _("Overall"))
    if len({other.section for other in all_fields}) == 1:
        return side
    return _("%(field)s, section %(section)s") % {"field": side, "section": field.section}


@dataclass(frozen=True, slots=True)
class RankingFormats:
    """The formats of the two columns of numbers, the same in every field of a paper."""

    tricks: formatting.ColumnFormat
    scores: formatting.ColumnFormat
    a_board: formatting.ColumnFormat
    corrected: formatting.ColumnFormat


def choose_formats(method: str, rows: Sequence[RankRow]) -> RankingFormats:
    """Choose the formats of tricks and scores for all rows of a paper."""
    return RankingFormats(
        tricks=choose_total_format(method, (row.tricks for row in rows)),
        scores=formatting.choose_column_format(
            (row.score for row in rows), with_sign=METHODS[method].signed
        ),
        a_board=formatting.choose_column_format(
            (row.a_board for row in rows), with_sign=METHODS[method].signed
        ),
        corrected=formatting.choose_column_format(
            (row.corrected for row in rows), with_sign=METHODS[method].signed
        ),
    )


def describe_state(sheet: RankTable) -> str:
    """Describe the progress of the results, and the overall winner."""
    if sheet.awaits_draw:
        return _("Provisional: more rounds to play.")
    if not sheet.complete:
        return ngettext(
            "Provisional: %(missing)d result missing.",
            "Provisional: %(missing)d results missing.",
            sheet.missing,
        ) % {"missing": sheet.missing}
    if not sheet.closed and not sheet.is_live:
        return _("So far: all results in, another session to play.")
    if not sheet.is_final:
        return _("Provisional: all results in. Final when the session is closed.")
    names = [
        row.name
        for field in sheet.fields
        for row in field.rows
        if _is_overall_winner(sheet, row)
    ]
    if not names:
        return _("Final.")
    if len(names) == 1:
        return f"{WINNER_SIGN} " + _("Overall winner: %(name)s") % {"name": names[0]}
    return f"{WINNER_SIGN} " + _("Overall winners, tied: %(names)s") % {
        "names": "; ".join(names)
    }


def _format_title(sheet: RankTable) -> str:
    if sheet.is_final:
        return _("Final standings")
    if sheet.complete and not sheet.is_live and not sheet.closed:
        return _("Standings so far")
    return _("Provisional standings")


def _is_overall_winner(sheet: RankTable, row: RankRow) -> bool:
    return sheet.is_final and (row.wins_overall or row.entry in sheet.overall)


def _fill_pages(
    sheet: RankTable, height: float, corrections: int
) -> tuple[float, list[list[TablePart]]]:
    """Return the row height and the pages; corrections may need an extra page."""
    extra_height = _FIELD_TITLE_HEIGHT + _TITLES_HEIGHT + _GAP
    row_counts = [len(field.rows) for field in sheet.fields]
    row, pages = choose_row_height(
        row_counts, height, extra_height=extra_height, rows=_ROW_HEIGHTS
    )
    used_height = sum(extra_height + row * len(piece.rows) for piece in pages[-1])
    is_full = corrections and used_height + (corrections + 1) * _NOTE_LINE_HEIGHT > height
    return row, [*pages, []] if is_full else pages


def _format_edition(edition: Edition | None) -> str:
    """Describe the edition: a stored version of the standings, or the time of current ones."""
    if edition is None or edition.at is None:
        return ""
    placeholders = {
        "number": edition.number,
        "reason": edition.reason,
        "at": _format_moment(edition.at),
    }
    if edition.number:
        return _("Version %(number)s: %(reason)s, %(at)s.") % placeholders
    return _("Standings as of %(at)s.") % placeholders


def _format_corrections(sheet: RankTable) -> list[str]:
    corrections = sheet.edition.corrections if sheet.edition else ()
    lines = [
        f"{_format_moment(correction.at)}: {correction.text}."
        for correction in corrections[:_MAX_CORRECTIONS]
    ]
    omitted_count = len(corrections) - len(lines)
    if omitted_count:
        more_text = ngettext(
            "and %(count)s earlier one on the event page",
            "and %(count)s earlier ones on the event page",
            omitted_count,
        )
        lines.append(more_text % {"count": omitted_count})
    return lines


def _draw_corrections(canvas: Canvas, lines: Sequence[str], box: Box) -> None:
    if lines:
        with tags.open_element(canvas, "H2"):
            write_text(
                canvas,
                _("Corrections after closing"),
                box.top_strip(_NOTE_LINE_HEIGHT),
                font=BOLD,
                size=10,
            )
    for place, line in enumerate(lines, start=1):
        write_text(
            canvas,
            line,
            box.without_top(place * _NOTE_LINE_HEIGHT).top_strip(_NOTE_LINE_HEIGHT),
            size=9,
        )


def _format_moment(moment: datetime) -> str:
    return date_format(timezone.localtime(moment), "j F Y, H:i")


def _draw_field(
    canvas: Canvas, sheet: RankTable, piece: TablePart, box: Box, height: float
) -> float:
    field = sheet.fields[piece.table]
    title = format_field_name(field, sheet.fields)
    if piece.continued:
        title = _("%(field)s, continued") % {"field": title}
    left, right = (
        box.top_strip(_FIELD_TITLE_HEIGHT).without_bottom(1.5 * MM).split_columns(3, 2)
    )
    with tags.open_element(canvas, "H2"):
        write_text(canvas, title, left, font=BOLD, size=14)
    title = describe_ranking_score(field.rows, sheet.method)
    if title or field.average is None:
        write_text(canvas, title, right, size=9, align="right")
    else:
        average = format_average(sheet.method, field.average)
        write_text(canvas, average, right, size=12, align="right")
    share = any(row.percent is not None for row in field.rows)
    formats = choose_formats(
        sheet.method, [row for rank_field in sheet.fields for row in rank_field.rows]
    )
    rows = [
        _format_cells(sheet, row, formats, has_percentages=share, field=field)
        for row in field.rows[piece.rows.start : piece.rows.stop]
    ]
    return grid.draw_grid(
        canvas,
        box.without_top(_FIELD_TITLE_HEIGHT),
        _build_columns(sheet.method, sheet.heading.one, has_percentages=share, field=field),
        rows,
        head=_TITLES_HEIGHT,
        row=height,
        title_size=9,
    )


def _format_cells(
    sheet: RankTable,
    row: RankRow,
    formats: RankingFormats,
    *,
    has_percentages: bool,
    field: RankField,
) -> Sequence[str]:
    name = row.name
    if _is_overall_winner(sheet, row):
        name = f"{WINNER_SIGN} {name} " + _("(overall winner)")
    if row.notes:
        name += f" ({'; '.join(row.notes)})"
    cells = [
        formatting.format_rank(row.rank, tied=row.tied, is_placed=row.boards > 0),
        row.label,
        name,
        str(row.boards),
        formats.tricks.write(row.tricks),
        formats.scores.write(row.score),
    ]
    if field.is_corrected:
        cells.append(formats.corrected.write(row.corrected))
    if field.is_by_board:
        cells.append(formats.a_board.write(row.a_board))
    return [*cells, formatting.format_percent(row.percent)] if has_percentages else cells


def _build_columns(
    method: str, one: str, *, has_percentages: bool, field: RankField
) -> list[Column]:
    columns = [
        Column(_("Place"), 13, font=BOLD, size=12, align="right"),
        Column(one or _("Pair"), 16),
        Column(_("Names"), 92, align="left", floor=9, is_row_header=True),
        Column(_("Boards"), 15, align="right"),
        Column(get_total_title(method), 19, align="right"),
        Column(METHODS[method].short_heading, 22, align="right", font=BOLD, size=12),
    ]
    if field.is_corrected:
        columns.append(Column(_("Corrected"), 21, align="right"))
    if field.is_by_board:
        columns.append(Column(_("Per board"), 19, align="right"))
    return [*columns, Column("%", 21, align="right")] if has_percentages else columns


PAPER = PaperKind(
    name="ranking",
    title=gettext_lazy("Standings"),
    blurb=gettext_lazy("The standings, to hang up or read out."),
    group=PaperGroup.RESULTS,
    build_sheet=papers.build_ranking,
    draw_pdf=draw_pdf,
    shown_cards=ShownCards.NONE,
    outdated_by=OutdatedBy.NAMES,
    describe_wait=describe_wait_for_results,
)
