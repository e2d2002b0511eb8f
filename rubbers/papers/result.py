"""The result of a night: the standings by points, rubbers and games."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from printing import lists, pages
from printing.box import MM
from printing.fonts import BOLD
from printing.grid import Column
from printing.kinds import OutdatedBy, PaperGroup
from printing.layout import Pages
from rubbers.sheets.on_paper import NightOnPaper

_ROW_HEIGHT = 10 * MM


def lay_out_pages(night: NightOnPaper, *, size: pages.Size) -> Pages:
    """Return the pages of the standings."""
    rubbers = [Column(_("Rubbers won"), 26)] if night.has_rubbers else []
    columns = [
        Column(_("Place"), 14, font=BOLD, size=12),
        Column(_("Player"), 80, align="left", font=BOLD, size=12, is_row_header=True),
        Column(_("Points"), 22, font=BOLD, size=12),
        *rubbers,
        Column(_("Games won"), 26),
    ]
    rows = [
        [
            f"={line.rank}" if line.tied else str(line.rank),
            line.name,
            line.points,
            *([line.rubbers] if night.has_rubbers else []),
            line.games,
        ]
        for line in night.lines
    ]
    foot = ". ".join([night.code, *night.terms])
    return lists.lay_out_rows(
        night, _("Result"), size, columns, rows, row=_ROW_HEIGHT, foot=foot
    )


PAPER = pages.create_kind_without_cards(
    name="result",
    title=gettext_lazy("Result of the night"),
    heading=gettext_lazy("Result"),
    blurb=gettext_lazy("Everyone’s place, points, rubbers and games."),
    group=PaperGroup.RESULTS,
    outdated_by=OutdatedBy.NAMES,
    lay_out=lay_out_pages,
)
