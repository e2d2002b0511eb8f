"""Counts how often a club's players have rested in a period."""

from collections import Counter
from collections.abc import Mapping
from datetime import date as Date

from clubs.models import Club
from drives.models import Drive, Seat


def count_rests_by_player(club: Club, *, start_date: Date, end_date: Date) -> Mapping[int, int]:
    """Count the rests in a club's closed drives, by the primary key of the club's player.

    Drives from the day `start_date` to the day before `end_date` count.
    """
    rest_seats = Seat.objects.filter(
        table__isnull=True,
        player__player__isnull=False,
        round__drive__club=club,
        round__drive__state=Drive.State.CLOSED,
        round__drive__is_rehearsal=False,
        round__drive__put_away_at__isnull=True,
        round__drive__evening__date__gte=start_date,
        round__drive__evening__date__lt=end_date,
    )
    return Counter(rest_seats.values_list("player__player_id", flat=True))


def count_rests_earlier_in_year(drive: Drive) -> dict[int, int]:
    """Return how often each player of a drive has rested earlier in the year.

    The keys are player numbers. Only the club's drives on earlier days of the drive's year
    count.
    """
    day = drive.date
    rest_counts = count_rests_by_player(
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
