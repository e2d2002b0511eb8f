"""The paper with the result of a night: the standings by points, rubbers and games."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from printing import lists, pages
from printing.box import MM
from printing.fonts import BOLD_FONT
from printing.grid import Column
from printing.kinds import OutdatingChanges, PaperGroup
from printing.layout import PageLayout
from rubbers.sheets.on_paper import PrintedNight

_ROW_HEIGHT = 10 * MM


def lay_out_pages(night: PrintedNight, *, paper_size: pages.Size) -> PageLayout:
    """Return the pages with the standings."""
    rubbers_columns = [Column(_("Rubbers won"), 26)] if night.has_rubbers else []
    columns = [
        Column(_("Place"), 14, font=BOLD_FONT, size=12),
        Column(_("Player"), 80, align="left", font=BOLD_FONT, size=12, is_row_header=True),
        Column(_("Points"), 22, font=BOLD_FONT, size=12),
        *rubbers_columns,
        Column(_("Games won"), 26),
    ]
    standing_rows = [
        [
            f"={standing_line.rank}" if standing_line.is_tied else str(standing_line.rank),
            standing_line.name,
            standing_line.points_text,
            *([standing_line.rubbers_text] if night.has_rubbers else []),
            standing_line.games_text,
        ]
        for standing_line in night.standing_lines
    ]
    foot_text = ". ".join([night.law_code_title, *night.changed_terms])
    return lists.lay_out_rows(
        night,
        _("Result"),
        paper_size,
        columns,
        standing_rows,
        row_height=_ROW_HEIGHT,
        foot_text=foot_text,
    )


PAPER_KIND = pages.create_kind_without_cards(
    name="result",
    title=gettext_lazy("Result of the night"),
    heading=gettext_lazy("Result"),
    blurb=gettext_lazy("Everyone’s place, points, rubbers and games."),
    group=PaperGroup.RESULTS,
    outdating_changes=OutdatingChanges.NAMES,
    lay_out=lay_out_pages,
)
