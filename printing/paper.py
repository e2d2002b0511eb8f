"""Creates PDFs and pages, and draws cutting marks and footers."""

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
from printing.fonts import SANS_FONT, register_face
from printing.tags import TaggedCanvas
from printing.text_boxes import wrap_text, write_text
from printing.values import Heading

Size = Literal["A4", "Letter"]
SlipT = TypeVar("SlipT")
PAGE_MARGIN = 10 * MM  # the margin of a page that is not cut, in points
rl_config.useA85 = 0  # binary streams are a fifth smaller than ASCII85 and faster
HAIRLINE_POINTS, THIN_LINE_POINTS, THICK_LINE_POINTS = (
    0.4,
    0.6,
    1.6,
)  # line width in points; thinner lines disappear on copies
_SIZES_IN_POINTS = {"A4": (210 * MM, 297 * MM), "Letter": (612.0, 792.0)}
_CUT_MARK_LENGTH = 8 * MM
_FOOTER_TYPE_SIZE = 8.0  # in points
_MAX_FOOTER_LINES = 2


def parse_paper_size(request: HttpRequest) -> Size:
    """Return the paper size of a request: Letter for `?size=Letter`, else A4."""
    return "Letter" if request.GET.get("size") == "Letter" else "A4"


class UnknownPaperSize(WhistError, ValueError):
    """A paper size that is not supported."""

    code = "unknown_paper_size"


class NothingToPrint(WhistError, ValueError):
    """Raised if a paper would have no pages."""

    code = "nothing_to_print"


def start_canvas(
    paper_size: Size, title: str, headings: Sequence[Heading], *, is_landscape: bool = False
) -> TaggedCanvas:
    """Start a PDF; the same drawings always give the same bytes.

    Raises UnknownPaperSize for an unsupported size, and NothingToPrint if `headings` is empty.
    """
    if not headings:
        raise NothingToPrint(
            _("Nothing to print. %(paper)s needs boards and seats first.") % {"paper": title}
        )
    page = get_page_box(paper_size, is_landscape=is_landscape)
    canvas = create_canvas(page, f"{title} – {headings[0].event_name}")
    canvas.setAuthor(headings[0].club_name)
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
        initialFontName=register_face(SANS_FONT),
    )
    canvas.setTitle(title)
    canvas.setCreator("Overplay")
    canvas.setProducer("Overplay")
    return canvas


def get_page_box(paper_size: Size, *, is_landscape: bool = False) -> Box:
    """Return the box of a whole page."""
    if paper_size not in get_args(Size):
        raise UnknownPaperSize(
            _("Paper size “%(size)s” isn’t available. Choose A4 or Letter.")
            % {"size": paper_size}
        )
    short_edge, long_edge = _SIZES_IN_POINTS[paper_size]
    return (
        Box(0, 0, long_edge, short_edge) if is_landscape else Box(0, 0, short_edge, long_edge)
    )


def draw_slips(
    canvas: Canvas,
    page: Box,
    slips: Sequence[SlipT],
    draw_slip: Callable[[SlipT, Box], None],
    *,
    column_count: int,
    row_count: int,
) -> None:
    """Draw slips in reading order, in columns and rows on each page, with cutting marks."""
    tiles = page.split_tiles(column_count, row_count)
    for start_index in range(0, len(slips), len(tiles)):
        draw_cut_marks(canvas, page, column_count, row_count)
        for slip, tile in zip(slips[start_index:], tiles, strict=False):
            draw_slip(slip, tile)
        canvas.showPage()


def draw_cut_marks(canvas: Canvas, page: Box, column_count: int, row_count: int) -> None:
    """Draw strokes at the page's edges, and crosses inside it, where slips are cut apart."""
    xs = [page.left + page.width * index / column_count for index in range(column_count + 1)]
    ys = [page.bottom + page.height * index / row_count for index in range(row_count + 1)]
    inner_corners = [(x, y) for x in xs[1:-1] for y in ys[1:-1]]
    strokes = [
        (x, y, x, y + mark_length)
        for x in xs[1:-1]
        for y, mark_length in _compute_mark_ends(ys)
    ]
    strokes += [
        (x, y, x + mark_length, y)
        for y in ys[1:-1]
        for x, mark_length in _compute_mark_ends(xs)
    ]
    strokes += [
        (x - _CUT_MARK_LENGTH / 3, y, x + _CUT_MARK_LENGTH / 3, y) for x, y in inner_corners
    ]
    strokes += [
        (x, y - _CUT_MARK_LENGTH / 3, x, y + _CUT_MARK_LENGTH / 3) for x, y in inner_corners
    ]
    canvas.setLineWidth(HAIRLINE_POINTS)
    if strokes:
        canvas.lines(strokes)


def draw_footer(
    canvas: Canvas, page: Box, footer_text: str, page_number: int, page_count: int
) -> None:
    """Write the footer of a page: a text of one or two lines, and "page 2 of 3".

    Only the text of the first page is tagged for screen readers, which announce page numbers
    themselves.
    """
    box = Box(
        page.left + PAGE_MARGIN, page.bottom + 5 * MM, page.width - 2 * PAGE_MARGIN, 4 * MM
    )
    left_box, right_box = box.split_columns(4, 1)
    footer_lines = footer_text.split("\n")
    if len(footer_lines) == 1:
        footer_lines = wrap_text(footer_text, SANS_FONT, _FOOTER_TYPE_SIZE, left_box.width)
    if len(footer_lines) > _MAX_FOOTER_LINES:
        footer_lines = [footer_text]  # `write_text` reduces the type size until the text fits
    with (
        tags.mark_artifact(canvas, is_artifact=page_number > 1),
        tags.open_element(canvas, "P"),
    ):
        for index, footer_line in enumerate(footer_lines):
            line_offset = (len(footer_lines) - 1 - 2 * index) * 1.8 * MM
            line_box = Box(
                left_box.left, left_box.bottom + line_offset, left_box.width, left_box.height
            )
            write_text(canvas, footer_line, line_box, font=SANS_FONT, size=_FOOTER_TYPE_SIZE)
    page_text = _("page %(number)d of %(pages)d") % {"number": page_number, "pages": page_count}
    with tags.mark_artifact(canvas):
        write_text(
            canvas, page_text, right_box, font=SANS_FONT, size=_FOOTER_TYPE_SIZE, align="right"
        )


def finish_canvas(canvas: Canvas) -> bytes:
    """Close a paper and return its bytes."""
    pdf: bytes = canvas.getpdfdata()  # type: ignore[no-untyped-call]  # it has no types
    return pdf


def _compute_mark_ends(
    edges: Sequence[float],
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the start and the signed length of the cutting mark at each end of a page."""
    return (edges[0], _CUT_MARK_LENGTH), (edges[-1], -_CUT_MARK_LENGTH)
