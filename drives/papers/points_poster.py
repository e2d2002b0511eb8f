"""The points table of a game with contracts, as the club plays it, for the wall."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from drives.games.contracts import Contract, Goal
from drives.sheets.on_paper import DriveOnPaper
from printing import lists, pages
from printing.box import MM
from printing.fonts import BOLD
from printing.grid import Column
from printing.kinds import OutdatedBy, PaperGroup
from printing.layout import Pages

_ROW_HEIGHT = 5.8 * MM


def lay_out_pages(drive: DriveOnPaper, *, size: pages.Size) -> Pages:
    """Return the contracts that are played and their points."""
    columns = [
        Column(_("Key"), 10, font=BOLD, size=12),
        Column(_("Contract"), 44, align="left", font=BOLD, size=11, is_row_header=True),
        Column(_("Tricks"), 16, size=11),
        Column(_("Made"), 44, align="left", size=11),
        Column(_("Lost"), 30, align="left", size=11),
    ]
    contracts = drive.points.played if drive.points else ()
    rows = [
        [
            contract.label.key,
            str(contract.label.local),
            format_wanted_tricks(contract),
            format_points(contract.rule.made, contract.rule.made_step),
            format_points(contract.rule.lost, contract.rule.lost_step),
        ]
        for contract in contracts
    ]
    foot = _("Points that each opponent pays or receives.")
    return lists.lay_out_rows(
        drive, _("Points"), size, columns, rows, row=_ROW_HEIGHT, foot=foot
    )


def has_contracts(drive: DriveOnPaper) -> bool:
    """Return whether the points of a drive follow from contracts."""
    return drive.points is not None


def format_wanted_tricks(contract: Contract) -> str:
    """Return the tricks that make a contract: "8 +", "0", "0–1"; "" if none count."""
    target, goal = contract.rule.wants, contract.rule.how
    if target is None:
        return ""
    if goal is Goal.AT_LEAST:
        return f"{target} +" if target < 13 else "13"
    return f"0–{target}" if goal is Goal.AT_MOST and target else str(target)


def format_points(points: Sequence[int], step: int) -> str:
    """Return points and their step as text: "8 11 14, then +3"."""
    listed = "  ".join(map(str, points))
    if not step:
        return listed
    return _("%(points)s, then +%(step)s") % {"points": listed, "step": step}


PAPER = pages.create_kind_without_cards(
    name="points_poster",
    title=gettext_lazy("Points table"),
    heading=gettext_lazy("Points"),
    blurb=gettext_lazy("All contracts of the game and their points, for the wall."),
    group=PaperGroup.TABLES,
    outdated_by=OutdatedBy.NOTHING,
    lay_out=lay_out_pages,
    is_offered=has_contracts,
    on_request=True,
)
