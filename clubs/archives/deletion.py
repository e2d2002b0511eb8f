"""The deletion of a whole club before an import replaces it."""

from collections.abc import Iterable
from functools import partial

from django.core.files.storage import Storage
from django.db import models, transaction
from django.utils.translation import gettext as _

from clubs.archives.errors import ArchiveRefused
from clubs.archives.spec import (
    ArchivedModel,
    ArchiveSpec,
    get_target_model,
    iter_pk_batches,
    list_models,
    load_row_pks,
)
from clubs.models import Club
from server.private_apis import delete_rows


def delete_club(
    club: Club, spec: ArchiveSpec, archived_models: Iterable[ArchivedModel]
) -> None:
    """Delete every row of a club inside the caller's transaction.

    Rows that other clubs share are not deleted. The club's files are deleted on commit.
    """
    archived_model_list = list(archived_models)
    row_pks_by_label = load_row_pks(club, spec, archived_model_list)
    row_pks_by_model = {
        archived_model.model: _list_unshared_pks(
            club, spec, archived_model, row_pks_by_label[archived_model.label]
        )
        for archived_model in archived_model_list
    }
    stored_files = [
        stored_file
        for archived_model in archived_model_list
        for stored_file in _list_files(archived_model, club, spec)
    ]
    for model in list_models():
        if model not in row_pks_by_model:
            _delete_excluded_rows(model, row_pks_by_model)
    for archived_model in reversed(archived_model_list):
        for pk_batch in iter_pk_batches(row_pks_by_model[archived_model.model]):
            delete_rows(archived_model.model._base_manager.filter(pk__in=pk_batch))
    transaction.on_commit(partial(_delete_files, stored_files))


def _delete_files(stored_files: Iterable[tuple[Storage, str]]) -> None:
    for storage, file_name in stored_files:
        storage.delete(file_name)


def check_no_running_events(club: Club, spec: ArchiveSpec) -> None:
    """Raise ArchiveRefused if an event of the club is in play."""
    if running_event_names := [
        name for find_names in spec.running_event_finders for name in find_names(club)
    ]:
        message = _("Still in play: %(events)s. Close them first.")
        raise ArchiveRefused(message % {"events": ", ".join(running_event_names[:5])})


def _list_unshared_pks(
    club: Club, spec: ArchiveSpec, archived_model: ArchivedModel, row_pks: list[int]
) -> list[int]:
    """Return those primary keys of a club's rows that no other club shares."""
    find_shared_root_pks = spec.shared_row_finders_by_label.get(archived_model.root_label)
    shared_root_pks = set(find_shared_root_pks(club)) if find_shared_root_pks else set()
    if not shared_root_pks:
        return row_pks
    lookup = f"{archived_model.club_lookup}__in" if archived_model.club_lookup else "pk__in"
    shared_pks = set(
        archived_model.model._base_manager.filter(**{lookup: shared_root_pks}).values_list(
            "pk", flat=True
        )
    )
    return [row_pk for row_pk in row_pks if row_pk not in shared_pks]


def _delete_excluded_rows(
    model: type[models.Model], row_pks_by_model: dict[type[models.Model], list[int]]
) -> None:
    """Delete rows of a model that is not archived, if they refer to deleted rows.

    A nullable foreign key to a deleted row is set to NULL instead.
    """
    for field in model._meta.local_concrete_fields:
        target_model = get_target_model(field)
        for pk_batch in (
            iter_pk_batches(row_pks_by_model.get(target_model, []))
            if target_model is not None
            else ()
        ):
            rows = model._base_manager.filter(**{f"{field.name}__in": pk_batch})
            if field.null:
                rows.update(**{field.name: None})
            else:
                delete_rows(rows)


def _list_files(
    archived_model: ArchivedModel, club: Club, spec: ArchiveSpec
) -> Iterable[tuple[Storage, str]]:
    for field in archived_model.fields:
        if isinstance(field, models.FileField):
            rows_with_file = archived_model.list_rows(club, spec).exclude(**{field.name: ""})
            for file_name in rows_with_file.values_list(field.name, flat=True):
                yield field.storage, file_name
