"""Trump slips: the turn-up and the number of a deal, shown on no other paper before play.

The slip is put face up on the dealer's cards, shown to an opponent and then turned down (Law IV
§1 and §7, rules C7 and D1). If the slip is folded along the dotted line, one face shows the
number of the board, and the other face shows the card.
"""

from collections.abc import Sequence
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from boards.whist import Card
from printing import paper, tags
from printing.box import MM, Box
from printing.fonts import BOLD_FONT
from printing.headings import format_seat
from printing.kinds import (
    OutdatingChanges,
    PaperGroup,
    PaperKind,
    PlaceOfUse,
    ShownCards,
    TableRequirement,
)
from printing.layout import PageLayout
from printing.pips import write_card
from printing.text_boxes import write_text
from scoring.papers.conditions import has_turn_up, has_unknown_turn_ups
from scoring.sheets import papers
from scoring.sheets.values import TrumpSlip

SLIPS_PER_ROW, SLIPS_PER_COLUMN = 4, 5
_MAX_SLIPS_PER_ROW = 5


def draw_pdf(trump_slips: Sequence[TrumpSlip], *, paper_size: paper.Size = "A4") -> bytes:
    """Print the trump slips of some boards, twenty or 25 to a page, with cutting marks.

    The pages are cut as one pile, so each stack of slips has consecutive boards. If the stacks
    are put together in reading order, all boards are in order.
    """
    canvas = paper.start_canvas(
        paper_size, _("Trump slips"), [trump_slip.heading for trump_slip in trump_slips]
    )
    lay_out_pages(trump_slips, paper_size=paper_size).draw(canvas)
    return paper.finish_canvas(canvas)


def lay_out_pages(trump_slips: Sequence[TrumpSlip], *, paper_size: paper.Size) -> PageLayout:
    """Lay out the slips so that the stacks cut from the pages are in board order."""
    page = paper.get_page_box(paper_size)
    columns = _count_slips_per_row(len(trump_slips))
    slips_in_cutting_order = order_slips_for_cutting(trump_slips, columns * SLIPS_PER_COLUMN)

    def draw_pages(canvas: Canvas) -> None:
        draw_slip = partial(_draw_slip, canvas)
        paper.draw_slips(
            canvas,
            page,
            slips_in_cutting_order,
            draw_slip,
            column_count=columns,
            row_count=SLIPS_PER_COLUMN,
        )

    return PageLayout(len(slips_in_cutting_order) // (columns * SLIPS_PER_COLUMN), draw_pages)


def _count_slips_per_row(slip_count: int) -> int:
    """Return the number of slips side by side: four, or five if this saves a sheet."""
    needs_fewer_sheets = -(-slip_count // (_MAX_SLIPS_PER_ROW * SLIPS_PER_COLUMN)) < -(
        -slip_count // (SLIPS_PER_ROW * SLIPS_PER_COLUMN)
    )
    return _MAX_SLIPS_PER_ROW if needs_fewer_sheets else SLIPS_PER_ROW


def order_slips_for_cutting(
    slips: Sequence[paper.SlipT], slips_per_page: int
) -> list[paper.SlipT | None]:
    """Order slips for cutting: the slips at one position of all pages form a sorted stack.

    Empty positions are None.
    """
    page_count = -(-len(slips) // slips_per_page)
    return [
        slips[position * page_count + page_index]
        if position * page_count + page_index < len(slips)
        else None
        for page_index in range(page_count)
        for position in range(slips_per_page)
    ]


def _draw_slip(canvas: Canvas, slip: TrumpSlip | None, tile: Box) -> None:
    if slip is None:
        return
    upper_half, lower_half = tile.split_tiles(1, 2)
    canvas.saveState()
    canvas.setLineWidth(paper.THIN_LINE_POINTS)
    canvas.setDash(1, 3)
    canvas.line(tile.left + 4 * MM, tile.middle_y, tile.right - 4 * MM, tile.middle_y)
    canvas.restoreState()
    text_area = upper_half.inset(5 * MM, 5 * MM)
    card_box = text_area.exclude_top(4 * MM).exclude_bottom(5 * MM).inset(0, -1.5 * MM)
    with tags.open_element(canvas, "H1"):
        title = _("Board")
        title = f"{title} · {slip.play_name}" if slip.play_name else title
        write_text(canvas, title, text_area.get_top_strip(4 * MM), size=8, align="centre")
        write_text(
            canvas, str(slip.board_number), card_box, font=BOLD_FONT, size=36, align="centre"
        )
    dealer_text = _("Dealer %(seat)s") % {"seat": format_seat(slip.dealer)}
    write_text(canvas, dealer_text, text_area.get_bottom_strip(5 * MM), size=9, align="centre")
    _draw_turn_up(canvas, slip.turn_up, lower_half.inset(7 * MM, 5 * MM))


def _draw_turn_up(canvas: Canvas, turn_up: str | None, box: Box) -> None:
    canvas.setLineWidth(paper.THICK_LINE_POINTS)
    if turn_up is None:
        canvas.rect(box.left, box.bottom, box.width, box.height)
        return
    with tags.open_element(canvas, "P"):
        write_card(canvas, Card.parse(turn_up), box, size=40)


PAPER_KIND = PaperKind(
    name="trump_slips",
    title=gettext_lazy("Trump slips"),
    blurb=gettext_lazy("One slip per board for the trump card, face down in the tray."),
    group=PaperGroup.TRAYS,
    build_sheet=papers.build_trump_slips,
    draw_pdf=draw_pdf,
    shown_cards=ShownCards.TURN_UPS,
    outdating_changes=OutdatingChanges.SUITS,
    table_requirement=TableRequirement(6, has_unknown_turn_ups),
    is_offered=has_turn_up,
    place_of_use=PlaceOfUse.TRAYS,
    lay_out=lay_out_pages,
)
