"""A printed paper for each entry that explains how its score and rank were computed."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from printing import paper, tags
from printing.box import MM, Box
from printing.fonts import BOLD_FONT, LEADING_RATIO, SANS_FONT
from printing.headings import PAGE_TITLE_HEIGHT, draw_page_title
from printing.kinds import OutdatingChanges, PaperGroup, PaperKind, ShownCards
from printing.text_boxes import wrap_text, write_paragraph
from scoring.papers.conditions import describe_step_before_results, format_explanations_blurb
from scoring.sheets import papers
from scoring.sheets.explained_numbers import ExplainedStep, Explanation

_TYPE_SIZES = (9.5, 9.0, 8.5)  # points; a smaller size is used if it saves a page
_TITLE_TYPE_SIZE = 13.0
_INDENT = 5 * MM
_PARAGRAPH_GAP = 0.8 * MM


@dataclass(frozen=True, slots=True)
class ExplanationParagraph:
    """One paragraph: its text, its depth in nested lists, and whether it is a title."""

    text: str
    depth: int = 0
    is_title: bool = False
    body_size: float = _TYPE_SIZES[0]  # points; titles have `_TITLE_TYPE_SIZE`

    @property
    def type_size(self) -> float:
        """The font size in points."""
        return _TITLE_TYPE_SIZE if self.is_title else self.body_size

    @property
    def font(self) -> str:
        """The name of the font."""
        return BOLD_FONT if self.is_title else SANS_FONT


def draw_pdf(explanations: Sequence[Explanation], *, paper_size: paper.Size = "A4") -> bytes:
    """Draw the explanations of each entry on separate pages, to be handed out."""
    canvas = paper.start_canvas(
        paper_size,
        _("How scores were worked out"),
        [explanation.heading for explanation in explanations],
    )
    for explanation in explanations:
        _draw_explanation_pages(canvas, explanation, paper_size)
    return paper.finish_canvas(canvas)


def _draw_explanation_pages(
    canvas: Canvas, explanation: Explanation, paper_size: paper.Size
) -> None:
    page = paper.get_page_box(paper_size)
    inner_box = page.inset(paper.PAGE_MARGIN)
    pages = _paginate_on_fewest_pages(
        list(_iter_paragraphs(explanation)),
        inner_box.width,
        inner_box.height - PAGE_TITLE_HEIGHT - 4 * MM,
    )
    for page_number, paragraphs in enumerate(pages, start=1):
        title = f"{explanation.label} {explanation.name}"
        draw_page_title(canvas, inner_box, explanation.heading, title, page_number=page_number)
        box = inner_box.exclude_top(PAGE_TITLE_HEIGHT)
        open_list_tags = _OpenListTags(canvas)
        for paragraph in paragraphs:
            open_list_tags.begin_item(-1 if paragraph.is_title else paragraph.depth)
            box = _draw_paragraph(canvas, paragraph, box)
        open_list_tags.begin_item(-1)
        paper.draw_footer(
            canvas, page, _("How scores were worked out"), page_number, len(pages)
        )
        canvas.showPage()


def _draw_paragraph(canvas: Canvas, paragraph: ExplanationParagraph, box: Box) -> Box:
    indent_width = paragraph.depth * _INDENT
    inner_box = Box(box.left + indent_width, box.bottom, box.width - indent_width, box.height)
    with tags.open_element(canvas, "H2" if paragraph.is_title else "P"):
        lower_edge = write_paragraph(
            canvas, paragraph.text, inner_box, font=paragraph.font, size=paragraph.type_size
        )
    return box.exclude_top(box.top - lower_edge + _PARAGRAPH_GAP)


class _OpenListTags:
    """The list tags that are still open in a tagged PDF, the outermost list first."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        # The depth of each open list, and the open tags of the list and of its item.
        self._levels: list[tuple[int, ExitStack, ExitStack]] = []

    def begin_item(self, depth: int) -> None:
        """Begin a list item at a depth, after closing the lists that are deeper.

        A negative depth closes all lists and begins no item.
        """
        while self._levels and self._levels[-1][0] > depth:
            _list_depth, list_stack, item_stack = self._levels.pop()
            item_stack.close()
            list_stack.close()
        if depth < 0:
            return
        if not self._levels or self._levels[-1][0] < depth:
            list_stack = ExitStack()
            list_stack.enter_context(tags.open_element(self._canvas, "L"))
            self._levels.append((depth, list_stack, ExitStack()))
        item_stack = self._levels[-1][2]
        item_stack.close()
        for tag in ("LI", "LBody"):
            item_stack.enter_context(tags.open_element(self._canvas, tag))


def _iter_paragraphs(explanation: Explanation) -> Iterator[ExplanationParagraph]:
    if not explanation.is_complete:
        provisional_note = _("Provisional: some results are still missing.")
        warning = _("Don’t show this to players. Some boards haven’t been played yet.")
        yield ExplanationParagraph(f"{provisional_note} {warning}")
    for explained_number in explanation.explained_numbers:
        yield ExplanationParagraph(explained_number.title, is_title=True)
        for step in explained_number.steps:
            yield from _iter_explained_paragraphs(step, 0)


def _iter_explained_paragraphs(
    explained_step: ExplainedStep, depth: int
) -> Iterator[ExplanationParagraph]:
    yield ExplanationParagraph(explained_step.sentence, depth)
    for note in explained_step.notes:
        yield ExplanationParagraph(f"* {note}", depth + 1)
    for part_step in explained_step.parts:
        yield from _iter_explained_paragraphs(part_step, depth + 1)


def _paginate_on_fewest_pages(
    paragraphs: Sequence[ExplanationParagraph], width: float, height: float
) -> list[list[ExplanationParagraph]]:
    """Lay out the paragraphs in the largest type that needs no more pages than the smallest."""
    layouts = (
        _paginate_paragraphs(
            [replace(paragraph, body_size=type_size) for paragraph in paragraphs], width, height
        )
        for type_size in _TYPE_SIZES
    )
    return min(layouts, key=len)


def _paginate_paragraphs(
    paragraphs: Sequence[ExplanationParagraph], width: float, height: float
) -> list[list[ExplanationParagraph]]:
    """Fill page after page; a title is never the last paragraph of a page."""
    pages: list[list[ExplanationParagraph]] = [[]]
    remaining_height = height
    for index, paragraph in enumerate(paragraphs):
        needed_height = _measure_height(paragraph, width)
        next_paragraph_height = (
            _measure_height(paragraphs[index + 1], width)
            if paragraph.is_title and paragraphs[index + 1 :]
            else 0
        )
        if pages[-1] and needed_height + next_paragraph_height > remaining_height:
            pages.append([])
            remaining_height = height
        pages[-1].append(paragraph)
        remaining_height -= needed_height
    return pages


def _measure_height(paragraph: ExplanationParagraph, width: float) -> float:
    text_lines = wrap_text(
        paragraph.text, paragraph.font, paragraph.type_size, width - paragraph.depth * _INDENT
    )
    return len(text_lines) * paragraph.type_size * LEADING_RATIO + _PARAGRAPH_GAP


PAPER_KIND = PaperKind(
    name="explanations",
    title=gettext_lazy("How scores are worked out"),
    blurb=format_explanations_blurb,
    group=PaperGroup.RESULTS,
    build_sheet=papers.build_explanations,
    draw_pdf=draw_pdf,
    shown_cards=ShownCards.NONE,
    outdating_changes=OutdatingChanges.NAMES,
    describe_required_step=describe_step_before_results,
)
