"""`manage.py doctor`: report problems of this installation and how to fix them."""

import json
import platform
from argparse import ArgumentParser
from typing import Any

from django import get_version
from django.core.management.base import BaseCommand
from django.db import DatabaseError, connection

from server import health, outages
from server.databases import check_database, describe_restore
from server.startup_checks import UnusableData
from server.version import VERSION


class Command(BaseCommand):
    help = "Check this installation and show how to fix problems."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options."""
        parser.add_argument("--json", action="store_true", help="as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run every check and print the results; exit with 1 if one is wrong.

        An unusable database is reported but not opened, and the checks that need it are
        skipped.
        """
        if database_problem := _describe_unusable_database():
            check_results = [health.CheckResult("database", health.FAILED, database_problem)]
            check_results += health.run_checks(health.CHECKS_WITHOUT_DATABASE)
        else:
            check_results = health.run_checks(health.ALL_CHECKS)
        if options["json"]:
            self.stdout.write(
                json.dumps(
                    {
                        "version": VERSION,
                        "checks": health.serialize_check_results(check_results),
                    }
                )
            )
        else:
            versions = f"Python {platform.python_version()}, Django {get_version()}"
            self.stdout.write(f"Overplay {VERSION}, {versions}")
            for check_result in check_results:
                advice = f" → {check_result.cure}" if check_result.cure else ""
                self.stdout.write(
                    f"{check_result.state:<9} {check_result.name:<11} "
                    f"{check_result.words}{advice}"
                )
        if any(check_result.state == health.FAILED for check_result in check_results):
            raise SystemExit(1)


def _describe_unusable_database() -> str:
    """Return why the checks must not open the database, or "" if they may."""
    try:
        check_database(connection)
    except UnusableData as error:
        return str(error)
    except DatabaseError as error:
        outage = outages.find_outage(error)
        if outage is not None and outage.code == "damaged":
            return f"{error}. {describe_restore()}".strip()
    return ""
