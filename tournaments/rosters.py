"""Parses lists of entries in the formats of clubs: pasted lines, CSV or a workbook.

A line has one player, a pair or a team. `clubs.names` parses the names. If a line is ambiguous,
its row has doubts. A team may have its own name before a colon. A list may have a title, a
heading with the columns, pair numbers, and directions (NS or EW). Pairs with directions are
sorted in the order in which a Mitchell seats them: all N-S by number, then all E-W.
"""

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from clubs.names.people import NO_KNOWN_NAMES, ParsedPeople, parse_people_in_cells, read_people
from clubs.names.tidy import build_name_key
from clubs.people.columns import (
    FIRST_NAME_KEY,
    MAX_ROWS_ABOVE_HEADING,
    SURNAME_KEY,
    find_field_key,
)
from clubs.people.limits import ListRow
from clubs.people.tables import read_list
from clubs.people.texts import split_rows
from tournaments.errors import InvalidRoster

SIDES_BY_WORD = {
    "ns": "NS", "n-s": "NS", "n/s": "NS", "n": "NS",
    "ew": "EW", "e-w": "EW", "e/w": "EW", "e": "EW",
}  # fmt: skip
NAME_WORDS = (
    *("player", "players", "name", "names", "partner", "north", "south", "east", "west"),
    *("spieler", "joueur", "nom", "jugador", "nombre", "speler", "spelare", "giocatore"),
)
AMBIGUOUS_HEADING_WORDS = ("north", "south", "east", "west", "table", "seat", "no", "dir")
"""Words of headings that are also surnames."""
HEADING_WORDS = (
    *NAME_WORDS,
    *AMBIGUOUS_HEADING_WORDS,
    "pair",
    "pairs",
    "number",
    "direction",
    "team",
)
HEADING_MODIFIERS = ("s", "of", "the", "first", "second", "third", "fourth", "full", "surname")


_UNKNOWN_PARTNER_PATTERN = re.compile(r"\?|\b(?:tba|tbc|tbd)\b", re.IGNORECASE)
"""Texts that clubs enter for a partner who is not known yet."""


@dataclass(frozen=True, slots=True)
class RosterRow:
    """One entry of a list, with its position ("Line 4") and the original line."""

    position: str
    names: tuple[str, ...]
    number: int | None = None
    direction: str = ""
    team_name: str = ""  # the name before a colon, e.g. "Kings" in "Kings: A, B, C, D"
    text: str = ""
    doubts: tuple[str, ...] = ()
    line_number: int = 0


@dataclass(frozen=True, slots=True)
class InvalidLine:
    """A line that isn't an entry, with the reason."""

    text: str
    reason: str
    line_number: int = 0


@dataclass(slots=True)
class Roster:
    """A parsed list: its entries in seating order, and the lines that are not entries."""

    rows: list[RosterRow] = field(default_factory=list)
    invalid_lines: list[InvalidLine] = field(default_factory=list)
    heading: str = ""
    """The line that was read as the heading."""

    @property
    def doubtful_rows(self) -> list[RosterRow]:
        """The rows whose names are ambiguous."""
        return [row for row in self.rows if row.doubts]

    @property
    def problems(self) -> list[str]:
        """The problems, one sentence for each line."""
        return [line.reason for line in self.invalid_lines]


@dataclass(frozen=True, slots=True)
class RosterHeading:
    """The column indexes of names, number and direction.

    A name may have two columns, first name and surname.
    """

    name_columns: tuple[tuple[int, ...], ...] = ()
    number: int | None = None
    direction: int | None = None


def read_file(
    content: bytes, name_count: int = 2, known_names: Container[str] = NO_KNOWN_NAMES
) -> Roster:
    """Read an uploaded CSV or XLSX file; raise UnreadableList or InvalidRoster."""
    return _read_rows(read_list(content) if content.strip() else [], name_count, known_names)


def read_text(
    text: str, name_count: int = 2, known_names: Container[str] = NO_KNOWN_NAMES
) -> Roster:
    """Read pasted lines; raises UnreadableList or InvalidRoster if there are none.

    `name_count` is the number of names in a line: two for a pair, one for a player, four for a
    team. `known_names` has the name keys of the club's players, whose names are never changed.
    """
    return _read_rows(split_rows(text.replace("\x00", "")), name_count, known_names)


def _read_rows(rows: Sequence[ListRow], name_count: int, known_names: Container[str]) -> Roster:
    if not rows:
        raise InvalidRoster([_get_empty_list_message(name_count)])
    heading_index, heading = _find_heading(rows, name_count)
    roster = Roster()
    if heading:
        roster.heading = _format_line(rows[heading_index].cells, heading)
    for row in rows[heading_index + 1 if heading else 0 :]:
        parsed_row = _parse_row(row, heading, name_count, known_names)
        if isinstance(parsed_row, InvalidLine):
            roster.invalid_lines.append(parsed_row)
        else:
            roster.rows.append(parsed_row)
    if not (roster.rows or roster.invalid_lines):
        raise InvalidRoster([_get_no_entries_message(name_count)])
    roster.rows = _sort_for_seating(roster.rows)
    return roster


