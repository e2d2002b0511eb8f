"""The size limits of imported lists, and the row type that all list readers share."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from boards.whist.errors import WhistError

MAX_BYTES = 1_500_000
MAX_ROWS, MAX_COLUMNS, MAX_CELLS = 5_000, 50, 60_000
MAX_CELL_CHARACTERS = 500
"""The length to which a cell is truncated; every field of a person is shorter."""
NO_VALUE = "\x00"
"""The marker for a formula without a stored value; it cannot occur as text in a file."""


class UnreadableList(WhistError, ValueError):
    """A list that cannot be read at all, with a message for users."""

    code = "unreadable_list"


@dataclass(frozen=True, slots=True)
class ListRow:
    """A row of a list, with its row number in the file, counted from 1."""

    number: int
    cells: tuple[str, ...]


def check_limits(number: int, column: int, count: int) -> None:
    """Raise UnreadableList if a list has too many rows, columns or cells.

    `number` is the current row from 1, `column` its last column from 0, and `count` the number
    of cells up to here.
    """
    if number > MAX_ROWS:
        message = _("Row %(row)s: a list has at most %(most)s rows. Split it.")
        raise UnreadableList(message % {"row": number, "most": f"{MAX_ROWS:,}"})
    if column >= MAX_COLUMNS:
        message = _("Row %(row)s: a list has at most %(most)s columns. Delete the others.")
        raise UnreadableList(message % {"row": number, "most": MAX_COLUMNS})
    if count > MAX_CELLS:
        message = _(
            "Row %(row)s makes the list too long. A list has at most %(most)s cells. "
            "Split the list."
        )
        raise UnreadableList(message % {"row": number, "most": f"{MAX_CELLS:,}"})
