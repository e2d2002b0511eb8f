"""The reader of XLSX workbooks, which returns the first visible sheet as rows of text.

Formulas are not executed; their stored result is used. A date becomes 2026-03-10, and 0012
stored as text is not changed. "Strict Open XML" and the 1904 date system are supported. The
XML is parsed as a stream up to the limits, which restricts the memory that a malicious file
can use. Source: ECMA-376, SpreadsheetML.
"""

import io
import math
import posixpath
import re
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date as Date
from xml.parsers import expat

from django.utils.translation import gettext as _

from clubs.file_errors import FilePosition, wrap_file_errors
from clubs.names.cells import unguard_formula
from clubs.names.tidy import clean_name
from clubs.people.limits import (
    MAX_CELL_CHARACTERS,
    MAX_CELLS,
    MISSING_FORMULA_VALUE,
    ListRow,
    UnreadableList,
    check_limits,
)

MAX_UNPACKED_BYTES = 8_000_000
"""The maximum unpacked size of all XML parts that are read, in bytes."""
MAX_ARCHIVE_FILES = 1_000
"""The maximum number of files in the workbook's zip archive."""
MAX_XML_ELEMENTS = 400_000
"""The maximum number of XML elements in all parts.

A list of 5,000 members has about 120,000.
"""
CHUNK_BYTES = 262_144
"""The bytes that are parsed at a time.

Smaller chunks would be slow, because expat before 2.6 scans a long token again for every chunk.
"""
DATE_FORMAT_IDS = frozenset({*range(14, 23), *range(27, 37), *range(50, 59)})
"""The ids of the built-in number formats for dates (ECMA-376, 18.8.30)."""
_QUOTED_TEXT_PATTERN = re.compile(r'"[^"]*"|\[[^\]]*\]|\\.')
_CELL_REFERENCE_PATTERN = re.compile(r"([A-Z]{1,3})[0-9]+")
_EPOCH_ORDINAL = Date(1899, 12, 30).toordinal()
_DAYS_TO_1904 = 1462
_LAST_DAY_ORDINAL = Date.max.toordinal()
_HIDDEN_SHEET_STATES = ("hidden", "veryHidden")
XmlAttributes = Mapping[str, str]
StartElementHandler = Callable[[str, XmlAttributes], None]
EndElementHandler = Callable[[str, str], None]


def read_workbook_rows(content: bytes) -> list[ListRow]:
    """Return the non-empty rows of a workbook.

    Raises UnreadableList with the position of an error.
    """
    with wrap_file_errors(_build_damage_error) as file_position:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return _Workbook(archive, file_position).read_rows()


def _build_damage_error(position_text: str) -> UnreadableList:
    message = _("The workbook can’t be read. Save it again, or as CSV.")
    return UnreadableList(f"{position_text}: {message}" if position_text else message)


@dataclass(slots=True)
class _WorkbookMetadata:
    """The parsed main part of a workbook: its sheets in order, and its date system."""

    sheet_attributes: list[XmlAttributes] = field(default_factory=list)
    has_1904_dates: bool = False

    def handle_start(self, tag: str, attributes: XmlAttributes) -> None:
        if tag == "workbookPr":
            self.has_1904_dates = attributes.get("date1904") in ("1", "true", "on")
        elif tag == "sheet":
            self.sheet_attributes.append(attributes)


