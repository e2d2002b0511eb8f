"""Papers in A4, A5 or Letter: whole pages, and slips laid out on them."""

from collections.abc import Callable, Sequence
from typing import Any, Literal, Protocol, get_args

from django.utils.translation import gettext as _
from reportlab.pdfgen.canvas import Canvas

from printing import paper
from printing.box import MM, Box
from printing.kinds import Cards, Follows, Group, PaperKind, Words, always
from printing.laying import Pages
from printing.tags import Tagged
from printing.values import Heading

Size = Literal["A4", "A5", "Letter"]
Draw = Callable[[Canvas, Box], None]


class Headed(Protocol):
    """Values from which papers are drawn, with a heading."""

    @property
    def heading(self) -> Heading:
        """The club, the name and the date."""
        ...


def page_box(size: Size, *, landscape: bool = False) -> Box:
    """Return the whole page; raise UnknownPaperSize."""
    if size not in get_args(Size):
        words = _("There is no paper size “%(size)s” here. Choose A4, A5 or Letter.")
        raise paper.UnknownPaperSize(words % {"size": size})
    if size == "A5":
        short, long = 148 * MM, 210 * MM
        return Box(0, 0, long, short) if landscape else Box(0, 0, short, long)
    return paper.page_box(size, landscape=landscape)


def start(sheet: Headed, title: str, size: Size, *, landscape: bool = False) -> Tagged:
    """Start a paper with a heading's club and event."""
    page = page_box(size, landscape=landscape)
    canvas = paper.blank(page, f"{title} – {sheet.heading.event}")
    canvas.setAuthor(sheet.heading.club)
    return canvas


def printed(sheet: Headed, title: str, laid: Pages, size: Size) -> bytes:
    """Draw laid-out pages and close the paper; raise NothingToPrint if there are none."""
    if not laid.count:
        words = _("There is nothing to print: %(paper)s.") % {"paper": title}
        raise paper.NothingToPrint(words)
    canvas = start(sheet, title, size, landscape=laid.landscape)
    laid.draw(canvas)
    return paper.finish(canvas)


def same(sheet: Headed) -> Headed:
    """Return the values unchanged, for papers that need no other ones."""
    return sheet


def laid_paper(
    *,
    name: str,
    title: Words,
    blurb: Words,
    group: Group,
    follows: Follows,
    lay: Callable[..., Pages],
    heading: Words = "",
    fits: Callable[[Any], bool] = always,
    on_request: bool = False,
) -> PaperKind:
    """Make a kind of paper without cards; `lay` lays it out from a `Headed` and a `size`.

    `heading` is the title in the PDF if it differs from the paper's.
    """

    def draw(sheet: Headed, *, size: Size = "A4") -> bytes:
        return printed(sheet, str(heading or title), lay(sheet, size=size), size)

    return PaperKind(
        name=name,
        title=title,
        blurb=blurb,
        group=group,
        sheet=same,
        draw=draw,
        shows_cards=Cards.NONE,
        follows=follows,
        fits=fits,
        on_request=on_request,
        lay=lay,
    )


def slips(
    drawn: Sequence[Draw], size: Size, *, across: int, down: int, landscape: bool = False
) -> Pages:
    """Lay out slips, `across` times `down` on a page, with cutting marks."""
    page = page_box(size, landscape=landscape)

    def draw(canvas: Canvas) -> None:
        paper.tiled(
            canvas, page, drawn, lambda slip, tile: slip(canvas, tile), across=across, down=down
        )

    return Pages(-(-len(drawn) // (across * down)), draw, landscape)


def halves(drawn: Sequence[Draw], size: Size) -> Pages:
    """Lay out A5 portrait slips: two to a sheet, or one on a sheet of A5."""
    if size == "A5":
        return slips(drawn, size, across=1, down=1)
    return slips(drawn, size, across=2, down=1, landscape=True)


def quarters(drawn: Sequence[Draw], size: Size) -> Pages:
    """Lay out A6 portrait slips: four to a sheet, or two on a sheet of A5."""
    if size == "A5":
        return slips(drawn, size, across=2, down=1, landscape=True)
    return slips(drawn, size, across=2, down=2)


def half_box(size: Size) -> Box:
    """Return the box of a slip of `halves`."""
    if size == "A5":
        return page_box(size)
    return page_box(size, landscape=True).tiles(2, 1)[0]


def quarter_box(size: Size) -> Box:
    """Return the box of a slip of `quarters`."""
    return page_box(size).tiles(2, 2)[0] if size != "A5" else _a6()


def _a6() -> Box:
    return page_box("A5", landscape=True).tiles(2, 1)[0]
