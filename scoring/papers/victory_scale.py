"""The scale of victory points, to be hung up before play."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from printing import grid, paper
from printing.box import MM
from printing.fonts import BOLD_FONT
from printing.grid import Column
from printing.headings import PAGE_TITLE_HEIGHT, draw_page_title
from printing.kinds import OutdatingChanges, PaperGroup, PaperKind, ShownCards
from scoring.papers.conditions import has_victory_points
from scoring.sheets import victory_scale
from scoring.sheets.victory_scale import ScaleSheet

_HEAD_HEIGHT, _MAX_ROW_HEIGHT = 9 * MM, 9 * MM


def draw_pdf(scale_sheet: ScaleSheet, *, paper_size: paper.Size = "A4") -> bytes:
    """Print the scale on one page."""
    canvas = paper.start_canvas(paper_size, _("Victory points"), [scale_sheet.heading])
    page = paper.get_page_box(paper_size)
    inner_box = page.inset(paper.PAGE_MARGIN)
    title = _("Victory points, matches of %(boards)s boards") % {
        "boards": scale_sheet.board_count
    }
    draw_page_title(canvas, inner_box, scale_sheet.heading, title, page_number=1)
    box = inner_box.exclude_top(PAGE_TITLE_HEIGHT)
    last_index = len(scale_sheet.rows) - 1
    rows = [
        (
            _("%(margin)s or more") % {"margin": margin}
            if index == last_index
            else str(margin),
            winner_points,
            loser_points,
        )
        for index, (margin, winner_points, loser_points) in enumerate(scale_sheet.rows)
    ]
    columns = [
        Column(_("Margin in tricks"), 40, font=BOLD_FONT, size=13, is_row_header=True),
        Column(pgettext("points", "Winner"), 30, size=13),
        Column(pgettext("points", "Loser"), 30, size=13),
    ]
    row_height = min(_MAX_ROW_HEIGHT, (box.height - _HEAD_HEIGHT - 10 * MM) / len(rows))
    grid.draw_grid(canvas, box, columns, rows, head_height=_HEAD_HEIGHT, row_height=row_height)
    paper.draw_footer(canvas, page, "", 1, 1)
    canvas.showPage()
    return paper.finish_canvas(canvas)


PAPER_KIND = PaperKind(
    name="victory_scale",
    title=gettext_lazy("Victory points"),
    blurb=gettext_lazy("Victory points for each winning margin, to hang up before play."),
    group=PaperGroup.TABLES,
    build_sheet=victory_scale.build_scale_sheet,
    draw_pdf=draw_pdf,
    shown_cards=ShownCards.NONE,
    outdating_changes=OutdatingChanges.NOTHING,
    is_offered=has_victory_points,
    is_on_request=True,
)
