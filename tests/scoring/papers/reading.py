"""Papers read back from their bytes: words, page sizes, and the position of every mark."""

from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from itertools import pairwise
from typing import Any

from pypdf import PageObject, PdfReader
from pypdf.generic import ContentStream
from pypdfium2 import PdfDocument

CAP_HEIGHT_RATIO = 0.66  # of Source Sans
Matrix = tuple[float, float, float, float, float, float]
IDENTITY: Matrix = (1, 0, 0, 1, 0, 0)


@dataclass(frozen=True)
class Mark:
    """A string or a stroke on a page: its kind, and its bounds in points."""

    kind: str
    left: float
    bottom: float
    right: float
    top: float


def read_pages(pdf: bytes) -> list[PageObject]:
    """Return the pages of a paper."""
    return list(PdfReader(BytesIO(pdf)).pages)


def read_texts(pdf: bytes) -> list[str]:
    """Return the text of each page, on one line."""
    with PdfDocument(pdf) as document:
        return [" ".join(page.get_textpage().get_text_range().split()) for page in document]


def list_page_sizes(pdf: bytes) -> set[tuple[int, int]]:
    """Return the page sizes in whole millimetres."""
    return {
        (
            round(float(page.mediabox.width) / 72 * 25.4),
            round(float(page.mediabox.height) / 72 * 25.4),
        )
        for page in read_pages(pdf)
    }


def list_marks(page: PageObject) -> list[Mark]:
    """Return every string and stroke of a page, including its forms, at its real position."""
    return list(list_page_marks(page.pdf, page.page_number))


@lru_cache(maxsize=2)
def list_page_marks(pdf: Any, page_index: int) -> list[Mark]:
    """Return the marks of a page; each page is read only once."""
    page = pdf.pages[page_index]
    actual: list[Mark] = []
    interpret_stream(page.get_contents(), page["/Resources"], IDENTITY, pdf, actual)
    return actual


def list_font_sizes(pdf: bytes) -> dict[str, float]:
    """Return the font size in points of each line of text, the smallest if it occurs twice."""
    actual: dict[str, float] = {}

    def record_text(text: str, _cm: Any, _tm: Any, _font: Any, size: float) -> None:
        if line := text.strip():
            actual[line] = min(size, actual.get(line, size))

    for page in read_pages(pdf):
        page.extract_text(visitor_text=record_text)
    return actual


def list_outside_marks(page: PageObject) -> list[Mark]:
    """Return the marks that extend beyond the edge of their page."""
    width, height = float(page.mediabox.width), float(page.mediabox.height)
    return [
        mark
        for mark in list_marks(page)
        if mark.left < -0.01
        or mark.bottom < -0.01
        or mark.right > width + 0.01
        or mark.top > height + 0.01
    ]


def list_collisions(page: PageObject) -> list[tuple[Mark, Mark]]:
    """Return the strings that overlap."""
    text_marks = sorted(
        (mark for mark in list_marks(page) if mark.kind == "text"), key=lambda mark: mark.left
    )
    actual = []
    for place, text_mark in enumerate(text_marks):
        for other_text_mark in text_marks[place + 1 :]:
            if other_text_mark.left >= text_mark.right - 0.3:
                break
            if (
                text_mark.bottom < other_text_mark.top - 0.3
                and other_text_mark.bottom < text_mark.top - 0.3
            ):
                actual.append((text_mark, other_text_mark))
    return actual


def list_crossed_strings(page: PageObject) -> list[tuple[Mark, Mark]]:
    """Return the strings that a horizontal or vertical rule crosses."""
    marks = list_marks(page)
    rules = [mark for mark in marks if mark.kind == "line"]
    texts = [mark for mark in marks if mark.kind == "text"]
    return [
        (text, rule)
        for text in texts
        for rule in rules
        if text.left + 0.3 < rule.right
        and rule.left < text.right - 0.3
        and text.bottom + 0.3 < rule.top
        and rule.bottom < text.top - 0.3
    ]


