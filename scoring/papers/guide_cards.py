"""Guide cards: a card on each table for the whole session, to be read at arm's length."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TypeVar

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from printing import grid, laying, paper
from printing.box import MM, Box
from printing.fonts import BOLD, LEADING
from printing.grid import Column
from printing.headings import big_number, slip_heading
from printing.kinds import Cards, Follows, Group, Need, PaperKind, Spot
from printing.laying import Slip, Slips
from printing.lettering import paragraph, wrapped
from scoring.sheets import papers
from scoring.sheets.values import GuideCard, GuideLine

Line = TypeVar("Line")
LEAST_ROW = 7 * MM
_MOST_ROW = 22 * MM
_EDGE = 9 * MM
_HEADING = 32 * MM
_TITLES = 8 * MM
_MOVES = 12.5  # points


def draw(sheets: Sequence[GuideCard], *, size: paper.Size = "A4") -> bytes:
    """Print a card for each table: two to a page if the rounds fit in large type."""
    canvas = paper.start(size, _("Guide cards"), [sheet.heading for sheet in sheets])
    return laying.printed(canvas, paper.page_box(size), lay(sheets, size=size))


def lay(sheets: Sequence[GuideCard], *, size: paper.Size) -> Slips:
    """Lay out the cards, each for its table."""
    page = paper.page_box(size)
    half = page.tiles(1, 2)[0]
    down = 2 if all(_fits(sheet, half) for sheet in sheets) else 1
    tile = page.tiles(1, down)[0]
    return Slips(
        1,
        down,
        tuple(
            Slip((sheet.heading.section, sheet.table), partial(_draw_card, sheet, lines, note))
            for sheet in sheets
            for lines, note in cards_of(sheet.lines, int(_room(sheet, tile) / LEAST_ROW))
        ),
    )


def _fits(sheet: GuideCard, tile: Box) -> bool:
    return _room(sheet, tile) / max(len(sheet.lines), 1) >= LEAST_ROW


def _room(sheet: GuideCard, tile: Box) -> float:
    """Return the height for rows, without heading and moves."""
    inner = tile.inset(_EDGE)
    return inner.height - _HEADING - _TITLES - _moves_height(sheet, inner.width)


def _moves_height(sheet: GuideCard, width: float) -> float:
    lines = sum(len(wrapped(move, BOLD, _MOVES, width)) for move in sheet.moves)
    return lines * _MOVES * LEADING + 3 * MM


def cards_of(lines: Sequence[Line], most: int) -> Iterator[tuple[Sequence[Line], str]]:
    """Divide the lines of a guide among cards with a maximum each, every card with its note."""
    parts = grid.share_out(lines, most)
    for number, part in enumerate(parts, start=1):
        words = _("card %(number)d of %(parts)d") % {"number": number, "parts": len(parts)}
        yield part, words if len(parts) > 1 else ""


def _draw_card(
    sheet: GuideCard, lines: Sequence[GuideLine], note: str, canvas: Canvas, tile: Box
) -> None:
    inner = tile.inset(_EDGE)
    strip = inner.head(_HEADING - 4 * MM)
    number, heading = strip.columns(40, inner.width / MM - 40)
    big_number(canvas, number, sheet.place, _("Table"), note)
    slip_heading(canvas, heading.inset(5 * MM, 2 * MM), sheet.heading, scale=1.5)
    room = _room(sheet, tile)
    row = grid.row_height(room, len(lines), least=LEAST_ROW, most=_MOST_ROW)
    rows = [
        (str(line.round), line.ns, line.ew, line.boards, line.note)[: 5 if _noted(sheet) else 4]
        for line in lines
    ]
    body = inner.below(_HEADING)
    lower = body.top
    if rows:
        lower = grid.draw(
            canvas, body, _columns(sheet, row), rows, head=_TITLES, row=row, title_size=11
        )
    _draw_moves(canvas, sheet, Box(inner.left, inner.bottom, inner.width, lower - inner.bottom))


def _draw_moves(canvas: Canvas, sheet: GuideCard, box: Box) -> None:
    box = box.below(3 * MM)
    for move in sheet.moves:
        box = box.below(box.top - paragraph(canvas, move, box, font=BOLD, size=_MOVES))


def _noted(sheet: GuideCard) -> bool:
    return any(line.note for line in sheet.lines)


def _columns(sheet: GuideCard, row: float) -> list[Column]:
    size = grid.type_size(row, most=32)
    sides = (_("North, South"), _("East, West")) if sheet.singles else (_("N-S"), _("E-W"))
    columns = [
        Column(_("Round"), 20, size=size, heads=True),
        Column(sides[0], 34, font=BOLD, size=size),
        Column(sides[1], 34, font=BOLD, size=size),
        Column(_("Boards"), 40, font=BOLD, size=size),
    ]
    return (
        [*columns, Column(_("Note"), 62, align="left", size=12, floor=9)]
        if _noted(sheet)
        else columns
    )


PAPER = PaperKind(
    name="guide_cards",
    title=gettext_lazy("Table guide cards"),
    blurb=gettext_lazy("One card a table: who comes in each round, and with which boards."),
    group=Group.TABLES,
    sheet=papers.guide_cards,
    draw=draw,
    shows_cards=Cards.NONE,
    follows=Follows.SEATS,
    need=Need(2),
    spot=Spot.TABLES,
    lay=lay,
)
