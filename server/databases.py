"""Checks of the database before a command uses it; until it is accepted it is only read."""

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
from server.backups.digests import models_of
from server.backups.second_database import open_second_database, sqlite_settings
from server.command_line import command
from server.database_schema import describe_differences, expected_schema, read_schema
from server.database_version import Stored, WrongDatabase
from server.models import Installed
from server.startup_checks import UNUSABLE_DATA, Unusable

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
"""Commands that help with a database which cannot be used, or may begin an empty one."""


def check_database(
    connection: BaseDatabaseWrapper, *, start_empty: bool = False, compare_shape: bool = False
) -> Stored:
    """Check the content of a database before anything in it is changed.

    Raises Unusable for a path that is not a database, a database of another version, and
    altered tables (with `compare_shape`). Unless `start_empty`, it also raises Unusable for an
    empty database while a good backup exists. The text says what to do, and names the newest
    good backup. An SQLite file is opened so that no byte of it changes.
    """
    path = file_of(connection)
    if path is not None:
        startup_checks.check_path(path)
    with _open_for_reading(connection, path) as opened:
        stored = database_version.read_version(opened)
        if path is not None:
            stored = replace(stored, name=str(path))
        try:
            database_version.refuse_strange(stored)
            if compare_shape and not stored.is_empty:
                _refuse_misshapen(opened, stored)
        except WrongDatabase as error:
            raise WrongDatabase(
                f"{error} {startup_checks.describe_restore(path)}".strip()
            ) from error
    if stored.is_empty and not start_empty:
        _refuse_lost(stored, path)
    return stored


def file_of(connection: BaseDatabaseWrapper) -> Path | None:
    """Return the file of an SQLite database; None for PostgreSQL and one in memory."""
    if connection.vendor != "sqlite" or str(connection.settings_dict["NAME"]) == ":memory:":
        return None
    name = str(connection.settings_dict["NAME"])
    return None if name.startswith("file:") else Path(name)


@contextmanager
def _open_for_reading(
    connection: BaseDatabaseWrapper, path: Path | None
) -> Iterator[BaseDatabaseWrapper]:
    """Open a database without the settings that write to it, such as the journal mode.

    A connection that is already open has applied them, and is used unchanged.
    """
    if path is None or connection.connection is not None:
        yield connection
        return
    name = ":memory:" if startup_checks.is_blank(path) else startup_checks.read_only_uri(path)
    with open_second_database(sqlite_settings(Path()) | {"NAME": name}) as opened:
        yield opened


def _refuse_misshapen(opened: BaseDatabaseWrapper, stored: Stored) -> None:
    """Raise WrongDatabase where tables differ from what the stored version made."""
    there = models_of(opened)
    shape = read_schema(opened, [model._meta.db_table for model in there])
    wrong = describe_differences(shape, expected_schema(opened, there))
    if wrong and shape.fingerprint == _installed_shape(opened):
        raise WrongDatabase(database_version.describe_unreleased(stored.name))
    if wrong:
        raise WrongDatabase(
            _(
                "The database %(name)s is not as Overplay %(theirs)s made it: %(differences)s. "
                "Nothing in it was changed. Restore a backup of it: %(restore)s. Without one, "
                "rescue a file of SQLite: %(rescue)s."
            )
            % {
                "restore": command("restore FILE"),
                "rescue": command("rescue FILE"),
                "name": stored.name,
                "theirs": stored.version,
                "differences": "; ".join(wrong[:10]) + (" …" if len(wrong) > 10 else ""),
            }
        )


def _installed_shape(opened: BaseDatabaseWrapper) -> str:
    """Return the fingerprint that the last upgrade noted; empty where none noted one.

    Tables that differ from ours and yet are as noted were made by another draft of a migration
    that has not been released.
    """
    if Installed._meta.db_table not in opened.introspection.table_names():
        return ""
    rows = Installed.objects.using(opened.alias).order_by("-pk")
    return rows.values_list("shape", flat=True).first() or ""


def _refuse_lost(stored: Stored, path: Path | None) -> None:
    """Raise Unusable where an empty database would replace one that has a good backup."""
    backup = startup_checks.describe_restore(path)
    if not backup:
        return
    words = _(
        "The database %(name)s is missing or empty. Restore your data, or begin a new, empty "
        "club with: %(serve)s (on a server: upgrade --start-empty). %(backup)s"
    )
    named = {"name": stored.name, "serve": command("serve --start-empty"), "backup": backup}
    raise Unusable(words % named)


def check_before(command: str) -> None:
    """Check the database for a command given on the command line, before it is opened.

    Raises Unusable. Commands that need no database, or check it themselves, are not checked.
    """
    if (
        command in get_commands()
        and command not in COMMANDS_WITHOUT_DATABASE | COMMANDS_WITH_OWN_CHECK
    ):
        check_database(connection)


def describe_restore() -> str:
    """Name the newest good backup of the database in use; empty without one."""
    return startup_checks.describe_restore(file_of(connection))


def prepare_database() -> None:
    """Set up an empty database, as the first start of the program does.

    Raises CommandError for one that this program must not use, or not before it is migrated.
    """
    try:
        stored = check_database(connection)
        if not stored.is_empty:
            database_version.refuse_behind(stored)
    except Unusable as error:
        raise CommandError(str(error), returncode=UNUSABLE_DATA) from error
    if stored.is_empty:
        call_command("migrate", interactive=False, verbosity=0)
