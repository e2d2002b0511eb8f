"""The row numbers that replace primary keys and slugs inside an archive.

The rows of a table are numbered in the order of their primary keys. The primary key of a
deleted row is also numbered if JSON data contains it, such as the key of a deleted player whom
an undo would restore. This makes an archive's content independent of the keys of one database.
During an import each number is replaced by a new key.
"""

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from django.db import models

from clubs.archives.errors import BadArchive
from clubs.archives.spec import (
    ArchivedModel,
    ArchiveSpec,
    Model,
    ReferencePaths,
    iter_key_batches,
)
from clubs.models import Act

SLUG_PREFIX = "@"
"""The prefix of a model label in `ReferencePaths` whose references are slugs, not keys."""
ROW_NUMBER_PREFIX = "#"
"""The prefix of a row number that replaces a slug; no slug begins with this character."""
DELETED_PREFIX = "gone:"
"""The prefix of the stored subject of an act if the subject has been deleted."""

ReferenceConverter = Callable[[str, Any], Any]
"""A function that converts a reference to a row.

Its arguments are the label of the row's model and the old reference.
"""


def replace_references(data: Any, paths: ReferencePaths, convert: ReferenceConverter) -> Any:
    """Return JSON data in which `convert` has converted the row references at `paths`."""
    for path, label in paths.items():
        data = _replace_references_at_path(data, path.split("."), label, convert)
    return data


def _replace_references_at_path(
    data: Any, steps: list[str], label: str, convert: ReferenceConverter
) -> Any:
    if not steps:
        return convert(label, data) if _is_reference(label, data) else data
    first_step, remaining_steps = steps[0], steps[1:]
    if isinstance(data, list):
        return [
            _replace_references_at_path(item, remaining_steps, label, convert)
            if first_step in ("*", str(index))
            else item
            for index, item in enumerate(data)
        ]
    if isinstance(data, dict):
        return {
            key: _replace_references_at_path(value, remaining_steps, label, convert)
            if first_step in ("*", key)
            else value
            for key, value in data.items()
        }
    return data


def _is_reference(label: str, data: Any) -> bool:
    if label.startswith(SLUG_PREFIX):
        return isinstance(data, str)
    return isinstance(data, int) and not isinstance(data, bool) and data > 0


def replace_undo_references(
    undo_data: Any, spec: ArchiveSpec, convert: ReferenceConverter
) -> Any:
    """Return an act's undo data with converted row references.

    An inverse that the archive specification does not know is removed.
    """
    if not isinstance(undo_data, dict) or not undo_data:
        return {}
    inverse_name = undo_data.get("call", "")
    if inverse_name not in spec.undo_reference_paths:
        inverse_name, arguments = "", {}
    else:
        arguments = replace_references(
            undo_data.get("given", {}), spec.undo_reference_paths[inverse_name], convert
        )
    prefixes = {
        name: [
            _replace_subject_key(subject, inverse_name, spec, convert)
            for subject in undo_data.get(name, [])
        ]
        for name in ("about", "waits_for")
    }
    return {"call": inverse_name, "given": arguments, **prefixes}


def _replace_subject_key(
    subject_key: Any, inverse_name: str, spec: ArchiveSpec, convert: ReferenceConverter
) -> Any:
    prefix, _space, key = str(subject_key).rpartition(" ")
    label = spec.subject_models.get(
        f"{prefix}/{inverse_name}", spec.subject_models.get(prefix, "")
    )
    # A primary key has at most 18 digits; a longer number would overflow.
    if not label or not key.isascii() or not key.isdigit() or len(key) > 18:
        return subject_key
    return f"{prefix} {convert(label, int(key))}"


def list_subject_models(archived_models: Iterable[ArchivedModel]) -> Mapping[str, Model]:
    """Return the models that have an audit history, by the prefix of their audit key."""
    models_by_prefix = {}
    for archived_model in archived_models:
        audit_key_property = getattr(archived_model.model, "audit_key", None)
        if isinstance(audit_key_property, property) and get_slug_field(archived_model.model):
            example_row: Any = archived_model.model(slug="x")
            prefix, _colon, _slug = example_row.audit_key.partition(":")
            models_by_prefix[prefix] = archived_model.model
    return models_by_prefix


