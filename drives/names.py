"""Parses pasted lists of players, with one player on each line.

A line may also contain a number and a role. `clubs.names` splits a text into people.
"""

import re
from collections.abc import Container
from dataclasses import dataclass

from django.utils.translation import gettext as _

from clubs.names.people import NO_KNOWN_NAMES, format_people, read_people
from clubs.people.columns import find_field_key
from drives.play_forms.drawn_cards import parse_card

_NUMBER_PATTERN = re.compile(r"(?P<number>\d{1,4})[.):]?")
_ROLE_IN_BRACKETS_PATTERN = re.compile(r"^(?P<name>.*?)\s*[(\[](?P<role>[^()\[\]]{1,30})[)\]]$")
_COUNT_ONLY_PATTERN = re.compile(r"^(?P<count>\d{1,5})(?:\s+\w+)?$")
FIRST_PLAYER_ROLE, SECOND_PLAYER_ROLE = "first", "second"
_WORDS_BY_ROLE = {
    FIRST_PLAYER_ROLE: {
        "first",
        "1st",
        "lady",
        "ladies",
        "l",
        "red",
        "n-s",
        "ns",
        "one",
        "1",
        "f",
        "w",
    },
    SECOND_PLAYER_ROLE: {
        "second",
        "2nd",
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
    """A player in a pasted list; `doubts` are sentences about what may be misread."""

    name: str
    number: int | None = None
    role: str = ""
    doubts: tuple[str, ...] = ()


def parse_names(
    pasted_text: str,
    *,
    first_role_word: str = "",
    second_role_word: str = "",
    known_names: Container[str] = NO_KNOWN_NAMES,
    has_drawn_cards: bool = False,
) -> list[PastedName]:
    """Parse a list of players; a single line such as "36 players" gives 36 unnamed players.

    A line may come from a spreadsheet: number, name and role in any order, separated by tabs. A
    line that names two people gives two players, and a doubt. `first_role_word` and
    `second_role_word` are the club's own words for the roles. `known_names` contains the name
    keys of the club's players. If `has_drawn_cards` is true, a line may begin with the card
    that a player drew, e.g. "AH Ann Alder". The card determines the player's number.
    """
    words_by_role = {
        FIRST_PLAYER_ROLE: {first_role_word.casefold()} - {""},
        SECOND_PLAYER_ROLE: {second_role_word.casefold()} - {""},
    }
    lines = [line.strip() for line in pasted_text.splitlines() if line.strip()]
    count_match = _COUNT_ONLY_PATTERN.match(lines[0]) if len(lines) == 1 else None
    if count_match:
        return [PastedName("") for _player in range(int(count_match["count"]))]
    if lines and all(find_field_key(cell) for cell in lines[0].split("\t")):
        del lines[0]  # this line contains the titles of the columns
    if has_drawn_cards:
        lines = [_replace_card_by_number(line) for line in lines]
    return [
        pasted_name
        for line in lines
        for pasted_name in _parse_line(line, words_by_role, known_names)
    ]


def _replace_card_by_number(line: str) -> str:
    """Replace a playing card at the beginning of a line by the player number that it means."""
    card_text, _space, remaining_text = line.partition("\t" if "\t" in line else " ")
    player_number = parse_card(card_text)
    return (
        f"{player_number}\t{remaining_text.strip()}"
        if player_number and remaining_text.strip()
        else line
    )


def list_doubts(pasted_names: list[PastedName]) -> list[str]:
    """Return the doubts about all names; equal doubts are listed once."""
    return list(
        dict.fromkeys(doubt for pasted_name in pasted_names for doubt in pasted_name.doubts)
    )


def _parse_line(
    line: str, words_by_role: dict[str, set[str]], known_names: Container[str]
) -> list[PastedName]:
    player_number: int | None = None
    role = ""
    name_parts: list[str] = []
    for cell in filter(None, (cell.strip() for cell in line.split("\t"))):
        number_match = _NUMBER_PATTERN.fullmatch(cell)
        if number_match and player_number is None:
            player_number = int(number_match["number"])
        elif "\t" in line and name_parts and _parse_role(cell, words_by_role):
            role = _parse_role(cell, words_by_role)
        else:
            name_parts.append(cell)
    name = " ".join(name_parts)
    bracket_match = _ROLE_IN_BRACKETS_PATTERN.match(name)
    if bracket_match and (bracket_role := _parse_role(bracket_match["role"], words_by_role)):
        name, role = bracket_match["name"], bracket_role
    return _parse_people(name, player_number, role, known_names)


def _parse_people(
    people_text: str, player_number: int | None, role: str, known_names: Container[str]
) -> list[PastedName]:
    """Return the players whom a text names; the first one gets the line's number."""
    people = read_people(people_text, 1, known_names)
    names, doubts = people.names, people.doubts
    if len(names) > 1 and not doubts:
        message = _("Read as %(count)s players: %(names)s.")
        doubts = (message % {"count": len(names), "names": format_people(names)},)
    first_player = PastedName(
        "".join(names[:1]), player_number or people.leading_number or None, role, doubts
    )
    return [first_player, *(PastedName(name, role=role) for name in names[1:])]


def _parse_role(role_word: str, words_by_role: dict[str, set[str]]) -> str:
    folded_word = role_word.strip().casefold()
    for role in (FIRST_PLAYER_ROLE, SECOND_PLAYER_ROLE):
        if folded_word in words_by_role[role]:
            return role
    return next((role for role, words in _WORDS_BY_ROLE.items() if folded_word in words), "")
