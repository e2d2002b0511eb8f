"""Row numbers that replace keys and slugs inside an archive.

The rows of a table are numbered in the order of their keys. Keys that only JSON still names are
included, such as that of a deleted player whom an undo would restore. So the content of an
archive does not depend on the keys. On another machine each number becomes a key that is unique
there for ever.
"""

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from django.db import models

from clubs.archives.errors import BadArchive
from clubs.archives.spec import ArchivedModel, ArchiveSpec, Model, ReferencePaths, split_keys
from clubs.models import Act

SLUG_PREFIX = "@"
"""A prefix of a model's name in `ReferencePaths`, for a slug instead of a key."""
NUMBER_PREFIX = "#"
"""A prefix of a row number that replaces a slug; no slug begins with it."""
DELETED_PREFIX = "gone:"
"""A prefix of an act's subject that no longer exists."""

ReferenceConverter = Callable[[str, Any], Any]
"""A function that maps a model's name and a reference to a row to the new reference."""


def replace_references(data: Any, paths: ReferencePaths, change: ReferenceConverter) -> Any:
    """Return JSON data with changed row references; the input is not modified."""
    for path, label in paths.items():
        data = _replace_at(data, path.split("."), label, change)
    return data


def _replace_at(data: Any, steps: list[str], label: str, change: ReferenceConverter) -> Any:
    if not steps:
        return change(label, data) if _is_reference(label, data) else data
    step, rest = steps[0], steps[1:]
    if isinstance(data, list):
        return [
            _replace_at(each, rest, label, change) if step in ("*", str(place)) else each
            for place, each in enumerate(data)
        ]
    if isinstance(data, dict):
        return {
            key: _replace_at(each, rest, label, change) if step in ("*", key) else each
            for key, each in data.items()
        }
    return data


def _is_reference(label: str, data: Any) -> bool:
    if label.startswith(SLUG_PREFIX):
        return isinstance(data, str)
    return isinstance(data, int) and not isinstance(data, bool) and data > 0


def replace_undo_references(back: Any, known: ArchiveSpec, change: ReferenceConverter) -> Any:
    """Return an act's undo data with changed references; an unknown inverse is removed."""
    if not isinstance(back, dict) or not back:
        return {}
    call = back.get("call", "")
    if call not in known.undo_keys:
        call, given = "", {}
    else:
        given = replace_references(back.get("given", {}), known.undo_keys[call], change)
    words = {
        name: [_replace_subject_key(each, call, known, change) for each in back.get(name, [])]
        for name in ("about", "waits_for")
    }
    return {"call": call, "given": given, **words}


def _replace_subject_key(
    text: Any, call: str, known: ArchiveSpec, change: ReferenceConverter
) -> Any:
    word, _space, key = str(text).rpartition(" ")
    label = known.subject_models.get(f"{word}/{call}", known.subject_models.get(word, ""))
    # At most eighteen digits, since no key is longer.
    if not label or not key.isascii() or not key.isdigit() or len(key) > 18:
        return text
    return f"{word} {change(label, int(key))}"


def list_subject_models(carried: Iterable[ArchivedModel]) -> Mapping[str, Model]:
    """Return the models that acts are about, by the prefix of their history key."""
    found = {}
    for table in carried:
        key = getattr(table.model, "audit_key", None)
        if isinstance(key, property) and get_slug_field(table.model):
            one: Any = table.model(slug="x")
            word, _colon, _slug = one.audit_key.partition(":")
            found[word] = table.model
    return found


