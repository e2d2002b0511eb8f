"""The sheets on which tables write their scores, with the players if they are known.

If a round has only one hand, a table has one sheet for the whole evening. Otherwise it has a
sheet for each round.
"""

from collections.abc import Sequence
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext
from reportlab.pdfgen.canvas import Canvas

from drives.papers.contract_sheets import lay_out_contract_sheets
from drives.papers.trumps import draw_trumps
from drives.scores.rules import ScoreKind
from drives.sheets.on_paper import PrintedDrive, PrintedRound
from printing import grid, pages
from printing.box import MM, Box
from printing.fonts import BOLD_FONT
from printing.grid import Column
from printing.headings import draw_big_number, draw_slip_heading
from printing.kinds import OutdatingChanges, PaperGroup
from printing.layout import PageLayout
from printing.text_boxes import write_text

_MARGIN, _HEAD_HEIGHT, _TITLE_ROW_HEIGHT, _FOOT_HEIGHT, _GAP_SIZE = (
    6 * MM,
    22 * MM,
    7 * MM,
    6 * MM,
    3 * MM,
)
MIN_ROW_HEIGHT, MAX_ROW_HEIGHT = 8 * MM, 15 * MM
_PLAYERS_HEIGHT = 8.5 * MM  # the height of the line with the players of one side
PlayerNumbersBySeat = tuple[int, int, int, int]


def lay_out_pages(drive: PrintedDrive, *, paper_size: pages.Size) -> PageLayout:
    """Return the pages of the sheets in the order of their use."""
    if drive.points is not None and drive.hands_per_round > 1:
        return lay_out_contract_sheets(drive, paper_size=paper_size)
    if drive.hands_per_round == 1:
        max_rows = int(
            (
                pages.get_half_page_box(paper_size).height
                - 2 * _MARGIN
                - _HEAD_HEIGHT
                - _TITLE_ROW_HEIGHT
                - _FOOT_HEIGHT
            )
            / MIN_ROW_HEIGHT
        )
        evening_drawings = [
            partial(_draw_evening_sheet, drive, table_number, rounds)
            for table_number in range(1, drive.table_count + 1)
            for rounds in grid.split_rows(drive.rounds, max_rows)
        ]
        return pages.lay_out_half_pages(evening_drawings, paper_size)
    seats_by_round_and_table = {
        (round_.number, table_number): table_seats
        for round_ in drive.rounds
        for table_number, table_seats in round_.tables
    }
    round_drawings = [
        partial(
            _draw_round,
            drive,
            round_,
            table_number,
            seats_by_round_and_table.get((round_.number, table_number)),
        )
        for round_ in drive.rounds
        for table_number in _list_tables(drive, round_)
    ]
    is_quarter_enough = (
        _count_hand_rows(pages.get_quarter_box(paper_size)) >= drive.hands_per_round + 1
    )
    lay_out_function = (
        pages.lay_out_quarter_pages if is_quarter_enough else pages.lay_out_half_pages
    )
    return lay_out_function(round_drawings, paper_size)


def _list_tables(drive: PrintedDrive, round_: PrintedRound) -> list[int]:
    return [table_number for table_number, _seats in round_.tables] or list(
        range(1, drive.table_count + 1)
    )


def _count_hand_rows(tile: Box) -> int:
    return int(
        (
            tile.height
            - 2 * _MARGIN
            - _HEAD_HEIGHT
            - 2 * _PLAYERS_HEIGHT
            - _TITLE_ROW_HEIGHT
            - _FOOT_HEIGHT
        )
        / MIN_ROW_HEIGHT
    )


