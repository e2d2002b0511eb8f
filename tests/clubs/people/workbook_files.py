"""Build small workbooks from their XML with only the standard library."""

import io
import zipfile

TRANSITIONAL_NAMESPACES = (
    "http://schemas.openxmlformats.org/spreadsheetml/2006/main",
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
)
STRICT_NAMESPACES = (
    "http://purl.oclc.org/ooxml/spreadsheetml/main",
    "http://purl.oclc.org/ooxml/officeDocument/relationships",
)
ONE_SHEET = '<sheet name="People" sheetId="1" r:id="rId1"/>'
ONE_LINK = '<Relationship Id="rId1" Target="worksheets/sheet1.xml"/>'
STYLES = '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>'


def build_workbook(
    sheet: str,
    *,
    namespaces: tuple[str, str] = TRANSITIONAL_NAMESPACES,
    workbook_properties: str = "",
    sheets: str = ONE_SHEET,
    links: str = ONE_LINK,
    shared_strings: str = "",
    compression_method: int = zipfile.ZIP_DEFLATED,
) -> bytes:
    """Pack a workbook; `sheet` is the content of its first sheet's <sheetData>."""
    main, relationships_namespace = namespaces
    parts = {
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{relationships_namespace}">'
        f"{workbook_properties}<sheets>{sheets}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f"<Relationships>{links}</Relationships>",
        "xl/styles.xml": f'<styleSheet xmlns="{main}">{STYLES}</styleSheet>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main}"><sheetData>{sheet}</sheetData>'
        "</worksheet>",
        "xl/sharedStrings.xml": f'<sst xmlns="{main}">{shared_strings}</sst>',
    }
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", compression_method) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return content.getvalue()


def build_text_cell(value: str, cell_reference: str = "") -> str:
    """Return a cell with a text."""
    place = f' r="{cell_reference}"' if cell_reference else ""
    return f'<c{place} t="inlineStr"><is><t>{value}</t></is></c>'
