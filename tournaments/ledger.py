"""The seating record of a season: each player's sit-outs and evenings on stationary places."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Q

from tournaments.models import Entry, EntryPlayer, Event, Place, Session, Sitting
from tournaments.models.seating import SEATS

SEASON_LENGTH = timedelta(days=365)


@dataclass(frozen=True, slots=True)
class SeatingCounts:
    """A player's counts in a season, or the sum for the players of an entry."""

    evening_count: int = 0
    sat_out_round_count: int = 0
    stationary_evening_count: int = 0

    def add(self, other_counts: "SeatingCounts") -> "SeatingCounts":
        """Return the sum of both counts."""
        return SeatingCounts(
            self.evening_count + other_counts.evening_count,
            self.sat_out_round_count + other_counts.sat_out_round_count,
            self.stationary_evening_count + other_counts.stationary_evening_count,
        )


def load_seating_counts(session: Session) -> dict[int, SeatingCounts]:
    """Return the season's counts of each entry before a session, by entry number.

    A pair's counts are the sums of both players' counts with any partners. Earlier sessions of
    the same event are included. The function executes four queries.
    """
    event = session.event
    counts_by_player = _load_counts_by_player(session)
    counts_by_entry_number: dict[int, SeatingCounts] = {}
    members = EntryPlayer.objects.filter(entry__event=event)
    for entry_number, player_pk in members.values_list("entry__number", "player_id"):
        counts_by_entry_number[entry_number] = counts_by_entry_number.get(
            entry_number, SeatingCounts()
        ).add(counts_by_player.get(player_pk, SeatingCounts()))
    return {
        entry.number: counts_by_entry_number.get(entry.number, SeatingCounts())
        for entry in _query_entries(event)
    }


def _query_entries(event: Event) -> Iterable[Entry]:
    return event.entries.order_by("number")


def _load_counts_by_player(session: Session) -> dict[int, SeatingCounts]:
    event = session.event
    season_events = Event.objects.filter(
        club=event.club,
        date__gte=event.date - SEASON_LENGTH,
        date__lte=event.date,
        is_rehearsal=False,
        put_away_at=None,
    ).exclude(pk=event.pk)
    earlier_session_filter = Q(event=event, number__lt=session.number)
    played_sessions = Session.objects.filter(
        Q(event__in=season_events) | earlier_session_filter
    )
    played_sessions = played_sessions.exclude(state=Session.State.PLANNED)
    tables_by_place: dict[int, set[int]] = defaultdict(set)
    rounds_by_place: dict[int, set[int]] = defaultdict(set)
    sittings = Sitting.objects.filter(
        section__session__in=played_sessions,
        **{f"{seat}__entry__isnull": False for seat in SEATS},
    )
    for round_number, table_number, *place_pks in sittings.values_list(
        "round", "table", *SEATS
    ):
        for place_pk in place_pks:
            tables_by_place[place_pk].add(table_number)
            rounds_by_place[place_pk].add(round_number)
    counts_by_player: dict[int, SeatingCounts] = {}
    seated_places = Place.objects.filter(
        section__session__in=played_sessions, entry__isnull=False
    )
    columns = ("pk", "section__rounds", "entry__memberships__player_id")
    for place_pk, round_count, player_pk in seated_places.values_list(*columns):
        if player_pk is not None and rounds_by_place[place_pk]:
            session_counts = SeatingCounts(
                1,
                round_count - len(rounds_by_place[place_pk]),
                int(len(tables_by_place[place_pk]) == 1),
            )
            counts_by_player[player_pk] = counts_by_player.get(player_pk, SeatingCounts()).add(
                session_counts
            )
    return counts_by_player
