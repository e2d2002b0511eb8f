"""The result of a night: how everybody stands, by points, rubbers and games."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from drives.papers import lists, pages
from printing.box import MM
from printing.fonts import BOLD
from printing.grid import Column
from printing.kinds import Cards, Follows, Group, PaperKind
from printing.laying import Pages
from rubbers.sheets.on_paper import NightOnPaper, same

_ROW = 10 * MM


def lay(night: NightOnPaper, *, size: pages.Size) -> Pages:
    """Lay the standing out."""
    rubbers = [Column(_("Rubbers won"), 26)] if night.has_rubbers else []
    columns = [
        Column(_("Place"), 14, font=BOLD, size=12),
        Column(_("Player"), 80, align="left", font=BOLD, size=12, heads=True),
        Column(_("Points"), 22, font=BOLD, size=12),
        *rubbers,
        Column(_("Games won"), 26),
    ]
    rows = [
        [
            f"={each.rank}" if each.tied else str(each.rank),
            each.name,
            each.points,
            *([each.rubbers] if night.has_rubbers else []),
            each.games,
        ]
        for each in night.lines
    ]
    foot = ". ".join([night.code, *night.terms])
    return lists.listed(night, _("Result"), size, columns, rows, row=_ROW, foot=foot)


def draw(night: NightOnPaper, *, size: pages.Size = "A4") -> bytes:
    """Print the result."""
    return pages.printed(night, _("Result"), lay(night, size=size), size)


PAPER = PaperKind(
    name="result",
    title=gettext_lazy("Result of the night"),
    blurb=gettext_lazy("How everybody stands, by points, rubbers and games."),
    group=Group.RESULTS,
    sheet=same,
    draw=draw,
    shows_cards=Cards.NONE,
    follows=Follows.NAMES,
    lay=lay,
)
