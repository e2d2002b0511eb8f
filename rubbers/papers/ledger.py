"""The paper that lists every recorded hand of all tables, with its score and winner."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from printing import lists, pages
from printing.box import MM
from printing.fonts import BOLD_FONT
from printing.grid import Column
from printing.kinds import OutdatingChanges, PaperGroup
from printing.layout import PageLayout
from rubbers.sheets.on_paper import PrintedNight

_ROW_HEIGHT = 8.5 * MM


def lay_out_pages(night: PrintedNight, *, paper_size: pages.Size) -> PageLayout:
    """Return the pages with the hands of all tables; no pages if there are no hands."""
    columns = [
        Column(_("Table"), 12, font=BOLD_FONT),
        Column(pgettext("one deal", "Hand"), 11, font=BOLD_FONT, size=12, is_row_header=True),
        Column(_("Sides or entry"), 62, align="left", size=9),
        Column(_("Points"), 52, align="left", size=9),
        Column(_("Score"), 16, font=BOLD_FONT, size=12),
        Column(_("Ends"), 40, align="left", size=9),
    ]
    ledger_rows = []
    for table in night.tables:
        for spell in table.spells:
            if not spell.hands:
                continue
            side_a, side_b = spell.side_names
            side_texts = [
                _("A: %(names)s") % {"names": side_a},
                _("B: %(names)s") % {"names": side_b},
            ]
            ledger_rows.append([str(table.number), "", *side_texts, "", ""])
            ledger_rows += [
                [
                    "",
                    str(hand.number),
                    hand.hand_text,
                    hand.points_text,
                    hand.score,
                    hand.win_text,
                ]
                for hand in spell.hands
            ]
    return lists.lay_out_rows(
        night, _("Table ledger"), paper_size, columns, ledger_rows, row_height=_ROW_HEIGHT
    )


PAPER_KIND = pages.create_kind_without_cards(
    name="ledger",
    title=gettext_lazy("Table ledger"),
    blurb=gettext_lazy("Every hand with its points, games and rubbers."),
    group=PaperGroup.RESULTS,
    outdating_changes=OutdatingChanges.NAMES,
    lay_out=lay_out_pages,
)
