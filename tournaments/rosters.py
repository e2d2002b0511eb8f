"""Parses lists of entries in the formats of clubs: pasted lines, CSV or a workbook.

A line has one player, a pair or a team. `clubs.names` parses the names; an ambiguous line has
doubts in its row. A team may have its own name before a colon. A list may have a title, a
heading with the columns, pair numbers, and directions (NS or EW). Pairs with directions are
sorted in the order in which a Mitchell seats them: all N-S by number, then all E-W.
"""

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from clubs.names.people import NO_KNOWN_NAMES, People, parse_people_in_cells, read_people
from clubs.names.tidy import build_name_key
from clubs.people.columns import FIRST, MAX_ROWS_ABOVE, SURNAME, find_field_key
from clubs.people.limits import ListRow
from clubs.people.tables import read_list
from clubs.people.texts import split_rows
from tournaments.errors import InvalidRoster

DIRECTIONS = {
    "ns": "NS", "n-s": "NS", "n/s": "NS", "n": "NS",
    "ew": "EW", "e-w": "EW", "e/w": "EW", "e": "EW",
}  # fmt: skip
NAME_WORDS = (
    *("player", "players", "name", "names", "partner", "north", "south", "east", "west"),
    *("spieler", "joueur", "nom", "jugador", "nombre", "speler", "spelare", "giocatore"),
)
HEADING_WORDS_AND_SURNAMES = ("north", "south", "east", "west", "table", "seat", "no", "dir")
HEADING_WORDS = (
    *NAME_WORDS,
    *HEADING_WORDS_AND_SURNAMES,
    "pair",
    "pairs",
    "number",
    "direction",
    "team",
)
HEADING_MODIFIERS = ("s", "of", "the", "first", "second", "third", "fourth", "full", "surname")


_UNKNOWN_PARTNER = re.compile(r"\?|\b(?:tba|tbc|tbd)\b", re.IGNORECASE)
"""Texts that clubs enter for a partner who is not known yet."""


@dataclass(frozen=True, slots=True)
class RosterRow:
    """One entry of a list, with its position ("Line 4") and the original line."""

    place: str
    names: tuple[str, ...]
    number: int | None = None
    direction: str = ""
    called: str = ""  # a team's own name
    text: str = ""
    doubts: tuple[str, ...] = ()
    line: int = 0


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that isn't an entry, with the reason."""

    text: str
    reason: str
    line: int = 0


@dataclass(slots=True)
class Roster:
    """A parsed list: its entries in seating order, and the other lines."""

    rows: list[RosterRow] = field(default_factory=list)
    invalid_lines: list[BadLine] = field(default_factory=list)
    heading: str = ""
    """The line that was read as the heading."""

    @property
    def doubtful(self) -> list[RosterRow]:
        """The rows whose names are ambiguous."""
        return [row for row in self.rows if row.doubts]

    @property
    def problems(self) -> list[str]:
        """The problems, one sentence for each line."""
        return [line.reason for line in self.invalid_lines]


@dataclass(frozen=True, slots=True)
class RosterHeading:
    """The column numbers of each kind; a name may have two columns, first name and surname."""

    names: tuple[tuple[int, ...], ...] = ()
    number: int | None = None
    direction: int | None = None


def read_file(
    content: bytes, names_each: int = 2, known_names: Container[str] = NO_KNOWN_NAMES
) -> Roster:
    """Read an uploaded file (CSV or XLSX); raises UnreadableList or InvalidRoster."""
    return _read_rows(read_list(content) if content.strip() else [], names_each, known_names)


def read_text(
    text: str, names_each: int = 2, known_names: Container[str] = NO_KNOWN_NAMES
) -> Roster:
    """Read pasted lines; raises UnreadableList or InvalidRoster if there are none.

    `names_each` is how many names a line has: two for a pair, one for a player, four for a
    team. `known_names` has the keys of the club's names, which are never changed.
    """
    return _read_rows(split_rows(text.replace("\x00", "")), names_each, known_names)


def _read_rows(rows: Sequence[ListRow], names_each: int, known_names: Container[str]) -> Roster:
    if not rows:
        raise InvalidRoster([_empty_list_problem(names_each)])
    heading_index, heading = _find_heading(rows, names_each)
    roster = Roster()
    if heading:
        roster.heading = _format_line(rows[heading_index].cells, heading)
    for row in rows[heading_index + 1 if heading else 0 :]:
        parsed_row = _parse_row(row, heading, names_each, known_names)
        if isinstance(parsed_row, BadLine):
            roster.invalid_lines.append(parsed_row)
        else:
            roster.rows.append(parsed_row)
    if not (roster.rows or roster.invalid_lines):
        raise InvalidRoster([_no_entries_problem(names_each)])
    roster.rows = _sort_for_seating(roster.rows)
    return roster