def _find_heading(rows: Sequence[ListRow], name_count: int) -> tuple[int, RosterHeading | None]:
    """Return the index and the columns of the heading row, or (0, None) if there is none.

    The first row is the heading if it has the columns of the names. A row below it, under a
    title, is the heading only if all its cells are column headings.
    """
    for index, row in enumerate(rows[:MAX_ROWS_ABOVE_HEADING]):
        heading = _parse_heading(row.cells, name_count)
        if heading and (index == 0 or _has_only_headings(row.cells, name_count)):
            return index, heading
    return 0, None


def _fold_titles(cells: Sequence[str]) -> list[str]:
    return [re.sub(r"[^\w]|\d|_", " ", cell.casefold()).strip() for cell in cells]


def _has_only_headings(cells: Sequence[str], name_count: int) -> bool:
    titles = [cell for cell in _fold_titles(cells) if cell]
    return len(titles) >= min(name_count, 2) and all(
        find_field_key(cell)
        or all(word in (*HEADING_WORDS, *HEADING_MODIFIERS) for word in cell.split())
        for cell in titles
    )


def _parse_heading(cells: Sequence[str], name_count: int) -> RosterHeading | None:
    """Return the columns for names, number and direction; None if it is not a heading."""
    titles = _fold_titles(cells)
    field_keys = [find_field_key(cell) for cell in titles]
    first_name_columns = [
        column for column, key in enumerate(field_keys) if key == FIRST_NAME_KEY
    ]
    surname_columns = [column for column, key in enumerate(field_keys) if key == SURNAME_KEY]
    are_names_split = bool(first_name_columns) and len(first_name_columns) == len(
        surname_columns
    )
    are_numbered = _are_titles_numbered(cells, titles)
    cell_words = [cell.split() for cell in titles]
    if not (
        are_names_split
        or are_numbered
        or _are_headings([words for words in cell_words if words], name_count)
    ):
        return None
    name_columns: tuple[tuple[int, ...], ...] = (
        tuple(zip(first_name_columns, surname_columns, strict=False)) if are_names_split else ()
    )
    if not are_names_split:
        name_columns = tuple(
            (column,)
            for column, cell in enumerate(titles)
            if _is_person_heading(cell_words[column])
            or (are_numbered and titles.count(cell) > 1)
        )
    if not name_columns and len(cells) > 1:
        return None
    used_columns = {column for columns in name_columns for column in columns}
    words_by_other_column = {
        column: words for column, words in enumerate(cell_words) if column not in used_columns
    }
    direction = _find_column(words_by_other_column, "direction", "dir", "seat")
    words_by_other_column.pop(-1 if direction is None else direction, None)
    return RosterHeading(
        name_columns, _find_column(words_by_other_column, "pair", "number", "no"), direction
    )


def _find_column(
    words_by_column: Mapping[int, Sequence[str]], *searched_words: str
) -> int | None:
    return next(
        (
            column
            for column, words in words_by_column.items()
            if set(words) & set(searched_words)
        ),
        None,
    )


def _are_titles_numbered(cells: Sequence[str], titles: Sequence[str]) -> bool:
    """Return whether headings differ only by a number, e.g. "Player 1" and "Player 2"."""
    titles_with_number = [
        title for cell, title in zip(cells, titles, strict=True) if re.search(r"\d", cell)
    ]
    return len({title for title in titles_with_number if title}) < len(
        [title for title in titles_with_number if title]
    )


def _are_headings(words_by_cell: Sequence[Sequence[str]], name_count: int) -> bool:
    """Return whether cells are headings and not names. Some words can be both.

    "Player Aone" is a player, but "Player 1" is a heading. "North" is a heading next to
    "South", but a surname next to "Smith".
    """
    are_whole_matches = [
        all(word in HEADING_WORDS or word in HEADING_MODIFIERS for word in cell_words)
        and any(word in HEADING_WORDS for word in cell_words)
        for cell_words in words_by_cell
    ]
    if name_count == 1 or not any(are_whole_matches):
        return bool(are_whole_matches) and all(are_whole_matches)
    certain_matches = [
        is_whole_match and not any(word in AMBIGUOUS_HEADING_WORDS for word in cell_words)
        for is_whole_match, cell_words in zip(are_whole_matches, words_by_cell, strict=True)
    ]
    return all(are_whole_matches) or any(certain_matches)


def _is_person_heading(words: Sequence[str]) -> bool:
    """Return whether a heading is about a person and not about a team."""
    return "team" not in words and any(word in NAME_WORDS for word in words)


