"""`manage.py jobs`: list unfinished jobs, retry one, or run jobs without a broker."""

import threading
import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from config.jobs import KINDS
from server.jobs import heartbeats, job_list, runner
from server.jobs.kinds import Lane
from server.jobs.outbox import retry_job
from server.jobs.sweep import Sweep

IDLE_SECONDS = 10.0
"""The seconds without a due job after which `--work` ends."""
POLL_SECONDS = 0.5


class Command(BaseCommand):
    help = "List unfinished background tasks, retry one, or run them without the queue."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define the options."""
        parser.add_argument("--failed", action="store_true", help="only failed tasks")
        parser.add_argument("--retry", type=int, metavar="ID", help="retry this task")
        parser.add_argument(
            "--alive", action="store_true", help="exit with 1 if no worker responds"
        )
        parser.add_argument("--work", action="store_true", help="run due tasks now, then stop")

    def handle(self, *args: Any, **options: Any) -> None:
        """List, retry or run jobs, or check for a live worker."""
        if options["alive"]:
            if heartbeats.has_no_worker():
                raise CommandError(_("No worker has responded for 30 seconds."))
        elif options["retry"] is not None:
            self.retry_job(options["retry"])
        elif options["work"]:
            run_jobs_until_idle()
        else:
            self.print_job_list(should_list_failed_only=options["failed"])

    def retry_job(self, job_pk: int) -> None:
        """Retry a job."""
        if not retry_job(KINDS, job_pk):
            raise CommandError(_("Job %(number)s not found.") % {"number": job_pk})
        self.stdout.write(_("Job %(number)s will be tried again.") % {"number": job_pk})

    def print_job_list(self, *, should_list_failed_only: bool) -> None:
        """Print a line for each unfinished job."""
        job_rows = job_list.list_jobs(KINDS)
        for job_row in [
            job_row for job_row in job_rows if job_row.has_failed or not should_list_failed_only
        ]:
            since_text = job_row.state_began_at.isoformat(timespec="seconds")
            cells = (
                f"{job_row.job_pk:>8}",
                since_text,
                job_row.title,
                job_row.name,
                job_row.state_label,
                job_row.reason,
            )
            self.stdout.write("  ".join(cell for cell in cells if cell))


def run_jobs_until_idle() -> None:
    """Run due jobs, and renew their leases, until none was due for IDLE_SECONDS."""
    runner.SHOULD_WAIT_FOR_DATABASE.set(True)
    sweep = Sweep(KINDS)
    renewal_thread = threading.Thread(target=sweep.keep_renewing_leases, daemon=True)
    renewal_thread.start()
    idle_since = time.monotonic()
    while time.monotonic() - idle_since < IDLE_SECONDS:
        if runner.run_due_jobs(KINDS, Lane.LATER):
            idle_since = time.monotonic()
        else:
            time.sleep(POLL_SECONDS)
    sweep.stop_event.set()
