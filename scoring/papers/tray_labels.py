"""Labels and inserts for the trays: the number, the dealer, and an arrow to North.

The arrows on all trays point the same way in the room, so that hands stay in their seats. The
name of the seat is next to each pocket, framed for the dealer (rules C1 to C5, C8).
"""

from collections.abc import Sequence
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from boards.whist import Seat
from printing import paper, tags
from printing.box import MM, Box
from printing.fonts import BOLD_FONT
from printing.headings import format_seat
from printing.kinds import OutdatingChanges, PaperGroup, PaperKind, ShownCards
from printing.text_boxes import write_text
from scoring.sheets import trays
from scoring.sheets.trays import TrayLabel

LABELS_PER_ROW, LABELS_PER_COLUMN = 2, 4


def draw_pdf(tray_labels: Sequence[TrayLabel], *, paper_size: paper.Size = "A4") -> bytes:
    """Print the labels of some trays, eight to a page, with cutting marks."""
    canvas = paper.start_canvas(
        paper_size, _("Tray labels"), [tray_label.heading for tray_label in tray_labels]
    )
    page = paper.get_page_box(paper_size)
    paper.draw_slips(
        canvas,
        page,
        tray_labels,
        partial(_draw_label, canvas),
        column_count=LABELS_PER_ROW,
        row_count=LABELS_PER_COLUMN,
    )
    return paper.finish_canvas(canvas)


def _draw_label(canvas: Canvas, tray_label: TrayLabel, tile: Box) -> None:
    inner_box = tile.inset(6 * MM)
    strip_height = 8 * MM
    inner_square = inner_box.inset(strip_height * 2, strip_height)
    seat_box_by_seat = {
        Seat.NORTH: Box(inner_square.left, inner_square.top, inner_square.width, strip_height),
        Seat.SOUTH: Box(inner_square.left, inner_box.bottom, inner_square.width, strip_height),
        Seat.WEST: Box(
            inner_box.left, inner_square.bottom, strip_height * 2, inner_square.height
        ),
        Seat.EAST: Box(
            inner_square.right, inner_square.bottom, strip_height * 2, inner_square.height
        ),
    }
    number_box = inner_square.exclude_bottom(strip_height * 0.9).inset(14 * MM, 0)
    with tags.open_element(canvas, "H1"):
        write_text(
            canvas,
            str(tray_label.board_number),
            number_box,
            font=BOLD_FONT,
            size=44,
            align="centre",
        )
    for seat, seat_box in seat_box_by_seat.items():
        write_text(canvas, format_seat(seat), seat_box, font=BOLD_FONT, size=11, align="centre")
    dealer_box = seat_box_by_seat[tray_label.dealer].inset(0.6 * MM)
    canvas.setLineWidth(paper.THICK_LINE_POINTS)
    canvas.rect(dealer_box.left, dealer_box.bottom, dealer_box.width, dealer_box.height)
    dealer_text = _("Dealer %(seat)s") % {"seat": format_seat(tray_label.dealer)}
    write_text(
        canvas,
        dealer_text,
        inner_square.get_bottom_strip(strip_height),
        font=BOLD_FONT,
        size=11,
        align="centre",
    )
    _draw_arrow(canvas, inner_square)


def _draw_arrow(canvas: Canvas, box: Box) -> None:
    """Draw an arrow up the left edge; it points to the room's North."""
    arrow_x, foot_y, head_y = box.left + 5 * MM, box.bottom + 4 * MM, box.top - 2 * MM
    canvas.setLineWidth(paper.THICK_LINE_POINTS)
    canvas.line(arrow_x, foot_y, arrow_x, head_y)
    canvas.line(arrow_x, head_y, arrow_x - 2.5 * MM, head_y - 4 * MM)
    canvas.line(arrow_x, head_y, arrow_x + 2.5 * MM, head_y - 4 * MM)


PAPER_KIND = PaperKind(
    name="tray_labels",
    title=gettext_lazy("Tray labels"),
    blurb=gettext_lazy("Each tray’s number and dealer, with an arrow to North."),
    group=PaperGroup.TRAYS,
    build_sheet=trays.build_tray_labels,
    draw_pdf=draw_pdf,
    shown_cards=ShownCards.NONE,
    outdating_changes=OutdatingChanges.NOTHING,
    is_on_request=True,
)
