"""Travellers: one slip a board, four to a page, with the rows that the movement gives.

A traveller lies in the tray while the board is still to be played elsewhere, so it shows
neither cards nor trump (rules D2, J6).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from django.utils.translation import gettext as _
from reportlab.pdfgen.canvas import Canvas

from scoring.printing import grid, paper
from scoring.printing.box import MM, Box
from scoring.printing.fonts import BOLD
from scoring.printing.grid import Column
from scoring.printing.headings import big_number, seat_name, slip_heading
from scoring.printing.lettering import write
from scoring.sheets.values import Heading, SlipLine, TravellerSlip

LEAST_ROW = 6 * MM  # below this a pencil has no room
GOOD_ROW = 8 * MM
MOST_ROW = 12 * MM
_EDGE = 6 * MM
_HEADING = 22 * MM
_TITLES = 8 * MM
_LEGEND = 7 * MM


@dataclass(frozen=True, slots=True)
class _Part:
    """One printed slip: the whole of a board's traveller, or one part of a long one."""

    board: int
    dealer: str
    face: "_Face"


@dataclass(frozen=True, slots=True)
class _Face:
    """What several boards' slips have in common; it goes into the file once."""

    heading: Heading
    lines: tuple[SlipLine, ...]
    number: int
    parts: int


def draw(sheets: Sequence[TravellerSlip], *, size: paper.Size = "A4") -> bytes:
    """Print the travellers of some boards, four to a page, with marks to cut along.

    Rows are 8 mm high or more where a quarter page holds them, never less than 6 mm; a board
    with more lines than that goes on to a second slip, and says so.
    """
    canvas = paper.start(size, _("Travellers"), [sheet.heading for sheet in sheets])
    page = paper.page_box(size)
    tile = page.tiles(2, 2)[0]
    room = tile.height - 2 * _EDGE - _HEADING - _TITLES - _LEGEND
    parts = [part for sheet in sheets for part in _parts(sheet, int(room / LEAST_ROW))]
    faces: dict[_Face, str] = {}
    for part in parts:
        if part.face not in faces:
            faces[part.face] = f"face{len(faces) + 1}"
            canvas.beginForm(faces[part.face], 0, 0, tile.width, tile.height)
            _draw_face(canvas, Box(0, 0, tile.width, tile.height), part.face, room)
            canvas.endForm()
    paper.tiled(canvas, page, parts, partial(_draw_part, canvas, faces), across=2, down=2)
    return paper.finish(canvas)


def _parts(sheet: TravellerSlip, most: int) -> list[_Part]:
    counts = grid.shares(len(sheet.lines), most)
    found = []
    for place, count in enumerate(counts):
        first = sum(counts[:place])
        lines = sheet.lines[first : first + count]
        face = _Face(sheet.heading, lines, place + 1, len(counts))
        found.append(_Part(sheet.board, seat_name(sheet.dealer), face))
    return found


def _draw_part(canvas: Canvas, faces: dict[_Face, str], part: _Part, tile: Box) -> None:
    """Draw what is the board's own over the face that it shares with others."""
    canvas.saveState()
    canvas.translate(tile.left, tile.bottom)
    canvas.doForm(faces[part.face])
    canvas.restoreState()
    strip = tile.inset(_EDGE).head(_HEADING - 2 * MM)
    dealer = _("Dealer %(seat)s") % {"seat": part.dealer}
    place = Box(strip.right - 32 * MM, strip.bottom, 32 * MM, strip.height)
    big_number(canvas, place, str(part.board), _("Board"), dealer)


def _draw_face(canvas: Canvas, tile: Box, face: _Face, room: float) -> None:
    inner = tile.inset(_EDGE)
    strip = inner.head(_HEADING - 2 * MM)
    left = Box(strip.left, strip.bottom, strip.width - 34 * MM, strip.height)
    slip_heading(canvas, left, face.heading)
    row = grid.row_height(room, len(face.lines), least=LEAST_ROW, most=MOST_ROW)
    rows = [
        (str(line.round), str(line.table), line.ns, line.ew, "", "", "", "", "")
        for line in face.lines
    ]
    lower = grid.draw(canvas, inner.below(_HEADING), _columns(), rows, head=_TITLES, row=row)
    _legend(canvas, Box(inner.left, lower - _LEGEND, inner.width, _LEGEND), face)


def _legend(canvas: Canvas, box: Box, face: _Face) -> None:
    words = _("A revoke: −R beside the side that revoked, +R beside the other.")
    if face.parts == 1:
        write(canvas, words, box, size=7.5)
        return
    left, right = box.columns(3, 1)
    write(canvas, words, left, size=7.5)
    part = _("slip %(number)d of %(parts)d") % {"number": face.number, "parts": face.parts}
    write(canvas, part, right, font=BOLD, size=9, align="right")


def _columns() -> list[Column]:
    return [
        Column(_("Round"), 9.5, size=10),
        Column(_("Table"), 9, size=10),
        Column(_("N-S pair"), 10.5, font=BOLD, size=13),
        Column(_("E-W pair"), 10.5, font=BOLD, size=13),
        Column(_("Tricks N-S"), 13, framed=True),
        Column(_("R"), 7.5),
        Column(_("Tricks E-W"), 13, framed=True),
        Column(_("R"), 7.5),
        Column(_("Initials"), 12.5),
    ]
