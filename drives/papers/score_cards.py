"""The score cards of the players, with trumps, and with seats if they are known before play.

Rows are at least 8 mm high, for a thick pencil. A card with two columns has the first half of
the rounds in the first column. The sum of this half is carried over to the second column.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from drives.papers.contract_cards import (
    COMPANIONS_COLUMN_INDEX,
    build_contract_columns,
    draw_tablemate_names,
    format_contract_cells,
)
from drives.papers.trumps import draw_trumps, find_cycle
from drives.sheets.on_paper import PrintedDrive, PrintedPlayer, PrintedRound, RoundSeat
from printing import grid, pages, tags
from printing.box import MM, Box
from printing.fonts import BOLD_FONT, LEADING_RATIO
from printing.grid import Column
from printing.headings import draw_big_number, format_date_and_session
from printing.kinds import OutdatingChanges, PaperGroup
from printing.layout import PageLayout
from printing.qr_drawing import draw_qr_code
from printing.text_boxes import write_text

MIN_ROW_HEIGHT, MAX_ROW_HEIGHT = 8 * MM, 18 * MM
_MIN_NAMES_ROW_HEIGHT = 14 * MM  # the minimum on a small card, for a name on two lines
_MARGIN, _HEAD_HEIGHT, _TITLE_ROW_HEIGHT, _FOOT_HEIGHT, _GAP_SIZE = (
    6 * MM,
    27 * MM,
    6 * MM,
    8 * MM,
    3 * MM,
)
_TRUMPS_COLUMN_INDEX = 1
_OPPONENTS_OFFSET = 3  # the distance in columns from the table to the opponents
_MIN_NAME_TYPE_SIZE = 9.5  # the minimum type size of names; longer names are wrapped


class SumLine(NamedTuple):
    """A row of a card for a sum or a carried-over sum."""

    label: str


CardRow = PrintedRound | SumLine


@dataclass(frozen=True)
class _CardSide:
    """One side of a card: the rows of each column, and the number of the side."""

    columns: tuple[tuple[CardRow, ...], ...]
    is_small: bool
    side_number: int
    side_count: int

    @property
    def max_row_count(self) -> int:
        """The number of rows of the longest column."""
        return max(len(column) for column in self.columns)


def lay_out_pages(drive: PrintedDrive, *, paper_size: pages.Size) -> PageLayout:
    """Return the pages of the cards, four to a page if their rows fit, else two."""
    card_sides = _build_card_sides(drive, paper_size)
    card_holders = [
        player
        for player in drive.players
        if not player.is_house and (drive.cards is None or player.number in drive.cards)
    ]
    pdf_form_name_by_side: dict[_CardSide, str] = {}
    drawings = [
        partial(_draw_score_card, drive, player, card_side, pdf_form_name_by_side)
        for player in card_holders
        for _copy in range(drive.copy_count)
        for card_side in card_sides
    ]
    if card_sides[0].is_small:
        laid_out_cards = pages.lay_out_quarter_pages(drawings, paper_size)
        tile = pages.get_quarter_box(paper_size)
    else:
        laid_out_cards = pages.lay_out_half_pages(drawings, paper_size)
        tile = pages.get_half_page_box(paper_size)

    def draw_page(canvas: Canvas) -> None:
        for card_side in card_sides:
            pdf_form_name_by_side[card_side] = f"card{len(pdf_form_name_by_side) + 1}"
            canvas.beginForm(pdf_form_name_by_side[card_side], 0, 0, tile.width, tile.height)
            _draw_blank_card(canvas, Box(0, 0, tile.width, tile.height), drive, card_side)
            canvas.endForm()
        laid_out_cards.draw(canvas)

    return PageLayout(laid_out_cards.page_count, draw_page, laid_out_cards.is_landscape)


def _build_card_sides(drive: PrintedDrive, paper_size: pages.Size) -> list[_CardSide]:
    """Return the sides of a card: if possible, one side with as few columns as possible."""
    quarter_limit = _count_rows(pages.get_quarter_box(paper_size))
    half_limit = _count_rows(pages.get_half_page_box(paper_size))
    layouts = [(1, quarter_limit, True), (2, quarter_limit, True), (2, half_limit, False)]
    if drive.has_all_seats:
        max_name_rows = int(quarter_limit * MIN_ROW_HEIGHT / _MIN_NAMES_ROW_HEIGHT)
        layouts = [(1, max_name_rows, True), (1, half_limit, False), (2, half_limit, False)]
    for column_count, max_rows, is_small in layouts:
        columns = split_into_columns(drive.rounds, column_count)
        if max(map(len, columns)) <= max_rows:
            return [_CardSide(columns, is_small, 1, 1)]
    column_count = 2
    while max(map(len, split_into_columns(drive.rounds, column_count))) > half_limit:
        column_count += 2
    columns = split_into_columns(drive.rounds, column_count)
    return [
        _CardSide(
            columns[first_column : first_column + 2],
            False,
            first_column // 2 + 1,
            column_count // 2,
        )
        for first_column in range(0, column_count, 2)
    ]


def split_into_columns(
    rounds: Sequence[PrintedRound], column_count: int
) -> tuple[tuple[CardRow, ...], ...]:
    """Distribute rounds and sums over one column, or over an even number of columns.

    Each half of the rounds then fills half of the columns.
    """
    half_count = len(rounds) // 2
    first_rounds, last_rounds = rounds[:half_count], rounds[half_count:]
    if len(rounds) < 4:
        sum_lines: tuple[CardRow, ...] = (SumLine(_("Total")),)
        return ((*rounds, *sum_lines), *[()] * (column_count - 1))
    sum_lines = (SumLine(_("Second half")), SumLine(_("Total")))
    if column_count == 1:
        return ((*first_rounds, SumLine(_("First half")), *last_rounds, *sum_lines),)
    columns: list[tuple[CardRow, ...]] = []
    for half_rounds, sum_label in ((first_rounds, _("First half")), (last_rounds, "")):
        for column_rounds in grid.split_rows(
            half_rounds, -(-len(half_rounds) // (column_count // 2))
        ):
            brought_forward_lines = (SumLine(_("Brought forward")),) if columns else ()
            columns.append((*brought_forward_lines, *column_rounds, SumLine(_("So far"))))
        columns[-1] = (*columns[-1][:-1], *((SumLine(sum_label),) if sum_label else sum_lines))
    return tuple(columns)


def _count_rows(tile: Box) -> int:
    return int(
        (tile.height - 2 * _MARGIN - _HEAD_HEIGHT - _TITLE_ROW_HEIGHT - _FOOT_HEIGHT)
        / MIN_ROW_HEIGHT
        + 0.01
    )


def _compute_columns(tile: Box, card_side: _CardSide) -> tuple[tuple[Box, ...], float]:
    """Return the box of each column of a card, and the height of its rows."""
    body_box = tile.inset(_MARGIN).exclude_top(_HEAD_HEIGHT)
    available_height = body_box.height - _TITLE_ROW_HEIGHT - _FOOT_HEIGHT
    row_height = grid.compute_row_height(
        available_height,
        card_side.max_row_count,
        min_height=MIN_ROW_HEIGHT,
        max_height=MAX_ROW_HEIGHT,
    )
    if len(card_side.columns) == 1:
        return (body_box,), row_height
    left_box, _gap, right_box = body_box.split_columns(
        (body_box.width - _GAP_SIZE) / 2, _GAP_SIZE, (body_box.width - _GAP_SIZE) / 2
    )
    return (left_box, right_box), row_height


def _draw_blank_card(
    canvas: Canvas, tile: Box, drive: PrintedDrive, card_side: _CardSide
) -> None:
    """Draw the parts that all cards have in common: rows, trumps, and the rule of moves."""
    boxes, row_height = _compute_columns(tile, card_side)
    columns = _build_columns(drive, card_side, row_height)
    for box, card_rows in zip(boxes, card_side.columns, strict=True):
        _draw_column(canvas, box, columns, card_rows, row_height)
    foot_box = tile.inset(_MARGIN).get_bottom_strip(_FOOT_HEIGHT - 1.5 * MM)
    foot_text = drive.moves_text if drive.points is None else ""
    if drive.has_all_seats and drive.points is None:
        foot_text = _("Each line shows your table, seat and partner.")
    if card_side.side_count > 1:
        side_values = {"number": card_side.side_number, "sides": card_side.side_count}
        foot_text += " " + _("Card %(number)d of %(sides)d.") % side_values
    write_text(canvas, foot_text, foot_box, size=10, min_size=8)


def _draw_column(
    canvas: Canvas,
    box: Box,
    columns: Sequence[Column],
    card_rows: Sequence[CardRow],
    row_height: float,
) -> None:
    """Draw the titles of a column, and its rows from top to bottom."""
    lower_edge = grid.draw_empty_grid(
        canvas,
        box,
        columns,
        0,
        head_height=_TITLE_ROW_HEIGHT,
        row_height=row_height,
        title_size=8,
    )
    for is_sum, row_group in _group_card_rows(card_rows):
        remaining_box = Box(box.left, box.bottom, box.width, lower_edge - box.bottom)
        draw_card_rows = _draw_sums if is_sum else _draw_rounds
        lower_edge = draw_card_rows(canvas, remaining_box, columns, row_group, row_height)


def _draw_rounds(
    canvas: Canvas,
    box: Box,
    columns: Sequence[Column],
    card_rows: Sequence[CardRow],
    row_height: float,
) -> float:
    rounds = [card_row for card_row in card_rows if isinstance(card_row, PrintedRound)]
    rows = [[str(round_.number), *[""] * (len(columns) - 1)] for round_ in rounds]

    has_trumps = columns[_TRUMPS_COLUMN_INDEX].title == _("Trumps")

    def draw_cell(row_index: int, column_index: int, cell: Box) -> None:
        if has_trumps and column_index == _TRUMPS_COLUMN_INDEX:
            draw_trumps(canvas, rounds[row_index].trumps, cell, size=18)

    untitled_columns = [replace(column, title="") for column in columns]
    return grid.draw_grid(
        canvas,
        box,
        untitled_columns,
        rows,
        head_height=0,
        row_height=row_height,
        draw_cell=draw_cell,
    )


def _group_card_rows(card_rows: Sequence[CardRow]) -> list[tuple[bool, list[CardRow]]]:
    """Group consecutive rows of one kind, as tuples of (whether they are sums, rows)."""
    row_groups: list[tuple[bool, list[CardRow]]] = []
    for card_row in card_rows:
        if not row_groups or row_groups[-1][0] != isinstance(card_row, SumLine):
            row_groups.append((isinstance(card_row, SumLine), []))
        row_groups[-1][1].append(card_row)
    return row_groups


def _draw_sums(
    canvas: Canvas,
    box: Box,
    columns: Sequence[Column],
    card_rows: Sequence[CardRow],
    row_height: float,
) -> float:
    """Draw rows for sums, whose text spans all columns but the last."""
    score_width = columns[-1].weight
    text_width = sum(column.weight for column in columns) - score_width
    text_column = Column("", text_width, align="right", font=BOLD_FONT)
    rows = [[card_row.label, ""] for card_row in card_rows if isinstance(card_row, SumLine)]
    return grid.draw_grid(
        canvas,
        box,
        [text_column, Column("", score_width, is_framed=True)],
        rows,
        head_height=0,
        row_height=row_height,
    )


def _build_columns(
    drive: PrintedDrive, card_side: _CardSide, row_height: float
) -> list[Column]:
    type_size = grid.compute_type_size(row_height, max_size=16)
    if drive.points is not None:
        return build_contract_columns(drive, type_size)
    has_cycles = any(len(find_cycle(round_.trumps)) > 1 for round_ in drive.rounds)
    trumps_width = 18 if has_cycles else 11.5
    first_columns = [
        Column(drive.row_title, 12.5, font=BOLD_FONT, size=type_size),
        *([Column(_("Trumps"), trumps_width)] if drive.has_trumps else []),
    ]
    score_title = drive.score_column_title
    if not drive.has_all_seats:
        score_column = Column(score_title, 13, is_framed=True)
        return [*first_columns, score_column, Column(_("So far"), 13)]
    if len(card_side.columns) == 1:
        running_total_columns = [] if card_side.is_small else [Column(_("So far"), 15)]
        return [
            *first_columns,
            Column(_("Table"), 11, font=BOLD_FONT, size=type_size),
            Column(_("Seat"), 15, size=type_size),
            Column(_("Partner"), 31, align="left", size=12, min_size=_MIN_NAME_TYPE_SIZE),
            Column(_("Against"), 37, align="left", size=12),
            Column(score_title, 13.5, is_framed=True),
            *running_total_columns,
        ]
    return [
        *first_columns,
        Column(_("Table"), 9.5, font=BOLD_FONT, size=13),
        Column(_("Seat"), 8.5, size=12),
        Column(_("Partner"), 15, size=12),
        Column(_("Against"), 12.3, size=12),
        Column(score_title, 13, is_framed=True),
    ]


def _draw_score_card(
    drive: PrintedDrive,
    player: PrintedPlayer,
    card_side: _CardSide,
    pdf_form_name_by_side: dict[_CardSide, str],
    canvas: Canvas,
    tile: Box,
) -> None:
    _draw_head(canvas, tile, drive, player)
    canvas.saveState()
    canvas.translate(tile.left, tile.bottom)
    with tags.open_element(canvas, "P"):
        canvas.doForm(pdf_form_name_by_side[card_side])
    canvas.restoreState()
    if drive.has_all_seats or drive.points is not None:
        _draw_seats(canvas, tile, drive, player, card_side)


def _draw_head(canvas: Canvas, tile: Box, drive: PrintedDrive, player: PrintedPlayer) -> None:
    strip_box = tile.inset(_MARGIN).get_top_strip(_HEAD_HEIGHT - 3 * MM)
    is_wide_card = tile.width > 120 * MM
    number_box = Box(
        strip_box.left, strip_box.bottom, (28 if is_wide_card else 22) * MM, strip_box.height
    )
    draw_big_number(canvas, number_box, str(player.number), _("Player"), player.role)
    qr_code_size = strip_box.height if player.code else 0
    left = number_box.right + 3 * MM
    text_width = strip_box.right - left - qr_code_size
    text_box = Box(left, strip_box.bottom, text_width, strip_box.height)
    heading = drive.heading
    first_seat_text = _format_first_seat(drive, player)
    title_box = text_box.get_top_strip(4.5 * MM)
    title = " · ".join(
        title_part
        for title_part in (heading.event_name, format_date_and_session(heading))
        if title_part
    )
    write_text(canvas, title, title_box, size=9, min_size=6)
    name_box = text_box.exclude_top(4.5 * MM).exclude_bottom(5.5 * MM)
    write_text(
        canvas,
        player.name,
        name_box,
        font=BOLD_FONT,
        size=17 if is_wide_card else 14,
        min_size=9,
    )
    if not player.name:
        canvas.setLineWidth(0.6)
        line_y = name_box.bottom + 2 * MM
        canvas.line(name_box.left, line_y, name_box.right - 2 * MM, line_y)
    first_seat_box = text_box.get_bottom_strip(5.5 * MM)
    write_text(canvas, first_seat_text, first_seat_box, size=11, min_size=6.5)
    if player.code:
        qr_code_box = Box(text_box.right, strip_box.bottom, qr_code_size, qr_code_size)
        draw_qr_code(canvas, player.code, qr_code_box)


def _format_first_seat(drive: PrintedDrive, player: PrintedPlayer) -> str:
    """Return a text with a player's first seat and fort."""
    round_seat = drive.seats_by_player[player.number].get(1)
    start_texts = [_("Fort %(fort)s") % {"fort": player.fort}] if player.fort else []
    if round_seat is not None:
        seat_values = {"table": round_seat.table_number, "seat": round_seat.seat_number}
        start_texts.append(_("Start: table %(table)s, seat %(seat)s") % seat_values)
    elif drive.rounds and player.number in drive.rounds[0].resting_players:
        start_texts.append(_("Sits out round 1"))
    return " · ".join(start_texts)


