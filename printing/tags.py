"""What the parts of a paper are, and in which order they are read: the tags of its PDF.

A program that reads a paper aloud, searches it or copies out of it follows a tree of elements
and not the drawing. ReportLab draws and knows no such tree, so this canvas keeps one: a text
belongs to the element that is open when it is written, and a rule, a frame or a mark to cut
along to nobody. Source: ISO 32000-1 §14.6 to §14.8, and for what must be tagged ISO 14289-1 §7.

What a form holds is drawn many times and cannot be told apart within: where a form is used, the
whole of it belongs to the element that is open there (ISO 32000-1 §14.7.4.2).
"""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any
from xml.sax.saxutils import escape

from reportlab.pdfbase.pdfdoc import PDFDictionary, PDFName, PDFObject, PDFStream
from reportlab.pdfgen.canvas import Canvas

from printing.box import Box
from server.private_apis import has_pdf_content, pdf_document, restart_pdf_page

_HOLDERS = frozenset({"Document", "Sect", "Table", "TR", "L", "LI", "LBody"})
"""Elements of elements; the others hold words."""
_KEPT_EMPTY = frozenset({"TH", "TD"})
"""A table has as many cells in each row, whether somebody has written in them or not."""
COLUMN = "/A <</O /Table /Scope /Column>>"
ROW = "/A <</O /Table /Scope /Row>>"


@dataclass(slots=True, eq=False)
class Element:
    """One part of a paper: what it is, and what it holds in the order of reading."""

    tag: str
    more: str = ""  # further entries, as they stand in the file
    kids: list["Element | tuple[int, int]"] = field(default_factory=list)  # or page and mark


_NOBODY = Element("Artifact")


