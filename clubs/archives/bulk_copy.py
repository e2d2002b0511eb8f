"""The bulk copying of a club with all its rows, for load tests with thousands of clubs.

The copied rows get new primary keys (also inside JSON), names, slugs and secrets. All
relations between rows are preserved, which gives every copy the standings of the original.
"""

import json
import re
import secrets
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from uuid import uuid4

from django.db import connection, models

from clubs.archives.keys import reserve_pks
from clubs.archives.references import (
    SLUG_PREFIX,
    get_slug_field_name,
    replace_references,
    replace_undo_references,
)
from clubs.archives.spec import (
    ArchivedModel,
    ArchiveSpec,
    get_target_model,
    list_archived_models,
)
from clubs.links import SecretLink
from clubs.models import Act, Club, Player

PlayerNameFunction = Callable[[int, int], str]
"""A function that returns the name of a copied player.

Its arguments are the index of the original player and the number of the copy.
"""
ColumnConverter = Callable[[Any, int], Any]
"""A function that returns the value of a column in a copied row.

Its arguments are the original value and the number of the copy.
"""
ROWS_PER_BATCH = 2000


def create_club_copies(
    club: Club, copy_count: int, spec: ArchiveSpec, get_player_name: PlayerNameFunction
) -> None:
    """Create `copy_count` copies of a club inside the caller's transaction.

    The number of each copy is added to its name and its slugs. `get_player_name` returns the
    players' names.
    """
    _BulkCopy(club, copy_count, spec, get_player_name).run()


