"""The style sheet has many source files and is served as one."""

import gzip
import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders

from config.style_sheet import (
    STYLE_SHEET_PATH,
    JoinedStyleSheetFinder,
    build_media_queries,
    bundle_style_sheet,
    minify_css,
)

MAX_BYTES = 24_000  # bytes, compressed
CSS_FOLDER = Path(__file__).resolve().parents[2] / "static" / "css"


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


def test_style_files_are_joined_in_order_each_in_its_layer(club: Path) -> None:
    assert bundle_style_sheet(club / "site.css") == (
        "@layer tokens,rooms;"
        "@layer tokens{:root{--ink:black;}}"
        "@layer rooms{.hall{color:var(--ink);}}"
    )


def test_joined_sheet_is_complete_and_has_no_imports() -> None:
    sheet = bundle_style_sheet(CSS_FOLDER / "site.css")
    assert "@import" not in sheet
    for path in CSS_FOLDER.rglob("*.css"):
        rules = minify_css(path.read_text(encoding="utf-8"))
        assert path.name == "site.css" or rules in sheet
    assert sheet.count("{") == sheet.count("}")
    assert "/*" not in sheet


def test_container_queries_for_phones_are_repeated_as_media_queries() -> None:
    narrow_page_rule = (
        "@container page (max-width: 40rem) {\n  .top {\n    height: 3rem;\n  }\n}\n"
    )
    wide_page_rule = "@container (min-width: 26rem) {\n  .top {\n    float: right;\n  }\n}\n"
    assert minify_css(build_media_queries(wide_page_rule)) == ""
    assert minify_css(
        build_media_queries("/* } */" + f"{narrow_page_rule}{wide_page_rule}{narrow_page_rule}")
    ) == (
        "@supports not (container-type:inline-size){"
        + "@media (max-width:40rem){.top{height:3rem;}}" * 2
        + "}"
    )
    sheet = bundle_style_sheet(CSS_FOLDER / "site.css")
    counts = [len(re.findall(rf"{rule} \(max-width", sheet)) for rule in (
        r"@container(?: page)?", "@media"
    )]  # fmt: skip
    assert counts[0] > 20
    assert counts[1] >= counts[0]


def test_compressed_sheet_is_within_its_size_limit() -> None:
    assert len(gzip.compress(bundle_style_sheet(CSS_FOLDER / "site.css").encode())) <= MAX_BYTES


def test_collectstatic_finds_one_sheet_and_none_of_its_parts() -> None:
    found_names = {
        f"{getattr(storage, 'prefix', '') or ''}/{name}".lstrip("/")
        for finder in finders.get_finders()
        for name, storage in finder.list([])
    }
    own_names = {name for name in found_names if re.match(r"(css|img|js)/", name)}
    assert {name for name in own_names if name.endswith(".css")} == {STYLE_SHEET_PATH}
    assert {"img/icon.svg", "js/table.js", "js/phone/sending.js"} <= own_names


def test_static_finder_returns_the_joined_sheet() -> None:
    sheet_path = finders.find(STYLE_SHEET_PATH)
    assert Path(sheet_path).read_text(encoding="utf-8") == bundle_style_sheet(
        CSS_FOLDER / "site.css"
    )
    assert finders.find("css/tokens.css") is None
    assert finders.find(STYLE_SHEET_PATH, find_all=True) == [sheet_path]


def test_sheet_is_rewritten_only_when_a_part_has_changed(club: Path) -> None:
    finder = JoinedStyleSheetFinder()
    sheet = Path(finder.find(STYLE_SHEET_PATH))
    first_stat = sheet.stat()
    finder.find(STYLE_SHEET_PATH)
    assert sheet.stat().st_ino == first_stat.st_ino
    (club / "hall.css").write_text(".hall {\n  color: red;\n}\n")
    (name, storage), *_other_files = finder.list([])
    with storage.open(name) as file:
        assert b"color:red" in file.read()
    assert [path.name for path in sheet.parent.iterdir()] == ["site.css"]


def test_page_links_to_one_sheet(client: Any, db: None) -> None:
    page = client.get("/").content.decode()
    assert re.findall(r'<link rel="stylesheet" href="([^"]+)"', page) == [
        f"/static/{STYLE_SHEET_PATH}"
    ]
    sheet = client.get(f"/static/{STYLE_SHEET_PATH}")
    assert sheet.headers["Content-Type"].startswith("text/css")
    assert b"".join(sheet).decode() == bundle_style_sheet(CSS_FOLDER / "site.css")
