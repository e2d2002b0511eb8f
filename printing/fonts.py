"""The fonts of the papers: Source Sans and Source Serif, and Noto for missing characters.

The files are in `typefaces`, with their licences and checksums. Capitals are 0.73 of the size
high. Every face is scaled to that, so that faces look equally large in one line. Papers do not
shrink because of a face that looks small.
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

SANS = "SourceSansPro-Regular"
BOLD = "SourceSansPro-Bold"
SERIF = "SourceSerifPro-Bold"
SIGNS = signs.NAME
CAP_HEIGHT = 0.73  # height of a capital / type size
LEADING = 1.18  # distance between lines / type size
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

_FOLDER = Path(__file__).parent / "typefaces"
_NOTO = (
    *("NotoSans", "NotoSansArmenian", "NotoSansGeorgian", "NotoSansEthiopic", "NotoSansHebrew"),
    *("NotoSansArabic", "NotoSansThai", "NotoSansLao", "NotoSansSymbols"),
)
_FILES = {face: f"{face}.ttf" for face in (SANS, BOLD, SERIF)} | {
    face: f"{face}-Regular.ttf" for face in _NOTO
}
_OTHERS = (BOLD, SIGNS, *_NOTO)
"""Fallback fonts, in order of preference.

Arabic letters are not joined. Indian scripts are not included, because their letters change
places with their neighbours.
"""
_TURNED = "[\u0590-\u08ff]"  # Hebrew and Arabic
_STRETCH = re.compile(rf"{_TURNED}(?:\W*{_TURNED})*")


class FontsMissing(WhistError):
    """A font file is missing from the installation."""

    code = "fonts_missing"


class Run(NamedTuple):
    """A piece of a line in one face, and its width in points for each point of size."""

    text: str
    face: str
    width: float


class _Face(NamedTuple):
    """The code points of a face, and its scale factor."""

    letters: frozenset[int]
    enlarged: float


def printable(text: str, font: str) -> str:
    """Return a text with a replacement mark for every character that no face has.

    Letters and their accents are composed first. Line breaks become spaces, and invisible
    characters are removed.
    """
    joined = unicodedata.normalize("NFC", text)
    if joined.isprintable() and _has_all(joined, font):
        return joined.strip()
    return "".join(_drawn(letter, font) for letter in joined).strip()


@lru_cache(maxsize=8192)
def runs(text: str, font: str) -> tuple[Run, ...]:
    """Return the pieces of a line from left to right, each in the first face that has it."""
    text = _from_left(text)
    if text and _has_all(text, font):
        return (_run(text, font),)
    faces = groupby(clusters(text), lambda cluster: _face_for(cluster, font))
    return tuple(_run("".join(run), face) for face, run in faces)


@lru_cache(maxsize=8192)
def width_of(text: str, font: str) -> float:
    """Return the width of a text in points for each point of its size."""
    return sum(run.width for run in runs(text, font))


def enlarged(face: str) -> float:
    """Return the scale factor of a face, which gives capitals the same height in all faces."""
    return _face(face).enlarged


def file_of(face: str) -> str:
    """Return the path of a face's file; "" for our own signs, which are drawn."""
    return "" if face == SIGNS else str(_FOLDER / _FILES[face])


def registered(face: str) -> str:
    """Register a face with ReportLab and return its name, with which a canvas starts."""
    _face(face)
    return face


def clusters(text: str) -> list[str]:
    """Split a text into letters, each with its accents."""
    found: list[str] = []
    for letter in text:
        if found and unicodedata.combining(letter):
            found[-1] += letter
        else:
            found.append(letter)
    return found


def _run(text: str, face: str) -> Run:
    wide = pdfmetrics.stringWidth(text, face, 1000) / 1000
    return Run(text, face, wide * enlarged(face))


def _has_all(text: str, face: str) -> bool:
    """Return whether a face has every letter of a text, as is true of nearly all texts."""
    return _face(face).letters.issuperset(map(ord, text))


def _from_left(text: str) -> str:
    """Reverse right-to-left text, including the spaces between its words."""
    return _STRETCH.sub(lambda found: "".join(reversed(clusters(found[0]))), text)


def _face_for(cluster: str, font: str) -> str:
    codes = set(map(ord, cluster))
    faces = (face for face in (font, *_OTHERS) if codes <= _face(face).letters)
    return next(faces, font)


def _drawn(letter: str, font: str) -> str:
    if letter.isprintable() and ord(letter) in _face(_face_for(letter, font)).letters:
        return letter
    category = unicodedata.category(letter)
    if category == "Cf":
        return ""
    return " " if category in ("Cc", "Zl", "Zp", "Zs") else REPLACEMENT


@lru_cache(maxsize=16)
def _face(name: str) -> _Face:
    """Load and register a face on first use."""
    if name == SIGNS:
        pdfmetrics.registerFont(signs.Signs())
        return _Face(signs.SIGNS, 1000 * CAP_HEIGHT / signs.CAP_HEIGHT)
    try:
        face = TTFont(name, str(_FOLDER / _FILES[name]))
    except TTFError as problem:
        words = _("The font file %(name)s is missing. Install Overplay again.")
        raise FontsMissing(words % {"name": _FILES[name]}) from problem
    pdfmetrics.registerFont(face)
    return _Face(frozenset(face.face.charToGlyph), 1000 * CAP_HEIGHT / face.face.capHeight)
