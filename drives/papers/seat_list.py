"""The list of seats of a round by surname, for the wall and the door."""

from collections.abc import Sequence
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from clubs.name_folding import fold_name
from clubs.names.surnames import format_surname_first
from drives.sheets.on_paper import DriveOnPaper, RoundOnPaper
from printing import grid, lists, pages
from printing.box import MM, Box
from printing.fonts import BOLD
from printing.grid import Column
from printing.kinds import OutdatedBy, PaperGroup
from printing.layout import Pages

_ROW_HEIGHT, _MAX_ROW_HEIGHT, _GAP_SIZE = 7 * MM, 14 * MM, 5 * MM
_COLUMN_WIDTH = 85 * MM  # minimum width: a name, a table, a seat


def lay_out_pages(drive: DriveOnPaper, *, size: pages.Size) -> Pages:
    """Return the pages of the list of one round: fewest sheets, then fewest columns."""
    rows = _build_rows(drive, _choose_round(drive))
    room = lists.compute_rows_height(size)
    rows_per_column, max_columns = (
        int(room / _ROW_HEIGHT),
        max(1, int(lists.get_inner_box(size).width / _COLUMN_WIDTH)),
    )
    bodies = []
    for page_rows in grid.split_rows(rows, rows_per_column * max_columns) if rows else []:
        columns = -(-len(page_rows) // rows_per_column)
        row = grid.compute_row_height(
            room, -(-len(page_rows) // columns), least=_ROW_HEIGHT, most=_MAX_ROW_HEIGHT
        )
        bodies.append(partial(_draw_columns, page_rows, columns, row))
    return lists.lay_out_bodies(drive, _format_title(drive), size, bodies)


def _choose_round(drive: DriveOnPaper) -> RoundOnPaper | None:
    """Return the requested round, else the first where all are known, else the last known."""
    seated = drive.seated_rounds
    requested = [round_ for round_ in seated if round_.number == drive.at]
    if requested or not seated:
        return requested[0] if requested else None
    return seated[0] if drive.has_all_seats else seated[-1]


def _format_title(drive: DriveOnPaper) -> str:
    round_ = _choose_round(drive)
    number = round_.number if round_ else 1
    return _("Seats: round %(round)s") % {"round": number}


def _build_rows(drive: DriveOnPaper, round_: RoundOnPaper | None) -> list[list[str]]:
    if round_ is None:
        return []
    rows = []
    for player in drive.players:
        place = drive.seats_by_player[player.number].get(round_.number)
        if place is not None:
            seat_cells = [str(place.table), str(place.seat)]
        elif player.number in round_.rest:
            seat_cells = [_("sit out"), ""]
        else:
            continue
        name = format_surname_first(player.name) or _("Player %(number)s") % {
            "number": player.number
        }
        rows.append((fold_name(name), player.number, [name, str(player.number), *seat_cells]))
    has_names = any(player.name for player in drive.players)
    rows.sort(key=lambda row: row[:2] if has_names else row[1:2])
    return [row for _name, _number, row in rows]


def _draw_columns(
    rows: Sequence[list[str]], column_count: int, row: float, canvas: Canvas, box: Box
) -> None:
    size = grid.compute_type_size(row, most=20)
    columns = [
        Column(_("Name"), 46, align="left", size=size, is_row_header=True, floor=min(size, 11)),
        Column(_("No."), 11, size=size),
        Column(_("Table"), 14, font=BOLD, size=size * 1.15),
        Column(_("Seat"), 11, size=size),
    ]
    width = (box.width - _GAP_SIZE * (column_count - 1)) / column_count
    for at, column_rows in enumerate(grid.split_rows(rows, -(-len(rows) // column_count))):
        place = Box(box.left + at * (width + _GAP_SIZE), box.bottom, width, box.height)
        grid.draw_grid(
            canvas,
            place,
            columns,
            column_rows,
            head=lists.TITLES_HEIGHT,
            row=row,
            title_size=10,
        )


PAPER = pages.create_kind_without_cards(
    name="who_sits_where",
    title=gettext_lazy("Seats"),
    blurb=gettext_lazy("Table and seat of everyone in one round, by name."),
    group=PaperGroup.TABLES,
    outdated_by=OutdatedBy.SEATS | OutdatedBy.NAMES,
    lay_out=lay_out_pages,
)
