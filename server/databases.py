"""Checks of the database before a command uses it, by reading only."""

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
from server.backups.second_database import build_sqlite_settings, open_second_database
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
COMMANDS_WITH_OWN_CHECK = frozenset(
    {"backup", "doctor", "rescue", "restore", "serve", "upgrade"}
)
"""Commands that repair an unusable database, or that may create one."""


def check_database(
    connection: BaseDatabaseWrapper, *, start_empty: bool = False, compare_shape: bool = False
) -> StoredVersion:
    """Check a database before anything in it is changed, and return its version.

    Raises UnusableData for a path that is not a database, a database of another version, and,
    with `compare_shape`, tables with an unexpected schema. Unless `start_empty`, it also raises
    UnusableData for an empty database while a good backup exists. The message says what to do
    and names the newest good backup. Checking does not change any byte of an SQLite file.
    """
    path = find_sqlite_file(connection)
    if path is not None:
        startup_checks.check_path(path)
    with _open_for_reading(connection, path) as opened:
        stored = database_version.read_version(opened)
        if path is not None:
            stored = replace(stored, name=str(path))
        try:
            database_version.check_known_version(stored)
            if compare_shape and not stored.is_empty:
                _check_schema(opened, stored)
        except WrongDatabase as error:
            raise WrongDatabase(
                f"{error} {startup_checks.describe_restore(path)}".strip()
            ) from error
    if stored.is_empty and not start_empty:
        _check_data_not_lost(stored, path)
    return stored


def find_sqlite_file(connection: BaseDatabaseWrapper) -> Path | None:
    """Return the path of an SQLite database; None for PostgreSQL and a database in memory."""
    if connection.vendor != "sqlite" or str(connection.settings_dict["NAME"]) == ":memory:":
        return None
    name = str(connection.settings_dict["NAME"])
    return None if name.startswith("file:") else Path(name)


@contextmanager
def _open_for_reading(
    connection: BaseDatabaseWrapper, path: Path | None
) -> Iterator[BaseDatabaseWrapper]:
    """Open a database without the settings that write to it, such as the journal mode.

    A connection that is already open has applied these settings, and is used unchanged.
    """
    if path is None or connection.connection is not None:
        yield connection
        return
    name = (
        ":memory:"
        if startup_checks.is_database_missing(path)
        else startup_checks.build_read_only_uri(path)
    )
    with open_second_database(build_sqlite_settings(Path()) | {"NAME": name}) as opened:
        yield opened


def _check_schema(opened: BaseDatabaseWrapper, stored: StoredVersion) -> None:
    """Raise WrongDatabase for tables that differ from the schema of the stored version."""
    there = list_models(opened)
    shape = read_schema(opened, [model._meta.db_table for model in there])
    wrong = describe_differences(shape, build_expected_schema(opened, there))
    if wrong and shape.fingerprint == _read_installed_fingerprint(opened):
        raise WrongDatabase(database_version.describe_unreleased(stored.name))
    if wrong:
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
                "name": stored.name,
                "theirs": stored.version,
                "differences": "; ".join(wrong[:10]) + (" …" if len(wrong) > 10 else ""),
            }
        )


def _read_installed_fingerprint(opened: BaseDatabaseWrapper) -> str:
    """Return the schema fingerprint recorded by the last upgrade, or "" if there is none.

    Tables with this fingerprint that differ from the expected schema were created by an
    unreleased draft of a migration.
    """
    if Installed._meta.db_table not in opened.introspection.table_names():
        return ""
    rows = Installed.objects.using(opened.alias).order_by("-pk")
    return rows.values_list("shape", flat=True).first() or ""


def _check_data_not_lost(stored: StoredVersion, path: Path | None) -> None:
    """Raise UnusableData if the database is empty but a good backup of it exists."""
    backup = startup_checks.describe_restore(path)
    if not backup:
        return
    words = _(
        "The database %(name)s is missing or empty. Restore your "
        "data. Or start with an empty club: %(serve)s (on a server: "
        "upgrade --start-empty). %(backup)s"
    )
    named = {
        "name": stored.name,
        "serve": format_command("serve --start-empty"),
        "backup": backup,
    }
    raise UnusableData(words % named)


def check_before_command(command: str) -> None:
    """Check the database before a management command opens it; raise UnusableData.

    Commands that need no database, or check it themselves, are skipped.
    """
    if (
        command in get_commands()
        and command not in COMMANDS_WITHOUT_DATABASE | COMMANDS_WITH_OWN_CHECK
    ):
        check_database(connection)


def describe_restore() -> str:
    """Return the newest good backup with the command to restore it, or "" without one."""
    return startup_checks.describe_restore(find_sqlite_file(connection))


def prepare_database() -> None:
    """Create the tables of an empty database at the first start of the program.

    Raises CommandError for a database that this program must not use, or that needs an upgrade.
    """
    try:
        stored = check_database(connection)
        if not stored.is_empty:
            database_version.check_up_to_date(stored)
    except UnusableData as error:
        raise CommandError(str(error), returncode=UNUSABLE_DATA_EXIT_CODE) from error
    if stored.is_empty:
        call_command("migrate", interactive=False, verbosity=0)
