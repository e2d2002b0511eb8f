"""`manage.py restore FILE`: replace the data by a backup."""

import os
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from server import laptop
from server.backups import database_dumps, restore
from server.backups.file_format import BackupManifest, InvalidBackup
from server.backups.passphrases import read_passphrase
from server.backups.restore import RestoreRefused, RestoreResult
from server.startup_checks import UNUSABLE_DATA_EXIT_CODE


class Command(BaseCommand):
    help = "Check a backup and restore it. The current data is kept."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the file and the options."""
        parser.add_argument("file", help="backup file")
        parser.add_argument("--check", action="store_true", help="only check, change nothing")
        parser.add_argument("--into", metavar="URL", help="restore into this database URL")
        parser.add_argument(
            "--passphrase-file", help="file with the passphrase in its first line"
        )
        parser.add_argument(
            "--stop", action="store_true", help="stop Overplay first if it’s running"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Check the backup, stop running programs, restore, and print the next steps."""
        if options["into"]:
            restart_with_database(options["into"])
        path = Path(options["file"]).expanduser().resolve()
        passphrase = read_passphrase(options["passphrase_file"])
        try:
            if options["check"]:
                self.print_manifest(path, restore.check_backup(path, passphrase))
                return
            with laptop.stop_and_lock_data_folder(
                settings.DATA_DIR, should_stop_other=options["stop"]
            ):
                restore_result = restore.restore_backup(
                    path,
                    passphrase,
                    check_no_other_processes=lambda: check_no_other_connections(
                        options["stop"]
                    ),
                )
        except (InvalidBackup, RestoreRefused) as error:
            raise CommandError(str(error), returncode=UNUSABLE_DATA_EXIT_CODE) from error
        except laptop.StartupError as error:
            raise CommandError(str(error), returncode=error.exit_code) from error
        self.print_restore_result(path, restore_result)

    def print_manifest(self, path: Path, manifest: BackupManifest) -> None:
        """Print a description of the backup."""
        message = _(
            "%(file)s is good: Overplay %(version)s, %(at)s UTC, %(tables)d tables match."
        )
        placeholders = {"file": path, "version": manifest.version}
        placeholders["at"] = f"{manifest.made_at:%Y-%m-%d %H:%M}"
        self.stdout.write(
            message % (placeholders | {"tables": len(manifest.digest.digests_by_table)})
        )

    def print_restore_result(self, path: Path, restore_result: RestoreResult) -> None:
        """Print the result, the location of the old data, and what is no longer valid."""
        self.stdout.write(_("%(file)s was restored.") % {"file": path})
        self.stdout.write(
            _("The previous data is kept in %(aside)s.")
            % {"aside": restore_result.old_data_name}
        )
        if restore_result.has_other_key:
            self.stdout.write(
                _(
                    "It was made with another key. Everyone must sign in again. Table and "
                    "pair links still work but can’t be reprinted. Create new ones if you "
                    "need them."
                )
            )
        self.stdout.write(_("Start Overplay now. It upgrades the database if needed."))


def restart_with_database(url: str) -> None:
    """Replace this process by the same command with another DATABASE_URL; never returns."""
    os.environ["DATABASE_URL"] = url
    arguments = list(sys.argv)
    for index, argument in enumerate(arguments):
        if argument == "--into":
            del arguments[index : index + 2]
            break
        if argument.startswith("--into="):
            del arguments[index]
            break
    os.execv(sys.executable, [sys.executable, *arguments])


def check_no_other_connections(should_stop_programs: bool) -> None:
    """Raise RestoreRefused if other programs use PostgreSQL.

    With `should_stop_programs`, no error is raised.
    """
    connection = database_dumps.get_default_connection()
    if (
        connection.vendor != "postgresql"
        or should_stop_programs
        or not database_dumps.count_other_connections(connection)
    ):
        return
    raise RestoreRefused(
        _(
            "The website or workers are using this database. Stop them and restore again. "
            "Or use --stop to disconnect them. Scores sent at that moment aren’t saved."
        )
    )
