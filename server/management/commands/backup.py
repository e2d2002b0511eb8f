"""`manage.py backup`: one file with all data, verified by restoring it."""

import shutil
import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _

from server.backups import making, store
from server.backups.making import NoBackup, Wish
from server.backups.packing import BadBackup
from server.backups.passphrases import read_passphrase
from server.backups.store import Kept
from server.databases import prepare_database

FAILED = 1


class Command(BaseCommand):
    help = "Write everything into one file, restore that where nobody sees it, and compare."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options."""
        parser.add_argument("--to", help="a file, or - for the standard output")
        parser.add_argument(
            "--passphrase-file", help="a file whose first line seals the backup"
        )
        parser.add_argument(
            "--with-key", action="store_true", help="put the secret key in, on a server too"
        )
        parser.add_argument("--list", action="store_true", help="list the backups there are")
        parser.add_argument("--check", metavar="FILE", help="prove a backup once more")

    def handle(self, *args: Any, **options: Any) -> None:
        """Make, list or verify backups."""
        passphrase = read_passphrase(options["passphrase_file"])
        if options["list"]:
            for kept in store.list_backups(settings.BACKUP_DIR):
                self.stdout.write(told(kept))
            return
        if options["check"]:
            self.check_file(Path(options["check"]), passphrase)
            return
        prepare_database()
        try:
            self.make(options["to"], passphrase, with_key=options["with_key"])
        except NoBackup as error:
            raise CommandError(str(error)) from error

    def make(self, to: str | None, passphrase: str, *, with_key: bool) -> None:
        """Make a backup in the folder, in a file, or on standard output."""
        if to == "-":
            with tempfile.TemporaryDirectory() as work:
                path = Path(work) / "backup"
                making.make_backup(_wish(path.parent, path, passphrase, with_key))
                with path.open("rb") as file:
                    shutil.copyfileobj(file, sys.stdout.buffer)
            return
        if to:
            path = Path(to).expanduser().resolve()
            if path.is_dir():
                raise CommandError(
                    _("%(file)s is a folder; name a file in it.") % {"file": path}
                )
            made = making.make_backup(_wish(path.parent, path, passphrase, with_key))
        else:
            made = making.make_and_store(_wish(settings.BACKUP_DIR, None, passphrase, with_key))
        self.stdout.write(told(made))

    def check_file(self, path: Path, passphrase: str) -> None:
        """Verify a backup file, and write its note."""
        if not path.is_file():
            raise CommandError(_("There is no file %(file)s.") % {"file": path})
        try:
            note = making.verify_backup(path, passphrase=passphrase)
        except BadBackup as error:
            raise CommandError(str(error)) from error
        store.write_note(path, note)
        words = _("%(file)s: %(proof)s, %(tables)d tables, %(rows)d rows. %(words)s")
        named = {"file": path, "tables": note.tables, "rows": note.rows, "words": note.words}
        self.stdout.write((words % (named | {"proof": note.proof})).strip())
        if note.proof == "failed":
            raise CommandError(_("It is not what it was when it was made."), returncode=FAILED)


def told(kept: Kept) -> str:
    """Return the line about a backup."""
    words = _("%(file)s  %(at)s  %(size)s  %(proof)s")
    return words % {
        "file": kept.path,
        "at": f"{kept.at:%Y-%m-%d %H:%M} UTC",
        "size": filesizeformat(kept.size),
        "proof": proof_words(kept),
    }


def proof_words(kept: Kept) -> str:
    """Return how a backup was verified."""
    note = kept.note
    if note is None:
        return _("not proved yet")
    if note.proof == "verified":
        return _("restored and compared, %(tables)d tables equal") % {"tables": note.tables}
    if note.proof == "listed":
        return _("listed: this login may make no database to restore it in")
    return _("not equal when restored: %(what)s") % {"what": note.words}


def _wish(folder: Path, to: Path | None, passphrase: str, with_key: bool) -> Wish:
    return Wish(kind="asked", folder=folder, to=to, passphrase=passphrase, with_key=with_key)
