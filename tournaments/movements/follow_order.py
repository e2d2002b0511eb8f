"""Describes how the players of one field follow each other by number."""

from collections.abc import Sequence
from itertools import pairwise

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from server.translation import gettext_noop
from tournaments.movements.formatting import join_place_names
from tournaments.movements.meetings import Contest
from tournaments.movements.schedule import Movement


def describe_one_field(movement: Movement) -> str:
    """Describe who follows whom by number, to the same seat or at least to the same table."""
    followed = {_map_followed_seats(movement, number) for number in range(1, movement.rounds)}
    leaders = dict(next(iter(followed))) if len(followed) == 1 else {}
    staying = [place for place, leader in leaders.items() if leader == place]
    if not leaders:
        staying = _list_stationary(movement)
    row = [place for place in range(1, movement.places + 1) if place not in staying]
    for direction, order in (("lower", row), ("higher", row[::-1])):
        follows = {place: order[i - 1] for i, place in enumerate(order)}
        if leaders and all(leaders[place] == follows[place] for place in row):
            return " ".join(_describe_following(movement, staying, direction, order))
        if not leaders and row and _follows_by_table(movement, follows):
            side = _("Guide cards show the side.")
            return " ".join([*_describe_following(movement, staying, direction, order), side])
    return format_guide_card_hint(movement)


def split_by_table_order(movement: Movement) -> tuple[list[int], list[int]]:
    """Return the places that follow each other in a loop, and the other places.

    Each place of the loop moves to the table that the next one has left. The loop is empty if
    no places follow each other by number.
    """
    staying = _list_stationary(movement)
    row = [place for place in range(1, movement.places + 1) if place not in staying]
    for order in (row, row[::-1]):
        follows = {place: order[i - 1] for i, place in enumerate(order)}
        if row and _follows_by_table(movement, follows):
            return order[::-1], staying
    return [], staying


def format_guide_card_hint(movement: Movement) -> str:
    """Return a sentence that refers to the guide cards."""
    if _ranks_players(movement):
        return _("Each player follows the guide card.")
    return _("Each pair follows its guide card.")


def _describe_following(
    movement: Movement, staying: Sequence[int], direction: str, order: Sequence[int]
) -> list[str]:
    first, last = (movement.format_place(order[index]) for index in (0, -1))
    present = [place for place in staying if place not in movement.absent]
    message = _(_FOLLOWING[_ranks_players(movement), bool(present), direction])
    return [*_describe_stationary(movement, present), message % {"first": first, "last": last}]


# Keys: whether players are ranked, whether some are stationary, which number is followed.
_FOLLOWING = {
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


def _list_stationary(movement: Movement) -> list[int]:
    return [
        place
        for place in range(1, movement.places + 1)
        if len({meeting.table for meeting in movement.list_place_meetings(place)}) == 1
    ]


def _follows_by_table(movement: Movement, follows: dict[int, int]) -> bool:
    """Return whether each place moves to the table that its leader has just left."""
    tables = [
        {place: seat[0] for place, seat in _map_seats(movement, number).items()}
        for number in range(1, movement.rounds + 1)
    ]
    return all(
        new_tables[place] == old_tables[leader]
        for old_tables, new_tables in pairwise(tables)
        for place, leader in follows.items()
    )


def _describe_stationary(movement: Movement, places: Sequence[int]) -> list[str]:
    names = [movement.format_place(place) for place in places]
    if not names:
        return []
    if _ranks_players(movement):
        message = ngettext("Player %(names)s stays.", "Players %(names)s stay.", len(names))
    else:
        message = ngettext("Pair %(names)s stays.", "Pairs %(names)s stay.", len(names))
    return [message % {"names": join_place_names(names)}]


def _ranks_players(movement: Movement) -> bool:
    return movement.contest is Contest.INDIVIDUAL


def _map_followed_seats(movement: Movement, number: int) -> tuple[tuple[int, int], ...]:
    """Return whose seat each place takes after a round; all sit-outs count as one seat."""
    old_seats, new_seats = _map_seats(movement, number), _map_seats(movement, number + 1)
    sitters = {seat: place for place, seat in old_seats.items()}
    return tuple((place, sitters.get(seat, 0)) for place, seat in sorted(new_seats.items()))


def _map_seats(movement: Movement, number: int) -> dict[int, tuple[int, int]]:
    seat_by_place = dict.fromkeys(range(1, movement.places + 1), (0, 0))
    for meeting in movement.in_round(number):
        seats = (meeting.north, meeting.east, meeting.south, meeting.west)
        for seat, place in reversed(list(enumerate(seats))):
            seat_by_place[place] = (meeting.table, seat)
    return seat_by_place
