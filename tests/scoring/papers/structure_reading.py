"""Tagged PDFs as a screen reader reads them: their elements in reading order."""

import re
from dataclasses import dataclass, field
from functools import lru_cache
from io import BytesIO
from typing import Any

from pypdf import PdfReader
from pypdf.generic import ContentStream

TEXT_OPERATORS = (b"Tj", b"TJ", b"'", b'"')
PAINT_OPERATORS = (b"S", b"s", b"f", b"F", b"f*", b"B", b"B*", b"b", b"b*")
_CODE_MAP_BLOCK = re.compile(rb"beginbfchar(.*?)endbfchar", re.DOTALL)
_CODE_AND_CHARACTER = re.compile(rb"<(\w+)>\s*<(\w+)>")


@dataclass
class TaggedElement:
    """One element: its tag, its words, its children, and its other attributes."""

    tag: str
    words: str = ""
    children: list["TaggedElement"] = field(default_factory=list)
    alt: str = ""
    header_scope: str = ""

    @property
    def flattened_elements(self) -> list["TaggedElement"]:
        """Return this element and all its descendants in reading order."""
        return [
            self,
            *(element for child in self.children for element in child.flattened_elements),
        ]

    def find_by_tags(self, *tags: str) -> list["TaggedElement"]:
        """Return the elements of some tags in reading order."""
        return [element for element in self.flattened_elements if element.tag in tags]


@dataclass
class MarkedText:
    """The content of the pages: words by page and mark, artifacts, and words without a mark."""

    text_by_mark: dict[tuple[int, int], str] = field(default_factory=dict)
    artifact_texts: list[str] = field(default_factory=list)
    loose: list[str] = field(default_factory=list)  # drawn outside any mark
    mark_errors: list[str] = field(default_factory=list)  # nested marks, and marks in forms


@lru_cache(maxsize=32)
def read_marked_text(pdf: bytes) -> MarkedText:
    """Read every page, including its forms."""
    marked_text = MarkedText()
    for number, page in enumerate(PdfReader(BytesIO(pdf)).pages):
        interpret_stream(page.get_contents(), page, number, marked_text, None)
    return marked_text


def interpret_stream(
    stream: Any, resource_owner: Any, page: int, marked_text: MarkedText, enclosing_mark: Any
) -> None:
    """Interpret a stream's operators; `enclosing_mark` is the mark in which a form is used."""
    mark = enclosing_mark
    codes: dict[int, str] = {}
    for operands, operator in ContentStream(stream, None).operations:
        if operator in (b"BDC", b"BMC", b"EMC"):
            if (mark is None) is (operator == b"EMC") or enclosing_mark is not None:
                marked_text.mark_errors.append(f"{operator!r} on page {page + 1}")
            mark = register_mark(operator, operands, page, marked_text)
        elif operator == b"Tf":
            font = resource_owner["/Resources"]["/Font"][operands[0]]
            codes = read_code_map(font["/ToUnicode"].get_data())
        else:
            interpret_drawing(operator, operands, codes, mark, marked_text)
        if operator == b"Do":
            form = resource_owner["/Resources"]["/XObject"][operands[0]]
            interpret_stream(form, form, page, marked_text, mark or "loose")
    if mark is not enclosing_mark:
        marked_text.mark_errors.append(f"a mark goes on after page {page + 1}")


def interpret_drawing(
    operator: bytes, operands: Any, codes: Any, mark: Any, marked_text: MarkedText
) -> None:
    if operator in TEXT_OPERATORS:
        add_text("".join(codes[code] for code in operands[0].original_bytes), mark, marked_text)
    elif operator in PAINT_OPERATORS and mark is None:
        marked_text.loose.append("a stroke")


def register_mark(operator: bytes, operands: Any, page: int, marked_text: MarkedText) -> Any:
    if operator == b"EMC":
        return None
    if operator == b"BMC":
        return "nobody"
    mark = page, int(operands[1]["/MCID"])
    if mark in marked_text.text_by_mark:
        marked_text.mark_errors.append(f"mark {mark} twice")
    marked_text.text_by_mark[mark] = ""
    return mark


def add_text(text: str, mark: Any, marked_text: MarkedText) -> None:
    if isinstance(mark, tuple):
        marked_text.text_by_mark[mark] = f"{marked_text.text_by_mark[mark]} {text}".strip()
    else:
        (marked_text.artifact_texts if mark == "nobody" else marked_text.loose).append(text)


@lru_cache(maxsize=32)
def read_code_map(table: bytes) -> dict[int, str]:
    """Return the character of each code of a font, from its ToUnicode map."""
    characters_by_code: dict[int, str] = {}
    for block in _CODE_MAP_BLOCK.findall(table):
        for code, letter in _CODE_AND_CHARACTER.findall(block):
            characters_by_code[int(code, 16)] = bytes.fromhex(letter.decode()).decode(
                "utf-16-be"
            )
    return characters_by_code


@lru_cache(maxsize=32)
def read_structure_tree(pdf: bytes) -> TaggedElement:
    """Return the structure tree of a paper, from its root."""
    reader = PdfReader(BytesIO(pdf))
    pages = {page.indirect_reference.idnum: place for place, page in enumerate(reader.pages)}
    root: Any = reader.trailer["/Root"]["/StructTreeRoot"]["/K"]
    return read_element(root, read_marked_text(pdf).text_by_mark, pages)


def read_element(
    node: Any, marked: dict[tuple[int, int], str], pages: dict[int, int]
) -> TaggedElement:
    kids = node["/K"] if isinstance(node["/K"], list) else [node["/K"]]
    actual = TaggedElement(
        node["/S"][1:],
        alt=str(node.get("/Alt", "")),
        header_scope=str(node.get("/A", {}).get("/Scope", "")),
    )
    for kid in map(resolve_reference, kids):
        if isinstance(kid, int) or "/MCID" in kid:
            page, mark = (node, kid) if isinstance(kid, int) else (kid, kid["/MCID"])
            text = marked[pages[page.raw_get("/Pg").idnum], int(mark)]
            actual.words = f"{actual.words} {text}".strip()
        else:
            actual.children.append(read_element(kid, marked, pages))
    return actual


def resolve_reference(kid: Any) -> Any:
    return kid.get_object()


def list_unowned_marks(pdf: bytes) -> list[str]:
    """Return marks that the parent tree gives to another element than the tree, or to none."""
    reader = PdfReader(BytesIO(pdf))
    root: Any = reader.trailer["/Root"]["/StructTreeRoot"]
    numbers = root["/ParentTree"]["/Nums"]
    owners = dict(zip(numbers[::2], numbers[1::2], strict=True))
    wrong = []
    for place, page in enumerate(reader.pages):
        mark_owners = owners[page["/StructParents"]]
        marks = [
            mark
            for page_index, mark in read_marked_text(pdf).text_by_mark
            if page_index == place
        ]
        if sorted(marks) != list(range(len(mark_owners))):
            wrong.append(f"page {place + 1}: {len(marks)} marks, {len(mark_owners)} owners")
        for mark, owner in enumerate(map(resolve_reference, mark_owners)):
            kids = owner["/K"] if isinstance(owner["/K"], list) else [owner["/K"]]
            if not any(
                kid == mark or _is_reference_to_mark(kid, mark)
                for kid in map(resolve_reference, kids)
            ):
                wrong.append(f"page {place + 1}, mark {mark}: not of its {owner['/S']}")
    return wrong


def _is_reference_to_mark(kid: Any, mark: int) -> bool:
    return not isinstance(kid, int) and kid.get("/MCID") == mark
