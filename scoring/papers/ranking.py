"""The final ranking: the places of each field, its average, and the overall winner."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
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
from scoring.papers.conditions import describe_step_before_results
from scoring.sheets import papers
from scoring.sheets.standings_edition import Edition
from scoring.sheets.standings_text import describe_ranking_score
from scoring.sheets.totals import choose_total_format, format_average, get_total_title
from scoring.sheets.values import RankedGroup, RankRow, RankTable, RecapGroup
from server import formatting
from server.dates import format_date

WINNER_SIGN = "★"
_ROW_HEIGHTS = (9 * MM, 8 * MM, 7 * MM)
_TITLES_HEIGHT = 7 * MM
_GROUP_TITLE_HEIGHT = 11 * MM
_GROUP_GAP = 5 * MM
_STATUS_LINE_HEIGHT = 7 * MM
_NOTE_LINE_HEIGHT = 5 * MM  # the height of one line of text about the version or a correction
_NOTES_HEIGHT = _STATUS_LINE_HEIGHT + _NOTE_LINE_HEIGHT + 2 * MM
_MAX_CORRECTIONS = 20  # only the latest are printed


def draw_pdf(rank_table: RankTable, *, paper_size: paper.Size = "A4") -> bytes:
    """Print the standings, with a note while results are missing."""
    title = _format_title(rank_table)
    canvas = paper.start_canvas(paper_size, title, [rank_table.heading])
    page = paper.get_page_box(paper_size)
    inner_box = page.inset(paper.PAGE_MARGIN)
    correction_texts = _format_corrections(rank_table)
    row_height, pages = _paginate_groups(
        rank_table,
        inner_box.height - PAGE_TITLE_HEIGHT - _NOTES_HEIGHT - 3 * MM,
        len(correction_texts),
    )
    for page_number, table_parts in enumerate(pages, start=1):
        draw_page_title(canvas, inner_box, rank_table.heading, title, page_number=page_number)
        box = inner_box.exclude_top(PAGE_TITLE_HEIGHT)
        with tags.mark_artifact(canvas, is_artifact=page_number > 1):
            write_text(
                canvas,
                describe_state(rank_table),
                box.get_top_strip(_STATUS_LINE_HEIGHT),
                font=BOLD_FONT,
                size=11,
            )
            write_text(
                canvas,
                _format_edition(rank_table.edition),
                box.exclude_top(_STATUS_LINE_HEIGHT).get_top_strip(_NOTE_LINE_HEIGHT),
                size=9,
            )
        box = box.exclude_top(_NOTES_HEIGHT)
        for table_part in table_parts:
            lower_edge = _draw_group(canvas, rank_table, table_part, box, row_height)
            box = box.exclude_top(box.top - lower_edge + _GROUP_GAP)
        if page_number == len(pages):
            _draw_corrections(canvas, correction_texts, box)
        paper.draw_footer(
            canvas, page, METHODS_BY_NAME[rank_table.method].caption, page_number, len(pages)
        )
        canvas.showPage()
    return paper.finish_canvas(canvas)


def format_group_name(
    ranked_group: RankedGroup | RecapGroup, all_groups: Sequence[RankedGroup | RecapGroup]
) -> str:
    """Return a field's name in words, with its section if there are several."""
    group_name = {"NS": _("North-South"), "EW": _("East-West")}.get(
        ranked_group.field, _("Overall")
    )
    if len({other_group.section for other_group in all_groups}) == 1:
        return group_name
    return _("%(field)s, section %(section)s") % {
        "field": group_name,
        "section": ranked_group.section,
    }


@dataclass(frozen=True, slots=True)
class RankingFormats:
    """The formats of the columns of numbers, which are the same in every field of a paper."""

    tricks: formatting.ColumnFormat
    scores: formatting.ColumnFormat
    score_per_board: formatting.ColumnFormat
    corrected_totals: formatting.ColumnFormat


def choose_formats(method: str, rows: Sequence[RankRow]) -> RankingFormats:
    """Choose the formats of tricks and scores for all rows of a paper."""
    return RankingFormats(
        tricks=choose_total_format(method, (row.tricks for row in rows)),
        scores=formatting.choose_column_format(
            (row.score for row in rows), has_sign=METHODS_BY_NAME[method].is_signed
        ),
        score_per_board=formatting.choose_column_format(
            (row.a_board for row in rows), has_sign=METHODS_BY_NAME[method].is_signed
        ),
        corrected_totals=formatting.choose_column_format(
            (row.corrected for row in rows), has_sign=METHODS_BY_NAME[method].is_signed
        ),
    )


