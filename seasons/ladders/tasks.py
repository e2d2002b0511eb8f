"""The background task that stores handicaps when play opens."""

from django.utils.translation import gettext_lazy

from seasons.ladders.models import Season
from seasons.ladders.services.handicaps import freeze_handicaps, list_seasons_to_freeze
from server.jobs.kinds import JobKind, Lane, build_column_describer, find_club_by_column


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
    find_missing_job_keys=list_seasons_to_freeze,
    describe_subject=build_column_describer(Season.objects),
    find_club=find_club_by_column(Season.objects),
)
KINDS = (HANDICAPS_JOB,)
