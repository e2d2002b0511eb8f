"""`manage.py rescue FILE`: copy the readable rows of a damaged or altered SQLite file."""

import sqlite3
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from server.backups.rescue import RescueResult, rescue_rows
from server.database_version import WrongDatabase
from server.startup_checks import UNUSABLE_DATA_EXIT_CODE


class Command(BaseCommand):
    help = "Recover the readable data of a damaged SQLite file into a new file."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the old and the new file as arguments."""
        parser.add_argument("file", help="damaged file")
        parser.add_argument("--to", help="new file (default: next to the old one)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Create the new file, and print how many rows were copied and lost."""
        damaged_path = Path(options["file"]).expanduser().resolve()
        rescued_path = Path(
            options["to"]
            or damaged_path.with_name(f"{damaged_path.stem}-rescued{damaged_path.suffix}")
        )
        if not damaged_path.is_file():
            raise CommandError(_("%(file)s not found.") % {"file": damaged_path}, returncode=2)
        try:
            rescue_result = rescue_rows(damaged_path, rescued_path)
        except FileExistsError as error:
            message = _("%(file)s already exists. Choose another file with --to.")
            raise CommandError(message % {"file": rescued_path}, returncode=2) from error
        except WrongDatabase as error:
            raise CommandError(str(error), returncode=UNUSABLE_DATA_EXIT_CODE) from error
        except (sqlite3.DatabaseError, OSError) as error:
            rescued_path.unlink(missing_ok=True)
            message = _("Nothing in %(file)s can be read (%(why)s).")
            raise CommandError(
                message % {"file": damaged_path, "why": error}, returncode=3
            ) from error
        self.print_result(rescued_path, rescue_result)

    def print_result(self, rescued_path: Path, rescue_result: RescueResult) -> None:
        """Print the copied and lost rows of each table."""
        for (table_name, reason), row_count in sorted(rescue_result.lost_row_counts.items()):
            message = _("%(table)s: %(n)d lost: %(why)s")
            self.stdout.write(message % {"table": table_name, "n": row_count, "why": reason})
        self.stdout.write(
            _("%(rows)d rows recovered into %(file)s. Check them before you continue.")
            % {"rows": sum(rescue_result.copied_row_counts.values()), "file": rescued_path}
        )