class _Workbook:
    """An open workbook whose first visible sheet can be read."""

    def __init__(self, archive: zipfile.ZipFile, file_position: FilePosition) -> None:
        if len(archive.infolist()) > MAX_ARCHIVE_FILES:
            raise UnreadableList(_("The workbook has too many parts. Save the list as CSV."))
        self._archive = archive
        self._file_position = file_position
        self._parts = set(archive.namelist())
        self._unpacked_byte_count = 0
        self._element_count = 0

    def read_rows(self) -> list[ListRow]:
        workbook_metadata = _WorkbookMetadata()
        self._parse_part("xl/workbook.xml", workbook_metadata.handle_start)
        shared_strings, styles = _SharedStrings(), _Styles()
        if "xl/sharedStrings.xml" in self._parts:
            self._parse_part(
                "xl/sharedStrings.xml", shared_strings.handle_start, shared_strings.handle_end
            )
        if "xl/styles.xml" in self._parts:
            self._parse_part("xl/styles.xml", styles.handle_start, styles.handle_end)
        sheet_reader = _Sheet(
            shared_strings.texts,
            styles.list_date_styles(),
            workbook_metadata.has_1904_dates,
            self._file_position,
        )
        self._parse_part(
            self._find_sheet_part(workbook_metadata),
            sheet_reader.handle_start,
            sheet_reader.handle_end,
        )
        return sheet_reader.rows

    def _find_sheet_part(self, workbook_metadata: _WorkbookMetadata) -> str:
        relationships_by_id: dict[str, XmlAttributes] = {}

        def collect_link(tag: str, attributes: XmlAttributes) -> None:
            if tag == "Relationship":
                relationships_by_id[attributes.get("Id", "")] = attributes

        self._parse_part("xl/_rels/workbook.xml.rels", collect_link)
        linked_sheets = [
            (sheet, relationships_by_id.get(sheet.get("id", ""), {}))
            for sheet in workbook_metadata.sheet_attributes
        ]
        sheet_parts = [
            (sheet, link)
            for sheet, link in linked_sheets
            if link.get("Type", "/worksheet").endswith("/worksheet") and link.get("Target")
        ]
        if not sheet_parts:
            raise UnreadableList(_("The workbook has no sheet. Save the list again."))
        visible_sheet_relationships = [
            link
            for sheet, link in sheet_parts
            if sheet.get("state") not in _HIDDEN_SHEET_STATES
        ]
        target_path = (visible_sheet_relationships or [link for _sheet, link in sheet_parts])[
            0
        ]["Target"]
        return posixpath.normpath(posixpath.join("/xl", target_path)).lstrip("/")

    def _parse_part(
        self,
        part_name: str,
        handle_start: StartElementHandler,
        handle_end: EndElementHandler | None = None,
    ) -> None:
        """Parse an XML part of the workbook as a stream.

        `handle_start` is called at the start of each element. `handle_end` is called at the end
        of each element, with the element's text.
        """
        self._file_position.position_text = part_name
        part_info = self._archive.getinfo(part_name)
        if part_info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            # ECMA-376-2, 10.2 allows only these; other methods may need gigabytes to unpack
            raise _build_damage_error(part_name)
        parser = _create_parser(self._wrap_with_element_count(handle_start), handle_end)
        with self._archive.open(part_info) as part_file:
            while chunk := part_file.read(CHUNK_BYTES):
                self._unpacked_byte_count += len(chunk)
                if self._unpacked_byte_count > MAX_UNPACKED_BYTES:
                    raise UnreadableList(_("The workbook is too large. Save only the list."))
                parser.Parse(chunk, False)
        parser.Parse(b"", True)

    def _wrap_with_element_count(
        self, handle_start: StartElementHandler
    ) -> StartElementHandler:
        def count_and_handle_element(tag: str, attributes: XmlAttributes) -> None:
            self._element_count += 1
            if self._element_count > MAX_XML_ELEMENTS:
                raise UnreadableList(
                    _("The workbook has too many cells. Save only the list, or save it as CSV.")
                )
            handle_start(tag, attributes)

        return count_and_handle_element


def _create_parser(
    handle_start: StartElementHandler, handle_end: EndElementHandler | None
) -> expat.XMLParserType:
    """Return an XML parser that rejects a DOCTYPE and separates namespaces from names."""
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    text_chunks: list[str] = []

    def start_element(name: str, attributes: dict[str, str]) -> None:
        text_chunks.clear()
        handle_start(
            _strip_namespace(name),
            {
                _strip_namespace(attribute_name): attributes[attribute_name]
                for attribute_name in attributes
            },
        )

    def end_element(name: str) -> None:
        if handle_end is not None:
            handle_end(_strip_namespace(name), "".join(text_chunks))
        text_chunks.clear()

    def refuse_doctype(*_arguments: object) -> None:
        raise ValueError("a workbook has no DOCTYPE")

    parser.StartElementHandler = start_element
    parser.EndElementHandler = end_element
    parser.CharacterDataHandler = text_chunks.append
    parser.StartDoctypeDeclHandler = refuse_doctype
    return parser


def _strip_namespace(name: str) -> str:
    """Return a name without its namespace, which depends on the variant of the format."""
    return name.rpartition(" ")[2]


class _SharedStrings:
    """The shared strings to which cells refer by index, without phonetic readings (rPh)."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._parts: list[str] = []
        self._is_phonetic = False

    def handle_start(self, tag: str, _attributes: XmlAttributes) -> None:
        if tag == "si":
            self._parts = []
            if len(self.texts) >= MAX_CELLS:
                raise UnreadableList(_("The workbook has too much text. Save it as CSV."))
        elif tag == "rPh":
            self._is_phonetic = True

    def handle_end(self, tag: str, text: str) -> None:
        if tag == "t" and not self._is_phonetic:
            self._parts.append(text[:MAX_CELL_CHARACTERS])
        elif tag == "rPh":
            self._is_phonetic = False
        elif tag == "si":
            self.texts.append("".join(self._parts)[:MAX_CELL_CHARACTERS])


class _Styles:
    """The cell styles of a workbook, from which date styles are determined."""

    def __init__(self) -> None:
        self._date_format_ids: set[str] = {str(format_id) for format_id in DATE_FORMAT_IDS}
        self._format_ids: list[str] = []
        self._is_in_cell_formats = False

    def handle_start(self, tag: str, attributes: XmlAttributes) -> None:
        if tag == "numFmt":
            format_code = attributes.get("formatCode", "")[:MAX_CELL_CHARACTERS].lower()
            if re.search("[dy]", _QUOTED_TEXT_PATTERN.sub("", format_code)):
                self._date_format_ids.add(attributes.get("numFmtId", ""))
        elif tag == "cellXfs":
            self._is_in_cell_formats = True
        elif tag == "xf" and self._is_in_cell_formats:
            self._format_ids.append(attributes.get("numFmtId", "0"))

    def handle_end(self, tag: str, _text: str) -> None:
        if tag == "cellXfs":
            self._is_in_cell_formats = False

    def list_date_styles(self) -> set[str]:
        """Return the style numbers that show a cell's number as a date."""
        return {
            str(style_number)
            for style_number, format_id in enumerate(self._format_ids)
            if format_id in self._date_format_ids
        }


