"""Names as they are pasted: one a line, with or without a number before and a role behind.

1. Ann Green (lady)      12<tab>Bob Hill<tab>gent      Cleo Marsh
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from boards.whist.words import gettext as _
from drives.draw.company import MOST
from drives.errors import UnreadableDrive

LONGEST_NAME = 200
NUMBERED = re.compile(r"^(\d{1,6})\s*[.):;,\t ]\s*(.*)$")
IN_BRACKETS = re.compile(r"^(.*?)\s*[(\[]([^()\[\]]+)[)\]]$")
ONLY_A_NUMBER = re.compile(r"^\d{1,6}$")


class Named(NamedTuple):
    """One line of the list; no number means the next one."""

    name: str
    number: int | None = None
    role: str = ""


def read_names(text: str, words: Mapping[str, str]) -> list[Named]:
    """Read a pasted list; UnreadableDrive names the line of what is wrong.

    `words` are those for a role, in small letters: {"lady": "first", "gent": "second"}.
    """
    found: list[Named] = []
    lines: dict[int, int] = {}
    for place, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        named = _named(line.strip(), words)
        fault = _fault(named, lines)
        if fault:
            words_ = _("Line %(line)s: %(fault)s")
            raise UnreadableDrive(words_ % {"line": place, "fault": fault})
        if named.number is not None:
            lines[named.number] = place
        found.append(named)
    if len(found) > MOST:
        raise UnreadableDrive(_("These are more than %(most)s names.") % {"most": MOST})
    return found


def _named(line: str, words: Mapping[str, str]) -> Named:
    if ONLY_A_NUMBER.match(line):
        return Named("", int(line))
    numbered = NUMBERED.match(line)
    number, rest = (int(numbered[1]), numbered[2]) if numbered else (None, line)
    name, role = _role(rest, words)
    return Named(" ".join(name.split()).rstrip(",;"), number, role)


def _role(text: str, words: Mapping[str, str]) -> tuple[str, str]:
    """A name without the word of its role: in brackets, or behind a tab or a comma."""
    bracketed = IN_BRACKETS.match(text)
    if bracketed and (role := words.get(bracketed[2].strip().casefold())):
        return bracketed[1], role
    for sign in ("\t", ";", ","):
        name, found, word = text.rpartition(sign)
        if found and (role := words.get(word.strip().casefold())):
            return name, role
    return text, ""


def _fault(named: Named, lines: Mapping[int, int]) -> str:
    if len(named.name) > LONGEST_NAME:
        return _("a name has at most %(most)s signs.") % {"most": LONGEST_NAME}
    if not named.name.isprintable():
        return _("a name has no such signs.")
    if named.number == 0:
        return _("numbers count from 1.")
    if named.number is not None and named.number in lines:
        words = _("the number %(number)s stands on line %(line)s already.")
        return words % {"number": named.number, "line": lines[named.number]}
    return ""


def role_words(first: Sequence[str], second: Sequence[str]) -> dict[str, str]:
    """The words by which a list tells a role, in small letters; the usual ones among them."""
    usual = {
        "first": ("first", "lady", "l", "f", "red", "ns", "n-s", "one", *first),
        "second": (
            "second",
            "gent",
            "gentleman",
            "g",
            "m",
            "black",
            "ew",
            "e-w",
            "two",
            *second,
        ),
    }
    return {
        word.strip().casefold(): role
        for role, all_words in usual.items()
        for word in all_words
        if word.strip()
    }
