"""The version of a database, and whether this program may use it.

Django's table of applied migrations also records which versions of the program upgraded the
database, under a separate app name. A database from before 1.0 has no such mark, whatever its
migrations are called.
"""

import re
from dataclasses import dataclass

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.utils.translation import gettext as _

from server.command_line import command
from server.startup_checks import Unusable
from server.version import VERSION

MARK = "overplay"
"""The app name under which the table of migrations records versions."""
RETIRED = frozenset({"authtoken", "axes"})
"""Libraries whose migrations older versions applied and this one no longer uses."""


class WrongDatabase(Unusable):
    """A database that this program must not use; the text says why and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """A database's name, its version and its migrations by app and name.

    `version` is the newest that upgraded it, empty if none since 1.0 has. `applied` migrations
    are in it, `unknown` ones are not of this program, `lacking` ones are still to be applied.
    """

    name: str
    version: str
    applied: frozenset[tuple[str, str]]
    unknown: frozenset[tuple[str, str]]
    lacking: frozenset[tuple[str, str]]

    @property
    def is_empty(self) -> bool:
        """Whether no migration has been completed, although a start may have begun."""
        return not self.applied


def read_version(connection: BaseDatabaseWrapper) -> Stored:
    """Read the versions and migrations of a database without changing it."""
    recorder = MigrationRecorder(connection)
    rows = recorder.migration_qs.order_by("pk") if recorder.has_table() else ()
    found = [(row.app, row.name) for row in rows]
    versions = [name for app, name in found if app == MARK]
    applied = frozenset(row for row in found if row[0] != MARK)
    executor = MigrationExecutor(connection)
    known = frozenset(executor.loader.disk_migrations)
    return Stored(
        name=str(connection.settings_dict["NAME"]),
        version=max(versions, key=_numbers) if versions else "",
        applied=applied,
        unknown=frozenset(row for row in applied - known if row[0] not in RETIRED),
        lacking=known - applied,
    )


def refuse_strange(stored: Stored) -> None:
    """Raise WrongDatabase unless this version or an older release made the database."""
    if stored.is_empty:
        return
    if not stored.version:
        raise WrongDatabase(
            _(
                "The database %(name)s was made by a version before 1.0, which Overplay "
                "%(ours)s does not read. Nothing in it was changed. With the version that made "
                "it, write each event to a file: python manage.py event export EVENT --out "
                "FILE. Then give this version a database of its own, with "
                "DATA_DIR=another-folder or another DATABASE_URL, and read them in: "
                "%(command)s."
            )
            % {
                "name": stored.name,
                "ours": VERSION,
                "command": command("event import FILE"),
            }
        )
    if _numbers(stored.version) > _numbers(VERSION):
        raise WrongDatabase(
            _(
                "The database %(name)s was brought up to date by a newer Overplay (%(theirs)s) "
                "than this one (%(ours)s). Nothing in it was changed. Start the newer one "
                "again, restore a backup from before its upgrade, or import the events that "
                "the newer one exports."
            )
            % {"name": stored.name, "theirs": stored.version, "ours": VERSION}
        )
    if stored.unknown:
        raise WrongDatabase(describe_unreleased(stored.name))


def describe_unreleased(name: str) -> str:
    """Return the message for a database made by a development version."""
    return _(
        "The database %(name)s was made by an unreleased version of Overplay. Nothing in it "
        "was changed. Continue with that version, or export each club with it (python "
        "manage.py club export CLUB FILE) and import them into a new database."
    ) % {"name": name}


def _numbers(version: str) -> tuple[int, ...]:
    """Return the parts of a version as numbers, for comparison."""
    return tuple(int(part) for part in re.findall(r"\d+", version))


def refuse_behind(stored: Stored) -> None:
    """Raise WrongDatabase for a database that still has to be upgraded."""
    refuse_strange(stored)
    if stored.lacking:
        raise WrongDatabase(
            _(
                "The database %(name)s is of Overplay %(theirs)s and has to be brought up to "
                "date for %(ours)s first: %(command)s."
            )
            % {
                "name": stored.name,
                "theirs": stored.version or "–",
                "ours": VERSION,
                "command": command("upgrade"),
            }
        )


def record_version(connection: BaseDatabaseWrapper, stored: Stored) -> None:
    """Record that this version has upgraded the database."""
    if stored.version != VERSION:
        MigrationRecorder(connection).record_applied(MARK, VERSION)
