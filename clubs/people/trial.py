"""A list held against a club's people: who is new, what changes, what is in doubt or faulty."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date as Date

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext as _

from clubs.letters import plain_letters
from clubs.models import Player
from clubs.names.tidy import name_key
from clubs.people import columns as heads
from clubs.people.likeness import Likeness, turned
from clubs.people.limits import NO_VALUE, Row

FIELDS = ("name", "number", "kind", "joined", "left", "email", "phone")
LONGEST = {"name": 80, "number": 20, "email": 254, "phone": 40}
KINDS = {
    "member": "member|m|lid|mitglied|membre|full|yes",
    "visitor": "visitor|v|guest|g|gast|bezoeker|visiteur|non-member|no",
    "past": "past|p|left|former|past member|ex|oud-lid|ehemalig",
}
_KINDS = {word: kind for kind, words in KINDS.items() for word in words.split("|")}
_DAY = re.compile(r"([0-9]{1,2})[./-]([0-9]{1,2})[./-]([0-9]{4})")


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a row, and in which column."""

    row: int
    column: str
    why: str


@dataclass(frozen=True, slots=True)
class Listed:
    """A person as the list has them; what its cells leave out is not there."""

    row: int
    values: Mapping[str, str]

    @property
    def name(self) -> str:
        """The name, first name first."""
        return self.values["name"]


