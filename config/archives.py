"""The archive specification of all apps, which defines the contents of a club archive."""

import clubs.archive_spec
import drives.archive_spec
import hall.archive_spec
import rubbers.archive_spec
import scoring.archive_spec
import seasons.calendar.archive_spec
import seasons.grades.archive_spec
import seasons.ladders.archive_spec
import seasons.people.archive_spec
import seasons.publishing.archive_spec
import tournaments.archive_spec
from clubs.archives.spec import merge_specs

ARCHIVE_SPEC = merge_specs(
    clubs.archive_spec.ARCHIVE_SPEC,
    tournaments.archive_spec.ARCHIVE_SPEC,
    drives.archive_spec.ARCHIVE_SPEC,
    rubbers.archive_spec.ARCHIVE_SPEC,
    scoring.archive_spec.ARCHIVE_SPEC,
    hall.archive_spec.ARCHIVE_SPEC,
    seasons.calendar.archive_spec.ARCHIVE_SPEC,
    seasons.grades.archive_spec.ARCHIVE_SPEC,
    seasons.ladders.archive_spec.ARCHIVE_SPEC,
    seasons.people.archive_spec.ARCHIVE_SPEC,
    seasons.publishing.archive_spec.ARCHIVE_SPEC,
)
