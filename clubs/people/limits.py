"""The size limits of imported lists, and the row type that all list readers share."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from boards.whist.errors import WhistError

MAX_BYTES = 1_500_000
MAX_ROWS, MAX_COLUMNS, MAX_CELLS = 5_000, 50, 60_000
MAX_CELL_CHARACTERS = 500
"""The length to which a cell is truncated; every field of a person is shorter."""
MISSING_FORMULA_VALUE = "\x00"
"""The marker for a formula without a stored value; it cannot occur as text in a file."""


class UnreadableList(WhistError, ValueError):
    """A list that cannot be read at all, with a message for users."""

    code = "unreadable_list"


@dataclass(frozen=True, slots=True)
class ListRow:
    """A row of a list, with its row number in the file, counted from 1."""

    row_number: int
    cells: tuple[str, ...]


def build_too_many_rows_error(row_number: int, max_rows: int) -> UnreadableList:
    """Return the error for a list with too many rows, of which this row is the first."""
    message = _("Row %(row)s: the list has more than %(most)s rows. Split it.")
    return UnreadableList(message % {"row": row_number, "most": f"{max_rows:,}"})


def check_limits(row_number: int, last_column: int, cell_count: int) -> None:
    """Raise UnreadableList if a list has too many rows, columns or cells.

    Rows are counted from 1 and columns from 0. `cell_count` is the number of cells in all
    rows up to this one.
    """
    if row_number > MAX_ROWS:
        raise build_too_many_rows_error(row_number, MAX_ROWS)
    if last_column >= MAX_COLUMNS:
        message = _("Row %(row)s has more than %(most)s columns. Delete the extra ones.")
        raise UnreadableList(message % {"row": row_number, "most": MAX_COLUMNS})
    if cell_count > MAX_CELLS:
        message = _("Row %(row)s: the list has more than %(most)s cells. Split it.")
        raise UnreadableList(message % {"row": row_number, "most": f"{MAX_CELLS:,}"})