@dataclass(frozen=True, slots=True)
class Changed:
    """Somebody who is there, and what the list has otherwise: the old and the new value."""

    listed: Listed
    player: Player
    values: Mapping[str, tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Doubt:
    """Somebody new whose name may be that of somebody who is there."""

    listed: Listed
    like: tuple[str, ...]


@dataclass(slots=True)
class Trial:
    """What taking a list would do; nothing of it has been done."""

    new: list[Listed] = field(default_factory=list)
    changed: list[Changed] = field(default_factory=list)
    same: list[Listed] = field(default_factory=list)
    doubtful: list[Doubt] = field(default_factory=list)  # they are among the new as well
    faulty: list[Fault] = field(default_factory=list)

    @property
    def changes_nothing(self) -> bool:
        """Whether everybody is there already as the list says."""
        return not (self.new or self.changed or self.faulty)


def try_list(rows: Iterable[Row], at: heads.Columns, people: Iterable[Player]) -> Trial:
    """Hold the rows of a list against a club's people."""
    found = Trial()
    there = _There(people)
    for each in list(_sound(rows, at, found.faulty)):
        player = there.find(each)
        if isinstance(player, Fault):
            found.faulty.append(player)
        elif player is None:
            found.new.append(each)
            if like := there.like(each):
                found.doubtful.append(Doubt(each, like))
        elif changes := _changes(each, player):
            found.changed.append(Changed(each, player, changes))
        else:
            found.same.append(each)
    return found


class _There:
    """The people of a club, found by number and by name, each for one row."""

    def __init__(self, people: Iterable[Player]) -> None:
        everybody = list(people)
        self.by_number = {each.number: each for each in everybody if each.number}
        self.by_name = {name_key(each.name): each for each in everybody}
        self.by_email = {each.email.casefold(): each for each in everybody if each.email}
        self.rows: dict[int, int] = {}
        self.names = Likeness()
        for each in everybody:
            self.names.add(each.name)

    def find(self, each: Listed) -> Player | Fault | None:
        """Find somebody of the list among the people: by the number, else by the name."""
        numbered = self.by_number.get(each.values.get("number", ""))
        named = self.by_name.get(name_key(each.name))
        if numbered is not None and named is not None and numbered != named:
            words = _("The number is that of %(one)s, the name that of another.")
            return Fault(each.row, "number", words % {"one": numbered.name})
        player = named if numbered is None else numbered
        if player is None:
            return None
        row = self.rows.setdefault(player.pk, each.row)
        if row != each.row:
            words = _("This is %(one)s, who stands in row %(row)s already.")
            return Fault(each.row, "name", words % {"one": player.name, "row": row})
        return player

    def like(self, each: Listed) -> tuple[str, ...]:
        """Whom somebody new may be: a name that is like it, or the same address."""
        found = self.names.like(each.name)
        shared = self.by_email.get(each.values.get("email", "").casefold())
        if shared is not None and shared.name not in found:
            found.append(shared.name)
        self.names.add(each.name)
        return tuple(found)


def _sound(rows: Iterable[Row], at: heads.Columns, faulty: list[Fault]) -> Iterator[Listed]:
    """Yield the people of the rows that are sound, each once; name what is faulty."""
    numbers: dict[str, int] = {}
    names: dict[str, Listed] = {}
    for row in rows:
        cells = {
            key: row.cells[column]
            for key, column in at.items()
            if column < len(row.cells) and row.cells[column]
        }
        values, faults = _values(row.number, cells)
        number = values.get("number", "")
        if number and numbers.setdefault(number, row.number) != row.number:
            words = _("The number stands in row %(row)s already.")
            faults.append(Fault(row.number, "number", words % {"row": numbers[number]}))
        if faults:
            faulty += faults
            continue
        person = Listed(row.number, values)
        first = names.setdefault(name_key(person.name), person)
        if first is person:
            yield person
        elif first.values != values:
            words = _("The name stands in row %(row)s with other values; tell the two apart.")
            faulty.append(Fault(row.number, "name", words % {"row": first.row}))


def _values(row: int, cells: Mapping[str, str]) -> tuple[dict[str, str], list[Fault]]:
    values: dict[str, str] = {}
    faults: list[Fault] = []
    for key, text in cells.items():
        if NO_VALUE in text:
            words = _("A formula stands here and no value of it; save the list once more.")
            faults.append(Fault(row, key, words))
        elif not text.isprintable():
            faults.append(Fault(row, key, _("A character here cannot be printed.")))
        else:
            values[key] = text
    parts = [values.pop(heads.FIRST, ""), values.pop(heads.SURNAME, "")]
    name = turned(values.get("name", "") or " ".join(filter(None, parts)))
    values["name"] = name
    if not name and not faults:
        faults.append(Fault(row, "name", _("The name is missing.")))
    for key, longest in LONGEST.items():
        if len(values.get(key, "")) > longest:
            words = _("This is longer than %(longest)s letters.")
            faults.append(Fault(row, key, words % {"longest": longest}))
    faults += _read_kinds(row, values)
    return values, faults


def _read_kinds(row: int, values: dict[str, str]) -> Iterator[Fault]:
    """Put kinds, days and addresses into the words they are kept in."""
    for key, read in _READERS.items():
        if key in values:
            values[key], why = read(values[key])
            if why:
                yield Fault(row, key, why)


def _kind(text: str) -> tuple[str, str]:
    kind = _KINDS.get(plain_letters(text), "")
    return kind, "" if kind else _("Write member, visitor or past.")


def _date(text: str) -> tuple[str, str]:
    day = _day(text)
    if day is None:
        return "", _("This is not a date; write it as 2026-03-10.")
    return day.isoformat(), ""


def _email(text: str) -> tuple[str, str]:
    try:
        validate_email(text)
    except ValidationError:
        return text, _("This is not an e-mail address.")
    return text, ""


_READERS = {"kind": _kind, "joined": _date, "left": _date, "email": _email}


def _day(text: str) -> Date | None:
    found = _DAY.fullmatch(text)
    try:
        if found:
            return Date(int(found[3]), int(found[2]), int(found[1]))
        return Date.fromisoformat(text[:10])
    except ValueError:
        return None


def _changes(each: Listed, player: Player) -> dict[str, tuple[str, str]]:
    """What the list has otherwise; an empty cell wipes nothing."""
    found = {}
    for key, new in each.values.items():
        old = getattr(player, key)
        old = old.isoformat() if isinstance(old, Date) else old or ""
        is_same = name_key(old) == name_key(new) if key == "name" else old == new
        if new and not is_same:
            found[key] = (old, new)
    return found
