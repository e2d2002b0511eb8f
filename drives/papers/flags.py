"""The sheets of forts in military whist: visits in both directions, and the flags won."""

from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from drives.papers.trumps import draw_trumps
from drives.sheets.on_paper import DriveOnPaper
from printing import grid, pages
from printing.box import MM, Box
from printing.fonts import BOLD
from printing.grid import Column
from printing.headings import draw_big_number, draw_slip_heading
from printing.kinds import OutdatedBy, PaperGroup
from printing.layout import Pages
from printing.text_boxes import write_text

_EDGE, _HEAD, _NAMES, _TITLES, _FOOT = 7 * MM, 24 * MM, 20 * MM, 8 * MM, 8 * MM
ROW, MAX_ROW_HEIGHT = 9 * MM, 20 * MM


def lay_out_pages(drive: DriveOnPaper, *, size: pages.Size) -> Pages:
    """Return the pages of a sheet for each fort; none where the form has no forts."""
    if drive.form != "military" or not drive.seated_rounds:
        return pages.lay_out_halves([], size)
    tile = pages.get_half_box(size)
    room = tile.height - 2 * _EDGE - _HEAD - _NAMES - _TITLES - _FOOT
    drawn = [
        partial(_draw_fort, drive, fort, part)
        for fort in range(1, len(drive.seated_rounds[0].tables) + 1)
        for part in grid.split_evenly(len(drive.seated_rounds), int(room / ROW) - 1)
    ]
    return pages.lay_out_halves(drawn, size)


def list_fort_visits(drive: DriveOnPaper) -> list[dict[int, tuple[int, int]]]:
    """Return for each round, by fort, the fort whose pair visits it, and the fort it visits.

    A fort is a table; its own pair has seats 1 and 3 there. The visiting pair's fort follows
    from the order of players, four by four.
    """
    fort_of = {player.number: at // 4 + 1 for at, player in enumerate(drive.players)}
    found = []
    for each in drive.seated_rounds:
        guests = {table: fort_of[seats[1]] for table, seats in each.tables}
        away = {guest: table for table, guest in guests.items()}
        found.append({table: (guests[table], away.get(table, table)) for table in guests})
    return found


def _draw_fort(drive: DriveOnPaper, fort: int, part: range, canvas: Canvas, tile: Box) -> None:
    inner = tile.inset(_EDGE)
    strip = inner.top_strip(_HEAD - 3 * MM)
    number = Box(strip.right - 26 * MM, strip.bottom, 26 * MM, strip.height)
    draw_big_number(canvas, number, str(fort), _("Fort"))
    heading = Box(strip.left, strip.bottom, strip.width - 29 * MM, strip.height)
    draw_slip_heading(canvas, heading.inset(0, 1 * MM), drive.heading)
    four = drive.players[4 * fort - 4 : 4 * fort]
    names = inner.without_top(_HEAD).top_strip(_NAMES)
    pairs = (
        (_("At home: %(pair)s"), four[:2]),
        (_("Visiting: %(pair)s"), four[2:]),
    )
    for at, (words, pair) in enumerate(pairs):
        line = Box(names.left, names.top - (at + 1) * 9 * MM, names.width, 8.5 * MM)
        called = " + ".join(drive.format_player(each.number) for each in pair)
        write_text(canvas, words % {"pair": called}, line, size=14, floor=9)
    body = inner.without_top(_HEAD + _NAMES)
    columns = [
        Column(_("Round"), 12, font=BOLD, size=13),
        Column(_("Trumps"), 18),
        Column(_("At home to fort"), 24, size=14),
        Column(_("Flags won"), 20, is_framed=True),
        Column(_("Visiting fort"), 22, font=BOLD, size=14),
        Column(_("Flags won"), 20, is_framed=True),
    ]
    seated = drive.seated_rounds[part.start : part.stop]
    met = list_fort_visits(drive)[part.start : part.stop]
    rows = [
        [str(each.number), "", str(who[fort][0]), "", str(who[fort][1]), ""]
        for each, who in zip(seated, met, strict=True)
    ]
    row = grid.compute_row_height(
        body.height - _TITLES - _FOOT, len(part) + 1, least=ROW, most=MAX_ROW_HEIGHT
    )

    def inside(at: int, column: int, cell: Box) -> None:
        if column == 1 and at < len(part):
            draw_trumps(canvas, seated[at].trumps, cell, size=13)

    rows.append([_("Total"), *[""] * 5])
    grid.draw_grid(
        canvas, body, columns, rows, head=_TITLES, row=row, heavy_after=(len(part) - 1,),
        inside=inside, cells=False,
    )  # fmt: skip
    words = _("Each hand won takes a flag from the other fort.")
    write_text(canvas, words, inner.bottom_strip(_FOOT - 2 * MM), size=11, floor=9)


PAPER = pages.create_kind_without_cards(
    name="flags",
    title=gettext_lazy("Flag sheets"),
    blurb=gettext_lazy("Military whist: opponents and flags for each fort."),
    group=PaperGroup.TABLES,
    follows=OutdatedBy.SEATS | OutdatedBy.NAMES,
    fits=lambda drive: drive.form == "military",
    lay=lay_out_pages,
)
