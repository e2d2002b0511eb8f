"""Django's `migrate`, only for an empty database; `upgrade` is for others."""

from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands.migrate import Command as Migrate
from django.db import connections
from django.utils.translation import gettext as _

from server import database_version
from server.command_line import command
from server.databases import check_database
from server.startup_checks import UNUSABLE_DATA, Unusable
from server.version import VERSION


class Command(Migrate):
    """Create the tables of an empty database; others are upgraded instead."""

    stealth_options = ("upgrading",)

    def handle(self, *args: Any, **options: Any) -> None:
        """Migrate; raise CommandError for a database that is not ours or is not empty."""
        connection = connections[options["database"]]
        try:
            stored = check_database(connection, start_empty=True)
        except Unusable as error:
            raise CommandError(str(error), returncode=UNUSABLE_DATA) from error
        if options["plan"] or options["check_unapplied"] or options.get("upgrading"):
            super().handle(*args, **options)
            return
        if not stored.is_empty and (stored.lacking or options["app_label"]):
            raise CommandError(
                _(
                    "The database %(name)s holds something already. Bring it up to date for "
                    "Overplay %(ours)s with: %(command)s. It makes a backup first."
                )
                % {"name": stored.name, "ours": VERSION, "command": command("upgrade")}
            )
        if stored.is_empty:  # before the first table, so that an interrupted start can continue
            database_version.record_version(connection, stored)
        super().handle(*args, **options)
        if not options["app_label"]:
            database_version.record_version(
                connection, database_version.read_version(connection)
            )
