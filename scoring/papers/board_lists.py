"""Two papers that list all boards: for the dealing machine, and for memory duplicate.

The Result Card of a memory duplicate has a row for the odd tricks of each hand in both plays.

Source: *The Standard Hoyle*, Duplicate Whist; rules Q4.
"""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext
from reportlab.pdfgen.canvas import Canvas

from printing import paper
from printing.box import MM
from printing.fonts import BOLD_FONT
from printing.grid import Column
from printing.headings import format_seat
from printing.kinds import OutdatingChanges, PaperGroup, PaperKind, ShownCards
from printing.table_pages import TableHeights, draw_table
from printing.values import Heading
from scoring.papers.conditions import is_memory_duplicate
from scoring.sheets import trays
from scoring.sheets.trays import DealingMachineList, ResultCard

_MACHINE_LIST_HEIGHTS = TableHeights(head_height=10 * MM, row_height=8 * MM, foot_height=4 * MM)
_RESULT_CARD_HEIGHTS = TableHeights(head_height=20 * MM, row_height=8 * MM, foot_height=4 * MM)


def draw_dealing_machine_list_pdf(
    machine_list: DealingMachineList, *, paper_size: paper.Size = "A4"
) -> bytes:
    """Return a PDF of the boards in the order of dealing, each with a box to tick."""
    has_turn_ups = any(machine_row.turn_up for machine_row in machine_list.rows)
    has_two_plays = any(machine_row.play_name for machine_row in machine_list.rows)
    columns = [
        Column(_("Board"), 14, font=BOLD_FONT, size=13, is_row_header=True),
        *([Column(_("Play"), 20, size=9)] if has_two_plays else []),
        Column(_("Dealer"), 18),
        *([Column(_("Turn-up"), 16, font=BOLD_FONT)] if has_turn_ups else []),
        *(Column(name, 22, size=9) for name in (_("North"), _("East"), _("South"), _("West"))),
        Column(_("In the tray"), 18, is_framed=True),
    ]
    rows = [
        [
            str(machine_row.board_number),
            *([machine_row.play_name] if has_two_plays else []),
            format_seat(machine_row.dealer),
            *([str(machine_row.turn_up)] if has_turn_ups else []),
            *machine_row.suit_lengths,
            "",
        ]
        for machine_row in machine_list.rows
    ]
    note = _("Suit order: spades, hearts, diamonds, clubs. Don’t show this list to players.")
    return _draw_table_pdf(
        machine_list.heading, _("Dealing machine list"), columns, rows, note, paper_size
    )


def draw_result_card_pdf(result_card: ResultCard, *, paper_size: paper.Size = "A4") -> bytes:
    """Return a PDF of a blank result card: a row for each board, columns for two plays."""
    first_side, second_side = result_card.sides
    columns = [
        Column(pgettext("one deal", "Hand"), 15, font=BOLD_FONT, size=13, is_row_header=True),
        Column(_("First play: %(names)s") % {"names": first_side}, 30, is_framed=True),
        Column(_("First play: %(names)s") % {"names": second_side}, 30, is_framed=True),
        Column(_("Second play: %(names)s") % {"names": first_side}, 30, is_framed=True),
        Column(_("Second play: %(names)s") % {"names": second_side}, 30, is_framed=True),
        Column(_("Gain of %(names)s") % {"names": first_side}, 30, is_framed=True),
    ]
    rows = [[str(board_number), "", "", "", "", ""] for board_number in [*result_card.boards]]
    rows.append([_("Total"), "", "", "", "", ""])
    note = _(
        "Write tricks over six next to the side that made them. Gain = tricks with these "
        "cards minus the others’ tricks with the same cards."
    )
    return _draw_table_pdf(
        result_card.heading,
        _("Result card"),
        columns,
        rows,
        note,
        paper_size,
        _RESULT_CARD_HEIGHTS,
    )


def _draw_table_pdf(
    heading: Heading,
    title: str,
    columns: Sequence[Column],
    rows: Sequence[Sequence[str]],
    note: str,
    paper_size: paper.Size,
    heights: TableHeights = _MACHINE_LIST_HEIGHTS,
) -> bytes:
    canvas: Canvas = paper.start_canvas(paper_size, title, [heading])
    draw_table(canvas, heading, title, columns, rows, heights, note, paper_size)
    return paper.finish_canvas(canvas)


DEALING_MACHINE_LIST = PaperKind(
    name="machine_list",
    title=gettext_lazy("Dealing machine list"),
    blurb=gettext_lazy("For checking the dealing machine. Shows all cards."),
    group=PaperGroup.TRAYS,
    build_sheet=trays.build_dealing_machine_list,
    draw_pdf=draw_dealing_machine_list_pdf,
    shown_cards=ShownCards.TURN_UPS,
    outdating_changes=OutdatingChanges.SUITS,
    is_on_request=True,
)

RESULT_CARD = PaperKind(
    name="result_card",
    title=gettext_lazy("Result card"),
    blurb=gettext_lazy("One line per hand: tricks over six in both plays, and the gain."),
    group=PaperGroup.RESULTS,
    build_sheet=trays.build_result_card,
    draw_pdf=draw_result_card_pdf,
    shown_cards=ShownCards.NONE,
    outdating_changes=OutdatingChanges.NAMES,
    is_on_request=True,
    is_offered=is_memory_duplicate,
)
