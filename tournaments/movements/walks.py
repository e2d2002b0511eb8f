"""The moves after a round as loops that a picture can show, derived from a schedule."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournaments.movements.follow_order import split_by_table_order
from tournaments.movements.formatting import format_place_for_players
from tournaments.movements.schedule import Movement

Stop = tuple[int, str]
"""A table with a side of it or, for single players, a seat: (3, "EW"), (3, "E")."""
NO_STOP: Stop = (0, "")


@dataclass(frozen=True, slots=True)
class Walk:
    """Loops of stops; after a round the player at each stop moves to the next.

    A stop is a table where only one side walks, else a table's side. With `by_number` it is a
    competitor, who moves to the table that the next one has just left. `usual` is how many of
    the `moves` between rounds follow the loops.
    """

    loops: tuple[tuple[str, ...], ...]
    stay: tuple[str, ...]  # stops that no one leaves, unless they are all of one side
    by_number: bool
    by_table: str  # the side that moves, "NS" or "EW", if the other is stationary; else ""
    usual: int
    moves: int


def find_walk(movement: Movement) -> Walk | None:
    """Return the moves to draw; None if no one moves, or if everyone follows guide cards."""
    moves = movement.rounds - 1
    if moves < 1:
        return None
    goes = [_map_moves(movement, number) for number in range(1, movement.rounds)]
    usual, times = Counter(frozenset(each.items()) for each in goes).most_common(1)[0]
    if 2 * times >= moves:
        return _find_seat_walk(movement, dict(usual), times, moves)
    if movement.two_fields:
        return _find_one_side_walk(movement, goes, moves)
    return _find_number_walk(movement, moves)


def _map_moves(movement: Movement, number: int) -> dict[Stop, Stop]:
    """Map each stop of a round to the stop of the same players in the next round."""
    before, after = _map_stops(movement, number), _map_stops(movement, number + 1)
    return {stop: after[place] for place, stop in before.items()}


def _map_stops(movement: Movement, number: int) -> dict[int, Stop]:
    found = dict.fromkeys(range(1, movement.places + 1), NO_STOP)
    for meeting in movement.in_round(number):
        four = (meeting.north, meeting.east, meeting.south, meeting.west)
        for seat, place in zip("NESW", four, strict=True):
            side = "NS" if seat in "NS" else "EW"
            alone = (
                (meeting.north == meeting.south)
                if side == "NS"
                else (meeting.east == meeting.west)
            )
            found[place] = (meeting.table, side if alone else seat)
    return found


def _find_seat_walk(
    movement: Movement, goes: Mapping[Stop, Stop], usual: int, moves: int
) -> Walk | None:
    """Return the loops over the seats, as in most rounds."""
    if sorted(goes) != sorted(goes.values()):
        return None
    loops = _find_loops(goes)
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
    stay = tuple(_format_stop(stop) for stop in staying)
    return Walk(texts, stay, False, "", usual, moves)


def _find_loops(goes: Mapping[Stop, Stop]) -> list[list[Stop]]:
    """Follow the moves until each loop is closed; return the longest loop first."""
    left, found = sorted(goes), []
    while left:
        loop = [left.pop(0)]
        while (following := goes[loop[-1]]) != loop[0]:
            left.remove(following)
            loop.append(following)
        found.append(loop)
    return sorted(found, key=lambda loop: -len(loop))


def _format_stop(stop: Stop) -> str:
    table, side = stop
    return format_place_for_players(f"{table}{side}") if table else _("sits out")


def _find_one_side_walk(
    movement: Movement, goes: list[dict[Stop, Stop]], moves: int
) -> Walk | None:
    """Return the loops of East-West where North-South do not all stay, as with a rover."""
    steps = Counter(
        frozenset((at[0], to[0]) for at, to in each.items() if at[1] == to[1] == "EW")
        for each in goes
    )
    usual, times = steps.most_common(1)[0]
    tables = {(at, "EW"): (to, "EW") for at, to in usual}
    if 2 * times < moves or sorted(tables) != sorted(tables.values()):
        return None
    walking = [loop for loop in _find_loops(tables) if len(loop) > 1]
    texts = tuple(
        tuple(movement.table_called(table) for table, _side in loop) for loop in walking
    )
    return Walk(texts, (), False, "EW", times, moves) if texts else None


def _find_number_walk(movement: Movement, moves: int) -> Walk | None:
    """Return one loop of numbers, where each moves to the table that the next has left."""
    order, staying = split_by_table_order(movement)
    if len(order) < 2:
        return None
    names = tuple(movement.format_place(place) for place in order)
    stay = tuple(
        movement.format_place(place) for place in staying if place not in movement.absent
    )
    return Walk((names,), stay, True, "", moves, moves)
