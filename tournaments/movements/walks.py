"""The moves after a round as loops for a picture, derived from a schedule."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournaments.movements.follow_order import separate_looping_places
from tournaments.movements.formatting import format_place_for_players
from tournaments.movements.schedule import Movement

LoopStop = tuple[int, str]
"""A table with one of its sides or seats, e.g. (3, "EW") or (3, "E")."""
SIT_OUT_STOP: LoopStop = (0, "")


@dataclass(frozen=True, slots=True)
class MovementLoops:
    """Loops of stops: after a round, the player at each stop moves to the next one.

    A stop is a table if only one side moves, or else a side of a table. If `is_in_number_order`
    is True, a stop is a competitor, who moves to the table that the next competitor has just
    left. `move_count` is the number of moves between rounds, and `usual_move_count` is the
    number of moves that follow the loops.
    """

    loops: tuple[tuple[str, ...], ...]
    # stops that no one leaves; empty if a whole side is stationary
    stationary_stops: tuple[str, ...]
    is_in_number_order: bool
    moving_side: str  # the side that moves, "NS" or "EW", if the other is stationary; else ""
    usual_move_count: int
    move_count: int


def find_movement_loops(movement: Movement) -> MovementLoops | None:
    """Return the moves for a picture; None if no one moves, or if moves need guide cards."""
    move_count = movement.round_count - 1
    if move_count < 1:
        return None
    moves_by_round = [
        _map_moves(movement, round_number) for round_number in range(1, movement.round_count)
    ]
    usual_moves, usual_move_count = Counter(
        frozenset(next_stop_by_stop.items()) for next_stop_by_stop in moves_by_round
    ).most_common(1)[0]
    if 2 * usual_move_count >= move_count:
        return _find_seat_loops(movement, dict(usual_moves), usual_move_count, move_count)
    if movement.has_two_fields:
        return _find_one_side_loops(movement, moves_by_round, move_count)
    return _find_number_order_loop(movement, move_count)


def _map_moves(movement: Movement, round_number: int) -> dict[LoopStop, LoopStop]:
    """Map each stop of a round to the stop of the same players in the next round."""
    old_stops_by_place, new_stops_by_place = (
        _map_stops(movement, round_number),
        _map_stops(movement, round_number + 1),
    )
    return {stop: new_stops_by_place[place] for place, stop in old_stops_by_place.items()}


def _map_stops(movement: Movement, round_number: int) -> dict[int, LoopStop]:
    stops_by_place = dict.fromkeys(range(1, movement.place_count + 1), SIT_OUT_STOP)
    for meeting in movement.list_round_meetings(round_number):
        seated_places = (meeting.north, meeting.east, meeting.south, meeting.west)
        for seat_letter, place in zip("NESW", seated_places, strict=True):
            side = "NS" if seat_letter in "NS" else "EW"
            is_pair_side = (
                (meeting.north == meeting.south)
                if side == "NS"
                else (meeting.east == meeting.west)
            )
            stops_by_place[place] = (meeting.table, side if is_pair_side else seat_letter)
    return stops_by_place


def _find_seat_loops(
    movement: Movement,
    next_stop_by_stop: Mapping[LoopStop, LoopStop],
    usual_move_count: int,
    move_count: int,
) -> MovementLoops | None:
    """Return the loops of seats that most rounds follow."""
    if sorted(next_stop_by_stop) != sorted(next_stop_by_stop.values()):
        return None
    loops = _find_loops(next_stop_by_stop)
    moving_loops = [loop for loop in loops if len(loop) > 1]
    if not moving_loops:
        return None
    sides = {side for loop in moving_loops for _table, side in loop}
    stationary_stops = [loop[0] for loop in loops if len(loop) == 1]
    if len(sides) == 1 and sides <= {"NS", "EW"} and movement.has_two_fields:
        (side,) = sides
        loop_labels = tuple(
            tuple(movement.format_table(table_number) for table_number, _side in loop)
            for loop in moving_loops
        )
        return MovementLoops(loop_labels, (), False, side, usual_move_count, move_count)
    loop_labels = tuple(tuple(_format_stop(stop) for stop in loop) for loop in moving_loops)
    stationary_labels = tuple(_format_stop(stop) for stop in stationary_stops)
    return MovementLoops(
        loop_labels, stationary_labels, False, "", usual_move_count, move_count
    )


def _find_loops(next_stop_by_stop: Mapping[LoopStop, LoopStop]) -> list[list[LoopStop]]:
    """Return the closed loops that moves form, the longest first."""
    remaining_stops, loops = sorted(next_stop_by_stop), []
    while remaining_stops:
        loop = [remaining_stops.pop(0)]
        while (next_stop := next_stop_by_stop[loop[-1]]) != loop[0]:
            remaining_stops.remove(next_stop)
            loop.append(next_stop)
        loops.append(loop)
    return sorted(loops, key=lambda loop: -len(loop))


def _format_stop(stop: LoopStop) -> str:
    table_number, side = stop
    return format_place_for_players(f"{table_number}{side}") if table_number else _("sits out")


def _find_one_side_loops(
    movement: Movement, moves_by_round: list[dict[LoopStop, LoopStop]], move_count: int
) -> MovementLoops | None:
    """Return the loops of East-West if some North-South pairs move too, e.g. a rover."""
    move_counts = Counter(
        frozenset(
            (old_stop[0], new_stop[0])
            for old_stop, new_stop in round_moves.items()
            if old_stop[1] == new_stop[1] == "EW"
        )
        for round_moves in moves_by_round
    )
    usual_moves, usual_move_count = move_counts.most_common(1)[0]
    next_stop_by_stop = {
        (old_table_number, "EW"): (new_table_number, "EW")
        for old_table_number, new_table_number in usual_moves
    }
    if 2 * usual_move_count < move_count or sorted(next_stop_by_stop) != sorted(
        next_stop_by_stop.values()
    ):
        return None
    moving_loops = [loop for loop in _find_loops(next_stop_by_stop) if len(loop) > 1]
    loop_labels = tuple(
        tuple(movement.format_table(table_number) for table_number, _side in loop)
        for loop in moving_loops
    )
    return (
        MovementLoops(loop_labels, (), False, "EW", usual_move_count, move_count)
        if loop_labels
        else None
    )


def _find_number_order_loop(movement: Movement, move_count: int) -> MovementLoops | None:
    """Return a loop of competitors, each of whom moves to the table that the next one left."""
    loop, stationary_places = separate_looping_places(movement)
    if len(loop) < 2:
        return None
    place_names = tuple(movement.format_place(place) for place in loop)
    stationary_labels = tuple(
        movement.format_place(place)
        for place in stationary_places
        if place not in movement.absent_places
    )
    return MovementLoops((place_names,), stationary_labels, True, "", move_count, move_count)