class RowNumbers:
    """The number of each archived row, by its model and its key or slug."""

    def __init__(self) -> None:
        self._keys: dict[str, Sequence[int]] = {}
        self._live: dict[str, Sequence[int]] = {}
        self._lost: dict[str, set[int]] = {}
        self._addresses: dict[str, dict[str, int]] = {}

    def add_table(self, table: ArchivedModel, keys: Sequence[int]) -> None:
        """Add the keys of a table, and its slugs if it has any."""
        self._keys[table.label] = self._live[table.label] = array("q", keys)
        if slug := get_slug_field(table.model):
            found = self._addresses.setdefault(table.label, {})
            for some in split_keys(keys):
                rows = table.model._base_manager.filter(pk__in=some)
                found |= dict(rows.values_list(slug, "pk"))

    def add_lost_key(self, label: str, value: Any) -> Any:
        """Record a key in JSON that may no longer belong to a row."""
        if label in self._keys and isinstance(value, int) and not self._has_key(label, value):
            self._lost.setdefault(label, set()).add(value)
        return value

    def include_lost_keys(self) -> None:
        """Number the lost keys together with the others."""
        for label, lost in self._lost.items():
            self._keys[label] = array("q", sorted([*self._keys[label], *lost]))

    def get_live_keys(self, label: str) -> Sequence[int]:
        """Return the keys of the existing rows, in ascending order."""
        return self._live[label]

    def count_numbers(self, label: str) -> int:
        """Return how many numbers a model has."""
        return len(self._keys[label])

    def __call__(self, label: str, value: Any) -> Any:
        """Return the number of a row; a slug without a row stays as it is."""
        if label.startswith(SLUG_PREFIX):
            label = label.removeprefix(SLUG_PREFIX)
            key = self._addresses.get(label, {}).get(value)
            return value if key is None else f"{NUMBER_PREFIX}{self(label, key)}"
        return bisect_left(self._keys[label], value) + 1

    def _has_key(self, label: str, key: int) -> bool:
        keys = self._keys[label]
        place = bisect_left(keys, key)
        return place < len(keys) and keys[place] == key

    def has_row(self, label: str, key: int) -> bool:
        """Return whether a key belongs to an archived row."""
        return label in self._keys and self._has_key(label, key)


class ImportedKeys:
    """The inverse mapping during an import: from row numbers to new keys and slugs."""

    def __init__(self) -> None:
        self._keys: dict[str, Sequence[int]] = {}
        self._addresses: dict[str, dict[int, str]] = {}

    def add_keys(self, label: str, keys: Sequence[int]) -> None:
        """Add the keys reserved for a model's rows."""
        self._keys[label] = keys

    def set_slug(self, label: str, number: int, address: str) -> None:
        """Record the new slug of a row."""
        self._addresses.setdefault(label, {})[number] = address

    def __call__(self, label: str, value: Any) -> Any:
        """Return the key or slug of a row; raise BadArchive for an invalid number."""
        if label.startswith(SLUG_PREFIX):
            if not value.startswith(NUMBER_PREFIX):
                return value
            found = self._addresses.get(label.removeprefix(SLUG_PREFIX), {})
            number = value.removeprefix(NUMBER_PREFIX)
            if not number.isdigit() or int(number[:18]) not in found:
                raise BadArchive.from_value(Act._meta.label, "about")
            return found[int(number)]
        keys = self._keys.get(label, ())
        if not isinstance(value, int) or not 0 < value <= len(keys):
            raise BadArchive.from_value(label, "id")
        return keys[value - 1]


def get_slug_field(model: Model) -> str:
    """Return the name of a model's unique slug column, or ""."""
    for field in model._meta.local_concrete_fields:
        if isinstance(field, models.SlugField) and field.unique:
            return field.name
    return ""


def serialize_subject(about: str, of: Mapping[str, Model], numbers: RowNumbers) -> str:
    """Return an act's subject with a row number, or with `DELETED_PREFIX` if it is deleted."""
    word, _colon, slug = about.partition(":")
    if word in of:
        written = numbers(f"{SLUG_PREFIX}{of[word]._meta.label}", slug)
        return f"{word}:{written}" if written != slug else f"{DELETED_PREFIX}{about}"
    return about if about.startswith(DELETED_PREFIX) else f"{DELETED_PREFIX}{about}"


def parse_subject(about: Any, of: Mapping[str, Model], places: ImportedKeys) -> str:
    """Return an act's subject for this machine; it never matches another club's object."""
    word, _colon, number = str(about).partition(":")
    if word in of and number.startswith(NUMBER_PREFIX):
        return f"{word}:{places(f'{SLUG_PREFIX}{of[word]._meta.label}', number)}"
    text = str(about)
    return text if text.startswith(DELETED_PREFIX) else f"{DELETED_PREFIX}{text}"
