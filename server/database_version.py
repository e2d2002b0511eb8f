"""Whether this program knows the database that it finds.

Django's table of applied migrations also keeps which versions of the program brought the
database up to date, under an app of no other use. A database of a version before 1.0 lacks
that mark, whatever its migrations are called.
"""

import re
from dataclasses import dataclass

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.utils.translation import gettext as _

from server.startup_checks import Unusable
from server.version import VERSION

MARK = "overplay"
"""The app under which the table of migrations keeps the program's versions."""
RETIRED = frozenset({"authtoken", "axes"})
"""Libraries whose migrations older versions applied and this one does without."""


class WrongDatabase(Unusable):
    """A database that this program must not use; the text says why and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """What a database says of itself: its name, its version and its migrations by app and name.

    `version` is the newest that brought it up to date, empty where none since 1.0 has. Of the
    migrations, `applied` are there, `unknown` are not of this program, `lacking` are to come.
    """

    name: str
    version: str
    applied: frozenset[tuple[str, str]]
    unknown: frozenset[tuple[str, str]]
    lacking: frozenset[tuple[str, str]]

    @property
    def is_empty(self) -> bool:
        """Whether no migration was ever finished there, though a start may have begun."""
        return not self.applied


def read(connection: BaseDatabaseWrapper) -> Stored:
    """Read the versions and migrations of a database; nothing in it is changed."""
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
    """Raise WrongDatabase for what another version than a released, older one has made."""
    if stored.is_empty:
        return
    if not stored.version:
        raise WrongDatabase(
            _(
                "The database %(name)s was made by a version before 1.0, which Overplay "
                "%(ours)s does not read. Nothing in it was changed. With the version that made "
                "it, write each event to a file: python manage.py event export EVENT --out "
                "FILE. Then give this version a database of its own, with "
                "DATA_DIR=another-folder or another DATABASE_URL, and read them in: python "
                "manage.py event import FILE."
            )
            % {"name": stored.name, "ours": VERSION}
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
    """Say that a database was made by a development version, and what to do."""
    return _(
        "The database %(name)s was made by an unreleased version of Overplay. Nothing in it "
        "was changed. Continue with that version, or export each club with it (python "
        "manage.py club export CLUB FILE) and import them into a new database."
    ) % {"name": name}


def _numbers(version: str) -> tuple[int, ...]:
    """Return the numbers of a version, to compare two of them."""
    return tuple(int(part) for part in re.findall(r"\d+", version))


def refuse_behind(stored: Stored) -> None:
    """Raise WrongDatabase for what this program knows and has not brought up to date yet."""
    refuse_strange(stored)
    if stored.lacking:
        raise WrongDatabase(
            _(
                "The database %(name)s is of Overplay %(theirs)s and has to be brought up to "
                "date for %(ours)s first: python manage.py upgrade."
            )
            % {"name": stored.name, "theirs": stored.version or "–", "ours": VERSION}
        )


def mark(connection: BaseDatabaseWrapper, stored: Stored) -> None:
    """Keep that this version has brought the database up to date."""
    if stored.version != VERSION:
        MigrationRecorder(connection).record_applied(MARK, VERSION)
