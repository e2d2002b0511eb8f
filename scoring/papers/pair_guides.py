"""Guide cards for pairs: a card that an entry carries from table to table."""

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
from scoring.papers.guide_cards import cards_of
from scoring.papers.occasions import partners_go_their_own_way
from scoring.sheets import hall_papers
from scoring.sheets.hall import PairGuide, PairGuideLine

_EDGE = 8 * MM
_HEADING = 30 * MM
_NAME = 9 * MM
_TITLES = 7 * MM
_FOOT = 10 * MM  # two lines
_LEAST_ROW = 7 * MM
_NARROW_ROW = 10 * MM  # minimum, for notes on three lines
_MOST_ROW = 18 * MM


def draw(sheets: Sequence[PairGuide], *, size: paper.Size = "A4") -> bytes:
    """Print a card for each entry: two to a page if the rounds fit, otherwise one."""
    canvas = paper.start(size, _("Personal guide cards"), [sheet.heading for sheet in sheets])
    return laying.printed(canvas, paper.page_box(size), lay(sheets, size=size))


def lay(sheets: Sequence[PairGuide], *, size: paper.Size) -> Slips:
    """Lay out the cards, each for the table where its entry begins."""
    page = paper.page_box(size)
    across, down = _cut(sheets, page)
    tile = page.tiles(across, down)[0]
    return Slips(
        across,
        down,
        tuple(
            Slip(
                (sheet.heading.section, sheet.first_table),
                partial(_draw_card, sheet, lines, note),
            )
            for sheet in sheets
            for lines, note in cards_of(sheet.lines, int(_room(sheet, tile) / _LEAST_ROW))
        ),
    )


def _cut(sheets: Sequence[PairGuide], page: Box) -> tuple[int, int]:
    """Return the tiles across and down of a page: cut across, cut down, or not at all."""
    for across, down, row in ((1, 2, _LEAST_ROW), (2, 1, _NARROW_ROW)):
        tile = page.tiles(across, down)[0]
        if all(_room(sheet, tile) >= len(sheet.lines) * row for sheet in sheets):
            return across, down
    return 1, 1


def _room(sheet: PairGuide, tile: Box) -> float:
    return tile.inset(_EDGE).height - _HEADING - _NAME - _TITLES - _foot(sheet)


def _draw_card(
    sheet: PairGuide, lines: Sequence[PairGuideLine], note: str, canvas: Canvas, tile: Box
) -> None:
    inner = tile.inset(_EDGE)
    is_narrow = tile.width < 150 * MM
    strip = inner.head(_HEADING - 4 * MM)
    wide = 34 if is_narrow else 40
    number, heading = strip.columns(wide, inner.width / MM - wide)
    big_number(canvas, number, sheet.label, sheet.heading.one or _("Pair"), note)
    scale = 1.0 if is_narrow else 1.3
    slip_heading(canvas, heading.inset(3 * MM, 2 * MM), sheet.heading, scale=scale)
    below = inner.below(_HEADING)
    write(canvas, sheet.name, below.head(_NAME), font=BOLD, size=15, floor=11)
    body = below.below(_NAME)
    row = grid.row_height(_room(sheet, tile), len(lines), least=_LEAST_ROW, most=_MOST_ROW)
    size = grid.type_size(row, most=16 if is_narrow else 24)
    has_partners = any(line.partner for line in sheet.lines)
    has_notes = any(line.note for line in sheet.lines)
    columns = _columns(size, has_partners, has_notes, is_narrow)
    rows = [_cells(each, has_partners, has_notes) for each in lines]
    title_size = 9 if is_narrow else 10
    lower = grid.draw(canvas, body, columns, rows, head=_TITLES, row=row, title_size=title_size)
    foot = Box(inner.left, inner.bottom, inner.width, lower - inner.bottom)
    write(canvas, sheet.foot, foot.head(_foot(sheet)), size=11, floor=9)


def _columns(size: float, has_partners: bool, has_notes: bool, is_narrow: bool) -> list[Column]:
    columns = [
        Column(_("Round"), 18, size=size, heads=True),
        Column(_("Table"), 18, font=BOLD, size=size),
        Column(_("Sit"), 20, font=BOLD, size=size),
        Column(_("Against"), 28, size=size),
        Column(_("Boards"), 30, font=BOLD, size=size),
    ]
    if has_partners:
        columns.insert(3, Column(_("Partner"), 22, font=BOLD, size=size))
    if has_notes:
        wide = 36 if is_narrow else 42 if has_partners else 56
        columns.append(Column(_("Note"), wide, align="left", size=12, floor=8.5))
    return columns


def _cells(line: PairGuideLine, has_partners: bool, has_notes: bool) -> tuple[str, ...]:
    partner = (line.partner,) if has_partners else ()
    note = (line.note,) if has_notes else ()
    where = (str(line.round), line.table, line.seat)
    return (*where, *partner, line.opponents, line.boards, *note)


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
