"""Read lists of pairs as clubs have them: pasted lines, or a spreadsheet saved as CSV.

A line is two names with a comma, semicolon, tab, "&", "/" or " and " between them. A file may
have a heading that names the columns, a pair number, and a direction (NS or EW). Pairs with
directions are put in the order in which a compass seats them: all N-S by number, then all E-W.
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
    *("player", "name", "partner", "north", "south", "east", "west"),
    *("spieler", "joueur", "nom", "jugador", "nombre", "speler", "spelare", "giocatore"),
)
PASTED_NUMBER = re.compile(r"^\d{1,3}[.)]\s+")
HEADING_WORDS = (*NAME_WORDS, "pair", "number", "no", "direction", "dir", "seat", "table")
BETWEEN_NAMES = re.compile(r"\s*(?:[&/+,;\t]|\s[-–]\s|\band\b|\bund\b|\bet\b)\s*")
MOST_BYTES = 2_000_000


@dataclass(frozen=True, slots=True)
class RosterRow:
    """One pair of a list, with where it stands there ("line 4")."""

    place: str
    names: tuple[str, ...]
    number: int | None = None
    direction: str = ""


def read_file(content: bytes) -> list[RosterRow]:
    """Read an uploaded file; raise RosterRefused when it is not a list of pairs."""
    if len(content) > MOST_BYTES:
        raise RosterRefused(
            [_("The file is larger than 2 MB; a list of pairs is far smaller.")]
        )
    return read_text(decoded(content))


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


def read_text(text: str) -> list[RosterRow]:
    """Read pasted lines or a CSV file's text; every line that is no pair is named at once."""
    table = _cells(text)
    if not table:
        raise RosterRefused([_("The list is empty. Write one pair on each line: two names.")])
    heading = _heading(table[0][1])
    rows, problems = [], []
    for line, cells in table[1:] if heading else table:
        row = _row(line, cells, heading)
        if isinstance(row, str):
            problems.append(row)
        else:
            rows.append(row)
    if not rows and not problems:
        problems = [_("The list has a heading and no pairs under it.")]
    if problems:
        raise RosterRefused(problems)
    return _in_seating_order(rows)


def _cells(text: str) -> list[tuple[int, list[str]]]:
    """Split into lines and cells; the separator is the one that most lines have."""
    lines = [line for line in text.splitlines() if line.strip()]
    separator = max(";\t,", key=lambda mark: sum(mark in line for line in lines))
    reader = csv.reader(io.StringIO(text.replace("\x00", "")), delimiter=separator)
    try:
        return [
            (reader.line_num, [" ".join(cell.split()) for cell in cells])
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


Heading = dict[str, list[int]]


def _heading(cells: Sequence[str]) -> Heading | None:
    """Say which columns hold what, when the first line names them."""
    folded = [re.sub(r"[^\w]|\d|_", " ", cell.casefold()).strip() for cell in cells]
    alike = len(set(folded)) < len([cell for cell in folded if cell])  # "Gracz 1", "Gracz 2"
    if not alike and not any(word in HEADING_WORDS for cell in folded for word in cell.split()):
        return None
    found: Heading = {"name": [], "number": [], "direction": []}
    for column, cell in enumerate(folded):
        words = cell.split()
        if any(word in NAME_WORDS for word in words) or (alike and folded.count(cell) > 1):
            found["name"].append(column)
        elif any(word in ("direction", "dir", "seat") for word in words):
            found["direction"].append(column)
        elif any(word in ("pair", "number", "no") for word in words):
            found["number"].append(column)
    if not found["name"] and len(cells) > 1:
        return None
    return found


def _row(line: int, cells: Sequence[str], heading: Heading | None) -> RosterRow | str:
    """Read one line as a pair, or say what is wrong with it."""
    number, direction, names = _parts(cells, heading)
    names = [PASTED_NUMBER.sub("", name) for name in names]
    if len(names) == 1:
        names = [name for name in BETWEEN_NAMES.split(names[0]) if name]
    place = _("Line %(line)s") % {"line": line}
    if len(names) == 2:
        return RosterRow(place, tuple(names), number, direction)
    if not names:
        return _("%(place)s: there is no name.") % {"place": place}
    if len(names) == 1:
        return _(
            "%(place)s: a pair needs two names; only “%(name)s” is there. Add the partner "
            "behind a comma."
        ) % {"place": place, "name": names[0]}
    return _("%(place)s: a pair has two names; here are %(count)s: %(names)s.") % {
        "place": place,
        "count": len(names),
        "names": ", ".join(names),
    }


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
