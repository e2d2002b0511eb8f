"""Tables as a workbook (XLSX): the cells of `exchange.sheets`, without any formula.

Text, numbers and dates have their types, and the header row is frozen. Source: ECMA-376,
SpreadsheetML.
"""

import io
import re
import zipfile
from collections.abc import Iterable, Sequence
from fractions import Fraction
from xml.sax.saxutils import escape, quoteattr

from exchange.sheets import Cell, Day, Sheet, plain

FIRST_SERIAL = 61
"""The first date written as a date: 1 March 1900.

Earlier dates stay text, because spreadsheets count a 29 February 1900.
"""
_NAME = re.compile(r"[\[\]:*?/\\']")


def workbook_of(sheets: Iterable[Sheet]) -> bytes:
    """Return tables as the sheets of one workbook; identical tables give identical bytes."""
    named = _named(list(sheets))
    files = {
        "[Content_Types].xml": _types(len(named)),
        "_rels/.rels": _RELS,
        "xl/workbook.xml": _workbook([name for name, _sheet in named]),
        "xl/_rels/workbook.xml.rels": _workbook_rels(len(named)),
        "xl/styles.xml": _STYLES,
    }
    for place, (_name, sheet) in enumerate(named, start=1):
        files[f"xl/worksheets/sheet{place}.xml"] = _worksheet(sheet)
    return zipped({name: text.encode() for name, text in files.items()})


def zipped(files: dict[str, bytes]) -> bytes:
    """Return files as a zip; identical files give identical bytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content)
    return packed.getvalue()


def _named(sheets: list[Sheet]) -> list[tuple[str, Sheet]]:
    """Return each sheet with a name of at most 31 characters.

    The names are unique, compared case-insensitively.
    """
    taken: set[str] = set()
    found = []
    for sheet in sheets:
        base = _NAME.sub(" ", sheet.name).strip()[:28] or "sheet"
        name, again = base, 1
        while name.casefold() in taken:
            again += 1
            name = f"{base} {again}"
        taken.add(name.casefold())
        found.append((name, sheet))
    return found


def _worksheet(sheet: Sheet) -> str:
    head: list[Sequence[Cell]] = [list(sheet.keys)]
    if sheet.words:
        head.append(list(sheet.words))
    rows = "".join(
        _row(place, cells, bold=place <= len(head))
        for place, cells in enumerate([*head, *sheet.rows], start=1)
    )
    below = len(head)
    return (
        f'{_XML}<worksheet xmlns="{_MAIN}"><sheetViews><sheetView workbookViewId="0">'
        f'<pane ySplit="{below}" topLeftCell="A{below + 1}" activePane="bottomLeft" '
        f'state="frozen"/></sheetView></sheetViews><sheetData>{rows}</sheetData></worksheet>'
    )


def _row(place: int, cells: Sequence[Cell], *, bold: bool) -> str:
    inner = "".join(
        _cell(f"{column_name(column)}{place}", cell, bold=bold)
        for column, cell in enumerate(cells)
    )
    return f'<row r="{place}">{inner}</row>'


def _cell(at: str, cell: Cell, *, bold: bool) -> str:
    if isinstance(cell, Day) and cell.serial >= FIRST_SERIAL:
        return f'<c r="{at}" s="2"><v>{cell.serial}</v></c>'
    if isinstance(cell, int | Fraction):
        return f'<c r="{at}"><v>{plain(cell)}</v></c>'
    text = plain(cell)
    if not text:
        return ""
    style = ' s="1"' if bold else ""
    return (
        f'<c r="{at}"{style} t="inlineStr"><is><t xml:space="preserve">{escape(text)}</t>'
        "</is></c>"
    )


def column_name(column: int) -> str:
    """Return the letters of a column in a workbook: A, B, … Z, AA."""
    name = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        name = chr(ord("A") + letter) + name
    return name


_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_KIND = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_RELS = (
    f'{_XML}<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="rId1" '
    f'Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>'
)
_STYLES = (
    f'{_XML}<styleSheet xmlns="{_MAIN}"><fonts count="2"><font/><font><b/></font></fonts>'
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill '
    'patternType="gray125"/></fill></fills><borders count="1"><border/></borders>'
    '<cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf/>'
    '<xf fontId="1" applyFont="1"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs>'
    "</styleSheet>"
)


def _types(sheets: int) -> str:
    parts = "".join(
        f'<Override PartName="/xl/worksheets/sheet{place}.xml" '
        f'ContentType="{_KIND}.worksheet+xml"/>'
        for place in range(1, sheets + 1)
    )
    return (
        f'{_XML}<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_KIND}.sheet.main+xml"/>'
        f'<Override PartName="/xl/styles.xml" ContentType="{_KIND}.styles+xml"/>{parts}</Types>'
    )


def _workbook(names: Sequence[str]) -> str:
    sheets = "".join(
        f'<sheet name={quoteattr(name)} sheetId="{place}" r:id="rId{place}"/>'
        for place, name in enumerate(names, start=1)
    )
    return (
        f'{_XML}<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>{sheets}</sheets>'
        "</workbook>"
    )


def _workbook_rels(sheets: int) -> str:
    parts = "".join(
        f'<Relationship Id="rId{place}" Type="{_OFFICE}/worksheet" '
        f'Target="worksheets/sheet{place}.xml"/>'
        for place in range(1, sheets + 1)
    )
    return (
        f'{_XML}<Relationships xmlns="{_PACKAGE}/relationships">{parts}<Relationship '
        f'Id="rId{sheets + 1}" Type="{_OFFICE}/styles" Target="styles.xml"/></Relationships>'
    )
