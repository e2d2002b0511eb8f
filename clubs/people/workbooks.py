"""The first sheet of a workbook (XLSX) as rows of text; formulas are never run.

What a cell shows is what was stored: 0012 kept as text stays 0012, a day becomes 2026-03-10,
a formula gives its stored value. Source: ECMA-376, SpreadsheetML.
"""

import io
import re
import zipfile
import zlib
from datetime import date as Date
from xml.etree import ElementTree

from boards.whist.words import gettext as _

UNPACKED = 50_000_000
DAYS = range(14, 23)
"""Formats of numbers that are days, of those every workbook knows."""
_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_LINK = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_QUOTED = re.compile(r'"[^"]*"|\[[^\]]*\]|\\.')
_AT = re.compile(r"([A-Z]{1,3})([0-9]+)")
MOST = 20_100  # rows and cells of a row are not made up beyond what a list may have
_EPOCH = 693_594  # the ordinal of 1899-12-30


def rows_of_workbook(content: bytes) -> list[list[str]]:
    """Read the first sheet; raises ValueError with a sentence."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > UNPACKED:
                raise ValueError(_("The workbook unpacks to more than 50 MB."))
            return _rows(archive)
    except (zipfile.BadZipFile, KeyError, ElementTree.ParseError, zlib.error, RuntimeError):
        raise ValueError(_("The workbook cannot be read. Save it again, or as CSV.")) from None


def _part(archive: zipfile.ZipFile, name: str) -> ElementTree.Element:
    with archive.open(name) as part:
        content = part.read(UNPACKED + 1)
    if len(content) > UNPACKED:
        raise ValueError(_("The workbook unpacks to more than 50 MB."))
    if b"<!DOCTYPE" in content or b"<!ENTITY" in content:
        raise KeyError(name)
    return ElementTree.fromstring(content)


def _rows(archive: zipfile.ZipFile) -> list[list[str]]:
    names = set(archive.namelist())
    shared = _shared(archive) if "xl/sharedStrings.xml" in names else []
    days = _day_styles(archive) if "xl/styles.xml" in names else set()
    sheet = _part(archive, _first_sheet(archive))
    rows: list[list[str]] = []
    for place, row in enumerate(sheet.iter(f"{_MAIN}row"), start=len(rows) + 1):
        number = int(row.get("r") or place)
        if number > MOST:
            raise ValueError(_("The list has more than 20,000 rows."))
        while len(rows) < number:
            rows.append([])
        for cell in row.iter(f"{_MAIN}c"):
            column = _column(cell.get("r") or "", len(rows[number - 1]))
            rows[number - 1] += [""] * (column + 1 - len(rows[number - 1]))
            rows[number - 1][column] = _value(cell, shared, days)
    return rows


def _first_sheet(archive: zipfile.ZipFile) -> str:
    book = _part(archive, "xl/workbook.xml")
    first = next(book.iter(f"{_MAIN}sheet"))
    links = _part(archive, "xl/_rels/workbook.xml.rels")
    target = next(
        each.get("Target", "") for each in links if each.get("Id") == first.get(_LINK)
    )
    return target.lstrip("/") if target.startswith("/") else f"xl/{target}"


def _shared(archive: zipfile.ZipFile) -> list[str]:
    return [_words(each) for each in _part(archive, "xl/sharedStrings.xml").iter(f"{_MAIN}si")]


def _words(element: ElementTree.Element) -> str:
    """The text of a cell, its parts in all their letters; readings aloud are left out."""
    heard = {id(t) for each in element.iter(f"{_MAIN}rPh") for t in each.iter(f"{_MAIN}t")}
    return "".join(t.text or "" for t in element.iter(f"{_MAIN}t") if id(t) not in heard)


def _day_styles(archive: zipfile.ZipFile) -> set[int]:
    styles = _part(archive, "xl/styles.xml")
    own = {
        int(each.get("numFmtId", "0"))
        for each in styles.iter(f"{_MAIN}numFmt")
        if re.search("[dy]", _QUOTED.sub("", each.get("formatCode", "").lower()))
    }
    cells = styles.find(f"{_MAIN}cellXfs")
    formats = [] if cells is None else [int(each.get("numFmtId", "0")) for each in cells]
    return {place for place, each in enumerate(formats) if each in own or each in DAYS}


def _column(at: str, usual: int) -> int:
    found = _AT.fullmatch(at)
    if not found:
        return usual
    column = 0
    for letter in found[1]:
        column = column * 26 + ord(letter) - ord("A") + 1
    if column > MOST:
        raise KeyError(at)
    return column - 1


def _value(cell: ElementTree.Element, shared: list[str], days: set[int]) -> str:
    kind = cell.get("t", "n")
    if kind == "inlineStr":
        return _words(cell)
    stored = cell.findtext(f"{_MAIN}v")
    if stored is None:
        return "\x00" if cell.find(f"{_MAIN}f") is not None else ""
    if kind == "s":
        place = int(stored)
        return shared[place] if 0 <= place < len(shared) else ""
    if kind == "n":
        return _number(stored, is_day=int(cell.get("s", "0")) in days)
    return "\x00" if kind == "e" else stored


def _number(stored: str, *, is_day: bool) -> str:
    try:
        number = float(stored)
    except ValueError:
        return stored
    if is_day and 1 <= number < 2_958_466:
        return Date.fromordinal(int(number) + _EPOCH).isoformat()
    return str(int(number)) if number == int(number) and abs(number) < 1e15 else stored
