"""What takes back an act of a season; the names are written into its history, so they stay."""

from collections.abc import Mapping, Sequence

from clubs.audit import Actor
from clubs.undoing import Inverse
from seasons.models import Season
from seasons.services.closing import close_season, unclose_season
from seasons.services.importing import remove_season


def _remove(*, season: Season, by: Actor, new: Sequence[int]) -> None:
    remove_season(season=season, new=list(new), by=by)


def _unclose(*, season: Season, by: Actor, version: int) -> None:
    unclose_season(season=season, version=version, by=by)


def _close(*, season: Season, by: Actor) -> None:
    close_season(season=season, by=by)


INVERSES: Mapping[str, Inverse] = {
    "season.close": _close,
    "season.remove": _remove,
    "season.unclose": _unclose,
}
