"""The parser of CSV files and pasted text, which detects the encoding and the separator."""

import csv
import io
from collections.abc import Iterator

from django.utils.translation import gettext as _

from clubs.names.cells import unguard_formula
from clubs.names.tidy import clean_name
from clubs.people.limits import MAX_CELL_CHARACTERS, ListRow, UnreadableList, check_limits

SEPARATORS = (",", ";", "\t")
_SAMPLE_LINE_COUNT = 40


def decode_text(content: bytes) -> str:
    """Decode a file by its byte order mark, or else as UTF-8 or Windows-1252.

    Raises UnreadableList if the content is not text.
    """
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return _decode_content(content, "utf-16")
    if content[:200].count(b"\x00") > 10:
        return _decode_content(content, "utf-16-le" if content[1:2] == b"\x00" else "utf-16-be")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("cp1252", "replace")
    return _reject_null_characters(text)


def _decode_content(content: bytes, encoding: str) -> str:
    try:
        return _reject_null_characters(content.decode(encoding).lstrip("\ufeff"))
    except UnicodeDecodeError:
        raise UnreadableList(_("The file isn’t text. Save it as CSV in UTF-8.")) from None


def _reject_null_characters(text: str) -> str:
    if "\x00" in text:
        raise UnreadableList(_("The file isn’t text. Save it as CSV in UTF-8."))
    return text


def split_rows(text: str) -> list[ListRow]:
    """Return the non-empty rows of a text; raise UnreadableList if it exceeds the limits.

    A first line "sep=;", as written by Excel, sets the separator and is not a row.
    """
    raw_first_line, _newline, following_text = text.partition("\n")
    first_line = raw_first_line.strip().strip('"').casefold()
    skipped_line_count = 0
    if first_line.startswith("sep=") and len(first_line) <= len("sep=;"):
        separator, text, skipped_line_count = first_line[4:] or "\t", following_text, 1
    else:
        separator = choose_separator(text)
    return list(_iter_rows(text, separator, skipped_line_count))


def _iter_rows(text: str, separator: str, skipped_line_count: int) -> Iterator[ListRow]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    cell_count = 0
    row_number = skipped_line_count
    try:
        for row_number, raw_cells in enumerate(reader, start=skipped_line_count + 1):
            cells = _split_at_tabs(raw_cells)
            filled_columns = [column for column, cell in enumerate(cells) if cell.strip()]
            if not filled_columns:
                continue
            cell_count += len(filled_columns)
            check_limits(row_number, filled_columns[-1], cell_count)
            yield ListRow(
                row_number, tuple(_trim_cell(cell) for cell in cells[: filled_columns[-1] + 1])
            )
    except csv.Error:  # raised for a cell of more than 131,072 characters
        message = _("Row %(row)s: a cell is too long. Is a quotation mark missing?")
        raise UnreadableList(message % {"row": row_number + 1}) from None


def _split_at_tabs(cells: list[str]) -> list[str]:
    """Split a line at tabs if it contains tabs but no other separator.

    Some lists mix lines with tabs and lines with another separator.
    """
    is_undivided = len(cells) == 1 and not ({";", ","} & set(cells[0]))
    return cells[0].split("\t") if is_undivided else cells


def _trim_cell(cell: str) -> str:
    return unguard_formula(clean_name(cell[:MAX_CELL_CHARACTERS]))


def choose_separator(text: str) -> str:
    """Return the separator with which most of the first lines have equally many cells."""
    sample_lines = [line for line in text[:20_000].splitlines() if line.strip()][
        :_SAMPLE_LINE_COUNT
    ]

    def score_separator(separator: str) -> tuple[int, int]:
        cell_counts = [len(row) for row in csv.reader(sample_lines, delimiter=separator)]
        most_common_cell_count = max(cell_counts, key=cell_counts.count, default=1)
        return (
            cell_counts.count(most_common_cell_count) if most_common_cell_count > 1 else 0
        ), most_common_cell_count

    return max(SEPARATORS, key=score_separator)
