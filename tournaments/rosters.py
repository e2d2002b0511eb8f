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
from clubs.people.limits import ListRow, build_too_many_rows_error
from clubs.people.tables import parse_list_file
from clubs.people.texts import split_rows
from tournaments.errors import InvalidRoster

MAX_ROWS = 2_000
"""The maximum number of rows, which is also that of the entries in an event file.

Storing 5,000 pairs with their history takes several seconds.
"""
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
    entry_number: int | None = None
    direction: str = ""
    team_name: str = ""  # the name before a colon, e.g. "Kings" in "Kings: A, B, C, D"
    line_text: str = ""
    doubts: tuple[str, ...] = ()
    line_number: int = 0


@dataclass(frozen=True, slots=True)
class InvalidLine:
    """A line that isn't an entry, with the reason."""

    line_text: str
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
    number_column: int | None = None
    direction_column: int | None = None


def read_file(
    file_content: bytes, names_per_entry: int = 2, known_names: Container[str] = NO_KNOWN_NAMES
) -> Roster:
    """Read an uploaded CSV or XLSX file; raise UnreadableList or InvalidRoster."""
    return _read_rows(
        parse_list_file(file_content) if file_content.strip() else [],
        names_per_entry,
        known_names,
    )


def read_text(
    pasted_text: str, names_per_entry: int = 2, known_names: Container[str] = NO_KNOWN_NAMES
) -> Roster:
    """Read pasted lines; raises UnreadableList or InvalidRoster if there are none.

    `names_per_entry` is the number of names in a line: two for a pair, one for a player, four
    for a team. `known_names` has the name keys of the club's players, whose names are never
    changed.
    """
    return _read_rows(split_rows(pasted_text.replace("\x00", "")), names_per_entry, known_names)


def _read_rows(
    rows: Sequence[ListRow], names_per_entry: int, known_names: Container[str]
) -> Roster:
    if not rows:
        raise InvalidRoster([_get_empty_list_message(names_per_entry)])
    if len(rows) > MAX_ROWS:
        raise build_too_many_rows_error(rows[MAX_ROWS].row_number, MAX_ROWS)
    heading_index, heading = _find_heading(rows, names_per_entry)
    roster = Roster()
    if heading:
        roster.heading = _format_line(rows[heading_index].cells, heading)
    for row in rows[heading_index + 1 if heading else 0 :]:
        parsed_row = _parse_row(row, heading, names_per_entry, known_names)
        if isinstance(parsed_row, InvalidLine):
            roster.invalid_lines.append(parsed_row)
        else:
            roster.rows.append(parsed_row)
    if not (roster.rows or roster.invalid_lines):
        raise InvalidRoster([_get_no_entries_message(names_per_entry)])
    roster.rows = _sort_rows_for_seating(roster.rows)
    return roster


def _find_heading(
    rows: Sequence[ListRow], names_per_entry: int
) -> tuple[int, RosterHeading | None]:
    """Return the index and the columns of the heading row, or (0, None) if there is none.

    The first row is the heading if it has the columns of the names. A row below it, under a
    title, is the heading only if all its cells are column headings.
    """
    for index, row in enumerate(rows[:MAX_ROWS_ABOVE_HEADING]):
        heading = _parse_heading(row.cells, names_per_entry)
        if heading and (index == 0 or _has_only_headings(row.cells, names_per_entry)):
            return index, heading
    return 0, None


def _normalize_heading_cells(cells: Sequence[str]) -> list[str]:
    return [re.sub(r"[^\w]|\d|_", " ", cell.casefold()).strip() for cell in cells]


def _has_only_headings(cells: Sequence[str], names_per_entry: int) -> bool:
    titles = [title for title in _normalize_heading_cells(cells) if title]
    return len(titles) >= min(names_per_entry, 2) and all(
        find_field_key(title)
        or all(word in (*HEADING_WORDS, *HEADING_MODIFIERS) for word in title.split())
        for title in titles
    )


