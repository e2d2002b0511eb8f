"""`manage.py digest`: a digest of each table, and one of the whole database."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from server.backups import database_dumps
from server.backups.digests import compute_digest
from server.databases import prepare_database


class Command(BaseCommand):
    help = "Print checksums of all tables, equal on SQLite and PostgreSQL for equal data."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options."""
        parser.add_argument("--json", action="store_true", help="as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Read every row, and print the digests."""
        prepare_database()
        database_digest = compute_digest(database_dumps.get_default_connection())
        if options["json"]:
            digest_data = {
                "digest": database_digest.sha256,
                "rows": database_digest.row_count,
                "tables": database_digest.to_data(),
            }
            self.stdout.write(json.dumps(digest_data, indent=1))
            return
        for name, table in sorted(database_digest.digests_by_table.items()):
            self.stdout.write(f"{table.sha256}  {table.row_count:>8}  {name}")
        self.stdout.write(f"{database_digest.sha256}  {database_digest.row_count:>8}  *")
