"""Tagged PDF: the structure tree of a paper, which screen readers and searches follow.

ReportLab builds no such tree, so `TaggedCanvas` does. A text belongs to the element that is
open when it is written. Drawn lines, frames and cutting marks are artifacts, which belong to no
element. Sources: ISO 32000-1 §14.6 to §14.8; for the required tags ISO 14289-1 §7.

A PDF form is a drawing that is stored once and can be drawn several times. Its parts cannot be
tagged. Each time, the whole form belongs to the open element (ISO 32000-1 §14.7.4.2).
"""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any
from xml.sax.saxutils import escape

from reportlab.pdfbase.pdfdoc import PDFDictionary, PDFName, PDFObject, PDFStream
from reportlab.pdfgen.canvas import Canvas

from printing.box import Box
from server.private_apis import find_pdf_document, has_pdf_content, restart_pdf_page

_CONTAINER_TAGS = frozenset({"Document", "Sect", "Table", "TR", "L", "LI", "LBody"})
"""Tags of elements that contain other elements; the rest contain text."""
_TAGS_WRITTEN_IF_EMPTY = frozenset({"TH", "TD"})
"""Tags that are written even if empty, so that all rows of a table have the same cells."""
COLUMN_SCOPE = "/A <</O /Table /Scope /Column>>"
ROW_SCOPE = "/A <</O /Table /Scope /Row>>"


@dataclass(slots=True, eq=False)
class Element:
    """One element of a paper: its tag, and its content in reading order."""

    tag: str
    attributes: str = ""  # more entries of the PDF dictionary, e.g. `COLUMN_SCOPE`
    # child elements, and (page index, mark number) for each text of the element itself
    children: list["Element | tuple[int, int]"] = field(default_factory=list)


_ARTIFACT = Element("Artifact")


