"""A JSON file read group by group and key by key; every fault is named by its path."""

import json
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date as Date
from difflib import get_close_matches
from fractions import Fraction
from typing import Any, NoReturn, TypeVar

from django.utils.translation import gettext as _

from boards.whist import WhistError
from clubs.evenings.recurrence import far_words, is_far
from clubs.names.tidy import clean_name
from seasons.ladders.rule import exact

Read = TypeVar("Read")
MAX_FAULTS = 500
MOST_DIGITS = 30
UNPRINTABLE = {"Cc", "Cs", "Zl", "Zp"}
SLUG = re.compile(r"[A-Za-z0-9]+([-_]+[A-Za-z0-9]+)*")


class UnusableFile(WhistError, ValueError):
    """A file that is refused whole; `problems` names each fault by its path."""

    code = "unusable_file"

    def __init__(self, problems: Sequence[str]) -> None:
        kept = tuple(problems[:MAX_FAULTS])
        if len(problems) > len(kept):
            kept = (*kept, _("There are more faults. Correct these first."))
        super().__init__("\n".join(kept))
        self.problems = kept


def decoded(document: bytes | str) -> Any:
    """Read JSON in UTF-8 with its decimals exact; raises UnusableFile."""
    try:
        text = document.decode("utf-8-sig") if isinstance(document, bytes) else document
    except UnicodeDecodeError:
        words = _("The file is not UTF-8 text. Save it again with the encoding UTF-8.")
        raise UnusableFile([words]) from None
    if not text.strip():
        raise UnusableFile([_("The file is empty.")])
    try:
        return json.loads(
            text,
            object_pairs_hook=_group,
            parse_constant=_strange,
            parse_int=_whole,
            parse_float=_decimal,
        )
    except json.JSONDecodeError as error:
        words = _("The file is not JSON: line %(line)s, column %(column)s.")
        raise UnusableFile([words % {"line": error.lineno, "column": error.colno}]) from None
    except RecursionError:
        words = _("The brackets of the file stand too deep in each other.")
        raise UnusableFile([words]) from None


