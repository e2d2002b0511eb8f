"""The arithmetic of an entry's numbers, on paper."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from printing import paper, tags
from printing.box import MM, Box
from printing.fonts import BOLD, LEADING, SANS
from printing.headings import PAGE_TITLE, page_title
from printing.kinds import Cards, Follows, Group, PaperKind
from printing.lettering import paragraph, wrapped
from scoring.papers.occasions import for_first_results, paper_of_all_figures
from scoring.sheets import papers
from scoring.sheets.figures import Explained, Explanation

_SIZES = (9.5, 9.0, 8.5)  # points; smaller letters if they save a sheet
_TITLE = 13.0
_INDENT = 5 * MM
_GAP = 0.8 * MM


@dataclass(frozen=True, slots=True)
class Piece:
    """One paragraph: its text, its depth, and whether it is a title."""

    text: str
    depth: int = 0
    title: bool = False
    letters: float = _SIZES[0]  # the font size except for titles, in points

    @property
    def size(self) -> float:
        """The font size in points."""
        return _TITLE if self.title else self.letters

    @property
    def font(self) -> str:
        """The name of the font."""
        return BOLD if self.title else SANS


def draw(sheets: Sequence[Explanation], *, size: paper.Size = "A4") -> bytes:
    """Print each entry's arithmetic on separate pages, to be handed out."""
    canvas = paper.start(
        size, _("How the figures were made"), [sheet.heading for sheet in sheets]
    )
    for sheet in sheets:
        _draw_entry(canvas, sheet, size)
    return paper.finish(canvas)


def _draw_entry(canvas: Canvas, sheet: Explanation, size: paper.Size) -> None:
    page = paper.page_box(size)
    inner = page.inset(paper.MARGIN)
    pages = _fewest(list(_pieces(sheet)), inner.width, inner.height - PAGE_TITLE - 4 * MM)
    for number, pieces in enumerate(pages, start=1):
        title = f"{sheet.label} {sheet.name}"
        page_title(canvas, inner, sheet.heading, title, number=number)
        box = inner.below(PAGE_TITLE)
        lists = _Lists(canvas)
        for piece in pieces:
            lists.go_to(-1 if piece.title else piece.depth)
            box = _draw_piece(canvas, piece, box)
        lists.go_to(-1)
        paper.footer(canvas, page, _("How the figures were made"), number, len(pages))
        canvas.showPage()


def _draw_piece(canvas: Canvas, piece: Piece, box: Box) -> Box:
    indent = piece.depth * _INDENT
    inner = Box(box.left + indent, box.bottom, box.width - indent, box.height)
    with tags.part(canvas, "H2" if piece.title else "P"):
        lower = paragraph(canvas, piece.text, inner, font=piece.font, size=piece.size)
    return box.below(box.top - lower + _GAP)


class _Lists:
    """The open lists in the tags of the PDF; each is within an item of the one before."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._levels: list[tuple[int, ExitStack, ExitStack]] = []  # depth, list, item

    def go_to(self, depth: int) -> None:
        """Close the deeper lists and begin an item at a depth; below 0 only close."""
        while self._levels and self._levels[-1][0] > depth:
            _depth, whole, item = self._levels.pop()
            item.close()
            whole.close()
        if depth < 0:
            return
        if not self._levels or self._levels[-1][0] < depth:
            whole = ExitStack()
            whole.enter_context(tags.part(self._canvas, "L"))
            self._levels.append((depth, whole, ExitStack()))
        item = self._levels[-1][2]
        item.close()
        for tag in ("LI", "LBody"):
            item.enter_context(tags.part(self._canvas, tag))


def _pieces(sheet: Explanation) -> Iterator[Piece]:
    if not sheet.complete:
        words = _("Results are still to come, so these figures are provisional.")
        keep = _("Keep it from the players: boards are still to be played.")
        yield Piece(f"{words} {keep}")
    for figure in sheet.figures:
        yield Piece(figure.title, title=True)
        for told in figure.told:
            yield from _told(told, 0)


def _told(told: Explained, depth: int) -> Iterator[Piece]:
    yield Piece(told.words, depth)
    for note in told.notes:
        yield Piece(f"* {note}", depth + 1)
    for part in told.parts:
        yield from _told(part, depth + 1)


def _fewest(pieces: Sequence[Piece], width: float, height: float) -> list[list[Piece]]:
    """Lay out the pieces in the largest letters that need no more pages than the smallest."""
    tries = (
        _pages([replace(piece, letters=size) for piece in pieces], width, height)
        for size in _SIZES
    )
    return min(tries, key=len)


def _pages(pieces: Sequence[Piece], width: float, height: float) -> list[list[Piece]]:
    """Fill page after page; a title is never the last piece of a page."""
    pages: list[list[Piece]] = [[]]
    room = height
    for place, piece in enumerate(pieces):
        needed = _height(piece, width)
        keeps = _height(pieces[place + 1], width) if piece.title and pieces[place + 1 :] else 0
        if pages[-1] and needed + keeps > room:
            pages.append([])
            room = height
        pages[-1].append(piece)
        room -= needed
    return pages


def _height(piece: Piece, width: float) -> float:
    lines = wrapped(piece.text, piece.font, piece.size, width - piece.depth * _INDENT)
    return len(lines) * piece.size * LEADING + _GAP


PAPER = PaperKind(
    name="explanations",
    title=gettext_lazy("How the figures are made"),
    blurb=paper_of_all_figures,
    group=Group.RESULTS,
    sheet=papers.explained,
    draw=draw,
    shows_cards=Cards.NONE,
    follows=Follows.NAMES,
    waits=for_first_results,
)
