"""The database is brought up to date: proved before, proved after, and put back if it fails.

In this order: nobody else does it; the database is one that this program knows; a backup is
made and restored where nobody sees it; the migrations; the shape that this program expects; and
the rows that no migration meant to touch, counted and summed before and after. Where pages
serve meanwhile, as those of a second machine do, rows change by themselves: there all of it is
done with the restored backup first, and of the database itself only the shape is looked at.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import DEFAULT_DB_ALIAS
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone
from django.utils.translation import gettext as _

from server import database_schema, database_version, startup_checks
from server.backups import engines, packing
from server.backups.digests import Columns, Digest, digest, models_of, tables_of
from server.backups.making import NoBackup, Wish, make
from server.backups.second_database import like, opened_beside
from server.backups.store import Kept
from server.database_schema import Schema
from server.database_version import Stored, WrongDatabase
from server.databases import check_database, file_of
from server.models import Installed
from server.startup_checks import account
from server.version import VERSION
from server.work_folders import work_folder

WAIT = 600
"""Seconds that a second machine waits for the first one's upgrade."""
ADVISORY = 0x0_0E4_91A4
"""The number of our lock at PostgreSQL; any that no other program takes."""
OF_THE_PROGRAM = frozenset(
    {"django_migrations", "django_content_type", "auth_permission", "server_installed"}
)
"""Tables that every upgrade writes in."""

Say = Callable[[str], object]


def _silent(_words: str) -> None:
    """Say nothing."""


@dataclass(frozen=True, slots=True)
class Upgraded:
    """What an upgrade did: what was there, and the backup made before if it had to change."""

    before: Stored
    backup: Kept | None


def bring_up_to_date(
    connection: BaseDatabaseWrapper, say: Say = _silent, *, start_empty: bool = False
) -> Upgraded:
    """Upgrade a database, or make it where nothing is there yet; raises Unusable.

    With `start_empty` an empty database is made even where a good backup exists. After a
    refusal or a failure an SQLite file is as it was. PostgreSQL does each migration whole or
    not at all, and the text says how to restore the backup.
    """
    if path := file_of(connection):
        startup_checks.check_file(path)
    with only_one(connection):
        stored = check_database(connection, start_empty=start_empty, compare_shape=True)
        if stored.is_empty:
            refuse_few_signs(connection, stored)
            # marked first: a start that is broken off goes on later
            database_version.mark(connection, stored)
            _migrate()
            _note(connection)
            return Upgraded(stored, None)
        if not stored.lacking:
            if stored.version != VERSION or not Installed.objects.exists():
                _note(connection)
            return Upgraded(stored, None)
        return Upgraded(stored, _upgrade(connection, stored, say))


def refuse_few_signs(connection: BaseDatabaseWrapper, stored: Stored) -> None:
    """Raise WrongDatabase for an empty one of PostgreSQL that cannot hold every name."""
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_encoding")
        (signs,) = cursor.fetchone()
    if signs != "UTF8":
        raise WrongDatabase(
            _(
                "The database %(name)s keeps its text as %(signs)s, which does not hold every "
                "name. It is empty still: drop it, and make it again with createdb --encoding "
                "UTF8 --template template0."
            )
            % {"name": stored.name, "signs": signs}
        )


