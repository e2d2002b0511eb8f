"""Checks whether each player or pair needs a separate guide card."""

from tournaments.movements.meetings import Contest
from tournaments.movements.schedule import Movement


def needs_own_guide_cards(movement: Movement) -> bool:
    """Return whether any place moves by a different rule than the rest of its field.

    A field that moves together follows the card on the table, and stationary places need no
    card. In Howell, individual and rover movements, each place moves differently.
    """
    if movement.contest is Contest.MEMORY or movement.round_count == 1:
        return False
    if not movement.has_two_fields:
        return not all(_is_stationary(movement, place) for place in movement.occupied_places)
    return any(_is_rover(movement, place) for place in movement.occupied_places) or any(
        _has_uneven_field_moves(movement, field_name, round_number)
        for field_name in ("NS", "EW")
        for round_number in range(1, movement.round_count)
    )


def _is_stationary(movement: Movement, place: int) -> bool:
    meetings = movement.list_place_meetings(place)
    return len({(meeting.table, meeting.find_side(place)) for meeting in meetings}) <= 1


def _is_rover(movement: Movement, place: int) -> bool:
    return all(meeting.round != 1 for meeting in movement.list_place_meetings(place))


def _has_uneven_field_moves(movement: Movement, field_name: str, round_number: int) -> bool:
    """Return whether the places of a field move by different numbers of tables."""
    steps, table_count = set(), movement.table_count
    for place in movement.occupied_places:
        if movement.get_field_name(place) != field_name:
            continue
        tables_by_round = {
            meeting.round: meeting.table for meeting in movement.list_place_meetings(place)
        }
        if round_number in tables_by_round and round_number + 1 in tables_by_round:
            steps.add(
                (tables_by_round[round_number + 1] - tables_by_round[round_number])
                % table_count
            )
    return len(steps) > 1
