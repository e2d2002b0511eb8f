"""The web fonts have a small file for each script, with tabular digits."""

import re
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from fontTools.ttLib import TTFont

from deploy import web_fonts
from deploy.web_fonts import FACE_FILES, TYPEFACES_FOLDER, WEB_FONTS_FOLDER

LISTED = web_fonts.read_subsets()
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
    expected = {f"{face}-{script}.woff2" for face in FACE_FILES for script in NAMES}
    assert set(LISTED) == expected


def test_font_files_match_the_list_of_letters() -> None:
    """After changing the list or a font, run: python -m deploy.web_fonts."""
    assert {path.name for path in WEB_FONTS_FOLDER.iterdir()} == set(LISTED)
    for item in LISTED.values():
        code_points = set(open_font(FACE_FILES[item.face]).getBestCmap())
        assert set(open_font(item.name).getBestCmap()) == code_points & set(item.code_points), (
            item.name
        )


def test_rebuilt_file_is_identical() -> None:
    name = "serif-600-greek.woff2"  # the smallest
    assert web_fonts.build_woff2(LISTED[name]) == (WEB_FONTS_FOLDER / name).read_bytes()


@pytest.mark.parametrize("face", FACE_FILES)
def test_no_letter_is_in_two_files_and_letters_of_names_are_included(face: str) -> None:
    letters = {
        item.name: set(item.code_points) for item in LISTED.values() if item.face == face
    }
    assert sum(map(len, letters.values())) == len(set[int]().union(*letters.values()))
    code_points = open_font(FACE_FILES[face]).getBestCmap()
    for script, text in NAMES.items():
        expected = {ord(letter) for letter in text}
        assert expected <= letters[f"{face}-{script}.woff2"] & set(code_points), script


def test_english_page_loads_little() -> None:
    latin = [WEB_FONTS_FOLDER / f"{face}-latin.woff2" for face in FACE_FILES]
    assert sum(item.stat().st_size for item in latin) < MAX_BYTES


@pytest.mark.parametrize("face", FACE_FILES)
def test_font_file_keeps_tabular_digits_and_its_licence_without_its_name(
    face: str,
) -> None:
    latin = open_font(f"{face}-latin.woff2")
    glyphs = latin.getBestCmap()
    assert len({latin["hmtx"][glyphs[ord(figure)]][0] for figure in "0123456789"}) == 1
    assert {item.FeatureTag for item in latin["GPOS"].table.FeatureList.FeatureRecord} >= {
        "kern"
    }
    assert {name.nameID for name in latin["name"].names} <= set(web_fonts.LICENCE_NAMES)
    assert "Open Font License" in latin["name"].getDebugName(13)


@pytest.mark.parametrize("face", FACE_FILES)
def test_no_letter_takes_the_width_of_another(face: str) -> None:
    """Regression: fractions and quotes of the serif did, and the next characters overlapped."""
    latin = open_font(f"{face}-latin.woff2")
    glyphs, widths = latin["glyf"], latin["hmtx"]
    narrowed = {
        name
        for name in latin.getGlyphOrder()
        if glyphs[name].isComposite()
        for component in glyphs[name].components
        if component.flags & web_fonts.USE_MY_METRICS
        and widths[component.glyphName][0] != widths[name][0]
    }
    assert narrowed == set()


def test_page_preloads_two_latin_files_and_the_sheet_lists_all_files(
    client: Any, db: None
) -> None:
    page = client.get("/").content.decode()
    early = re.findall(r'<link rel="preload" href="/static/fonts/([^"]+)" as="font"', page)
    assert early == ["sans-400-latin.woff2", "serif-600-latin.woff2"]
    assert set(early) <= set(LISTED)
    sheet = Path(str(finders.find("css/site.css"))).read_text(encoding="utf-8")
    assert set(re.findall(r'url\("\.\./fonts/([^"]+)"\)', sheet)) == set(LISTED)
