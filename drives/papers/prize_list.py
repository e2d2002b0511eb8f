"""The prize list: winners and reasons, with space for a signature."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from drives.sheets.on_paper import PrintedAward, PrintedDrive
from printing import lists, pages
from printing.box import MM
from printing.fonts import BOLD_FONT
from printing.grid import Column
from printing.kinds import OutdatingChanges, PaperGroup
from printing.layout import PageLayout

_ROW_HEIGHT = 13 * MM


def lay_out_pages(drive: PrintedDrive, *, paper_size: pages.Size) -> PageLayout:
    """Return the pages with the prizes in their order; no pages if there are no prizes."""
    columns = [
        Column(_("No."), 8, font=BOLD_FONT, size=12),
        Column(_("Prize"), 42, align="left", font=BOLD_FONT, size=12, is_row_header=True),
        Column(_("Winner"), 48, align="left", size=12),
        Column(_("Reason"), 46, align="left", size=9),
        Column(_("Received (signature)"), 46),
    ]
    rows = [
        [
            str(award.prize_number),
            award.prize_text,
            _format_winner(drive, award),
            award.reason,
            "",
        ]
        for award in drive.awards
    ]
    return lists.lay_out_rows(
        drive, _("Prizes"), paper_size, columns, rows, row_height=_ROW_HEIGHT
    )


def _format_winner(drive: PrintedDrive, award: PrintedAward) -> str:
    return "" if award.number is None else f"{award.number} {award.name}".strip()


PAPER_KIND = pages.create_kind_without_cards(
    name="prize_list",
    title=gettext_lazy("Prize list"),
    heading=gettext_lazy("Prizes"),
    blurb=gettext_lazy("Each prize, its winner and the reason, with a signature column."),
    group=PaperGroup.RESULTS,
    outdating_changes=OutdatingChanges.NAMES,
    lay_out=lay_out_pages,
)
