"""Travellers: one slip for each board, with the rows that the movement gives it.

A traveller is in the tray while the board is still to be played elsewhere, so it shows neither
cards nor trump (rules D2, J6). If each table declares trumps there is a column for them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from printing import grid, paper, tags
from printing.box import MM, Box
from printing.fonts import BOLD
from printing.grid import Column
from printing.headings import big_number, seat_name, slip_heading
from printing.kinds import Cards, Follows, Group, Need, PaperKind, Spot
from printing.laying import Pages
from printing.lettering import write
from printing.values import Heading
from scoring.sheets import papers
from scoring.sheets.values import SlipLine, TravellerSlip

LEAST_ROW = 6 * MM  # less is too low to write in
GOOD_ROW = 8 * MM
MOST_ROW = 15 * MM
_EDGE = 5 * MM
_HEADING = 21 * MM
_TITLES = 8 * MM
_LEGEND = 6.5 * MM


@dataclass(frozen=True, slots=True)
class _Blank:
    """A slip without numbers: the heading and the empty rows."""

    heading: Heading
    rows: int
    number: int
    parts: int
    singles: bool  # two numbers in a square, not one
    trumps: bool  # a column for the table's declaration
    in_points: bool  # whether results are points, not tricks


@dataclass(frozen=True, slots=True)
class _Face:
    """The common part of several boards' slips: a blank and its rows."""

    blank: _Blank
    lines: Sequence[SlipLine]


@dataclass(frozen=True, slots=True)
class _Part:
    """One printed slip: the whole of a board's traveller, or one part of a long one."""

    board: int
    dealer: str
    face: _Face


_Forms = dict[_Blank | _Face, str]  # the names of the PDF forms in the file


def draw(sheets: Sequence[TravellerSlip], *, size: paper.Size = "A4") -> bytes:
    """Print the travellers of some boards, eight or four to a page, with cutting marks.

    Eight fit if an eighth of a page has space for all rows, 8 mm high. On a quarter page rows
    are at least 6 mm high; a board with more lines continues on a second slip, with a note.
    """
    canvas = paper.start(size, _("Travellers"), [sheet.heading for sheet in sheets])
    lay(sheets, size=size).draw(canvas)
    return paper.finish(canvas)


