"""Describes how the competitors of one field follow each other by number."""

from collections.abc import Sequence
from itertools import pairwise

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from server.translation import gettext_noop
from tournaments.movements.formatting import join_place_names
from tournaments.movements.meetings import Contest
from tournaments.movements.schedule import Movement


def describe_follow_order(movement: Movement) -> str:
    """Describe which number each competitor follows, to the same seat or the same table."""
    leader_maps = {
        _list_places_and_leaders(movement, round_number)
        for round_number in range(1, movement.round_count)
    }
    leaders_by_place = dict(next(iter(leader_maps))) if len(leader_maps) == 1 else {}
    stationary_places = [
        place for place, leader_place in leaders_by_place.items() if leader_place == place
    ]
    if not leaders_by_place:
        stationary_places = _list_stationary_places(movement)
    moving_places = [
        place for place in range(1, movement.place_count + 1) if place not in stationary_places
    ]
    for direction, ordered_places in (
        ("lower", moving_places),
        ("higher", moving_places[::-1]),
    ):
        expected_leaders_by_place = {
            place: ordered_places[index - 1] for index, place in enumerate(ordered_places)
        }
        if leaders_by_place and all(
            leaders_by_place[place] == expected_leaders_by_place[place]
            for place in moving_places
        ):
            return " ".join(
                _list_follow_order_sentences(
                    movement, stationary_places, direction, ordered_places
                )
            )
        if (
            not leaders_by_place
            and moving_places
            and _are_leaders_followed(movement, expected_leaders_by_place)
        ):
            side_hint = _("Guide cards show the side.")
            return " ".join(
                [
                    *_list_follow_order_sentences(
                        movement, stationary_places, direction, ordered_places
                    ),
                    side_hint,
                ]
            )
    return format_guide_card_hint(movement)


def separate_looping_places(movement: Movement) -> tuple[list[int], list[int]]:
    """Return the places that follow each other in a loop, and the other places.

    Each place of the loop moves to the table that the next place has left. The loop is empty if
    no places follow each other by number.
    """
    stationary_places = _list_stationary_places(movement)
    moving_places = [
        place for place in range(1, movement.place_count + 1) if place not in stationary_places
    ]
    for ordered_places in (moving_places, moving_places[::-1]):
        leaders_by_place = {
            place: ordered_places[index - 1] for index, place in enumerate(ordered_places)
        }
        if moving_places and _are_leaders_followed(movement, leaders_by_place):
            return ordered_places[::-1], stationary_places
    return [], stationary_places


def format_guide_card_hint(movement: Movement) -> str:
    """Return a sentence that refers to the guide cards."""
    if _is_individual_contest(movement):
        return _("Each player follows the guide card.")
    return _("Each pair follows its guide card.")


def _list_follow_order_sentences(
    movement: Movement,
    stationary_places: Sequence[int],
    direction: str,
    ordered_places: Sequence[int],
) -> list[str]:
    first_name, last_name = (movement.format_place(ordered_places[index]) for index in (0, -1))
    occupied_places = [
        place for place in stationary_places if place not in movement.absent_places
    ]
    message = _(
        _FOLLOW_ORDER_TEXTS[_is_individual_contest(movement), bool(occupied_places), direction]
    )
    return [
        *_describe_stationary_places(movement, occupied_places),
        message % {"first": first_name, "last": last_name},
    ]


# Keys: whether players are ranked, whether some are stationary, which number is followed.
_FOLLOW_ORDER_TEXTS = {
    (False, False, "lower"): gettext_noop(
        "Everyone follows the pair one number lower (%(first)s follows %(last)s)."
    ),
    (False, False, "higher"): gettext_noop(
        "Everyone follows the pair one number higher (%(first)s follows %(last)s)."
    ),
    (False, True, "lower"): gettext_noop(
        "Everyone else follows the pair one number lower (%(first)s follows %(last)s)."
    ),
    (False, True, "higher"): gettext_noop(
        "Everyone else follows the pair one number higher (%(first)s follows %(last)s)."
    ),
    (True, False, "lower"): gettext_noop(
        "Everyone follows the player one number lower (%(first)s follows %(last)s)."
    ),
    (True, False, "higher"): gettext_noop(
        "Everyone follows the player one number higher (%(first)s follows %(last)s)."
    ),
    (True, True, "lower"): gettext_noop(
        "Everyone else follows the player one number lower (%(first)s follows %(last)s)."
    ),
    (True, True, "higher"): gettext_noop(
        "Everyone else follows the player one number higher (%(first)s follows %(last)s)."
    ),
}


def _list_stationary_places(movement: Movement) -> list[int]:
    return [
        place
        for place in range(1, movement.place_count + 1)
        if len({meeting.table for meeting in movement.list_place_meetings(place)}) == 1
    ]


def _are_leaders_followed(movement: Movement, leaders_by_place: dict[int, int]) -> bool:
    """Return whether each place moves to the table that its leader has just left."""
    tables_by_round = [
        {
            place: table_and_seat[0]
            for place, table_and_seat in _map_seats(movement, round_number).items()
        }
        for round_number in range(1, movement.round_count + 1)
    ]
    return all(
        new_table_by_place[place] == old_table_by_place[leader_place]
        for old_table_by_place, new_table_by_place in pairwise(tables_by_round)
        for place, leader_place in leaders_by_place.items()
    )


def _describe_stationary_places(movement: Movement, places: Sequence[int]) -> list[str]:
    place_names = [movement.format_place(place) for place in places]
    if not place_names:
        return []
    if _is_individual_contest(movement):
        message = ngettext(
            "Player %(names)s stays.", "Players %(names)s stay.", len(place_names)
        )
    else:
        message = ngettext("Pair %(names)s stays.", "Pairs %(names)s stay.", len(place_names))
    return [message % {"names": join_place_names(place_names)}]


def _is_individual_contest(movement: Movement) -> bool:
    return movement.contest is Contest.INDIVIDUAL


def _list_places_and_leaders(
    movement: Movement, round_number: int
) -> tuple[tuple[int, int], ...]:
    """Return (place, leader) for each place. After the round the place takes the leader's seat.

    The leader is 0 if no place had that seat. All sit-outs count as one seat.
    """
    old_seats_by_place, new_seats_by_place = (
        _map_seats(movement, round_number),
        _map_seats(movement, round_number + 1),
    )
    places_by_old_seat = {
        table_and_seat: place for place, table_and_seat in old_seats_by_place.items()
    }
    return tuple(
        (place, places_by_old_seat.get(table_and_seat, 0))
        for place, table_and_seat in sorted(new_seats_by_place.items())
    )


def _map_seats(movement: Movement, round_number: int) -> dict[int, tuple[int, int]]:
    seats_by_place = dict.fromkeys(range(1, movement.place_count + 1), (0, 0))
    for meeting in movement.list_round_meetings(round_number):
        seats = (meeting.north, meeting.east, meeting.south, meeting.west)
        for seat_index, place in reversed(list(enumerate(seats))):
            seats_by_place[place] = (meeting.table, seat_index)
    return seats_by_place
