"""Suits and stars as our own shapes, in a font that every paper embeds.

Every installation prints the same shapes, independent of font files. In a paper the symbols are
text: a search finds a heart, and copied text contains the heart. The font is a PDF type 3 font,
whose letters are drawings (ISO 32000-1 §9.6.5).
"""

from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

from reportlab.pdfbase.pdfdoc import (
    PDFArray,
    PDFDictionary,
    PDFDocument,
    PDFName,
    PDFStream,
)
from reportlab.pdfbase.ttfonts import makeToUnicodeCMap

Segment = tuple[int, ...]  # the end of a line, or two control points and the end of a curve

FONT_NAME = "OverplaySigns"
CAP_HEIGHT_UNITS = 730  # all lengths are thousandths of the type size
ADVANCE_UNITS = 900
_OUTLINE_WIDTH_UNITS = 42  # width of outlines; thinner ones disappear on copies at ten points
_SYMBOL_BOUNDS_UNITS = [  # left, bottom, right and top of the largest symbol
    -_OUTLINE_WIDTH_UNITS,
    -_OUTLINE_WIDTH_UNITS,
    ADVANCE_UNITS + _OUTLINE_WIDTH_UNITS,
    CAP_HEIGHT_UNITS + _OUTLINE_WIDTH_UNITS,
]
_RIGHT_HALVES_BY_SHAPE: dict[str, tuple[Segment, ...]] = {
    "♠": (
        (450, 730),
        (505, 630, 735, 490, 735, 300),
        (735, 185, 665, 112, 585, 112),
        (535, 112, 492, 148, 466, 212),
        (466, 120, 478, 60, 524, 0),
        (450, 0),
    ),
    "♥": (
        (450, 548),
        (478, 655, 540, 730, 635, 730),
        (735, 730, 810, 652, 810, 545),
        (810, 415, 722, 322, 650, 248),
        (575, 170, 495, 85, 450, 0),
    ),
    "♦": (
        (450, 730),
        (535, 595, 635, 465, 730, 365),
        (635, 265, 535, 135, 450, 0),
    ),
    "♣": (
        (450, 730),
        (546, 730, 620, 656, 620, 562),
        (620, 500, 588, 448, 541, 400),
        (566, 410, 594, 416, 622, 416),
        (716, 416, 790, 344, 790, 254),
        (790, 164, 718, 94, 628, 94),
        (558, 94, 500, 140, 466, 222),
        (466, 120, 478, 60, 524, 0),
        (450, 0),
    ),
    "★": ((450, 730), (536, 464), (816, 464), (590, 300), (676, 34), (450, 198)),
}
"""The right half of each shape, from top to bottom; the left half mirrors it."""

_SHAPES = "♠♥♦♣★"
_OUTLINE_CHARACTERS = "♤♡♢♧☆"
SYMBOL_CODE_POINTS = frozenset(map(ord, _SHAPES + _OUTLINE_CHARACTERS))
"""The code points of the characters in this font: each shape, filled and as an outline."""