def describe_state(rank_table: RankTable) -> str:
    """Describe the progress of the results, and the overall winner."""
    if rank_table.has_round_to_draw:
        return _("Provisional: more rounds to play.")
    if not rank_table.complete:
        return ngettext(
            "Provisional: %(missing)d result missing.",
            "Provisional: %(missing)d results missing.",
            rank_table.missing,
        ) % {"missing": rank_table.missing}
    if not rank_table.is_closed and not rank_table.is_live:
        return _("So far: all results in, another session to play.")
    if not rank_table.is_final:
        return _("Provisional: all results in. Final when the session is closed.")
    winner_names = [
        row.name
        for ranked_group in rank_table.fields
        for row in ranked_group.rows
        if _is_overall_winner(rank_table, row)
    ]
    if not winner_names:
        return _("Final.")
    if len(winner_names) == 1:
        return f"{WINNER_SIGN} " + _("Overall winner: %(name)s") % {"name": winner_names[0]}
    return f"{WINNER_SIGN} " + _("Overall winners, tied: %(names)s") % {
        "names": "; ".join(winner_names)
    }


def _format_title(rank_table: RankTable) -> str:
    if rank_table.is_final:
        return _("Final standings")
    if rank_table.complete and not rank_table.is_live and not rank_table.is_closed:
        return _("Standings so far")
    return _("Provisional standings")


def _is_overall_winner(rank_table: RankTable, row: RankRow) -> bool:
    return rank_table.is_final and (row.wins_overall or row.entry in rank_table.overall_winners)


def _paginate_groups(
    rank_table: RankTable, height: float, correction_count: int
) -> tuple[float, list[list[TablePart]]]:
    """Return the row height and the pages; corrections may need an extra page."""
    extra_height = _GROUP_TITLE_HEIGHT + _TITLES_HEIGHT + _GROUP_GAP
    row_counts = [len(ranked_group.rows) for ranked_group in rank_table.fields]
    row_height, pages = choose_row_height(
        row_counts, height, extra_height=extra_height, row_heights=_ROW_HEIGHTS
    )
    used_height = sum(
        extra_height + row_height * len(table_part.rows) for table_part in pages[-1]
    )
    should_add_page = (
        correction_count and used_height + (correction_count + 1) * _NOTE_LINE_HEIGHT > height
    )
    return row_height, [*pages, []] if should_add_page else pages


def _format_edition(edition: Edition | None) -> str:
    """Describe the edition: a stored version of the standings, or the time of current ones."""
    if edition is None or edition.computed_at is None:
        return ""
    placeholders = {
        "number": edition.number,
        "reason": edition.reason,
        "at": format_date(edition.computed_at, "DATE_TIME"),
    }
    if edition.number:
        return _("Version %(number)s: %(reason)s, %(at)s.") % placeholders
    return _("Standings as of %(at)s.") % placeholders


def _format_corrections(rank_table: RankTable) -> list[str]:
    corrections = rank_table.edition.corrections if rank_table.edition else ()
    correction_texts = [
        f"{format_date(correction.made_at, 'DATE_TIME')}: {correction.text}."
        for correction in corrections[:_MAX_CORRECTIONS]
    ]
    omitted_correction_count = len(corrections) - len(correction_texts)
    if omitted_correction_count:
        template = ngettext(
            "and %(count)s earlier one on the event page",
            "and %(count)s earlier ones on the event page",
            omitted_correction_count,
        )
        correction_texts.append(template % {"count": omitted_correction_count})
    return correction_texts


def _draw_corrections(canvas: Canvas, correction_texts: Sequence[str], box: Box) -> None:
    if correction_texts:
        with tags.open_element(canvas, "H2"):
            write_text(
                canvas,
                _("Corrections after closing"),
                box.get_top_strip(_NOTE_LINE_HEIGHT),
                font=BOLD_FONT,
                size=10,
            )
    for line_number, correction_text in enumerate(correction_texts, start=1):
        write_text(
            canvas,
            correction_text,
            box.exclude_top(line_number * _NOTE_LINE_HEIGHT).get_top_strip(_NOTE_LINE_HEIGHT),
            size=9,
        )


