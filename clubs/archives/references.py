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
    ModelClass,
    ReferencePaths,
    iter_pk_batches,
)
from clubs.models import Act

SLUG_PREFIX = "@"
"""The prefix of a model label in `ReferencePaths` whose references are slugs, not keys."""
ROW_NUMBER_PREFIX = "#"
"""The prefix of a row number that replaces a slug; no slug begins with this character."""
DELETED_SUBJECT_PREFIX = "gone:"
"""The prefix of the stored subject of an act if the subject has been deleted."""

ReferenceConverter = Callable[[str, Any], Any]
"""A function that converts a reference to a row.

Its arguments are the label of the row's model and the old reference.
"""


def replace_references(
    json_data: Any, paths: ReferencePaths, convert: ReferenceConverter
) -> Any:
    """Return JSON data in which `convert` has converted the row references at `paths`."""
    for path, model_label in paths.items():
        json_data = _replace_references_at_path(
            json_data, path.split("."), model_label, convert
        )
    return json_data


def _replace_references_at_path(
    json_data: Any, path_steps: list[str], model_label: str, convert: ReferenceConverter
) -> Any:
    if not path_steps:
        return (
            convert(model_label, json_data)
            if _is_reference(model_label, json_data)
            else json_data
        )
    first_step, remaining_steps = path_steps[0], path_steps[1:]
    if isinstance(json_data, list):
        return [
            _replace_references_at_path(item, remaining_steps, model_label, convert)
            if first_step in ("*", str(index))
            else item
            for index, item in enumerate(json_data)
        ]
    if isinstance(json_data, dict):
        return {
            key: _replace_references_at_path(value, remaining_steps, model_label, convert)
            if first_step in ("*", key)
            else value
            for key, value in json_data.items()
        }
    return json_data


def _is_reference(model_label: str, json_value: Any) -> bool:
    if model_label.startswith(SLUG_PREFIX):
        return isinstance(json_value, str)
    return isinstance(json_value, int) and not isinstance(json_value, bool) and json_value > 0


def replace_undo_references(
    undo_data: Any, spec: ArchiveSpec, convert: ReferenceConverter
) -> Any:
    """Return an act's undo data with converted row references.

    An inverse that the archive specification does not know is removed.
    """
    if not isinstance(undo_data, dict) or not undo_data:
        return {}
    inverse_name = undo_data.get("call", "")
    if inverse_name not in spec.reference_paths_by_inverse_name:
        inverse_name, arguments = "", {}
    else:
        arguments = replace_references(
            undo_data.get("given", {}),
            spec.reference_paths_by_inverse_name[inverse_name],
            convert,
        )
    subject_keys_by_name = {
        name: [
            _replace_subject_key(subject_key, inverse_name, spec, convert)
            for subject_key in undo_data.get(name, [])
        ]
        for name in ("about", "waits_for")
    }
    return {"call": inverse_name, "given": arguments, **subject_keys_by_name}


def _replace_subject_key(
    subject_key: Any, inverse_name: str, spec: ArchiveSpec, convert: ReferenceConverter
) -> Any:
    prefix, _space, pk_text = str(subject_key).rpartition(" ")
    model_label = spec.model_labels_by_subject.get(
        f"{prefix}/{inverse_name}", spec.model_labels_by_subject.get(prefix, "")
    )
    # A primary key has at most 18 digits; a longer number would overflow.
    if not model_label or not pk_text.isascii() or not pk_text.isdigit() or len(pk_text) > 18:
        return subject_key
    return f"{prefix} {convert(model_label, int(pk_text))}"


def get_audited_models(archived_models: Iterable[ArchivedModel]) -> Mapping[str, ModelClass]:
    """Return the models that have an audit history, by the prefix of their audit key."""
    models_by_prefix = {}
    for archived_model in archived_models:
        audit_key_property = getattr(archived_model.model, "audit_key", None)
        if isinstance(audit_key_property, property) and get_slug_field_name(
            archived_model.model
        ):
            example_row: Any = archived_model.model(slug="x")
            prefix, _colon, _slug = example_row.audit_key.partition(":")
            models_by_prefix[prefix] = archived_model.model
    return models_by_prefix


