"""Django's `migrate`, restricted to empty databases; others need `upgrade`."""

from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands.migrate import Command as Migrate
from django.db import connections
from django.utils.translation import gettext as _

from server import database_version
from server.command_line import format_command
from server.databases import check_database
from server.startup_checks import UNUSABLE_DATA_EXIT_CODE, UnusableData
from server.version import VERSION


class Command(Migrate):
    """Create the tables of an empty database."""

    stealth_options = ("upgrading",)

    def handle(self, *args: Any, **options: Any) -> None:
        """Migrate; raise CommandError unless the database is empty or already up to date."""
        connection = connections[options["database"]]
        try:
            stored_version = check_database(connection, should_allow_empty=True)
        except UnusableData as error:
            raise CommandError(str(error), returncode=UNUSABLE_DATA_EXIT_CODE) from error
        if options["plan"] or options["check_unapplied"] or options.get("upgrading"):
            super().handle(*args, **options)
            return
        if not stored_version.is_empty and (
            stored_version.pending_migrations or options["app_label"]
        ):
            raise CommandError(
                _(
                    "The database %(name)s isn’t empty. Upgrade it to Overplay %(ours)s "
                    "with: %(command)s. This makes a backup first."
                )
                % {
                    "name": stored_version.name,
                    "ours": VERSION,
                    "command": format_command("upgrade"),
                }
            )
        # Recorded before the first table is created, so that an interrupted start can continue.
        if stored_version.is_empty:
            database_version.record_version(connection, stored_version)
        super().handle(*args, **options)
        if not options["app_label"]:
            database_version.record_version(
                connection, database_version.read_version(connection)
            )
