"""Deletion of a whole club that an import replaces."""

from collections.abc import Iterable
from functools import partial

from django.core.files.storage import Storage
from django.db import models, transaction
from django.utils.translation import gettext as _

from clubs.archives.errors import NotCarried
from clubs.archives.known import (
    ArchivedModel,
    ArchiveSchema,
    in_pieces,
    keys_of,
    ours,
    pointed_to,
)
from clubs.models import Club
from server.private_apis import delete_rows


def remove(club: Club, known: ArchiveSchema, carried: Iterable[ArchivedModel]) -> None:
    """Delete every row of a club, in the caller's transaction.

    Rows that other clubs use too stay. Files are deleted on commit.
    """
    tables = list(carried)
    found = keys_of(club, known, tables)
    keys = {table.model: _own(club, known, table, found[table.label]) for table in tables}
    files = [file for table in tables for file in _files(table, club, known)]
    for model in ours():
        if model not in keys:
            _delete_leading(model, keys)
    for table in reversed(tables):
        for some in in_pieces(keys[table.model]):
            delete_rows(table.model._base_manager.filter(pk__in=some))
    transaction.on_commit(partial(_forget, files))


def _forget(files: Iterable[tuple[Storage, str]]) -> None:
    for storage, name in files:
        storage.delete(name)


def refuse_busy(club: Club, known: ArchiveSchema) -> None:
    """Raise NotCarried while anything of a club is in play."""
    if busy := [name for find in known.busy for name in find(club)]:
        words = _("%(events)s is in play. Close it first.")
        raise NotCarried(words % {"events": ", ".join(busy[:5])})


def _own(club: Club, known: ArchiveSchema, table: ArchivedModel, keys: list[int]) -> list[int]:
    """Return those of a club's keys that no other club uses."""
    root = known.shared.get(table.root)
    others = set(root(club)) if root else set()
    if not others:
        return keys
    way = f"{table.way}__in" if table.way else "pk__in"
    kept = set(table.model._base_manager.filter(**{way: others}).values_list("pk", flat=True))
    return [key for key in keys if key not in kept]


def _delete_leading(
    model: type[models.Model], keys: dict[type[models.Model], list[int]]
) -> None:
    """Delete excluded rows that refer to deleted ones, or clear their nullable foreign key."""
    for field in model._meta.local_concrete_fields:
        to = pointed_to(field)
        for some in in_pieces(keys.get(to, [])) if to is not None else ():
            rows = model._base_manager.filter(**{f"{field.name}__in": some})
            if field.null:
                rows.update(**{field.name: None})
            else:
                delete_rows(rows)


def _files(
    table: ArchivedModel, club: Club, known: ArchiveSchema
) -> Iterable[tuple[Storage, str]]:
    for field in table.fields:
        if isinstance(field, models.FileField):
            names = table.rows(club, known).exclude(**{field.name: ""})
            for name in names.values_list(field.name, flat=True):
                yield field.storage, name
