"""The number of rests that each of a club's players has had in a season so far."""

from collections import Counter
from collections.abc import Mapping
from datetime import date as Date

from clubs.models import Club
from drives.models import Drive, Seat


def count_rests(club: Club, *, since: Date, until: Date) -> Mapping[int, int]:
    """Count the rests of a club's players between two days, by player key; the last day is
    excluded.
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
    """Return the rests of a drive's players in its club's drives this year, by number.

    Only drives of earlier days count.
    """
    day = drive.date
    rests = count_rests(drive.club, since=day.replace(month=1, day=1), until=day)
    if not rests:
        return {}
    holders = drive.players.filter(player__isnull=False, house=False)
    return {
        number: rests[player]
        for number, player in holders.values_list("number", "player_id")
        if rests.get(player)
    }
