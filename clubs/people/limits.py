"""The size limits for all list readers, and their common row type."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from boards.whist.errors import WhistError

MAX_BYTES = 1_500_000
MAX_ROWS, MAX_COLUMNS, MAX_CELLS = 5_000, 50, 60_000
MAX_CELL_CHARACTERS = 500
"""A longer cell is cut; every field of a person is shorter."""
NO_VALUE = "\x00"
"""The cell of a formula without a stored value; no file has it as text."""


class UnreadableList(WhistError, ValueError):
    """A list that cannot be read at all."""

    code = "unreadable_list"


@dataclass(frozen=True, slots=True)
class ListRow:
    """A row of a list, by its number in the file, counted from 1."""

    number: int
    cells: tuple[str, ...]


def check_limits(number: int, column: int, count: int) -> None:
    """Raise UnreadableList for a value beyond the limits.

    `column` is counted from 0, and `count` is the number of cells.
    """
    if number > MAX_ROWS:
        words = _("Row %(row)s: a list has at most %(most)s rows. Split it.")
        raise UnreadableList(words % {"row": number, "most": f"{MAX_ROWS:,}"})
    if column >= MAX_COLUMNS:
        words = _("Row %(row)s: a list has at most %(most)s columns. Delete the others.")
        raise UnreadableList(words % {"row": number, "most": MAX_COLUMNS})
    if count > MAX_CELLS:
        words = _("Row %(row)s: a list has at most %(most)s cells. Split it.")
        raise UnreadableList(words % {"row": number, "most": f"{MAX_CELLS:,}"})
