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
class LedgerRecord:
    """A player's counts in a season, or the sum for the players of an entry."""

    evenings: int = 0
    sat_out: int = 0  # rounds
    stationary: int = 0  # evenings on a stationary place

    def and_(self, other: "LedgerRecord") -> "LedgerRecord":
        """Return the sum of both records."""
        return LedgerRecord(
            self.evenings + other.evenings,
            self.sat_out + other.sat_out,
            self.stationary + other.stationary,
        )


def load_season_records(session: Session) -> dict[int, LedgerRecord]:
    """Return the season's record of each entry before a session, by entry number; four queries.

    A pair's record is the sum of its players' records with any partners. Earlier sessions of
    the same event are included.
    """
    event = session.event
    records = _load_records_by_player(session)
    records_by_number: dict[int, LedgerRecord] = {}
    members = EntryPlayer.objects.filter(entry__event=event)
    for number, player in members.values_list("entry__number", "player_id"):
        records_by_number[number] = records_by_number.get(number, LedgerRecord()).and_(
            records.get(player, LedgerRecord())
        )
    return {
        entry.number: records_by_number.get(entry.number, LedgerRecord())
        for entry in _query_entries(event)
    }


def _query_entries(event: Event) -> Iterable[Entry]:
    return event.entries.order_by("number")


def _load_records_by_player(session: Session) -> dict[int, LedgerRecord]:
    event = session.event
    events = Event.objects.filter(
        club=event.club,
        date__gte=event.date - SEASON_LENGTH,
        date__lte=event.date,
        is_rehearsal=False,
        put_away_at=None,
    ).exclude(pk=event.pk)
    earlier = Q(event=event, number__lt=session.number)
    played = Session.objects.filter(Q(event__in=events) | earlier)
    played = played.exclude(state=Session.State.PLANNED)
    tables: dict[int, set[int]] = defaultdict(set)
    rounds: dict[int, set[int]] = defaultdict(set)
    sittings = Sitting.objects.filter(
        section__session__in=played, **{f"{seat}__entry__isnull": False for seat in SEATS}
    )
    for number, table, *places in sittings.values_list("round", "table", *SEATS):
        for place in places:
            tables[place].add(table)
            rounds[place].add(number)
    records_by_player: dict[int, LedgerRecord] = {}
    seated = Place.objects.filter(section__session__in=played, entry__isnull=False)
    columns = ("pk", "section__rounds", "entry__memberships__player_id")
    for place, of_rounds, player in seated.values_list(*columns):
        if player is not None and rounds[place]:
            record = LedgerRecord(
                1, of_rounds - len(rounds[place]), int(len(tables[place]) == 1)
            )
            records_by_player[player] = records_by_player.get(player, LedgerRecord()).and_(
                record
            )
    return records_by_player
