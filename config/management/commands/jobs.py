"""The jobs of this installation: what waits, what has failed, and a helping hand."""

import threading
import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from config.jobs import KINDS
from server.jobs import doing, hearts, reading
from server.jobs.kinds import Lane
from server.jobs.sweeping import Sweep
from server.jobs.wanting import want_again

LINGER = 10.0
"""Seconds without work after which a helping hand goes."""
BETWEEN = 0.5


class Command(BaseCommand):
    help = "List the jobs that are not done, try one again, or do them without the queue."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take what is to be listed, tried again or done."""
        parser.add_argument("--failed", action="store_true", help="only what has failed")
        parser.add_argument("--retry", type=int, metavar="ID", help="try a job again")
        parser.add_argument(
            "--alive", action="store_true", help="end with 1 where no worker is heard of"
        )
        parser.add_argument(
            "--work", action="store_true", help="do what is due here and now, then end"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """List, retry, work, or say whether a worker lives."""
        if options["alive"]:
            if hearts.is_missing():
                raise CommandError(_("No worker has been heard from for half a minute."))
        elif options["retry"] is not None:
            self.retry(options["retry"])
        elif options["work"]:
            work()
        else:
            self.list(only_failed=options["failed"])

    def retry(self, pk: int) -> None:
        """Ask for a job again."""
        if not want_again(KINDS, pk):
            raise CommandError(_("There is no job %(number)s.") % {"number": pk})
        self.stdout.write(_("Job %(number)s is tried again.") % {"number": pk})

    def list(self, *, only_failed: bool) -> None:
        """Write a line for each job that is not done."""
        lines = reading.lines(KINDS)
        for line in [line for line in lines if line.has_failed or not only_failed]:
            since = line.since.isoformat(timespec="seconds")
            parts = (f"{line.number:>8}", since, line.title, line.name, line.state, line.words)
            self.stdout.write("  ".join(part for part in parts if part))


def work() -> None:
    """Do what is due, keep the leases meanwhile, and end when nothing has come for a while."""
    doing.PATIENT.set(True)
    keeper = Sweep(KINDS)
    renewing = threading.Thread(target=keeper.keep_leases, daemon=True)
    renewing.start()
    idle_since = time.monotonic()
    while time.monotonic() - idle_since < LINGER:
        if doing.work(KINDS, Lane.LATER):
            idle_since = time.monotonic()
        else:
            time.sleep(BETWEEN)
    keeper.stopped.set()