class RowNumbers:
    """The numbers of the archived rows, looked up by model label and by primary key or slug."""

    def __init__(self) -> None:
        self._keys: dict[str, Sequence[int]] = {}
        self._live_keys: dict[str, Sequence[int]] = {}
        self._lost_keys: dict[str, set[int]] = {}
        self._keys_by_slug: dict[str, dict[str, int]] = {}

    def add_table(self, archived_model: ArchivedModel, keys: Sequence[int]) -> None:
        """Add the primary keys of a table's rows, and their slugs if the model has any."""
        self._keys[archived_model.label] = self._live_keys[archived_model.label] = array(
            "q", keys
        )
        if slug := get_slug_field(archived_model.model):
            keys_by_slug = self._keys_by_slug.setdefault(archived_model.label, {})
            for key_batch in iter_key_batches(keys):
                rows = archived_model.model._base_manager.filter(pk__in=key_batch)
                keys_by_slug |= dict(rows.values_list(slug, "pk"))

    def add_lost_key(self, label: str, value: Any) -> Any:
        """Record a primary key found in JSON if no archived row has it; return it unchanged."""
        if label in self._keys and isinstance(value, int) and not self._has_key(label, value):
            self._lost_keys.setdefault(label, set()).add(value)
        return value

    def number_rowless_keys(self) -> None:
        """Assign row numbers to the keys without a row, in one sequence with the existing
        rows.
        """
        for label, lost_keys in self._lost_keys.items():
            self._keys[label] = array("q", sorted([*self._keys[label], *lost_keys]))

    def get_existing_keys(self, label: str) -> Sequence[int]:
        """Return the primary keys of a model's existing rows, in ascending order."""
        return self._live_keys[label]

    def count_row_numbers(self, label: str) -> int:
        """Return how many row numbers a model has, including the numbers of deleted rows."""
        return len(self._keys[label])

    def __call__(self, label: str, value: Any) -> Any:
        """Return the number of the row with this primary key or slug.

        An unknown slug is returned unchanged.
        """
        if label.startswith(SLUG_PREFIX):
            label = label.removeprefix(SLUG_PREFIX)
            key = self._keys_by_slug.get(label, {}).get(value)
            return value if key is None else f"{ROW_NUMBER_PREFIX}{self(label, key)}"
        return bisect_left(self._keys[label], value) + 1

    def _has_key(self, label: str, key: int) -> bool:
        keys = self._keys[label]
        index = bisect_left(keys, key)
        return index < len(keys) and keys[index] == key

    def has_row(self, label: str, key: int) -> bool:
        """Return whether a primary key of a model has a row number."""
        return label in self._keys and self._has_key(label, key)


class ImportedKeys:
    """The mapping from the row numbers of an archive to the new primary keys and slugs."""

    def __init__(self) -> None:
        self._keys: dict[str, Sequence[int]] = {}
        self._slugs_by_number: dict[str, dict[int, str]] = {}

    def add_keys(self, label: str, keys: Sequence[int]) -> None:
        """Set the reserved primary keys of a model's rows, in the order of the row numbers."""
        self._keys[label] = keys

    def set_slug(self, label: str, row_number: int, slug: str) -> None:
        """Record the slug that the row with this number has after the import."""
        self._slugs_by_number.setdefault(label, {})[row_number] = slug

    def __call__(self, label: str, value: Any) -> Any:
        """Return the new primary key or slug for a row number.

        Raises BadArchive if the row number is invalid.
        """
        if label.startswith(SLUG_PREFIX):
            if not value.startswith(ROW_NUMBER_PREFIX):
                return value
            slugs_by_number = self._slugs_by_number.get(label.removeprefix(SLUG_PREFIX), {})
            row_number = value.removeprefix(ROW_NUMBER_PREFIX)
            if not row_number.isdigit() or int(row_number[:18]) not in slugs_by_number:
                raise BadArchive.from_value(Act._meta.label, "about")
            return slugs_by_number[int(row_number)]
        keys = self._keys.get(label, ())
        if not isinstance(value, int) or not 0 < value <= len(keys):
            raise BadArchive.from_value(label, "id")
        return keys[value - 1]


def get_slug_field(model: Model) -> str:
    """Return the name of a model's unique slug field, or "" if it has none."""
    for field in model._meta.local_concrete_fields:
        if isinstance(field, models.SlugField) and field.unique:
            return field.name
    return ""


def serialize_subject(
    audit_key: str, models_by_prefix: Mapping[str, Model], row_numbers: RowNumbers
) -> str:
    """Return the subject of an act in the history, with a row number instead of the slug.

    `audit_key` is the stored subject: the prefix of its model, a colon, and its slug. If the
    object no longer exists, the stored subject is returned with `DELETED_PREFIX`.
    """
    prefix, _colon, slug = audit_key.partition(":")
    if prefix in models_by_prefix:
        reference = row_numbers(f"{SLUG_PREFIX}{models_by_prefix[prefix]._meta.label}", slug)
        return f"{prefix}:{reference}" if reference != slug else f"{DELETED_PREFIX}{audit_key}"
    return audit_key if audit_key.startswith(DELETED_PREFIX) else f"{DELETED_PREFIX}{audit_key}"


def convert_audit_subject(
    audit_key: Any, models_by_prefix: Mapping[str, Model], imported_keys: ImportedKeys
) -> str:
    """Return an act's subject with the slug that its object has after the import.

    A subject without a valid row number is marked as deleted, because its slug may belong to
    another club here.
    """
    prefix, _colon, row_reference = str(audit_key).partition(":")
    if prefix in models_by_prefix and row_reference.startswith(ROW_NUMBER_PREFIX):
        label = f"{SLUG_PREFIX}{models_by_prefix[prefix]._meta.label}"
        return f"{prefix}:{imported_keys(label, row_reference)}"
    text = str(audit_key)
    return text if text.startswith(DELETED_PREFIX) else f"{DELETED_PREFIX}{text}"
