"""The score cards of the players, with trumps, and with seats where they are known.

Rows are at least 8 mm high, for a thick pencil. A card with two columns has the first half of
the rounds in the first column, and carries its sum over to the second.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from drives.papers.contract_cards import (
    COMPANIONS_COLUMN,
    build_contract_columns,
    draw_companions,
    format_contract_cells,
)
from drives.papers.trumps import draw_trumps, find_cycle
from drives.sheets.on_paper import DriveOnPaper, PlayerOnPaper, RoundOnPaper, RoundSeat
from printing import grid, pages, tags
from printing.box import MM, Box
from printing.fonts import BOLD, LEADING_RATIO
from printing.grid import Column
from printing.headings import draw_big_number, format_date_and_session
from printing.kinds import OutdatedBy, PaperGroup
from printing.layout import Pages
from printing.qr_drawing import draw_qr_code
from printing.text_boxes import write_text

MIN_ROW_HEIGHT, MAX_ROW_HEIGHT = 8 * MM, 18 * MM
_MIN_NAMES_ROW_HEIGHT = 14 * MM  # minimum on a small card: two lines for a name
_MARGIN, _HEAD_HEIGHT, _TITLE_ROW_HEIGHT, _FOOT_HEIGHT, _GAP_SIZE = (
    6 * MM,
    27 * MM,
    6 * MM,
    8 * MM,
    3 * MM,
)
_TRUMPS_COLUMN, _OPPONENTS_COLUMN = 1, 5  # the indexes of the columns
_NAME_POINTS = 9.5  # points: a long name is wrapped, not set smaller


class SumLine(NamedTuple):
    """A line of a card for a sum or a carried-over sum."""

    words: str


Line = RoundOnPaper | SumLine


@dataclass(frozen=True)
class _Layout:
    """One side of a card: its columns of lines, and the number of the side."""

    columns: tuple[tuple[Line, ...], ...]
    small: bool
    number: int
    sides: int

    @property
    def lines(self) -> int:
        """The number of lines of the longest column."""
        return max(len(column) for column in self.columns)


def lay_out_pages(drive: DriveOnPaper, *, size: pages.Size) -> Pages:
    """Return the pages of the cards: quarters of a sheet where their lines fit, else halves."""
    layouts = _build_layouts(drive, size)
    holders = [
        player
        for player in drive.players
        if not player.house and (drive.cards is None or player.number in drive.cards)
    ]
    forms: dict[_Layout, str] = {}
    drawn = [
        partial(_draw_card, drive, player, layout, forms)
        for player in holders
        for _copy in range(drive.copies)
        for layout in layouts
    ]
    lay_out = pages.lay_out_quarters if layouts[0].small else pages.lay_out_halves
    laid = lay_out(drawn, size)
    tile = pages.get_quarter_box(size) if layouts[0].small else pages.get_half_box(size)

    def draw(canvas: Canvas) -> None:
        for layout in layouts:
            forms[layout] = f"card{len(forms) + 1}"
            canvas.beginForm(forms[layout], 0, 0, tile.width, tile.height)
            _draw_blank(canvas, Box(0, 0, tile.width, tile.height), drive, layout)
            canvas.endForm()
        laid.draw(canvas)

    return Pages(laid.count, draw, laid.landscape)


def _build_layouts(drive: DriveOnPaper, size: pages.Size) -> list[_Layout]:
    """Return the sides of a card: one where all lines fit, in one column rather than two."""
    small = _count_rows(pages.get_quarter_box(size))
    large = _count_rows(pages.get_half_box(size))
    tries = [(1, small, True), (2, small, True), (2, large, False)]
    if drive.has_all_seats:
        max_name_rows = int(small * MIN_ROW_HEIGHT / _MIN_NAMES_ROW_HEIGHT)
        tries = [(1, max_name_rows, True), (1, large, False), (2, large, False)]
    for count, max_rows, is_small in tries:
        columns = split_into_columns(drive.rounds, count)
        if max(map(len, columns)) <= max_rows:
            return [_Layout(columns, is_small, 1, 1)]
    count = 2
    while max(map(len, split_into_columns(drive.rounds, count))) > large:
        count += 2
    columns = split_into_columns(drive.rounds, count)
    return [
        _Layout(columns[first : first + 2], False, first // 2 + 1, count // 2)
        for first in range(0, count, 2)
    ]


def split_into_columns(
    rounds: Sequence[RoundOnPaper], count: int
) -> tuple[tuple[Line, ...], ...]:
    """Distribute the lines of a card over one column, or an even number; halves are kept."""
    half = len(rounds) // 2
    first, last = rounds[:half], rounds[half:]
    if len(rounds) < 4:
        end: tuple[Line, ...] = (SumLine(_("Total")),)
        return ((*rounds, *end), *[()] * (count - 1))
    end = (SumLine(_("Second half")), SumLine(_("Total")))
    if count == 1:
        return ((*first, SumLine(_("First half")), *last, *end),)
    columns: list[tuple[Line, ...]] = []
    for part, words in ((first, _("First half")), (last, "")):
        for share in grid.split_rows(part, -(-len(part) // (count // 2))):
            carried = (SumLine(_("Brought forward")),) if columns else ()
            columns.append((*carried, *share, SumLine(_("So far"))))
        columns[-1] = (*columns[-1][:-1], *((SumLine(words),) if words else end))
    return tuple(columns)


def _count_rows(tile: Box) -> int:
    return int(
        (tile.height - 2 * _MARGIN - _HEAD_HEIGHT - _TITLE_ROW_HEIGHT - _FOOT_HEIGHT)
        / MIN_ROW_HEIGHT
        + 0.01
    )


def _compute_columns(tile: Box, layout: _Layout) -> tuple[tuple[Box, ...], float]:
    """Return the box of each column of a card, and the height of its rows."""
    body_box = tile.inset(_MARGIN).without_top(_HEAD_HEIGHT)
    room = body_box.height - _TITLE_ROW_HEIGHT - _FOOT_HEIGHT
    row = grid.compute_row_height(room, layout.lines, least=MIN_ROW_HEIGHT, most=MAX_ROW_HEIGHT)
    if len(layout.columns) == 1:
        return (body_box,), row
    left_box, _gap, right_box = body_box.split_columns(
        (body_box.width - _GAP_SIZE) / 2, _GAP_SIZE, (body_box.width - _GAP_SIZE) / 2
    )
    return (left_box, right_box), row


def _draw_blank(canvas: Canvas, tile: Box, drive: DriveOnPaper, layout: _Layout) -> None:
    """Draw the common parts of all cards: lines, trumps, the custom of the house."""
    boxes, row = _compute_columns(tile, layout)
    columns = _build_columns(drive, layout, row)
    for box, lines in zip(boxes, layout.columns, strict=True):
        _draw_column(canvas, box, columns, lines, row)
    foot = tile.inset(_MARGIN).bottom_strip(_FOOT_HEIGHT - 1.5 * MM)
    words = drive.custom if drive.points is None else ""
    if drive.has_all_seats and drive.points is None:
        words = _("Each line shows your table, seat and partner.")
    if layout.sides > 1:
        side = {"number": layout.number, "sides": layout.sides}
        words += " " + _("Card %(number)d of %(sides)d.") % side
    write_text(canvas, words, foot, size=10, floor=8)


def _draw_column(
    canvas: Canvas, box: Box, columns: Sequence[Column], lines: Sequence[Line], row: float
) -> None:
    """Draw the column titles, then the round rows and the sum rows in order, from top to
    bottom.
    """
    lower = grid.draw_empty_grid(
        canvas, box, columns, 0, head=_TITLE_ROW_HEIGHT, row=row, title_size=8
    )
    for is_sum, run in _group_lines(lines):
        top = Box(box.left, box.bottom, box.width, lower - box.bottom)
        draw_run = _draw_sums if is_sum else _draw_rounds
        lower = draw_run(canvas, top, columns, run, row)


def _draw_rounds(
    canvas: Canvas, box: Box, columns: Sequence[Column], run: Sequence[Line], row: float
) -> float:
    rounds = [round_sheet for round_sheet in run if isinstance(round_sheet, RoundOnPaper)]
    rows = [[str(round_.number), *[""] * (len(columns) - 1)] for round_ in rounds]

    has_trumps = columns[_TRUMPS_COLUMN].title == _("Trumps")

    def draw_cell(row_index: int, column_index: int, cell: Box) -> None:
        if has_trumps and column_index == _TRUMPS_COLUMN:
            draw_trumps(canvas, rounds[row_index].trumps, cell, size=18)

    untitled_columns = [replace(column, title="") for column in columns]
    return grid.draw_grid(
        canvas, box, untitled_columns, rows, head=0, row=row, inside=draw_cell
    )


def _group_lines(lines: Sequence[Line]) -> list[tuple[bool, list[Line]]]:
    """Group consecutive lines of rounds, and of sums."""
    groups: list[tuple[bool, list[Line]]] = []
    for line in lines:
        if not groups or groups[-1][0] != isinstance(line, SumLine):
            groups.append((isinstance(line, SumLine), []))
        groups[-1][1].append(line)
    return groups


def _draw_sums(
    canvas: Canvas, box: Box, columns: Sequence[Column], run: Sequence[Line], row: float
) -> float:
    """Draw lines whose words span all columns but the last."""
    last = columns[-1].weight
    text_width = sum(column.weight for column in columns) - last
    words = Column("", text_width, align="right", font=BOLD)
    rows = [[line.words, ""] for line in run if isinstance(line, SumLine)]
    return grid.draw_grid(
        canvas, box, [words, Column("", last, is_framed=True)], rows, head=0, row=row
    )


def _build_columns(drive: DriveOnPaper, layout: _Layout, row: float) -> list[Column]:
    size = grid.compute_type_size(row, most=16)
    if drive.points is not None:
        return build_contract_columns(drive, size)
    has_cycles = any(len(find_cycle(round_.trumps)) > 1 for round_ in drive.rounds)
    trumps_width = 20 if has_cycles else 11
    start = [
        Column(drive.row_title, 12, font=BOLD, size=size),
        Column(_("Trumps"), trumps_width),
    ]
    score_title = drive.figure_title
    if not drive.has_all_seats:
        return [*start, Column(score_title, 13, is_framed=True), Column(_("So far"), 13)]
    if len(layout.columns) == 1:
        running_total = [] if layout.small else [Column(_("So far"), 15)]
        return [
            *start,
            Column(_("Table"), 11, font=BOLD, size=size),
            Column(_("Seat"), 10, size=size),
            Column(_("Partner"), 33, align="left", size=12, floor=_NAME_POINTS),
            Column(_("Against"), 37, align="left", size=12),
            Column(score_title, 15, is_framed=True),
            *running_total,
        ]
    return [
        *start,
        Column(_("Table"), 9, font=BOLD, size=13),
        Column(_("Seat"), 7, size=12),
        Column(_("Partner"), 10, size=12),
        Column(_("Against"), 18, size=12),
        Column(score_title, 13, is_framed=True),
    ]


def _draw_card(
    drive: DriveOnPaper,
    player: PlayerOnPaper,
    layout: _Layout,
    forms: dict[_Layout, str],
    canvas: Canvas,
    tile: Box,
) -> None:
    _draw_head(canvas, tile, drive, player)
    canvas.saveState()
    canvas.translate(tile.left, tile.bottom)
    with tags.open_element(canvas, "P"):
        canvas.doForm(forms[layout])
    canvas.restoreState()
    if drive.has_all_seats or drive.points is not None:
        _draw_seats(canvas, tile, drive, player, layout)


def _draw_head(canvas: Canvas, tile: Box, drive: DriveOnPaper, player: PlayerOnPaper) -> None:
    strip = tile.inset(_MARGIN).top_strip(_HEAD_HEIGHT - 3 * MM)
    is_wide = tile.width > 120 * MM
    number = Box(strip.left, strip.bottom, (28 if is_wide else 22) * MM, strip.height)
    draw_big_number(canvas, number, str(player.number), _("Player"), player.role)
    side = strip.height if player.code else 0
    left = number.right + 3 * MM
    words = Box(left, strip.bottom, strip.right - left - side, strip.height)
    heading = drive.heading
    start = _format_start(drive, player)
    small = words.top_strip(4.5 * MM)
    title = " · ".join(
        part for part in (heading.event, format_date_and_session(heading)) if part
    )
    write_text(canvas, title, small, size=9, floor=6)
    name = words.without_top(4.5 * MM).without_bottom(5.5 * MM)
    write_text(canvas, player.name, name, font=BOLD, size=17 if is_wide else 14, floor=9)
    if not player.name:
        canvas.setLineWidth(0.6)
        canvas.line(name.left, name.bottom + 2 * MM, name.right - 2 * MM, name.bottom + 2 * MM)
    write_text(canvas, start, words.bottom_strip(5.5 * MM), size=11, floor=6.5)
    if player.code:
        draw_qr_code(canvas, player.code, Box(words.right, strip.bottom, side, side))


def _format_start(drive: DriveOnPaper, player: PlayerOnPaper) -> str:
    """Return a text with a player's first seat, or with his fort."""
    place = drive.seats_by_player[player.number].get(1)
    words = [_("Fort %(fort)s") % {"fort": player.fort}] if player.fort else []
    if place is not None:
        seat = {"table": place.table, "seat": place.seat}
        words.append(_("Start: table %(table)s, seat %(seat)s") % seat)
    elif drive.rounds and player.number in drive.rounds[0].rest:
        words.append(_("Sits out round 1"))
    return " · ".join(words)


