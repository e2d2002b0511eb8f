"""Which column of a list is what: guessed from its head, or said."""

from collections.abc import Mapping, Sequence

from boards.whist.words import gettext as _
from clubs.letters import plain_letters
from clubs.people.limits import Row, UnreadableList

NAME, FIRST, SURNAME, NUMBER = "name", "first", "surname", "number"
KIND, JOINED, LEFT, EMAIL, PHONE = "kind", "joined", "left", "email", "phone"
KEYS = (NAME, FIRST, SURNAME, NUMBER, KIND, JOINED, LEFT, EMAIL, PHONE)
Columns = Mapping[str, int]
"""Keys and the columns they stand in, counted from 0."""
HEADS = {
    NAME: "name|full name|player|member|member name|naam|speler|nom|nom complet|spieler|nombre",
    FIRST: "first name|first|given name|forename|christian name|voornaam|vorname|prenom",
    SURNAME: "surname|last name|last|family name|achternaam|nachname|nom de famille|apellido",
    NUMBER: "number|no|no.|nr|nr.|num|member no|member number|membership no|membership number"
    "|id|lidnummer|nummer|mitgliedsnummer|numero|n°",
    KIND: "kind|type|status|category|class|soort|art|membership",
    JOINED: "joined|join date|date joined|since|member since|lid sinds|mitglied seit",
    LEFT: "left|left on|until|date left|leaving date|lid tot|resigned",
    EMAIL: "email|e-mail|mail|email address|e-mail address|courriel|e-mailadres",
    PHONE: "phone|telephone|tel|tel.|mobile|phone number|telefoon|telefon|cell|mobiel",
}
_KNOWN = {word: key for key, words in HEADS.items() for word in words.split("|")}


def guessed(row: Row) -> dict[str, int]:
    """Guess what the columns under a head are; each key once, from the left."""
    found: dict[str, int] = {}
    for column, cell in enumerate(row.cells):
        key = _KNOWN.get(plain_letters(cell).strip(" :*").replace("_", " "))
        if key is not None:
            found.setdefault(key, column)
    return found


def columns_of(
    rows: Sequence[Row], said: Mapping[str, int] | None = None, *, guessing: bool = True
) -> tuple[dict[str, int], list[Row]]:
    """Settle the columns and part the head from the people.

    `said` overrules what is guessed, by columns counted from 0; without `guessing` it is all.
    A list of one column is names.
    Raises UnreadableList where nobody can tell which column holds the names.
    """
    from_head = guessed(rows[0])
    is_head = any(key in from_head for key in (NAME, FIRST, SURNAME)) or len(from_head) > 1
    found = dict(from_head) if is_head and guessing else {}
    for key, column in (said or {}).items():
        found = {other: at for other, at in found.items() if at != column}
        found[key] = column
    widest = max(len(row.cells) for row in rows)
    if not found and widest == 1:
        found = {NAME: 0}
    if not any(key in found for key in (NAME, FIRST, SURNAME)):
        raise UnreadableList(
            _("Which column holds the names? Say it as name=2; columns are counted from 1.")
        )
    wide = [column for column in found.values() if column >= widest]
    if wide:
        words = _("There is no column %(column)s; the list has %(count)s.")
        raise UnreadableList(words % {"column": wide[0] + 1, "count": widest})
    return found, list(rows[1:] if is_head else rows)


def said_columns(text: str) -> dict[str, int]:
    """Read what columns are, as `name=2,number=1`; raises UnreadableList."""
    found = {}
    for part in filter(None, (each.strip() for each in text.split(","))):
        key, _equals, column = part.partition("=")
        if key.strip() not in KEYS or not column.strip().isdecimal() or int(column) < 1:
            words = _("%(part)s says no column; write it as name=2, of these: %(keys)s.")
            raise UnreadableList(words % {"part": part[:40], "keys": ", ".join(KEYS)})
        found[key.strip()] = int(column) - 1
    return found
