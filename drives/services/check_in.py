"""Starts a drive with the people who have checked in at the tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit import Actor
from clubs.errors import CheckInRefused
from clubs.evenings.first_seats import Chair, TablePosition, assign_places
from clubs.evenings.services import end_check_in, lock_evening, restart_clock
from clubs.models import CheckIn, Evening
from clubs.names.tidy import build_name_key
from drives.draw.participants import MAX_PARTICIPANTS, MIN_PARTICIPANTS
from drives.errors import DriveActionNotAllowed
from drives.models import Drive, DrivePlayer, Seat
from drives.play_forms import find_play_form
from drives.services.draw_rounds import draw_first_rounds, exchange_seats
from drives.services.players import NewPlayer, create_players
from drives.services.seat_changes import record_seat_change


@transaction.atomic
def start_drive_from_check_in(*, drive: Drive, by: Actor) -> Drive:
    """Give a score card to everyone who has checked in, and begin round 1 at their tables.

    The draw assigns a card number to each chair, and each person gets the number of the chair
    on which they sit. People whose chair is not used in round 1 get the remaining numbers.
    Players who were added earlier keep their numbers: they exchange seats with the player who
    was drawn to their chair. Cards without a name are given to the people who have checked in,
    and unused cards without a name are deleted. Idempotent. Raises CheckInRefused or
    DriveActionNotAllowed.
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
            raise DriveActionNotAllowed(problem)
        newcomer_cards = _prepare_cards(locked_drive, people)
        draw_first_rounds(locked_drive, by=by)
        places_by_card_number = _load_drawn_places(locked_drive)
        exchangeable_place_by_number = {
            card_number: place
            for card_number, place in places_by_card_number.items()
            if card_number not in people.non_exchangeable_numbers
        }
        place_by_check_in = _choose_drawn_places(people, exchangeable_place_by_number)
        new_card_number_by_check_in = _assign_cards(
            people.newcomers, newcomer_cards, place_by_check_in, places_by_card_number
        )
        card_numbers_by_check_in = {**new_card_number_by_check_in, **people.number_by_check_in}
        chosen_places_by_number = {
            card_numbers_by_check_in[check_in_pk]: place
            for check_in_pk, place in place_by_check_in.items()
        }
        exchange_seats(
            locked_drive,
            _list_exchanges(exchangeable_place_by_number, chosen_places_by_number),
            by=by,
        )
        locked_drive.at_round, locked_drive.state = 1, Drive.State.OPEN
        restart_clock(evening=evening)
        end_check_in(evening=evening, numbers_by_check_in=card_numbers_by_check_in)
        change.audit_after = {"players": len(card_numbers_by_check_in)}
    return locked_drive


@dataclass(frozen=True, slots=True)
class DrivePeople:
    """The people with whom a drive starts, and unused score cards.

    `newcomers` are check-ins of people who have no score card yet. `number_by_check_in` maps
    the check-ins of the others to their card numbers. `absent_names` are players who were added
    earlier and have not checked in; they play too. The draw decides the seats of the players
    with `non_exchangeable_numbers`, because the organiser has set their partner, role or table.
    """

    check_ins: Sequence[CheckIn]
    newcomers: Sequence[CheckIn]
    number_by_check_in: Mapping[int, int]
    absent_names: Sequence[str]
    non_exchangeable_numbers: frozenset[int]
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
    card_number_by_key = {f"p{card.player_id}": card.number for card in cards if card.player_id}
    card_number_by_key |= {f"g{build_name_key(card.full_name)}": card.number for card in cards}
    number_by_check_in = {
        check_in.pk: card_number_by_key[check_in.key]
        for check_in in check_ins
        if check_in.key in card_number_by_key
    }
    present_numbers = set(number_by_check_in.values())
    return DrivePeople(
        check_ins=check_ins,
        newcomers=[check_in for check_in in check_ins if check_in.pk not in number_by_check_in],
        number_by_check_in=number_by_check_in,
        absent_names=[card.full_name for card in cards if card.number not in present_numbers],
        non_exchangeable_numbers=_find_non_exchangeable_numbers(drive, cards),
        nameless_cards=[card for card in all_cards if not (card.player_id or card.name)],
    )


def _find_non_exchangeable_numbers(
    drive: Drive, cards: Sequence[DrivePlayer]
) -> frozenset[int]:
    play_form = find_play_form(drive.form)
    kept_apart_numbers = {card_number for pair in drive.apart for card_number in pair}
    return frozenset(
        card.number
        for card in cards
        if play_form.has_fixed_partners
        or card.stays_seated
        or (play_form.has_roles and card.role)
        or card.number in kept_apart_numbers
    )


