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
    shelf_field = models.ForeignKey("shelves.Shelf", on_delete=models.CASCADE)
    return [
        migrations.CreateModel("Shelf", [("id", models.BigAutoField(primary_key=True))]),
        migrations.CreateModel(
            "Book", [("id", models.BigAutoField(primary_key=True)), ("shelf", shelf_field)]
        ),
    ]


def test_combined_and_single_create_operations_give_same_state() -> None:
    one_by_one, combined_state = ProjectState(), ProjectState()
    assert one_by_one.apps.get_models() == combined_state.apps.get_models() == []
    for create_model in build_create_models():
        create_model.state_forwards("shelves", one_by_one)
    CreateModels(build_create_models()).state_forwards("shelves", combined_state)
    assert combined_state == one_by_one
    assert (
        combined_state.apps.get_model("shelves", "Book")._meta.get_field("shelf").related_model
    )


def test_create_models_operation_creates_and_drops_tables(
    tmp_path: Path, django_db_blocker: Any
) -> None:
    operation, project_state_before = CreateModels(build_create_models()), ProjectState()
    after = project_state_before.clone()
    operation.state_forwards("shelves", after)
    with (
        django_db_blocker.unblock(),
        use_database(build_sqlite_settings(tmp_path / "shelves.sqlite3")) as sqlite_connection,
    ):
        with sqlite_connection.schema_editor() as editor:
            operation.database_forwards("shelves", editor, project_state_before, after)
        assert set(sqlite_connection.introspection.table_names()) == TABLES
        with sqlite_connection.schema_editor() as editor:
            operation.database_backwards("shelves", editor, after, project_state_before)
        assert sqlite_connection.introspection.table_names() == []


def test_create_models_operation_is_serialized_into_migration() -> None:
    migration = migrations.Migration("0001_initial", "shelves")
    migration.operations = [CreateModels(build_create_models())]
    text = MigrationWriter(migration, include_header=False).as_string()
    namespace: dict[str, Any] = {}
    exec(text, namespace)
    [operation] = namespace["Migration"].operations
    assert isinstance(operation, CreateModels)
    assert operation.describe() == "Create model Shelf; Create model Book"
    assert [model.deconstruct()[0] for model in operation.models] == ["CreateModel"] * 2