@contextmanager
def only_one(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Hold the upgrade; whoever comes second waits, and then finds nothing to do."""
    if connection.vendor == "postgresql":
        with opened_beside(like(connection)) as line, line.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", [ADVISORY])
            yield
        return
    file = Path(connection.settings_dict["NAME"]).parent / "upgrading.lock"
    with closing(sqlite3.connect(file, timeout=WAIT)) as lock:
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            raise WrongDatabase(
                _("Another program is bringing %(folder)s up to date (%(why)s).")
                % {"folder": file.parent, "why": error}
            ) from error
        yield


def _upgrade(connection: BaseDatabaseWrapper, stored: Stored, say: Say) -> Kept:
    """Back up, migrate and compare; put back what does not come out right."""
    backup = _backed_up(connection)
    say(
        _("The backup %(file)s was restored and compared: %(tables)d tables equal.")
        % {"file": backup.path, "tables": backup.note.tables if backup.note else 0}
    )
    columns = untouched(connection, stored)
    before = None
    if _is_served(connection):
        _try_beside(connection, backup, columns, say)
    else:
        before = digest(connection, columns)
    try:
        _migrate()
        _compare(connection, before, columns)
    except Exception as error:
        raise WrongDatabase(_put_back(connection, stored, backup, error)) from error
    _note(connection)
    return backup


def _is_served(connection: BaseDatabaseWrapper) -> bool:
    """Whether others have lines to the database beside this one and that of its lock."""
    return connection.vendor == "postgresql" and engines.others(connection) > 1


def _try_beside(
    connection: BaseDatabaseWrapper, backup: Kept, columns: Columns, say: Say
) -> None:
    """Upgrade the restored backup, which nobody writes in, and throw it away."""
    with work_folder(backup.path.parent, "trying") as work:
        manifest = packing.unpack(backup.path, work)
        file = packing.laid_out(work, manifest.database)
        try:
            with engines.scratch(connection, file) as restored:
                before = digest(restored, columns)
                _migrate(restored.alias)
                _compare(restored, before, columns)
        except engines.CannotProve as error:
            say(_("It was not tried with a copy first: %(why)s") % {"why": error})
            return
        except Exception as error:
            raise WrongDatabase(
                _(
                    "The upgrade to Overplay %(ours)s was tried with a copy and did not "
                    "succeed: %(why)s. Nothing was upgraded."
                )
                % {"ours": VERSION, "why": error}
            ) from error
    say(_("Others are at work in the database; the upgrade was tried with a copy first."))


def _backed_up(connection: BaseDatabaseWrapper) -> Kept:
    try:
        return make(Wish(kind="upgrade", folder=settings.BACKUP_DIR), connection)
    except NoBackup as error:
        words = _("%(why)s Nothing was upgraded.")
        raise WrongDatabase(words % {"why": error}) from error


def untouched(connection: BaseDatabaseWrapper, stored: Stored) -> Columns:
    """Name the columns that an upgrade leaves as they are, by table.

    Those are in the database now and after it, and no migration that is to come says in
    `rewrites` ("table" or "table.column") that it changes them.
    """
    there, wanted = models_of(connection), tables_of(apps)
    found = database_schema.found(connection, [model._meta.db_table for model in there])
    stays = _names(found) & _names(database_schema.expected(connection, wanted))
    known = MigrationLoader(connection).disk_migrations
    rewritten = {name for key in stored.lacking for name in getattr(known[key], "rewrites", ())}
    columns: dict[str, set[str]] = {}
    for table, name in stays:
        if table not in OF_THE_PROGRAM | rewritten and f"{table}.{name}" not in rewritten:
            columns.setdefault(table, set()).add(name)
    return {table: frozenset(names) for table, names in columns.items()}


def _names(found: Schema) -> set[tuple[str, str]]:
    return {(column.table, column.name) for column in found.columns}


def _migrate(alias: str = DEFAULT_DB_ALIAS) -> None:
    call_command("migrate", database=alias, interactive=False, verbosity=0, upgrading=True)


def _compare(connection: BaseDatabaseWrapper, before: Digest | None, columns: Columns) -> None:
    """Raise WrongDatabase unless the shape is the expected one and the rows as they were.

    Rows are not compared where there is no `before`, or somebody came in since.
    """
    models = tables_of(apps)
    found = database_schema.found(connection, [model._meta.db_table for model in models])
    wrong = database_schema.differences(found, database_schema.expected(connection, models))
    if before is not None and not _is_served(connection):
        wrong += before.differing(digest(connection, columns))
    if wrong:
        raise WrongDatabase(
            _("these are not as they must be: %(what)s") % {"what": "; ".join(wrong[:10])}
        )


def _put_back(
    connection: BaseDatabaseWrapper,
    stored: Stored,
    backup: Kept,
    error: Exception,
) -> str:
    """Undo a failed upgrade as far as that can be done; say what was done and what to do."""
    named = {"ours": VERSION, "theirs": stored.version, "why": error, "backup": backup.path}
    connection.close()
    if connection.vendor != "sqlite":
        return (
            _(
                "The upgrade to Overplay %(ours)s did not succeed: %(why)s. To go back, start "
                "Overplay %(theirs)s after: python manage.py restore %(backup)s"
            )
            % named
        )
    path = Path(stored.name)
    with work_folder(path.parent, "putting-back") as work:
        manifest = packing.unpack(backup.path, work)
        for rest in (
            "-wal",
            "-shm",
        ):  # what it logs is of the new one
            path.with_name(f"{path.name}{rest}").unlink(missing_ok=True)
        packing.laid_out(work, manifest.database).replace(path)
    path.chmod(0o600)
    return (
        _(
            "The upgrade to Overplay %(ours)s did not succeed: %(why)s. The database was put "
            "back and is as it was: start Overplay %(theirs)s again. A backup is kept in "
            "%(backup)s."
        )
        % named
    )


def _note(connection: BaseDatabaseWrapper) -> None:
    """Keep which version has done it, and the shape that it left."""
    database_version.mark(connection, database_version.read(connection))
    tables = [model._meta.db_table for model in tables_of(apps)]
    Installed.objects.using(connection.alias).create(
        version=VERSION,
        shape=database_schema.found(connection, tables).fingerprint,
        at=timezone.now(),
        by=account()[:100],
    )