class Tagged(Canvas):
    """A canvas that remembers what each thing on it is."""

    def __init__(self, *asked: Any, **ways: Any) -> None:
        self._open = self._root = Element("Document")
        self._marked: Element | None = None
        self._owners: list[list[Element]] = [[]]  # by page, of its marks
        self._within_form = False
        self._seen: list[str] = []
        self._left_out: frozenset[str] = frozenset()
        self._before = 0  # of the tree, when the page began
        self.sheets: list[str] = []  # a mark of what is on each page, those left out too
        super().__init__(*asked, **ways)
        self.setViewerPreference("DisplayDocTitle", "true")
        self.setCatalogEntry("MarkInfo", PDFDictionary({"Marked": "true"}))

    def takes_parts(self) -> bool:
        """Whether elements are opened now: one that holds words takes up all within it."""
        return not self._within_form and self._open.tag in _HOLDERS

    def opened(self, element: Element) -> Element:
        """Let what is drawn next belong to an element; return the one that it was."""
        outer, self._open = self._open, element
        return outer

    def held(self, element: Element) -> Element:
        """Put a new element into the open one, and return it."""
        self._open.kids.append(element)
        return element

    def leave_out(self, sheets: frozenset[str]) -> None:
        """From now on pages that look like one of these, by their marks, are not printed."""
        self._left_out = sheets

    def note(self, *seen: object) -> None:
        """Remember something that the page shows, to tell it from another."""
        if not self._within_form:  # drawn once, wherever it is used first
            self._seen.append(repr(seen))

    def drawText(self, *asked: Any, **ways: Any) -> None:
        """Draw a text that belongs to the open element; each way to draw one comes here."""
        self._mark(self._open)
        super().drawText(*asked, **ways)

    def doForm(self, *asked: Any, **ways: Any) -> None:
        """Draw a form, all of which belongs to the open element."""
        self._mark(self._open)
        self.note("form", asked)
        super().doForm(*asked, **ways)

    def drawPath(self, *asked: Any, **ways: Any) -> None:
        """Draw a figure; elsewhere than in a figure it is nobody's."""
        self._mark(self._open if self._open.tag == "Figure" else _NOBODY)
        self.note("path", asked[0].getCode())
        super().drawPath(*asked, **ways)

    def line(self, *asked: Any, **ways: Any) -> None:
        """Draw a line, which is nobody's."""
        self._mark(_NOBODY)
        self.note("line", asked)
        super().line(*asked, **ways)

    def lines(self, *asked: Any, **ways: Any) -> None:
        """Draw lines, which are nobody's."""
        self._mark(_NOBODY)
        self.note("lines", asked)
        super().lines(*asked, **ways)

    def drawImage(self, *asked: Any, **ways: Any) -> Any:
        """Draw a picture, which is nobody's: the words beside it say whose it is."""
        self._mark(_NOBODY)
        self.note("image", asked[1:])
        # The one method of these that ReportLab's type stubs have left untyped.
        return super().drawImage(*asked, **ways)

    def rect(self, *asked: Any, **ways: Any) -> None:
        """Draw a frame, which is nobody's."""
        self._mark(_NOBODY)
        self.note("rect", asked)
        super().rect(*asked, **ways)

    def beginForm(self, *asked: Any, **ways: Any) -> None:
        """Begin a form; nothing in it is marked."""
        self._end_mark()
        self._within_form = True
        super().beginForm(*asked, **ways)

    def endForm(self, **ways: Any) -> None:
        """End a form."""
        super().endForm(**ways)
        self._within_form = False

    def showPage(self) -> None:
        """End a page, and tell it by which number its marks are found."""
        self._end_mark()
        self.sheets.append(sha256("\n".join(self._seen).encode()).hexdigest()[:12])
        self._seen.clear()
        if self.sheets[-1] in self._left_out:
            self._forget_page()
            return
        self._before = len(self._root.kids)
        document = pdf_document(self)
        name = document.thisPageName()
        super().showPage()
        page = document.idToObject[name]
        page.__NoDefault__ = [*page.__NoDefault__, "StructParents", "Tabs"]
        page.StructParents, page.Tabs = len(self._owners) - 1, PDFName("S")
        self._owners.append([])

    def _forget_page(self) -> None:
        """Begin the page again with nothing on it, and take its parts out of the tree."""
        page = len(self._owners) - 1
        for owner in self._owners[-1]:
            owner.kids = [kid for kid in owner.kids if not _is_mark_of(kid, page)]
        self._owners[-1] = []
        del self._root.kids[self._before :]
        restart_pdf_page(self)
        self.init_graphics_state()
        self.state_stack = []

    def getpdfdata(self) -> bytes:
        """Put the tree into the paper, and return the paper."""
        if has_pdf_content(self):
            self.showPage()
        document = pdf_document(self)
        self.setCatalogEntry("Metadata", _title(str(document.info.title)))
        self.setCatalogEntry("StructTreeRoot", _Tree(document, self._root).put(self._owners))
        # The one method that ReportLab's type stubs have left untyped.
        pdf: bytes = super().getpdfdata()  # type: ignore[no-untyped-call]  # it has no types
        return pdf

    def _mark(self, owner: Element) -> None:
        """Begin what belongs to an element, unless its last mark still lasts."""
        if self._within_form or owner is self._marked:
            return
        self._end_mark()
        self._marked = owner
        if owner is _NOBODY:
            self.addLiteral("/Artifact BMC")
            return
        owners = self._owners[-1]
        self.addLiteral(f"/{owner.tag} <</MCID {len(owners)}>> BDC")
        owner.kids.append((len(self._owners) - 1, len(owners)))
        owners.append(owner)

    def _end_mark(self) -> None:
        if self._marked is not None:
            self.addLiteral("EMC")
        self._marked = None


def _is_mark_of(kid: object, page: int) -> bool:
    return isinstance(kid, tuple) and kid[0] == page


class _Opened:
    """While it lasts, what is drawn belongs to one element."""

    __slots__ = ("_canvas", "_element", "_outer")

    def __init__(self, canvas: Tagged, element: Element) -> None:
        self._canvas, self._element = canvas, element

    def __enter__(self) -> None:
        self._outer = self._canvas.opened(self._element)

    def __exit__(self, *_problem: object) -> None:
        self._canvas.opened(self._outer)


_NOTHING = nullcontext()


def part(canvas: Canvas, tag: str, more: str = "") -> AbstractContextManager[None]:
    """Say what is drawn now; a canvas without tags is not told."""
    if isinstance(canvas, Tagged) and canvas.takes_parts():
        return _Opened(canvas, canvas.held(Element(tag, more)))
    return _NOTHING


def are_kept(canvas: Canvas) -> bool:
    """Whether a part that is opened now is remembered: in a form none is."""
    return isinstance(canvas, Tagged) and canvas.takes_parts()


