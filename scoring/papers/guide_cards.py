"""Guide cards: a card on each table with the moves of the session, in large type."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TypeVar

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from printing import grid, layout, paper
from printing.box import MM, Box
from printing.fonts import BOLD_FONT, LEADING_RATIO
from printing.grid import Column
from printing.headings import draw_big_number, draw_slip_heading
from printing.kinds import (
    OutdatingChanges,
    PaperGroup,
    PaperKind,
    PlaceOfUse,
    ShownCards,
    TableRequirement,
)
from printing.layout import Slip, SlipLayout
from printing.text_boxes import wrap_text, write_paragraph
from scoring.sheets import papers
from scoring.sheets.values import GuideCard, GuideCardRound

LineType = TypeVar("LineType")
MIN_ROW_HEIGHT = 7 * MM
_MAX_ROW_HEIGHT = 22 * MM
_SLIP_MARGIN = 9 * MM
_HEADING_HEIGHT = 32 * MM
_TITLES_HEIGHT = 8 * MM
_MOVES_TYPE_SIZE = 12.5  # points


def draw_pdf(guide_cards: Sequence[GuideCard], *, paper_size: paper.Size = "A4") -> bytes:
    """Print a card for each table: two to a page if the rounds fit in large type."""
    canvas = paper.start_canvas(
        paper_size, _("Guide cards"), [guide_card.heading for guide_card in guide_cards]
    )
    return layout.draw_slips(
        canvas,
        paper.get_page_box(paper_size),
        lay_out_slips(guide_cards, paper_size=paper_size),
    )


def lay_out_slips(guide_cards: Sequence[GuideCard], *, paper_size: paper.Size) -> SlipLayout:
    """Return the cards as slips to print, each with the table that gets it."""
    page = paper.get_page_box(paper_size)
    half_page = page.split_tiles(1, 2)[0]
    cards_per_column = (
        2 if all(_can_fit_on_tile(guide_card, half_page) for guide_card in guide_cards) else 1
    )
    tile = page.split_tiles(1, cards_per_column)[0]
    return SlipLayout(
        1,
        cards_per_column,
        tuple(
            Slip(
                (guide_card.heading.section_letter, guide_card.table_number),
                partial(_draw_guide_card, guide_card, card_lines, card_note),
            )
            for guide_card in guide_cards
            for card_lines, card_note in split_guide_into_cards(
                guide_card.lines, int(_compute_rows_height(guide_card, tile) / MIN_ROW_HEIGHT)
            )
        ),
    )


def _can_fit_on_tile(guide_card: GuideCard, tile: Box) -> bool:
    return (
        _compute_rows_height(guide_card, tile) / max(len(guide_card.lines), 1) >= MIN_ROW_HEIGHT
    )


def _compute_rows_height(guide_card: GuideCard, tile: Box) -> float:
    """Return the height in points that the heading and the moves leave for rows."""
    inner_box = tile.inset(_SLIP_MARGIN)
    return (
        inner_box.height
        - _HEADING_HEIGHT
        - _TITLES_HEIGHT
        - _measure_moves_height(guide_card, inner_box.width)
    )


def _measure_moves_height(guide_card: GuideCard, width: float) -> float:
    line_count = sum(
        len(wrap_text(move, BOLD_FONT, _MOVES_TYPE_SIZE, width)) for move in guide_card.moves
    )
    return line_count * _MOVES_TYPE_SIZE * LEADING_RATIO + 3 * MM


def split_guide_into_cards(
    lines: Sequence[LineType], max_rows: int
) -> Iterator[tuple[Sequence[LineType], str]]:
    """Divide the lines of a guide among cards; yield the lines and the note of each card."""
    lines_by_card = grid.split_rows(lines, max_rows)
    for card_number, card_lines in enumerate(lines_by_card, start=1):
        card_note = _("card %(number)d of %(parts)d") % {
            "number": card_number,
            "parts": len(lines_by_card),
        }
        yield card_lines, card_note if len(lines_by_card) > 1 else ""


def _draw_guide_card(
    guide_card: GuideCard,
    card_lines: Sequence[GuideCardRound],
    card_note: str,
    canvas: Canvas,
    tile: Box,
) -> None:
    inner_box = tile.inset(_SLIP_MARGIN)
    top_box = inner_box.get_top_strip(_HEADING_HEIGHT - 4 * MM)
    number_box, heading_box = top_box.split_columns(40, inner_box.width / MM - 40)
    draw_big_number(canvas, number_box, guide_card.table_label, _("Table"), card_note)
    draw_slip_heading(canvas, heading_box.inset(5 * MM, 2 * MM), guide_card.heading, scale=1.5)
    rows_height = _compute_rows_height(guide_card, tile)
    row_height = grid.compute_row_height(
        rows_height, len(card_lines), min_height=MIN_ROW_HEIGHT, max_height=_MAX_ROW_HEIGHT
    )
    rows = [
        (str(line.round_number), line.ns, line.ew, line.boards, line.note)[
            : 5 if _has_notes(guide_card) else 4
        ]
        for line in card_lines
    ]
    body_box = inner_box.exclude_top(_HEADING_HEIGHT)
    lower_edge = body_box.top
    if rows:
        lower_edge = grid.draw_grid(
            canvas,
            body_box,
            _build_columns(guide_card, row_height),
            rows,
            head_height=_TITLES_HEIGHT,
            row_height=row_height,
            title_size=11,
        )
    _draw_moves(
        canvas,
        guide_card,
        Box(inner_box.left, inner_box.bottom, inner_box.width, lower_edge - inner_box.bottom),
    )


def _draw_moves(canvas: Canvas, guide_card: GuideCard, box: Box) -> None:
    box = box.exclude_top(3 * MM)
    for move in guide_card.moves:
        box = box.exclude_top(
            box.top - write_paragraph(canvas, move, box, font=BOLD_FONT, size=_MOVES_TYPE_SIZE)
        )


def _has_notes(guide_card: GuideCard) -> bool:
    return any(line.note for line in guide_card.lines)


def _build_columns(guide_card: GuideCard, row_height: float) -> list[Column]:
    type_size = grid.compute_type_size(row_height, max_size=32)
    side_titles = (
        (_("North, South"), _("East, West"))
        if guide_card.is_for_singles
        else (_("N-S"), _("E-W"))
    )
    columns = [
        Column(_("Round"), 20, size=type_size, is_row_header=True),
        Column(side_titles[0], 34, font=BOLD_FONT, size=type_size),
        Column(side_titles[1], 34, font=BOLD_FONT, size=type_size),
        Column(_("Boards"), 40, font=BOLD_FONT, size=type_size),
    ]
    return (
        [*columns, Column(_("Note"), 62, align="left", size=12, min_size=9)]
        if _has_notes(guide_card)
        else columns
    )


PAPER_KIND = PaperKind(
    name="guide_cards",
    title=gettext_lazy("Table guide cards"),
    blurb=gettext_lazy("One card per table: who sits there each round, and with which boards."),
    group=PaperGroup.TABLES,
    build_sheet=papers.build_guide_cards,
    draw_pdf=draw_pdf,
    shown_cards=ShownCards.NONE,
    outdating_changes=OutdatingChanges.SEATS,
    table_requirement=TableRequirement(2),
    place_of_use=PlaceOfUse.TABLES,
    lay_out=lay_out_slips,
)
