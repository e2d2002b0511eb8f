"""A club's archive is complete: every foreign key is known.

Every table is included, or left out for a reason.
"""

import inspect

from django.apps import apps
from django.db import models

import drives.services.inverses
import rubbers.drive_tables
import rubbers.services.inverses
import seasons.ladders.inverses
from clubs.archives.references import SLUG_PREFIX, get_slug_field_name
from clubs.archives.spec import (
    get_target_model,
    is_login_model,
    list_archived_models,
    list_models,
    list_undeclared_models,
)
from clubs.inverses import EVENING_INVERSES
from clubs.models import Club, Membership
from config.archives import ARCHIVE_SPEC
from hall.history.inverses import CLUB_INVERSES, INVERSES

ARCHIVED_TABLES = list_archived_models(ARCHIVE_SPEC)
UNIQUE_COLUMNS = {
    "clubs.Club.name": "whoever brings the club in gives it another",
    "clubs.Club.uid": "the same club is not brought in twice",
}
"""Columns with unique values, and what an import does where a value is taken."""


def test_every_table_is_archived_or_exempt_for_a_reason() -> None:
    assert list_undeclared_models(ARCHIVE_SPEC) == [], (
        "Neither carried with a club nor left behind: say in `carried` of its room why it "
        "stays (`left`), or how its rows are found (`rooted`)."
    )
    assert all(ARCHIVE_SPEC.exclusion_reasons_by_label.values())
    labels = {model._meta.label for model in list_models()} | {
        f"{a.label}.*" for a in apps.get_app_configs()
    }
    assert ARCHIVE_SPEC.exclusion_reasons_by_label.keys() <= labels
    assert {table.label for table in ARCHIVED_TABLES} >= {
        "clubs.Club",
        "scoring.Result",
        "boards.Board",
    }


def test_every_json_column_declares_its_references() -> None:
    columns = {
        f"{table.label}.{field.name}"
        for table in ARCHIVED_TABLES
        for field in table.fields
        if isinstance(field, models.JSONField)
    }
    assert columns == ARCHIVE_SPEC.reference_paths_by_field.keys(), (
        "Say in `carried` of its room (`data`) which keys stand in it; {} where none do."
    )


def test_every_reference_in_json_points_to_an_archived_table() -> None:
    labels = {table.label for table in ARCHIVED_TABLES} | {""}
    paths = [
        *ARCHIVE_SPEC.reference_paths_by_field.values(),
        *ARCHIVE_SPEC.reference_paths_by_inverse_name.values(),
    ]
    key_labels = {label.removeprefix(SLUG_PREFIX) for path in paths for label in path.values()}
    assert key_labels | set(ARCHIVE_SPEC.model_labels_by_subject.values()) <= labels


def test_every_undo_action_declares_its_references() -> None:
    inverses_by_name = {**INVERSES, **CLUB_INVERSES, **drives.services.inverses.INVERSES}
    inverses_by_name |= (
        rubbers.services.inverses.INVERSES | rubbers.drive_tables.RUBBER_TABLE_HOOKS.inverses
    )
    inverses_by_name |= {**EVENING_INVERSES, **seasons.ladders.inverses.INVERSES}
    inverses_by_name |= seasons.ladders.inverses.TROPHY_INVERSES
    assert inverses_by_name.keys() <= ARCHIVE_SPEC.reference_paths_by_inverse_name.keys(), (
        "Name it in `calls` in `carried` of its room."
    )
    for call, inverse in inverses_by_name.items():
        for name, parameter in inspect.signature(inverse).parameters.items():
            if str(parameter.annotation) in ("int", "Sequence[int]") and name not in (
                "speed",
                "hours",
            ):
                paths = {
                    path.partition(".")[0]
                    for path in ARCHIVE_SPEC.reference_paths_by_inverse_name[call]
                }
                assert name in paths, f"{call} is called with the key {name}"


def test_every_row_has_a_generated_primary_key() -> None:
    for table in ARCHIVED_TABLES:
        assert isinstance(table.model._meta.pk, models.AutoField | models.BigAutoField), table


def test_foreign_key_points_to_an_archived_table_or_is_nullable() -> None:
    archived_models = {table.model for table in ARCHIVED_TABLES}
    for table in ARCHIVED_TABLES:
        for field in table.fields:
            target_model = get_target_model(field)
            if target_model is not None and target_model not in archived_models:
                assert field.null or table.model is Membership, field
                assert is_login_model(target_model), field


def test_unique_value_is_regenerated_on_restore() -> None:
    for table in ARCHIVED_TABLES:
        for field in table.fields:
            if not field.unique or field.primary_key or get_target_model(field):
                continue
            name = f"{table.label}.{field.name}"
            is_regenerated = isinstance(
                field, models.UUIDField
            ) or field.name == get_slug_field_name(table.model)
            is_link = field.name == "token_hash"  # 128 bits; a new one if requested
            assert is_regenerated or is_link or name in UNIQUE_COLUMNS, name
    assert Club._meta.get_field("name").unique
