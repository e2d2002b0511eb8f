"""The parser of CSV files and pasted text, which detects the encoding and the separator."""

import csv
import io
from collections.abc import Iterator

from django.utils.translation import gettext as _

from clubs.names.cells import unguard_formula
from clubs.names.tidy import clean_name
from clubs.people.limits import MAX_CELL_CHARACTERS, ListRow, UnreadableList, check_limits

SEPARATORS = (",", ";", "\t")
_SAMPLE_LINES = 40


def decode_text(content: bytes) -> str:
    """Decode a file by its byte order mark, or else as UTF-8 or Windows-1252.

    Raises UnreadableList if the content is not text.
    """
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return _decode(content, "utf-16")
    if content[:200].count(b"\x00") > 10:
        return _decode(content, "utf-16-le" if content[1:2] == b"\x00" else "utf-16-be")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("cp1252", "replace")
    return _check_text(text)


def _decode(content: bytes, encoding: str) -> str:
    try:
        return _check_text(content.decode(encoding).lstrip("\ufeff"))
    except UnicodeDecodeError:
        raise UnreadableList(_("The file isn't text. Save it as CSV in UTF-8.")) from None


def _check_text(text: str) -> str:
    if "\x00" in text:
        raise UnreadableList(_("The file isn't text. Save it as CSV in UTF-8."))
    return text


def split_rows(text: str) -> list[ListRow]:
    """Return the non-empty rows of a text; raise UnreadableList if it exceeds the limits.

    A first line "sep=;", as written by Excel, sets the separator and is not a row.
    """
    first, _newline, following_text = text.partition("\n")
    first_line = first.strip().strip('"').casefold()
    offset = 0
    if first_line.startswith("sep=") and len(first_line) <= len("sep=;"):
        separator, text, offset = first_line[4:] or "\t", following_text, 1
    else:
        separator = choose_separator(text)
    return list(_iter_rows(text, separator, offset))


def _iter_rows(text: str, separator: str, offset: int) -> Iterator[ListRow]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    count = 0
    number = offset
    try:
        for number, read_cells in enumerate(reader, start=offset + 1):
            cells = _split_at_tabs(read_cells)
            filled_columns = [column for column, cell in enumerate(cells) if cell.strip()]
            if not filled_columns:
                continue
            count += len(filled_columns)
            check_limits(number, filled_columns[-1], count)
            yield ListRow(
                number, tuple(_trim_cell(cell) for cell in cells[: filled_columns[-1] + 1])
            )
    except csv.Error:  # raised for a cell of more than 131,072 characters
        message = _("Row %(row)s: a cell is too long. Is a quotation mark missing?")
        raise UnreadableList(message % {"row": number + 1}) from None


def _split_at_tabs(cells: list[str]) -> list[str]:
    """Split a line at tabs if it has tabs only, while other lines have another separator."""
    is_undivided = len(cells) == 1 and not ({";", ","} & set(cells[0]))
    return cells[0].split("\t") if is_undivided else cells


def _trim_cell(cell: str) -> str:
    return unguard_formula(clean_name(cell[:MAX_CELL_CHARACTERS]))


def choose_separator(text: str) -> str:
    """Return the separator that gives most of the first lines the same number of cells."""
    lines = [line for line in text[:20_000].splitlines() if line.strip()][:_SAMPLE_LINES]

    def fit(separator: str) -> tuple[int, int]:
        cell_counts = [len(row) for row in csv.reader(lines, delimiter=separator)]
        usual = max(cell_counts, key=cell_counts.count, default=1)
        return (cell_counts.count(usual) if usual > 1 else 0), usual

    return max(SEPARATORS, key=fit)
