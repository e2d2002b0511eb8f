"""The ranking of each stratum, and the prize list for the ceremony, the last prize first."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from printing import paper
from printing.box import MM
from printing.fonts import BOLD_FONT
from printing.grid import Column, Row
from printing.kinds import OutdatingChanges, PaperGroup, PaperKind, ShownCards
from printing.table_pages import TableHeights, draw_table
from scoring.methods import METHODS_BY_NAME
from scoring.papers.conditions import (
    describe_step_before_prizes,
    describe_step_before_strata,
    has_prizes,
    has_strata,
)
from scoring.sheets import field_lists
from scoring.sheets.field_lists import PrizeSheet, StrataSheet, StratumTable
from server import formatting

_PRIZE_LIST_HEIGHTS = TableHeights(head_height=8 * MM, row_height=14 * MM, foot_height=8 * MM)
_RANKING_HEIGHTS = TableHeights(head_height=8 * MM, row_height=8 * MM, foot_height=8 * MM)


def draw_prizes_pdf(prize_sheet: PrizeSheet, *, paper_size: paper.Size = "A4") -> bytes:
    """Print the prizes, the last one first, each with its winner and why that entry won it."""
    title = _("Prizes") if prize_sheet.is_final else _("Prizes so far")
    canvas = paper.start_canvas(paper_size, title, [prize_sheet.heading])
    columns = [
        Column(
            _("Prize"),
            30,
            align="left",
            font=BOLD_FONT,
            size=11,
            min_size=7,
            is_row_header=True,
        ),
        Column(_("Winner"), 32, align="left", size=11, min_size=7),
        Column(_("Money"), 12, size=11),
        Column(_("Why"), 26, align="left", size=8, min_size=6),
    ]
    rows = [
        (
            f"{row.name} ({row.prize_place})",
            row.winner_name or "–",
            row.total_money or row.prize_value,
            row.reason,
        )
        for row in reversed(prize_sheet.rows)
    ]
    note = _("Total: %(money)s.") % {"money": prize_sheet.total} if prize_sheet.total else ""
    draw_table(
        canvas, prize_sheet.heading, title, columns, rows, _PRIZE_LIST_HEIGHTS, note, paper_size
    )
    return paper.finish_canvas(canvas)


def draw_strata_pdf(strata_sheet: StrataSheet, *, paper_size: paper.Size = "A4") -> bytes:
    """Print the ranking of each stratum on separate pages."""
    canvas = paper.start_canvas(paper_size, _("Standings by stratum"), [strata_sheet.heading])
    columns = [
        Column(_("Place"), 12, font=BOLD_FONT, size=11),
        Column(_("Names"), 56, align="left", size=11, min_size=7, is_row_header=True),
        Column(_("Stratum"), 14, size=10, min_size=7),
        Column(_("Score"), 18, size=11),
    ]
    for stratum_table in strata_sheet.tables:
        title = _("Stratum %(name)s") % {"name": stratum_table.name}
        rows = _build_rows(strata_sheet, stratum_table)
        note = METHODS_BY_NAME[strata_sheet.method].caption
        draw_table(
            canvas,
            strata_sheet.heading,
            title,
            columns,
            rows,
            _RANKING_HEIGHTS,
            note,
            paper_size,
        )
    return paper.finish_canvas(canvas)


def _build_rows(strata_sheet: StrataSheet, stratum_table: StratumTable) -> list[Row]:
    format_score = (
        formatting.format_signed
        if METHODS_BY_NAME[strata_sheet.method].is_signed
        else formatting.format_plain
    )
    return [
        (
            f"{'=' if stratum_row.is_shared else ''}{stratum_row.rank}",
            stratum_row.rank_row.name,
            stratum_row.stratum,
            format_score(stratum_row.rank_row.score),
        )
        for stratum_row in stratum_table.rows
    ]


PRIZES_PAPER = PaperKind(
    name="prize_list",
    title=gettext_lazy("List of prizes"),
    blurb=gettext_lazy("Prizes, winners and reasons, last prize first, for the prize-giving."),
    group=PaperGroup.RESULTS,
    build_sheet=field_lists.build_session_prize_sheet,
    draw_pdf=draw_prizes_pdf,
    shown_cards=ShownCards.NONE,
    outdating_changes=OutdatingChanges.NAMES,
    is_offered=has_prizes,
    describe_required_step=describe_step_before_prizes,
    is_on_request=True,
)
STRATA_LIST_PAPER = PaperKind(
    name="strata_list",
    title=gettext_lazy("Standings by stratum"),
    blurb=gettext_lazy("The highest stratum lists everyone, the lowest only its own members."),
    group=PaperGroup.RESULTS,
    build_sheet=field_lists.build_session_strata_sheet,
    draw_pdf=draw_strata_pdf,
    shown_cards=ShownCards.NONE,
    outdating_changes=OutdatingChanges.NAMES,
    is_offered=has_strata,
    describe_required_step=describe_step_before_strata,
    is_on_request=True,
)