def _draw_evening_sheet(
    drive: PrintedDrive,
    table_number: int,
    rounds: Sequence[PrintedRound],
    canvas: Canvas,
    tile: Box,
) -> None:
    """Draw a table's sheet for an evening in which each round has only one hand."""
    body_box = _draw_head(canvas, tile, drive, table_number, "")
    seats_by_round = {
        round_.number: table_seats
        for round_ in rounds
        for seated_table_number, table_seats in round_.tables
        if seated_table_number == table_number
    }
    row_height = grid.compute_row_height(
        body_box.height - _TITLE_ROW_HEIGHT - _FOOT_HEIGHT,
        len(rounds),
        min_height=MIN_ROW_HEIGHT,
        max_height=MAX_ROW_HEIGHT,
    )
    columns = [
        Column(pgettext("one deal", "Hand"), 9, font=BOLD_FONT, size=14),
        *([Column(_("Trumps"), 10)] if drive.has_trumps else []),
        *_build_score_columns(drive, players_width=18),
    ]
    trumps_cells = [""] if drive.has_trumps else []
    rows = [
        [
            str(round_.number),
            *trumps_cells,
            *_format_score_cells(drive, seats_by_round.get(round_.number)),
        ]
        for round_ in rounds
    ]

    def draw_cell(row_index: int, column_index: int, cell: Box) -> None:
        if column_index == 1 and drive.has_trumps:
            draw_trumps(canvas, rounds[row_index].trumps, cell, size=13)

    grid.draw_grid(
        canvas, body_box, columns, rows,
        head_height=_TITLE_ROW_HEIGHT, row_height=row_height, title_size=8.5,
        draw_cell=draw_cell, are_cells_tagged=False,
    )  # fmt: skip
    _draw_footer(canvas, tile, drive)


def _build_score_columns(drive: PrintedDrive, *, players_width: float) -> list[Column]:
    """Return the columns for players and scores, for two sides or for four single players."""
    if drive.score_kind is ScoreKind.PLAYER:
        return [
            column
            for seat_number in range(1, 5)
            for column in (
                Column(_("No."), 9, size=12),
                Column(_("Seat %(seat)s") % {"seat": seat_number}, 13, is_framed=True),
            )
        ]
    score_title = drive.score_column_title
    return [
        Column(_("Side A: 1 and 3"), players_width, size=14),
        Column(_("%(what)s A") % {"what": score_title}, 14, is_framed=True),
        Column(_("Side B: 2 and 4"), players_width, size=14),
        Column(_("%(what)s B") % {"what": score_title}, 14, is_framed=True),
    ]


def _format_score_cells(drive: PrintedDrive, seats: PlayerNumbersBySeat | None) -> list[str]:
    if drive.score_kind is ScoreKind.PLAYER:
        return [
            cell
            for seat_index in range(4)
            for cell in (str(seats[seat_index]) if seats else "", "")
        ]
    if seats is None:
        return ["", "", "", ""]
    player_1, player_2, player_3, player_4 = map(str, seats)
    return [f"{player_1} + {player_3}", "", f"{player_2} + {player_4}", ""]


def _draw_round(
    drive: PrintedDrive,
    round_: PrintedRound,
    table_number: int,
    seats: PlayerNumbersBySeat | None,
    canvas: Canvas,
    tile: Box,
) -> None:
    """Draw a table's sheet for a round of several hands."""
    round_title = _("Round %(round)s") % {"round": round_.number}
    body_box = _draw_head(canvas, tile, drive, table_number, round_title)
    _draw_players(canvas, body_box.get_top_strip(2 * _PLAYERS_HEIGHT), drive, seats)
    body_box = body_box.exclude_top(2 * _PLAYERS_HEIGHT + 1 * MM)
    hand_count = max(1, len(round_.trumps)) if round_.trumps else drive.hands_per_round
    row_height = grid.compute_row_height(
        body_box.height - _TITLE_ROW_HEIGHT - _FOOT_HEIGHT,
        hand_count + 1,
        min_height=MIN_ROW_HEIGHT,
        max_height=MAX_ROW_HEIGHT,
    )
    columns = [
        Column(pgettext("one deal", "Hand"), 10, font=BOLD_FONT, size=14),
        *([Column(_("Trumps"), 11)] if drive.has_trumps else []),
        *_build_side_columns(drive),
    ]
    empty_cells = [""] * (len(columns) - 1)
    rows = [[str(hand_number), *empty_cells] for hand_number in range(1, hand_count + 1)]
    rows.append([_("Total"), *empty_cells])

    def draw_cell(row_index: int, column_index: int, cell: Box) -> None:
        if column_index == 1 and row_index < len(round_.trumps):
            draw_trumps(canvas, round_.trumps[row_index], cell, size=13)

    grid.draw_grid(
        canvas, body_box, columns, rows,
        head_height=_TITLE_ROW_HEIGHT, row_height=row_height, title_size=8.5,
        draw_cell=draw_cell, rows_above_thick_lines=(hand_count - 1,), are_cells_tagged=False,
    )  # fmt: skip
    _draw_footer(canvas, tile, drive)


