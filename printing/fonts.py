"""The fonts of papers: Source Sans and Source Serif, and Noto for characters that they lack.

The files are in `typefaces`, with their licences and checksums. Every face is scaled until its
capitals are 0.73 times as high as the type size, so that faces look equally large in one line.
"""

import re
import unicodedata
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from django.utils.translation import gettext as _
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFError, TTFont

from boards.whist.errors import WhistError
from printing import signs

SANS_FONT = "SourceSansPro-Regular"
BOLD_FONT = "SourceSansPro-Bold"
SERIF_FONT = "SourceSerifPro-Bold"
SYMBOL_FONT = signs.FONT_NAME
CAP_HEIGHT_RATIO = 0.73  # height of a capital divided by the type size
LEADING_RATIO = 1.18  # distance between lines divided by the type size
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

_FONT_FOLDER = Path(__file__).parent / "typefaces"
_NOTO_FACES = (
    *("NotoSans", "NotoSansArmenian", "NotoSansGeorgian", "NotoSansEthiopic", "NotoSansHebrew"),
    *("NotoSansArabic", "NotoSansThai", "NotoSansLao", "NotoSansSymbols"),
)
_FILE_NAMES = {face: f"{face}.ttf" for face in (SANS_FONT, BOLD_FONT, SERIF_FONT)} | {
    face: f"{face}-Regular.ttf" for face in _NOTO_FACES
}
_FALLBACK_FACES = (BOLD_FONT, SYMBOL_FONT, *_NOTO_FACES)
"""Fallback fonts, in order of preference.

Arabic letters are printed without joins. Indian scripts are not included, because ReportLab
cannot reorder their letters.
"""
_RIGHT_TO_LEFT_LETTERS = "[\u0590-\u08ff]"  # regex class from Hebrew to Arabic
_RIGHT_TO_LEFT_TEXT = re.compile(rf"{_RIGHT_TO_LEFT_LETTERS}(?:\W*{_RIGHT_TO_LEFT_LETTERS})*")


class FontsMissing(WhistError):
    """A font file is missing from the installation."""

    code = "fonts_missing"


class TextRun(NamedTuple):
    """A piece of a text line in one face, with its width in points at a type size of 1."""

    text: str
    face: str
    width: float


class _Face(NamedTuple):
    """The code points of a face, and the factor that scales the face to a common height."""

    code_points: frozenset[int]
    scale: float


def replace_unprintable(text: str, font: str) -> str:
    """Return a text with a replacement mark for each character that no face has.

    Letters are first combined with their accents. Line breaks become spaces, and invisible
    characters are removed.
    """
    composed_text = unicodedata.normalize("NFC", text)
    if composed_text.isprintable() and _has_all_letters(composed_text, font):
        return composed_text.strip()
    return "".join(_replace_letter(letter, font) for letter in composed_text).strip()


@lru_cache(maxsize=8192)
def split_into_runs(text: str, font: str) -> tuple[TextRun, ...]:
    """Split a line of text into runs, each in the first face that has all its letters."""
    text = _reverse_right_to_left(text)
    if text and _has_all_letters(text, font):
        return (_build_run(text, font),)
    clusters_by_face = groupby(
        split_into_graphemes(text), lambda cluster: _choose_face(cluster, font)
    )
    return tuple(
        _build_run("".join(run_clusters), face) for face, run_clusters in clusters_by_face
    )


@lru_cache(maxsize=8192)
def measure_width(text: str, font: str) -> float:
    """Return the width of a text in points at a type size of 1."""
    return sum(run.width for run in split_into_runs(text, font))


def get_scale_factor(face: str) -> float:
    """Return a face's scale factor, which gives all faces capitals of equal height."""
    return _open_face(face).scale


def get_font_path(face: str) -> str:
    """Return the path of a face's file, or "" for our own signs, which have no file."""
    return "" if face == SYMBOL_FONT else str(_FONT_FOLDER / _FILE_NAMES[face])


def register_face(face: str) -> str:
    """Register a face with ReportLab, so that a canvas can use it; return its name."""
    _open_face(face)
    return face


def split_into_graphemes(text: str) -> list[str]:
    """Split a text into letters, each with its accents."""
    clusters: list[str] = []
    for letter in text:
        if clusters and unicodedata.combining(letter):
            clusters[-1] += letter
        else:
            clusters.append(letter)
    return clusters


def _build_run(text: str, face: str) -> TextRun:
    width = pdfmetrics.stringWidth(text, face, 1000) / 1000
    return TextRun(text, face, width * get_scale_factor(face))


def _has_all_letters(text: str, face: str) -> bool:
    """Return whether a face has every letter of a text."""
    return _open_face(face).code_points.issuperset(map(ord, text))


def _reverse_right_to_left(text: str) -> str:
    """Reverse right-to-left text, including the spaces between its words."""
    return _RIGHT_TO_LEFT_TEXT.sub(
        lambda match: "".join(reversed(split_into_graphemes(match[0]))), text
    )


def _choose_face(cluster: str, font: str) -> str:
    code_points = set(map(ord, cluster))
    faces = (
        face for face in (font, *_FALLBACK_FACES) if code_points <= _open_face(face).code_points
    )
    return next(faces, font)


def _replace_letter(letter: str, font: str) -> str:
    if (
        letter.isprintable()
        and ord(letter) in _open_face(_choose_face(letter, font)).code_points
    ):
        return letter
    category = unicodedata.category(letter)
    if category == "Cf":
        return ""
    return " " if category in ("Cc", "Zl", "Zp", "Zs") else REPLACEMENT


@lru_cache(maxsize=16)
def _open_face(name: str) -> _Face:
    """Load and register a face on first use."""
    if name == SYMBOL_FONT:
        pdfmetrics.registerFont(signs.SymbolFont())
        return _Face(signs.SYMBOL_CODE_POINTS, 1000 * CAP_HEIGHT_RATIO / signs.CAP_HEIGHT_UNITS)
    try:
        face = TTFont(name, str(_FONT_FOLDER / _FILE_NAMES[name]))
    except TTFError as problem:
        message = _("The font file %(name)s is missing. Install Overplay again.")
        raise FontsMissing(message % {"name": _FILE_NAMES[name]}) from problem
    pdfmetrics.registerFont(face)
    return _Face(
        frozenset(face.face.charToGlyph), 1000 * CAP_HEIGHT_RATIO / face.face.capHeight
    )