def _find_heading(rows: Sequence[ListRow], names_each: int) -> tuple[int, RosterHeading | None]:
    """Find the heading: the first row, or below a title a row that has only headings."""
    for at, row in enumerate(rows[:MAX_ROWS_ABOVE]):
        heading = _parse_heading(row.cells, names_each)
        if heading and (at == 0 or _has_only_headings(row.cells, names_each)):
            return at, heading
    return 0, None


def _fold_titles(cells: Sequence[str]) -> list[str]:
    return [re.sub(r"[^\w]|\d|_", " ", cell.casefold()).strip() for cell in cells]


def _has_only_headings(cells: Sequence[str], names_each: int) -> bool:
    """Return whether all cells of a row are headings."""
    filled = [cell for cell in _fold_titles(cells) if cell]
    return len(filled) >= min(names_each, 2) and all(
        find_field_key(cell)
        or all(word in (*HEADING_WORDS, *HEADING_MODIFIERS) for word in cell.split())
        for cell in filled
    )


def _parse_heading(cells: Sequence[str], names_each: int) -> RosterHeading | None:
    """Return the columns of each kind, or None if the line is not a heading."""
    folded = _fold_titles(cells)
    keys = [find_field_key(cell) for cell in folded]
    firsts = [column for column, key in enumerate(keys) if key == FIRST]
    surnames = [column for column, key in enumerate(keys) if key == SURNAME]
    is_split = bool(firsts) and len(firsts) == len(surnames)
    alike = _are_numbered(cells, folded)
    cell_words = [cell.split() for cell in folded]
    if not (
        is_split
        or alike
        or _are_headings([cell_word for cell_word in cell_words if cell_word], names_each)
    ):
        return None
    names: tuple[tuple[int, ...], ...] = (
        tuple(zip(firsts, surnames, strict=False)) if is_split else ()
    )
    if not is_split:
        names = tuple(
            (column,)
            for column, cell in enumerate(folded)
            if _means_person(cell_words[column]) or (alike and folded.count(cell) > 1)
        )
    if not names and len(cells) > 1:
        return None
    used_columns = {column for columns in names for column in columns}
    other_columns = {
        n: cell_word for n, cell_word in enumerate(cell_words) if n not in used_columns
    }
    direction = _find_column(other_columns, "direction", "dir", "seat")
    other_columns.pop(-1 if direction is None else direction, None)
    return RosterHeading(names, _find_column(other_columns, "pair", "number", "no"), direction)


def _find_column(columns: Mapping[int, Sequence[str]], *words: str) -> int | None:
    return next(
        (n for n, words_of_column in columns.items() if set(words_of_column) & set(words)), None
    )


def _are_numbered(cells: Sequence[str], folded: Sequence[str]) -> bool:
    """Return whether headings differ only by a number, e.g. "Player 1" and "Player 2"."""
    numbered = [
        word for cell, word in zip(cells, folded, strict=True) if re.search(r"\d", cell)
    ]
    return len({word for word in numbered if word}) < len([word for word in numbered if word])


def _are_headings(cells: Sequence[Sequence[str]], names_each: int) -> bool:
    """Return whether cells are headings; one cell that may also be a name is not enough.

    "Player Aone" is a player, but "Player 1" a heading. "North" is a heading next to "South",
    but a surname next to "Smith".
    """
    whole_matches = [
        all(word in HEADING_WORDS or word in HEADING_MODIFIERS for word in cell_words)
        and any(word in HEADING_WORDS for word in cell_words)
        for cell_words in cells
    ]
    if names_each == 1 or not any(whole_matches):
        return bool(whole_matches) and all(whole_matches)
    sure = [
        is_whole and not any(word in HEADING_WORDS_AND_SURNAMES for word in cell_words)
        for is_whole, cell_words in zip(whole_matches, cells, strict=True)
    ]
    return all(whole_matches) or any(sure)


def _means_person(words: Sequence[str]) -> bool:
    """Return whether a heading means a person, and not a team's own name."""
    return "team" not in words and any(word in NAME_WORDS for word in words)