def _prepare_cards(drive: Drive, people: DrivePeople) -> list[DrivePlayer]:
    """Return a card for each newcomer, and delete the unused cards without a name.

    New cards are created only if there are not enough cards without a name.
    """
    needed_card_count = len(people.newcomers)
    free_cards = list(people.nameless_cards[:needed_card_count])
    for card in people.nameless_cards[needed_card_count:]:
        card.delete()
    missing_count = needed_card_count - len(free_cards)
    return free_cards + create_players(drive, [NewPlayer() for _card in range(missing_count)])


def choose_places(
    check_ins: Sequence[CheckIn], offered_places: Sequence[TablePosition | None]
) -> dict[int, TablePosition | None]:
    """Return the place of each check-in, by primary key, so that few people have to move.

    There may be more places than check-ins. None means that the person sits out.
    """
    wanted_places_by_key = {
        check_in.pk: None if check_in.chair is None else _build_place(check_in.chair)
        for check_in in check_ins
    }
    placeholders_by_key: dict[int, TablePosition | None] = {
        -index: None for index in range(1, len(offered_places) - len(check_ins) + 1)
    }
    places_by_key = assign_places(wanted_places_by_key | placeholders_by_key, offered_places)
    return {check_in.pk: places_by_key[check_in.pk] for check_in in check_ins}


def _build_place(chair: Chair) -> TablePosition:
    return TablePosition(chair.table_number, str(chair.seat_number))


def _load_drawn_places(drive: Drive) -> dict[int, TablePosition | None]:
    """Return the place of each player in round 1, by number; None means sitting out."""
    seats = Seat.objects.filter(round__drive=drive, round__number=1, player__house=False)
    return {
        card_number: TablePosition(table_number, str(seat_number)) if table_number else None
        for card_number, table_number, seat_number in seats.order_by(
            "table", "seat"
        ).values_list("player__number", "table", "seat")
    }


def _choose_drawn_places(
    people: DrivePeople, exchangeable_place_by_number: Mapping[int, TablePosition | None]
) -> dict[int, TablePosition | None]:
    """Return the place of each check-in with a chair, if it may be chosen.

    The draw decides the places of some players, and a player who was added for a later round
    has no place in round 1.
    """
    eligible_check_ins = [
        check_in
        for check_in in people.check_ins
        if check_in.chair is not None
        and (
            check_in.pk not in people.number_by_check_in
            or people.number_by_check_in[check_in.pk] in exchangeable_place_by_number
        )
    ]
    return choose_places(eligible_check_ins, list(exchangeable_place_by_number.values()))


def _assign_cards(
    newcomers: Sequence[CheckIn],
    cards: Sequence[DrivePlayer],
    place_by_check_in: Mapping[int, TablePosition | None],
    places_by_card_number: Mapping[int, TablePosition | None],
) -> dict[int, int]:
    """Give each newcomer the score card of their place, or else one of the other cards.

    Return the card numbers by check-in.
    """
    free_cards = list(cards)
    card_by_check_in: dict[int, DrivePlayer] = {}
    for check_in in newcomers:
        card_at_place = next(
            (
                card
                for card in free_cards
                if check_in.pk in place_by_check_in
                and places_by_card_number.get(card.number) == place_by_check_in[check_in.pk]
            ),
            None,
        )
        if card_at_place is not None:
            card_by_check_in[check_in.pk] = card_at_place
            free_cards.remove(card_at_place)
    number_by_check_in = {}
    for check_in in newcomers:
        card = card_by_check_in.get(check_in.pk) or free_cards.pop(0)
        card.player, card.name = (
            check_in.player,
            check_in.player.name if check_in.player else check_in.name,
        )
        card.save(update_fields=["player", "name"])
        number_by_check_in[check_in.pk] = card.number
    return number_by_check_in


def _list_exchanges(
    places_by_card_number: Mapping[int, TablePosition | None],
    chosen_places_by_number: Mapping[int, TablePosition | None],
) -> list[tuple[int, int]]:
    """Return pairs of players who exchange places, one after the other."""
    current_places_by_number, exchanges = dict(places_by_card_number), []
    for card_number, chosen_place in chosen_places_by_number.items():
        drawn_place = current_places_by_number[card_number]
        if drawn_place == chosen_place:
            continue
        other_card_number = next(
            candidate_number
            for candidate_number, candidate_place in current_places_by_number.items()
            if candidate_place == chosen_place
            and chosen_places_by_number.get(candidate_number, drawn_place) != chosen_place
        )
        current_places_by_number[card_number], current_places_by_number[other_card_number] = (
            chosen_place,
            drawn_place,
        )
        exchanges.append((card_number, other_card_number))
    return exchanges