def _draw_seats(
    canvas: Canvas, tile: Box, drive: DriveOnPaper, player: PlayerOnPaper, layout: _Layout
) -> None:
    boxes, row = _compute_columns(tile, layout)
    columns = _build_columns(drive, layout, row)
    shows_names = len(layout.columns) == 1
    for box, lines in zip(boxes, layout.columns, strict=True):
        places = [_find_seat(drive, player.number, line) for line in lines]
        rows = [
            _format_cells(drive, player.number, line, shows_names, len(columns))
            for line in lines
        ]

        def draw_cell(
            row_index: int,
            column_index: int,
            cell: Box,
            places: Sequence[RoundSeat | None] = tuple(places),
        ) -> None:
            place = places[row_index]
            if place is None:
                return
            if drive.points is not None and column_index == COMPANIONS_COLUMN:
                draw_companions(canvas, drive, place, cell)
            elif drive.points is None and column_index == _OPPONENTS_COLUMN:
                _draw_opponents(canvas, drive, place, cell)

        filled = box.without_top(_TITLE_ROW_HEIGHT)
        grid.write_cells(
            canvas,
            filled,
            columns,
            rows,
            row=row,
            tag_cells=False,
            inside=draw_cell if shows_names else None,
        )


def _draw_opponents(canvas: Canvas, drive: DriveOnPaper, place: RoundSeat, cell: Box) -> None:
    """Draw the names of the two opponents, a line each."""
    upper, lower = cell.inset(1.2 * MM, 0.4 * MM).split_tiles(1, 2)
    floor = _NAME_POINTS if upper.height >= 2 * _NAME_POINTS * LEADING_RATIO else 5.0
    for number, line in zip(place.opponents, (upper, lower), strict=True):
        write_text(canvas, drive.format_player(number), line, size=12, floor=floor)