class Faults:
    """What is wrong with a file, gathered while it is read."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def add(self, path: str, why: str) -> None:
        """Name a fault by the path of its place; beyond MAX_FAULTS raise UnusableFile."""
        self.found.append(f"{path or _('the file')}: {why}")
        if len(self.found) > MAX_FAULTS:
            self.refuse()  # a file of nothing but faults would take seconds

    def refuse(self) -> None:
        """Raise UnusableFile if there is any."""
        if self.found:
            raise UnusableFile(self.found)


class Group:
    """A group in braces, read key by key; `end` names the keys that nobody asked for.

    A faulty value is answered with a harmless one, so that reading goes on to the next fault.
    """

    def __init__(self, value: object, path: str, faults: Faults) -> None:
        self.path, self.faults = path, faults
        self.is_group = isinstance(value, Mapping)
        self.value: Mapping[str, Any] = value if isinstance(value, Mapping) else {}
        self.asked: list[str] = []
        if not self.is_group:
            faults.add(path, _("%(shown)s is not a group in braces { }.") % _named(value))

    def at(self, key: str) -> str:
        """The path of one of its keys."""
        key = key if key.isprintable() and len(key) <= 40 else shown(key)
        return f"{self.path}.{key}" if self.path else key

    def has(self, key: str) -> bool:
        """Whether a key is there; one that is null is not."""
        self.asked.append(key)
        return self.value.get(key) is not None

    def fault(self, key: str, why: str) -> None:
        """Name a fault of one of its keys."""
        self.faults.add(self.at(key), why)

    def text(self, key: str, *, longest: int, required: bool = True) -> str:
        """Read a text of one line, tidied."""
        value = self._taken(key, required)
        if value is None:
            return ""
        if not isinstance(value, str):
            self.fault(key, _("%(shown)s is not text in quotes.") % _named(value))
            return ""
        tidy = clean_name(value)
        if not can_be_printed(value):
            words = _("%(shown)s has a character in it that cannot be printed.")
            self.fault(key, words % _named(value))
        elif not tidy and required:
            self.fault(key, _("The text is empty."))
        elif len(tidy) > longest:
            words = _("%(shown)s is longer than %(longest)s letters; shorten it.")
            self.fault(key, words % {**_named(value), "longest": longest})
        else:
            return tidy
        return ""

    def slug(self, key: str, *, longest: int = 60) -> str:
        """Read a short name for addresses."""
        text = self.text(key, longest=longest)
        if text and not SLUG.fullmatch(text):
            words = _("%(shown)s is not a short name: write letters, figures and hyphens.")
            self.fault(key, words % _named(text))
            return ""
        return text

    def day(self, key: str) -> Date | None:
        """Read a date, written as 2026-03-10."""
        text = self.text(key, longest=10)
        try:
            found = Date.fromisoformat(text) if text else None
        except ValueError:
            found = None
        if text and (found is None or found.isoformat() != text):
            words = _("%(shown)s is not a date; write it as 2026-03-10.")
            self.fault(key, words % _named(text))
            return None
        if found is not None and is_far(found):
            self.fault(key, far_words())
            return None
        return found

    def whole(self, key: str, *, least: int, most: int, required: bool = True) -> int | None:
        """Read a whole number."""
        value = self._taken(key, required)
        if value is None:
            return None
        if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
            return value
        words = _("%(shown)s is not possible; write a whole number from %(least)s to %(most)s.")
        self.fault(key, words % {**_named(value), "least": least, "most": most})
        return None

    def number(self, key: str, *, required: bool = True) -> Fraction | None:
        """Read an exact number: 3, 2.5 or "-5/2"."""
        value = self._taken(key, required)
        if value is None:
            return None
        found = exact(value)
        if found is None:
            words = _('%(shown)s is not a number; write 3, 2.5 or, in quotes, "-5/2".')
            self.fault(key, words % _named(value))
        return found

    def flag(self, key: str, *, required: bool = True) -> bool:
        """Read true or false; where it may be left out that is false."""
        value = self._taken(key, required)
        if value is not None and not isinstance(value, bool):
            self.fault(key, _("%(shown)s is not true or false.") % _named(value))
        return value is True

    def choice(self, key: str, choices: Sequence[str]) -> str:
        """Read one of several words; "" where it is left out."""
        value = self._taken(key, required=False)
        if value is None or value in choices:
            return str(value or "")
        words = _("%(shown)s is not known; write %(choices)s.")
        self.fault(key, words % {**_named(value), "choices": _(" or ").join(choices)})
        return ""

    def group(self, key: str) -> "Group":
        """Read a group within it."""
        value = self._taken(key, required=True)
        return Group({} if value is None else value, self.at(key), self.faults)

    def listed(self, key: str, read: Callable[[object, str], Read]) -> list[Read]:
        """Read a list, each of its parts with its path."""
        value = self._taken(key, required=True)
        if value is None:
            return []
        if not isinstance(value, list):
            self.fault(key, _("%(shown)s is not a list in brackets [ ].") % _named(value))
            return []
        return [read(each, f"{self.at(key)}[{n}]") for n, each in enumerate(value)]

    def groups(self, key: str) -> "list[Group]":
        """Read a list of groups."""
        return self.listed(key, lambda each, path: Group(each, path, self.faults))

    def end(self) -> None:
        """Name every key that nobody has asked for."""
        for key in self.value:
            if key in self.asked:
                continue
            near = get_close_matches(key.lower(), self.asked, n=1)
            words = _("There is no such key here; there are %(keys)s.")
            words %= {"keys": ", ".join(dict.fromkeys(self.asked))}
            if near:
                words = _("There is no such key here; did you mean %(key)s?") % {"key": near[0]}
            self.fault(key, words)

    def _taken(self, key: str, required: bool) -> Any:
        there = self.has(key)
        if not there and required and self.is_group:
            self.fault(key, _("This is missing."))
        return self.value.get(key)


def twice(faults: Faults, named: Iterator[tuple[str, str]]) -> None:
    """Name every key that an earlier one of a list has too; `named` gives path and key."""
    seen: dict[str, str] = {}
    for path, key in named:
        if key and key in seen:
            words = _("%(key)s stands twice; it is at %(other)s too.")
            faults.add(path, words % {"key": shown(key), "other": seen[key]})
        seen.setdefault(key, path)


def can_be_printed(text: str) -> bool:
    """Whether a text is of signs that can be shown and kept: no NUL, no half of a letter."""
    return not any(unicodedata.category(each) in UNPRINTABLE for each in text)


def shown(value: object) -> str:
    """Write a value as it stands in the file, shortened."""
    if isinstance(value, Fraction):
        value = str(value)
    if isinstance(value, str):
        printable = "".join(c if c.isprintable() else "?" for c in value[:40])
        return f"“{printable}{'…' if value[40:] else ''}”"
    text = json.dumps(value, default=str)
    return f"{text[:40]}{'…' if text[40:] else ''}"


def _named(value: object) -> dict[str, object]:
    return {"shown": shown(value)}


def _group(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    group = dict(pairs)
    if len(group) < len(pairs):
        keys = [key for key, _value in pairs]
        found = next(key for key in keys if keys.count(key) > 1)
        words = _("The key %(key)s stands twice in one group; keep one of them.")
        raise UnusableFile([words % {"key": shown(found)}])
    return group


def _strange(word: str) -> NoReturn:
    words = _("The file is not JSON: %(word)s is not a number in it.")
    raise UnusableFile([words % {"word": word}])


def _whole(digits: str) -> int:
    _check_length(digits)
    return int(digits)


def _decimal(digits: str) -> Fraction:
    _check_length(digits)
    _base, _e, power = digits.lower().partition("e")
    if power and abs(int(power)) > MOST_DIGITS:
        raise UnusableFile([_("The number %(digits)s is much too long.") % {"digits": digits}])
    return Fraction(digits)


def _check_length(digits: str) -> None:
    if len(digits) > MOST_DIGITS:
        words = _("The number %(digits)s… is much too long.")
        raise UnusableFile([words % {"digits": digits[:MOST_DIGITS]}])
