"""A sheet of paper: its size, its margins, the cutting marks and the footer."""

from collections.abc import Callable, Sequence
from typing import Literal, TypeVar, get_args

from django.http import HttpRequest
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from reportlab import rl_config
from reportlab.pdfgen.canvas import Canvas

from boards.whist.errors import WhistError
from printing import tags
from printing.box import MM, Box
from printing.fonts import SANS, register_face
from printing.tags import TaggedCanvas
from printing.text_boxes import write_text
from printing.values import Heading

Size = Literal["A4", "Letter"]
Slip = TypeVar("Slip")
PAGE_MARGIN = 10 * MM  # the margin of a page that is not cut, in points
rl_config.useA85 = 0  # binary streams are a fifth smaller than ASCII85 and faster
HAIR, THIN, THICK = 0.4, 0.6, 1.6  # line width in points; thinner lines disappear on copies
_SIZES_IN_POINTS = {"A4": (210 * MM, 297 * MM), "Letter": (612.0, 792.0)}
_CUT_MARK_LENGTH = 8 * MM


def parse_paper_size(request: HttpRequest) -> Size:
    """Return the paper size of a request: Letter for `?size=Letter`, else A4."""
    return "Letter" if request.GET.get("size") == "Letter" else "A4"


class UnknownPaperSize(WhistError, ValueError):
    """A paper size that is not supported."""

    code = "unknown_paper_size"


class NothingToPrint(WhistError, ValueError):
    """A paper without any page."""

    code = "nothing_to_print"


def start_canvas(
    size: Size, title: str, headings: Sequence[Heading], *, is_landscape: bool = False
) -> TaggedCanvas:
    """Start a paper whose bytes depend only on what is drawn.

    Raises UnknownPaperSize, and NothingToPrint without a heading.
    """
    if not headings:
        raise NothingToPrint(
            _("Nothing to print. %(paper)s needs boards and seats first.") % {"paper": title}
        )
    page = get_page_box(size, is_landscape=is_landscape)
    canvas = create_canvas(page, f"{title} – {headings[0].event}")
    canvas.setAuthor(headings[0].club)
    return canvas


def create_canvas(page: Box, title: str) -> TaggedCanvas:
    """Start a paper of this size with this title in its metadata."""
    canvas = TaggedCanvas(
        "paper.pdf",
        pagesize=(page.width, page.height),
        invariant=1,
        pdfVersion=(1, 7),
        lang=get_language(),
        # Otherwise every paper would refer to Helvetica, which is neither used nor embedded.
        initialFontName=register_face(SANS),
    )
    canvas.setTitle(title)
    canvas.setCreator("Overplay")
    canvas.setProducer("Overplay")
    return canvas


def get_page_box(size: Size, *, is_landscape: bool = False) -> Box:
    """Return the box of a whole page."""
    if size not in get_args(Size):
        raise UnknownPaperSize(
            _("Paper size “%(size)s” isn't available. Choose A4 or Letter.") % {"size": size}
        )
    short, long = _SIZES_IN_POINTS[size]
    return Box(0, 0, long, short) if is_landscape else Box(0, 0, short, long)


def draw_slips(
    canvas: Canvas,
    page: Box,
    slips: Sequence[Slip],
    draw_slip: Callable[[Slip, Box], None],
    *,
    across: int,
    down: int,
) -> None:
    """Draw slips in reading order, `across` times `down` on a page, with cutting marks."""
    tiles = page.split_tiles(across, down)
    for first in range(0, len(slips), len(tiles)):
        draw_cut_marks(canvas, page, across, down)
        for slip, tile in zip(slips[first:], tiles, strict=False):
            draw_slip(slip, tile)
        canvas.showPage()


def draw_cut_marks(canvas: Canvas, page: Box, across: int, down: int) -> None:
    """Draw short strokes at the page's edges, and crosses inside, where slips are cut apart."""
    xs = [page.left + page.width * place / across for place in range(across + 1)]
    ys = [page.bottom + page.height * place / down for place in range(down + 1)]
    inside = [(x, y) for x in xs[1:-1] for y in ys[1:-1]]
    strokes = [(x, y, x, y + reach) for x in xs[1:-1] for y, reach in _compute_mark_ends(ys)]
    strokes += [(x, y, x + reach, y) for y in ys[1:-1] for x, reach in _compute_mark_ends(xs)]
    strokes += [(x - _CUT_MARK_LENGTH / 3, y, x + _CUT_MARK_LENGTH / 3, y) for x, y in inside]
    strokes += [(x, y - _CUT_MARK_LENGTH / 3, x, y + _CUT_MARK_LENGTH / 3) for x, y in inside]
    canvas.setLineWidth(HAIR)
    if strokes:
        canvas.lines(strokes)


def draw_footer(canvas: Canvas, page: Box, text: str, number: int, pages: int) -> None:
    """Write the footer of a page: a text of one or two lines, and "page 2 of 3".

    Only the text of the first page is tagged for screen readers, which announce page numbers
    themselves.
    """
    box = Box(
        page.left + PAGE_MARGIN, page.bottom + 5 * MM, page.width - 2 * PAGE_MARGIN, 4 * MM
    )
    left, right = box.split_columns(4, 1)
    lines = text.split("\n")
    with tags.mark_artifact(canvas, is_artifact=number > 1), tags.open_element(canvas, "P"):
        for at, line in enumerate(lines):
            up = (len(lines) - 1 - 2 * at) * 1.8 * MM
            place = Box(left.left, left.bottom + up, left.width, left.height)
            write_text(canvas, line, place, font=SANS, size=8)
    message = _("page %(number)d of %(pages)d") % {"number": number, "pages": pages}
    with tags.mark_artifact(canvas):
        write_text(canvas, message, right, font=SANS, size=8, align="right")


def finish_canvas(canvas: Canvas) -> bytes:
    """Close a paper and return its bytes."""
    # ReportLab's stubs have no types for this method.
    pdf: bytes = canvas.getpdfdata()  # type: ignore[no-untyped-call]  # it has no types
    return pdf


def _compute_mark_ends(
    edges: Sequence[float],
) -> tuple[tuple[float, float], tuple[float, float]]:
    return (edges[0], _CUT_MARK_LENGTH), (edges[-1], -_CUT_MARK_LENGTH)
