"""Extra tables and filled seats for players who would sit out because of a withdrawal."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from tournaments.movements.changes.repairs import PlayedGroups, map_played_groups
from tournaments.movements.meetings import Meeting
from tournaments.movements.schedule import Movement

SEAT_NAMES = ("north", "east", "south", "west")


def seat_idle_pairs_together(
    movement: Movement, past_meetings: Sequence[Meeting], future_meetings: Sequence[Meeting]
) -> list[Meeting]:
    """Add tables where pairs that sit out in the same round play each other.

    The two pairs must not meet in another round. They need a board group that is at no table
    and that neither pair plays. If there are two fields, one pair of each field is needed.
    """
    all_meetings = [*past_meetings, *future_meetings]
    earlier_pairings = {frozenset(meeting.places) for meeting in all_meetings}
    played_groups_by_place = map_played_groups(all_meetings)
    board_groups = sorted({meeting.board_group for meeting in all_meetings})
    planned_table_by_round_and_place = {
        (meeting.round, place): meeting.table
        for meeting in movement.meetings
        for place in meeting.places
    }
    added_meetings: list[Meeting] = []
    for round_number in sorted({meeting.round for meeting in future_meetings}):
        round_meetings = [
            meeting for meeting in future_meetings if meeting.round == round_number
        ]
        seated_places = {place for meeting in round_meetings for place in meeting.places}
        idle_places = [
            place
            for place in movement.occupied_places
            if place not in seated_places
            and (round_number, place) in planned_table_by_round_and_place
        ]
        for place, other_place in combinations(idle_places, 2):
            ns_and_ew_places = _assign_sides(movement, place, other_place)
            if (
                not ns_and_ew_places
                or frozenset(ns_and_ew_places) in earlier_pairings
                or seated_places & set(ns_and_ew_places)
            ):
                continue
            excluded_board_groups = (
                {meeting.board_group for meeting in round_meetings}
                | played_groups_by_place[place]
                | played_groups_by_place[other_place]
            )
            board_group = next(
                (
                    board_group
                    for board_group in board_groups
                    if board_group not in excluded_board_groups
                ),
                None,
            )
            table_number = planned_table_by_round_and_place[round_number, ns_and_ew_places[0]]
            if board_group is None or table_number in {
                meeting.table for meeting in round_meetings
            }:
                continue
            added_meeting = Meeting(
                round_number, table_number, *ns_and_ew_places, *ns_and_ew_places, board_group
            )
            round_meetings.append(added_meeting)
            added_meetings.append(added_meeting)
            earlier_pairings.add(frozenset(ns_and_ew_places))
            seated_places.update(ns_and_ew_places)
            _record_play(added_meeting, played_groups_by_place)
    return added_meetings


def fill_empty_seats(
    movement: Movement, past_meetings: Sequence[Meeting], future_meetings: Sequence[Meeting]
) -> list[Meeting]:
    """Fill the seats of withdrawn players with single players who would otherwise sit out.

    Only players who never play these boards are considered. The player who has partnered the
    players at the table least is chosen.
    """
    all_meetings = [*past_meetings, *future_meetings]
    played_groups_by_place = map_played_groups(all_meetings)
    partnership_counts = Counter(
        pairing for meeting in all_meetings for pairing in _iter_partnerships(meeting)
    )
    added_meetings: list[Meeting] = []
    for round_number in sorted(
        {meeting.round for meeting in movement.meetings if meeting not in past_meetings}
    ):
        seated_places = {
            place
            for meeting in [*future_meetings, *added_meetings]
            if meeting.round == round_number
            for place in meeting.places
        }
        for incomplete_meeting in movement.list_round_meetings(round_number):
            if not movement.absent_places.intersection(incomplete_meeting.places):
                continue
            completed_meeting = _complete_table(
                movement,
                incomplete_meeting,
                seated_places,
                played_groups_by_place,
                partnership_counts,
            )
            if completed_meeting is not None:
                added_meetings.append(completed_meeting)
                seated_places.update(completed_meeting.places)
                partnership_counts.update(_iter_partnerships(completed_meeting))
                _record_play(completed_meeting, played_groups_by_place)
    return added_meetings


def _complete_table(
    movement: Movement,
    incomplete_meeting: Meeting,
    seated_places: set[int],
    played_groups_by_place: PlayedGroups,
    partnership_counts: Counter[frozenset[int]],
) -> Meeting | None:
    """Seat idle players in the empty seats of a table, or return None if there are too few."""
    remaining_places = set(incomplete_meeting.places) - movement.absent_places
    if remaining_places & seated_places or any(
        incomplete_meeting.board_group in played_groups_by_place[place]
        for place in remaining_places
    ):
        return None
    for seat_name in SEAT_NAMES:
        if getattr(incomplete_meeting, seat_name) not in movement.absent_places:
            continue
        idle_places = [
            place
            for place in movement.occupied_places
            if place not in seated_places | set(incomplete_meeting.places)
            and incomplete_meeting.board_group not in played_groups_by_place[place]
        ]
        if not idle_places:
            return None
        trial_meetings = [
            incomplete_meeting._replace(**{seat_name: place}) for place in idle_places
        ]
        incomplete_meeting = min(
            trial_meetings,
            key=lambda trial_meeting: sum(
                partnership_counts[pairing] for pairing in _iter_partnerships(trial_meeting)
            ),
        )
    return incomplete_meeting


def _iter_partnerships(meeting: Meeting) -> Iterator[frozenset[int]]:
    yield from (frozenset(meeting.ns), frozenset(meeting.ew))


def _assign_sides(movement: Movement, place: int, other_place: int) -> tuple[int, int] | None:
    """Return which pair sits North-South and East-West, or None if both are in one field."""
    field_names = movement.get_field_name(place), movement.get_field_name(other_place)
    if field_names == ("EW", "NS"):
        return other_place, place
    if field_names[0] and field_names[0] == field_names[1]:
        return None
    return place, other_place


def _record_play(meeting: Meeting, played_groups_by_place: PlayedGroups) -> None:
    for place in meeting.places:
        played_groups_by_place[place].add(meeting.board_group)
