"""Read the version of a database, and check whether this program may use it.

Django's table of migrations also has a row for each version of the program that upgraded the
database, under the app name `VERSION_APP_LABEL`. A database from before version 1.0 has no such
row.
"""

import re
from dataclasses import dataclass

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.utils.translation import gettext as _

from server.command_line import format_command
from server.startup_checks import UnusableData
from server.version import VERSION

VERSION_APP_LABEL = "overplay"
"""The app name under which the table of migrations records versions of the program."""
RETIRED_APPS = frozenset({"authtoken", "axes"})
"""Libraries that older versions used; their migrations are recorded but no longer exist."""


class WrongDatabase(UnusableData):
    """This program must not use the database. The message gives the reason and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredVersion:
    """The name, version and migrations of a database; a migration is a pair of app and name.

    `version` is the newest version of the program that upgraded the database, or "" before 1.0.
    `unknown_migrations` are recorded in the database but do not exist in this program.
    """

    name: str
    version: str
    applied_migrations: frozenset[tuple[str, str]]
    unknown_migrations: frozenset[tuple[str, str]]
    pending_migrations: frozenset[tuple[str, str]]

    @property
    def is_empty(self) -> bool:
        """Whether no migration is complete, as on the first start."""
        return not self.applied_migrations


def read_version(connection: BaseDatabaseWrapper) -> StoredVersion:
    """Read the version and migrations of a database without changing it."""
    recorder = MigrationRecorder(connection)
    rows = recorder.migration_qs.order_by("pk") if recorder.has_table() else ()
    recorded_migrations = [(migration.app, migration.name) for migration in rows]
    versions = [name for app, name in recorded_migrations if app == VERSION_APP_LABEL]
    applied_migrations = frozenset(
        migration for migration in recorded_migrations if migration[0] != VERSION_APP_LABEL
    )
    executor = MigrationExecutor(connection)
    disk_migrations = frozenset(executor.loader.disk_migrations)
    return StoredVersion(
        name=str(connection.settings_dict["NAME"]),
        version=max(versions, key=_parse_version) if versions else "",
        applied_migrations=applied_migrations,
        unknown_migrations=frozenset(
            migration
            for migration in applied_migrations - disk_migrations
            if migration[0] not in RETIRED_APPS
        ),
        pending_migrations=disk_migrations - applied_migrations,
    )


def check_known_version(stored_version: StoredVersion) -> None:
    """Raise WrongDatabase if this program cannot use a database.

    Its version may be older than 1.0, newer than this program's, or unreleased.
    """
    if stored_version.is_empty:
        return
    if not stored_version.version:
        raise WrongDatabase(
            _(
                "The database %(name)s was made before 1.0. Overplay %(ours)s can’t read "
                "it. Nothing in it was changed. Export each event with the old version: "
                "python manage.py event export EVENT --out FILE. Then start this version "
                "with DATA_DIR=another-folder or another DATABASE_URL. Import the events: "
                "%(command)s."
            )
            % {
                "name": stored_version.name,
                "ours": VERSION,
                "command": format_command("event import FILE"),
            }
        )
    if _parse_version(stored_version.version) > _parse_version(VERSION):
        raise WrongDatabase(
            _(
                "The database %(name)s was upgraded by a newer Overplay "
                "(%(theirs)s) than this one (%(ours)s). Nothing in it was "
                "changed. Start the newer version, or restore a backup from "
                "before the upgrade. Or import the events that the newer "
                "version exports."
            )
            % {"name": stored_version.name, "theirs": stored_version.version, "ours": VERSION}
        )
    if stored_version.unknown_migrations:
        raise WrongDatabase(describe_unreleased_version(stored_version.name))


def describe_unreleased_version(database_name: str) -> str:
    """Return the error message for a database made by a development version."""
    return _(
        "The database %(name)s was made by an unreleased Overplay. "
        "Nothing in it was changed. Continue with that version. Or "
        "export each club with it (python manage.py club export CLUB "
        "FILE) and import them into a new database."
    ) % {"name": database_name}


def _parse_version(version: str) -> tuple[int, ...]:
    """Return the parts of a version number as integers, for comparison."""
    return tuple(int(number_text) for number_text in re.findall(r"\d+", version))


def check_database_up_to_date(stored_version: StoredVersion) -> None:
    """Raise WrongDatabase for a database with pending migrations."""
    check_known_version(stored_version)
    if stored_version.pending_migrations:
        raise WrongDatabase(
            _(
                "The database %(name)s was made by Overplay %(theirs)s. "
                "Upgrade it to %(ours)s first: %(command)s."
            )
            % {
                "name": stored_version.name,
                "theirs": stored_version.version or "–",
                "ours": VERSION,
                "command": format_command("upgrade"),
            }
        )


def record_version(connection: BaseDatabaseWrapper, stored_version: StoredVersion) -> None:
    """Record in the table of migrations that this version upgraded the database."""
    if stored_version.version != VERSION:
        MigrationRecorder(connection).record_applied(VERSION_APP_LABEL, VERSION)
