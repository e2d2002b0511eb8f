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
_FORBIDDEN_NAME_CHARACTERS_PATTERN = re.compile(r"[\[\]:*?/\\']")


def build_workbook(sheets: Iterable[DataTable]) -> bytes:
    """Return tables as the sheets of an XLSX file; the same tables give the same bytes."""
    named_sheets = _name_sheets(list(sheets))
    xml_by_file_name = {
        "[Content_Types].xml": _build_content_types_xml(len(named_sheets)),
        "_rels/.rels": _PACKAGE_RELS_XML,
        "xl/workbook.xml": _build_workbook_xml([name for name, _sheet in named_sheets]),
        "xl/_rels/workbook.xml.rels": _build_workbook_rels_xml(len(named_sheets)),
        "xl/styles.xml": _STYLES_XML,
    }
    for sheet_number, (_name, sheet) in enumerate(named_sheets, start=1):
        xml_by_file_name[f"xl/worksheets/sheet{sheet_number}.xml"] = _build_worksheet_xml(sheet)
    return build_zip({name: text.encode() for name, text in xml_by_file_name.items()})


def build_zip(contents_by_file_name: dict[str, bytes]) -> bytes:
    """Return files as a zip archive; the same files give the same bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in contents_by_file_name.items():
            zip_info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            zip_info.compress_type = zipfile.ZIP_DEFLATED
            zip_info.external_attr = 0o644 << 16
            archive.writestr(zip_info, content)
    return buffer.getvalue()


def _name_sheets(sheets: list[DataTable]) -> list[tuple[str, DataTable]]:
    """Return each table with a unique sheet name of at most 31 characters.

    Excel compares sheet names case-insensitively.
    """
    used_names: set[str] = set()
    named_sheets = []
    for sheet in sheets:
        base_name = (
            _FORBIDDEN_NAME_CHARACTERS_PATTERN.sub(" ", sheet.name).strip()[:28] or "sheet"
        )
        name, suffix = base_name, 1
        while name.casefold() in used_names:
            suffix += 1
            name = f"{base_name} {suffix}"
        used_names.add(name.casefold())
        named_sheets.append((name, sheet))
    return named_sheets


def _build_worksheet_xml(sheet: DataTable) -> str:
    heading_rows: list[Sequence[Cell]] = [list(sheet.column_keys)]
    if sheet.translated_titles:
        heading_rows.append(list(sheet.translated_titles))
    rows_xml = "".join(
        _build_row_xml(row_number, cells, is_bold=row_number <= len(heading_rows))
        for row_number, cells in enumerate([*heading_rows, *sheet.rows], start=1)
    )
    heading_count = len(heading_rows)
    return (
        f'{_XML_DECLARATION}<worksheet xmlns="{_MAIN_NAMESPACE}">'
        '<sheetViews><sheetView workbookViewId="0">'
        f'<pane ySplit="{heading_count}" topLeftCell="A{heading_count + 1}" '
        'activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>'
        f"<sheetData>{rows_xml}</sheetData></worksheet>"
    )


def _build_row_xml(row_number: int, cells: Sequence[Cell], *, is_bold: bool) -> str:
    cell_xml = "".join(
        _build_cell_xml(f"{format_column_name(column)}{row_number}", cell, is_bold=is_bold)
        for column, cell in enumerate(cells)
    )
    return f'<row r="{row_number}">{cell_xml}</row>'


def _build_cell_xml(cell_reference: str, cell: Cell, *, is_bold: bool) -> str:
    if isinstance(cell, DateCell) and cell.serial_number >= FIRST_DATE_SERIAL:
        return f'<c r="{cell_reference}" s="2"><v>{cell.serial_number}</v></c>'
    if isinstance(cell, int | Fraction):
        return f'<c r="{cell_reference}"><v>{format_cell(cell)}</v></c>'
    cell_text = format_cell(cell)
    if not cell_text:
        return ""
    style_attribute = ' s="1"' if is_bold else ""
    return (
        f'<c r="{cell_reference}"{style_attribute} t="inlineStr"><is>'
        f'<t xml:space="preserve">{escape(cell_text)}</t></is></c>'
    )


def format_column_name(column_index: int) -> str:
    """Return the letters of a column in a workbook: A, B, … Z, AA."""
    name = ""
    column_index += 1
    while column_index:
        column_index, letter_index = divmod(column_index - 1, 26)
        name = chr(ord("A") + letter_index) + name
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


def _build_content_types_xml(sheet_count: int) -> str:
    parts_xml = "".join(
        f'<Override PartName="/xl/worksheets/sheet{sheet_number}.xml" '
        f'ContentType="{_CONTENT_TYPE}.worksheet+xml"/>'
        for sheet_number in range(1, sheet_count + 1)
    )
    return (
        f'{_XML_DECLARATION}<Types xmlns="{_PACKAGE_NAMESPACE}/content-types">'
        '<Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_CONTENT_TYPE}.sheet.main+xml"/>'
        f'<Override PartName="/xl/styles.xml" ContentType="{_CONTENT_TYPE}.styles+xml"/>'
        f"{parts_xml}</Types>"
    )


def _build_workbook_xml(sheet_names: Sequence[str]) -> str:
    sheets_xml = "".join(
        f'<sheet name={quoteattr(name)} sheetId="{sheet_number}" r:id="rId{sheet_number}"/>'
        for sheet_number, name in enumerate(sheet_names, start=1)
    )
    return (
        f'{_XML_DECLARATION}<workbook xmlns="{_MAIN_NAMESPACE}" '
        f'xmlns:r="{_RELATIONSHIPS_NAMESPACE}"><sheets>{sheets_xml}</sheets></workbook>'
    )


def _build_workbook_rels_xml(sheet_count: int) -> str:
    relationships_xml = "".join(
        f'<Relationship Id="rId{sheet_number}" Type="{_RELATIONSHIPS_NAMESPACE}/worksheet" '
        f'Target="worksheets/sheet{sheet_number}.xml"/>'
        for sheet_number in range(1, sheet_count + 1)
    )
    return (
        f'{_XML_DECLARATION}<Relationships xmlns="{_PACKAGE_NAMESPACE}/relationships">'
        f"{relationships_xml}"
        f'<Relationship Id="rId{sheet_count + 1}" Type="{_RELATIONSHIPS_NAMESPACE}/styles" '
        'Target="styles.xml"/></Relationships>'
    )