def _build_side_columns(drive: PrintedDrive) -> list[Column]:
    if drive.score_kind is ScoreKind.PLAYER:
        return [
            Column(_("Seat %(seat)s") % {"seat": seat_number}, 16, is_framed=True)
            for seat_number in range(1, 5)
        ]
    score_title = drive.score_column_title
    return [
        Column(_("%(what)s A") % {"what": score_title}, 30, is_framed=True),
        Column(_("%(what)s B") % {"what": score_title}, 30, is_framed=True),
    ]


def _draw_players(
    canvas: Canvas, box: Box, drive: PrintedDrive, seats: PlayerNumbersBySeat | None
) -> None:
    """Draw the names of the players of each side, or lines to write them if unknown."""
    for index, (side_letter, first_index, second_index) in enumerate(
        (("A", 0, 2), ("B", 1, 3))
    ):
        line_box = Box(
            box.left, box.top - (index + 1) * _PLAYERS_HEIGHT, box.width, _PLAYERS_HEIGHT
        )
        label_box, names_box = line_box.split_columns(8, line_box.width / MM - 8)
        write_text(canvas, side_letter, label_box, font=BOLD_FONT, size=13)
        if seats is None:
            canvas.setLineWidth(0.6)
            canvas.line(
                names_box.left,
                names_box.bottom + 1.5 * MM,
                names_box.right,
                names_box.bottom + 1.5 * MM,
            )
            continue
        first_name = drive.format_player(seats[first_index])
        names_text = f"{first_name} + {drive.format_player(seats[second_index])}"
        write_text(canvas, names_text, names_box, size=12, min_size=9)


def _draw_head(
    canvas: Canvas, tile: Box, drive: PrintedDrive, table_number: int, round_title: str
) -> Box:
    content_box = tile.inset(_MARGIN)
    head_box = content_box.get_top_strip(_HEAD_HEIGHT - 2 * MM)
    number_box = Box(head_box.right - 24 * MM, head_box.bottom, 24 * MM, head_box.height)
    draw_big_number(canvas, number_box, str(table_number), _("Table"), round_title)
    heading_box = Box(head_box.left, head_box.bottom, head_box.width - 27 * MM, head_box.height)
    draw_slip_heading(canvas, heading_box.inset(0, 0.5 * MM), drive.heading)
    return content_box.exclude_top(_HEAD_HEIGHT)


def _draw_footer(canvas: Canvas, tile: Box, drive: PrintedDrive) -> None:
    foot_box = tile.inset(_MARGIN).get_bottom_strip(_FOOT_HEIGHT - 1 * MM)
    message = _("Both sides check the scores before handing in.")
    if drive.score_kind is ScoreKind.TRICKS:
        message = _("Each hand has 13 tricks. Both sides check before handing in.")
    write_text(canvas, message, foot_box, size=10, min_size=8)


PAPER_KIND = pages.create_kind_without_cards(
    name="table_sheets",
    title=gettext_lazy("Table score sheets"),
    blurb=gettext_lazy("Each table’s scores for each round, to be handed in."),
    group=PaperGroup.TABLES,
    outdating_changes=OutdatingChanges.SEATS | OutdatingChanges.NAMES,
    lay_out=lay_out_pages,
)
