"""Data tables and their export as CSV, with plain numbers, ISO dates and escaped formulas."""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from clubs.names.cells import guard_formula
from server.formatting import MINUS, format_two_decimals

PLAIN_NUMBER_PATTERN = re.compile(r"-?[0-9]+(\.[0-9]+)?")
UNPRINTABLE_PATTERN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class ExactNumber:
    """An exact fraction that is exported as text, such as -5/2, without escaping."""

    number: Fraction | None


@dataclass(frozen=True, slots=True)
class DateCell:
    """A date cell, written as 2026-03-10."""

    iso_date: str

    @property
    def serial_number(self) -> int:
        """The date as a spreadsheet serial number, which counts days from the end of 1899."""
        year, month, day = (int(date_part) for date_part in self.iso_date.split("-"))
        year -= month < 3  # years begin in March, so that a leap day is a year's last day
        months_since_march = (month - 3) % 12
        return (
            365 * year + year // 4 - year // 100 + year // 400
            + (153 * months_since_march + 2) // 5 + day - 693_900
        )  # fmt: skip


Cell = str | int | Fraction | DateCell | ExactNumber | None
"""The content of a cell: a text, a number, a date, an exact fraction, or None."""


@dataclass(frozen=True, slots=True)
class DataTable:
    """A table of cells, with a fixed English key for each column.

    `translated_titles` are the column titles for a second header line.
    """

    name: str
    column_keys: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    translated_titles: Sequence[str] = ()


def encode_csv(table: DataTable, *, delimiter: str = ",") -> bytes:
    """Return a table as the bytes of a CSV file."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, delimiter=delimiter, lineterminator="\r\n")
    writer.writerow(table.column_keys)
    if table.translated_titles:
        writer.writerow(
            [escape_formula(translated_title) for translated_title in table.translated_titles]
        )
    writer.writerows([format_cell(cell) for cell in row] for row in table.rows)
    return buffer.getvalue().encode("utf-8-sig")


def format_cell(cell: Cell) -> str:
    """Return the text of a cell: -2.5, 2026-03-10, or a text with formulas escaped."""
    if cell is None:
        return ""
    if isinstance(cell, ExactNumber):
        return "" if cell.number is None else str(cell.number)
    if isinstance(cell, DateCell):
        return cell.iso_date
    if isinstance(cell, str):
        return escape_formula(cell)
    if type(cell) is int:  # most cells are integers and need no rounding
        return str(cell)
    return format_decimal(Fraction(cell))


def format_decimal(number: Fraction) -> str:
    """Return a number rounded to at most two decimals: 7, -2.5, 7.33."""
    if number.denominator == 1:
        return str(number.numerator)
    return format_two_decimals(number).replace(MINUS, "-").rstrip("0").rstrip(".")


def escape_formula(text: str) -> str:
    """Return a text with a leading apostrophe if a spreadsheet could treat it as a formula."""
    return guard_formula(UNPRINTABLE_PATTERN.sub("", text))