def _parse_row(
    row: ListRow, heading: RosterHeading | None, name_count: int, known_names: Container[str]
) -> RosterRow | InvalidLine:
    """Parse a line as an entry; return an InvalidLine with the reason if that fails."""
    text = _format_line(row.cells, heading)
    position_text = _("Line %(line)s") % {"line": row.number}
    if not all(cell.isprintable() for cell in row.cells):
        message = _("%(place)s: delete the unprintable character.") % {"place": position_text}
        return InvalidLine(text, message, row.number)
    stated_number, direction, cells = _split_line(row.cells, heading)
    team_name = ""
    if name_count > 2 and cells and ":" in cells[0]:
        team_name, _colon, cells[0] = (part.strip() for part in cells[0].partition(":"))
        team_name = re.sub(r"^\d+[.)]\s*", "", team_name)
    people = _parse_people(cells, heading, name_count, known_names)
    if len(people.names) == name_count:
        entry_number = people.number if stated_number is None else stated_number
        doubts, line_number = people.doubts, row.number
        return RosterRow(
            position_text,
            people.names,
            entry_number,
            direction,
            team_name,
            text,
            doubts,
            line_number,
        )
    if name_count == 2 and len(people.names) == 1 and _UNKNOWN_PARTNER_PATTERN.search(text):
        names = (people.names[0], "?")
        return RosterRow(
            position_text, names, stated_number, direction, team_name, text, (), row.number
        )
    return InvalidLine(
        text, _describe_name_problem(position_text, people.names, name_count), row.number
    )


def _format_line(cells: Sequence[str], heading: RosterHeading | None) -> str:
    """Format a line so that it can be parsed again, with tabs if commas would be ambiguous."""
    if heading or any("," in cell for cell in cells):
        return "\t".join(cells)
    return ", ".join(cell for cell in cells if cell)


def _parse_people(
    cells: Sequence[str],
    heading: RosterHeading | None,
    name_count: int,
    known_names: Container[str],
) -> ParsedPeople:
    """Parse the people in the cells of a line.

    The cells are joined with commas unless each of them is one person.
    """
    are_cells_people = bool(heading and heading.name_columns) or any(
        "," in cell for cell in cells
    )
    if len(cells) == name_count and any(build_name_key(cell) in known_names for cell in cells):
        are_cells_people = True
    if are_cells_people:
        return parse_people_in_cells(cells, name_count, known_names)
    return read_people(", ".join(cells), name_count, known_names)


def _describe_name_problem(place: str, names: Sequence[str], name_count: int) -> str:
    if not names:
        return _("%(place)s: name missing.") % {"place": place}
    if name_count == 2 and len(names) == 1:
        message = _("%(place)s: add the partner of %(name)s, or “?” if not known yet.")
        return message % {"place": place, "name": names[0]}
    return _get_name_count_message(len(names), name_count) % {
        "place": place,
        "count": len(names),
        "names": ", ".join(names),
    }


def _get_name_count_message(count: int, name_count: int) -> str:
    if name_count == 1:
        return _("%(place)s: enter one player on each line. Found %(count)s: %(names)s.")
    if name_count == 2:
        return _("%(place)s: a pair has two names. Found %(count)s: %(names)s.")
    if count < name_count:
        return _("%(place)s: a team needs four names. Found %(count)s: %(names)s.")
    return _("%(place)s: a team has four names. Found %(count)s: %(names)s.")


def _get_empty_list_message(name_count: int) -> str:
    messages = {
        1: _("The list is empty. Enter one player on each line."),
        2: _("The list is empty. Enter one pair on each line."),
    }
    team = _("The list is empty. Enter one team on each line: four names.")
    return messages.get(name_count, team)


def _get_no_entries_message(name_count: int) -> str:
    messages = {
        1: _("The list has a heading but no players."),
        2: _("The list has a heading but no pairs."),
    }
    return messages.get(name_count, _("The list has a heading but no teams."))


def _split_line(
    cells: Sequence[str], heading: RosterHeading | None
) -> tuple[int | None, str, list[str]]:
    """Split a line into pair number, direction and the cells with names."""
    if heading and heading.name_columns:
        names = [
            " ".join(cells[column] for column in columns if column < len(cells))
            for columns in heading.name_columns
        ]
        entry_number = _parse_number(_get_cell(cells, heading.number))
        direction = SIDES_BY_WORD.get(_get_cell(cells, heading.direction).casefold(), "")
        return entry_number, direction, [name.strip() for name in names if name.strip()]
    name_cells = [cell for cell in cells if cell]
    entry_number, direction = None, ""
    if len(name_cells) > 1 and _parse_number(name_cells[0]) is not None:
        entry_number = _parse_number(name_cells.pop(0))
    if len(name_cells) > 1 and name_cells[0].casefold() in SIDES_BY_WORD:
        direction = SIDES_BY_WORD[name_cells.pop(0).casefold()]
    return entry_number, direction, name_cells


def _get_cell(cells: Sequence[str], column: int | None) -> str:
    return cells[column] if column is not None and column < len(cells) else ""


def _parse_number(cell: str) -> int | None:
    number_match = re.fullmatch(r"(\d{1,4})\.?", cell)
    return int(number_match[1]) if number_match else None


def _sort_for_seating(rows: list[RosterRow]) -> list[RosterRow]:
    if any(row.number is None for row in rows):
        return rows
    if all(row.direction for row in rows):
        return sorted(rows, key=lambda row: (row.direction == "EW", row.number))
    return sorted(rows, key=lambda row: row.number or 0)
