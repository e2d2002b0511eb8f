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

_ROW, _MAX_ROW_HEIGHT, _GAP = 7 * MM, 14 * MM, 5 * MM
_COLUMN_WIDTH = 85 * MM  # minimum width: a name, a table, a seat


def lay_out_pages(drive: DriveOnPaper, *, size: pages.Size) -> Pages:
    """Return the pages of the list of one round: fewest sheets, then fewest columns."""
    rows = _build_rows(drive, _choose_round(drive))
    room = lists.compute_rows_height(size)
    most, wide = int(room / _ROW), max(1, int(lists.get_inner_box(size).width / _COLUMN_WIDTH))
    bodies = []
    for some in grid.split_rows(rows, most * wide) if rows else []:
        across = -(-len(some) // most)
        row = grid.compute_row_height(
            room, -(-len(some) // across), least=_ROW, most=_MAX_ROW_HEIGHT
        )
        bodies.append(partial(_draw_columns, some, across, row))
    return lists.lay_out_bodies(drive, _format_title(drive), size, bodies)


def _choose_round(drive: DriveOnPaper) -> RoundOnPaper | None:
    """Return the requested round, else the first where all are known, else the last known."""
    seated = drive.seated_rounds
    asked = [each for each in seated if each.number == drive.at]
    if asked or not seated:
        return asked[0] if asked else None
    return seated[0] if drive.has_all_seats else seated[-1]


def _format_title(drive: DriveOnPaper) -> str:
    each = _choose_round(drive)
    number = each.number if each else 1
    return _("Seats: round %(round)s") % {"round": number}


def _build_rows(drive: DriveOnPaper, each: RoundOnPaper | None) -> list[list[str]]:
    if each is None:
        return []
    rows = []
    for player in drive.players:
        place = drive.seats_by_player[player.number].get(each.number)
        if place is not None:
            where = [str(place.table), str(place.seat)]
        elif player.number in each.rest:
            where = [_("sit out"), ""]
        else:
            continue
        name = format_surname_first(player.name) or _("Player %(number)s") % {
            "number": player.number
        }
        rows.append((fold_name(name), player.number, [name, str(player.number), *where]))
    named = any(player.name for player in drive.players)
    rows.sort(key=lambda row: row[:2] if named else row[1:2])
    return [row for _name, _number, row in rows]


def _draw_columns(
    rows: Sequence[list[str]], across: int, row: float, canvas: Canvas, box: Box
) -> None:
    size = grid.compute_type_size(row, most=20)
    columns = [
        Column(_("Name"), 46, align="left", size=size, is_row_header=True, floor=min(size, 11)),
        Column(_("No."), 11, size=size),
        Column(_("Table"), 14, font=BOLD, size=size * 1.15),
        Column(_("Seat"), 11, size=size),
    ]
    width = (box.width - _GAP * (across - 1)) / across
    for at, some in enumerate(grid.split_rows(rows, -(-len(rows) // across))):
        place = Box(box.left + at * (width + _GAP), box.bottom, width, box.height)
        grid.draw_grid(
            canvas, place, columns, some, head=lists.TITLES_HEIGHT, row=row, title_size=10
        )


PAPER = pages.create_kind_without_cards(
    name="who_sits_where",
    title=gettext_lazy("Seats"),
    blurb=gettext_lazy("Table and seat of everyone in one round, by name."),
    group=PaperGroup.TABLES,
    follows=OutdatedBy.SEATS | OutdatedBy.NAMES,
    lay=lay_out_pages,
)
