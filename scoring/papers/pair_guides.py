"""Guide cards for pairs: what an entry carries from table to table."""

from collections.abc import Sequence
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from printing import grid, laying, paper
from printing.box import MM, Box
from printing.fonts import BOLD
from printing.grid import Column
from printing.headings import big_number, slip_heading
from printing.kinds import Cards, Follows, Group, Need, PaperKind, Spot
from printing.laying import Slip, Slips
from printing.lettering import write
from scoring.papers.occasions import partners_go_their_own_way
from scoring.sheets import hall_papers
from scoring.sheets.hall import PairGuide, PairGuideLine

_EDGE = 9 * MM
_HEADING = 30 * MM
_NAME = 9 * MM
_TITLES = 7 * MM
_FOOT = 10 * MM  # two lines
_LEAST_ROW = 6 * MM
_MOST_ROW = 12 * MM

_Part = tuple[PairGuide, tuple[PairGuideLine, ...], str]


def draw(sheets: Sequence[PairGuide], *, size: paper.Size = "A4") -> bytes:
    """Print a card for each entry: two to a page where the rounds fit, otherwise one."""
    canvas = paper.start(size, _("Personal guide cards"), [sheet.heading for sheet in sheets])
    return laying.printed(canvas, paper.page_box(size), lay(sheets, size=size))


def lay(sheets: Sequence[PairGuide], *, size: paper.Size) -> Slips:
    """Lay the cards out, each for the table where its entry begins."""
    page = paper.page_box(size)
    half = page.tiles(1, 2)[0]
    down = 2 if all(len(sheet.lines) <= _rows(sheet, half) for sheet in sheets) else 1
    tile = page.tiles(1, down)[0]
    return Slips(
        1,
        down,
        tuple(
            Slip((sheet.heading.section, sheet.first_table), partial(_draw_card, part))
            for sheet in sheets
            for part in _parts(sheet, tile)
        ),
    )


def _room(sheet: PairGuide, tile: Box) -> float:
    return tile.inset(_EDGE).height - _HEADING - _NAME - _TITLES - _foot(sheet)


def _rows(sheet: PairGuide, tile: Box) -> int:
    return int(_room(sheet, tile) / _LEAST_ROW)


def _parts(sheet: PairGuide, tile: Box) -> list[_Part]:
    counts = grid.shares(len(sheet.lines), _rows(sheet, tile))
    parts: list[_Part] = []
    for place, count in enumerate(counts):
        first = sum(counts[:place])
        words = _("card %(number)d of %(parts)d") % {"number": place + 1, "parts": len(counts)}
        note = words if len(counts) > 1 else ""
        parts.append((sheet, sheet.lines[first : first + count], note))
    return parts


def _draw_card(part: _Part, canvas: Canvas, tile: Box) -> None:
    sheet, lines, note = part
    inner = tile.inset(_EDGE)
    strip = inner.head(_HEADING - 4 * MM)
    number, heading = strip.columns(40, inner.width / MM - 40)
    big_number(canvas, number, sheet.label, sheet.heading.one or _("Pair"), note)
    slip_heading(canvas, heading.inset(5 * MM, 2 * MM), sheet.heading, scale=1.3)
    below = inner.below(_HEADING)
    write(canvas, sheet.name, below.head(_NAME), font=BOLD, size=14)
    body = below.below(_NAME)
    row = grid.row_height(_room(sheet, tile), len(lines), least=_LEAST_ROW, most=_MOST_ROW)
    size = min(18, row * 0.6)
    columns = _columns(size, partners=_partnered(sheet))
    rows = [_cells(each, partners=_partnered(sheet)) for each in lines]
    lower = grid.draw(canvas, body, columns, rows, head=_TITLES, row=row, title_size=10)
    foot = Box(inner.left, inner.bottom, inner.width, lower - inner.bottom)
    write(canvas, sheet.foot, foot.head(_foot(sheet)), size=10)


def _columns(size: float, *, partners: bool) -> list[Column]:
    with_whom = [Column(_("Partner"), 20, font=BOLD, size=size)] if partners else []
    return [
        Column(_("Round"), 16, size=size, heads=True),
        Column(_("Table"), 16, font=BOLD, size=size),
        Column(_("Sit"), 18, font=BOLD, size=size),
        *with_whom,
        Column(_("Against"), 34, size=size),
        Column(_("Boards"), 34, font=BOLD, size=size),
        Column(_("Note"), 42 if partners else 62, align="left", size=11, floor=8.5),
    ]


def _cells(line: PairGuideLine, *, partners: bool) -> tuple[str, ...]:
    with_whom = (line.partner,) if partners else ()
    where = (str(line.round), line.table, line.seat)
    return (*where, *with_whom, line.opponents, line.boards, line.note)


def _partnered(sheet: PairGuide) -> bool:
    return any(line.partner for line in sheet.lines)


def _foot(sheet: PairGuide) -> float:
    return _FOOT if sheet.foot else 0.0


PAPER = PaperKind(
    name="pair_guides",
    title=gettext_lazy("Personal guide cards"),
    blurb=gettext_lazy("One card each: where to sit in each round, and with which boards."),
    group=Group.TABLES,
    sheet=hall_papers.pair_guides,
    draw=draw,
    shows_cards=Cards.NONE,
    follows=Follows.SEATS | Follows.NAMES,
    need=Need(3, partners_go_their_own_way),
    spot=Spot.TABLES,
    lay=lay,
)
