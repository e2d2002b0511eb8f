"""Models created together by one operation equal those created by single operations."""

from pathlib import Path
from typing import Any

from django.db import migrations, models
from django.db.migrations.state import ProjectState
from django.db.migrations.writer import MigrationWriter

from server.migration_operations import CreateModels
from tests.databases import build_sqlite_settings, use_database

TABLES = {"shelves_shelf", "shelves_book"}


def build_create_models() -> list[migrations.CreateModel]:
    """Return two models, of which the second refers to the first."""
    holder = models.ForeignKey("shelves.Shelf", on_delete=models.CASCADE)
    return [
        migrations.CreateModel("Shelf", [("id", models.BigAutoField(primary_key=True))]),
        migrations.CreateModel(
            "Book", [("id", models.BigAutoField(primary_key=True)), ("shelf", holder)]
        ),
    ]


def test_create_models_state_equals_that_of_single_operations() -> None:
    one_by_one, together = ProjectState(), ProjectState()
    assert one_by_one.apps.get_models() == together.apps.get_models() == []
    for create_model in build_create_models():
        create_model.state_forwards("shelves", one_by_one)
    CreateModels(build_create_models()).state_forwards("shelves", together)
    assert together == one_by_one
    assert together.apps.get_model("shelves", "Book")._meta.get_field("shelf").related_model


def test_create_models_operation_creates_and_drops_tables(
    tmp_path: Path, django_db_blocker: Any
) -> None:
    operation, project_state_before = CreateModels(build_create_models()), ProjectState()
    after = project_state_before.clone()
    operation.state_forwards("shelves", after)
    with (
        django_db_blocker.unblock(),
        use_database(build_sqlite_settings(tmp_path / "shelves.sqlite3")) as line,
    ):
        with line.schema_editor() as editor:
            operation.database_forwards("shelves", editor, project_state_before, after)
        assert set(line.introspection.table_names()) == TABLES
        with line.schema_editor() as editor:
            operation.database_backwards("shelves", editor, after, project_state_before)
        assert line.introspection.table_names() == []


def test_create_models_operation_is_serialized_into_migration() -> None:
    migration = migrations.Migration("0001_initial", "shelves")
    migration.operations = [CreateModels(build_create_models())]
    text = MigrationWriter(migration, include_header=False).as_string()
    written: dict[str, Any] = {}
    exec(text, written)
    [operation] = written["Migration"].operations
    assert isinstance(operation, CreateModels)
    assert operation.describe() == "Create model Shelf; Create model Book"
    assert [model.deconstruct()[0] for model in operation.models] == ["CreateModel"] * 2
