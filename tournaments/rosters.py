"""Read lists of entries as clubs have them: pasted lines, or a spreadsheet saved as CSV.

A line is two names with a comma, semicolon, tab, "&", "/" or " and " between them; or one name
for events of single players, or four for teams, which may have a name of their own before a
colon. A file may have a heading that names the columns, a pair number, and a direction (NS or
EW). Pairs with directions are put in the order in which a compass seats them: all N-S by
number, then all E-W.
"""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournaments.errors import RosterRefused

DIRECTIONS = {
    "ns": "NS", "n-s": "NS", "n/s": "NS", "n": "NS",
    "ew": "EW", "e-w": "EW", "e/w": "EW", "e": "EW",
}  # fmt: skip
NAME_WORDS = (
    *("player", "players", "name", "names", "partner", "north", "south", "east", "west"),
    *("spieler", "joueur", "nom", "jugador", "nombre", "speler", "spelare", "giocatore"),
)
BEFORE_A_NAME = re.compile(r"^(?:[•·▪◦*–—-]\s+)?(?:\d{1,3}(?:[.)]\s+|\s+[-–—]\s+))?")
"""The mark of a list and a number: "• ", "3. ", "3) ", "3 - "."""
SURNAMES_TOO = ("north", "south", "east", "west", "table", "seat", "no", "dir")
HEADING_WORDS = (*NAME_WORDS, *SURNAMES_TOO, "pair", "pairs", "number", "direction", "team")
BESIDE_THEM = ("s", "of", "the", "first", "second", "third", "fourth", "full", "surname")
BETWEEN_NAMES = re.compile(r"\s*(?:[&/+,;\t]|\s[-–—]\s|\band\b|\bund\b|\bet\b)\s*")
BETWEEN_PARTNERS = re.compile(r"\s*(?:[&/+]|\s[-–—]\s|\band\b|\bund\b|\bet\b)\s*")
MOST_BYTES = 2_000_000


@dataclass(frozen=True, slots=True)
class RosterRow:
    """One entry of a list, with where it stands there ("line 4")."""

    place: str
    names: tuple[str, ...]
    number: int | None = None
    direction: str = ""
    called: str = ""  # a team's own name


def read_file(content: bytes, names_each: int = 2) -> list[RosterRow]:
    """Read an uploaded file; raise RosterRefused when it is not a list of names."""
    if len(content) > MOST_BYTES:
        raise RosterRefused(
            [_("The file is larger than 2 MB; a list of names is far smaller.")]
        )
    return read_text(decoded(content), names_each)


def decoded(content: bytes) -> str:
    """Read text as spreadsheets save it: UTF-8, UTF-16, or Windows' own encoding."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", errors="replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    if b"\x00" in content:
        raise RosterRefused(
            [_("This is not a text file. Save the spreadsheet as CSV and choose that file.")]
        )
    return content.decode("cp1252", errors="replace")


def read_text(text: str, names_each: int = 2) -> list[RosterRow]:
    """Read pasted lines or a CSV file's text; every line that is no entry is named at once.

    `names_each` is how many a line has: two for a pair, one for a player, four for a team.
    """
    table = _cells(text)
    if not table:
        raise RosterRefused([_empty(names_each)])
    heading = _heading(table[0][1], names_each)
    rows, problems = [], []
    for line, cells in table[1:] if heading else table:
        row = _row(line, cells, heading, names_each)
        if isinstance(row, str):
            problems.append(row)
        else:
            rows.append(row)
    if not rows and not problems:
        problems = [_nothing_under(names_each)]
    if problems:
        raise RosterRefused(problems)
    return _in_seating_order(rows)


def heading_of(text: str, names_each: int = 2) -> str:
    """The first line where it is taken for a heading and so enters nobody, else nothing."""
    table = _cells(text)
    if not table or _heading(table[0][1], names_each) is None:
        return ""
    return ", ".join(cell for cell in table[0][1] if cell)


def _cells(text: str) -> list[tuple[int, list[str]]]:
    """Split into lines and cells; the separator is the one that most lines have.

    A line that has tabs alone is read by them all the same.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    separator = max(";\t,", key=lambda mark: sum(mark in line for line in lines))
    reader = csv.reader(io.StringIO(text.replace("\x00", "")), delimiter=separator)
    try:
        return [
            (reader.line_num, [" ".join(cell.split()) for cell in _by_its_own(cells)])
            for cells in reader
            if any(cell.strip() for cell in cells)
        ]
    except csv.Error as error:
        raise RosterRefused(
            [
                _("Line %(line)s cannot be read: a quotation mark is not closed.")
                % {"line": reader.line_num}
            ]
        ) from error


def _by_its_own(cells: list[str]) -> list[str]:
    """Take a line with tabs alone apart among lines that have another separator."""
    alone = len(cells) == 1 and not re.search("[;,]", cells[0])
    return cells[0].split("\t") if alone else cells


Heading = dict[str, list[int]]


def _heading(cells: Sequence[str], names_each: int) -> Heading | None:
    """Say which columns hold what, when the first line names them."""
    folded = [re.sub(r"[^\w]|\d|_", " ", cell.casefold()).strip() for cell in cells]
    alike = _are_numbered(cells, folded)
    if not alike and not _are_headings([cell.split() for cell in folded if cell], names_each):
        return None
    found: Heading = {"name": [], "number": [], "direction": []}
    for column, cell in enumerate(folded):
        words = cell.split()
        if _names_a_player(words) or (alike and folded.count(cell) > 1):
            found["name"].append(column)
        elif any(word in ("direction", "dir", "seat") for word in words):
            found["direction"].append(column)
        elif any(word in ("pair", "number", "no") for word in words):
            found["number"].append(column)
    if not found["name"] and len(cells) > 1:
        return None
    return found


