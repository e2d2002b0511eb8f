"""The erasure of a person's names and contact data from all rows of a club.

The erasure covers the same tables as an archive of the club. New models are therefore included
automatically.
"""

import json
from collections.abc import Iterator
from typing import Any

from django.db import models, transaction
from django.db.models import Q
from django.db.models.functions import Cast

from clubs.archives.spec import ArchivedModel, ArchiveSpec, list_archived_models
from clubs.erasure.name_replacement import NameReplacer
from clubs.models import Act, Club, Player

LOGIN_COLUMN_SUFFIXES = ("by", "_by")
"""The suffixes of columns that contain a login name and are therefore not rewritten."""


def rewrite_texts(club: Club, spec: ArchiveSpec, replacer: NameReplacer) -> int:
    """Replace a person's names in all texts of a club; return the number of changed rows."""
    changed_row_count = 0
    for archived_model in list_archived_models(spec):
        for field in _iter_text_fields(archived_model):
            changed_row_count += _rewrite_field(
                archived_model.list_rows(club, spec), field, replacer
            )
    return changed_row_count


def delete_paper_files(club: Club, spec: ArchiveSpec) -> int:
    """Delete a club's stored papers, which contain names and can be generated again.

    Returns the number of deleted rows.
    """
    deleted_count = 0
    for archived_model in list_archived_models(spec):
        file_fields = [
            field for field in archived_model.fields if isinstance(field, models.FileField)
        ]
        if not file_fields:
            continue
        for row in archived_model.list_rows(club, spec):
            for field in file_fields:
                if file := getattr(row, field.attname):
                    transaction.on_commit(
                        _build_file_deleter(file.storage, file.name), robust=True
                    )
            row.delete()
            deleted_count += 1
    return deleted_count


def disable_undo(club: Club, person: Player) -> None:
    """Remove the undo data of all acts about a person, because they identify the person."""
    for act in iter_acts_about(club, person):
        act.back = {**act.back, "call": "", "given": {}}
        act.save(update_fields=["back"])


def iter_acts_about(club: Club, person: Player) -> Iterator[Act]:
    """Yield the acts about a person in the histories of the club and of its events."""
    subject_key = f"player {person.pk}"
    acts = Act.objects.filter(club=club.slug).annotate(text=_cast_to_text("back"))
    for act in acts.filter(text__contains=f'"{subject_key}"'):
        if subject_key in act.back.get("about", []):
            yield act


def _iter_text_fields(archived_model: ArchivedModel) -> Iterator[Any]:
    """Yield the fields of a model that may contain names that users have typed."""
    for field in archived_model.fields:
        if isinstance(field, models.JSONField) or (
            isinstance(field, models.CharField | models.TextField)
            and not isinstance(field, models.SlugField | models.FileField)
            and not field.choices
            and (field.max_length or 999) >= 40
            and not field.name.endswith(LOGIN_COLUMN_SUFFIXES)
        ):
            yield field


def _rewrite_field(rows: models.QuerySet[Any], model_field: Any, replacer: NameReplacer) -> int:
    is_json = isinstance(model_field, models.JSONField)
    condition = Q()
    for search_term in replacer.search_terms:
        condition |= Q(text__icontains=search_term)
        if not search_term.isascii():  # a database may fold only ASCII letters
            for variant in (search_term, search_term.title(), search_term.upper()):
                condition |= Q(
                    text__icontains=json.dumps(variant)[1:-1] if is_json else variant
                )
    changed_count = 0
    for row in rows.annotate(text=_cast_to_text(model_field.name)).filter(condition):
        old_value = getattr(row, model_field.name)
        new_value = (
            replacer.replace_in_data(old_value)
            if is_json
            else replacer.replace_in_text(old_value)[: model_field.max_length]
        )
        if new_value != old_value:
            type(row)._base_manager.filter(pk=row.pk).update(**{model_field.name: new_value})
            changed_count += 1
    return changed_count


def _cast_to_text(column_name: str) -> Cast:
    return Cast(column_name, models.TextField())


def _build_file_deleter(storage: Any, file_name: str) -> Any:
    return lambda: storage.delete(file_name)
