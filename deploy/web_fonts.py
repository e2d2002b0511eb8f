"""Update the fonts of the pages in static/fonts: `python -m deploy.web_fonts`.

`static/css/tokens/faces.css` lists them. A name such as `sans-400-latin` is a face, a weight
and a script, and the `unicode-range` lists the characters of the file. Each file is a subset of
a font in printing/typefaces. Run this after a change of the list or of one of these fonts.
"""

import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
FACES_SHEET = ROOT / "static" / "css" / "tokens" / "faces.css"
TYPEFACES_FOLDER = ROOT / "printing" / "typefaces"
WEB_FONTS_FOLDER = ROOT / "static" / "fonts"
FACE_FILES = {
    "sans-400": "SourceSansPro-Regular.ttf",
    "sans-600": "SourceSansPro-Semibold.ttf",
    "serif-600": "SourceSerifPro-Semibold.ttf",
}
KEPT_FEATURES = ["ccmp", "kern", "liga", "locl", "mark", "mkmk"]
USE_MY_METRICS = 0x0200
"""Flag of a component that sets the width of its composite glyph (OpenType, `glyf`)."""
LICENCE_NAMES = [0, 13, 14]
"""Ids of the copyright and licence texts of a font."""
FACE_PATTERN = re.compile(
    r'url\("\.\./fonts/(?P<face>[a-z]+-\d+)-(?P<script>[a-z-]+)\.woff2"\)'
    r"[^}]*unicode-range:\s*(?P<letters>[^;]+);"
)


class Subset(NamedTuple):
    """A font file: its name, the face that it is a subset of, and its code points."""

    name: str
    face: str
    code_points: tuple[int, ...]


def read_subsets(sheet: Path = FACES_SHEET) -> dict[str, Subset]:
    """Return the font files listed in a style sheet, by name."""
    matches = FACE_PATTERN.finditer(sheet.read_text(encoding="utf-8"))
    subsets = [
        Subset(
            f"{match['face']}-{match['script']}.woff2",
            match["face"],
            tuple(_iter_code_points(match["letters"])),
        )
        for match in matches
    ]
    return {subset.name: subset for subset in subsets}


def _iter_code_points(ranges: str) -> Iterator[int]:
    for part in ranges.replace("U+", "").split(","):
        first, _dash, last = part.strip().partition("-")
        yield from range(int(first, 16), int(last or first, 16) + 1)


def build_woff2(wanted: Subset) -> bytes:
    """Return a face with only some characters, their kerning, and digits of equal width."""
    from fontTools import subset

    options = subset.Options(
        flavor="woff2",
        hinting=False,
        layout_features=KEPT_FEATURES,
        name_IDs=LICENCE_NAMES,
        notdef_outline=True,
        recalc_timestamp=False,
    )
    source_file = BytesIO((TYPEFACES_FOLDER / FACE_FILES[wanted.face]).read_bytes())
    font = subset.load_font(source_file, options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=wanted.code_points)
    subsetter.subset(font)
    _keep_own_widths(font)
    output = BytesIO()
    subset.save_font(font, output, options)
    return output.getvalue()


def _keep_own_widths(font: Any) -> None:
    """Clear the flag that gives a composite glyph the width of its last component.

    In the serif face, fractions, quotes and per cent have the flag and are wider than their
    last component, so that the next letter would overlap them.
    """
    glyphs, widths = font["glyf"], font["hmtx"]
    for name in glyphs.keys():  # noqa: SIM118 - a table, not a mapping
        glyph = glyphs[name]
        for component in glyph.components if glyph.isComposite() else ():
            if widths[component.glyphName][0] != widths[name][0]:
                component.flags &= ~USE_MY_METRICS


def renew_fonts() -> None:
    """Write every font file listed in the style sheet, and delete all others."""
    subsets = read_subsets()
    for file in WEB_FONTS_FOLDER.glob("*.woff2"):
        if file.name not in subsets:
            file.unlink()
    for item in subsets.values():
        (WEB_FONTS_FOLDER / item.name).write_bytes(build_woff2(item))


if __name__ == "__main__":
    renew_fonts()