def list_row_heights(page: PageObject) -> set[float]:
    """Return the distances between neighbouring rules of tables, in tenths of a millimetre."""
    rules = sorted(
        {
            (round(mark.left), round(mark.bottom, 2))
            for mark in list_marks(page)
            if mark.kind == "line" and mark.right - mark.left > 150
        }
    )
    return {
        round((after[1] - before[1]) / 72 * 25.4, 1)
        for before, after in pairwise(rules)
        if before[0] == after[0]
    }


def interpret_stream(
    content: Any, resources: Any, matrix: Matrix, pdf: Any, marks: list[Mark]
) -> None:
    """Interpret a stream's operators: the graphics state, text, strokes, and nested forms."""
    saved_matrices: list[Matrix] = []
    pen_state: dict[str, Any] = {}
    for operands, operator in ContentStream(content, pdf).operations:
        if operator in (b"q", b"Q", b"cm"):
            matrix = transform_matrix(operator, operands, matrix, saved_matrices)
        elif operator == b"Do":
            form = resources["/XObject"][operands[0]]
            interpret_stream(form, form["/Resources"], matrix, pdf, marks)
        elif operator in (b"Tm", b"Tf", b"Tj"):
            marks.extend(read_text_operator(operator, operands, resources, matrix, pen_state))
        elif operator in (b"m", b"l", b"re"):
            marks.extend(
                read_stroke_operator(operator, read_numbers(operands), matrix, pen_state)
            )


def transform_matrix(code: bytes, operands: Any, matrix: Matrix, stack: list[Matrix]) -> Matrix:
    if code == b"Q":
        return stack.pop()
    if code == b"cm":
        return multiply_matrices(read_numbers(operands), matrix)
    stack.append(matrix)
    return matrix


def read_text_operator(
    code: bytes, operands: Any, resources: Any, matrix: Matrix, pen: dict[str, Any]
) -> list[Mark]:
    if code == b"Tm":
        pen["origin"] = read_numbers(operands)[4:]
    elif code == b"Tf":
        pen["font"], pen["size"] = resources["/Font"][operands[0]], float(operands[1])
    else:
        x, y = pen["origin"]
        width = measure_text(pen["font"], operands[0].original_bytes) * pen["size"]
        pen["origin"] = (x + width, y)
        return [
            build_mark("text", (x, y), (x + width, y + CAP_HEIGHT_RATIO * pen["size"]), matrix)
        ]
    return []


def read_stroke_operator(
    code: bytes, numbers: tuple[float, ...], matrix: Matrix, pen: dict[str, Any]
) -> list[Mark]:
    if code == b"re":
        x, y, width, height = numbers
        return [build_mark("box", (x, y), (x + width, y + height), matrix)]
    start, pen["point"] = pen.get("point"), numbers
    return [build_mark("line", start, numbers, matrix)] if code == b"l" else []


def read_numbers(operands: Any) -> tuple[float, ...]:
    return tuple(float(operand) for operand in operands)


def multiply_matrices(first_matrix: Any, second_matrix: Matrix) -> Matrix:
    a, b, c, d, e, f = first_matrix
    g, h, i, j, k, m = second_matrix
    return (
        a * g + b * i,
        a * h + b * j,
        c * g + d * i,
        c * h + d * j,
        e * g + f * i + k,
        e * h + f * j + m,
    )


def build_mark(kind: str, one: Any, two: Any, matrix: Matrix) -> Mark:
    a, b, c, d, e, f = matrix
    xs = [a * x + c * y + e for x, y in (one, two)]
    ys = [b * x + d * y + f for x, y in (one, two)]
    return Mark(kind, min(xs), min(ys), max(xs), max(ys))


def measure_text(font: Any, codes: bytes) -> float:
    first_char_code = int(font["/FirstChar"])
    return sum(float(font["/Widths"][code - first_char_code]) for code in codes) / 1000


def list_fill_colours(pdf: bytes) -> set[tuple[float, ...]]:
    """Return the fill colours of a paper, as red, green and blue."""
    return {
        tuple(float(operand) for operand in operands)
        for page in read_pages(pdf)
        for operands, operator in ContentStream(page.get_contents(), page.pdf).operations
        if operator == b"rg"
    }