def lay(sheets: Sequence[TravellerSlip], *, size: paper.Size) -> Pages:
    """Lay out the slips in the order of the boards."""
    page = paper.page_box(size)
    down = _down(sheets, page)
    tile = Box(0, 0, page.width / 2, page.height / down)
    parts = [part for sheet in sheets for part in _parts(sheet, int(_room(tile) / LEAST_ROW))]

    def draw_them(canvas: Canvas) -> None:
        forms = _Forms()
        for part in parts:
            _draw_blank(canvas, tile, part.face.blank, forms)
            _draw_face(canvas, tile, part.face, forms)
        paper.tiled(
            canvas, page, parts, partial(_draw_part, canvas, forms), across=2, down=down
        )

    return Pages(-(-len(parts) // (2 * down)), draw_them)


def _down(sheets: Sequence[TravellerSlip], page: Box) -> int:
    """Return the number of slips below each other on a page."""
    rows = max((len(sheet.lines) for sheet in sheets), default=0)
    return 4 if _room(Box(0, 0, page.width / 2, page.height / 4)) >= rows * GOOD_ROW else 2


def _room(tile: Box) -> float:
    """Return the height for rows on a slip, in points."""
    return tile.height - 2 * _EDGE - _HEADING - _TITLES - _LEGEND


def _parts(sheet: TravellerSlip, most: int) -> list[_Part]:
    parts = grid.share_out(sheet.lines, most)
    singles = any(line.singles for line in sheet.lines)
    found = []
    for number, part in enumerate(parts, start=1):
        blank = _Blank(
            heading=sheet.heading,
            rows=len(part),
            number=number,
            parts=len(parts),
            singles=singles,
            trumps=sheet.notes_trumps,
            in_points=sheet.in_points,
        )
        found.append(_Part(sheet.board, seat_name(sheet.dealer), _Face(blank, part)))
    return found


def _draw_blank(canvas: Canvas, tile: Box, blank: _Blank, forms: _Forms) -> None:
    if blank in forms:
        return
    _begin(canvas, tile, blank, forms)
    inner = tile.inset(_EDGE)
    strip = inner.head(_HEADING - 2 * MM)
    left = Box(strip.left, strip.bottom, strip.width - 34 * MM, strip.height)
    slip_heading(canvas, left, blank.heading)
    row = _row_height(tile, blank)
    body = inner.below(_HEADING)
    lower = grid.rule(canvas, body, _columns(blank), blank.rows, head=_TITLES, row=row)
    _legend(canvas, Box(inner.left, lower - _LEGEND, inner.width, _LEGEND), blank)
    canvas.endForm()


def _draw_face(canvas: Canvas, tile: Box, face: _Face, forms: _Forms) -> None:
    if face in forms:
        return
    _begin(canvas, tile, face, forms)
    canvas.doForm(forms[face.blank])
    empty = [""] * (len(_columns(face.blank)) - 4)
    rows = [(str(line.round), line.table, line.ns, line.ew, *empty) for line in face.lines]
    body = tile.inset(_EDGE).below(_HEADING + _TITLES)
    grid.fill(canvas, body, _columns(face.blank), rows, row=_row_height(tile, face.blank))
    canvas.endForm()


def _begin(canvas: Canvas, tile: Box, drawn: _Blank | _Face, forms: _Forms) -> None:
    """Begin a PDF form of the size of a slip, which is stored in the file only once."""
    forms[drawn] = f"form{len(forms) + 1}"
    canvas.beginForm(forms[drawn], 0, 0, tile.width, tile.height)


def _draw_part(canvas: Canvas, forms: _Forms, part: _Part, tile: Box) -> None:
    """Draw a board's own content over the face that it shares with others."""
    strip = tile.inset(_EDGE).head(_HEADING - 2 * MM)
    dealer = _("Dealer %(seat)s") % {"seat": part.dealer}
    place = Box(strip.right - 32 * MM, strip.bottom, 32 * MM, strip.height)
    big_number(canvas, place, str(part.board), _("Board"), dealer)
    canvas.saveState()
    canvas.translate(tile.left, tile.bottom)
    with tags.part(canvas, "P"):
        canvas.doForm(forms[part.face])
    canvas.restoreState()


def _row_height(tile: Box, blank: _Blank) -> float:
    return grid.row_height(_room(tile), blank.rows, least=LEAST_ROW, most=MOST_ROW)


def _legend(canvas: Canvas, box: Box, blank: _Blank) -> None:
    words = _("A revoke: −R beside the side that revoked, +R beside the other.")
    if blank.in_points:
        words = _("Write what each side won, honours with it; 0 where it won nothing.")
    if blank.parts == 1:
        write(canvas, words, box, size=7.5)
        return
    left, right = box.columns(3, 1)
    write(canvas, words, left, size=7.5)
    part = _("slip %(number)d of %(parts)d") % {"number": blank.number, "parts": blank.parts}
    write(canvas, part, right, font=BOLD, size=9, align="right")


def _columns(blank: _Blank) -> list[Column]:
    if blank.singles:
        who = [
            Column(_("North, South"), 17, font=BOLD, size=12),
            Column(_("East, West"), 17, font=BOLD, size=12),
        ]
    else:
        who = [
            Column(_("N-S pair"), 10.5, font=BOLD, size=13),
            Column(_("E-W pair"), 10.5, font=BOLD, size=13),
        ]
    return [
        Column(_("Round"), 9.5, size=10),
        Column(_("Table"), 9, size=10),
        *who,
        *([Column(_("Trump"), 9.5, framed=True)] if blank.trumps else []),
        *_results(blank),
        Column(_("Initials"), 12.5),
    ]


def _results(blank: _Blank) -> list[Column]:
    """Return the columns for results; in points there is no column for revokes."""
    if blank.in_points:
        return [
            Column(_("N-S won"), 20.5, framed=True),
            Column(_("E-W won"), 20.5, framed=True),
        ]
    return [
        Column(_("Tricks N-S"), 13, framed=True),
        Column(_("R"), 7.5),
        Column(_("Tricks E-W"), 13, framed=True),
        Column(_("R"), 7.5),
    ]


PAPER = PaperKind(
    name="travellers",
    title=gettext_lazy("Travellers"),
    blurb=gettext_lazy("One slip a board: it goes round with the board."),
    group=Group.TABLES,
    sheet=papers.traveller_slips,
    draw=draw,
    shows_cards=Cards.NONE,
    follows=Follows.SEATS,
    need=Need(1),
    spot=Spot.TRAYS,
    lay=lay,
)
