"""Background work for seasons: handicaps are kept when play opens."""

from django.utils.translation import gettext_lazy

from seasons.ladders.models import Season
from seasons.ladders.services.handicaps import freeze_handicaps, seasons_to_freeze
from server.jobs.kinds import Kind, Lane


def keep_handicaps(season_id: int) -> None:
    """Keep the handicaps of the evenings of a season whose play has opened."""
    for season in Season.objects.filter(pk=season_id):
        freeze_handicaps(season)


def name_of_season(season_id: int) -> str:
    """Name a season for people."""
    return Season.objects.filter(pk=season_id).values_list("name", flat=True).first() or ""


def club_of_season(season_id: int) -> int | None:
    """Whose season it is."""
    return Season.objects.filter(pk=season_id).values_list("club", flat=True).first()


HANDICAPS = Kind(
    "handicaps",
    title=gettext_lazy("handicaps to be kept, for play has opened"),
    lane=Lane.LATER,
    time_limit=60,
    run=keep_handicaps,
    find_missing=seasons_to_freeze,
    describe=name_of_season,
    club_of=club_of_season,
)
KINDS = (HANDICAPS,)
