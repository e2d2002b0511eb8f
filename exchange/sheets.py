"""Tables as CSV: plain numbers, ISO dates, and text that no program takes for a formula.

UTF-8 with a byte order mark, a head of fixed English keys. Source: RFC 4180.
"""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from clubs.names.cells import guard_formula
from server.formatting import MINUS, decimals

NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")
UNPRINTED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class Exact:
    """A figure written exactly, such as -5/2; it is ours, and no text that somebody typed."""

    number: Fraction | None


@dataclass(frozen=True, slots=True)
class Day:
    """A day, as 2026-03-10."""

    iso: str

    @property
    def serial(self) -> int:
        """Its number in workbooks, which count from the end of 1899."""
        year, month, day = (int(part) for part in self.iso.split("-"))
        year -= month < 3  # a year from March on ends with its leap day
        months = (month - 3) % 12
        return (
            365 * year + year // 4 - year // 100 + year // 400
            + (153 * months + 2) // 5 + day - 693_900
        )  # fmt: skip


Cell = str | int | Fraction | Day | Exact | None
"""Text, a number, a day, a figure written exactly, or nothing."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table: the fixed English keys of its columns, and its rows.

    `words` are the titles in the reader's language, where they stand in a line of their own.
    """

    name: str
    keys: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    words: Sequence[str] = ()


def csv_of(sheet: Sheet, *, delimiter: str = ",") -> bytes:
    """Write a table as CSV."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\r\n")
    writer.writerow(sheet.keys)
    if sheet.words:
        writer.writerow([safe(each) for each in sheet.words])
    writer.writerows([plain(cell) for cell in row] for row in sheet.rows)
    return text.getvalue().encode("utf-8-sig")


def plain(cell: Cell) -> str:
    """Write a cell as text: -2.5 with no plus sign, a day as 2026-03-10, text made safe."""
    if cell is None:
        return ""
    if isinstance(cell, Exact):
        return "" if cell.number is None else str(cell.number)
    if isinstance(cell, Day):
        return cell.iso
    if isinstance(cell, str):
        return safe(cell)
    if type(cell) is int:  # most of a table, with nothing to round
        return str(cell)
    return number(Fraction(cell))


def number(figure: Fraction) -> str:
    """Write a number in decimals, rounded to two of them where it has more: 7, -2.5, 7.33."""
    if figure.denominator == 1:
        return str(figure.numerator)
    return decimals(figure).replace(MINUS, "-").rstrip("0").rstrip(".")


def safe(text: str) -> str:
    """Return a text that no program takes for a formula; an apostrophe stands before those."""
    return guard_formula(UNPRINTED.sub("", text))
