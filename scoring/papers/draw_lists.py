"""A drawn round: lists for the wall by name and by table, and a slip for each entry."""

from collections.abc import Sequence
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from printing import laying, paper
from printing.box import MM, Box
from printing.fonts import BOLD
from printing.grid import Column, Row
from printing.headings import big_number, slip_heading
from printing.kinds import Cards, Follows, Group, PaperKind
from printing.laying import Slip, Slips
from printing.lettering import write
from printing.table_pages import Heights, draw_table
from scoring.papers.occasions import for_a_draw, is_drawn
from scoring.sheets import draws
from scoring.sheets.draws import DrawnLine, DrawnRound

_LIST = Heights(head=9 * MM, row=12 * MM, foot=8 * MM)
LARGE = 24  # points: read from two steps away


def draw(sheets: Sequence[DrawnRound], *, size: paper.Size = "A4") -> bytes:
    """Print each list twice: by name, for players, and by table."""
    canvas = paper.start(size, _("Who plays whom"), [sheet.heading for sheet in sheets])
    for sheet in sheets:
        for title, columns, rows in (
            (_by_name_title(sheet), _by_name(), _names(sheet)),
            (_by_table_title(sheet), _by_table(), _tables(sheet)),
        ):
            draw_table(canvas, sheet.heading, title, columns, rows, _LIST, sheet.note, size)
    return paper.finish(canvas)


def draw_slips(sheets: Sequence[DrawnRound], *, size: paper.Size = "A4") -> bytes:
    """Print a slip for each entry: table, side, opponents, and the reason; eight to a page."""
    canvas = paper.start(size, _("Slips of a round"), [sheet.heading for sheet in sheets])
    slips = tuple(
        Slip(("", 0), partial(_draw_slip, sheet, line))
        for sheet in sheets
        for line in sheet.lines
    )
    return laying.printed(canvas, paper.page_box(size), Slips(2, 4, slips))


def _by_name_title(sheet: DrawnRound) -> str:
    return _("%(round)s, by name") % {"round": sheet.title}


def _by_table_title(sheet: DrawnRound) -> str:
    return _("%(round)s, by table") % {"round": sheet.title}


def _by_name() -> list[Column]:
    return [
        Column(_("Names"), 62, align="left", size=LARGE, floor=11, heads=True),
        Column(_("Table"), 18, font=BOLD, size=LARGE),
        Column(_("Side"), 20, size=LARGE, floor=11),
    ]


def _by_table() -> list[Column]:
    return [
        Column(_("Table"), 16, font=BOLD, size=LARGE, heads=True),
        Column(_("N-S, or at home"), 42, align="left", size=LARGE, floor=10),
        Column(_("E-W, or away"), 42, align="left", size=LARGE, floor=10),
    ]


def _names(sheet: DrawnRound) -> list[Row]:
    out = _("sits out")
    return [
        (f"{line.number} {line.name}", line.table or "–", line.side or out)
        for line in sheet.by_name
    ]


def _tables(sheet: DrawnRound) -> list[Row]:
    rows = [
        (each.table, f"{each.ns} {each.ns_name}", f"{each.ew} {each.ew_name}")
        for each in sheet.matches
    ]
    out = _("sits out")
    return [*rows, *(("–", f"{number} {name}", out) for number, name, _why in sheet.sit_out)]


def _draw_slip(sheet: DrawnRound, line: DrawnLine, canvas: Canvas, tile: Box) -> None:
    inner = tile.inset(6 * MM)
    strip = inner.head(18 * MM)
    table = Box(strip.right - 26 * MM, strip.bottom, 26 * MM, strip.height)
    heading = Box(strip.left, strip.bottom, strip.width - 29 * MM, strip.height)
    big_number(canvas, table, line.table or "–", _("Table"))
    slip_heading(canvas, heading, sheet.heading, scale=0.85)
    body = inner.below(20 * MM)
    name = f"{line.number} {line.name}"
    write(canvas, name, body.head(7 * MM), font=BOLD, size=12, floor=8)
    words = {"round": sheet.title, "side": line.side, "who": line.against}
    told = _("%(round)s: %(side)s, against %(who)s") % words
    if not line.table:
        told = _("%(round)s: you sit out") % words
    write(canvas, told, body.below(7.5 * MM).head(9 * MM), size=11, floor=7.5)
    write(canvas, line.reason, body.below(17 * MM), size=7.5, floor=6)


PAPER = PaperKind(
    name="draw_list",
    title=gettext_lazy("Who plays whom"),
    blurb=gettext_lazy("The round that was drawn last, by name and by table, for the wall."),
    group=Group.TABLES,
    sheet=draws.last_drawn,
    draw=draw,
    shows_cards=Cards.NONE,
    follows=Follows.SEATS | Follows.NAMES,
    fits=is_drawn,
    waits=for_a_draw,
    on_request=True,
)
SLIPS = PaperKind(
    name="draw_slips",
    title=gettext_lazy("Slips of a round"),
    blurb=gettext_lazy("One slip each: table, side, opponents, and why they meet."),
    group=Group.TABLES,
    sheet=draws.last_drawn_as_told,
    draw=draw_slips,
    shows_cards=Cards.NONE,
    follows=Follows.SEATS | Follows.NAMES,
    fits=is_drawn,
    waits=for_a_draw,
    on_request=True,
)
