"""All kinds of jobs that the rooms have: handed to the worker, its sweep and the pages."""

from dataclasses import replace
from functools import partial

import boards.tasks
import scoring.papers.tasks
import scoring.tasks
import seasons.tasks
import server.backups.tasks
import server.logins.tasks
from clubs.archives.ordering import ARCHIVE, carry
from config.archives import KNOWN
from server.jobs.kinds import table
from tournaments.board_counts import club_of_boards, event_of_boards

# The boards know no club; the room that gives them to a session does.
BOARDS = [
    replace(kind, tell=event_of_boards, club_of=club_of_boards) for kind in boards.tasks.KINDS
]
# How rows are told apart is known to the rooms above clubs.
CARRYING = replace(ARCHIVE, do=partial(carry, known=KNOWN))
BY_THEMSELVES = (
    *BOARDS,
    *scoring.tasks.KINDS,
    *scoring.papers.tasks.KINDS,
    *seasons.tasks.KINDS,
    *server.backups.tasks.KINDS,
    *server.logins.tasks.KINDS,
)
KINDS = table(CARRYING, *BY_THEMSELVES)
