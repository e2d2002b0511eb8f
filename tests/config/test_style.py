"""The style sheet: many files in the repository, one when served."""

import gzip
import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders

from config.style_sheet import SHEET_NAME, JoinedSheetFinder, join_sheet, minify

MAX_BYTES = 24_000  # bytes, compressed
STYLE = Path(__file__).resolve().parents[2] / "static" / "css"


@pytest.fixture
def club(settings: Any, tmp_path: Path) -> Path:
    """Use a small sheet of two files instead of ours, and a data folder of its own."""
    settings.BASE_DIR, settings.DATA_DIR = tmp_path / "program", tmp_path / "data"
    folder = tmp_path / "program" / "static" / "css"
    folder.mkdir(parents=True)
    (folder / "site.css").write_text(
        '@layer tokens, rooms;\n\n@import url("tokens.css") layer(tokens);\n'
        '@import url("hall.css") layer(rooms);\n'
    )
    (folder / "tokens.css").write_text(":root {\n  --ink: black;\n}\n")
    (folder / "hall.css").write_text(".hall {\n  color: var(--ink);\n}\n")
    return folder


def test_the_files_stand_in_the_order_of_the_list_each_in_its_layer(club: Path) -> None:
    assert join_sheet(club / "site.css") == (
        "@layer tokens,rooms;"
        "@layer tokens{:root{--ink:black;}}"
        "@layer rooms{.hall{color:var(--ink);}}"
    )


def test_our_own_sheet_is_whole_and_asks_for_nothing_more() -> None:
    sheet = join_sheet(STYLE / "site.css")
    assert "@import" not in sheet
    for path in STYLE.rglob("*.css"):
        rules = minify(path.read_text(encoding="utf-8"))
        assert path.name == "site.css" or rules in sheet
    assert sheet.count("{") == sheet.count("}")
    assert "/*" not in sheet


def test_all_of_it_takes_a_phone_no_more_than_twenty_four_kilobytes() -> None:
    assert len(gzip.compress(join_sheet(STYLE / "site.css").encode())) <= MAX_BYTES


def test_collecting_finds_one_sheet_and_none_of_its_parts() -> None:
    actual = {
        f"{getattr(storage, 'prefix', '') or ''}/{name}".lstrip("/")
        for finder in finders.get_finders()
        for name, storage in finder.list([])
    }
    own_names = {name for name in actual if re.match(r"(css|img|js)/", name)}
    assert {name for name in own_names if name.endswith(".css")} == {SHEET_NAME}
    assert {"img/icon.svg", "js/table.js", "js/phone/sending.js"} <= own_names


def test_a_server_that_serves_uncollected_files_is_told_where_the_sheet_lies() -> None:
    where = finders.find(SHEET_NAME)
    assert Path(where).read_text(encoding="utf-8") == join_sheet(STYLE / "site.css")
    assert finders.find("css/tokens.css") is None
    assert finders.find(SHEET_NAME, find_all=True) == [where]


def test_the_sheet_is_written_anew_when_a_part_has_changed_and_only_then(club: Path) -> None:
    finder = JoinedSheetFinder()
    sheet = Path(finder.find(SHEET_NAME))
    first = sheet.stat()
    finder.find(SHEET_NAME)
    assert sheet.stat().st_ino == first.st_ino
    (club / "hall.css").write_text(".hall {\n  color: red;\n}\n")
    (name, storage), *_others = finder.list([])
    with storage.open(name) as file:
        assert b"color:red" in file.read()
    assert [path.name for path in sheet.parent.iterdir()] == ["site.css"]


def test_a_page_asks_for_one_sheet(client: Any, db: None) -> None:
    page = client.get("/").content.decode()
    assert re.findall(r'<link rel="stylesheet" href="([^"]+)"', page) == [
        f"/static/{SHEET_NAME}"
    ]
    sheet = client.get(f"/static/{SHEET_NAME}")
    assert sheet.headers["Content-Type"].startswith("text/css")
    assert b"".join(sheet).decode() == join_sheet(STYLE / "site.css")
