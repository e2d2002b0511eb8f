"""A list of people as rows of text: from CSV, from a workbook (XLSX), or pasted."""

import csv
import io
from dataclasses import dataclass

from boards.whist.errors import WhistError
from boards.whist.words import gettext as _
from clubs.people.workbooks import rows_of_workbook

LARGEST = 5_000_000
MOST_ROWS, MOST_COLUMNS = 20_000, 50
DELIMITERS = (",", ";", "\t")
OLD_WORKBOOK = b"\xd0\xcf\x11\xe0"
NO_VALUE = "\x00"
"""What stands in a cell whose formula has no stored value; no file has it as text."""


class UnreadableList(WhistError, ValueError):
    """A list that cannot be read at all."""

    code = "unreadable_list"


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a list, by its number in the file, counted from 1."""

    number: int
    cells: tuple[str, ...]


def read_list(content: bytes) -> list[Row]:
    """Read a list; empty rows are left out, the others keep their numbers.

    Raises UnreadableList for what is too large, or no list.
    """
    if len(content) > LARGEST:
        raise UnreadableList(_("The file is larger than 5 MB."))
    found = [
        Row(number, tuple(" ".join(cell.split()) for cell in cells))
        for number, cells in enumerate(_rows(content), start=1)
        if any(cell.strip() for cell in cells)
    ]
    if len(found) > MOST_ROWS:
        raise UnreadableList(_("The list has more than 20,000 rows."))
    if any(len(row.cells) > MOST_COLUMNS for row in found):
        raise UnreadableList(_("The list has more than 50 columns."))
    if not found:
        raise UnreadableList(_("The list is empty."))
    return found


def _rows(content: bytes) -> list[list[str]]:
    if content.startswith(b"PK"):
        try:
            return rows_of_workbook(content)
        except ValueError as fault:
            raise UnreadableList(str(fault)) from None
    if content.startswith(OLD_WORKBOOK):
        raise UnreadableList(
            _("This is a workbook of an old kind, or locked. Save it as XLSX or as CSV.")
        )
    return _rows_of_text(_text(content))


def _text(content: bytes) -> str:
    """Decode as the bytes say: with a mark, as UTF-8, or else as Windows writes it."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return _decoded(content, "utf-16")
    if content[:200].count(b"\x00") > 10:
        return _decoded(content, "utf-16-le" if content[1:2] == b"\x00" else "utf-16-be")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def _decoded(content: bytes, encoding: str) -> str:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        raise UnreadableList(_("The file is not text. Save it as CSV in UTF-8.")) from None


def _rows_of_text(text: str) -> list[list[str]]:
    if "\x00" in text:
        raise UnreadableList(_("The file is not text. Save it as CSV in UTF-8."))
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text))
        return list(reader)
    except csv.Error:  # a cell of more than a hundred thousand signs
        raise UnreadableList(
            _("A cell is far too long: perhaps a quotation mark is missing at its end.")
        ) from None


def _delimiter(text: str) -> str:
    """Choose what parts most of the first lines alike."""
    lines = [line for line in text.splitlines()[:20] if line.strip()]

    def alike(delimiter: str) -> tuple[int, int]:
        counts = [len(row) for row in csv.reader(lines, delimiter=delimiter)]
        usual = max(counts, key=counts.count, default=1)
        return (counts.count(usual) if usual > 1 else 0), usual

    return max(DELIMITERS, key=alike)
