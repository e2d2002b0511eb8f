"""The type of the pages: cut once into the letters of each script, small, with even figures."""

import re
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from fontTools.ttLib import TTFont

from config import faces
from config.faces import Cut, CutFaces, cuts

SHEET = Path(__file__).resolve().parents[2] / "static" / "css" / "tokens" / "faces.css"
CUTS = cuts(SHEET)
MOST = 90_000  # bytes that an English page may load
NAMES = {
    "latin": "Arthur Pym & Zoë Lefèvre, Østby +7.14 −0.86 8.50 “N-S” – €",
    "latin-ext": "ŁłśżŠčőğİŵŷễẠ",
    "greek": "ΓιώργοςΠαπαδάκης",
    "cyrillic": "ИвановаЁЇЄЎ",
}


@pytest.fixture(scope="module")
def latin() -> dict[str, bytes]:
    """The Latin file of each face, as a reader gets it; the journeys' pages load it too."""
    names = [name for name in CUTS if name.endswith("-latin.woff2")]
    return {
        CUTS[name].face: Path(CutFaces().find(f"fonts/{name}")).read_bytes() for name in names
    }


def test_every_face_has_a_file_for_every_script() -> None:
    expected = {f"{face}-{script}.woff2" for face in faces.FACES for script in NAMES}
    assert set(CUTS) == expected


@pytest.mark.parametrize("face", faces.FACES)
def test_no_letter_is_asked_for_twice_and_the_letters_of_names_are_there(face: str) -> None:
    letters = {cut.name: set(cut.letters) for cut in CUTS.values() if cut.face == face}
    assert sum(map(len, letters.values())) == len(set[int]().union(*letters.values()))
    known = TTFont(BytesIO(faces._source(face).read_bytes())).getBestCmap()
    for script, text in NAMES.items():
        wanted = {ord(letter) for letter in text}
        assert wanted <= letters[f"{face}-{script}.woff2"] & set(known), script


def test_an_english_page_loads_little(latin: dict[str, bytes]) -> None:
    assert len(latin) == len(faces.FACES)
    assert sum(map(len, latin.values())) < MOST


@pytest.mark.parametrize("face", faces.FACES)
def test_a_cut_face_keeps_even_figures_and_its_licence_and_lays_its_name_down(
    face: str, latin: dict[str, bytes]
) -> None:
    font = TTFont(BytesIO(latin[face]))
    glyphs = font.getBestCmap()
    assert len({font["hmtx"][glyphs[ord(figure)]][0] for figure in "0123456789"}) == 1
    assert {it.FeatureTag for it in font["GPOS"].table.FeatureList.FeatureRecord} >= {"kern"}
    assert {it.nameID for it in font["name"].names} <= set(faces.LICENCE_NAMES)
    assert "Open Font License" in font["name"].getDebugName(13)


@pytest.mark.parametrize("face", faces.FACES)
def test_no_letter_takes_another_s_width(face: str, latin: dict[str, bytes]) -> None:
    """The halves and quotes of the serif did, and what followed stood on them."""
    font = TTFont(BytesIO(latin[face]))
    glyphs, widths = font["glyf"], font["hmtx"]
    narrowed = {
        name
        for name in font.getGlyphOrder()
        if glyphs[name].isComposite()
        for part in glyphs[name].components
        if part.flags & faces.USE_MY_METRICS and widths[part.glyphName][0] != widths[name][0]
    }
    assert narrowed == set()


def test_a_file_is_cut_once_and_anew_when_its_letters_change(
    settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DATA_DIR = tmp_path
    cut_so_far: list[Cut] = []

    def note(cut: Cut) -> bytes:
        cut_so_far.append(cut)
        return bytes(str(cut.letters[:2]), "ascii")

    monkeypatch.setattr(faces, "woff2", note)
    finder, path = CutFaces(), "fonts/sans-400-greek.woff2"
    found = [finder.find(path), finder.find(path)]
    assert [Path(each).read_bytes() for each in found] == [b"(880, 881)"] * 2
    assert len(cut_so_far) == 1
    finder.cuts = {"sans-400-greek.woff2": Cut("sans-400-greek.woff2", "sans-400", (1, 2))}
    assert Path(finder.find(path)).read_bytes() == b"(1, 2)"
    assert finder.find("fonts/nobody.woff2") == finder.find("sans-400-greek.woff2") == []


def test_a_page_asks_early_for_the_two_latin_files_and_the_sheet_for_those_it_lists(
    client: Any, db: None
) -> None:
    page = client.get("/").content.decode()
    early = re.findall(r'<link rel="preload" href="/static/fonts/([^"]+)" as="font"', page)
    assert early == ["sans-400-latin.woff2", "serif-600-latin.woff2"]
    assert set(early) <= set(CUTS)
    sheet = Path(str(finders.find("css/site.css"))).read_text(encoding="utf-8")
    assert set(re.findall(r'url\("\.\./fonts/([^"]+)"\)', sheet)) == set(CUTS)