class RowNumbers:
    """The numbers of the archived rows, looked up by model label and by primary key or slug."""

    def __init__(self) -> None:
        self._pks_by_label: dict[str, Sequence[int]] = {}
        self._existing_pks_by_label: dict[str, Sequence[int]] = {}
        self._missing_pks_by_label: dict[str, set[int]] = {}
        self._row_pks_by_slug: dict[str, dict[str, int]] = {}

    def add_table(self, archived_model: ArchivedModel, row_pks: Sequence[int]) -> None:
        """Add the primary keys of a table's rows, and their slugs if the model has any."""
        self._pks_by_label[archived_model.label] = self._existing_pks_by_label[
            archived_model.label
        ] = array("q", row_pks)
        if slug_field_name := get_slug_field_name(archived_model.model):
            row_pks_by_slug = self._row_pks_by_slug.setdefault(archived_model.label, {})
            for pk_batch in iter_pk_batches(row_pks):
                rows = archived_model.model._base_manager.filter(pk__in=pk_batch)
                row_pks_by_slug |= dict(rows.values_list(slug_field_name, "pk"))

    def add_missing_pk(self, model_label: str, json_value: Any) -> Any:
        """Record a primary key found in JSON if no archived row has it; return it unchanged."""
        if (
            model_label in self._pks_by_label
            and isinstance(json_value, int)
            and not self._has_pk(model_label, json_value)
        ):
            self._missing_pks_by_label.setdefault(model_label, set()).add(json_value)
        return json_value

    def assign_missing_row_numbers(self) -> None:
        """Assign row numbers to the keys without a row, in one sequence with the existing
        rows.
        """
        for model_label, missing_pks in self._missing_pks_by_label.items():
            self._pks_by_label[model_label] = array(
                "q", sorted([*self._pks_by_label[model_label], *missing_pks])
            )

    def get_existing_pks(self, model_label: str) -> Sequence[int]:
        """Return the primary keys of a model's existing rows, in ascending order."""
        return self._existing_pks_by_label[model_label]

    def count_row_numbers(self, model_label: str) -> int:
        """Return how many row numbers a model has, including the numbers of deleted rows."""
        return len(self._pks_by_label[model_label])

    def __call__(self, model_label: str, pk_or_slug: Any) -> Any:
        """Return the number of the row with this primary key or slug.

        An unknown slug is returned unchanged.
        """
        if model_label.startswith(SLUG_PREFIX):
            model_label = model_label.removeprefix(SLUG_PREFIX)
            row_pk = self._row_pks_by_slug.get(model_label, {}).get(pk_or_slug)
            return (
                pk_or_slug
                if row_pk is None
                else f"{ROW_NUMBER_PREFIX}{self(model_label, row_pk)}"
            )
        return bisect_left(self._pks_by_label[model_label], pk_or_slug) + 1

    def _has_pk(self, model_label: str, row_pk: int) -> bool:
        model_pks = self._pks_by_label[model_label]
        pk_index = bisect_left(model_pks, row_pk)
        return pk_index < len(model_pks) and model_pks[pk_index] == row_pk

    def has_row(self, model_label: str, row_pk: int) -> bool:
        """Return whether a primary key of a model has a row number."""
        return model_label in self._pks_by_label and self._has_pk(model_label, row_pk)


class ImportedKeys:
    """The mapping from the row numbers of an archive to the new primary keys and slugs."""

    def __init__(self) -> None:
        self._pks_by_label: dict[str, Sequence[int]] = {}
        self._slugs_by_number: dict[str, dict[int, str]] = {}

    def set_reserved_pks(self, model_label: str, row_pks: Sequence[int]) -> None:
        """Set the reserved primary keys of a model's rows, in the order of the row numbers."""
        self._pks_by_label[model_label] = row_pks

    def set_slug(self, model_label: str, row_number: int, slug: str) -> None:
        """Record the slug that the row with this number has after the import."""
        self._slugs_by_number.setdefault(model_label, {})[row_number] = slug

    def __call__(self, model_label: str, row_reference: Any) -> Any:
        """Return the new primary key or slug for a row number.

        Raises BadArchive if the row number is invalid.
        """
        if model_label.startswith(SLUG_PREFIX):
            if not row_reference.startswith(ROW_NUMBER_PREFIX):
                return row_reference
            slugs_by_number = self._slugs_by_number.get(
                model_label.removeprefix(SLUG_PREFIX), {}
            )
            row_number = row_reference.removeprefix(ROW_NUMBER_PREFIX)
            if not row_number.isdigit() or int(row_number[:18]) not in slugs_by_number:
                raise BadArchive.from_invalid_column(Act._meta.label, "about")
            return slugs_by_number[int(row_number)]
        row_pks = self._pks_by_label.get(model_label, ())
        if not isinstance(row_reference, int) or not 0 < row_reference <= len(row_pks):
            raise BadArchive.from_invalid_column(model_label, "id")
        return row_pks[row_reference - 1]


def get_slug_field_name(model: ModelClass) -> str:
    """Return the name of a model's unique slug field, or "" if it has none."""
    for field in model._meta.local_concrete_fields:
        if isinstance(field, models.SlugField) and field.unique:
            return field.name
    return ""


def serialize_audit_key(
    audit_key: str, models_by_prefix: Mapping[str, ModelClass], row_numbers: RowNumbers
) -> str:
    """Return the subject of an act in the history, with a row number instead of the slug.

    `audit_key` is the stored subject: the prefix of its model, a colon, and its slug. If the
    object no longer exists, the stored subject is returned with `DELETED_SUBJECT_PREFIX`.
    """
    prefix, _colon, slug = audit_key.partition(":")
    if prefix in models_by_prefix:
        reference = row_numbers(f"{SLUG_PREFIX}{models_by_prefix[prefix]._meta.label}", slug)
        return (
            f"{prefix}:{reference}"
            if reference != slug
            else f"{DELETED_SUBJECT_PREFIX}{audit_key}"
        )
    return (
        audit_key
        if audit_key.startswith(DELETED_SUBJECT_PREFIX)
        else f"{DELETED_SUBJECT_PREFIX}{audit_key}"
    )


def convert_audit_subject(
    audit_key: Any, models_by_prefix: Mapping[str, ModelClass], imported_keys: ImportedKeys
) -> str:
    """Return an act's subject with the slug that its object has after the import.

    A subject without a valid row number is marked as deleted, because its slug may belong to
    another club here.
    """
    prefix, _colon, row_reference = str(audit_key).partition(":")
    if prefix in models_by_prefix and row_reference.startswith(ROW_NUMBER_PREFIX):
        reference_label = f"{SLUG_PREFIX}{models_by_prefix[prefix]._meta.label}"
        return f"{prefix}:{imported_keys(reference_label, row_reference)}"
    subject_text = str(audit_key)
    return (
        subject_text
        if subject_text.startswith(DELETED_SUBJECT_PREFIX)
        else f"{DELETED_SUBJECT_PREFIX}{subject_text}"
    )
