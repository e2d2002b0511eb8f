"""The number of rests that each of a club's players has had in a season so far."""

from collections import Counter
from collections.abc import Mapping
from datetime import date as Date

from clubs.models import Club
from drives.models import Drive, Seat


def count_rests(club: Club, *, since: Date, until: Date) -> Mapping[int, int]:
    """Count the rests of a club's players from `since` to the day before `until`, by primary
    key of the player.
    """
    rows = Seat.objects.filter(
        table__isnull=True,
        player__player__isnull=False,
        round__drive__club=club,
        round__drive__state=Drive.State.CLOSED,
        round__drive__is_rehearsal=False,
        round__drive__put_away_at__isnull=True,
        round__drive__evening__date__gte=since,
        round__drive__evening__date__lt=until,
    )
    return Counter(rows.values_list("player__player_id", flat=True))


def build_rest_ledger(drive: Drive) -> dict[int, int]:
    """Return the number of rests of each player of a drive this year in the club's drives, by
    player number.

    Only drives of earlier days count.
    """
    day = drive.date
    rest_counts = count_rests(drive.club, since=day.replace(month=1, day=1), until=day)
    if not rest_counts:
        return {}
    club_players = drive.players.filter(player__isnull=False, house=False)
    return {
        number: rest_counts[player_key]
        for number, player_key in club_players.values_list("number", "player_id")
        if rest_counts.get(player_key)
    }
