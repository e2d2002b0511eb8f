"""The export declarations of all apps, for club archives."""

import clubs.carried
import drives.carried
import hall.carried
import rubbers.carried
import scoring.carried
import seasons.calendar.carried
import seasons.grades.carried
import seasons.ladders.carried
import seasons.people.carried
import seasons.publishing.carried
import tournaments.carried
from clubs.archives.known import joined

KNOWN = joined(
    clubs.carried.CARRIED,
    tournaments.carried.CARRIED,
    drives.carried.CARRIED,
    rubbers.carried.CARRIED,
    scoring.carried.CARRIED,
    hall.carried.CARRIED,
    seasons.calendar.carried.CARRIED,
    seasons.grades.carried.CARRIED,
    seasons.ladders.carried.CARRIED,
    seasons.people.carried.CARRIED,
    seasons.publishing.carried.CARRIED,
)
