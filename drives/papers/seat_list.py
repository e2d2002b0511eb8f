"""The list of all players by surname with their seats in a round, for the wall and the door."""

from collections.abc import Sequence
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from clubs.name_order import get_sort_key
from clubs.names.surnames import format_surname_first
from drives.sheets.on_paper import PrintedDrive, PrintedRound
from printing import grid, lists, pages
from printing.box import MM, Box
from printing.fonts import BOLD_FONT
from printing.grid import Column
from printing.kinds import OutdatingChanges, PaperGroup
from printing.layout import PageLayout

_ROW_HEIGHT, _MAX_ROW_HEIGHT, _GAP_SIZE = 7 * MM, 14 * MM, 5 * MM
_MIN_COLUMN_WIDTH = 85 * MM  # the minimum width, in which a name, a table and a seat fit


def lay_out_pages(drive: PrintedDrive, *, paper_size: pages.Size) -> PageLayout:
    """Return the list of a round on as few pages, and in as few columns, as possible."""
    rows = _build_rows(drive, _choose_round(drive))
    available_height = lists.compute_rows_height(paper_size)
    rows_per_column, max_columns = (
        int(available_height / _ROW_HEIGHT),
        max(1, int(lists.get_inner_box(paper_size).width / _MIN_COLUMN_WIDTH)),
    )
    body_drawings = []
    for page_rows in grid.split_rows(rows, rows_per_column * max_columns) if rows else []:
        column_count = -(-len(page_rows) // rows_per_column)
        row_height = grid.compute_row_height(
            available_height,
            -(-len(page_rows) // column_count),
            min_height=_ROW_HEIGHT,
            max_height=_MAX_ROW_HEIGHT,
        )
        body_drawings.append(partial(_draw_columns, page_rows, column_count, row_height))
    return lists.lay_out_page_bodies(drive, _format_title(drive), paper_size, body_drawings)


def _choose_round(drive: PrintedDrive) -> PrintedRound | None:
    """Return the requested round.

    If no round is requested, return the first round if the seats of all rounds are known, else
    the last round with known seats.
    """
    seated_rounds = drive.seated_rounds
    requested_rounds = [
        round_ for round_ in seated_rounds if round_.number == drive.seat_list_round
    ]
    if requested_rounds or not seated_rounds:
        return requested_rounds[0] if requested_rounds else None
    return seated_rounds[0] if drive.has_all_seats else seated_rounds[-1]


def _format_title(drive: PrintedDrive) -> str:
    round_ = _choose_round(drive)
    round_number = round_.number if round_ else 1
    return _("Seats: round %(round)s") % {"round": round_number}


def _build_rows(drive: PrintedDrive, round_: PrintedRound | None) -> list[list[str]]:
    if round_ is None:
        return []
    rows = []
    for player in drive.players:
        seat = drive.seats_by_player[player.number].get(round_.number)
        if seat is not None:
            seat_cells = [str(seat.table_number), str(seat.seat_number)]
        elif player.number in round_.resting_players:
            seat_cells = [_("sit out"), ""]
        else:
            continue
        name = format_surname_first(player.name) or _("Player %(number)s") % {
            "number": player.number
        }
        rows.append(
            (get_sort_key(name), player.number, [name, str(player.number), *seat_cells])
        )
    has_names = any(player.name for player in drive.players)
    rows.sort(key=lambda row: row[:2] if has_names else row[1:2])
    return [row for _name, _number, row in rows]


def _draw_columns(
    rows: Sequence[list[str]], column_count: int, row_height: float, canvas: Canvas, box: Box
) -> None:
    type_size = grid.compute_type_size(row_height, max_size=20)
    columns = [
        Column(
            _("Name"),
            46,
            align="left",
            size=type_size,
            is_row_header=True,
            min_size=min(type_size, 11),
        ),
        Column(_("No."), 11, size=type_size),
        Column(_("Table"), 14, font=BOLD_FONT, size=type_size * 1.15),
        Column(_("Seat"), 11, size=type_size),
    ]
    column_width = (box.width - _GAP_SIZE * (column_count - 1)) / column_count
    for column_index, column_rows in enumerate(
        grid.split_rows(rows, -(-len(rows) // column_count))
    ):
        column_box = Box(
            box.left + column_index * (column_width + _GAP_SIZE),
            box.bottom,
            column_width,
            box.height,
        )
        grid.draw_grid(
            canvas,
            column_box,
            columns,
            column_rows,
            head_height=lists.TITLES_HEIGHT,
            row_height=row_height,
            title_size=10,
        )


PAPER_KIND = pages.create_kind_without_cards(
    name="who_sits_where",
    title=gettext_lazy("Seats"),
    blurb=gettext_lazy("Table and seat of everyone in one round, by name."),
    group=PaperGroup.TABLES,
    outdating_changes=OutdatingChanges.SEATS | OutdatingChanges.NAMES,
    lay_out=lay_out_pages,
)
