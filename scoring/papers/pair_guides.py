"""Guide cards for pairs: the card that a pair carries from table to table."""

from collections.abc import Sequence
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from printing import grid, layout, paper
from printing.box import MM, Box
from printing.fonts import BOLD_FONT
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
from printing.text_boxes import write_text
from scoring.papers.conditions import has_separately_moving_players
from scoring.papers.guide_cards import split_guide_into_cards
from scoring.sheets import hall_papers
from scoring.sheets.hall_values import PairGuide, PairGuideLine

_SLIP_MARGIN = 8 * MM
_HEADING_HEIGHT = 30 * MM
_NAME_HEIGHT = 9 * MM
_TITLES_HEIGHT = 7 * MM
_FOOT_HEIGHT = 10 * MM  # space for two lines of text
_MIN_ROW_HEIGHT = 7 * MM
_MIN_NARROW_ROW_HEIGHT = 10 * MM  # space for a note on three lines of text
_MAX_ROW_HEIGHT = 18 * MM


def draw_pdf(pair_guides: Sequence[PairGuide], *, paper_size: paper.Size = "A4") -> bytes:
    """Print a card for each entry: two to a page if the rounds fit, otherwise one."""
    canvas = paper.start_canvas(
        paper_size,
        _("Personal guide cards"),
        [pair_guide.heading for pair_guide in pair_guides],
    )
    return layout.draw_slips(
        canvas,
        paper.get_page_box(paper_size),
        lay_out_slips(pair_guides, paper_size=paper_size),
    )


def lay_out_slips(pair_guides: Sequence[PairGuide], *, paper_size: paper.Size) -> SlipLayout:
    """Return the cards as slips to print, each with the table at which the entry starts."""
    page = paper.get_page_box(paper_size)
    columns, cards_per_column = _choose_tile_counts(pair_guides, page)
    tile = page.split_tiles(columns, cards_per_column)[0]
    return SlipLayout(
        columns,
        cards_per_column,
        tuple(
            Slip(
                (pair_guide.heading.section_letter, pair_guide.first_table_number),
                partial(_draw_pair_guide, pair_guide, card_lines, card_note),
            )
            for pair_guide in pair_guides
            for card_lines, card_note in split_guide_into_cards(
                pair_guide.lines, int(_compute_rows_height(pair_guide, tile) / _MIN_ROW_HEIGHT)
            )
        ),
    )


def _choose_tile_counts(pair_guides: Sequence[PairGuide], page: Box) -> tuple[int, int]:
    """Return the number of cards across and down a page.

    A page has two cards one above the other, if each has space for all its rounds. Otherwise
    it has two side by side, or only one.
    """
    for tiles_per_row, tiles_per_column, min_row_height in (
        (1, 2, _MIN_ROW_HEIGHT),
        (2, 1, _MIN_NARROW_ROW_HEIGHT),
    ):
        tile = page.split_tiles(tiles_per_row, tiles_per_column)[0]
        if all(
            _compute_rows_height(pair_guide, tile) >= len(pair_guide.lines) * min_row_height
            for pair_guide in pair_guides
        ):
            return tiles_per_row, tiles_per_column
    return 1, 1


def _compute_rows_height(pair_guide: PairGuide, tile: Box) -> float:
    return (
        tile.inset(_SLIP_MARGIN).height
        - _HEADING_HEIGHT
        - _NAME_HEIGHT
        - _TITLES_HEIGHT
        - _measure_footnote_height(pair_guide)
    )