def _draw_seats(
    canvas: Canvas, tile: Box, drive: PrintedDrive, player: PrintedPlayer, card_side: _CardSide
) -> None:
    boxes, row_height = _compute_columns(tile, card_side)
    columns = _build_columns(drive, card_side, row_height)
    has_names = len(card_side.columns) == 1
    opponents_column_index = _find_table_column_index(drive) + _OPPONENTS_OFFSET
    for box, card_rows in zip(boxes, card_side.columns, strict=True):
        seats = [_find_seat(drive, player.number, card_row) for card_row in card_rows]
        rows = [
            _format_cells(drive, player.number, card_row, has_names, len(columns))
            for card_row in card_rows
        ]

        def draw_cell(
            row_index: int,
            column_index: int,
            cell: Box,
            seats: Sequence[RoundSeat | None] = tuple(seats),
        ) -> None:
            seat = seats[row_index]
            if seat is None:
                return
            if drive.points is not None and column_index == COMPANIONS_COLUMN_INDEX:
                draw_tablemate_names(canvas, drive, seat, cell)
            elif drive.points is None and column_index == opponents_column_index:
                _draw_opponents(canvas, drive, seat, cell)

        body_box = box.exclude_top(_TITLE_ROW_HEIGHT)
        grid.write_cells(
            canvas,
            body_box,
            columns,
            rows,
            row_height=row_height,
            are_cells_tagged=False,
            draw_cell=draw_cell if has_names else None,
        )


