"""The background task that stores handicaps when play opens."""

from django.utils.translation import gettext_lazy

from seasons.ladders.models import Season
from seasons.ladders.services.handicaps import freeze_handicaps, list_season_pks_to_freeze
from server.jobs.kinds import JobKind, Lane, build_club_finder, build_column_describer


def store_handicaps(season_id: int) -> None:
    """Store the handicaps of a season's events whose play has opened."""
    for season in Season.objects.filter(pk=season_id):
        freeze_handicaps(season)


HANDICAPS_JOB = JobKind(
    "handicaps",
    title=gettext_lazy("handicaps of an event"),
    lane=Lane.LATER,
    time_limit=60,
    run=store_handicaps,
    find_missing_job_keys=list_season_pks_to_freeze,
    describe_subject=build_column_describer(Season.objects),
    find_club=build_club_finder(Season.objects),
)
KINDS = (HANDICAPS_JOB,)