class TaggedCanvas(Canvas):
    """A canvas that records the element of everything drawn on it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._open_element = self._root_element = Element("Document")
        self._marked_element: Element | None = None
        # for each page, the elements that own its marks, in the order of the mark numbers
        self._elements_by_page: list[list[Element]] = [[]]
        self._is_in_pdf_form = False
        self._digest_parts: list[str] = []
        self._omitted_digests: frozenset[str] = frozenset()
        self._child_count_at_page_start = 0  # the number of elements at the start of the page
        self.page_digests: list[str] = []  # the digest of each page, including omitted ones
        super().__init__(*args, **kwargs)
        self.setViewerPreference("DisplayDocTitle", "true")
        self.setCatalogEntry("MarkInfo", PDFDictionary({"Marked": "true"}))

    def can_open_element(self) -> bool:
        """Return False inside a PDF form or an element with text, else True."""
        return not self._is_in_pdf_form and self._open_element.tag in _CONTAINER_TAGS

    def set_open_element(self, element: Element) -> Element:
        """Make an element the open one; return the previous one."""
        previous_element, self._open_element = self._open_element, element
        return previous_element

    def append_element(self, element: Element) -> Element:
        """Append a new element to the open one, and return it."""
        self._open_element.children.append(element)
        return element

    def set_omitted_digests(self, digests: frozenset[str]) -> None:
        """Set the digests of the pages that are discarded when they end."""
        self._omitted_digests = digests

    def add_to_digest(self, *values: object) -> None:
        """Add values that the page shows to the digest of the page."""
        if not self._is_in_pdf_form:  # a PDF form is drawn once, on the first page that uses it
            self._digest_parts.append(repr(values))

    def drawText(self, *args: Any, **kwargs: Any) -> None:
        """Draw a text that belongs to the open element; drawString and others call this."""
        self._begin_marked_content(self._open_element)
        super().drawText(*args, **kwargs)

    def doForm(self, *args: Any, **kwargs: Any) -> None:
        """Draw a PDF form, all of which belongs to the open element."""
        self._begin_marked_content(self._open_element)
        self.add_to_digest("form", args)
        super().doForm(*args, **kwargs)

    def drawPath(self, *args: Any, **kwargs: Any) -> None:
        """Draw a path as part of an open figure, or else as an artifact."""
        self._begin_marked_content(
            self._open_element if self._open_element.tag == "Figure" else _ARTIFACT
        )
        self.add_to_digest("path", args[0].getCode())
        super().drawPath(*args, **kwargs)

    def line(self, *args: Any, **kwargs: Any) -> None:
        """Draw a line as an artifact."""
        self._begin_marked_content(_ARTIFACT)
        self.add_to_digest("line", args)
        super().line(*args, **kwargs)

    def lines(self, *args: Any, **kwargs: Any) -> None:
        """Draw lines as artifacts."""
        self._begin_marked_content(_ARTIFACT)
        self.add_to_digest("lines", args)
        super().lines(*args, **kwargs)

    def drawImage(self, *args: Any, **kwargs: Any) -> Any:
        """Draw an image as an artifact without alternative text.

        The only images are logos, and the name of the club is next to its logo.
        """
        self._begin_marked_content(_ARTIFACT)
        self.add_to_digest("image", args[1:])
        return super().drawImage(*args, **kwargs)

    def rect(self, *args: Any, **kwargs: Any) -> None:
        """Draw a frame as an artifact."""
        self._begin_marked_content(_ARTIFACT)
        self.add_to_digest("rect", args)
        super().rect(*args, **kwargs)

    def beginForm(self, *args: Any, **kwargs: Any) -> None:
        """Begin a PDF form, whose content is not tagged."""
        self._end_marked_content()
        self._is_in_pdf_form = True
        super().beginForm(*args, **kwargs)

    def endForm(self, **kwargs: Any) -> None:
        """End a PDF form."""
        super().endForm(**kwargs)
        self._is_in_pdf_form = False

    def showPage(self) -> None:
        """End a page and store its marks, or discard a page whose digest is omitted."""
        self._end_marked_content()
        self.page_digests.append(
            sha256("\n".join(self._digest_parts).encode()).hexdigest()[:12]
        )
        self._digest_parts.clear()
        if self.page_digests[-1] in self._omitted_digests:
            self._discard_page()
            return
        self._child_count_at_page_start = len(self._root_element.children)
        document = find_pdf_document(self)
        page_name = document.thisPageName()
        super().showPage()
        page = document.idToObject[page_name]
        page.__NoDefault__ = [*page.__NoDefault__, "StructParents", "Tabs"]
        page.StructParents, page.Tabs = len(self._elements_by_page) - 1, PDFName("S")
        self._elements_by_page.append([])

    def _discard_page(self) -> None:
        """Clear the current page, and remove its elements from the tree."""
        page_index = len(self._elements_by_page) - 1
        for owner_element in self._elements_by_page[-1]:
            owner_element.children = [
                child
                for child in owner_element.children
                if not _is_mark_on_page(child, page_index)
            ]
        self._elements_by_page[-1] = []
        del self._root_element.children[self._child_count_at_page_start :]
        restart_pdf_page(self)
        self.init_graphics_state()
        self.state_stack = []

    def getpdfdata(self) -> bytes:
        """Add the tree to the paper, and return the bytes of the paper."""
        if has_pdf_content(self):
            self.showPage()
        document = find_pdf_document(self)
        self.setCatalogEntry("Metadata", _build_metadata(str(document.info.title)))
        self.setCatalogEntry(
            "StructTreeRoot",
            _StructureTree(document, self._root_element).add_to_document(
                self._elements_by_page
            ),
        )
        pdf: bytes = super().getpdfdata()  # type: ignore[no-untyped-call]  # it has no types
        return pdf

    def _begin_marked_content(self, owner_element: Element) -> None:
        """Begin the marked content of an element, unless it is already open."""
        if self._is_in_pdf_form or owner_element is self._marked_element:
            return
        self._end_marked_content()
        self._marked_element = owner_element
        if owner_element is _ARTIFACT:
            self.addLiteral("/Artifact BMC")
            return
        page_elements = self._elements_by_page[-1]
        self.addLiteral(f"/{owner_element.tag} <</MCID {len(page_elements)}>> BDC")
        owner_element.children.append((len(self._elements_by_page) - 1, len(page_elements)))
        page_elements.append(owner_element)

    def _end_marked_content(self) -> None:
        if self._marked_element is not None:
            self.addLiteral("EMC")
        self._marked_element = None


def _is_mark_on_page(child: object, page_index: int) -> bool:
    return isinstance(child, tuple) and child[0] == page_index


class _OpenElement:
    """Context manager in which everything drawn belongs to one element."""

    __slots__ = ("_canvas", "_element", "_outer_element")

    def __init__(self, canvas: TaggedCanvas, element: Element) -> None:
        self._canvas, self._element = canvas, element

    def __enter__(self) -> None:
        self._outer_element = self._canvas.set_open_element(self._element)

    def __exit__(self, *_problem: object) -> None:
        self._canvas.set_open_element(self._outer_element)


_NULL_CONTEXT = nullcontext()


def open_element(
    canvas: Canvas, tag: str, attributes: str = ""
) -> AbstractContextManager[None]:
    """Return a context manager that opens an element, if the canvas supports tags."""
    if isinstance(canvas, TaggedCanvas) and canvas.can_open_element():
        return _OpenElement(canvas, canvas.append_element(Element(tag, attributes)))
    return _NULL_CONTEXT


def can_open_element(canvas: Canvas) -> bool:
    """Return whether an element opened now would be tagged; in a PDF form it would not."""
    return isinstance(canvas, TaggedCanvas) and canvas.can_open_element()


def mark_artifact(canvas: Canvas, *, is_artifact: bool = True) -> AbstractContextManager[None]:
    """Return a context manager that makes all drawings artifacts, which have no tag."""
    if is_artifact and isinstance(canvas, TaggedCanvas):
        return _OpenElement(canvas, _ARTIFACT)
    return _NULL_CONTEXT


def add_to_digest(canvas: Canvas, *values: object) -> None:
    """Add values to the digest of a page; do nothing on a canvas without tags."""
    if isinstance(canvas, TaggedCanvas):
        canvas.add_to_digest(*values)


def format_figure_attributes(description: str, box: Box) -> str:
    """Return the attributes of a figure: its alternative text and its position."""
    bounding_box = " ".join(
        f"{coordinate:.2f}" for coordinate in (box.left, box.bottom, box.right, box.top)
    )
    layout_attributes = f"<</O /Layout /Placement /Block /BBox [{bounding_box}]>>"
    return f"/Alt {_encode_pdf_text(description)} /A {layout_attributes}"


def _build_metadata(title: str) -> PDFStream:
    """Return the title as XMP metadata, which ISO 14289-1 §7.1 requires."""
    packet = _XMP_TEMPLATE.format(title=escape(title)).encode()
    dictionary = PDFDictionary({"Type": PDFName("Metadata"), "Subtype": PDFName("XML")})
    return PDFStream(dictionary=dictionary, content=packet, filters=[])


_XMP_TEMPLATE = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
 xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
 xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title><rdf:Alt><rdf:li
 xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title></rdf:Description></rdf:RDF>
</x:xmpmeta>
<?xpacket end="r"?>"""


