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
from server.backups import engines, restoring
from server.backups.packing import BadBackup, Manifest
from server.backups.passphrases import read_passphrase
from server.backups.restoring import CannotRestore, Restored
from server.startup_checks import UNUSABLE_DATA


class Command(BaseCommand):
    help = "Check a backup, then let it take the place of the database; the old one is kept."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the file and the options."""
        parser.add_argument("file", help="the backup")
        parser.add_argument(
            "--check", action="store_true", help="only check it; change nothing"
        )
        parser.add_argument("--into", metavar="URL", help="another database, as DATABASE_URL")
        parser.add_argument(
            "--passphrase-file", help="a file whose first line opens the backup"
        )
        parser.add_argument(
            "--stop", action="store_true", help="stop Overplay first if it runs"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Check, stop running programs, restore, and print what to do next."""
        if options["into"]:
            start_again_with(options["into"])
        path = Path(options["file"]).expanduser().resolve()
        passphrase = read_passphrase(options["passphrase_file"])
        try:
            if options["check"]:
                self.say_checked(path, restoring.check(path, passphrase))
                return
            with laptop.stop_and_lock_data_folder(settings.DATA_DIR, stop=options["stop"]):
                done = restoring.restore(path, passphrase, alone=lambda: alone(options["stop"]))
        except (BadBackup, CannotRestore) as error:
            raise CommandError(str(error), returncode=UNUSABLE_DATA) from error
        except laptop.CannotServe as error:
            raise CommandError(str(error), returncode=error.code) from error
        self.say_restored(path, done)

    def say_checked(self, path: Path, manifest: Manifest) -> None:
        """Print what the file is."""
        words = _(
            "%(file)s is whole: Overplay %(version)s, %(at)s UTC, %(tables)d tables equal."
        )
        named = {"file": path, "version": manifest.version}
        named["at"] = f"{manifest.made_at:%Y-%m-%d %H:%M}"
        self.stdout.write(words % (named | {"tables": len(manifest.digest.tables)}))

    def say_restored(self, path: Path, done: Restored) -> None:
        """Print what was done, where the old data is, and what no longer works."""
        self.stdout.write(_("%(file)s was restored.") % {"file": path})
        self.stdout.write(
            _("What was there before is kept in %(aside)s.") % {"aside": done.aside}
        )
        if done.has_other_key:
            self.stdout.write(
                _(
                    "It was made with another key. Everybody must sign in again. Links of "
                    "tables and pairs still open, but cannot be printed again: make new ones "
                    "where they are needed."
                )
            )
        self.stdout.write(
            _("Start Overplay now; it brings the database up to date if need be.")
        )


def start_again_with(url: str) -> None:
    """Run this command again with another DATABASE_URL; never returns."""
    os.environ["DATABASE_URL"] = url
    words = list(sys.argv)
    for place, word in enumerate(words):
        if word == "--into":
            del words[place : place + 2]
            break
        if word.startswith("--into="):
            del words[place]
            break
    os.execv(sys.executable, [sys.executable, *words])


def alone(stop: bool) -> None:
    """Raise CannotRestore if other programs use PostgreSQL; `stop` disconnects them."""
    connection = engines.default_connection()
    if (
        connection.vendor != "postgresql"
        or stop
        or not engines.count_other_connections(connection)
    ):
        return
    raise CannotRestore(
        _(
            "Pages or workers use this database. Stop them and restore again, or give --stop: "
            "their lines are cut then, and what is entered at that moment is refused."
        )
    )