def _draw_group(
    canvas: Canvas, rank_table: RankTable, table_part: TablePart, box: Box, row_height: float
) -> float:
    ranked_group = rank_table.fields[table_part.table_index]
    title = format_group_name(ranked_group, rank_table.fields)
    if table_part.is_continued:
        title = _("%(field)s, continued") % {"field": title}
    left_box, right_box = (
        box.get_top_strip(_GROUP_TITLE_HEIGHT).exclude_bottom(1.5 * MM).split_columns(3, 2)
    )
    with tags.open_element(canvas, "H2"):
        write_text(canvas, title, left_box, font=BOLD_FONT, size=14)
    ranking_note = describe_ranking_score(ranked_group.rows, rank_table.method)
    if ranking_note or ranked_group.average is None:
        write_text(canvas, ranking_note, right_box, size=9, align="right")
    else:
        average = format_average(rank_table.method, ranked_group.average)
        write_text(canvas, average, right_box, size=12, align="right")
    has_percentages = any(row.percent is not None for row in ranked_group.rows)
    formats = choose_formats(
        rank_table.method,
        [row for listed_group in rank_table.fields for row in listed_group.rows],
    )
    rows = [
        _format_cells(
            rank_table, row, formats, has_percentages=has_percentages, ranked_group=ranked_group
        )
        for row in ranked_group.rows[table_part.rows.start : table_part.rows.stop]
    ]
    return grid.draw_grid(
        canvas,
        box.exclude_top(_GROUP_TITLE_HEIGHT),
        _build_columns(
            rank_table.method,
            rank_table.heading.entry_kind,
            has_percentages=has_percentages,
            ranked_group=ranked_group,
        ),
        rows,
        head_height=_TITLES_HEIGHT,
        row_height=row_height,
        title_size=9,
    )


def _format_cells(
    rank_table: RankTable,
    row: RankRow,
    formats: RankingFormats,
    *,
    has_percentages: bool,
    ranked_group: RankedGroup,
) -> Sequence[str]:
    name_text = row.name
    if _is_overall_winner(rank_table, row):
        name_text = f"{WINNER_SIGN} {name_text} " + _("(overall winner)")
    if row.notes:
        name_text += f" ({'; '.join(row.notes)})"
    cells = [
        formatting.format_rank(row.rank, is_tied=row.tied, has_rank=row.boards > 0),
        row.label,
        name_text,
        str(row.boards),
        formats.tricks.format_number(row.tricks),
        formats.scores.format_number(row.score),
    ]
    if ranked_group.has_corrected_totals:
        cells.append(formats.corrected_totals.format_number(row.corrected))
    if ranked_group.is_scored_by_board:
        cells.append(formats.score_per_board.format_number(row.a_board))
    return [*cells, formatting.format_percent(row.percent)] if has_percentages else cells


def _build_columns(
    method: str, unit_name: str, *, has_percentages: bool, ranked_group: RankedGroup
) -> list[Column]:
    columns = [
        Column(_("Place"), 13, font=BOLD_FONT, size=12, align="right"),
        Column(unit_name or _("Pair"), 16),
        Column(_("Names"), 92, align="left", min_size=9, is_row_header=True),
        Column(_("Boards"), 15, align="right"),
        Column(get_total_title(method), 19, align="right"),
        Column(
            METHODS_BY_NAME[method].short_heading, 22, align="right", font=BOLD_FONT, size=12
        ),
    ]
    if ranked_group.has_corrected_totals:
        columns.append(Column(_("Corrected"), 21, align="right"))
    if ranked_group.is_scored_by_board:
        columns.append(Column(_("Per board"), 19, align="right"))
    return [*columns, Column("%", 21, align="right")] if has_percentages else columns


PAPER_KIND = PaperKind(
    name="ranking",
    title=gettext_lazy("Standings"),
    blurb=gettext_lazy("The standings, to hang up or read out."),
    group=PaperGroup.RESULTS,
    build_sheet=papers.build_ranking,
    draw_pdf=draw_pdf,
    shown_cards=ShownCards.NONE,
    outdating_changes=OutdatingChanges.NAMES,
    describe_required_step=describe_step_before_results,
)
