"""The export declarations of all apps, for club archives."""

import clubs.archive_spec
import drives.carried
import hall.archive_spec
import rubbers.carried
import scoring.carried
import seasons.calendar.carried
import seasons.grades.carried
import seasons.ladders.carried
import seasons.people.carried
import seasons.publishing.carried
import tournaments.carried
from clubs.archives.spec import merge_specs

ARCHIVE_SPEC = merge_specs(
    clubs.archive_spec.ARCHIVE_SPEC,
    tournaments.carried.ARCHIVE_SPEC,
    drives.carried.ARCHIVE_SPEC,
    rubbers.carried.ARCHIVE_SPEC,
    scoring.carried.ARCHIVE_SPEC,
    hall.archive_spec.ARCHIVE_SPEC,
    seasons.calendar.carried.ARCHIVE_SPEC,
    seasons.grades.carried.ARCHIVE_SPEC,
    seasons.ladders.carried.ARCHIVE_SPEC,
    seasons.people.carried.ARCHIVE_SPEC,
    seasons.publishing.carried.ARCHIVE_SPEC,
)
