"""Names as people paste them: one a line, with numbers before them and roles behind."""

import re
from dataclasses import dataclass

_BULLET = re.compile(r"^[•·▪◦*–—-]\s+")
_NUMBER = re.compile(r"^(?P<number>\d{1,4})(?:[.):]\s*|\s+[-–—]\s+|\s+|$)")
_BEHIND = re.compile(r"^(?P<name>.*?)\s*[(\[](?P<role>[^()\[\]]{1,30})[)\]]$")
_ALONE = re.compile(r"^(?P<count>\d{1,5})(?:\s+\w+)?$")
FIRST, SECOND = "first", "second"
_ROLES = {
    FIRST: {"first", "lady", "ladies", "l", "red", "n-s", "ns", "one", "1", "f", "w"},
    SECOND: {
        "second",
        "gent",
        "gents",
        "gentleman",
        "g",
        "black",
        "e-w",
        "ew",
        "two",
        "2",
        "m",
    },
}


@dataclass(frozen=True, slots=True)
class PastedName:
    """One line: a number where one was given, a name, and a role where one was named."""

    name: str
    number: int | None = None
    role: str = ""


def read_names(text: str, *, first: str = "", second: str = "") -> list[PastedName]:
    """Read a list of players; "36 players" alone is so many cards without names.

    A line may come from a sheet: number, name and role parted by tabs, in any order. `first`
    and `second` are the house's own words for the roles.
    """
    own = {FIRST: {first.casefold()} - {""}, SECOND: {second.casefold()} - {""}}
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    alone = _ALONE.match(lines[0]) if len(lines) == 1 else None
    if alone:
        return [PastedName("") for _each in range(int(alone["count"]))]
    return [_read_line(line, own) for line in lines]


def _read_line(line: str, own: dict[str, set[str]]) -> PastedName:
    number: int | None = None
    role = ""
    names: list[str] = []
    for cell in filter(None, (cell.strip() for cell in line.split("\t"))):
        if cell.isascii() and cell.isdigit() and len(cell) <= 4 and number is None:
            number = int(cell)
        elif "\t" in line and names and _role(cell, own):
            role = _role(cell, own)
        else:
            names.append(cell)
    name = _BULLET.sub("", " ".join(names))
    found = _NUMBER.match(name) if number is None else None
    if found:
        number, name = int(found["number"]), name[found.end() :]
    behind = _BEHIND.match(name)
    if behind and (named := _role(behind["role"], own)):
        name, role = behind["name"], named
    return PastedName(" ".join(name.split()), number or None, role)


def _role(word: str, own: dict[str, set[str]]) -> str:
    folded = word.strip().casefold()
    for role in (FIRST, SECOND):
        if folded in own[role]:
            return role
    return next((role for role, words in _ROLES.items() if folded in words), "")
