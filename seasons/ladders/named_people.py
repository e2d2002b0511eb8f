"""The lookup of a club's players by typed names, which never reveals hidden names."""

from collections.abc import Collection, Mapping

from clubs.models import Club, Player
from clubs.name_folding import fold_name
from clubs.privacy import has_public_page


def find_people_by_name(
    club: Club, typed_names: Collection[str]
) -> Mapping[str, Player | None]:
    """Return the player for each typed name, or None, in one query.

    An exact match has priority over a match that ignores case and accents. If several players
    match in this way, a hidden player is chosen before a visible one. So a name typed without
    accents never reveals a hidden player.
    """
    folded_names = {typed_name: fold_name(typed_name) for typed_name in typed_names}
    players = Player.objects.filter(club=club, plain__in=set(folded_names.values()))
    sorted_players = sorted(
        players, key=lambda player: (not has_public_page(player), player.pk)
    )
    players_by_name = {player.name: player for player in sorted_players}
    players_by_folded_name = {player.plain: player for player in sorted_players}
    return {
        typed_name: players_by_name.get(typed_name)
        or players_by_folded_name.get(folded_names[typed_name])
        for typed_name in typed_names
    }
