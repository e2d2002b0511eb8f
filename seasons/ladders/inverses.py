"""The functions that undo actions on seasons and trophies.

The history of actions stores the keys of INVERSES and TROPHY_INVERSES. These keys must not
change.
"""

from collections.abc import Mapping, Sequence
from datetime import date as Date

from clubs.audit import Actor
from clubs.undo import Inverse
from seasons.ladders.errors import SeasonActionRefused, format_missing_player_error
from seasons.ladders.models import Season, Trophy
from seasons.ladders.services.handicaps import (
    restore_handicaps,
    set_personal_handicap,
    set_season_handicap,
)
from seasons.ladders.services.importing import delete_season
from seasons.ladders.services.ladders import (
    change_season,
    close_season,
    delete_ladder,
    restore_ladder,
    undo_season_close,
)
from seasons.ladders.services.trophies import delete_engraving, delete_trophy, engrave_trophy


def _delete_season(*, season: Season, by: Actor, new: Sequence[int]) -> None:
    delete_season(season=season, new_player_pks=list(new), by=by)


def _undo_season_close(*, season: Season, by: Actor, version: int) -> None:
    undo_season_close(season=season, version=version, by=by)


def _close_season(*, season: Season, by: Actor) -> None:
    close_season(season=season, by=by)


def _change_season(*, season: Season, by: Actor, name: str, first: str, last: str) -> None:
    season_days = (Date.fromisoformat(first), Date.fromisoformat(last))
    change_season(
        season=season, name=name, first_day=season_days[0], last_day=season_days[1], by=by
    )


def _engrave_trophy(
    *,
    trophy: Trophy,
    by: Actor,
    year: str,
    names: Sequence[tuple[int | None, str]],
    season: int | None = None,
) -> None:
    player_pks = {player_pk for player_pk, _typed_name in names if player_pk}
    if trophy.club.players.filter(pk__in=player_pks).count() < len(player_pks):
        raise SeasonActionRefused(format_missing_player_error())
    season_row = Season.objects.filter(club=trophy.club_id, pk=season or 0).first()
    winners = [player_pk or typed_name for player_pk, typed_name in names]
    engrave_trophy(trophy=trophy, year=year, winner_names=winners, season=season_row, by=by)


TROPHY_INVERSES: Mapping[str, Inverse] = {
    "handicap.give": set_personal_handicap,
    "handicap.put_back": restore_handicaps,
    "handicap.settle": set_season_handicap,
    "trophy.engrave": _engrave_trophy,
    "trophy.remove": delete_trophy,
    "trophy.unengrave": delete_engraving,
}
INVERSES: Mapping[str, Inverse] = {
    "handicap.give": set_personal_handicap,
    "handicap.put_back": restore_handicaps,
    "handicap.settle": set_season_handicap,
    "ladder.put_back": restore_ladder,
    "ladder.remove": delete_ladder,
    "season.change": _change_season,
    "season.close": _close_season,
    "season.remove": _delete_season,
    "season.unclose": _undo_season_close,
}
