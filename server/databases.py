"""Check the database before a command uses it, without writing to it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from django.core.management import call_command, get_commands
from django.core.management.base import CommandError
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils.translation import gettext as _

from server import database_version, startup_checks
from server.backups.digests import list_models
from server.backups.second_database import build_sqlite_settings, open_extra_connection
from server.command_line import format_command
from server.database_schema import build_expected_schema, describe_differences, read_schema
from server.database_version import StoredVersion, WrongDatabase
from server.models import Installed
from server.startup_checks import UNUSABLE_DATA_EXIT_CODE, UnusableData

COMMANDS_WITHOUT_DATABASE = frozenset(
    {
        *("check", "collectstatic", "compilemessages", "deal", "diffsettings", "findstatic"),
        *("help", "makemessages", "movement", "sendtestemail", "spectacular", "startapp"),
        *("startproject", "swiss", "test", "testserver", "verify_deals", "version"),
    }
)
"""Commands that run without an existing database."""
COMMANDS_WITH_OWN_CHECK = frozenset(
    {"backup", "doctor", "rescue", "restore", "serve", "upgrade"}
)
"""Commands that check the database themselves, because they repair or create it."""


def check_database(
    connection: BaseDatabaseWrapper,
    *,
    should_allow_empty: bool = False,
    should_compare_schema: bool = False,
) -> StoredVersion:
    """Check a database without writing to it, and return its version.

    Raises UnusableData for a path that is not a database, or a database of another version.
    With `should_compare_schema`, the tables must also have the expected schema. Without
    `should_allow_empty`, an empty database is refused while a good backup exists. The message
    of the exception says what to do and names the newest good backup.
    """
    path = find_sqlite_file(connection)
    if path is not None:
        startup_checks.check_database_path(path)
    with _open_database_for_reading(connection, path) as database:
        stored_version = database_version.read_version(database)
        if path is not None:
            stored_version = replace(stored_version, name=str(path))
        try:
            database_version.check_known_version(stored_version)
            if should_compare_schema and not stored_version.is_empty:
                _check_schema(database, stored_version)
        except WrongDatabase as error:
            raise WrongDatabase(
                f"{error} {startup_checks.describe_restore(path)}".strip()
            ) from error
    if stored_version.is_empty and not should_allow_empty:
        _check_for_lost_data(stored_version, path)
    return stored_version


def find_sqlite_file(connection: BaseDatabaseWrapper) -> Path | None:
    """Return the path of an SQLite database; None for PostgreSQL and a database in memory."""
    if connection.vendor != "sqlite" or str(connection.settings_dict["NAME"]) == ":memory:":
        return None
    name = str(connection.settings_dict["NAME"])
    return None if name.startswith("file:") else Path(name)


@contextmanager
def _open_database_for_reading(
    connection: BaseDatabaseWrapper, path: Path | None
) -> Iterator[BaseDatabaseWrapper]:
    """Open a database without settings that write to it, such as the journal mode.

    An open connection is yielded unchanged.
    """
    if path is None or connection.connection is not None:
        yield connection
        return
    database_name = (
        ":memory:"
        if startup_checks.is_database_missing(path)
        else startup_checks.build_read_only_uri(path)
    )
    with open_extra_connection(
        build_sqlite_settings(Path()) | {"NAME": database_name}
    ) as database:
        yield database


def _check_schema(database: BaseDatabaseWrapper, stored_version: StoredVersion) -> None:
    """Raise WrongDatabase if the tables differ from the schema of the stored version."""
    models = list_models(database)
    schema = read_schema(database, [model._meta.db_table for model in models])
    differences = describe_differences(schema, build_expected_schema(database, models))
    if differences and schema.fingerprint == _read_installed_fingerprint(database):
        raise WrongDatabase(database_version.describe_unreleased_version(stored_version.name))
    if differences:
        raise WrongDatabase(
            _(
                "The database %(name)s differs from what Overplay %(theirs)s "
                "made: %(differences)s. Nothing in it was changed. Restore a "
                "backup: %(restore)s. Without a backup, rescue the SQLite "
                "file: %(rescue)s."
            )
            % {
                "restore": format_command("restore FILE"),
                "rescue": format_command("rescue FILE"),
                "name": stored_version.name,
                "theirs": stored_version.version,
                "differences": "; ".join(differences[:10])
                + (" …" if len(differences) > 10 else ""),
            }
        )


def _read_installed_fingerprint(database: BaseDatabaseWrapper) -> str:
    """Return the schema fingerprint that the last upgrade recorded, or "".

    If the tables have this fingerprint but not the expected schema, an unreleased draft of a
    migration created them.
    """
    if Installed._meta.db_table not in database.introspection.table_names():
        return ""
    installed_versions = Installed.objects.using(database.alias).order_by("-pk")
    return installed_versions.values_list("shape", flat=True).first() or ""


def _check_for_lost_data(stored_version: StoredVersion, path: Path | None) -> None:
    """Raise UnusableData if the database is empty but a good backup of it exists."""
    restore_text = startup_checks.describe_restore(path)
    if not restore_text:
        return
    message = _(
        "The database %(name)s is missing or empty. Restore your "
        "data. Or start with an empty club: %(serve)s (on a server: "
        "upgrade --start-empty). %(backup)s"
    )
    placeholders = {
        "name": stored_version.name,
        "serve": format_command("serve --start-empty"),
        "backup": restore_text,
    }
    raise UnusableData(message % placeholders)


def check_before_command(command: str) -> None:
    """Check the database before a management command opens it.

    Raises UnusableData if the program cannot use the database. Commands that need no database,
    or check it themselves, are skipped.
    """
    if (
        command in get_commands()
        and command not in COMMANDS_WITHOUT_DATABASE | COMMANDS_WITH_OWN_CHECK
    ):
        check_database(connection)


def describe_restore() -> str:
    """Return the text of `startup_checks.describe_restore` for the default database."""
    return startup_checks.describe_restore(find_sqlite_file(connection))


def prepare_database() -> None:
    """Create the tables of an empty database when the program starts for the first time.

    Raises CommandError for a database of another version, or one that needs an upgrade.
    """
    try:
        stored_version = check_database(connection)
        if not stored_version.is_empty:
            database_version.check_database_up_to_date(stored_version)
    except UnusableData as error:
        raise CommandError(str(error), returncode=UNUSABLE_DATA_EXIT_CODE) from error
    if stored_version.is_empty:
        call_command("migrate", interactive=False, verbosity=0)