def _parse_row(
    row: ListRow, heading: RosterHeading | None, names_each: int, known_names: Container[str]
) -> RosterRow | BadLine:
    """Parse one line as an entry, or return its problem."""
    text = _format_line(row.cells, heading)
    place = _("Line %(line)s") % {"line": row.number}
    if not all(cell.isprintable() for cell in row.cells):
        message = _("%(place)s: delete the unprintable character.") % {"place": place}
        return BadLine(text, message, row.number)
    number, direction, cells = _split_line(row.cells, heading)
    name_text = ""
    if names_each > 2 and cells and ":" in cells[0]:
        name_text, _colon, cells[0] = (part.strip() for part in cells[0].partition(":"))
        name_text = re.sub(r"^\d+[.)]\s*", "", name_text)
    people = _parse_people(cells, heading, names_each, known_names)
    if len(people.names) == names_each:
        first = people.number if number is None else number
        doubts, line = people.doubts, row.number
        return RosterRow(place, people.names, first, direction, name_text, text, doubts, line)
    if names_each == 2 and len(people.names) == 1 and _UNKNOWN_PARTNER.search(text):
        names = (people.names[0], "?")
        return RosterRow(place, names, number, direction, name_text, text, (), row.number)
    return BadLine(text, _find_name_problem(place, people.names, names_each), row.number)


def _format_line(cells: Sequence[str], heading: RosterHeading | None) -> str:
    """Format a line so that it can be parsed again, with tabs if commas would be ambiguous."""
    if heading or any("," in cell for cell in cells):
        return "\t".join(cells)
    return ", ".join(cell for cell in cells if cell)


def _parse_people(
    cells: Sequence[str],
    heading: RosterHeading | None,
    names_each: int,
    known_names: Container[str],
) -> People:
    """Parse the people in the cells, which are joined with commas unless each is one person."""
    are_people = bool(heading and heading.names) or any("," in cell for cell in cells)
    if len(cells) == names_each and any(build_name_key(cell) in known_names for cell in cells):
        are_people = True
    if are_people:
        return parse_people_in_cells(cells, names_each, known_names)
    return read_people(", ".join(cells), names_each, known_names)


def _find_name_problem(place: str, names: Sequence[str], names_each: int) -> str:
    if not names:
        return _("%(place)s: name missing.") % {"place": place}
    if names_each == 2 and len(names) == 1:
        message = _("%(place)s: add the partner of %(name)s, or “?” if not known yet.")
        return message % {"place": place, "name": names[0]}
    return _name_count_problem(len(names), names_each) % {
        "place": place,
        "count": len(names),
        "names": ", ".join(names),
    }


def _name_count_problem(count: int, names_each: int) -> str:
    if names_each == 1:
        return _("%(place)s: enter one player on each line. Found %(count)s: %(names)s.")
    if names_each == 2:
        return _("%(place)s: a pair has two names. Found %(count)s: %(names)s.")
    if count < names_each:
        return _("%(place)s: a team needs four names. Found %(count)s: %(names)s.")
    return _("%(place)s: a team has four names. Found %(count)s: %(names)s.")


def _empty_list_problem(names_each: int) -> str:
    messages = {
        1: _("The list is empty. Enter one player on each line."),
        2: _("The list is empty. Enter one pair on each line."),
    }
    team = _("The list is empty. Enter one team on each line: four names.")
    return messages.get(names_each, team)


def _no_entries_problem(names_each: int) -> str:
    messages = {
        1: _("The list has a heading but no players."),
        2: _("The list has a heading but no pairs."),
    }
    return messages.get(names_each, _("The list has a heading but no teams."))


def _split_line(
    cells: Sequence[str], heading: RosterHeading | None
) -> tuple[int | None, str, list[str]]:
    """Split a line into pair number, direction and the cells with names."""
    if heading and heading.names:
        names = [
            " ".join(cells[column] for column in columns if column < len(cells))
            for columns in heading.names
        ]
        number = _parse_number(_get_cell(cells, heading.number))
        direction = DIRECTIONS.get(_get_cell(cells, heading.direction).casefold(), "")
        return number, direction, [name.strip() for name in names if name.strip()]
    name_cells = [cell for cell in cells if cell]
    number, direction = None, ""
    if len(name_cells) > 1 and _parse_number(name_cells[0]) is not None:
        number = _parse_number(name_cells.pop(0))
    if len(name_cells) > 1 and name_cells[0].casefold() in DIRECTIONS:
        direction = DIRECTIONS[name_cells.pop(0).casefold()]
    return number, direction, name_cells


def _get_cell(cells: Sequence[str], column: int | None) -> str:
    return cells[column] if column is not None and column < len(cells) else ""


def _parse_number(cell: str) -> int | None:
    match = re.fullmatch(r"(\d{1,4})\.?", cell)
    return int(match[1]) if match else None


def _sort_for_seating(rows: list[RosterRow]) -> list[RosterRow]:
    if any(row.number is None for row in rows):
        return rows
    if all(row.direction for row in rows):
        return sorted(rows, key=lambda row: (row.direction == "EW", row.number))
    return sorted(rows, key=lambda row: row.number or 0)
