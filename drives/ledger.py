"""Counts how often each of a club's players has rested this year."""

from collections import Counter
from collections.abc import Mapping
from datetime import date as Date

from clubs.models import Club
from drives.models import Drive, Seat


def count_sit_outs_by_player(
    club: Club, *, start_date: Date, end_date: Date
) -> Mapping[int, int]:
    """Count the rests in a club's closed drives, by the primary key of the club's player.

    Drives from the day `start_date` to the day before `end_date` count.
    """
    sit_out_seats = Seat.objects.filter(
        table__isnull=True,
        player__player__isnull=False,
        round__drive__club=club,
        round__drive__state=Drive.State.CLOSED,
        round__drive__is_rehearsal=False,
        round__drive__put_away_at__isnull=True,
        round__drive__evening__date__gte=start_date,
        round__drive__evening__date__lt=end_date,
    )
    return Counter(sit_out_seats.values_list("player__player_id", flat=True))


def count_sit_outs_this_year(drive: Drive) -> dict[int, int]:
    """Return how often each player of a drive has rested this year, by player number.

    Only the club's drives on earlier days of the year count.
    """
    day = drive.date
    rest_counts = count_sit_outs_by_player(
        drive.club, start_date=day.replace(month=1, day=1), end_date=day
    )
    if not rest_counts:
        return {}
    club_players = drive.players.filter(player__isnull=False, house=False)
    return {
        player_number: rest_counts[club_player_id]
        for player_number, club_player_id in club_players.values_list("number", "player_id")
        if rest_counts.get(club_player_id)
    }
