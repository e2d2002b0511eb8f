"""Papers in A4, A5 or Letter: whole pages, and slips on pages."""

from collections.abc import Callable, Sequence
from typing import Any, Literal, Protocol, get_args

from django.utils.translation import gettext as _
from reportlab.pdfgen.canvas import Canvas

from printing import paper
from printing.box import MM, Box
from printing.kinds import (
    OutdatingChanges,
    PaperGroup,
    PaperKind,
    ShownCards,
    TranslatableText,
    is_always_true,
)
from printing.layout import PageLayout
from printing.tags import TaggedCanvas
from printing.values import Heading

Size = Literal["A4", "A5", "Letter"]
DrawSlip = Callable[[Canvas, Box], None]


class HeadedSheet(Protocol):
    """The values printed on a paper, including the paper's heading."""

    @property
    def heading(self) -> Heading:
        """The club, the event and the date."""
        ...


def get_page_box(paper_size: Size, *, is_landscape: bool = False) -> Box:
    """Return the box of a whole page; raise UnknownPaperSize for another size."""
    if paper_size not in get_args(Size):
        message = _("Paper size “%(size)s” isn’t available. Choose A4, A5 or Letter.")
        raise paper.UnknownPaperSize(message % {"size": paper_size})
    if paper_size == "A5":
        short_edge, long_edge = 148 * MM, 210 * MM
        return (
            Box(0, 0, long_edge, short_edge)
            if is_landscape
            else Box(0, 0, short_edge, long_edge)
        )
    return paper.get_page_box(paper_size, is_landscape=is_landscape)


def start_canvas(
    headed_sheet: HeadedSheet, title: str, paper_size: Size, *, is_landscape: bool = False
) -> TaggedCanvas:
    """Start a paper with the club and the event of a sheet's heading in its metadata."""
    page = get_page_box(paper_size, is_landscape=is_landscape)
    canvas = paper.create_canvas(page, f"{title} – {headed_sheet.heading.event_name}")
    canvas.setAuthor(headed_sheet.heading.club_name)
    return canvas


def draw_pages(
    headed_sheet: HeadedSheet, title: str, layout: PageLayout, paper_size: Size
) -> bytes:
    """Draw laid-out pages and close the paper; raise NothingToPrint if there are none."""
    if not layout.page_count:
        message = _("Nothing to print: %(paper)s.") % {"paper": title}
        raise paper.NothingToPrint(message)
    canvas = start_canvas(headed_sheet, title, paper_size, is_landscape=layout.is_landscape)
    layout.draw(canvas)
    return paper.finish_canvas(canvas)


def return_unchanged(headed_sheet: HeadedSheet) -> HeadedSheet:
    """Return the sheet unchanged; used as `build_sheet` if the sheet is already built."""
    return headed_sheet


def create_kind_without_cards(
    *,
    name: str,
    title: TranslatableText,
    blurb: TranslatableText,
    group: PaperGroup,
    outdating_changes: OutdatingChanges,
    lay_out: Callable[..., PageLayout],
    heading: TranslatableText = "",
    is_offered: Callable[[Any], bool] = is_always_true,
    is_on_request: bool = False,
) -> PaperKind:
    """Create a kind of paper without cards; `lay_out` takes a `HeadedSheet` and `paper_size`.

    `heading` is the title in the PDF if it differs from the paper's title.
    """

    def draw(headed_sheet: HeadedSheet, *, paper_size: Size = "A4") -> bytes:
        return draw_pages(
            headed_sheet,
            str(heading or title),
            lay_out(headed_sheet, paper_size=paper_size),
            paper_size,
        )

    return PaperKind(
        name=name,
        title=title,
        blurb=blurb,
        group=group,
        build_sheet=return_unchanged,
        draw_pdf=draw,
        shown_cards=ShownCards.NONE,
        outdating_changes=outdating_changes,
        is_offered=is_offered,
        is_on_request=is_on_request,
        lay_out=lay_out,
    )


def lay_out_slips(
    draw_functions: Sequence[DrawSlip],
    paper_size: Size,
    *,
    column_count: int,
    row_count: int,
    is_landscape: bool = False,
) -> PageLayout:
    """Lay out slips in columns and rows on each page, with cutting marks."""
    page = get_page_box(paper_size, is_landscape=is_landscape)

    def draw(canvas: Canvas) -> None:
        paper.draw_slips(
            canvas,
            page,
            draw_functions,
            lambda draw_slip, tile: draw_slip(canvas, tile),
            column_count=column_count,
            row_count=row_count,
        )

    return PageLayout(-(-len(draw_functions) // (column_count * row_count)), draw, is_landscape)


def lay_out_half_pages(draw_functions: Sequence[DrawSlip], paper_size: Size) -> PageLayout:
    """Lay out A5 portrait slips: two to a sheet, or one on a sheet of A5."""
    if paper_size == "A5":
        return lay_out_slips(draw_functions, paper_size, column_count=1, row_count=1)
    return lay_out_slips(
        draw_functions, paper_size, column_count=2, row_count=1, is_landscape=True
    )


def lay_out_quarter_pages(draw_functions: Sequence[DrawSlip], paper_size: Size) -> PageLayout:
    """Lay out A6 portrait slips: four to a sheet, or two on a sheet of A5."""
    if paper_size == "A5":
        return lay_out_slips(
            draw_functions, paper_size, column_count=2, row_count=1, is_landscape=True
        )
    return lay_out_slips(draw_functions, paper_size, column_count=2, row_count=2)


def get_half_page_box(paper_size: Size) -> Box:
    """Return the box of one slip of `lay_out_half_pages`."""
    if paper_size == "A5":
        return get_page_box(paper_size)
    return get_page_box(paper_size, is_landscape=True).split_tiles(2, 1)[0]


def get_quarter_box(paper_size: Size) -> Box:
    """Return the box of one slip of `lay_out_quarter_pages`."""
    return (
        get_page_box(paper_size).split_tiles(2, 2)[0] if paper_size != "A5" else _get_a6_box()
    )


def _get_a6_box() -> Box:
    return get_page_box("A5", is_landscape=True).split_tiles(2, 1)[0]
