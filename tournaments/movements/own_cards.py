"""Checks whether each player or pair needs a guide card of its own."""

from tournaments.movements.meetings import Contest
from tournaments.movements.schedule import Movement


def needs_own_cards(movement: Movement) -> bool:
    """Return whether any place moves by a different rule than the rest of its field.

    A field that moves together follows the card on the table, and stationary places need no
    card. In a Howell, an individual and a rover movement each place has its own moves.
    """
    if movement.contest is Contest.MEMORY or movement.rounds == 1:
        return False
    if not movement.two_fields:
        return not all(_is_stationary(movement, place) for place in movement.occupied_places)
    return any(_is_rover(movement, place) for place in movement.occupied_places) or any(
        _is_field_split(movement, field, number)
        for field in ("NS", "EW")
        for number in range(1, movement.rounds)
    )


def _is_stationary(movement: Movement, place: int) -> bool:
    meetings = movement.list_place_meetings(place)
    return len({(meeting.table, meeting.side_of(place)) for meeting in meetings}) <= 1


def _is_rover(movement: Movement, place: int) -> bool:
    return all(meeting.round != 1 for meeting in movement.list_place_meetings(place))


def _is_field_split(movement: Movement, field: str, number: int) -> bool:
    """Return whether the places of a field move by different steps after a round."""
    steps, tables = set(), movement.tables
    for place in movement.occupied_places:
        if movement.field(place) != field:
            continue
        table_by_round = {
            meeting.round: meeting.table for meeting in movement.list_place_meetings(place)
        }
        if number in table_by_round and number + 1 in table_by_round:
            steps.add((table_by_round[number + 1] - table_by_round[number]) % tables)
    return len(steps) > 1