def _draw_opponents(canvas: Canvas, drive: PrintedDrive, seat: RoundSeat, cell: Box) -> None:
    """Draw the names of the two opponents below each other."""
    upper_box, lower_box = cell.inset(1.2 * MM, 0.4 * MM).split_tiles(1, 2)
    min_type_size = (
        _MIN_NAME_TYPE_SIZE
        if upper_box.height >= 2 * _MIN_NAME_TYPE_SIZE * LEADING_RATIO
        else 5.0
    )
    for player_number, line_box in zip(seat.opponents, (upper_box, lower_box), strict=True):
        player_text = drive.format_player(player_number)
        write_text(canvas, player_text, line_box, size=12, min_size=min_type_size)


def _find_seat(drive: PrintedDrive, player_number: int, card_row: CardRow) -> RoundSeat | None:
    if isinstance(card_row, SumLine):
        return None
    return drive.seats_by_player[player_number].get(card_row.number)


def _find_table_column_index(drive: PrintedDrive) -> int:
    return _TRUMPS_COLUMN_INDEX + drive.has_trumps


def _format_cells(
    drive: PrintedDrive,
    player_number: int,
    card_row: CardRow,
    has_names: bool,
    column_count: int,
) -> list[str]:
    """Return the texts of the cells in one row of a player's empty card."""
    cells = [""] * column_count
    if isinstance(card_row, SumLine):
        return cells
    if drive.points is not None:
        return format_contract_cells(drive, player_number, card_row, has_names=has_names)
    seat = _find_seat(drive, player_number, card_row)
    table_column_index = _find_table_column_index(drive)
    if seat is None:
        if player_number in card_row.resting_players:
            cells[table_column_index : table_column_index + 3] = ["–", "–", _("sit out")]
        return cells
    format_partner = drive.format_player if has_names else _format_player_number
    opponents_text = "" if has_names else " + ".join(map(_format_player_number, seat.opponents))
    cells[table_column_index : table_column_index + _OPPONENTS_OFFSET + 1] = [
        str(seat.table_number),
        str(seat.seat_number),
        format_partner(seat.partner_number),
        opponents_text,
    ]
    return cells


def _format_player_number(player_number: int) -> str:
    return _("H") if player_number < 0 else str(player_number)


PAPER_KIND = pages.create_kind_without_cards(
    name="score_cards",
    title=gettext_lazy("Score cards"),
    blurb=gettext_lazy("One card per player, with trumps, halves and total."),
    group=PaperGroup.TABLES,
    outdating_changes=OutdatingChanges.SEATS | OutdatingChanges.NAMES,
    lay_out=lay_out_pages,
)
