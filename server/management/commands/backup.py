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

from server.backups import create, store
from server.backups.create import BackupFailed, BackupRequest
from server.backups.file_format import InvalidBackup
from server.backups.passphrases import read_passphrase
from server.backups.store import Backup
from server.databases import prepare_database

FAILURE_EXIT_CODE = 1


class Command(BaseCommand):
    help = "Back up everything to one file and check it with a test restore."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options."""
        parser.add_argument("--to", help="file, or - for standard output")
        parser.add_argument(
            "--passphrase-file", help="file with the passphrase in its first line"
        )
        parser.add_argument(
            "--with-key", action="store_true", help="include the secret key, also on a server"
        )
        parser.add_argument("--list", action="store_true", help="list all backups")
        parser.add_argument("--check", metavar="FILE", help="check a backup again")

    def handle(self, *args: Any, **options: Any) -> None:
        """Make, list or verify backups."""
        passphrase = read_passphrase(options["passphrase_file"])
        if options["list"]:
            for backup in store.list_backups(settings.BACKUP_DIR):
                self.stdout.write(format_backup(backup))
            return
        if options["check"]:
            self.check_backup_file(Path(options["check"]), passphrase)
            return
        prepare_database()
        try:
            self.create_backup(
                options["to"], passphrase, should_include_key=options["with_key"]
            )
        except BackupFailed as error:
            raise CommandError(str(error)) from error

    def create_backup(
        self, target_name: str | None, passphrase: str, *, should_include_key: bool
    ) -> None:
        """Create a backup in the folder, in a file, or on standard output."""
        if target_name == "-":
            with tempfile.TemporaryDirectory() as work_folder:
                path = Path(work_folder) / "backup"
                create.create_backup(
                    _build_backup_request(path.parent, path, passphrase, should_include_key)
                )
                with path.open("rb") as file:
                    shutil.copyfileobj(file, sys.stdout.buffer)
            return
        if target_name:
            path = Path(target_name).expanduser().resolve()
            if path.is_dir():
                raise CommandError(
                    _("%(file)s is a folder. Enter a file name in it.") % {"file": path}
                )
            backup = create.create_backup(
                _build_backup_request(path.parent, path, passphrase, should_include_key)
            )
        else:
            backup = create.create_backup_and_clean_up(
                _build_backup_request(settings.BACKUP_DIR, None, passphrase, should_include_key)
            )
        self.stdout.write(format_backup(backup))

    def check_backup_file(self, path: Path, passphrase: str) -> None:
        """Verify a backup file and write its note."""
        if not path.is_file():
            raise CommandError(_("%(file)s not found.") % {"file": path})
        try:
            backup_note = create.verify_backup(path, passphrase=passphrase)
        except InvalidBackup as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(
                _("Can’t unpack the backup in %(folder)s: %(why)s.")
                % {"folder": path.parent, "why": error.strerror or error}
            ) from error
        store.write_note(path, backup_note)
        message = _("%(file)s: %(proof)s, %(tables)d tables, %(rows)d rows. %(words)s")
        placeholders = {
            "file": path,
            "tables": backup_note.tables,
            "rows": backup_note.rows,
            "words": backup_note.words,
        }
        self.stdout.write((message % (placeholders | {"proof": backup_note.proof})).strip())
        if backup_note.proof == "failed":
            raise CommandError(
                _("It has changed since it was made."), returncode=FAILURE_EXIT_CODE
            )


def format_backup(backup: Backup) -> str:
    """Return a line about a backup: its time, size and verification."""
    message = _("%(file)s  %(at)s  %(size)s  %(proof)s")
    return message % {
        "file": backup.path,
        "at": f"{backup.created_at:%Y-%m-%d %H:%M} UTC",
        "size": filesizeformat(backup.size_bytes),
        "proof": describe_verification(backup),
    }


def describe_verification(backup: Backup) -> str:
    """Return in words how a backup was verified."""
    backup_note = backup.note
    if backup_note is None:
        return _("not checked yet")
    if backup_note.proof == "verified":
        return _("checked by a test restore, %(tables)d tables match") % {
            "tables": backup_note.tables
        }
    if backup_note.proof == "listed":
        return _("read only: this login can’t create a database for a test restore")
    return _("test restore failed: %(what)s") % {"what": backup_note.words}


def _build_backup_request(
    folder: Path, target_path: Path | None, passphrase: str, should_include_key: bool
) -> BackupRequest:
    return BackupRequest(
        kind="asked",
        folder=folder,
        target_path=target_path,
        passphrase=passphrase,
        should_include_key=should_include_key,
    )
