"""The moves after a round as loops for a picture, derived from a schedule."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournaments.movements.follow_order import split_by_table_order
from tournaments.movements.formatting import format_place_for_players
from tournaments.movements.schedule import Movement

Stop = tuple[int, str]
"""A table with one of its sides or seats, e.g. (3, "EW") or (3, "E")."""
NO_STOP: Stop = (0, "")


@dataclass(frozen=True, slots=True)
class Walk:
    """Loops of stops: after a round, the player at each stop moves to the next one.

    A stop is a table if only one side moves, else a side of a table. With `by_number` it is a
    competitor, who moves to the table that the next one has just left. `usual` is how many of
    the `moves` between rounds follow the loops.
    """

    loops: tuple[tuple[str, ...], ...]
    stay: tuple[str, ...]  # stops that no one leaves; empty if a whole side is stationary
    by_number: bool
    by_table: str  # the side that moves, "NS" or "EW", if the other is stationary; else ""
    usual: int
    moves: int


def find_walk(movement: Movement) -> Walk | None:
    """Return the moves for a picture, or None if no one moves or all moves are on guide
    cards.
    """
    moves = movement.rounds - 1
    if moves < 1:
        return None
    moves_by_round = [_map_moves(movement, number) for number in range(1, movement.rounds)]
    usual, times = Counter(frozenset(each.items()) for each in moves_by_round).most_common(1)[0]
    if 2 * times >= moves:
        return _find_seat_walk(movement, dict(usual), times, moves)
    if movement.two_fields:
        return _find_one_side_walk(movement, moves_by_round, moves)
    return _find_number_walk(movement, moves)


def _map_moves(movement: Movement, number: int) -> dict[Stop, Stop]:
    """Map each stop of a round to the stop of the same players in the next round."""
    old_stops, new_stops = _map_stops(movement, number), _map_stops(movement, number + 1)
    return {stop: new_stops[place] for place, stop in old_stops.items()}


def _map_stops(movement: Movement, number: int) -> dict[int, Stop]:
    stops = dict.fromkeys(range(1, movement.places + 1), NO_STOP)
    for meeting in movement.in_round(number):
        four = (meeting.north, meeting.east, meeting.south, meeting.west)
        for seat, place in zip("NESW", four, strict=True):
            side = "NS" if seat in "NS" else "EW"
            is_individual = (
                (meeting.north == meeting.south)
                if side == "NS"
                else (meeting.east == meeting.west)
            )
            stops[place] = (meeting.table, side if is_individual else seat)
    return stops


def _find_seat_walk(
    movement: Movement, next_stops: Mapping[Stop, Stop], usual: int, moves: int
) -> Walk | None:
    """Return the loops of seats that most rounds follow."""
    if sorted(next_stops) != sorted(next_stops.values()):
        return None
    loops = _find_loops(next_stops)
    walking = [loop for loop in loops if len(loop) > 1]
    if not walking:
        return None
    sides = {side for loop in walking for _table, side in loop}
    staying = [loop[0] for loop in loops if len(loop) == 1]
    if len(sides) == 1 and sides <= {"NS", "EW"} and movement.two_fields:
        (side,) = sides
        texts = tuple(
            tuple(movement.table_called(table) for table, _side in loop) for loop in walking
        )
        return Walk(texts, (), False, side, usual, moves)
    texts = tuple(tuple(_format_stop(stop) for stop in loop) for loop in walking)
    staying_labels = tuple(_format_stop(stop) for stop in staying)
    return Walk(texts, staying_labels, False, "", usual, moves)


def _find_loops(next_stops: Mapping[Stop, Stop]) -> list[list[Stop]]:
    """Return the closed loops that moves form, the longest first."""
    remaining, loops = sorted(next_stops), []
    while remaining:
        loop = [remaining.pop(0)]
        while (following := next_stops[loop[-1]]) != loop[0]:
            remaining.remove(following)
            loop.append(following)
        loops.append(loop)
    return sorted(loops, key=lambda loop: -len(loop))


def _format_stop(stop: Stop) -> str:
    table, side = stop
    return format_place_for_players(f"{table}{side}") if table else _("sits out")


def _find_one_side_walk(
    movement: Movement, moves_by_round: list[dict[Stop, Stop]], moves: int
) -> Walk | None:
    """Return the loops of East-West if not all of North-South stay, as with a rover."""
    steps = Counter(
        frozenset(
            (old_stop[0], new_stop[0])
            for old_stop, new_stop in each.items()
            if old_stop[1] == new_stop[1] == "EW"
        )
        for each in moves_by_round
    )
    usual, times = steps.most_common(1)[0]
    tables = {(old_stop, "EW"): (new_stop, "EW") for old_stop, new_stop in usual}
    if 2 * times < moves or sorted(tables) != sorted(tables.values()):
        return None
    walking = [loop for loop in _find_loops(tables) if len(loop) > 1]
    texts = tuple(
        tuple(movement.table_called(table) for table, _side in loop) for loop in walking
    )
    return Walk(texts, (), False, "EW", times, moves) if texts else None


def _find_number_walk(movement: Movement, moves: int) -> Walk | None:
    """Return one loop of competitors, where each moves to the table that the next one has
    left.
    """
    order, staying = split_by_table_order(movement)
    if len(order) < 2:
        return None
    names = tuple(movement.format_place(place) for place in order)
    staying_labels = tuple(
        movement.format_place(place) for place in staying if place not in movement.absent
    )
    return Walk((names,), staying_labels, True, "", moves, moves)
