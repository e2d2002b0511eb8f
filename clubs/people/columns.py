"""The assignment of a list's columns to fields, by the headings or by the user's choice."""

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _

from clubs.name_folding import fold_name
from clubs.people.limits import ListRow, UnreadableList

NAME_KEY, FIRST_NAME_KEY, SURNAME_KEY, NUMBER_KEY = "name", "first", "surname", "number"
KIND_KEY, JOINED_KEY, LEFT_KEY, EMAIL_KEY, PHONE_KEY = (
    "kind",
    "joined",
    "left",
    "email",
    "phone",
)
FIELD_KEYS = (
    NAME_KEY,
    FIRST_NAME_KEY,
    SURNAME_KEY,
    NUMBER_KEY,
    KIND_KEY,
    JOINED_KEY,
    LEFT_KEY,
    EMAIL_KEY,
    PHONE_KEY,
)
MAX_ROWS_ABOVE_HEADING = 10
"""The number of rows in which the heading row is searched; other text may precede it."""
ColumnIndexes = Mapping[str, int]
"""Column indexes, counted from 0, by field key."""
HEADING_WORDS = {
    NAME_KEY: "name|full name|player|member|member name|naam"
    "|speler|nom|nom complet|spieler|nombre",
    FIRST_NAME_KEY: "first name|first|given name|forename|christian name"
    "|voornaam|vorname|prenom",
    SURNAME_KEY: "surname|last name|last|family name|achternaam"
    "|nachname|nom de famille|apellido",
    NUMBER_KEY: "number|no|no.|nr|nr.|num|member no|member number|membership no"
    "|membership number|id|lidnummer|nummer|mitgliedsnummer|numero|n°",
    KIND_KEY: "kind|type|status|category|class|soort|art|membership",
    JOINED_KEY: "joined|join date|date joined|since|member since|lid sinds|mitglied seit",
    LEFT_KEY: "left|left on|until|date left|leaving date|lid tot|resigned",
    EMAIL_KEY: "email|e-mail|mail|email address|e-mail address|courriel|e-mailadres",
    PHONE_KEY: "phone|telephone|tel|tel.|mobile|phone number|telefoon|telefon|cell|mobiel",
}
"""The recognised column headings of each field, separated by "|"."""
_KEYS_BY_HEADING = {
    word: field_key for field_key, words in HEADING_WORDS.items() for word in words.split("|")
}


def find_field_key(title: str) -> str:
    """Return the field key for a column heading, or "" if it is not recognised."""
    return _KEYS_BY_HEADING.get(fold_name(title).strip(" :*").replace("_", " "), "")


def guess_columns(row: ListRow) -> dict[str, int]:
    """Return the columns of a heading row by field key.

    If two columns have headings for the same field, the first one is returned.
    """
    columns_by_key: dict[str, int] = {}
    for column_index, cell in enumerate(row.cells):
        if field_key := find_field_key(cell):
            columns_by_key.setdefault(field_key, column_index)
    return columns_by_key


def find_heading_row(rows: Sequence[ListRow]) -> int | None:
    """Return the index of the heading row, or None.

    The first row is the heading row if it has the heading of a name column, or any two
    headings. A later row must have the heading of a name column, and a second heading or no
    other text, because "Last" may also be a person's name.
    """
    for index, row in enumerate(rows[:MAX_ROWS_ABOVE_HEADING]):
        columns_by_key = guess_columns(row)
        has_name_column = any(
            field_key in columns_by_key for field_key in (NAME_KEY, FIRST_NAME_KEY, SURNAME_KEY)
        )
        filled_cells = [cell for cell in row.cells if cell]
        if index == 0 and (has_name_column or len(columns_by_key) > 1):
            return index
        if has_name_column and (
            len(columns_by_key) > 1 or len(filled_cells) == len(columns_by_key)
        ):
            return index
    return None


def determine_columns(
    rows: Sequence[ListRow],
    given_columns_by_key: Mapping[str, int] | None = None,
    *,
    should_guess: bool = True,
) -> tuple[dict[str, int], list[ListRow]]:
    """Return the columns by field key, and the rows below the heading.

    `given_columns_by_key` overrides guessed columns; if `should_guess` is False, only
    `given_columns_by_key` is used. If the list has only one column, this column contains names.
    Raises UnreadableList if no column is known to contain names.
    """
    heading_index = find_heading_row(rows)
    columns_by_key = (
        guess_columns(rows[heading_index]) if heading_index is not None and should_guess else {}
    )
    for field_key, column_index in (given_columns_by_key or {}).items():
        columns_by_key = {
            other_key: index
            for other_key, index in columns_by_key.items()
            if index != column_index
        }
        columns_by_key[field_key] = column_index
    rows_below_heading = rows[0 if heading_index is None else heading_index + 1 :]
    column_count = max((len(row.cells) for row in rows), default=0)
    if not columns_by_key and column_count == 1:
        columns_by_key = {NAME_KEY: 0}
    if not any(
        field_key in columns_by_key for field_key in (NAME_KEY, FIRST_NAME_KEY, SURNAME_KEY)
    ):
        raise UnreadableList(_("Which column has the names? Enter its number, e.g. name=2."))
    out_of_range_column_indexes = [
        column_index for column_index in columns_by_key.values() if column_index >= column_count
    ]
    if out_of_range_column_indexes:
        message = _("There’s no column %(column)s. The list has %(count)s.")
        raise UnreadableList(
            message % {"column": out_of_range_column_indexes[0] + 1, "count": column_count}
        )
    return columns_by_key, list(rows_below_heading)


def parse_columns(columns_text: str) -> dict[str, int]:
    """Parse columns in the form `name=2,number=1`, counted from 1; raise UnreadableList."""
    columns_by_key = {}
    for column_text in filter(
        None, (part_text.strip() for part_text in columns_text.split(","))
    ):
        field_key, _equals, column_number_text = column_text.partition("=")
        if (
            field_key.strip() not in FIELD_KEYS
            or not column_number_text.strip().isdecimal()
            or int(column_number_text) < 1
        ):
            message = _("“%(part)s” isn’t a column. Enter it as name=2, with one of: %(keys)s.")
            raise UnreadableList(
                message % {"part": column_text[:40], "keys": ", ".join(FIELD_KEYS)}
            )
        columns_by_key[field_key.strip()] = int(column_number_text) - 1
    return columns_by_key
