"""The rows of a club in the archive format, and a digest of each table.

Equal digests mean that two clubs have the same data, even on different machines. Primary keys
are replaced by row numbers. Slugs, the club's name and file paths are not part of the digest.
"""

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from django.core.files import File
from django.db import connection, models, transaction

from clubs.archives.references import (
    RowNumbers,
    get_audited_models,
    get_slug_field_name,
    replace_references,
    replace_undo_references,
    serialize_audit_key,
)
from clubs.archives.spec import (
    ArchivedModel,
    ArchiveSpec,
    get_target_model,
    is_login_model,
    iter_pk_batches,
    list_archived_models,
    load_row_pks,
)
from clubs.archives.values import serialize_value
from clubs.models import Act, Club
from server.backups.digests import DatabaseDigest, DatabaseTableDigest
from server.models import User

MISSING_FILE_REFERENCE = {"sha256": "", "name": ""}
"""The serialised reference to a file that is missing from the storage."""

ArchiveRow = list[Any]


@contextmanager
def use_database_snapshot() -> Iterator[None]:
    """Run all queries of the `with` block on one database snapshot, without blocking
    writers.
    """
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "sqlite":
        with connection.cursor() as cursor:  # `atomic` would block writers
            cursor.execute("BEGIN DEFERRED")
            try:
                yield
            finally:
                cursor.execute("ROLLBACK")
    else:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield


@dataclass(frozen=True, slots=True)
class ArchiveSource:
    """A club that is being exported, with its models and the numbers of its rows."""

    club: Club
    spec: ArchiveSpec
    archived_models: list[ArchivedModel]
    row_numbers: RowNumbers
    usernames_by_pk: dict[int, str]
    file_openers_by_digest: dict[str, Callable[[], File[Any]]]
    """The functions that open the paper files of the rows read so far, by SHA-256 digest."""

    @classmethod
    def from_club(cls, club: Club, spec: ArchiveSpec) -> "ArchiveSource":
        """Create the source of a club by numbering its rows and the primary keys inside
        JSON.
        """
        archived_models, row_numbers = list_archived_models(spec), RowNumbers()
        row_pks_by_label = load_row_pks(club, spec, archived_models)
        for archived_model in archived_models:
            row_numbers.add_table(archived_model, row_pks_by_label.pop(archived_model.label))
        usernames_by_pk = dict(User.objects.values_list("pk", "username"))
        source = cls(club, spec, archived_models, row_numbers, usernames_by_pk, {})
        for archived_model in archived_models:
            for field in source.list_json_fields(archived_model):
                for (json_value,) in source._read_columns(archived_model, field.attname):
                    source._replace_references(
                        archived_model, field, json_value, row_numbers.add_missing_pk
                    )
        row_numbers.assign_missing_row_numbers()
        return source

    def count_rows(self) -> int:
        """Return the number of existing rows in all tables."""
        return sum(
            len(self.row_numbers.get_existing_pks(archived_model.label))
            for archived_model in self.archived_models
        )

    def list_json_fields(self, archived_model: ArchivedModel) -> list[Any]:
        """Return the JSON fields of a model that contain primary keys of rows."""
        return [
            field
            for field in archived_model.fields
            if isinstance(field, models.JSONField)
            and (
                _is_undo_data(archived_model, field)
                or self.spec.reference_paths_by_field.get(
                    _get_field_label(archived_model, field)
                )
            )
        ]

    def iter_rows(self, archived_model: ArchivedModel) -> Iterator[ArchiveRow]:
        """Yield the rows of a table as archive values, except rows whose file is missing.

        The first value of each row is its row number.
        """
        fields = archived_model.fields
        serializers = [self._get_serializer(archived_model, field) for field in fields]
        for row in self._read_columns(archived_model, *(field.attname for field in fields)):
            archive_values = [
                serialize(value) for serialize, value in zip(serializers, row, strict=True)
            ]
            if MISSING_FILE_REFERENCE not in archive_values:
                yield archive_values

    def _read_columns(
        self, archived_model: ArchivedModel, *columns: str
    ) -> Iterator[tuple[Any, ...]]:
        """Yield the values of these columns for all rows of a model.

        Queries for batches of primary keys are faster than one query with joins.
        """
        for pk_batch in iter_pk_batches(
            self.row_numbers.get_existing_pks(archived_model.label)
        ):
            rows = archived_model.model._base_manager.filter(pk__in=pk_batch)
            yield from rows.order_by("pk").values_list(*columns)

    def _get_serializer(
        self, archived_model: ArchivedModel, model_field: Any
    ) -> Callable[[Any], Any]:
        """Return the function that converts a column's database values to archive values."""
        model_label, target_model = archived_model.label, get_target_model(model_field)
        if model_field.primary_key:
            return lambda value: self.row_numbers(model_label, value)
        if is_login_model(target_model):
            return lambda value: self.usernames_by_pk.get(value)
        if target_model is not None:
            target_label = target_model._meta.label
            return lambda value: self._get_row_number(target_label, value)
        if isinstance(model_field, models.FileField):
            return lambda value: self._build_file_reference(model_field, value)
        if model_field in self.list_json_fields(archived_model):
            return lambda value: self._replace_references(
                archived_model, model_field, value, self.row_numbers
            )
        return self._get_plain_column_serializer(archived_model, model_field)

    def _get_plain_column_serializer(
        self, archived_model: ArchivedModel, model_field: Any
    ) -> Callable[[Any], Any]:
        """Return the function that converts a column that is not a foreign key or a file."""
        if archived_model.model is Act and model_field.name == "about":
            models_by_prefix = get_audited_models(self.archived_models)
            return lambda value: serialize_audit_key(value, models_by_prefix, self.row_numbers)
        if (archived_model.model, model_field.name) in ((Act, "club"), (Club, "moved_to")):
            return lambda _value: ""
        return lambda value: serialize_value(model_field, value)

    def _build_file_reference(self, model_field: Any, file_name: str) -> dict[str, str] | str:
        """Return the archive value of a file: its SHA-256 digest and its name."""
        if not file_name:
            return ""
        try:
            with model_field.storage.open(file_name) as file:
                file_digest = hashlib.file_digest(file.file, "sha256").hexdigest()
        except FileNotFoundError:
            return MISSING_FILE_REFERENCE
        self.file_openers_by_digest[file_digest] = partial(model_field.storage.open, file_name)
        return {"sha256": file_digest, "name": Path(file_name).name}

    def _get_row_number(self, model_label: str, row_pk: int | None) -> int | None:
        return (
            self.row_numbers(model_label, row_pk)
            if row_pk and self.row_numbers.has_row(model_label, row_pk)
            else None
        )

    def _replace_references(
        self, archived_model: ArchivedModel, model_field: Any, json_value: Any, convert: Any
    ) -> Any:
        if _is_undo_data(archived_model, model_field):
            return replace_undo_references(json_value, self.spec, convert)
        return replace_references(
            json_value,
            self.spec.reference_paths_by_field[_get_field_label(archived_model, model_field)],
            convert,
        )


