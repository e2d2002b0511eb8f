"""Workbooks are read in bounded time and memory, and every kind of cell has its value."""

import io
import tracemalloc
import zipfile
from contextlib import suppress
from time import process_time

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from clubs.people.limits import UnreadableList
from clubs.people.tables import parse_list_file
from tests import evenings
from tests.clubs.people.workbook_files import (
    ONE_LINK,
    ONE_SHEET,
    STRICT_NAMESPACES,
    build_text_cell,
    build_workbook,
)

HEADING_ROW = f"<row>{build_text_cell('Name')}{build_text_cell('Joined')}</row>"
EXPECTED_CELLS = ("Ann Alder", "2024-03-10")


def build_sheet_data(day: str) -> str:
    return f"{HEADING_ROW}<row>{build_text_cell('Ann Alder')}{day}</row>"


@pytest.mark.parametrize(
    "content",
    [
        build_workbook(build_sheet_data('<c s="1"><v>45361</v></c>')),
        build_workbook(
            build_sheet_data('<c s="1"><v>45361.75</v></c>'), namespaces=STRICT_NAMESPACES
        ),
        build_workbook(
            build_sheet_data('<c t="d"><v>2024-03-10T00:00:00</v></c>'),
            namespaces=STRICT_NAMESPACES,
        ),
        build_workbook(
            build_sheet_data('<c s="1"><v>43899</v></c>'),
            workbook_properties='<workbookPr date1904="1"/>',
        ),
        build_workbook(
            build_sheet_data('<c s="1"><v>43899</v></c>'),
            workbook_properties='<workbookPr date1904="true"/>',
        ),
    ],
    ids=["usual", "strict", "strict with ISO dates", "1904", "1904 in words"],
)
def test_date_is_the_same_in_every_kind_of_workbook(content: bytes) -> None:
    assert parse_list_file(content)[1].cells == EXPECTED_CELLS


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ('<c t="s"><v>0</v></c>', "Ann Alder"),
        ('<c t="str"><f>A1</f><v> Ann  Alder </v></c>', "Ann Alder"),
        ("<c><v>12</v></c>", "12"),
        ("<c><v>12.0</v></c>", "12"),
        ("<c><v>1e999</v></c>", "1e999"),
        ('<c s="1"><v>1e999</v></c>', "1e999"),
        ('<c s="1"><v>1</v></c>', "1900-01-01"),
        ('<c s="1"><v>61</v></c>', "1900-03-01"),
        ("<c><f>A1</f></c>", "\x00"),
        ('<c t="e"><v>#REF!</v></c>', "\x00"),
    ],
)
def test_cell_gives_its_stored_value(cell: str, value: str) -> None:
    shared_strings = "<si><r><t>Ann </t></r><r><t>Alder</t></r><rPh><t>x</t></rPh></si>"
    assert parse_list_file(build_workbook(f"<row>{cell}</row>", shared_strings=shared_strings))[
        0
    ].cells == (value,)


def test_first_visible_sheet_is_read() -> None:
    hidden_sheet = '<sheet name="Lists" state="veryHidden" r:id="rId2"/>'
    links = ONE_LINK + '<Relationship Id="rId2" Target="worksheets/sheet2.xml"/>'
    content = build_workbook(HEADING_ROW, sheets=hidden_sheet + ONE_SHEET, links=links)
    assert parse_list_file(content)[0].cells == ("Name", "Joined")


def test_empty_cells_may_be_anywhere() -> None:
    sheet = (
        f'<row r="7"><c r="XFD7" s="1"/>{build_text_cell("Ann", "B7")}</row><row r="1048576"/>'
    )
    [row] = parse_list_file(build_workbook(sheet))
    assert (row.row_number, row.cells) == (7, ("", "Ann"))


def build_damaged_workbook(compression_method: int) -> bytes:
    content = build_workbook(HEADING_ROW * 50, compression_method=compression_method)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        info = archive.getinfo("xl/worksheets/sheet1.xml")
    start = info.header_offset + 30 + len(info.filename)
    return content[:start] + b"\xff" * 20 + content[start + 20 :]


