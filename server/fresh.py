"""All tables of an empty database at once, as the migrations would leave them one by one."""

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder


def make(connection: BaseDatabaseWrapper) -> None:
    """Make every table in one transaction, and note the migrations as applied.

    Taken one after the other they describe all models anew after each of their steps, which was
    most of a first start. A migration that moves rows has none to move
    here. Only for a database in which no table of ours stands.
    """
    migrations = MigrationLoader(connection)
    recorder = MigrationRecorder(connection)
    recorder.ensure_schema()
    with connection.schema_editor() as editor:
        for model in migrations.project_state().apps.get_models():
            meta = model._meta
            if meta.managed and not (meta.proxy or meta.swapped):
                editor.create_model(model)
        for app, name in migrations.disk_migrations:
            recorder.record_applied(app, name)


def is_bare(connection: BaseDatabaseWrapper) -> bool:
    """Whether nothing but the list of migrations stands there."""
    return not set(connection.introspection.table_names()) - {"django_migrations"}
