"""The papers of a drawn round: lists to hang on a wall, by name and by table, and slips."""

from collections.abc import Sequence
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from printing import layout, paper
from printing.box import MM, Box
from printing.fonts import BOLD_FONT
from printing.grid import Column, Row
from printing.headings import draw_big_number, draw_slip_heading
from printing.kinds import OutdatingChanges, PaperGroup, PaperKind, ShownCards
from printing.layout import Slip, SlipLayout
from printing.table_pages import TableHeights, draw_table
from printing.text_boxes import write_text
from scoring.papers.conditions import describe_step_before_draw, has_drawn_rounds
from scoring.sheets import draws
from scoring.sheets.draws import DrawnRound, DrawnSeat

_TABLE_HEIGHTS = TableHeights(head_height=9 * MM, row_height=12 * MM, foot_height=8 * MM)
LARGE_TYPE_SIZE = 24  # points; readable from a distance of two metres


def draw_pdf(drawn_rounds: Sequence[DrawnRound], *, paper_size: paper.Size = "A4") -> bytes:
    """Return a PDF with two lists of pairings for each round: by name and by table."""
    canvas = paper.start_canvas(
        paper_size, _("Who plays whom"), [drawn_round.heading for drawn_round in drawn_rounds]
    )
    for drawn_round in drawn_rounds:
        for title, columns, rows in (
            (
                _format_title_by_name(drawn_round),
                _build_columns_by_name(),
                _build_rows_by_name(drawn_round),
            ),
            (
                _format_title_by_table(drawn_round),
                _build_columns_by_table(),
                _build_rows_by_table(drawn_round),
            ),
        ):
            draw_table(
                canvas,
                drawn_round.heading,
                title,
                columns,
                rows,
                _TABLE_HEIGHTS,
                drawn_round.note,
                paper_size,
            )
    return paper.finish_canvas(canvas)


def draw_slips_pdf(
    drawn_rounds: Sequence[DrawnRound], *, paper_size: paper.Size = "A4"
) -> bytes:
    """Return a PDF of slips, eight to a page: each entry's table, side, opponents, reason."""
    canvas = paper.start_canvas(
        paper_size, _("Round slips"), [drawn_round.heading for drawn_round in drawn_rounds]
    )
    slips = tuple(
        Slip(("", 0), partial(_draw_slip, drawn_round, drawn_seat))
        for drawn_round in drawn_rounds
        for drawn_seat in drawn_round.lines
    )
    return layout.draw_slips(canvas, paper.get_page_box(paper_size), SlipLayout(2, 4, slips))


def _format_title_by_name(drawn_round: DrawnRound) -> str:
    return _("%(round)s, by name") % {"round": drawn_round.title}


def _format_title_by_table(drawn_round: DrawnRound) -> str:
    return _("%(round)s, by table") % {"round": drawn_round.title}


def _build_columns_by_name() -> list[Column]:
    return [
        Column(
            _("Names"), 62, align="left", size=LARGE_TYPE_SIZE, min_size=11, is_row_header=True
        ),
        Column(_("Table"), 18, font=BOLD_FONT, size=LARGE_TYPE_SIZE),
        Column(_("Side"), 20, size=LARGE_TYPE_SIZE, min_size=11),
    ]


def _build_columns_by_table() -> list[Column]:
    return [
        Column(_("Table"), 16, font=BOLD_FONT, size=LARGE_TYPE_SIZE, is_row_header=True),
        Column(_("N-S / home"), 42, align="left", size=LARGE_TYPE_SIZE, min_size=10),
        Column(_("E-W / away"), 42, align="left", size=LARGE_TYPE_SIZE, min_size=10),
    ]


def _build_rows_by_name(drawn_round: DrawnRound) -> list[Row]:
    sit_out_text = _("sits out")
    return [
        (
            f"{drawn_seat.entry_number} {drawn_seat.name}",
            drawn_seat.table_label or "–",
            drawn_seat.side_text or sit_out_text,
        )
        for drawn_seat in drawn_round.lines_sorted_by_name
    ]


def _build_rows_by_table(drawn_round: DrawnRound) -> list[Row]:
    match_rows = [
        (
            drawn_match.table,
            f"{drawn_match.ns} {drawn_match.ns_name}",
            f"{drawn_match.ew} {drawn_match.ew_name}",
        )
        for drawn_match in drawn_round.matches
    ]
    sit_out_text = _("sits out")
    return [
        *match_rows,
        *(
            ("–", f"{entry_number} {name}", sit_out_text)
            for entry_number, name, _reason in drawn_round.sit_outs
        ),
    ]


def _draw_slip(
    drawn_round: DrawnRound, drawn_seat: DrawnSeat, canvas: Canvas, tile: Box
) -> None:
    inner_box = tile.inset(6 * MM)
    top_box = inner_box.get_top_strip(18 * MM)
    number_box = Box(top_box.right - 26 * MM, top_box.bottom, 26 * MM, top_box.height)
    heading_box = Box(top_box.left, top_box.bottom, top_box.width - 29 * MM, top_box.height)
    draw_big_number(canvas, number_box, drawn_seat.table_label or "–", _("Table"))
    draw_slip_heading(canvas, heading_box, drawn_round.heading, scale=0.85)
    body_box = inner_box.exclude_top(20 * MM)
    name = f"{drawn_seat.entry_number} {drawn_seat.name}"
    write_text(
        canvas, name, body_box.get_top_strip(7 * MM), font=BOLD_FONT, size=12, min_size=8
    )
    placeholders = {
        "round": drawn_round.title,
        "side": drawn_seat.side_text,
        "who": drawn_seat.opponents,
    }
    pairing_text = _("%(round)s: %(side)s, against %(who)s") % placeholders
    if not drawn_seat.table_label:
        pairing_text = _("%(round)s: you sit out") % placeholders
    write_text(
        canvas,
        pairing_text,
        body_box.exclude_top(7.5 * MM).get_top_strip(9 * MM),
        size=11,
        min_size=7.5,
    )
    write_text(canvas, drawn_seat.reason, body_box.exclude_top(17 * MM), size=7.5, min_size=6)


PAPER_KIND = PaperKind(
    name="draw_list",
    title=gettext_lazy("Who plays whom"),
    blurb=gettext_lazy("The latest drawn round, by name and by table, for the wall."),
    group=PaperGroup.TABLES,
    build_sheet=draws.load_last_drawn_rounds,
    draw_pdf=draw_pdf,
    shown_cards=ShownCards.NONE,
    outdating_changes=OutdatingChanges.SEATS | OutdatingChanges.NAMES,
    is_offered=has_drawn_rounds,
    describe_required_step=describe_step_before_draw,
    is_on_request=True,
)
ROUND_SLIPS_PAPER = PaperKind(
    name="draw_slips",
    title=gettext_lazy("Round slips"),
    blurb=gettext_lazy(
        "One slip for each pair or team: table, side, opponents, and why they meet."
    ),
    group=PaperGroup.TABLES,
    build_sheet=draws.load_last_public_drawn_rounds,
    draw_pdf=draw_slips_pdf,
    shown_cards=ShownCards.NONE,
    outdating_changes=OutdatingChanges.SEATS | OutdatingChanges.NAMES,
    is_offered=has_drawn_rounds,
    describe_required_step=describe_step_before_draw,
    is_on_request=True,
)
