"""Laws and etiquette as sheets for the wall: two columns, as few readable pages as possible."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from reportlab.pdfgen.canvas import Canvas

from laws.book import ADOPTED, DEFINITIONS, LAWS
from laws.book.values import Item, Law, Section
from laws.single_table import BOOKS, ETIQUETTE, ETIQUETTE_ABOUT, ETIQUETTE_SOURCE
from laws.single_table.values import Chapter, Rule
from printing import paper, tags
from printing.box import MM, Box
from printing.fonts import LEADING_RATIO, SANS, SERIF
from printing.text_boxes import wrap_text, write_paragraph, write_text

_TEXT = 9.0  # points
_SIZES = (1.0, 0.975, 0.95, 0.925)
"""Factors of the type size: slightly smaller type is accepted if it saves a page."""
_TITLE = 12.0
_GUTTER = 7 * MM
_INDENT = 4 * MM
_GAP = 1.2 * MM
_HEAD = 16 * MM
_NOTICE = 20.0  # points, of a notice that is read from a few steps away
_NOTICE_GAP = 6 * MM


@dataclass(frozen=True, slots=True)
class _Block:
    """One paragraph: its text and its style."""

    text: str
    font: str = SANS
    size: float = _TEXT
    indent: float = 0.0
    before: float = _GAP
    keep: bool = False
    """Whether the paragraph must stay in one column with the next paragraph."""
    is_title: bool = False


def draw(*, size: paper.Size = "A4") -> bytes:
    """Print the eleven laws of duplicate whist and the words that they define."""
    return _print_sheet(_("The Laws of Duplicate Whist"), _(ADOPTED), _blocks(), size)


def draw_book(code: str, *, size: paper.Size = "A4") -> bytes:
    """Print a law book for a single table, and the etiquette of whist after it."""
    book = BOOKS[code]
    return _print_sheet(book.title, book.source, _of_book(code), size)


def draw_etiquette(*, size: paper.Size = "A4") -> bytes:
    """Print the etiquette of whist as a notice of one page, in large type."""
    page = paper.get_page_box(size)
    canvas = _start(page, ETIQUETTE.title)
    inner = page.inset(paper.PAGE_MARGIN)
    _head(canvas, inner.top_strip(_HEAD), ETIQUETTE.title)
    blocks = [_Block(_(ETIQUETTE_ABOUT), size=_NOTICE, before=0)]
    blocks += [_Block(rule.text, size=_NOTICE, before=_NOTICE_GAP) for rule in ETIQUETTE.rules]
    _column(canvas, blocks, inner.without_top(_HEAD))
    paper.draw_footer(canvas, page, _(ETIQUETTE_SOURCE), 1, 1)
    canvas.showPage()
    return paper.finish_canvas(canvas)


def _print_sheet(title: str, source: str, blocks: Iterable[_Block], size: paper.Size) -> bytes:
    page = paper.get_page_box(size)
    canvas = _start(page, title)
    inner = page.inset(paper.PAGE_MARGIN)
    body = inner.without_top(_HEAD).without_bottom(2 * MM)
    width = (body.width - _GUTTER) / 2
    columns = _fewest(list(blocks), width, body.height)
    pages = (len(columns) + 1) // 2
    for number in range(pages):
        with tags.mark_artifact(canvas, when=number > 0):
            _head(canvas, inner.top_strip(_HEAD), title)
        for place, filled in enumerate(columns[2 * number : 2 * number + 2]):
            left = body.left + place * (width + _GUTTER)
            _column(canvas, filled, Box(left, body.bottom, width, body.height))
        paper.draw_footer(canvas, page, source, number + 1, pages)
        canvas.showPage()
    return paper.finish_canvas(canvas)


def _start(page: Box, title: str) -> Canvas:
    canvas = paper.create_canvas(page, title)
    canvas.setAuthor("Overplay")
    return canvas


def _head(canvas: Canvas, box: Box, title: str) -> None:
    with tags.open_element(canvas, "H1"):
        write_text(canvas, title, box.without_bottom(4 * MM), font=SERIF, size=22, floor=12)
    canvas.setLineWidth(paper.THICK)
    canvas.line(box.left, box.bottom + 3 * MM, box.right, box.bottom + 3 * MM)


def _column(canvas: Canvas, blocks: list[_Block], box: Box) -> None:
    for each in blocks:
        room = box.without_top(each.before)
        inside = Box(box.left + each.indent, room.bottom, box.width - each.indent, room.height)
        with tags.open_element(canvas, "H2" if each.is_title else "P"):
            top = write_paragraph(canvas, each.text, inside, font=each.font, size=each.size)
        box = box.without_top(box.top - top)


def _blocks() -> Iterator[_Block]:
    for law in LAWS:
        yield from _law(law)
    yield _title(_("Words with an exact meaning"))
    for definition in DEFINITIONS:
        yield _Block(f"({definition.mark}) {definition.word}: {definition.text}")
    yield from _etiquette()


def _of_book(code: str) -> Iterator[_Block]:
    book = BOOKS[code]
    if book.note:
        yield _Block(book.note)
    for chapter in book.chapters:
        yield from _chapter(chapter)
    yield from _etiquette()


def _chapter(chapter: Chapter) -> Iterator[_Block]:
    yield _title(chapter.title)
    for rule in chapter.rules:
        yield from _rule(rule)


def _rule(rule: Rule) -> Iterator[_Block]:
    yield _Block(f"{rule.number}  {rule.text}", keep=bool(rule.items))
    yield from _items(rule.items)


def _etiquette() -> Iterator[_Block]:
    yield _title(ETIQUETTE.title)
    yield _Block(_(ETIQUETTE_ABOUT))
    for rule in ETIQUETTE.rules:
        yield from _rule(rule)


def _law(law: Law) -> Iterator[_Block]:
    title = _("Law %(number)s – %(title)s") % {"number": law.number, "title": law.title}
    yield _title(title)
    for section in law.sections:
        yield from _section(section)


def _section(section: Section) -> Iterator[_Block]:
    yield _Block(f"§{section.number}  {section.text}", keep=bool(section.items))
    yield from _items(section.items)


def _items(items: tuple[Item, ...]) -> Iterator[_Block]:
    for item in items:
        yield _Block(f"({item.mark}) {item.text}", indent=_INDENT, before=_GAP / 2)


def _title(text: str) -> _Block:
    return _Block(text, SERIF, _TITLE, before=3 * MM, keep=True, is_title=True)


def _fewest(blocks: list[_Block], width: float, height: float) -> list[list[_Block]]:
    """Lay out the text on as few pages as possible, in the largest possible type."""
    tries = (
        list(_columns([replace(it, size=it.size * part) for it in blocks], width, height))
        for part in _SIZES
    )
    return min(tries, key=lambda columns: (len(columns) + 1) // 2)


def _columns(blocks: list[_Block], width: float, height: float) -> Iterator[list[_Block]]:
    """Fill columns from the top; a title moves to the next column with its first block."""
    column: list[_Block] = []
    room = height
    for place, block in enumerate(blocks):
        needed = _height(block, width)
        together = needed
        if block.keep and place + 1 < len(blocks):
            together += _height(blocks[place + 1], width)
        if column and together > room:
            yield column
            column, room = [], height
        column.append(block)
        room -= needed
    yield column


def _height(block: _Block, width: float) -> float:
    lines = wrap_text(block.text, block.font, block.size, width - block.indent)
    return block.before + len(lines) * block.size * LEADING_RATIO