def _find_seat(drive: DriveOnPaper, number: int, line: Line) -> RoundSeat | None:
    return None if isinstance(line, SumLine) else drive.seats_by_player[number].get(line.number)


def _format_cells(
    drive: DriveOnPaper, number: int, line: Line, names: bool, columns: int
) -> list[str]:
    """Return the cell texts that are printed on one line of a player's blank card."""
    empty_cells = [""] * columns
    if isinstance(line, SumLine):
        return empty_cells
    if drive.points is not None:
        return format_contract_cells(drive, number, line, has_names=names)
    place = _find_seat(drive, number, line)
    if place is None:
        empty_cells[2:5] = ["–", "–", _("sit out")] if number in line.rest else ["", "", ""]
        return empty_cells
    partner = drive.format_player(place.partner) if names else _format_signed(place.partner)
    against = "" if names else " + ".join(map(_format_signed, place.opponents))
    empty_cells[2 : _OPPONENTS_COLUMN + 1] = [
        str(place.table),
        str(place.seat),
        partner,
        against,
    ]
    return empty_cells


def _format_signed(number: int) -> str:
    return _("H") if number < 0 else str(number)


PAPER = pages.create_kind_without_cards(
    name="score_cards",
    title=gettext_lazy("Score cards"),
    blurb=gettext_lazy("One card per player, with trumps, halves and total."),
    group=PaperGroup.TABLES,
    outdated_by=OutdatedBy.SEATS | OutdatedBy.NAMES,
    lay_out=lay_out_pages,
)
