"""Moves all references from one player to another player, and moves them back.

The foreign keys to players are found in the model registry, so rows of all apps are included.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.apps import apps
from django.db import IntegrityError, models, transaction
from django.db.models import PROTECT

from clubs.models import Player
from clubs.services.people import get_details
from tournaments.errors import InvalidEntry
from tournaments.models import EntryPlayer

DETAILS_TO_COPY = ("number", "joined", "email", "phone")
"""The details that the remaining player takes from the other one if they are empty."""


def move_references(
    merged_player: Player, remaining_player: Player, error_message: str
) -> dict[str, Any]:
    """Move all references from `merged_player` to `remaining_player`, except those of entries.

    Returns the undo data. If `remaining_player` already has an equal row, such as a consent of
    the same kind, the row is not moved. Raises InvalidEntry with `error_message` if a protected
    row would be duplicated.
    """
    moved_pks_by_foreign_key: dict[str, list[int]] = {}
    duplicate_rows: list[models.Model] = []
    for model, foreign_key in _iter_foreign_keys():
        for row in model._base_manager.filter(**{foreign_key.name: merged_player}).order_by(
            "pk"
        ):
            setattr(row, foreign_key.name, remaining_player)
            try:
                with transaction.atomic():
                    row.save(update_fields=[foreign_key.name])
            except IntegrityError:
                if foreign_key.remote_field.on_delete is PROTECT:
                    raise InvalidEntry(error_message) from None
                setattr(row, foreign_key.name, merged_player)
                duplicate_rows.append(row)
            else:
                moved_pks_by_foreign_key.setdefault(
                    _format_foreign_key_name(model, foreign_key), []
                ).append(row.pk)
    return {
        "moved": moved_pks_by_foreign_key,
        "lost": [_serialize_row(row) for row in duplicate_rows],
        "details": get_details(merged_player),
    }


def restore_references(
    restored_player: Player,
    moved_pks_by_foreign_key: Mapping[str, Sequence[int]],
    deleted_rows: Sequence[Mapping[str, Any]],
) -> None:
    """Restore all references to a player that a merge moved or deleted."""
    for foreign_key_name, row_pks in moved_pks_by_foreign_key.items():
        app_label, model_name, field_name = foreign_key_name.split("/")
        model = apps.get_model(app_label, model_name)
        model._base_manager.filter(pk__in=row_pks).update(**{field_name: restored_player})
    for deleted_row in deleted_rows:
        deleted_row_model = apps.get_model(deleted_row["model"])
        fields = deleted_row_model._meta.get_fields()
        fields_by_column = {field.attname: field for field in fields if field.concrete}
        values_by_column = {
            column: None
            if value_text is None
            else fields_by_column[column].to_python(value_text)
            for column, value_text in deleted_row["values"].items()
        }
        if deleted_row_model._base_manager.filter(pk=values_by_column["id"]).exists():
            del values_by_column[
                "id"
            ]  # the club has moved to a server where another row has that key
        deleted_row_model._base_manager.create(**values_by_column)


def _format_foreign_key_name(model: type[models.Model], foreign_key: Any) -> str:
    """Return the name of a foreign key without dots, which are separators in archive paths."""
    return f"{model._meta.app_label}/{model.__name__}/{foreign_key.name}"


def _serialize_row(row: models.Model) -> dict[str, Any]:
    """Return all values of a row as text."""
    values_by_column = {
        field.attname: None
        if getattr(row, field.attname) is None
        else field.value_to_string(row)
        for field in row._meta.concrete_fields
    }
    return {"model": row._meta.label, "values": values_by_column}


def _iter_foreign_keys() -> Iterator[tuple[type[models.Model], Any]]:
    """Yield each model and foreign key that refers to players, except those of entries."""
    for relation in Player._meta.get_fields(include_hidden=True):
        is_foreign_key = relation.auto_created and (relation.one_to_many or relation.one_to_one)
        model = relation.related_model
        if is_foreign_key and isinstance(model, type) and model is not EntryPlayer:
            yield model, relation.field  # type: ignore[union-attr]  # a foreign key has a field
