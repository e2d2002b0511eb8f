"""`manage.py upgrade`: upgrade the database to this version, after a verified backup."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from server.backups import database_dumps
from server.run_upgrade import upgrade_database
from server.startup_checks import UNUSABLE_DATA_EXIT_CODE, UnusableData
from server.version import VERSION


class Command(BaseCommand):
    help = "Upgrade the database to this version, after a checked backup."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the option to create an empty database even if a good backup exists."""
        parser.add_argument(
            "--start-empty",
            action="store_true",
            help="create an empty database even if a backup exists",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Upgrade the database, or print why that is impossible and exit with code 3."""
        report_message = self.stdout.write if options["verbosity"] else lambda _message: None
        try:
            upgrade_result = upgrade_database(
                database_dumps.get_default_connection(),
                report_message,
                should_allow_empty=options["start_empty"],
            )
        except UnusableData as error:
            raise CommandError(str(error), returncode=UNUSABLE_DATA_EXIT_CODE) from error
        if upgrade_result.previous_version.is_empty:
            report_message(
                _("The database was created by Overplay %(ours)s.") % {"ours": VERSION}
            )
        elif upgrade_result.backup is None:
            report_message(
                _("The database is up to date for Overplay %(ours)s.") % {"ours": VERSION}
            )
        else:
            message = _("The database was upgraded from Overplay %(theirs)s to %(ours)s.")
            report_message(
                message % {"theirs": upgrade_result.previous_version.version, "ours": VERSION}
            )
