"""Renew the fonts of the pages in static/fonts: `python -m deploy.web_fonts`.

`static/css/tokens/faces.css` lists them. A name such as `sans-400-latin` is a face, a weight
and a script; its `unicode-range` has the letters of the file, which is a subset of a font in
printing/typefaces. Run it again when the list or one of those fonts has changed.
"""

import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
SHEET = ROOT / "static" / "css" / "tokens" / "faces.css"
TYPEFACES = ROOT / "printing" / "typefaces"
FOLDER = ROOT / "static" / "fonts"
FACES = {
    "sans-400": "SourceSansPro-Regular.ttf",
    "sans-600": "SourceSansPro-Semibold.ttf",
    "serif-600": "SourceSerifPro-Semibold.ttf",
}
FEATURES = ["ccmp", "kern", "liga", "locl", "mark", "mkmk"]
USE_MY_METRICS = 0x0200
"""Flag of a component: the composite glyph has its width (OpenType, table `glyf`)."""
LICENCE_NAMES = [0, 13, 14]
"""Copyright and licence; the licence reserves the font's own name for the whole font."""
FACE = re.compile(
    r'url\("\.\./fonts/(?P<face>[a-z]+-\d+)-(?P<script>[a-z-]+)\.woff2"\)'
    r"[^}]*unicode-range:\s*(?P<letters>[^;]+);"
)


class Subset(NamedTuple):
    """One file: its name, the face that it is a subset of, and its code points."""

    name: str
    face: str
    letters: tuple[int, ...]


def subsets(sheet: Path = SHEET) -> dict[str, Subset]:
    """Read the list of files from a style sheet, by their names."""
    found = FACE.finditer(sheet.read_text(encoding="utf-8"))
    listed = [
        Subset(f"{it['face']}-{it['script']}.woff2", it["face"], tuple(_codes(it["letters"])))
        for it in found
    ]
    return {each.name: each for each in listed}


def _codes(ranges: str) -> Iterator[int]:
    for part in ranges.replace("U+", "").split(","):
        first, _dash, last = part.strip().partition("-")
        yield from range(int(first, 16), int(last or first, 16) + 1)


def woff2(wanted: Subset) -> bytes:
    """Return a face with only some letters and their kerning; its digits have one width."""
    from fontTools import subset

    options = subset.Options(
        flavor="woff2",
        hinting=False,
        layout_features=FEATURES,
        name_IDs=LICENCE_NAMES,
        notdef_outline=True,
        recalc_timestamp=False,
    )
    whole = BytesIO((TYPEFACES / FACES[wanted.face]).read_bytes())
    font = subset.load_font(whole, options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=wanted.letters)
    subsetter.subset(font)
    _keep_own_widths(font)
    written = BytesIO()
    subset.save_font(font, written, options)
    return written.getvalue()


def _keep_own_widths(font: Any) -> None:
    """Clear the flag that gives a composite glyph the narrower width of its last component.

    The serif has it in its halves, quotes and per cent, and the next letter would overlap them.
    """
    glyphs, widths = font["glyf"], font["hmtx"]
    for name in glyphs.keys():  # noqa: SIM118 - a table, not a mapping
        glyph = glyphs[name]
        for part in glyph.components if glyph.isComposite() else ():
            if widths[part.glyphName][0] != widths[name][0]:
                part.flags &= ~USE_MY_METRICS


def renew() -> None:
    """Write every file that the style sheet lists, and delete all others."""
    listed = subsets()
    for file in FOLDER.glob("*.woff2"):
        if file.name not in listed:
            file.unlink()
    for each in listed.values():
        (FOLDER / each.name).write_bytes(woff2(each))


if __name__ == "__main__":
    renew()
