"""The explanations of an entry's numbers, on paper."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from printing import paper, tags
from printing.box import MM, Box
from printing.fonts import BOLD, LEADING_RATIO, SANS
from printing.headings import PAGE_TITLE_HEIGHT, draw_page_title
from printing.kinds import OutdatedBy, PaperGroup, PaperKind, ShownCards
from printing.text_boxes import wrap_text, write_paragraph
from scoring.papers.conditions import describe_wait_for_results, format_explanations_blurb
from scoring.sheets import papers
from scoring.sheets.explained_numbers import ExplainedStep, Explanation

_TYPE_SIZES = (9.5, 9.0, 8.5)  # points; smaller letters if they save a sheet
_TITLE_TYPE_SIZE = 13.0
_INDENT = 5 * MM
_GAP = 0.8 * MM


@dataclass(frozen=True, slots=True)
class ExplanationParagraph:
    """One paragraph: its text, its depth in nested lists, and whether it is a title."""

    text: str
    depth: int = 0
    is_title: bool = False
    body_size: float = _TYPE_SIZES[0]  # the font size except for titles, in points

    @property
    def size(self) -> float:
        """The font size in points."""
        return _TITLE_TYPE_SIZE if self.is_title else self.body_size

    @property
    def font(self) -> str:
        """The name of the font."""
        return BOLD if self.is_title else SANS


def draw_pdf(sheets: Sequence[Explanation], *, size: paper.Size = "A4") -> bytes:
    """Draw the explanations of each entry on separate pages, to be handed out."""
    canvas = paper.start_canvas(
        size, _("How scores were worked out"), [sheet.heading for sheet in sheets]
    )
    for sheet in sheets:
        _draw_entry(canvas, sheet, size)
    return paper.finish_canvas(canvas)


def _draw_entry(canvas: Canvas, sheet: Explanation, size: paper.Size) -> None:
    page = paper.get_page_box(size)
    inner = page.inset(paper.PAGE_MARGIN)
    pages = _fill_fewest_pages(
        list(_iter_paragraphs(sheet)), inner.width, inner.height - PAGE_TITLE_HEIGHT - 4 * MM
    )
    for number, pieces in enumerate(pages, start=1):
        title = f"{sheet.label} {sheet.name}"
        draw_page_title(canvas, inner, sheet.heading, title, number=number)
        box = inner.without_top(PAGE_TITLE_HEIGHT)
        lists = _OpenLists(canvas)
        for piece in pieces:
            lists.begin_item(-1 if piece.is_title else piece.depth)
            box = _draw_paragraph(canvas, piece, box)
        lists.begin_item(-1)
        paper.draw_footer(canvas, page, _("How scores were worked out"), number, len(pages))
        canvas.showPage()


def _draw_paragraph(canvas: Canvas, piece: ExplanationParagraph, box: Box) -> Box:
    indent = piece.depth * _INDENT
    inner = Box(box.left + indent, box.bottom, box.width - indent, box.height)
    with tags.open_element(canvas, "H2" if piece.is_title else "P"):
        lower = write_paragraph(canvas, piece.text, inner, font=piece.font, size=piece.size)
    return box.without_top(box.top - lower + _GAP)


class _OpenLists:
    """The stack of unclosed list tags in the tagged PDF; each list is nested in an item of the
    one before.
    """

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._levels: list[tuple[int, ExitStack, ExitStack]] = []  # depth, list, item

    def begin_item(self, depth: int) -> None:
        """Close deeper lists and begin an item at a depth; below 0 close all lists."""
        while self._levels and self._levels[-1][0] > depth:
            _depth, open_item, item = self._levels.pop()
            item.close()
            open_item.close()
        if depth < 0:
            return
        if not self._levels or self._levels[-1][0] < depth:
            open_item = ExitStack()
            open_item.enter_context(tags.open_element(self._canvas, "L"))
            self._levels.append((depth, open_item, ExitStack()))
        item = self._levels[-1][2]
        item.close()
        for tag in ("LI", "LBody"):
            item.enter_context(tags.open_element(self._canvas, tag))


def _iter_paragraphs(sheet: Explanation) -> Iterator[ExplanationParagraph]:
    if not sheet.complete:
        note = _("Provisional: some results are still missing.")
        warning = _("Don't show players: boards are still to be played.")
        yield ExplanationParagraph(f"{note} {warning}")
    for figure in sheet.figures:
        yield ExplanationParagraph(figure.title, is_title=True)
        for step in figure.steps:
            yield from _iter_explained_paragraphs(step, 0)


def _iter_explained_paragraphs(
    explained: ExplainedStep, depth: int
) -> Iterator[ExplanationParagraph]:
    yield ExplanationParagraph(explained.words, depth)
    for note in explained.notes:
        yield ExplanationParagraph(f"* {note}", depth + 1)
    for part in explained.parts:
        yield from _iter_explained_paragraphs(part, depth + 1)


def _fill_fewest_pages(
    pieces: Sequence[ExplanationParagraph], width: float, height: float
) -> list[list[ExplanationParagraph]]:
    """Lay out the pieces in the largest letters that need no more pages than the smallest."""
    attempts = (
        _fill_pages([replace(piece, body_size=size) for piece in pieces], width, height)
        for size in _TYPE_SIZES
    )
    return min(attempts, key=len)


def _fill_pages(
    pieces: Sequence[ExplanationParagraph], width: float, height: float
) -> list[list[ExplanationParagraph]]:
    """Fill page after page; a title is never the last piece of a page."""
    pages: list[list[ExplanationParagraph]] = [[]]
    room = height
    for place, piece in enumerate(pieces):
        needed = _measure_height(piece, width)
        keeps_with_next = (
            _measure_height(pieces[place + 1], width)
            if piece.is_title and pieces[place + 1 :]
            else 0
        )
        if pages[-1] and needed + keeps_with_next > room:
            pages.append([])
            room = height
        pages[-1].append(piece)
        room -= needed
    return pages


def _measure_height(piece: ExplanationParagraph, width: float) -> float:
    lines = wrap_text(piece.text, piece.font, piece.size, width - piece.depth * _INDENT)
    return len(lines) * piece.size * LEADING_RATIO + _GAP


PAPER = PaperKind(
    name="explanations",
    title=gettext_lazy("How scores are worked out"),
    blurb=format_explanations_blurb,
    group=PaperGroup.RESULTS,
    build_sheet=papers.build_explanations,
    draw_pdf=draw_pdf,
    shown_cards=ShownCards.NONE,
    outdated_by=OutdatedBy.NAMES,
    describe_wait=describe_wait_for_results,
)
