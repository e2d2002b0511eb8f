"""Moving all rows that refer to one player to another player, and undoing it.

The foreign keys to players are found in the model registry; rows of any app are included.
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

FILLED_DETAILS = ("number", "joined", "email", "phone")
"""The details that the remaining player takes from the other one if they are empty."""


def move_references(gone: Player, kept: Player, refused: str) -> dict[str, Any]:
    """Change all references to `gone`, except those of entries, to `kept`; return the undo
    data.

    If `kept` already has an equal row, such as a consent of the same kind, the row of `gone`
    is not moved. Raises InvalidEntry with the message `refused` if a protected row would be
    duplicated.
    """
    moved: dict[str, list[int]] = {}
    lost: list[models.Model] = []
    for model, field in _iter_foreign_keys():
        for row in model._base_manager.filter(**{field.name: gone}).order_by("pk"):
            setattr(row, field.name, kept)
            try:
                with transaction.atomic():
                    row.save(update_fields=[field.name])
            except IntegrityError:
                if field.remote_field.on_delete is PROTECT:
                    raise InvalidEntry(refused) from None
                setattr(row, field.name, gone)
                lost.append(row)
            else:
                moved.setdefault(_foreign_key_name(model, field), []).append(row.pk)
    return {
        "moved": moved,
        "lost": [_serialize_row(row) for row in lost],
        "details": get_details(gone),
    }


def restore_references(
    gone: Player, moved: Mapping[str, Sequence[int]], lost: Sequence[Mapping[str, Any]]
) -> None:
    """Restore all references to `gone` that a merge moved or deleted."""
    for key, rows in moved.items():
        room, name, field = key.split("/")
        model = apps.get_model(room, name)
        model._base_manager.filter(pk__in=rows).update(**{field: gone})
    for each in lost:
        lost_model = apps.get_model(each["model"])
        fields = lost_model._meta.get_fields()
        known = {field.attname: field for field in fields if field.concrete}
        values = {
            name: None if text is None else known[name].to_python(text)
            for name, text in each["values"].items()
        }
        if lost_model._base_manager.filter(pk=values["id"]).exists():
            del values["id"]  # the club has moved to a server where another row has that key
        lost_model._base_manager.create(**values)


def _foreign_key_name(model: type[models.Model], field: Any) -> str:
    """Return the name of a foreign key without dots, because dots are separators in archive
    paths.
    """
    return f"{model._meta.app_label}/{model.__name__}/{field.name}"


def _serialize_row(row: models.Model) -> dict[str, Any]:
    """Return all values of a row as text."""
    values = {
        field.attname: None
        if getattr(row, field.attname) is None
        else field.value_to_string(row)
        for field in row._meta.concrete_fields
    }
    return {"model": row._meta.label, "values": values}


def _iter_foreign_keys() -> Iterator[tuple[type[models.Model], Any]]:
    """Yield each model with a foreign key to players, and the key, except those of entries."""
    for relation in Player._meta.get_fields(include_hidden=True):
        is_key = relation.auto_created and (relation.one_to_many or relation.one_to_one)
        model = relation.related_model
        if is_key and isinstance(model, type) and model is not EntryPlayer:
            yield model, relation.field  # type: ignore[union-attr]  # a key has one
