"""Starts a drive with the people who have checked in at the tables."""

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
    """Give a score card to everyone who has checked in, and begin round 1 at their tables.

    The draw assigns a card number to each chair, and each person gets the number of the chair
    on which they sit. People whose chair is not used in round 1 get the remaining numbers.
    Players who were added earlier keep their numbers. Cards without a name are given to the
    people who have checked in, and unused cards without a name are deleted. Idempotent. Raises
    CheckInRefused or DriveRefused.
    """
    evening = lock_evening(drive.evening)
    if evening.check_in_state == Evening.CheckInState.STARTED:
        return drive
    if evening.check_in_state != Evening.CheckInState.OPEN:
        raise CheckInRefused(_("Check-in isn’t open."))
    drive.evening = evening
    with record_seat_change(drive, "drive.checked_in", by=by) as change:
        locked_drive = change.drive
        locked_drive.evening = evening
        if locked_drive.at_round or locked_drive.played.exists():
            raise CheckInRefused(_("Round 1 has already started."))
        people = match_people(locked_drive, list(evening.check_ins.select_related("player")))
        if problem := people.player_count_problem:
            raise DriveRefused(problem)
        newcomer_cards = _prepare_cards(locked_drive, people)
        draw_first_rounds(locked_drive, by=by)
        new_numbers = _assign_cards(locked_drive, people.newcomers, newcomer_cards)
        locked_drive.at_round, locked_drive.state = 1, Drive.State.OPEN
        restart_clock(evening=evening)
        mark_started(
            evening=evening, numbers_by_key={**new_numbers, **people.number_by_check_in}
        )
        change.audit_after = {"players": len(new_numbers) + len(people.number_by_check_in)}
    return locked_drive


@dataclass(frozen=True, slots=True)
class DrivePeople:
    """The people with whom a drive starts, and unused score cards.

    `newcomers` are check-ins of people who have no score card yet. `number_by_check_in` maps
    the check-ins of the others to their card numbers. `absent_names` are players who were added
    earlier and have not checked in; they play too.
    """

    newcomers: Sequence[CheckIn]
    number_by_check_in: Mapping[int, int]
    absent_names: Sequence[str]
    nameless_cards: Sequence[DrivePlayer]

    @property
    def player_count(self) -> int:
        """The number of people who will play."""
        present_numbers = set(self.number_by_check_in.values())
        return len(self.newcomers) + len(present_numbers) + len(self.absent_names)

    @property
    def player_count_problem(self) -> str:
        """The reason why this many people can't play a drive, or ""."""
        if MIN_PARTICIPANTS <= self.player_count <= MAX_PARTICIPANTS:
            return ""
        message = _("Enter %(fewest)s–%(most)s players for a drive, not %(count)s.")
        limits = {"fewest": MIN_PARTICIPANTS, "most": MAX_PARTICIPANTS}
        return message % (limits | {"count": self.player_count})


def match_people(drive: Drive, check_ins: Sequence[CheckIn]) -> DrivePeople:
    """Match check-ins to score cards by the club's player or by name."""
    all_cards = list(drive.players.filter(house=False, to_round=None).select_related("player"))
    cards = [card for card in all_cards if card.player_id or card.name]
    number_by_key = {f"p{card.player_id}": card.number for card in cards if card.player_id}
    number_by_key |= {f"g{build_name_key(card.full_name)}": card.number for card in cards}
    known_numbers = {
        check_in.pk: number_by_key[check_in.key]
        for check_in in check_ins
        if check_in.key in number_by_key
    }
    present_numbers = set(known_numbers.values())
    return DrivePeople(
        newcomers=[check_in for check_in in check_ins if check_in.pk not in known_numbers],
        number_by_check_in=known_numbers,
        absent_names=[card.full_name for card in cards if card.number not in present_numbers],
        nameless_cards=[card for card in all_cards if not (card.player_id or card.name)],
    )


def _prepare_cards(drive: Drive, people: DrivePeople) -> list[DrivePlayer]:
    """Return a card for each newcomer, and delete the unused cards without a name.

    New cards are created only if there are not enough cards without a name.
    """
    needed_count = len(people.newcomers)
    cards = list(people.nameless_cards[:needed_count])
    for card in people.nameless_cards[needed_count:]:
        card.delete()
    missing_count = needed_count - len(cards)
    return cards + create_players(drive, [NewPlayer() for _card in range(missing_count)])


def _assign_cards(
    drive: Drive, people: Sequence[CheckIn], cards: Sequence[DrivePlayer]
) -> dict[int, int]:
    """Give each person the score card of their chair; return card numbers by check-in."""
    seats = Seat.objects.filter(round__drive=drive, round__number=1)
    place_by_number = {
        player: Place(table, str(seat)) if table else None
        for player, table, seat in seats.values_list("player__number", "table", "seat")
    }
    offered_places = [place_by_number.get(card.number) for card in cards]
    wanted_places = {
        check_in.pk: Place(check_in.table, str(check_in.seat))
        if check_in.table is not None
        else None
        for check_in in people
    }
    places_by_key = keep_places(wanted_places, offered_places)
    free_cards: dict[Place | None, list[DrivePlayer]] = {}
    for card, place in zip(cards, offered_places, strict=True):
        free_cards.setdefault(place, []).append(card)
    number_by_check_in = {}
    for check_in in people:
        card = free_cards[places_by_key[check_in.pk]].pop(0)
        card.player, card.name = (
            check_in.player,
            check_in.player.name if check_in.player else check_in.name,
        )
        card.save(update_fields=["player", "name"])
        number_by_check_in[check_in.pk] = card.number
    return number_by_check_in
