"""JSON read with care: each value asked for by its name, each fault told with its place."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from boards.whist.words import gettext as _
from drives.draw.company import Player
from drives.errors import UnreadableDrive
from drives.forms.ties import TIES, TieRule

LONGEST_NAME = 200
LARGEST = 10**6
"""No number in a file of a drive is larger, up or down: a guard, not a rule."""


def parse(text: str) -> "Value":
    """Read a text as JSON; UnreadableDrive tells the line where it is none."""
    try:
        return Value(json.loads(text, parse_constant=_no_number), "")
    except json.JSONDecodeError as problem:
        words = _("Line %(line)s, column %(column)s: this is not JSON.")
        place = {"line": problem.lineno, "column": problem.colno}
        raise UnreadableDrive(words % place) from None
    except (RecursionError, ValueError):
        raise UnreadableDrive(_("This is not JSON that a drive can be read from.")) from None


def _no_number(_text: str) -> None:
    raise ValueError("JSON has no such number.")


def can_be_kept(data: object) -> bool:
    """Whether a database can keep a value: text of whole letters, without the sign of zero."""
    try:
        json.dumps(data, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return "\\u0000" not in json.dumps(data)


@dataclass(frozen=True, slots=True)
class Value:
    """A value of a file and its place there, such as “round 2, table 3”."""

    data: Any
    place: str

    def fault(self, words: str) -> UnreadableDrive:
        """What is wrong with this value, its place first."""
        said = re.sub(r"\s+", " ", words)
        return UnreadableDrive(f"{self.place}: {said}" if self.place else said)

    def get(self, key: str) -> "Value":
        """The value of a key; None where the file has none."""
        if not isinstance(self.data, dict):
            raise self.fault(_("this must be an object with named values."))
        place = f"{self.place}, {key}" if self.place else key
        return Value(self.data.get(key), place)

    def named(self, place: str) -> "Value":
        """The same value at a place that is better said otherwise."""
        return Value(self.data, place)

    @property
    def is_missing(self) -> bool:
        """Whether the file has nothing here."""
        return self.data is None

    def items(self) -> list["Value"]:
        """The values of a list, none where it is missing."""
        if self.data is None:
            return []
        if not isinstance(self.data, list):
            raise self.fault(_("this must be a list."))
        return [Value(each, f"{self.place} {n}") for n, each in enumerate(self.data, start=1)]

    def text(self) -> str:
        """A text of one line; refused where it is empty or a book."""
        text = self.data
        if not isinstance(text, str) or not text.isprintable():
            raise self.fault(_("this must be a text."))
        if not 0 < len(text) <= LONGEST_NAME:
            words = _("this must be a text of 1 to %(most)s signs.")
            raise self.fault(words % {"most": LONGEST_NAME})
        return text

    def one_of(self, choices: Sequence[str]) -> str:
        """One of some words."""
        if not isinstance(self.data, str) or self.data not in choices:
            words = _("this must be one of %(choices)s.")
            raise self.fault(words % {"choices": ", ".join(choices)})
        return self.data

    def whole(self, least: int = -LARGEST, most: int = LARGEST) -> int:
        """A whole number between two others."""
        if isinstance(self.data, bool) or not isinstance(self.data, int):
            raise self.fault(_("this must be a whole number, not %(data)s.") % {"data": self})
        if not least <= self.data <= most:
            words = _("%(number)s is not between %(least)s and %(most)s.")
            number = self.data if abs(self.data) <= LARGEST else _("This number")
            raise self.fault(words % {"number": number, "least": least, "most": most})
        return self.data

    def truth(self) -> bool:
        """Yes or no; no where it is missing."""
        if self.data is not None and not isinstance(self.data, bool):
            raise self.fault(_("this must be true or false."))
        return bool(self.data)

    def player(self) -> Player:
        """A player's number or name."""
        if isinstance(self.data, str):
            return self.text()
        return self.whole()

    def seed(self) -> bytes:
        """A secret in hexadecimal digits; empty where it is missing."""
        if self.data is None:
            return b""
        return hex_bytes(self.text(), self.place)

    def mapping(self) -> dict[str, Any]:
        """An object as it is, empty where it is missing."""
        if self.data is None:
            return {}
        if not isinstance(self.data, dict):
            raise self.fault(_("this must be an object with named values."))
        return self.data

    def __str__(self) -> str:
        """The value as a file writes it, cut short."""
        written = json.dumps(self.data, ensure_ascii=True)
        return written if len(written) <= 20 else f"{written[:20]}…"


def hex_bytes(text: str, place: str) -> bytes:
    """Read a secret in hexadecimal digits, of any length."""
    if not re.fullmatch(r"(?:[0-9a-fA-F]{2})+", text):
        words = _("%(place)s: a secret has an even number of the digits 0-9 and a-f.")
        raise UnreadableDrive(words % {"place": place})
    return bytes.fromhex(text)


def read_tie_rule(terms: Value) -> TieRule:
    """Read the tie rule among a drive's terms; the lot where there is none."""
    if terms.is_missing or terms.get(TIES).is_missing:
        return TieRule.LOT
    return TieRule(terms.get(TIES).one_of([*TieRule]))