def format_alternative_text(text: str) -> str:
    """Return the attributes of an element that has an alternative text."""
    return f"/Alt {_encode_pdf_text(text)}"


def _encode_pdf_text(text: str) -> str:
    return f"<FEFF{text.encode('utf-16-be').hex().upper()}>"


class _PdfText(PDFObject):
    """A PDF object with prepared bytes, so that thousands of small ones need no formatting."""

    __RefOnly__ = 1

    def __init__(self) -> None:
        self.text = ""

    def format(self, _document: object) -> bytes:
        """Return the object as written in the file."""
        return self.text.encode("ascii")


class _StructureTree:
    """The elements of a paper as PDF objects."""

    def __init__(self, document: Any, root_element: Element) -> None:
        self._document, self._root_element = document, root_element
        self._object_numbers: dict[int, int] = {}  # object numbers by the id() of the element

    def add_to_document(self, elements_by_page: list[list[Element]]) -> object:
        """Add all elements to the file; return the root of the tree."""
        tree_object, object_number = self._create_object()
        page_numbers = [
            self._document.idToObjectNumberAndVersion[f"Page{page_index}"][0]
            for page_index in range(1, len(elements_by_page))
        ]
        self._add_element(self._root_element, object_number, page_numbers)
        parent_tree = " ".join(
            f"{page_index} [{self._format_references(page_elements)}]"
            for page_index, page_elements in enumerate(elements_by_page[:-1])
        )
        next_parent_tree_key = len(elements_by_page) - 1
        tree_object.text = (
            f"<</Type /StructTreeRoot /K {self._object_numbers[id(self._root_element)]} 0 R "
            f"/ParentTree <</Nums [{parent_tree}]>> /ParentTreeNextKey {next_parent_tree_key}>>"
        )
        return tree_object

    def _add_element(
        self, element: Element, parent_number: int, page_numbers: list[int]
    ) -> int:
        """Add an element and its content to the file; return its object number."""
        pdf_text, object_number = self._create_object()
        self._object_numbers[id(element)] = object_number
        first_page_index = next(
            (child[0] for child in element.children if isinstance(child, tuple)), None
        )
        child_texts = [
            self._format_child(child, object_number, first_page_index, page_numbers)
            for child in element.children
            if isinstance(child, tuple) or _has_content(child)
        ]
        page_entry = (
            "" if first_page_index is None else f" /Pg {page_numbers[first_page_index]} 0 R"
        )
        attributes = f" {element.attributes}" if element.attributes else ""
        child_entry = child_texts[0] if len(child_texts) == 1 else f"[{' '.join(child_texts)}]"
        pdf_text.text = (
            f"<</S /{element.tag} /P {parent_number} 0 R{page_entry}{attributes} "
            f"/K {child_entry}>>"
        )
        return object_number

    def _format_child(
        self,
        child: Element | tuple[int, int],
        parent_number: int,
        first_page_index: int | None,
        page_numbers: list[int],
    ) -> str:
        if isinstance(child, Element):
            return f"{self._add_element(child, parent_number, page_numbers)} 0 R"
        page_index, mark_number = child
        if page_index == first_page_index:
            return str(mark_number)
        return f"<</Type /MCR /Pg {page_numbers[page_index]} 0 R /MCID {mark_number}>>"

    def _format_references(self, elements: list[Element]) -> str:
        return " ".join(f"{self._object_numbers[id(element)]} 0 R" for element in elements)

    def _create_object(self) -> tuple[_PdfText, int]:
        pdf_text = _PdfText()
        name = self._document.Reference(pdf_text).name
        return pdf_text, self._document.idToObjectNumberAndVersion[name][0]


def _has_content(element: Element) -> bool:
    return element.tag in _TAGS_WRITTEN_IF_EMPTY or any(
        isinstance(child, tuple) or _has_content(child) for child in element.children
    )