def _are_numbered(cells: Sequence[str], folded: Sequence[str]) -> bool:
    """Whether columns differ by a number alone: "Gracz 1", "Gracz 2", and not two Smiths."""
    numbered = [
        word for cell, word in zip(cells, folded, strict=True) if re.search(r"\d", cell)
    ]
    return len({word for word in numbered if word}) < len([word for word in numbered if word])


def _are_headings(cells: Sequence[Sequence[str]], names_each: int) -> bool:
    """Whether cells name columns: no cell that is also a name makes a line a heading.

    "Player Aone" is a player, "Player 1" a heading; "North" is one beside "South", and a
    surname beside "Smith".
    """
    whole = [
        all(word in HEADING_WORDS or word in BESIDE_THEM for word in words)
        and any(word in HEADING_WORDS for word in words)
        for words in cells
    ]
    if names_each == 1 or not any(whole):
        return bool(whole) and all(whole)
    sure = [
        is_whole and not any(word in SURNAMES_TOO for word in words)
        for is_whole, words in zip(whole, cells, strict=True)
    ]
    return all(whole) or any(sure)


def _names_a_player(words: Sequence[str]) -> bool:
    """Whether a column's heading means a person; a team's own name is none."""
    return "team" not in words and any(word in NAME_WORDS for word in words)


def _row(
    line: int, cells: Sequence[str], heading: Heading | None, names_each: int
) -> RosterRow | str:
    """Read one line as an entry, or say what is wrong with it."""
    number, direction, names = _parts(cells, heading)
    names = [BEFORE_A_NAME.sub("", name) for name in names]
    called = ""
    if names_each > 2 and names and ":" in names[0]:
        called, _colon, names[0] = (part.strip() for part in names[0].partition(":"))
    names = _apart([name for name in names if name], names_each)
    names = [name for name in names if re.search(r"\w", name)]  # "?" and "–" name nobody
    place = _("Line %(line)s") % {"line": line}
    if len(names) == names_each:
        return RosterRow(place, tuple(names), number, direction, called)
    if not names:
        return _("%(place)s: there is no name.") % {"place": place}
    if names_each == 2 and len(names) == 1:
        return _(
            "%(place)s: a pair needs two names; only “%(name)s” is there. Add the partner "
            "behind a comma; while nobody knows who it is, write “Partner of %(name)s”."
        ) % {"place": place, "name": names[0]}
    return _wrong_number(len(names), names_each) % {
        "place": place,
        "count": len(names),
        "names": ", ".join(names),
    }


def _apart(names: list[str], names_each: int) -> list[str]:
    """Take names that share a cell apart; one name alone may have a comma of its own."""
    if len(names) == 1:
        between = BETWEEN_NAMES if names_each > 1 else BETWEEN_PARTNERS
        return [name for name in between.split(names[0]) if name]
    if len(names) < names_each:
        return [name for each in names for name in BETWEEN_PARTNERS.split(each) if name]
    return names


def _wrong_number(count: int, names_each: int) -> str:
    if names_each == 1:
        return _("%(place)s: write one player on each line; here are %(count)s: %(names)s.")
    if names_each == 2:
        return _("%(place)s: a pair has two names; here are %(count)s: %(names)s.")
    if count < names_each:
        return _("%(place)s: a team needs four names; here are %(count)s: %(names)s.")
    return _("%(place)s: a team has four names; here are %(count)s: %(names)s.")


def _empty(names_each: int) -> str:
    words = {
        1: _("The list is empty. Write one player on each line."),
        2: _("The list is empty. Write one pair on each line: two names."),
    }
    team = _("The list is empty. Write one team on each line: four names.")
    return words.get(names_each, team)


def _nothing_under(names_each: int) -> str:
    words = {
        1: _("The list has a heading and no players under it."),
        2: _("The list has a heading and no pairs under it."),
    }
    return words.get(names_each, _("The list has a heading and no teams under it."))


def _parts(cells: Sequence[str], heading: Heading | None) -> tuple[int | None, str, list[str]]:
    """Take a line apart into pair number, direction and names."""
    if heading and heading["name"]:
        names = [cells[column] for column in heading["name"] if column < len(cells)]
        number = next((_number(cells[c]) for c in heading["number"] if c < len(cells)), None)
        direction = next(
            (
                DIRECTIONS.get(cells[c].casefold(), "")
                for c in heading["direction"]
                if c < len(cells)
            ),
            "",
        )
        return number, direction, [name for name in names if name]
    rest = [cell for cell in cells if cell]
    number, direction = None, ""
    if len(rest) > 1 and _number(rest[0]) is not None:
        number = _number(rest.pop(0))
    if len(rest) > 1 and rest[0].casefold() in DIRECTIONS:
        direction = DIRECTIONS[rest.pop(0).casefold()]
    return number, direction, rest


def _number(cell: str) -> int | None:
    found = re.fullmatch(r"(\d{1,4})\.?", cell)
    return int(found[1]) if found else None


def _in_seating_order(rows: list[RosterRow]) -> list[RosterRow]:
    if any(row.number is None for row in rows):
        return rows
    if all(row.direction for row in rows):
        return sorted(rows, key=lambda row: (row.direction == "EW", row.number))
    return sorted(rows, key=lambda row: row.number or 0)