def _parse_heading(cells: Sequence[str], names_per_entry: int) -> RosterHeading | None:
    """Return the columns for names, number and direction; None if it is not a heading."""
    titles = _normalize_heading_cells(cells)
    field_keys = [find_field_key(title) for title in titles]
    first_name_columns = [
        column for column, field_key in enumerate(field_keys) if field_key == FIRST_NAME_KEY
    ]
    surname_columns = [
        column for column, field_key in enumerate(field_keys) if field_key == SURNAME_KEY
    ]
    are_names_split = bool(first_name_columns) and len(first_name_columns) == len(
        surname_columns
    )
    are_headings_numbered = _are_titles_numbered(cells, titles)
    words_by_column = [title.split() for title in titles]
    if not (
        are_names_split
        or are_headings_numbered
        or _are_headings(
            [title_words for title_words in words_by_column if title_words], names_per_entry
        )
    ):
        return None
    name_columns: tuple[tuple[int, ...], ...] = (
        tuple(zip(first_name_columns, surname_columns, strict=False)) if are_names_split else ()
    )
    if not are_names_split:
        name_columns = tuple(
            (column,)
            for column, title in enumerate(titles)
            if _is_person_heading(words_by_column[column])
            or (are_headings_numbered and titles.count(title) > 1)
        )
    if not name_columns and len(cells) > 1:
        return None
    used_columns = {column for columns in name_columns for column in columns}
    words_by_unused_column = {
        column: title_words
        for column, title_words in enumerate(words_by_column)
        if column not in used_columns
    }
    direction_column = _find_column(words_by_unused_column, "direction", "dir", "seat")
    words_by_unused_column.pop(-1 if direction_column is None else direction_column, None)
    return RosterHeading(
        name_columns,
        _find_column(words_by_unused_column, "pair", "number", "no"),
        direction_column,
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


def _are_headings(words_by_cell: Sequence[Sequence[str]], names_per_entry: int) -> bool:
    """Return whether cells are headings and not names. Some words can be both.

    "Player Aone" is a player, but "Player 1" is a heading. "North" is a heading next to
    "South", but a surname next to "Smith".
    """
    whole_match_flags = [
        all(
            heading_word in HEADING_WORDS or heading_word in HEADING_MODIFIERS
            for heading_word in cell_words
        )
        and any(heading_word in HEADING_WORDS for heading_word in cell_words)
        for cell_words in words_by_cell
    ]
    if names_per_entry == 1 or not any(whole_match_flags):
        return bool(whole_match_flags) and all(whole_match_flags)
    certain_match_flags = [
        is_whole_match
        and not any(heading_word in AMBIGUOUS_HEADING_WORDS for heading_word in cell_words)
        for is_whole_match, cell_words in zip(whole_match_flags, words_by_cell, strict=True)
    ]
    return all(whole_match_flags) or any(certain_match_flags)


def _is_person_heading(heading_words: Sequence[str]) -> bool:
    """Return whether a heading is about a person and not about a team."""
    return "team" not in heading_words and any(
        heading_word in NAME_WORDS for heading_word in heading_words
    )


def _parse_row(
    row: ListRow,
    heading: RosterHeading | None,
    names_per_entry: int,
    known_names: Container[str],
) -> RosterRow | InvalidLine:
    """Parse a line as an entry; return an InvalidLine with the reason if that fails."""
    line_text = _format_line(row.cells, heading)
    position_text = _("Line %(line)s") % {"line": row.row_number}
    if not all(cell.isprintable() for cell in row.cells):
        message = _("%(place)s: delete the unprintable character.") % {"place": position_text}
        return InvalidLine(line_text, message, row.row_number)
    stated_entry_number, direction, cells = _split_line(row.cells, heading)
    team_name = ""
    if names_per_entry > 2 and cells and ":" in cells[0]:
        team_name, _colon, cells[0] = (part.strip() for part in cells[0].partition(":"))
        team_name = re.sub(r"^\d+[.)]\s*", "", team_name)
    people = _parse_people(cells, heading, names_per_entry, known_names)
    if len(people.names) == names_per_entry:
        entry_number = (
            people.leading_number if stated_entry_number is None else stated_entry_number
        )
        doubts, line_number = people.doubts, row.row_number
        return RosterRow(
            position_text,
            people.names,
            entry_number,
            direction,
            team_name,
            line_text,
            doubts,
            line_number,
        )
    if (
        names_per_entry == 2
        and len(people.names) == 1
        and _UNKNOWN_PARTNER_PATTERN.search(line_text)
    ):
        player_names = (people.names[0], "?")
        return RosterRow(
            position_text,
            player_names,
            stated_entry_number,
            direction,
            team_name,
            line_text,
            (),
            row.row_number,
        )
    return InvalidLine(
        line_text,
        _describe_name_problem(position_text, people.names, names_per_entry),
        row.row_number,
    )


def _format_line(cells: Sequence[str], heading: RosterHeading | None) -> str:
    """Format a line so that it can be parsed again, with tabs if commas would be ambiguous."""
    if heading or any("," in cell for cell in cells):
        return "\t".join(cells)
    return ", ".join(cell for cell in cells if cell)


def _parse_people(
    cells: Sequence[str],
    heading: RosterHeading | None,
    names_per_entry: int,
    known_names: Container[str],
) -> ParsedPeople:
    """Parse the people in the cells of a line.

    The cells are joined with commas unless each of them is one person.
    """
    has_one_person_per_cell = bool(heading and heading.name_columns) or any(
        "," in cell for cell in cells
    )
    if len(cells) == names_per_entry and any(
        build_name_key(cell) in known_names for cell in cells
    ):
        has_one_person_per_cell = True
    if has_one_person_per_cell:
        return parse_people_in_cells(cells, names_per_entry, known_names)
    return read_people(", ".join(cells), names_per_entry, known_names)


def _describe_name_problem(
    line_position: str, player_names: Sequence[str], names_per_entry: int
) -> str:
    if not player_names:
        return _("%(place)s: name missing.") % {"place": line_position}
    if names_per_entry == 2 and len(player_names) == 1:
        message = _("%(place)s: add the partner of %(name)s, or “?” if not known yet.")
        return message % {"place": line_position, "name": player_names[0]}
    return _get_name_count_message(len(player_names), names_per_entry) % {
        "place": line_position,
        "count": len(player_names),
        "names": ", ".join(player_names),
    }


def _get_name_count_message(found_name_count: int, names_per_entry: int) -> str:
    if names_per_entry == 1:
        return _("%(place)s: enter one player on each line. Found %(count)s: %(names)s.")
    if names_per_entry == 2:
        return _("%(place)s: a pair has two names. Found %(count)s: %(names)s.")
    if found_name_count < names_per_entry:
        return _("%(place)s: a team needs four names. Found %(count)s: %(names)s.")
    return _("%(place)s: a team has four names. Found %(count)s: %(names)s.")


def _get_empty_list_message(names_per_entry: int) -> str:
    message_by_names_per_entry = {
        1: _("The list is empty. Enter one player on each line."),
        2: _("The list is empty. Enter one pair on each line."),
    }
    team_message = _("The list is empty. Enter one team on each line: four names.")
    return message_by_names_per_entry.get(names_per_entry, team_message)


def _get_no_entries_message(names_per_entry: int) -> str:
    messages = {
        1: _("The list has a heading but no players."),
        2: _("The list has a heading but no pairs."),
    }
    return messages.get(names_per_entry, _("The list has a heading but no teams."))


def _split_line(
    cells: Sequence[str], heading: RosterHeading | None
) -> tuple[int | None, str, list[str]]:
    """Split a line into pair number, direction and the cells with names."""
    if heading and heading.name_columns:
        player_names = [
            " ".join(cells[column] for column in columns if column < len(cells))
            for columns in heading.name_columns
        ]
        entry_number = _parse_number(_get_cell(cells, heading.number_column))
        direction = SIDES_BY_WORD.get(_get_cell(cells, heading.direction_column).casefold(), "")
        return entry_number, direction, [name.strip() for name in player_names if name.strip()]
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


def _sort_rows_for_seating(rows: list[RosterRow]) -> list[RosterRow]:
    if any(row.entry_number is None for row in rows):
        return rows
    if all(row.direction for row in rows):
        return sorted(rows, key=lambda row: (row.direction == "EW", row.entry_number))
    return sorted(rows, key=lambda row: row.entry_number or 0)
