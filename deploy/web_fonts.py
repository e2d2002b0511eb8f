"""Update the fonts of the pages in static/fonts: `python -m deploy.web_fonts`.

`static/css/tokens/faces.css` lists the fonts and the characters of each. A name such as
`sans-400-latin` consists of a face, a weight and a script. Each font is a subset of a font in
printing/typefaces. Run this after a change of the list or of one of those fonts.
"""

import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
FONT_FACES_SHEET_PATH = ROOT / "static" / "css" / "tokens" / "faces.css"
TYPEFACES_FOLDER = ROOT / "printing" / "typefaces"
WEB_FONTS_FOLDER = ROOT / "static" / "fonts"
FONT_FACE_FILES = {
    "sans-400": "SourceSansPro-Regular.ttf",
    "sans-600": "SourceSansPro-Semibold.ttf",
    "serif-600": "SourceSerifPro-Semibold.ttf",
}
RETAINED_FONT_FEATURES = ["ccmp", "kern", "liga", "locl", "mark", "mkmk"]
USE_MY_METRICS = 0x0200
"""Flag of a component that sets the width of its composite glyph (OpenType, `glyf`)."""
LICENCE_NAME_IDS = [0, 13, 14]
"""Ids of the copyright and licence texts of a font."""
FONT_FACE_PATTERN = re.compile(
    r'url\("\.\./fonts/(?P<face>[a-z]+-\d+)-(?P<script>[a-z-]+)\.woff2"\)'
    r"[^}]*unicode-range:\s*(?P<letters>[^;]+);"
)


class FontSubset(NamedTuple):
    """A font file with some of the characters of a face."""

    name: str
    face: str
    """A key of FONT_FACE_FILES."""
    code_points: tuple[int, ...]


def read_subsets(sheet: Path = FONT_FACES_SHEET_PATH) -> dict[str, FontSubset]:
    """Return the font files listed in a style sheet, by name."""
    face_matches = FONT_FACE_PATTERN.finditer(sheet.read_text(encoding="utf-8"))
    subsets = [
        FontSubset(
            f"{face_match['face']}-{face_match['script']}.woff2",
            face_match["face"],
            tuple(_iter_code_points(face_match["letters"])),
        )
        for face_match in face_matches
    ]
    return {subset.name: subset for subset in subsets}


def _iter_code_points(unicode_ranges: str) -> Iterator[int]:
    for range_text in unicode_ranges.replace("U+", "").split(","):
        first_hex, _dash, last_hex = range_text.strip().partition("-")
        yield from range(int(first_hex, 16), int(last_hex or first_hex, 16) + 1)


def build_woff2(font_subset: FontSubset) -> bytes:
    """Return a face with only some characters, their kerning, and digits of equal width."""
    from fontTools import subset

    options = subset.Options(
        flavor="woff2",
        hinting=False,
        layout_features=RETAINED_FONT_FEATURES,
        name_IDs=LICENCE_NAME_IDS,
        notdef_outline=True,
        recalc_timestamp=False,
    )
    source_file = BytesIO((TYPEFACES_FOLDER / FONT_FACE_FILES[font_subset.face]).read_bytes())
    font = subset.load_font(source_file, options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=font_subset.code_points)
    subsetter.subset(font)
    _keep_own_widths(font)
    output_file = BytesIO()
    subset.save_font(font, output_file, options)
    return output_file.getvalue()


def _keep_own_widths(font: Any) -> None:
    """Clear the flag that gives a composite glyph the width of its last component.

    In the serif face, fractions, quotes and per cent have the flag and are wider than their
    last component, so that the next letter would overlap them.
    """
    glyphs, widths = font["glyf"], font["hmtx"]
    for glyph_name in glyphs.keys():  # noqa: SIM118 - a table, not a mapping
        glyph = glyphs[glyph_name]
        for component in glyph.components if glyph.isComposite() else ():
            if widths[component.glyphName][0] != widths[glyph_name][0]:
                component.flags &= ~USE_MY_METRICS


def update_fonts() -> None:
    """Write every font file listed in the style sheet, and delete all others."""
    subsets = read_subsets()
    for font_path in WEB_FONTS_FOLDER.glob("*.woff2"):
        if font_path.name not in subsets:
            font_path.unlink()
    for font_subset in subsets.values():
        (WEB_FONTS_FOLDER / font_subset.name).write_bytes(build_woff2(font_subset))


if __name__ == "__main__":
    update_fonts()
