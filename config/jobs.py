"""The kinds of jobs of all apps, for the worker, its sweep, and the pages."""

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
from config.archives import ARCHIVE_SPEC
from server.jobs.kinds import index_kinds
from tournaments.board_counts import find_club_id_of_board_set, find_event_name_of_board_set

# `boards` does not know clubs; the app that uses boards in sessions does.
BOARD_JOBS = [
    replace(kind, describe=find_event_name_of_board_set, club_of=find_club_id_of_board_set)
    for kind in boards.tasks.KINDS
]
# Only the apps above `clubs` know how rows are matched.
CLUB_ARCHIVE_JOB = replace(ARCHIVE_JOB, run=partial(run_archive_job, spec=ARCHIVE_SPEC))
OTHER_JOBS = (
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
KINDS = index_kinds(CLUB_ARCHIVE_JOB, *OTHER_JOBS)
