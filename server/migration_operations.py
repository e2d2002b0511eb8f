"""Migration operations: one locks a database that is in use, one creates many tables
quickly.
"""

import time
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from django.db import OperationalError, transaction
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations import CreateModel
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

LOCK_TRY_SECONDS = 0.5
"""The timeout of one try; it is half of PostgreSQL's delay before a deadlock check."""
LOCK_PAUSE_SECONDS = 0.1  # pause between two tries
LOCK_WAIT_LIMIT_SECONDS = 60.0  # after a minute, wait for the locks without a limit


class LockTables(Operation):
    """Lock every table of a PostgreSQL database until the migration is done.

    Without this operation, a migration locks its tables one by one, and a request that reads
    them in another order causes a deadlock. A try that takes longer than LOCK_TRY_SECONDS
    releases its locks, so that waiting requests can continue. SQLite always locks the whole
    database.
    """

    reversible = True
    reduces_to_sql = False

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Leave the models as they are."""

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """Lock the existing tables, in short tries for a minute, then without a limit."""
        connection = schema_editor.connection
        tables = connection.introspection.table_names()
        if connection.vendor != "postgresql" or not tables:
            return
        lock_sql = f"LOCK TABLE {', '.join(map(schema_editor.quote_name, tables))}"
        deadline = time.monotonic() + LOCK_WAIT_LIMIT_SECONDS
        while time.monotonic() < deadline:
            try:
                with transaction.atomic(using=connection.alias):
                    timeout_ms = f"{LOCK_TRY_SECONDS * 1000:.0f}"
                    schema_editor.execute(f"SET LOCAL statement_timeout = {timeout_ms}")
                    schema_editor.execute(lock_sql)
                    schema_editor.execute("SET LOCAL statement_timeout = DEFAULT")
                return
            except OperationalError:
                time.sleep(LOCK_PAUSE_SECONDS)
        schema_editor.execute(lock_sql)

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """Lock the tables that the forward migration locks."""
        self.database_forwards(app_label, schema_editor, from_state, to_state)

    def describe(self) -> str:
        """Name the operation for `migrate --plan`."""
        return "Lock all tables"


class CreateModels(Operation):
    """Create several models of one app; a model must follow the models that it refers to.

    After each `CreateModel`, Django builds the classes of all related models again. This
    operation builds them once: 120 classes instead of 2,800 for `seasons`.
    """

    reversible = True
    reduces_to_sql = True
    serialization_expand_args = ["models"]

    def __init__(self, models: Sequence[CreateModel]) -> None:
        self.models = models

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Add the models to the state.

        The cached property `apps` is deleted first. Otherwise Django would rebuild the related
        classes for each model.
        """
        state.__dict__.pop("apps", None)
        for operation in self.models:
            operation.state_forwards(app_label, state)

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """Create the tables in the order of the models."""
        for operation in self.models:
            operation.database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """Drop the tables, the last one first."""
        for operation in reversed(self.models):
            operation.database_backwards(app_label, schema_editor, from_state, to_state)

    def describe(self) -> str:
        """List the models for `migrate --plan`."""
        return "; ".join(operation.describe() for operation in self.models)

    def references_model(self, name: str, app_label: str) -> bool:
        """Return whether one of these models is the named model or refers to it."""
        return any(operation.references_model(name, app_label) for operation in self.models)

    def deconstruct(self) -> tuple[str, Sequence[Any], dict[str, Any]]:
        """Return the class, no positional arguments, and the models."""
        return self.__class__.__qualname__, [], {"models": self.models}


def squash_migrations(app_label: str, *migration_names: str) -> CreateModels:
    """Return one operation that creates an app's tables as these migrations leave them.

    Use it in a migration that `replaces` them. Their `RunPython` operations are left out, since
    they would find no rows.
    """
    project_state = ProjectState()
    for name in migration_names:
        for operation in import_module(f"{app_label}.migrations.{name}").Migration.operations:
            operation.state_forwards(app_label, project_state)
    return CreateModels(
        [
            CreateModel(
                model.name,
                list(model.fields.items()),
                model.options,
                model.bases,
                model.managers,
            )
            for model in project_state.models.values()
        ]
    )
