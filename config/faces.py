"""The type of the pages: the faces of the papers, cut into the letters of each script.

`static/css/tokens/faces.css` lists the files that a page may request. A name such as
`sans-400-latin` is a face, a weight and a script; its `unicode-range` has the letters of the
file. A file is cut once from a font in printing/typefaces and stored in the data folder; it is
cut again only when the list, the font or this module has changed.
"""

import hashlib
import os
import re
import tempfile
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import version
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.staticfiles.finders import BaseFinder
from django.core.files.storage import FileSystemStorage

FOLDER = "fonts"
FACES = {
    "sans-400": "SourceSansPro-Regular.ttf",
    "sans-600": "SourceSansPro-Semibold.ttf",
    "serif-600": "SourceSerifPro-Semibold.ttf",
}
FEATURES = ["ccmp", "kern", "liga", "locl", "mark", "mkmk"]
USE_MY_METRICS = 0x0200
"""Of a part of a letter: the whole is as wide as this part (OpenType, the table `glyf`)."""
RULES = 2  # how files are cut; another number has them cut anew
LICENCE_NAMES = [
    0,
    13,
    14,
]  # who made the face and under which licence; its own name stays away
FACE = re.compile(
    r'url\("\.\./fonts/(?P<face>[a-z]+-\d+)-(?P<script>[a-z-]+)\.woff2"\)'
    r"[^}]*unicode-range:\s*(?P<letters>[^;]+);"
)


class Cut(NamedTuple):
    """One file of letters: what it is cut from, and what it keeps."""

    name: str
    face: str
    letters: tuple[int, ...]


def cuts(sheet: Path) -> dict[str, Cut]:
    """Read the list of files from a style sheet, by their names."""
    found = FACE.finditer(sheet.read_text(encoding="utf-8"))
    listed = [
        Cut(f"{it['face']}-{it['script']}.woff2", it["face"], tuple(_codes(it["letters"])))
        for it in found
    ]
    return {cut.name: cut for cut in listed}


def _codes(ranges: str) -> Iterator[int]:
    for part in ranges.replace("U+", "").split(","):
        first, _dash, last = part.strip().partition("-")
        yield from range(int(first, 16), int(last or first, 16) + 1)


def woff2(cut: Cut) -> bytes:
    """Cut a face down to some letters, with their kerning; the figures are all of one width."""
    from fontTools import subset  # large: only who cuts loads it

    options = subset.Options(
        flavor="woff2",
        hinting=False,
        layout_features=FEATURES,
        name_IDs=LICENCE_NAMES,
        notdef_outline=True,
        recalc_timestamp=False,
    )
    font = subset.load_font(BytesIO(_source(cut.face).read_bytes()), options)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=cut.letters)
    cutter.subset(font)
    _measure_by_themselves(font)
    written = BytesIO()
    subset.save_font(font, written, options)
    return written.getvalue()


def _measure_by_themselves(font: Any) -> None:
    """Let no letter that is made of others be as narrow as the last of them.

    The serif says so of its halves, its quotes and its per cent, whose next letter would then
    stand on them.
    """
    glyphs, widths = font["glyf"], font["hmtx"]
    for name in glyphs.keys():  # noqa: SIM118 - a table, not a mapping
        glyph = glyphs[name]
        for part in glyph.components if glyph.isComposite() else ():
            if widths[part.glyphName][0] != widths[name][0]:
                part.flags &= ~USE_MY_METRICS


class CutFaces(BaseFinder):
    """Finds the cut faces, for `collectstatic` and for a server that serves uncollected."""

    def __init__(self) -> None:
        self.cuts = cuts(settings.BASE_DIR / "static" / "css" / "tokens" / "faces.css")
        self.folder = settings.DATA_DIR / "joined"

    def check(self, **_options: Any) -> list[Any]:
        """There is no setting that could be wrong."""
        return []

    def find(self, path: str, find_all: bool = False, **_options: Any) -> Any:
        """Return where a file of letters lies, if it is what is asked for."""
        cut = self.cuts.get(path.removeprefix(f"{FOLDER}/"))
        if cut is None or path != f"{FOLDER}/{cut.name}":
            return []
        return [self._write(cut)] if find_all else self._write(cut)

    def list(self, _ignored: Iterable[str] | None) -> Iterator[tuple[str, FileSystemStorage]]:
        """Give every file of letters, and what it lies in."""
        for cut in self.cuts.values():
            self._write(cut)
            yield f"{FOLDER}/{cut.name}", FileSystemStorage(location=self.folder)

    def _write(self, cut: Cut) -> str:
        """Cut a file where that was not done yet; whoever reads meets a whole one."""
        kept = self.folder / "cut" / f"{_mark(cut)}-{cut.name}"
        if not kept.exists():
            _put(kept, woff2(cut))
        file = self.folder / FOLDER / cut.name
        if not file.exists() or file.read_bytes() != kept.read_bytes():
            _put(file, kept.read_bytes())
        return str(file)


def _put(file: Path, content: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, new = tempfile.mkstemp(dir=file.parent)
    with os.fdopen(handle, "wb") as writing:
        writing.write(content)
    os.replace(new, file)


def _mark(cut: Cut) -> str:
    """Name a state of all that a file of letters is made of."""
    made_of = (RULES, cut, FEATURES, LICENCE_NAMES, _checksum(cut.face), _version("fonttools"))
    return hashlib.sha256(repr(made_of).encode()).hexdigest()[:12]


@cache
def _version(package: str) -> str:
    """Ask once which one is installed: the answer is read from a file, as a letter is."""
    return version(package)


@cache
def _checksum(face: str) -> str:
    return hashlib.sha256(_source(face).read_bytes()).hexdigest()


def _source(face: str) -> Path:
    return Path(settings.BASE_DIR) / "printing" / "typefaces" / FACES[face]
