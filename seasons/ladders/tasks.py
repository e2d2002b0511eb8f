"""Background tasks for seasons: handicaps are stored when play opens."""

from django.utils.translation import gettext_lazy

from seasons.ladders.models import Season
from seasons.ladders.services.handicaps import freeze_handicaps, list_seasons_to_freeze
from server.jobs.kinds import Kind, Lane, name_of, owner_of


def store_handicaps(season_id: int) -> None:
    """Store the handicaps of a season's evenings whose play has opened."""
    for season in Season.objects.filter(pk=season_id):
        freeze_handicaps(season)


HANDICAPS_JOB = Kind(
    "handicaps",
    title=gettext_lazy("handicaps to be kept, for play has opened"),
    lane=Lane.LATER,
    time_limit=60,
    run=store_handicaps,
    find_missing=list_seasons_to_freeze,
    describe=name_of(Season.objects),
    club_of=owner_of(Season.objects),
)
KINDS = (HANDICAPS_JOB,)