def _draw_pair_guide(
    pair_guide: PairGuide,
    card_lines: Sequence[PairGuideLine],
    card_note: str,
    canvas: Canvas,
    tile: Box,
) -> None:
    inner_box = tile.inset(_SLIP_MARGIN)
    is_narrow = tile.width < 150 * MM
    top_box = inner_box.get_top_strip(_HEADING_HEIGHT - 4 * MM)
    number_width = 34 if is_narrow else 40
    number_box, heading_box = top_box.split_columns(
        number_width, inner_box.width / MM - number_width
    )
    draw_big_number(
        canvas,
        number_box,
        pair_guide.label,
        pair_guide.heading.entry_kind or _("Pair"),
        card_note,
    )
    heading_scale = 1.0 if is_narrow else 1.3
    draw_slip_heading(
        canvas, heading_box.inset(3 * MM, 2 * MM), pair_guide.heading, scale=heading_scale
    )
    rows_box = inner_box.exclude_top(_HEADING_HEIGHT)
    write_text(
        canvas,
        pair_guide.name,
        rows_box.get_top_strip(_NAME_HEIGHT),
        font=BOLD_FONT,
        size=15,
        min_size=11,
    )
    body_box = rows_box.exclude_top(_NAME_HEIGHT)
    row_height = grid.compute_row_height(
        _compute_rows_height(pair_guide, tile),
        len(card_lines),
        min_height=_MIN_ROW_HEIGHT,
        max_height=_MAX_ROW_HEIGHT,
    )
    type_size = grid.compute_type_size(row_height, max_size=16 if is_narrow else 24)
    has_partners = any(line.partner for line in pair_guide.lines)
    has_notes = any(line.note for line in pair_guide.lines)
    columns = _build_columns(type_size, has_partners, has_notes, is_narrow)
    rows = [_format_cells(guide_line, has_partners, has_notes) for guide_line in card_lines]
    title_size = 9 if is_narrow else 10
    lower_edge = grid.draw_grid(
        canvas,
        body_box,
        columns,
        rows,
        head_height=_TITLES_HEIGHT,
        row_height=row_height,
        title_size=title_size,
    )
    foot_box = Box(
        inner_box.left, inner_box.bottom, inner_box.width, lower_edge - inner_box.bottom
    )
    write_text(
        canvas,
        pair_guide.footnote,
        foot_box.get_top_strip(_measure_footnote_height(pair_guide)),
        size=11,
        min_size=9,
    )


def _build_columns(
    type_size: float, has_partners: bool, has_notes: bool, is_narrow: bool
) -> list[Column]:
    columns = [
        Column(_("Round"), 18, size=type_size, is_row_header=True),
        Column(_("Table"), 18, font=BOLD_FONT, size=type_size),
        Column(_("Sit"), 20, font=BOLD_FONT, size=type_size),
        Column(_("Against"), 28, size=type_size),
        Column(_("Boards"), 30, font=BOLD_FONT, size=type_size),
    ]
    if has_partners:
        columns.insert(3, Column(_("Partner"), 22, font=BOLD_FONT, size=type_size))
    if has_notes:
        note_width = 36 if is_narrow else 42 if has_partners else 56
        columns.append(Column(_("Note"), note_width, align="left", size=12, min_size=8.5))
    return columns


def _format_cells(line: PairGuideLine, has_partners: bool, has_notes: bool) -> tuple[str, ...]:
    partner_cells = (line.partner,) if has_partners else ()
    note_cells = (line.note,) if has_notes else ()
    seat_cells = (str(line.round_number), line.table_label, line.seat_code)
    return (*seat_cells, *partner_cells, line.opponents, line.boards, *note_cells)


def _measure_footnote_height(pair_guide: PairGuide) -> float:
    return _FOOT_HEIGHT if pair_guide.footnote else 0.0


PAPER_KIND = PaperKind(
    name="pair_guides",
    title=gettext_lazy("Personal guide cards"),
    blurb=gettext_lazy(
        "One guide card for each pair or player: where to sit and which boards to play."
    ),
    group=PaperGroup.TABLES,
    build_sheet=hall_papers.build_pair_guides,
    draw_pdf=draw_pdf,
    shown_cards=ShownCards.NONE,
    outdating_changes=OutdatingChanges.SEATS | OutdatingChanges.NAMES,
    table_requirement=TableRequirement(3, has_separately_moving_players),
    place_of_use=PlaceOfUse.TABLES,
    lay_out=lay_out_slips,
)
