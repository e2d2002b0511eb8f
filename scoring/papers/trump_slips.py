"""Trump slips: the turn-up and the number of a deal, shown on no other paper before play.

The Laws of Duplicate Whist, Law IV §1 and §7 (rules C7, D1): the slip is put face up on the
dealer's cards, is shown to an opponent and then turned down. Folded along the dotted line, the
board's number is outside on one face and the card on the other.
"""

from collections.abc import Sequence
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from boards.whist import Card
from printing import paper, tags
from printing.box import MM, Box
from printing.fonts import BOLD
from printing.headings import format_seat
from printing.kinds import HallSpot, OutdatedBy, PaperGroup, PaperKind, ShownCards, TableNeed
from printing.layout import Pages
from printing.pips import write_card
from printing.text_boxes import write_text
from scoring.papers.conditions import has_turn_up, has_unknown_turn_ups
from scoring.sheets import papers
from scoring.sheets.values import TrumpSlip

ACROSS, DOWN = 4, 5
_MAX_SLIPS_ACROSS = 5


def draw_pdf(sheets: Sequence[TrumpSlip], *, size: paper.Size = "A4") -> bytes:
    """Print the trump slips of some boards, twenty or 25 to a page, with cutting marks.

    The pages are cut as one pile. Each stack then has consecutive boards, and the stacks put on
    one another in reading order have all of them.
    """
    canvas = paper.start_canvas(size, _("Trump slips"), [sheet.heading for sheet in sheets])
    lay_out(sheets, size=size).draw(canvas)
    return paper.finish_canvas(canvas)


def lay_out(sheets: Sequence[TrumpSlip], *, size: paper.Size) -> Pages:
    """Lay out the slips as one pile."""
    page = paper.get_page_box(size)
    columns = _count_slips_across(len(sheets))
    piled_slips = order_for_pile(sheets, columns * DOWN)

    def draw_them(canvas: Canvas) -> None:
        draw_slip = partial(_draw_slip, canvas)
        paper.draw_slips(canvas, page, piled_slips, draw_slip, across=columns, down=DOWN)

    return Pages(len(piled_slips) // (columns * DOWN), draw_them)


def _count_slips_across(count: int) -> int:
    """Return the number of slips side by side; the larger one only if it saves a sheet."""
    needs_fewer_sheets = -(-count // (_MAX_SLIPS_ACROSS * DOWN)) < -(-count // (ACROSS * DOWN))
    return _MAX_SLIPS_ACROSS if needs_fewer_sheets else ACROSS


def order_for_pile(slips: Sequence[paper.Slip], places: int) -> list[paper.Slip | None]:
    """Order slips so that each place on the page makes one stack in order, page after page.

    Empty places are None.
    """
    pages = -(-len(slips) // places)
    return [
        slips[place * pages + page] if place * pages + page < len(slips) else None
        for page in range(pages)
        for place in range(places)
    ]


def _draw_slip(canvas: Canvas, slip: TrumpSlip | None, tile: Box) -> None:
    if slip is None:
        return
    upper, lower = tile.split_tiles(1, 2)
    canvas.saveState()
    canvas.setLineWidth(paper.THIN)
    canvas.setDash(1, 3)
    canvas.line(tile.left + 4 * MM, tile.middle, tile.right - 4 * MM, tile.middle)
    canvas.restoreState()
    number = upper.inset(5 * MM, 5 * MM)
    middle = number.without_top(4 * MM).without_bottom(5 * MM).inset(0, -1.5 * MM)
    with tags.open_element(canvas, "H1"):
        board = _("Board")
        board = f"{board} · {slip.play}" if slip.play else board
        write_text(canvas, board, number.top_strip(4 * MM), size=8, align="centre")
        write_text(canvas, str(slip.board), middle, font=BOLD, size=36, align="centre")
    dealer = _("Dealer %(seat)s") % {"seat": format_seat(slip.dealer)}
    write_text(canvas, dealer, number.bottom_strip(5 * MM), size=9, align="centre")
    _draw_card(canvas, slip.turn_up, lower.inset(7 * MM, 5 * MM))


def _draw_card(canvas: Canvas, turn_up: str | None, box: Box) -> None:
    canvas.setLineWidth(paper.THICK)
    if turn_up is None:
        canvas.rect(box.left, box.bottom, box.width, box.height)
        return
    with tags.open_element(canvas, "P"):
        write_card(canvas, Card.parse(turn_up), box, size=40)


PAPER = PaperKind(
    name="trump_slips",
    title=gettext_lazy("Trump slips"),
    blurb=gettext_lazy("One slip per board for the trump card, face down in the tray."),
    group=PaperGroup.TRAYS,
    build_sheet=papers.build_trump_slips,
    draw_pdf=draw_pdf,
    shown_cards=ShownCards.FOR_THE_TRAYS,
    outdated_by=OutdatedBy.SUITS,
    need=TableNeed(6, has_unknown_turn_ups),
    is_offered=has_turn_up,
    hall_spot=HallSpot.TRAYS,
    lay_out=lay_out,
)
