"""Keys and addresses inside an archive: every row has a number of its own there.

The rows of a table are numbered in the order of their keys, together with keys that only JSON
still names (a player who was taken out, and whom an undo would put back under his key). So an
archive says the same whatever keys the rows had, and on another machine each number becomes a
key that no other club has, has had or will have.
"""

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from django.db import models

from clubs.archives.errors import BadArchive
from clubs.archives.known import ArchivedModel, ArchiveSchema, Model, Paths, in_pieces
from clubs.models import Act

ADDRESS = "@"
"""Before a model's name in `Paths`: its address stands there, not its key."""
NUMBER = "#"
"""What the number of a row begins with where its address stood; no address does."""
GONE = "gone:"
"""Before the name of what an act was about when it is there no more."""

Change = Callable[[str, Any], Any]
"""Given a model's name and what stands for its row, gives what shall stand there."""


def mended(data: Any, paths: Paths, change: Change) -> Any:
    """Change the keys inside JSON, and nothing else; what is given stays as it is."""
    for path, label in paths.items():
        data = _at(data, path.split("."), label, change)
    return data


def _at(data: Any, steps: list[str], label: str, change: Change) -> Any:
    if not steps:
        return change(label, data) if _is_reference(label, data) else data
    step, rest = steps[0], steps[1:]
    if isinstance(data, list):
        return [
            _at(each, rest, label, change) if step in ("*", str(place)) else each
            for place, each in enumerate(data)
        ]
    if isinstance(data, dict):
        return {
            key: _at(each, rest, label, change) if step in ("*", key) else each
            for key, each in data.items()
        }
    return data


def _is_reference(label: str, data: Any) -> bool:
    if label.startswith(ADDRESS):
        return isinstance(data, str)
    return isinstance(data, int) and not isinstance(data, bool) and data > 0


def back_mended(back: Any, known: ArchiveSchema, change: Change) -> Any:
    """Change the keys in what takes an act back; an act that nobody knows how stands."""
    if not isinstance(back, dict) or not back:
        return {}
    call = back.get("call", "")
    if call not in known.calls:
        call, given = "", {}
    else:
        given = mended(back.get("given", {}), known.calls[call], change)
    words = {
        name: [_word(each, call, known, change) for each in back.get(name, [])]
        for name in ("about", "waits_for")
    }
    return {"call": call, "given": given, **words}


def _word(text: Any, call: str, known: ArchiveSchema, change: Change) -> Any:
    word, _space, key = str(text).rpartition(" ")
    label = known.words.get(f"{word}/{call}", known.words.get(word, ""))
    # At most eighteen figures: whatever is longer is no key of ours.
    if not label or not key.isascii() or not key.isdigit() or len(key) > 18:
        return text
    return f"{word} {change(label, int(key))}"


def subjects(carried: Iterable[ArchivedModel]) -> Mapping[str, Model]:
    """The models that acts are about, by the word that stands before their address."""
    found = {}
    for table in carried:
        key = getattr(table.model, "audit_key", None)
        if isinstance(key, property) and address_of(table.model):
            one: Any = table.model(slug="x")
            word, _colon, _slug = one.audit_key.partition(":")
            found[word] = table.model
    return found


class Numbers:
    """The number of every row that is carried, by its model and its key or its address."""

    def __init__(self) -> None:
        self._keys: dict[str, Sequence[int]] = {}
        self._live: dict[str, Sequence[int]] = {}
        self._lost: dict[str, set[int]] = {}
        self._addresses: dict[str, dict[str, int]] = {}

    def put(self, table: ArchivedModel, keys: Sequence[int]) -> None:
        """Take in the keys of a table, and its addresses where it has some."""
        self._keys[table.label] = self._live[table.label] = array("q", keys)
        if slug := address_of(table.model):
            found = self._addresses.setdefault(table.label, {})
            for some in in_pieces(keys):
                rows = table.model._base_manager.filter(pk__in=some)
                found |= dict(rows.values_list(slug, "pk"))

    def lose(self, label: str, value: Any) -> Any:
        """Note a key that JSON names and that may belong to no row any more."""
        if label in self._keys and isinstance(value, int) and not self._has(label, value):
            self._lost.setdefault(label, set()).add(value)
        return value

    def settle(self) -> None:
        """Number the lost keys among the others."""
        for label, lost in self._lost.items():
            self._keys[label] = array("q", sorted([*self._keys[label], *lost]))

    def live(self, label: str) -> Sequence[int]:
        """The keys of the rows themselves, in ascending order."""
        return self._live[label]

    def count(self, label: str) -> int:
        """How many numbers a model has."""
        return len(self._keys[label])

    def __call__(self, label: str, value: Any) -> Any:
        """The number of a row; an address that is no row's stays as it is."""
        if label.startswith(ADDRESS):
            label = label.removeprefix(ADDRESS)
            key = self._addresses.get(label, {}).get(value)
            return value if key is None else f"{NUMBER}{self(label, key)}"
        return bisect_left(self._keys[label], value) + 1

    def _has(self, label: str, key: int) -> bool:
        keys = self._keys[label]
        place = bisect_left(keys, key)
        return place < len(keys) and keys[place] == key

    def has(self, label: str, key: int) -> bool:
        """Whether a key is that of a row that is carried."""
        return label in self._keys and self._has(label, key)


class Places:
    """The same the other way round, on the machine that an archive comes to."""

    def __init__(self) -> None:
        self._keys: dict[str, Sequence[int]] = {}
        self._addresses: dict[str, dict[int, str]] = {}

    def put(self, label: str, keys: Sequence[int]) -> None:
        """Take in the keys that are kept free for a model's rows."""
        self._keys[label] = keys

    def call(self, label: str, number: int, address: str) -> None:
        """Take in which address a row has got."""
        self._addresses.setdefault(label, {})[number] = address

    def __call__(self, label: str, value: Any) -> Any:
        """The key or the address of a row; raises BadArchive for a number that is none."""
        if label.startswith(ADDRESS):
            if not value.startswith(NUMBER):
                return value
            found = self._addresses.get(label.removeprefix(ADDRESS), {})
            number = value.removeprefix(NUMBER)
            if not number.isdigit() or int(number[:18]) not in found:
                raise BadArchive.row(Act._meta.label, "about")
            return found[int(number)]
        keys = self._keys.get(label, ())
        if not isinstance(value, int) or not 0 < value <= len(keys):
            raise BadArchive.row(label, "id")
        return keys[value - 1]


def address_of(model: Model) -> str:
    """The column with the address of a row, where a model has one for itself alone; or ""."""
    for field in model._meta.local_concrete_fields:
        if isinstance(field, models.SlugField) and field.unique:
            return field.name
    return ""


def subject_written(about: str, of: Mapping[str, Model], numbers: Numbers) -> str:
    """Write what an act was about by its number; what is gone is called so for ever."""
    word, _colon, slug = about.partition(":")
    if word in of:
        written = numbers(f"{ADDRESS}{of[word]._meta.label}", slug)
        return f"{word}:{written}" if written != slug else f"{GONE}{about}"
    return about if about.startswith(GONE) else f"{GONE}{about}"


def subject_read(about: Any, of: Mapping[str, Model], places: Places) -> str:
    """Read it again; it is never what belongs to another club here."""
    word, _colon, number = str(about).partition(":")
    if word in of and number.startswith(NUMBER):
        return f"{word}:{places(f'{ADDRESS}{of[word]._meta.label}', number)}"
    text = str(about)
    return text if text.startswith(GONE) else f"{GONE}{text}"
