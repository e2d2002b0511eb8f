"""Django's `migrate`, which leaves a strange database alone and copies one of ours first."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands.migrate import Command as Migrate
from django.db import connections
from django.utils.translation import gettext as _

from server import upgrade
from server.upgrade import Stored, WrongDatabase
from server.version import VERSION


class Command(Migrate):
    """Bring the database up to date for this version."""

    def handle(self, *args: Any, **options: Any) -> None:
        """Refuse what is not ours, keep a copy, migrate, and keep that it was done."""
        connection = connections[options["database"]]
        try:
            stored = upgrade.read(connection)
            upgrade.refuse_strange(stored)
            if options["plan"] or options["check_unapplied"]:
                super().handle(*args, **options)
                return
            # A named target may go back, so it is copied whatever is lacking.
            changes = bool(stored.lacking or options["app_label"]) and not stored.is_empty
            copy = upgrade.keep_aside(connection, stored) if changes else None
        except WrongDatabase as error:
            raise CommandError(str(error)) from error
        if stored.is_empty:  # before its first table: a start that is broken off goes on later
            upgrade.mark(connection, stored)
        self.go(stored, copy, *args, **options)
        if not options["app_label"]:
            upgrade.mark(connection, upgrade.read(connection))

    def go(self, stored: Stored, copy: Path | None, *args: Any, **options: Any) -> None:
        """Migrate; say where the copy lies, all the more when it is needed."""
        try:
            super().handle(*args, **options)
        except Exception as error:
            if copy is None or isinstance(error, CommandError):  # nothing was begun
                raise
            raise CommandError(
                _(
                    "The upgrade to Overplay %(ours)s did not succeed: %(why)s. The database "
                    "as it was before is kept in %(copy)s. To go back, put that file in the "
                    "place of %(name)s and start Overplay %(theirs)s again."
                )
                % {
                    "ours": VERSION,
                    "why": error,
                    "copy": copy,
                    "name": stored.name,
                    "theirs": stored.version,
                }
            ) from error
        if copy is not None:
            self.stdout.write(
                _(
                    "The database was brought up to date for Overplay %(ours)s. As it was "
                    "before it is kept in %(copy)s."
                )
                % {"ours": VERSION, "copy": copy}
            )
