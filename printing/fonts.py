"""The type of the papers: DejaVu, which has the suits and Latin, Greek and Cyrillic letters.

The files come with matplotlib, which the double-dummy library needs anyway; it is found on disk
and never imported.
"""

import importlib.util
import unicodedata
from functools import lru_cache
from pathlib import Path

from django.utils.translation import gettext as _
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFError, TTFont

from boards.whist.errors import WhistError

SANS = "DejaVuSans"
BOLD = "DejaVuSans-Bold"
SERIF = "DejaVuSerif-Bold"
CAP_HEIGHT = 0.73  # of a capital, in sizes of the type
LEADING = 1.18  # from line to line, in sizes of the type
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


class FontsMissing(WhistError):
    """The files of the type are not where the installation puts them."""

    code = "fonts_missing"


def printable(text: str, font: str) -> str:
    """Return the text with every letter that the font lacks shown as a replacement mark.

    Letters and their accents are joined first; line breaks become spaces, and marks that print
    nothing are left out.
    """
    joined = unicodedata.normalize("NFC", text)
    return "".join(_drawn(letter, _glyphs(font)) for letter in joined).strip()


@lru_cache(maxsize=8192)
def face_for(text: str, font: str) -> str:
    """Return the font, or the bold sans where that one has letters which the font lacks."""
    if _lacking(text, font) and _lacking(text, BOLD) < _lacking(text, font):
        return BOLD
    return font


@lru_cache(maxsize=8192)
def width_of(text: str, font: str) -> float:
    """Return the width of a text in points for each point of its size."""
    _glyphs(font)
    return pdfmetrics.stringWidth(text, font, 1000) / 1000


def _lacking(text: str, font: str) -> int:
    return printable(text, font).count(REPLACEMENT)


def _drawn(letter: str, glyphs: frozenset[int]) -> str:
    if ord(letter) in glyphs and letter.isprintable():
        return letter
    category = unicodedata.category(letter)
    if category == "Cf":
        return ""
    return " " if category in ("Cc", "Zl", "Zp", "Zs") else REPLACEMENT


@lru_cache(maxsize=8)
def _glyphs(font: str) -> frozenset[int]:
    """Register a font on first use and return the letters that it has."""
    path = _folder() / f"{font}.ttf"
    try:
        face = TTFont(font, str(path))
    except TTFError as problem:
        raise FontsMissing(
            _(
                "The papers cannot be printed: the type file %(name)s is missing. "
                "Install the requirements again."
            )
            % {"name": path.name}
        ) from problem
    pdfmetrics.registerFont(face)
    return frozenset(face.face.charToGlyph)


def _folder() -> Path:
    spec = importlib.util.find_spec("matplotlib")
    places = (spec.submodule_search_locations if spec else None) or []
    for place in places:
        folder = Path(place) / "mpl-data" / "fonts" / "ttf"
        if folder.is_dir():
            return folder
    raise FontsMissing(
        _(
            "The papers cannot be printed: the DejaVu type is not installed. "
            "Install the requirements again; it comes with matplotlib."
        )
    )
