"""The kinds of jobs of all apps, for the worker, its sweep, and the pages."""

from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial

import boards.tasks
import scoring.papers.tasks
import scoring.tasks
import seasons.calendar.tasks
import seasons.grades.tasks
import seasons.ladders.tasks
import seasons.people.tasks
import seasons.publishing.tasks
import server.backups.tasks
import server.logins.tasks
import server.version_check
from clubs.archives.requests import ARCHIVE_JOB, run_archive_job
from clubs.languages import override_language
from config.archives import ARCHIVE_SPEC
from server.jobs.kinds import JobKind, Lane, index_job_kinds
from tournaments.board_counts import find_club_id_of_board_set, find_event_name_of_board_set

# The app `boards` does not know clubs; `tournaments` finds the club of a board set.
BOARD_JOBS = [
    replace(
        job_kind,
        describe_subject=find_event_name_of_board_set,
        find_club=find_club_id_of_board_set,
    )
    for job_kind in boards.tasks.KINDS
]
# This job needs the archive specification of all apps, which the app `clubs` cannot import.
CLUB_ARCHIVE_JOB = replace(ARCHIVE_JOB, run=partial(run_archive_job, spec=ARCHIVE_SPEC))
OTHER_JOB_KINDS = (
    *BOARD_JOBS,
    *scoring.tasks.JOB_KINDS,
    *scoring.papers.tasks.KINDS,
    *seasons.calendar.tasks.KINDS,
    *seasons.grades.tasks.KINDS,
    *seasons.ladders.tasks.KINDS,
    *seasons.people.tasks.KINDS,
    *seasons.publishing.tasks.KINDS,
    *server.backups.tasks.KINDS,
    *server.logins.tasks.KINDS,
    *server.version_check.KINDS,
)


def _wrap_in_club_language(job_kind: JobKind) -> JobKind:
    """Return a copy of a kind whose functions run in the language of the job's club.

    Urgent jobs (standings) store no text, so their club is not looked up.
    """

    def override_job_language(subject_key: int) -> AbstractContextManager[None]:
        club_id = job_kind.find_club(subject_key) if job_kind.lane == Lane.LATER else None
        return override_language(club_id)

    def run(subject_key: int) -> bool | None:
        with override_job_language(subject_key):
            return job_kind.run(subject_key)

    def on_failure(subject_key: int, error: str) -> None:
        with override_job_language(subject_key):
            job_kind.on_failure(subject_key, error)

    return replace(job_kind, run=run, on_failure=on_failure)


KINDS = index_job_kinds(*map(_wrap_in_club_language, (CLUB_ARCHIVE_JOB, *OTHER_JOB_KINDS)))
