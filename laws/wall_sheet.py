"""PDFs to hang on a wall: the laws in two columns on few pages, the etiquette on one page."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from reportlab.pdfgen.canvas import Canvas

from laws.book import DEFINITIONS, LAWS, LAWS_SOURCE
from laws.book.values import Law, LawSection, LetteredItem
from laws.single_table import (
    ETIQUETTE,
    ETIQUETTE_INTRODUCTION,
    ETIQUETTE_SOURCE,
    LAW_BOOKS_BY_CODE,
)
from laws.single_table.values import Chapter, NumberedLaw
from printing import paper, tags
from printing.box import MM, Box
from printing.fonts import LEADING_RATIO, SANS_FONT, SERIF_FONT
from printing.text_boxes import wrap_text, write_paragraph, write_text

_TEXT_FONT_SIZE = 9.0  # the type size of a paragraph in points
_TYPE_SIZE_FACTORS = (1.0, 0.975, 0.95, 0.925)
"""Factors of the type size: slightly smaller type is accepted if it saves a page."""
_TITLE_FONT_SIZE = 12.0
_COLUMN_GUTTER = 7 * MM
_ITEM_INDENT = 4 * MM
_PARAGRAPH_GAP = 1.2 * MM
_HEAD_HEIGHT = 16 * MM
_NOTICE_FONT_SIZE = 20.0  # the type size of the etiquette, which is read from a few steps away
_NOTICE_GAP = 6 * MM
_NOTICE_SHRINK_FACTOR = 0.975


@dataclass(frozen=True, slots=True)
class _Paragraph:
    """One paragraph: its text and its style."""

    text: str
    font: str = SANS_FONT
    size: float = _TEXT_FONT_SIZE
    indent: float = 0.0
    space_before: float = _PARAGRAPH_GAP
    is_kept_with_next: bool = False
    """Whether the paragraph must stay in one column with the next paragraph."""
    is_title: bool = False


def draw_laws(*, paper_size: paper.Size = "A4") -> bytes:
    """Return a PDF of the eleven laws of duplicate whist and the terms that they define."""
    return _draw_sheet(
        _("The Laws of Duplicate Whist"), _(LAWS_SOURCE), _iter_law_paragraphs(), paper_size
    )


def draw_law_book(code: str, *, paper_size: paper.Size = "A4") -> bytes:
    """Return a PDF of a law book for a single table, followed by the etiquette of whist."""
    book = LAW_BOOKS_BY_CODE[code]
    return _draw_sheet(book.title, book.source, _iter_book_paragraphs(code), paper_size)


def draw_etiquette(*, paper_size: paper.Size = "A4") -> bytes:
    """Return a PDF of the etiquette of whist, as a notice of one page in large type."""
    page = paper.get_page_box(paper_size)
    canvas = _start_page(page, ETIQUETTE.title)
    inner_box = page.inset(paper.PAGE_MARGIN)
    _draw_head(canvas, inner_box.get_top_strip(_HEAD_HEIGHT), ETIQUETTE.title)
    body = inner_box.exclude_top(_HEAD_HEIGHT)
    paragraphs = [_Paragraph(_(ETIQUETTE_INTRODUCTION), size=_NOTICE_FONT_SIZE, space_before=0)]
    paragraphs += [
        _Paragraph(rule.text, size=_NOTICE_FONT_SIZE, space_before=_NOTICE_GAP)
        for rule in ETIQUETTE.rules
    ]
    _draw_column(canvas, _shrink_to_column(paragraphs, body), body)
    paper.draw_footer(canvas, page, _(ETIQUETTE_SOURCE), 1, 1)
    canvas.showPage()
    return paper.finish_canvas(canvas)


def _shrink_to_column(paragraphs: list[_Paragraph], box: Box) -> list[_Paragraph]:
    """Reduce type size and gaps until the text fits one column; translations can be longer."""
    while sum(_measure_height(paragraph, box.width) for paragraph in paragraphs) > box.height:
        paragraphs = [
            replace(
                paragraph,
                size=paragraph.size * _NOTICE_SHRINK_FACTOR,
                space_before=paragraph.space_before * _NOTICE_SHRINK_FACTOR,
            )
            for paragraph in paragraphs
        ]
    return paragraphs


def _draw_sheet(
    title: str, source_text: str, paragraphs: Iterable[_Paragraph], paper_size: paper.Size
) -> bytes:
    page = paper.get_page_box(paper_size)
    canvas = _start_page(page, title)
    inner_box = page.inset(paper.PAGE_MARGIN)
    body = inner_box.exclude_top(_HEAD_HEIGHT).exclude_bottom(2 * MM)
    column_width = (body.width - _COLUMN_GUTTER) / 2
    columns = _lay_out_on_fewest_pages(list(paragraphs), column_width, body.height)
    page_count = (len(columns) + 1) // 2
    for page_index in range(page_count):
        with tags.mark_artifact(canvas, is_artifact=page_index > 0):
            _draw_head(canvas, inner_box.get_top_strip(_HEAD_HEIGHT), title)
        for column_index, column_paragraphs in enumerate(
            columns[2 * page_index : 2 * page_index + 2]
        ):
            column_left = body.left + column_index * (column_width + _COLUMN_GUTTER)
            _draw_column(
                canvas,
                column_paragraphs,
                Box(column_left, body.bottom, column_width, body.height),
            )
        paper.draw_footer(canvas, page, source_text, page_index + 1, page_count)
        canvas.showPage()
    return paper.finish_canvas(canvas)


def _start_page(page: Box, title: str) -> Canvas:
    canvas = paper.create_canvas(page, title)
    canvas.setAuthor("Overplay")
    return canvas


def _draw_head(canvas: Canvas, box: Box, title: str) -> None:
    with tags.open_element(canvas, "H1"):
        write_text(
            canvas, title, box.exclude_bottom(4 * MM), font=SERIF_FONT, size=22, min_size=12
        )
    canvas.setLineWidth(paper.THICK_LINE_POINTS)
    canvas.line(box.left, box.bottom + 3 * MM, box.right, box.bottom + 3 * MM)


def _draw_column(canvas: Canvas, paragraphs: list[_Paragraph], box: Box) -> None:
    for paragraph in paragraphs:
        remaining_box = box.exclude_top(paragraph.space_before)
        text_box = Box(
            box.left + paragraph.indent,
            remaining_box.bottom,
            box.width - paragraph.indent,
            remaining_box.height,
        )
        with tags.open_element(canvas, "H2" if paragraph.is_title else "P"):
            text_top = write_paragraph(
                canvas, paragraph.text, text_box, font=paragraph.font, size=paragraph.size
            )
        box = box.exclude_top(box.top - text_top)


def _iter_law_paragraphs() -> Iterator[_Paragraph]:
    for law in LAWS:
        yield from _iter_one_law_paragraphs(law)
    yield _build_title_paragraph(_("Words with an exact meaning"))
    for definition in DEFINITIONS:
        yield _Paragraph(f"({definition.mark}) {definition.term}: {definition.text}")
    yield from _iter_etiquette_paragraphs()


def _iter_book_paragraphs(code: str) -> Iterator[_Paragraph]:
    book = LAW_BOOKS_BY_CODE[code]
    if book.note:
        yield _Paragraph(book.note)
    for chapter in book.chapters:
        yield from _iter_chapter_paragraphs(chapter)
    yield from _iter_etiquette_paragraphs()


def _iter_chapter_paragraphs(chapter: Chapter) -> Iterator[_Paragraph]:
    yield _build_title_paragraph(chapter.title)
    for rule in chapter.rules:
        yield from _iter_numbered_law_paragraphs(rule)


def _iter_numbered_law_paragraphs(rule: NumberedLaw) -> Iterator[_Paragraph]:
    yield _Paragraph(f"{rule.number}  {rule.text}", is_kept_with_next=bool(rule.items))
    yield from _iter_item_paragraphs(rule.items)


def _iter_etiquette_paragraphs() -> Iterator[_Paragraph]:
    yield _build_title_paragraph(ETIQUETTE.title)
    yield _Paragraph(_(ETIQUETTE_INTRODUCTION))
    for rule in ETIQUETTE.rules:
        yield from _iter_numbered_law_paragraphs(rule)


def _iter_one_law_paragraphs(law: Law) -> Iterator[_Paragraph]:
    title = _("Law %(number)s – %(title)s") % {"number": law.number, "title": law.title}
    yield _build_title_paragraph(title)
    for section in law.sections:
        yield from _iter_section_paragraphs(section)


def _iter_section_paragraphs(section: LawSection) -> Iterator[_Paragraph]:
    yield _Paragraph(
        f"§{section.number}  {section.text}", is_kept_with_next=bool(section.items)
    )
    yield from _iter_item_paragraphs(section.items)


def _iter_item_paragraphs(items: tuple[LetteredItem, ...]) -> Iterator[_Paragraph]:
    for item in items:
        yield _Paragraph(
            f"({item.mark}) {item.text}", indent=_ITEM_INDENT, space_before=_PARAGRAPH_GAP / 2
        )


def _build_title_paragraph(title: str) -> _Paragraph:
    return _Paragraph(
        title,
        SERIF_FONT,
        _TITLE_FONT_SIZE,
        space_before=3 * MM,
        is_kept_with_next=True,
        is_title=True,
    )


def _lay_out_on_fewest_pages(
    paragraphs: list[_Paragraph], column_width: float, column_height: float
) -> list[list[_Paragraph]]:
    """Lay out the text on as few pages as possible, in the largest type that allows this."""
    layouts = (
        list(
            _fill_columns(
                [
                    replace(paragraph, size=paragraph.size * size_factor)
                    for paragraph in paragraphs
                ],
                column_width,
                column_height,
            )
        )
        for size_factor in _TYPE_SIZE_FACTORS
    )
    return min(layouts, key=lambda columns: (len(columns) + 1) // 2)


def _fill_columns(
    paragraphs: list[_Paragraph], column_width: float, column_height: float
) -> Iterator[list[_Paragraph]]:
    """Yield the blocks of each column; a title is never the last block of a column."""
    column_paragraphs: list[_Paragraph] = []
    remaining_height = column_height
    for index, paragraph in enumerate(paragraphs):
        needed_height = _measure_height(paragraph, column_width)
        combined_height = needed_height
        if paragraph.is_kept_with_next and index + 1 < len(paragraphs):
            combined_height += _measure_height(paragraphs[index + 1], column_width)
        if column_paragraphs and combined_height > remaining_height:
            yield column_paragraphs
            column_paragraphs, remaining_height = [], column_height
        column_paragraphs.append(paragraph)
        remaining_height -= needed_height
    yield column_paragraphs


def _measure_height(paragraph: _Paragraph, width: float) -> float:
    lines = wrap_text(paragraph.text, paragraph.font, paragraph.size, width - paragraph.indent)
    return paragraph.space_before + len(lines) * paragraph.size * LEADING_RATIO
