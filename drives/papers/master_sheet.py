"""The master sheet: who plays whom at each table in each round.

Where seats follow from results it is the list of players instead, to write their totals in.
"""

from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from drives.papers import lists, pages
from drives.papers.trumps import write_trumps
from drives.sheets.on_paper import DriveOnPaper, same
from printing import grid
from printing.box import MM, Box
from printing.fonts import BOLD
from printing.grid import Column
from printing.kinds import Cards, Follows, Group, PaperKind
from printing.laying import Pages

_ROW, _LIST_ROW = 7 * MM, 8.5 * MM
_CELL = 30 * MM  # wide at least: four numbers


def lay(drive: DriveOnPaper, *, size: pages.Size) -> Pages:
    """Lay the plan out, or the list where there is none."""
    return _plan(drive, size) if drive.is_known else _totals(drive, size)


def draw(drive: DriveOnPaper, *, size: pages.Size = "A4") -> bytes:
    """Print the master sheet."""
    return pages.printed(drive, _("Master sheet"), lay(drive, size=size), size)


def _plan(drive: DriveOnPaper, size: pages.Size) -> Pages:
    """Tables downwards, rounds across; who rests stands below."""
    inner = lists.inner_box(size, landscape=True)
    wide = max(1, int((inner.width - 16 * MM) / _CELL))
    high = int(lists.room(size, landscape=True) / _ROW)
    bodies = []
    lines = [*range(1, drive.tables + 1), *([0] if any(r.rest for r in drive.rounds) else [])]
    rounds = grid.shares(len(drive.rounds), wide)
    tables = grid.shares(len(lines), high - 1)  # a row for the trumps
    for across, count in enumerate(rounds):
        first = sum(rounds[:across])
        for down, some in enumerate(tables):
            numbers = lines[sum(tables[:down]) :][:some]

            bodies.append(partial(_draw_part, drive, first, count, numbers))
    foot = _("Side A (seats 1 and 3) v side B (seats 2 and 4), by the players' numbers.")
    return lists.titled(drive, _("Master sheet"), size, bodies, foot=foot, landscape=True)


def _draw_part(
    drive: DriveOnPaper, first: int, count: int, lines: list[int], canvas: Canvas, box: Box
) -> None:
    rounds = drive.rounds[first : first + count]
    seats = [dict(each.tables) for each in rounds]
    columns = [
        Column(_("Table"), 16, font=BOLD, size=12, heads=True),
        *(
            Column(_("Round %(round)s") % {"round": each.number}, 30, size=10.5)
            for each in rounds
        ),
    ]
    rows = [[_("Trumps"), *[""] * count]]
    for table in lines:
        cells = []
        for at, each in enumerate(rounds):
            four = seats[at].get(table)
            if table:
                cells.append("{} + {}  v  {} + {}".format(*_pairs(four)) if four else "–")
            else:
                cells.append(", ".join(map(str, each.rest)) or "–")
        rows.append([str(table) if table else _("Rest"), *cells])

    def inside(at: int, column: int, cell: Box) -> None:
        if not at and column:
            write_trumps(canvas, rounds[column - 1].trumps, cell, size=11)

    grid.draw(
        canvas, box, columns, rows, head=lists.HEAD, row=_ROW, title_size=9, inside=inside,
        heavy_after=(0,),
    )  # fmt: skip


def _pairs(four: tuple[int, int, int, int]) -> tuple[str, ...]:
    one, two, three, other = (str(each) if each > 0 else _("H") for each in four)
    return one, three, two, other


def _totals(drive: DriveOnPaper, size: pages.Size) -> Pages:
    columns = [
        Column(_("No."), 10, font=BOLD, size=13),
        Column(_("Name"), 60, align="left", size=12, heads=True),
        *([Column(_("Role"), 18, size=10)] if drive.roles else []),
        Column(_("First half"), 22, framed=True),
        Column(_("Second half"), 22, framed=True),
        Column(_("Total"), 24, framed=True),
        Column(_("Place"), 16),
    ]
    rows = []
    for player in drive.players:
        if not player.house:
            role = [player.role] if drive.roles else []
            rows.append([str(player.number), player.name, *role, "", "", "", ""])
    foot = _("All totals together: %(sum)s.") % {"sum": "_________"}
    return lists.listed(drive, _("Master sheet"), size, columns, rows, row=_LIST_ROW, foot=foot)


PAPER = PaperKind(
    name="master_sheet",
    title=gettext_lazy("Master sheet"),
    blurb=gettext_lazy("Every table of every round; or everybody, to write the totals in."),
    group=Group.TABLES,
    sheet=same,
    draw=draw,
    shows_cards=Cards.NONE,
    follows=Follows.SEATS | Follows.NAMES,
    lay=lay,
)