class _BulkCopy:
    """The creation of all copies of one club."""

    def __init__(
        self,
        club: Club,
        copy_count: int,
        spec: ArchiveSpec,
        get_player_name: PlayerNameFunction,
    ) -> None:
        self.club, self.copy_count, self.spec = club, copy_count, spec
        self.archived_models = list_archived_models(spec)
        self.rows_by_label = {
            model.label: list(_iter_raw_rows(model, club, spec))
            for model in self.archived_models
        }
        self.new_pks_by_label: dict[str, Sequence[int]] = {}
        self.row_index_by_label: dict[str, dict[int, int]] = {}
        player_names = (
            Player.objects.filter(club=club).order_by("pk").values_list("name", flat=True)
        )
        self.player_indexes_by_name = {
            name: index for index, name in enumerate(dict.fromkeys(player_names))
        }
        self.name_pattern = re.compile(
            "|".join(map(re.escape, self.player_indexes_by_name)) or "(?!)"
        )
        self.get_player_name = get_player_name

    def run(self) -> None:
        """Reserve primary keys for every table, and insert the copied rows table by table."""
        for archived_model in self.archived_models:
            rows = self.rows_by_label[archived_model.label]
            self.row_index_by_label[archived_model.label] = {
                row[0]: index for index, row in enumerate(rows)
            }
            self.new_pks_by_label[archived_model.label] = reserve_pks(
                archived_model.model, len(rows) * self.copy_count
            )
        for archived_model in self.archived_models:
            _write_rows(archived_model, self._iter_copied_rows(archived_model))

    def _iter_copied_rows(self, archived_model: ArchivedModel) -> Iterator[list[Any]]:
        converters = [
            self._get_converter(archived_model, field) for field in archived_model.fields
        ]
        rows = self.rows_by_label[archived_model.label]
        for copy_number in range(1, self.copy_count + 1):
            for row in rows:
                yield [
                    value if convert is None else convert(value, copy_number)
                    for convert, value in zip(converters, row, strict=True)
                ]

    def _get_converter(
        self, archived_model: ArchivedModel, model_field: Any
    ) -> ColumnConverter | None:
        """Return the function that converts a column, or None if copies have the original
        value.
        """
        target_model = get_target_model(model_field)
        if model_field.primary_key:
            return lambda value, copy_number: self._get_copied_key(
                archived_model.label, value, copy_number
            )
        if target_model is not None:
            model_label = target_model._meta.label
            return lambda value, copy_number: self._get_copied_key(
                model_label, value, copy_number
            )
        if isinstance(model_field, models.JSONField):
            return self._get_json_converter(archived_model, model_field)
        return self._get_text_converter(archived_model, model_field)

    def _get_text_converter(
        self, archived_model: ArchivedModel, model_field: Any
    ) -> ColumnConverter | None:
        model_and_field = (archived_model.model, model_field.name)
        if model_and_field in {
            (Act, "club"),
            (Act, "about"),
        } or model_field.name == get_slug_field_name(archived_model.model):
            return lambda value, copy_number: f"{value}-{copy_number}"
        if model_and_field == (Club, "name"):
            return lambda value, copy_number: f"{value} {copy_number}"
        if model_field.name == "name":
            return lambda value, copy_number: self._replace_names(value, copy_number)
        if issubclass(archived_model.model, SecretLink) and model_field.name in (
            "salt",
            "token_hash",
        ):
            return lambda _value, _number: secrets.token_hex(model_field.max_length // 2)
        if isinstance(model_field, models.UUIDField):
            return lambda value, _number: model_field.get_db_prep_value(uuid4(), connection)
        return None

    def _get_json_converter(
        self, archived_model: ArchivedModel, model_field: Any
    ) -> ColumnConverter:
        paths = self.spec.reference_paths_by_field.get(
            f"{archived_model.label}.{model_field.name}", {}
        )
        is_undo_data = (archived_model.model, model_field.name) == (Act, "back")

        def convert_json(json_text: Any, copy_number: int) -> Any:
            if json_text is None:
                return None

            def convert_reference(model_label: str, old_reference: Any) -> Any:
                if model_label.startswith(SLUG_PREFIX):
                    return f"{old_reference}-{copy_number}"
                return self._get_copied_key(model_label, old_reference, copy_number)

            json_data = json.loads(json_text)
            if is_undo_data:
                json_data = replace_undo_references(json_data, self.spec, convert_reference)
            elif paths:
                json_data = replace_references(json_data, paths, convert_reference)
            return self._replace_names(json.dumps(json_data, ensure_ascii=False), copy_number)

        return convert_json

    def _get_copied_key(self, model_label: str, original_pk: Any, copy_number: int) -> Any:
        """Return the primary key of the copy of a row.

        A key that belongs to no row of the club is returned unchanged.
        """
        row_index = self.row_index_by_label.get(model_label, {}).get(original_pk)
        if row_index is None:
            return original_pk
        return self.new_pks_by_label[model_label][
            (copy_number - 1) * len(self.row_index_by_label[model_label]) + row_index
        ]

    def _replace_names(self, text: str, copy_number: int) -> str:
        return self.name_pattern.sub(
            lambda match: self.get_player_name(
                self.player_indexes_by_name[match[0]], copy_number
            ),
            text,
        )


def _iter_raw_rows(
    archived_model: ArchivedModel, club: Club, spec: ArchiveSpec
) -> Iterator[tuple[Any, ...]]:
    """Yield the raw database rows of a club's table."""
    columns = ", ".join(
        connection.ops.quote_name(field.column) for field in archived_model.fields
    )
    row_pks = list(archived_model.list_rows(club, spec).values_list("pk", flat=True))
    table_name = connection.ops.quote_name(archived_model.model._meta.db_table)
    pk_column = connection.ops.quote_name(archived_model.fields[0].column)
    with connection.cursor() as cursor:
        for batch_start in range(0, len(row_pks), ROWS_PER_BATCH // 4):
            pk_batch = row_pks[batch_start : batch_start + ROWS_PER_BATCH // 4]
            placeholders = ", ".join(["%s"] * len(pk_batch))
            cursor.execute(
                f"SELECT {columns} FROM {table_name} WHERE {pk_column} IN ({placeholders}) "
                f"ORDER BY {pk_column}",
                pk_batch,
            )
            yield from cursor.fetchall()


def _write_rows(archived_model: ArchivedModel, rows: Iterator[list[Any]]) -> None:
    table_name = connection.ops.quote_name(archived_model.model._meta.db_table)
    columns = ", ".join(
        connection.ops.quote_name(field.column) for field in archived_model.fields
    )
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {table_name} ({columns}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
            return
        placeholders = ", ".join(["%s"] * len(archived_model.fields))
        row_batch: list[list[Any]] = []
        for row in rows:
            row_batch.append(row)
            if len(row_batch) == ROWS_PER_BATCH:
                cursor.executemany(
                    f"INSERT INTO {table_name} ({columns}) VALUES ({placeholders})", row_batch
                )
                row_batch = []
        cursor.executemany(
            f"INSERT INTO {table_name} ({columns}) VALUES ({placeholders})", row_batch
        )
