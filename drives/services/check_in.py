"""The service that starts a drive with the people who have checked in at the tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit import Actor
from clubs.errors import CheckInRefused
from clubs.evenings.first_seats import Place, keep_places
from clubs.evenings.services import lock_evening, mark_started, restart_clock
from clubs.models import CheckIn, Evening
from clubs.names.tidy import build_name_key
from drives.draw.participants import MAX_PARTICIPANTS, MIN_PARTICIPANTS
from drives.errors import DriveRefused
from drives.models import Drive, DrivePlayer, Seat
from drives.services.draw_rounds import draw_first_rounds
from drives.services.players import NewPlayer, create_players
from drives.services.seat_changes import record_seat_change


@transaction.atomic
def start_from_check_in(*, drive: Drive, by: Actor) -> Drive:
    """Give a card to everyone who has checked in, and begin round 1 at the tables as they sit.

    The draw seats numbers, and each person gets the number of the chair where they sit. People
    whose chair is not used in round 1 get the remaining numbers. Players who were added before
    keep their numbers. Idempotent. Raises CheckInRefused or DriveRefused.
    """
    evening = lock_evening(drive.evening)
    if evening.check_in_state == Evening.CheckInState.STARTED:
        return drive
    if evening.check_in_state != Evening.CheckInState.OPEN:
        raise CheckInRefused(_("Check-in isn't open."))
    drive.evening = evening
    with record_seat_change(drive, "drive.checked_in", by=by) as change:
        row = change.drive
        row.evening = evening
        if row.at_round or row.played.exists():
            raise CheckInRefused(_("Round 1 has already started."))
        people = _match_people(row, list(evening.check_ins.select_related("player")))
        _check_count(row, people)
        created = create_players(row, [NewPlayer() for _person in people.new])
        draw_first_rounds(row, by=by)
        numbers = _assign_numbers(row, people.new, created)
        row.at_round, row.state = 1, Drive.State.OPEN
        restart_clock(evening=evening)
        mark_started(evening=evening, numbers={**numbers, **people.known})
        change.audit_after = {"players": len(numbers) + len(people.known)}
    return row


@dataclass(frozen=True, slots=True)
class _People:
    """The people without a card, and the numbers of those who already have one."""

    new: Sequence[CheckIn]
    known: Mapping[int, int]


def _match_people(drive: Drive, rows: Sequence[CheckIn]) -> _People:
    """Divide people into those with a card and those without, by player or by name."""
    cards = list(drive.players.filter(house=False).select_related("player"))
    by_key = {f"p{card.player_id}": card.number for card in cards if card.player_id}
    by_key |= {f"g{build_name_key(card.full_name)}": card.number for card in cards}
    known = {row.pk: by_key[row.key] for row in rows if row.key in by_key}
    return _People([row for row in rows if row.pk not in known], known)


def _check_count(drive: Drive, people: _People) -> None:
    count = drive.players.filter(house=False).count() + len(people.new)
    if not MIN_PARTICIPANTS <= count <= MAX_PARTICIPANTS:
        words = _("A drive has %(fewest)s to %(most)s players, not %(count)s.")
        limits = {"fewest": MIN_PARTICIPANTS, "most": MAX_PARTICIPANTS}
        raise DriveRefused(words % (limits | {"count": count}))


def _assign_numbers(
    drive: Drive, people: Sequence[CheckIn], cards: Sequence[DrivePlayer]
) -> dict[int, int]:
    """Give each person the card of the chair where they sit, and return the numbers."""
    seats = Seat.objects.filter(round__drive=drive, round__number=1)
    places = {
        player: Place(table, str(seat)) if table else None
        for player, table, seat in seats.values_list("player__number", "table", "seat")
    }
    offered = [places.get(card.number) for card in cards]
    wanted_places = {
        row.pk: Place(row.table, str(row.seat)) if row.table is not None else None
        for row in people
    }
    places_by_key = keep_places(wanted_places, offered)
    free: dict[Place | None, list[DrivePlayer]] = {}
    for card, place in zip(cards, offered, strict=True):
        free.setdefault(place, []).append(card)
    numbers = {}
    for row in people:
        card = free[places_by_key[row.pk]].pop(0)
        card.player, card.name = row.player, row.player.name if row.player else row.name
        card.save(update_fields=["player", "name"])
        numbers[row.pk] = card.number
    return numbers
