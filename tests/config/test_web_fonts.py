"""The web fonts have a small file for each script, with tabular digits."""

import re
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from fontTools.ttLib import TTFont

from deploy import web_fonts
from deploy.web_fonts import FONT_FACE_FILES, TYPEFACES_FOLDER, WEB_FONTS_FOLDER

SUBSETS_BY_FILE_NAME = web_fonts.read_subsets()
MAX_BYTES = 90_000  # of the fonts that an English page loads
NAMES = {
    "latin": "Arthur Pym & Zoë Lefèvre, Østby +7.14 −0.86 8.50 “N-S” – €",
    "latin-ext": "ŁłśżŠčőğİŵŷễẠ",
    "greek": "ΓιώργοςΠαπαδάκης",
    "cyrillic": "ИвановаЁЇЄЎ",
}


def open_font(name: str) -> TTFont:
    """Open a file of static/fonts, or a complete font of printing/typefaces."""
    folder = WEB_FONTS_FOLDER if name.endswith(".woff2") else TYPEFACES_FOLDER
    return TTFont(BytesIO((folder / name).read_bytes()))


def test_every_face_has_a_file_for_every_script() -> None:
    expected = {f"{face}-{script}.woff2" for face in FONT_FACE_FILES for script in NAMES}
    assert set(SUBSETS_BY_FILE_NAME) == expected


def test_font_files_match_the_list_of_letters() -> None:
    """After changing the list or a font, run: python -m deploy.web_fonts."""
    assert {path.name for path in WEB_FONTS_FOLDER.iterdir()} == set(SUBSETS_BY_FILE_NAME)
    for font_subset in SUBSETS_BY_FILE_NAME.values():
        code_points = set(open_font(FONT_FACE_FILES[font_subset.face]).getBestCmap())
        assert set(open_font(font_subset.name).getBestCmap()) == code_points & set(
            font_subset.code_points
        ), font_subset.name


def test_rebuilt_file_is_identical() -> None:
    name = "serif-600-greek.woff2"  # the smallest
    assert (
        web_fonts.build_woff2(SUBSETS_BY_FILE_NAME[name])
        == (WEB_FONTS_FOLDER / name).read_bytes()
    )


@pytest.mark.parametrize("face", FONT_FACE_FILES)
def test_no_letter_is_in_two_files_and_letters_of_names_are_included(face: str) -> None:
    letters = {
        item.name: set(item.code_points)
        for item in SUBSETS_BY_FILE_NAME.values()
        if item.face == face
    }
    assert sum(map(len, letters.values())) == len(set[int]().union(*letters.values()))
    code_points = open_font(FONT_FACE_FILES[face]).getBestCmap()
    for script, sample_letters in NAMES.items():
        expected = {ord(letter) for letter in sample_letters}
        assert expected <= letters[f"{face}-{script}.woff2"] & set(code_points), script


def test_latin_font_files_are_within_their_size_limit() -> None:
    latin_files = [WEB_FONTS_FOLDER / f"{face}-latin.woff2" for face in FONT_FACE_FILES]
    assert sum(item.stat().st_size for item in latin_files) < MAX_BYTES


@pytest.mark.parametrize("face", FONT_FACE_FILES)
def test_font_file_keeps_tabular_digits_and_its_licence_without_its_name(
    face: str,
) -> None:
    latin = open_font(f"{face}-latin.woff2")
    glyph_names = latin.getBestCmap()
    assert len({latin["hmtx"][glyph_names[ord(digit)]][0] for digit in "0123456789"}) == 1
    assert {item.FeatureTag for item in latin["GPOS"].table.FeatureList.FeatureRecord} >= {
        "kern"
    }
    assert {name.nameID for name in latin["name"].names} <= set(web_fonts.LICENCE_NAME_IDS)
    assert "Open Font License" in latin["name"].getDebugName(13)


@pytest.mark.parametrize("face", FONT_FACE_FILES)
def test_no_composite_glyph_takes_the_width_of_another(face: str) -> None:
    """Regression: fractions and quotes of the serif did, and the next characters overlapped."""
    latin = open_font(f"{face}-latin.woff2")
    glyphs, widths = latin["glyf"], latin["hmtx"]
    narrowed_glyphs = {
        name
        for name in latin.getGlyphOrder()
        if glyphs[name].isComposite()
        for component in glyphs[name].components
        if component.flags & web_fonts.USE_MY_METRICS
        and widths[component.glyphName][0] != widths[name][0]
    }
    assert narrowed_glyphs == set()


def test_page_preloads_two_latin_files_and_the_sheet_lists_all_files(
    client: Any, db: None
) -> None:
    page = client.get("/").content.decode()
    preloaded_files = re.findall(
        r'<link rel="preload" href="/static/fonts/([^"]+)" as="font"', page
    )
    assert preloaded_files == ["sans-400-latin.woff2", "serif-600-latin.woff2"]
    assert set(preloaded_files) <= set(SUBSETS_BY_FILE_NAME)
    sheet = Path(str(finders.find("css/site.css"))).read_text(encoding="utf-8")
    assert set(re.findall(r'url\("\.\./fonts/([^"]+)"\)', sheet)) == set(SUBSETS_BY_FILE_NAME)
