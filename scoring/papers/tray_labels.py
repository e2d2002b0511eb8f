"""Labels and inserts for the trays: the number, the dealer, and an arrow to North.

The arrows on all trays point the same way in the room, so that hands stay in their seats. Each
pocket names its seat, and the dealer's is framed (rules C1 to C5, C8).
"""

from collections.abc import Sequence
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from boards.whist import Seat
from printing import paper, tags
from printing.box import MM, Box
from printing.fonts import BOLD
from printing.headings import format_seat
from printing.kinds import OutdatedBy, PaperGroup, PaperKind, ShownCards
from printing.text_boxes import write_text
from scoring.sheets import trays
from scoring.sheets.trays import TrayLabel

ACROSS, DOWN = 2, 4


def draw_pdf(sheets: Sequence[TrayLabel], *, size: paper.Size = "A4") -> bytes:
    """Print the labels of some trays, eight to a page, with cutting marks."""
    canvas = paper.start_canvas(size, _("Tray labels"), [sheet.heading for sheet in sheets])
    page = paper.get_page_box(size)
    paper.draw_slips(
        canvas, page, sheets, partial(_draw_label, canvas), across=ACROSS, down=DOWN
    )
    return paper.finish_canvas(canvas)


def _draw_label(canvas: Canvas, label: TrayLabel, tile: Box) -> None:
    inner = tile.inset(6 * MM)
    strip = 8 * MM
    between = inner.inset(strip * 2, strip)
    places = {
        Seat.NORTH: Box(between.left, between.top, between.width, strip),
        Seat.SOUTH: Box(between.left, inner.bottom, between.width, strip),
        Seat.WEST: Box(inner.left, between.bottom, strip * 2, between.height),
        Seat.EAST: Box(between.right, between.bottom, strip * 2, between.height),
    }
    number = between.without_bottom(strip * 0.9).inset(14 * MM, 0)
    with tags.open_element(canvas, "H1"):
        write_text(canvas, str(label.board), number, font=BOLD, size=44, align="centre")
    for seat, place in places.items():
        write_text(canvas, format_seat(seat), place, font=BOLD, size=11, align="centre")
    dealer = places[label.dealer].inset(0.6 * MM)
    canvas.setLineWidth(paper.THICK)
    canvas.rect(dealer.left, dealer.bottom, dealer.width, dealer.height)
    text = _("Dealer %(seat)s") % {"seat": format_seat(label.dealer)}
    write_text(canvas, text, between.bottom_strip(strip), font=BOLD, size=11, align="centre")
    _draw_arrow(canvas, between)


def _draw_arrow(canvas: Canvas, box: Box) -> None:
    """Draw an arrow up the left edge; it points to the room's North."""
    x, foot, head = box.left + 5 * MM, box.bottom + 4 * MM, box.top - 2 * MM
    canvas.setLineWidth(paper.THICK)
    canvas.line(x, foot, x, head)
    canvas.line(x, head, x - 2.5 * MM, head - 4 * MM)
    canvas.line(x, head, x + 2.5 * MM, head - 4 * MM)


PAPER = PaperKind(
    name="tray_labels",
    title=gettext_lazy("Tray labels"),
    blurb=gettext_lazy("Number, dealer and an arrow to the room's North, for each tray."),
    group=PaperGroup.TRAYS,
    build_sheet=trays.build_tray_labels,
    draw_pdf=draw_pdf,
    shown_cards=ShownCards.NONE,
    outdated_by=OutdatedBy.NOTHING,
    on_request=True,
)