class SymbolFont:
    """The font of the symbols, with the interface that ReportLab requires of a font."""

    fontName = FONT_NAME
    shapable = False
    _multiByte = 1
    _dynamicFont = 0
    face = SimpleNamespace(builtIn=True, name=FONT_NAME)

    def stringWidth(self, text: str, size: float, encoding: str = "utf-8") -> float:
        """Return the width of a text in points; all symbols have the same width."""
        return len(text) * ADVANCE_UNITS * size / 1000

    def formatForPdf(self, text: str) -> str:
        """Return the codes of a text's symbols."""
        return "".join(chr(_CODES_BY_SYMBOL[symbol]) for symbol in text)

    def addObjects(self, doc: PDFDocument) -> None:
        """Add the drawings of the ten symbols to a PDF, which then grows by two kilobytes."""
        font_name = f"F{len(doc.fontMapping) + 1}"
        drawings = {
            f"g{code}": _add_stream(doc, f"{font_name}.g{code}", _build_glyph(symbol))
            for symbol, code in _CODES_BY_SYMBOL.items()
        }
        glyph_names: list[object] = [_FIRST_CHARACTER_CODE, *map(PDFName, drawings)]
        # When copied or read aloud, an outlined symbol is the character of its suit.
        readable_codes = [ord(symbol) for symbol in _SHAPES * 2]
        to_unicode_map = makeToUnicodeCMap(
            FONT_NAME, [0] * _FIRST_CHARACTER_CODE + readable_codes
        )
        font = PDFDictionary(
            {
                "Type": PDFName("Font"),
                "Subtype": PDFName("Type3"),
                "Name": PDFName(font_name),
                "FontBBox": PDFArray(_SYMBOL_BOUNDS_UNITS),
                "FontMatrix": PDFArray([0.001, 0, 0, 0.001, 0, 0]),
                "Resources": PDFDictionary({}),
                "CharProcs": PDFDictionary(drawings),
                "Encoding": PDFDictionary(
                    {"Type": PDFName("Encoding"), "Differences": PDFArray(glyph_names)}
                ),
                "FirstChar": _FIRST_CHARACTER_CODE,
                "LastChar": _FIRST_CHARACTER_CODE + len(drawings) - 1,
                "Widths": PDFArray([ADVANCE_UNITS] * len(drawings)),
                "ToUnicode": _add_stream(doc, f"{font_name}.read", to_unicode_map),
            }
        )
        fonts: Any = doc.idToObject["BasicFonts"]
        fonts.dict[font_name] = _add_object(doc, font_name, font)
        doc.fontMapping[FONT_NAME] = f"/{font_name}"


_FIRST_CHARACTER_CODE = 65  # the code of A: in a PDF string, ASCII letters need no escapes
_CODES_BY_SYMBOL = {
    symbol: _FIRST_CHARACTER_CODE + index
    for index, symbol in enumerate(_SHAPES + _OUTLINE_CHARACTERS)
}


def _build_glyph(symbol: str) -> str:
    """Return the drawing operators of a symbol, after its width and bounds."""
    bounds_operator = f"{ADVANCE_UNITS} 0 {' '.join(map(str, _SYMBOL_BOUNDS_UNITS))} d1"
    if symbol in _SHAPES:
        return f"{bounds_operator} {_build_outline(_RIGHT_HALVES_BY_SHAPE[symbol])} h f"
    half_outline = _RIGHT_HALVES_BY_SHAPE[_SHAPES[_OUTLINE_CHARACTERS.index(symbol)]]
    return f"{bounds_operator} {_OUTLINE_WIDTH_UNITS} w 1 j {_build_outline(half_outline)} h S"


def _build_outline(half_outline: tuple[Segment, ...]) -> str:
    """Return the PDF operators of the outline of a symbol, given its symmetrical right half."""
    down_path = [*half_outline[0], "m", *_format_segments(half_outline[1:])]
    end_points = [segment[-2:] for segment in half_outline]
    up_path = [
        _mirror_segment(
            (*(segment[2:4] + segment[:2] if len(segment) == 6 else ()), *start_point)
        )
        for segment, start_point in zip(half_outline[:0:-1], end_points[-2::-1], strict=True)
    ]
    return " ".join(map(str, [*down_path, *_format_segments(up_path)]))


def _format_segments(segments: Iterable[Segment]) -> Iterable[object]:
    for segment in segments:
        yield from (*segment, "l" if len(segment) == 2 else "c")


def _mirror_segment(points: Segment) -> Segment:
    pairs = zip(points[::2], points[1::2], strict=True)
    return tuple(coordinate for x, y in pairs for coordinate in (ADVANCE_UNITS - x, y))


def _add_stream(doc: PDFDocument, name: str, stream_content: str) -> object:
    return _add_object(doc, name, PDFStream(content=stream_content, filters=[]))


def _add_object(doc: PDFDocument, name: str, pdf_object: object) -> object:
    """Add an indirect object to a paper, and return the reference to it."""
    return doc.Reference(pdf_object, name)  # type: ignore[no-untyped-call]  # no stubs