def nobodys(canvas: Canvas, *, when: bool = True) -> AbstractContextManager[None]:
    """Say that what is drawn now is no part of what is read."""
    if when and isinstance(canvas, Tagged):
        return _Opened(canvas, _NOBODY)
    return _NOTHING


def note(canvas: Canvas, *seen: object) -> None:
    """Let a canvas remember what a page shows; one without tags is not told."""
    if isinstance(canvas, Tagged):
        canvas.note(*seen)


def figure(words: str, box: Box) -> str:
    """Return what a figure's element has to say: what it shows, in words, and where."""
    place = " ".join(f"{edge:.2f}" for edge in (box.left, box.bottom, box.right, box.top))
    return f"/Alt {_text(words)} /A <</O /Layout /Placement /Block /BBox [{place}]>>"


def _title(words: str) -> PDFStream:
    """Say the title once more, where ISO 14289-1 §7.1 has programs look for it: as XMP."""
    packet = _XMP.format(title=escape(words)).encode()
    kind = PDFDictionary({"Type": PDFName("Metadata"), "Subtype": PDFName("XML")})
    return PDFStream(dictionary=kind, content=packet, filters=[])


_XMP = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
 xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
 xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title><rdf:Alt><rdf:li
 xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title></rdf:Description></rdf:RDF>
</x:xmpmeta>
<?xpacket end="r"?>"""


def besides(words: str) -> str:
    """Return what an element has to say where on the paper its place says it."""
    return f"/Alt {_text(words)}"


def _text(words: str) -> str:
    return f"<FEFF{words.encode('utf-16-be').hex().upper()}>"


class _Written(PDFObject):
    """An object whose bytes are known: thousands of small ones cost nothing to format."""

    __RefOnly__ = 1

    def __init__(self) -> None:
        self.text = ""

    def format(self, _document: object) -> bytes:
        """Return it as it stands in the file."""
        return self.text.encode("ascii")


class _Tree:
    """The elements of a paper as objects of its file."""

    def __init__(self, document: Any, root: Element) -> None:
        self._document, self._root = document, root
        self._numbers: dict[int, int] = {}  # of objects, by an element's identity

    def put(self, owners: list[list[Element]]) -> object:
        """Put all of them into the file; return the root of the tree."""
        tree, number = self._made()
        pages = [
            self._document.idToObjectNumberAndVersion[f"Page{place}"][0]
            for place in range(1, len(owners))
        ]
        self._put(self._root, number, pages)
        marks = " ".join(
            f"{place} [{' '.join(f'{self._numbers[id(owner)]} 0 R' for owner in owned)}]"
            for place, owned in enumerate(owners[:-1])
        )
        tree.text = (
            f"<</Type /StructTreeRoot /K {self._numbers[id(self._root)]} 0 R "
            f"/ParentTree <</Nums [{marks}]>> /ParentTreeNextKey {len(owners) - 1}>>"
        )
        return tree

    def _put(self, element: Element, parent: int, pages: list[int]) -> int:
        """Put an element and all that it holds into the file; return its number."""
        written, number = self._made()
        self._numbers[id(element)] = number
        first = next((kid[0] for kid in element.kids if isinstance(kid, tuple)), None)
        kids = [
            self._held(kid, number, first, pages)
            for kid in element.kids
            if isinstance(kid, tuple) or _says_something(kid)
        ]
        page = "" if first is None else f" /Pg {pages[first]} 0 R"
        more = f" {element.more}" if element.more else ""
        held = kids[0] if len(kids) == 1 else f"[{' '.join(kids)}]"
        written.text = f"<</S /{element.tag} /P {parent} 0 R{page}{more} /K {held}>>"
        return number

    def _held(
        self, kid: Element | tuple[int, int], number: int, first: int | None, pages: list[int]
    ) -> str:
        if isinstance(kid, Element):
            return f"{self._put(kid, number, pages)} 0 R"
        page, mark = kid
        if page == first:
            return str(mark)
        return f"<</Type /MCR /Pg {pages[page]} 0 R /MCID {mark}>>"

    def _made(self) -> tuple[_Written, int]:
        written = _Written()
        name = self._document.Reference(written).name
        return written, self._document.idToObjectNumberAndVersion[name][0]


def _says_something(element: Element) -> bool:
    return element.tag in _KEPT_EMPTY or any(
        isinstance(kid, tuple) or _says_something(kid) for kid in element.kids
    )