def _is_undo_data(archived_model: ArchivedModel, model_field: Any) -> bool:
    return archived_model.model is Act and model_field.name == "back"


def _get_field_label(archived_model: ArchivedModel, model_field: Any) -> str:
    return f"{archived_model.label}.{model_field.name}"


def list_digest_column_indexes(archived_model: ArchivedModel) -> list[int]:
    """Return the indexes of a table's columns that are part of its digest."""
    excluded_names = {get_slug_field_name(archived_model.model)}
    if archived_model.model is Club:
        excluded_names.add("name")
    return [
        index
        for index, field in enumerate(archived_model.fields)
        if field.name not in excluded_names
        and not field.primary_key  # row numbers follow from the order of the rows
        and not (is_login_model(get_target_model(field)) and field.null)
    ]


def format_row(row: ArchiveRow) -> bytes:
    """Return a row as one line of JSON, encoded as UTF-8."""
    json_text = json.dumps(row, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return f"{json_text}\n".encode("utf-8", "surrogatepass")


class DigestBuilder:
    """A builder of a model's digest, to which the rows are added one at a time."""

    def __init__(self, archived_model: ArchivedModel) -> None:
        self._column_indexes = list_digest_column_indexes(archived_model)
        self._hash = hashlib.sha256()
        self._row_count = 0

    def add_row(self, row: ArchiveRow) -> None:
        """Add a row to the digest."""
        digest_values = [row[index] for index in self._column_indexes]
        self._hash.update(
            format_row(
                [
                    value["sha256"] if _is_file_reference(value) else value
                    for value in digest_values
                ]
            )
        )
        self._row_count += 1

    def build_digest(self) -> DatabaseTableDigest:
        """Return the digest of the rows added so far."""
        return DatabaseTableDigest(self._row_count, self._hash.hexdigest())


def _is_file_reference(archive_value: Any) -> bool:
    return (
        isinstance(archive_value, dict)
        and archive_value.keys() == MISSING_FILE_REFERENCE.keys()
    )


def compute_digest(club: Club, spec: ArchiveSpec) -> DatabaseDigest:
    """Return the digests of a club's tables, which are the same on every machine."""
    digests_by_label = {}
    with use_database_snapshot():
        source = ArchiveSource.from_club(club, spec)
        for archived_model in source.archived_models:
            digest_builder = DigestBuilder(archived_model)
            for row in source.iter_rows(archived_model):
                digest_builder.add_row(row)
            digests_by_label[archived_model.label] = digest_builder.build_digest()
    return DatabaseDigest(digests_by_label)
