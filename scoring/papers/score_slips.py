"""Score slips: a pair's own record, with a line for each board (rules J5).

The trump column is empty and is filled only after a board is played. The slip stays with the
pair, but a player who sees it may still have the board to play (rules D1, D2).
"""

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
from scoring.sheets import papers
from scoring.sheets.values import ScoreSlip, ScoreSlipLine

LEAST_ROW = 6 * MM
GOOD_ROW = 8 * MM
_MOST_ROW = 14 * MM
_EDGE = 6 * MM
_HEADING = 20 * MM
_NAME = 12.5 * MM
_TITLES = 7.5 * MM
_FOOT = 5 * MM
_PARTNER = 4  # the column that only single players have
_LONGEST_LABEL = 8  # letters of an opponent's name in the narrow column

_Part = tuple[ScoreSlip, Sequence[ScoreSlipLine], int, int]


def draw(sheets: Sequence[ScoreSlip], *, size: paper.Size = "A4") -> bytes:
    """Print a slip for each pair: four to a page if the boards fit, else two, side by side.

    Rows fill the slip and are 8 mm high if they fit, never less than 6 mm; a longer slip
    continues on a second. Slips with opponents' names instead of numbers take a page's whole
    width.
    """
    canvas = paper.start(size, _("Score slips"), [sheet.heading for sheet in sheets])
    return laying.printed(canvas, paper.page_box(size), lay(sheets, size=size))


def lay(sheets: Sequence[ScoreSlip], *, size: paper.Size) -> Slips:
    """Lay out the slips, each for the table where its pair begins."""
    page = paper.page_box(size)
    across = 1 if any(_wordy(sheet) for sheet in sheets) else 2
    longest = max(len(sheet.lines) for sheet in sheets)
    down = 2 if _room(page.tiles(across, 2)[0]) >= (longest + 1) * GOOD_ROW else 1
    most = int(_room(page.tiles(across, down)[0]) / LEAST_ROW) - 1
    return Slips(
        across,
        down,
        tuple(
            Slip((sheet.heading.section, sheet.first_table), partial(_draw_slip, part))
            for sheet in sheets
            for part in _parts(sheet, most)
        ),
    )


def _wordy(sheet: ScoreSlip) -> bool:
    return any(len(line.opponents) > _LONGEST_LABEL for line in sheet.lines if line.board)


def _room(tile: Box) -> float:
    return tile.height - 2 * _EDGE - _HEADING - _NAME - _TITLES - _FOOT


def _parts(sheet: ScoreSlip, most: int) -> list[_Part]:
    parts = grid.share_out(sheet.lines, most)
    return [(sheet, part, number, len(parts)) for number, part in enumerate(parts, start=1)]


def _start(sheet: ScoreSlip) -> str:
    if sheet.starts_at and sheet.starts_in == 1:
        return _("Starts at %(place)s") % {"place": sheet.starts_at}
    return sheet.start[:1].upper() + sheet.start[1:]


def _draw_slip(part: _Part, canvas: Canvas, tile: Box) -> None:
    sheet, lines, number, parts = part
    inner = tile.inset(_EDGE)
    strip = inner.head(_HEADING)
    pair = Box(strip.right - 30 * MM, strip.bottom, 30 * MM, strip.height)
    heading = Box(strip.left, strip.bottom, strip.width - 33 * MM, strip.height)
    big_number(canvas, pair, sheet.label, sheet.heading.one or _("Pair"))
    slip_heading(canvas, heading.inset(0, 0.5 * MM), sheet.heading)
    name = inner.below(_HEADING).head(_NAME)
    write(canvas, sheet.name, name.head(7.5 * MM), font=BOLD, size=12, floor=8.5)
    write(canvas, _start(sheet), name.foot(5 * MM), size=10)
    row = grid.row_height(_room(tile), len(lines) + 1, least=LEAST_ROW, most=_MOST_ROW)
    partners = any(line.partner for line in sheet.lines)
    rows = [*(_cells(line) for line in lines), _total(number, parts)]
    if not partners:
        rows = [row[:_PARTNER] + row[_PARTNER + 1 :] for row in rows]
    heavy = [place for place in range(len(lines)) if _last_of_round(lines, place)]
    body = inner.below(_HEADING + _NAME)
    wide = tile.width > 150 * MM
    lower = grid.draw(
        canvas,
        body,
        _columns(wide=wide, partners=partners),
        rows,
        head=_TITLES,
        row=row,
        heavy_after=heavy,
        cells=False,
    )
    foot = Box(inner.left, lower - _FOOT, inner.width, _FOOT)
    words = _("Fill in the trump only after the board is played.")
    if parts > 1:
        words += " " + _("Slip %(number)d of %(parts)d.") % {"number": number, "parts": parts}
    write(canvas, words, foot, size=7.5)


def _cells(line: ScoreSlipLine) -> tuple[str, ...]:
    where = (str(line.round), line.table or "–")
    if line.board is None:
        return ("–", *where, "–", "–", line.opponents or _("sit-out"), "–", "–", "–", "–")
    seat = (line.direction, line.partner)
    return (str(line.board), *where, *seat, line.opponents, "", "", "", "")


def _total(number: int, parts: int) -> tuple[str, ...]:
    words = _("Total") if number == parts else _("So far")
    return ("", "", "", "", "", words, "", "", "", "")


def _last_of_round(lines: Sequence[ScoreSlipLine], place: int) -> bool:
    return place + 1 == len(lines) or lines[place].round != lines[place + 1].round


def _columns(*, wide: bool, partners: bool) -> list[Column]:
    columns = [
        Column(_("Board"), 10, font=BOLD, size=15),
        Column(_("Round"), 9, size=12),
        Column(_("Table"), 8.5, size=12),
        Column(_("Side"), 10, size=11),
        Column(_("Partner"), 11.5, font=BOLD, size=12),
        Column(_("Against"), 60 if wide else 13.5 if partners else 12.5, font=BOLD, size=12),
        Column(_("Trump"), 10.5),
        Column(_("Won"), 10, framed=True),
        Column(_("Lost"), 10, framed=True),
        Column(_("Gain or loss"), 12.5),
    ]
    return columns if partners else columns[:_PARTNER] + columns[_PARTNER + 1 :]


PAPER = PaperKind(
    name="score_slips",
    title=gettext_lazy("Score slips"),
    blurb=gettext_lazy("One slip each, to keep their own score."),
    group=Group.TABLES,
    sheet=papers.score_slips,
    draw=draw,
    shows_cards=Cards.NONE,
    follows=Follows.SEATS | Follows.NAMES,
    need=Need(4),
    spot=Spot.TABLES,
    lay=lay,
)