FAR_CELL_ROW = '<row><c r="ZZZ1"><v>1</v></c></row>'
ONE_CELL = "<c><v>1</v></c>"
REFUSED_WORKBOOKS = {
    "a cell far to the right": (
        build_workbook(f"<row>{build_text_cell('x', 'ZZZ1')}</row>" * 19_000),
        "Row 1 has more",
    ),
    "a row far below": (
        build_workbook(f'<row r="1048576">{ONE_CELL}</row>'),
        "Row 1048576: .* 5,000 rows",
    ),
    "row 0": (build_workbook(f'<row r="0">{ONE_CELL}</row>'), "Row 0: "),
    "row -3": (build_workbook(f'<row r="-3">{ONE_CELL}</row>'), "Row -3: "),
    "row x": (build_workbook(f'<row r="x">{ONE_CELL}</row>'), "sheet1.xml: "),
    "rows backwards": (
        build_workbook(f'<row r="2">{ONE_CELL}</row><row r="1">{ONE_CELL}</row>'),
        "Row 1: ",
    ),
    "a string that is not there": (
        build_workbook('<row><c t="s"><v>-1</v></c></row>'),
        "Row 1: ",
    ),
    "no sheet": (build_workbook(HEADING_ROW, sheets=""), "no sheet"),
    "no link": (build_workbook(HEADING_ROW, links=""), "no sheet"),
    "a link to nothing": (
        build_workbook(HEADING_ROW, links='<R Id="rId1" Target=""/>'),
        "no sheet",
    ),
    "bzip2": (
        build_workbook(HEADING_ROW, compression_method=zipfile.ZIP_BZIP2),
        "workbook.xml: ",
    ),
    "LZMA": (
        build_workbook(HEADING_ROW, compression_method=zipfile.ZIP_LZMA),
        "workbook.xml: ",
    ),
    "damaged deflate": (build_damaged_workbook(zipfile.ZIP_DEFLATED), "sheet1.xml: "),
    "damaged bzip2": (build_damaged_workbook(zipfile.ZIP_BZIP2), "workbook.xml: "),
    "damaged LZMA": (build_damaged_workbook(zipfile.ZIP_LZMA), "workbook.xml: "),
    "a DOCTYPE": (
        build_workbook(HEADING_ROW, workbook_properties="</workbook><!DOCTYPE x>"),
        "workbook.xml: ",
    ),
    "half of a ZIP": (build_workbook(HEADING_ROW)[:200], "be read. Save it again"),
}


@pytest.mark.parametrize("name", REFUSED_WORKBOOKS)
def test_error_of_a_damaged_workbook_names_the_position(name: str) -> None:
    content, place = REFUSED_WORKBOOKS[name]
    with pytest.raises(UnreadableList, match=place):
        parse_list_file(content)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "utf-16-be"])
def test_doctype_is_refused_in_every_encoding(encoding: str) -> None:
    name, content = "xl/workbook.xml", io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(build_workbook(HEADING_ROW))) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    workbook_xml = parts[name].decode()
    root_xml = workbook_xml[workbook_xml.index("<workbook") :]
    xml_with_doctype = (
        f'<?xml version="1.0" encoding="{encoding}"?><!DOCTYPE x [<!ENTITY a "b">]>{root_xml}'
    )
    parts[name] = xml_with_doctype.encode(encoding)
    with zipfile.ZipFile(content, "w") as written_archive:
        for part_name, data in parts.items():
            written_archive.writestr(part_name, data)
    with pytest.raises(UnreadableList, match=r"workbook\.xml: "):
        parse_list_file(content.getvalue())


LARGE_SHEETS = {
    "widest": "<row>" + "<c/>" * 410_000,
    "longest": "<row/>" * 410_000,
    "deepest": "<x>" * 410_000,
    "fullest": ("<row>" + ONE_CELL * 20 + "</row>") * 3_100,
    "most compressed": "<row><c><v>" + "1" * 50_000_000,
    "19,000 rows at ZZZ": FAR_CELL_ROW * 19_000,
}


@pytest.mark.parametrize("name", LARGE_SHEETS)
def test_reading_any_workbook_takes_bounded_time(name: str) -> None:
    content = build_workbook(LARGE_SHEETS[name])
    assert len(content) < 100_000
    started_at = process_time()
    with pytest.raises(UnreadableList):
        parse_list_file(content)
    assert (
        process_time() - started_at < 12
    )  # 3 s on a quiet machine, 8 s with other tests running


@pytest.mark.parametrize("name", ["19,000 rows at ZZZ", "fullest"])
def test_reading_any_workbook_takes_bounded_memory(name: str) -> None:
    assert measure_peak_memory(build_workbook(LARGE_SHEETS[name])) < 60_000_000


def test_long_shared_text_is_not_copied_for_every_cell() -> None:
    rows = ("<row>" + '<c t="s"><v>0</v></c>' * 12 + "</row>") * 1_000
    content = build_workbook(rows, shared_strings=f"<si><t>{'a ' * 16_000}</t></si>")
    assert measure_peak_memory(content) < 60_000_000


def measure_peak_memory(content: bytes) -> int:
    """Return the peak memory of reading, in bytes."""
    tracemalloc.start()
    with suppress(UnreadableList):
        parse_list_file(content)
    _now, peak_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak_bytes


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["a cell far to the right", "row 0", "no sheet", "bzip2"])
def test_page_refuses_a_damaged_workbook(name: str) -> None:
    _club, user = evenings.create_club_with_director()
    client = Client()
    client.force_login(user)
    file = SimpleUploadedFile("people.xlsx", REFUSED_WORKBOOKS[name][0])
    assert client.post(reverse("people_list"), {"file": file}).status_code == 400
