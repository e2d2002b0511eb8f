"""Sheets of a drive's papers: their sizes, and slips laid out on them."""

from collections.abc import Callable, Sequence
from typing import Literal, get_args

from django.utils.translation import gettext as _
from reportlab.pdfgen.canvas import Canvas

from drives.sheets.on_paper import Headed
from printing import paper
from printing.box import MM, Box
from printing.laying import Pages
from printing.tags import Tagged

Size = Literal["A4", "A5", "Letter"]
Draw = Callable[[Canvas, Box], None]


def page_box(size: Size, *, landscape: bool = False) -> Box:
    """The whole page; raises UnknownPaperSize."""
    if size not in get_args(Size):
        words = _("There is no paper size “%(size)s” here. Choose A4, A5 or Letter.")
        raise paper.UnknownPaperSize(words % {"size": size})
    if size == "A5":
        short, long = 148 * MM, 210 * MM
        return Box(0, 0, long, short) if landscape else Box(0, 0, short, long)
    return paper.page_box(size, landscape=landscape)


def start(drive: Headed, title: str, size: Size, *, landscape: bool = False) -> Tagged:
    """Open a paper of a drive or a night."""
    page = page_box(size, landscape=landscape)
    canvas = paper.blank(page, f"{title} – {drive.heading.event}")
    canvas.setAuthor(drive.heading.club)
    return canvas


def printed(drive: Headed, title: str, laid: Pages, size: Size) -> bytes:
    """Draw pages that were laid out and close the paper; raises NothingToPrint."""
    if not laid.count:
        words = _("There is nothing to print: %(paper)s.") % {"paper": title}
        raise paper.NothingToPrint(words)
    canvas = start(drive, title, size, landscape=laid.landscape)
    laid.draw(canvas)
    return paper.finish(canvas)


def slips(
    drawn: Sequence[Draw], size: Size, *, across: int, down: int, landscape: bool = False
) -> Pages:
    """Lay slips out, so many to a page, with marks to cut them apart."""
    page = page_box(size, landscape=landscape)

    def draw(canvas: Canvas) -> None:
        paper.tiled(
            canvas, page, drawn, lambda slip, tile: slip(canvas, tile), across=across, down=down
        )

    return Pages(-(-len(drawn) // (across * down)), draw, landscape)


def halves(drawn: Sequence[Draw], size: Size) -> Pages:
    """Lay slips of A5 upright out: two to a sheet, or one on a sheet of that size."""
    if size == "A5":
        return slips(drawn, size, across=1, down=1)
    return slips(drawn, size, across=2, down=1, landscape=True)


def quarters(drawn: Sequence[Draw], size: Size) -> Pages:
    """Lay slips of A6 upright out: four to a sheet, or two on a sheet of A5."""
    if size == "A5":
        return slips(drawn, size, across=2, down=1, landscape=True)
    return slips(drawn, size, across=2, down=2)


def half_box(size: Size) -> Box:
    """The place that a slip of `halves` has."""
    if size == "A5":
        return page_box(size)
    return page_box(size, landscape=True).tiles(2, 1)[0]


def quarter_box(size: Size) -> Box:
    """The place that a slip of `quarters` has."""
    return page_box(size).tiles(2, 2)[0] if size != "A5" else _a6()


def _a6() -> Box:
    return page_box("A5", landscape=True).tiles(2, 1)[0]