class _Sheet:
    """The rows of one sheet; empty rows are left out."""

    def __init__(
        self,
        shared_strings: list[str],
        date_styles: set[str],
        has_1904_dates: bool,
        file_position: FilePosition,
    ) -> None:
        self.rows: list[ListRow] = []
        self._shared_strings, self._date_styles, self._is_1904 = (
            shared_strings,
            date_styles,
            has_1904_dates,
        )
        self._file_position = file_position
        self._row_number = 0
        self._column = -1
        self._cell_count = 0
        self._cells: dict[int, str] = {}
        self._cell_attributes: XmlAttributes = {}
        self._stored_text: str | None = None
        self._has_formula = self._is_phonetic = False

    def handle_start(self, tag: str, attributes: XmlAttributes) -> None:
        if tag == "row":
            self._row_number = int(attributes.get("r") or self._row_number + 1)
            self._file_position.position_text = _("Row %(row)s") % {"row": self._row_number}
            if self._row_number < 1 or (
                self.rows and self._row_number <= self.rows[-1].row_number
            ):
                raise ValueError("rows count upwards from 1")
            self._column, self._cells = -1, {}
        elif tag == "c":
            self._column = _parse_column(attributes.get("r", ""), self._column + 1)
            self._cell_attributes, self._stored_text, self._has_formula = (
                attributes,
                None,
                False,
            )
        elif tag == "f":
            self._has_formula = True
        elif tag == "rPh":
            self._is_phonetic = True

    def handle_end(self, tag: str, text: str) -> None:
        if tag == "v" or (tag == "t" and not self._is_phonetic):
            self._stored_text = ((self._stored_text or "") + text)[:MAX_CELL_CHARACTERS]
        elif tag == "rPh":
            self._is_phonetic = False
        elif tag == "c":
            if cell_text := self._read_cell_value():
                self._cell_count += 1
                check_limits(self._row_number, self._column, self._cell_count)
                self._cells[self._column] = cell_text
        elif tag == "row" and self._cells:
            width = max(self._cells) + 1
            cells = tuple(self._cells.get(column, "") for column in range(width))
            self.rows.append(ListRow(self._row_number, cells))

    def _read_cell_value(self) -> str:
        cell_type, stored_text = self._cell_attributes.get("t", "n"), self._stored_text
        if stored_text is None:
            return MISSING_FORMULA_VALUE if self._has_formula else ""
        if cell_type == "e":
            return MISSING_FORMULA_VALUE
        if cell_type == "s":
            return unguard_formula(
                clean_name(self._shared_strings[_parse_shared_string_index(stored_text)])
            )
        if cell_type == "d":  # an ISO 8601 date, as "Strict Open XML" may store it
            return stored_text[:10]
        if cell_type != "n":
            return unguard_formula(clean_name(stored_text))
        return _format_number(
            stored_text, self._cell_attributes.get("s", "0") in self._date_styles, self._is_1904
        )


def _parse_shared_string_index(text: str) -> int:
    index = int(text)
    if index < 0:
        raise ValueError("shared strings count from 0")
    return index


def _parse_column(cell_reference: str, next_column: int) -> int:
    """Return the column index, from 0, of a reference such as "AB12", or else `next_column`."""
    reference_match = _CELL_REFERENCE_PATTERN.fullmatch(cell_reference)
    if not reference_match:
        return next_column
    column = 0
    for letter in reference_match[1]:
        column = column * 26 + ord(letter) - ord("A") + 1
    return column - 1


def _format_number(text: str, is_date: bool, has_1904_dates: bool) -> str:
    try:
        cell_number = float(text)
    except ValueError:
        return text
    if not math.isfinite(cell_number):
        return text
    if is_date and 0 <= cell_number < 2_958_466:
        return _format_date(int(cell_number), has_1904_dates)
    return (
        str(int(cell_number))
        if cell_number == int(cell_number) and abs(cell_number) < 1e15
        else text
    )


def _format_date(day_number: int, has_1904_dates: bool) -> str:
    if has_1904_dates:
        day_number += _DAYS_TO_1904
    elif day_number < 60:
        day_number += 1  # the 1900 system counts 29 February 1900, which did not exist
    return Date.fromordinal(min(_EPOCH_ORDINAL + day_number, _LAST_DAY_ORDINAL)).isoformat()
