"""An extra table at which a late arrival plays against entries that sit out."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from boards.whist.seats import Side
from tournaments.movements.changes.repairs import (
    MAX_SHARING_TABLES,
    PlayedGroups,
    choose_compatible_items,
    map_played_groups,
)
from tournaments.movements.meetings import Contest, Meeting
from tournaments.movements.schedule import Movement

TablePlaces = tuple[int, int, int, int]  # the places at North, East, South and West


@dataclass(frozen=True, slots=True)
class SitOutTable:
    """A newcomer's table (two for teams) against entries that sit out in one round."""

    tables: tuple[Meeting, ...]
    # the opponents (or, for a single player, the partners) that must not be met again
    places_not_to_meet_again: frozenset[int]

    @property
    def board_group(self) -> int:
        """The board group that is played at the table."""
        return self.tables[0].board_group


def seat_newcomer_against_sit_outs(
    movement: Movement,
    past_meetings: Sequence[Meeting],
    future_meetings: Sequence[Meeting],
    newcomer_places: Sequence[int],
    side: Side,
) -> list[Meeting]:
    """Seat a newcomer against entries that sit out, in as many later rounds as possible.

    The newcomer meets no one twice (a single player has no partner twice), and no place at the
    table plays boards twice. Boards that are at no table are preferred. Otherwise two tables
    share boards, or more if the schedule already lets more tables share them. `side` is the
    newcomer's side in two fields. A team has two places in `newcomer_places`. A single player
    needs three players who sit out. Returns an empty list if the newcomer would play in fewer
    than half of the rounds.
    """
    rounds = sorted({meeting.round for meeting in future_meetings})
    played_groups_by_place = map_played_groups([*past_meetings, *future_meetings])
    tables_by_round = [
        list(
            _iter_sit_out_tables(
                movement,
                round_number,
                future_meetings,
                newcomer_places,
                side,
                played_groups_by_place,
            )
        )
        for round_number in rounds
    ]
    chosen_tables = choose_compatible_items(tables_by_round, _are_tables_compatible)
    if 2 * len(chosen_tables) < len(rounds):
        return []
    return [meeting for sit_out_table in chosen_tables for meeting in sit_out_table.tables]


def _are_tables_compatible(
    sit_out_table: SitOutTable, earlier_sit_out_table: SitOutTable
) -> bool:
    return (
        sit_out_table.board_group != earlier_sit_out_table.board_group
        and not sit_out_table.places_not_to_meet_again
        & earlier_sit_out_table.places_not_to_meet_again
    )


def _iter_sit_out_tables(
    movement: Movement,
    round_number: int,
    future_meetings: Sequence[Meeting],
    newcomer_places: Sequence[int],
    side: Side,
    played_groups_by_place: PlayedGroups,
) -> Iterator[SitOutTable]:
    """Yield a newcomer's possible tables in one round, those with unshared boards first."""
    round_meetings = [meeting for meeting in future_meetings if meeting.round == round_number]
    used_tables = {meeting.table for meeting in round_meetings}
    played_meetings = [
        meeting
        for meeting in round_meetings
        if not movement.absent_places.intersection(meeting.places)
    ]
    seated_places = {place for meeting in played_meetings for place in meeting.places}
    idle_places = [
        place
        for place in movement.occupied_places
        if place not in seated_places | movement.withdrawn_places
    ]
    table_counts = Counter(meeting.board_group for meeting in played_meetings)
    max_sharing_tables = _find_max_sharing_tables(movement)
    board_groups = {meeting.board_group for meeting in movement.meetings}
    for board_group in sorted(board_groups, key=lambda group: (table_counts[group], group)):
        for table_seatings in _iter_seatings(movement, idle_places, newcomer_places, side):
            table_places = {
                place for table_seating in table_seatings for place in table_seating
            }
            is_over_sharing_limit = (
                table_counts[board_group]
                and table_counts[board_group] + len(table_seatings) > max_sharing_tables
            )
            if not is_over_sharing_limit and not any(
                board_group in played_groups_by_place[place] for place in table_places
            ):
                is_individual = movement.contest is Contest.INDIVIDUAL
                places_not_to_meet_again = (
                    {table_seatings[0][2]}
                    if is_individual
                    else table_places - {*newcomer_places}
                )
                yield SitOutTable(
                    _seat_at_free_tables(
                        round_number, table_seatings, board_group, used_tables
                    ),
                    frozenset(places_not_to_meet_again),
                )


def _find_max_sharing_tables(movement: Movement) -> int:
    """Return how many tables may share a board group: the schedule's maximum, at least two."""
    table_counts = Counter(
        (meeting.round, meeting.board_group) for meeting in movement.played_meetings
    )
    return max(MAX_SHARING_TABLES, *table_counts.values())


def _iter_seatings(
    movement: Movement, idle_places: Sequence[int], newcomer_places: Sequence[int], side: Side
) -> Iterator[list[TablePlaces]]:
    """Yield possible seatings of a newcomer's table or a team's two tables."""
    if movement.contest is Contest.TEAMS:
        ns_place, ew_place = newcomer_places
        for idle_ns_place, idle_ew_place in _iter_idle_teams(movement, idle_places):
            yield [
                (ns_place, idle_ew_place, ns_place, idle_ew_place),
                (idle_ns_place, ew_place, idle_ns_place, ew_place),
            ]
    elif movement.contest is Contest.INDIVIDUAL:
        for trio in combinations(idle_places, 3):
            for partner_place in trio:
                east, west = (place for place in trio if place != partner_place)
                yield [(newcomer_places[0], east, partner_place, west)]
    else:
        yield from _iter_pair_seatings(movement, idle_places, newcomer_places[0], side)


def _iter_pair_seatings(
    movement: Movement, idle_places: Sequence[int], newcomer_place: int, side: Side
) -> Iterator[list[TablePlaces]]:
    for place in idle_places:
        if not movement.has_two_fields or movement.get_field_name(place) != side.value:
            ns_place, ew_place = (
                (newcomer_place, place) if side is Side.NS else (place, newcomer_place)
            )
            yield [(ns_place, ew_place, ns_place, ew_place)]


def _iter_idle_teams(
    movement: Movement, idle_places: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """Yield the teams whose pairs both sit out, as North-South and East-West places."""
    for place, other_place in combinations(idle_places, 2):
        if movement.get_team_number(place) == movement.get_team_number(other_place):
            yield (
                (place, other_place)
                if movement.get_field_name(place) == "NS"
                else (other_place, place)
            )


def _seat_at_free_tables(
    round_number: int,
    table_seatings: Sequence[TablePlaces],
    board_group: int,
    used_tables: set[int],
) -> tuple[Meeting, ...]:
    """Return the meetings at the first tables that are free in the round."""
    free_tables = (
        table_number
        for table_number in range(1, len(used_tables) + 3)
        if table_number not in used_tables
    )
    return tuple(
        Meeting(round_number, next(free_tables), north, east, south, west, board_group)
        for north, east, south, west in table_seatings
    )
