"""Exports data tables as an XLSX workbook without formulas."""

import io
import re
import zipfile
from collections.abc import Iterable, Sequence
from fractions import Fraction
from xml.sax.saxutils import escape, quoteattr

from exchange.data_tables import Cell, DataTable, DateCell, format_cell

FIRST_DATE_SERIAL = 61
"""The serial number of 1 March 1900, the first date that is written as a date cell.

Earlier dates are written as text, because spreadsheets count a 29 February 1900.
"""
_FORBIDDEN_IN_NAME = re.compile(r"[\[\]:*?/\\']")


def build_workbook(sheets: Iterable[DataTable]) -> bytes:
    """Return tables as the sheets of an XLSX file; the same tables give the same bytes."""
    named_sheets = _name_sheets(list(sheets))
    files = {
        "[Content_Types].xml": _content_types_xml(len(named_sheets)),
        "_rels/.rels": _PACKAGE_RELS_XML,
        "xl/workbook.xml": _workbook_xml([name for name, _sheet in named_sheets]),
        "xl/_rels/workbook.xml.rels": _workbook_rels_xml(len(named_sheets)),
        "xl/styles.xml": _STYLES_XML,
    }
    for place, (_name, sheet) in enumerate(named_sheets, start=1):
        files[f"xl/worksheets/sheet{place}.xml"] = _worksheet_xml(sheet)
    return build_zip({name: text.encode() for name, text in files.items()})


def build_zip(files: dict[str, bytes]) -> bytes:
    """Return files as a zip archive; the same files give the same bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content)
    return buffer.getvalue()


def _name_sheets(sheets: list[DataTable]) -> list[tuple[str, DataTable]]:
    """Return each table with a unique sheet name of at most 31 characters.

    Excel compares sheet names case-insensitively.
    """
    used_names: set[str] = set()
    named_sheets = []
    for sheet in sheets:
        base = _FORBIDDEN_IN_NAME.sub(" ", sheet.name).strip()[:28] or "sheet"
        name, number = base, 1
        while name.casefold() in used_names:
            number += 1
            name = f"{base} {number}"
        used_names.add(name.casefold())
        named_sheets.append((name, sheet))
    return named_sheets


def _worksheet_xml(sheet: DataTable) -> str:
    head: list[Sequence[Cell]] = [list(sheet.keys)]
    if sheet.translated_titles:
        head.append(list(sheet.translated_titles))
    rows = "".join(
        _row_xml(place, cells, is_bold=place <= len(head))
        for place, cells in enumerate([*head, *sheet.rows], start=1)
    )
    below = len(head)
    return (
        f'{_XML_DECLARATION}<worksheet xmlns="{_MAIN_NAMESPACE}">'
        '<sheetViews><sheetView workbookViewId="0">'
        f'<pane ySplit="{below}" topLeftCell="A{below + 1}" activePane="bottomLeft" '
        f'state="frozen"/></sheetView></sheetViews><sheetData>{rows}</sheetData></worksheet>'
    )


def _row_xml(place: int, cells: Sequence[Cell], *, is_bold: bool) -> str:
    cell_xml = "".join(
        _cell_xml(f"{format_column_name(column)}{place}", cell, is_bold=is_bold)
        for column, cell in enumerate(cells)
    )
    return f'<row r="{place}">{cell_xml}</row>'


def _cell_xml(at: str, cell: Cell, *, is_bold: bool) -> str:
    if isinstance(cell, DateCell) and cell.serial >= FIRST_DATE_SERIAL:
        return f'<c r="{at}" s="2"><v>{cell.serial}</v></c>'
    if isinstance(cell, int | Fraction):
        return f'<c r="{at}"><v>{format_cell(cell)}</v></c>'
    text = format_cell(cell)
    if not text:
        return ""
    style = ' s="1"' if is_bold else ""
    return (
        f'<c r="{at}"{style} t="inlineStr"><is><t xml:space="preserve">{escape(text)}</t>'
        "</is></c>"
    )


def format_column_name(column: int) -> str:
    """Return the letters of a column in a workbook: A, B, … Z, AA."""
    name = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        name = chr(ord("A") + letter) + name
    return name


_XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN_NAMESPACE = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONSHIPS_NAMESPACE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE_NAMESPACE = "http://schemas.openxmlformats.org/package/2006"
_CONTENT_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_PACKAGE_RELS_XML = (
    f'{_XML_DECLARATION}<Relationships xmlns="{_PACKAGE_NAMESPACE}/relationships">'
    f'<Relationship Id="rId1" Type="{_RELATIONSHIPS_NAMESPACE}/officeDocument" '
    'Target="xl/workbook.xml"/></Relationships>'
)
_STYLES_XML = (
    f'{_XML_DECLARATION}<styleSheet xmlns="{_MAIN_NAMESPACE}">'
    '<fonts count="2"><font/><font><b/></font></fonts>'
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill '
    'patternType="gray125"/></fill></fills><borders count="1"><border/></borders>'
    '<cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf/>'
    '<xf fontId="1" applyFont="1"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs>'
    "</styleSheet>"
)


def _content_types_xml(sheets: int) -> str:
    parts = "".join(
        f'<Override PartName="/xl/worksheets/sheet{place}.xml" '
        f'ContentType="{_CONTENT_TYPE}.worksheet+xml"/>'
        for place in range(1, sheets + 1)
    )
    return (
        f'{_XML_DECLARATION}<Types xmlns="{_PACKAGE_NAMESPACE}/content-types">'
        '<Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_CONTENT_TYPE}.sheet.main+xml"/>'
        f'<Override PartName="/xl/styles.xml" ContentType="{_CONTENT_TYPE}.styles+xml"/>'
        f"{parts}</Types>"
    )


def _workbook_xml(names: Sequence[str]) -> str:
    sheets = "".join(
        f'<sheet name={quoteattr(name)} sheetId="{place}" r:id="rId{place}"/>'
        for place, name in enumerate(names, start=1)
    )
    return (
        f'{_XML_DECLARATION}<workbook xmlns="{_MAIN_NAMESPACE}" '
        f'xmlns:r="{_RELATIONSHIPS_NAMESPACE}"><sheets>{sheets}</sheets></workbook>'
    )


def _workbook_rels_xml(sheets: int) -> str:
    parts = "".join(
        f'<Relationship Id="rId{place}" Type="{_RELATIONSHIPS_NAMESPACE}/worksheet" '
        f'Target="worksheets/sheet{place}.xml"/>'
        for place in range(1, sheets + 1)
    )
    return (
        f'{_XML_DECLARATION}<Relationships xmlns="{_PACKAGE_NAMESPACE}/relationships">{parts}'
        f'<Relationship Id="rId{sheets + 1}" Type="{_RELATIONSHIPS_NAMESPACE}/styles" '
        'Target="styles.xml"/></Relationships>'
    )
