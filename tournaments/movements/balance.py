"""The fairness of a movement: meetings, comparisons and drawbacks."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, combinations, product

from tournaments.movements.meetings import Contest, Meeting
from tournaments.movements.schedule import Movement
from tournaments.movements.sides import BoardGroupsBySide

Pairing = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Spread:
    """The smallest and the largest value of a statistic, e.g. of the meetings of two pairs."""

    minimum: int
    maximum: int


@dataclass(frozen=True, slots=True)
class Balance:
    """Fairness statistics of one movement; absent places are not included.

    A competitor is a place, or a team in a contest of teams. A pairing is two competitors.

    * `met_pairing_count` of `possible_pairing_count` oppose each other at least once. If there
      are two fields, only pairings across the fields count.
    * `meeting_spread`: how often two competitors meet. For teams, the board groups are counted.
    * `comparison_spread`: the board groups on which two competitors sit the same way at
      different tables. If there are two winners, only pairings within a field count.
    * `unplayed_group_spread`: the board groups in play that a competitor never plays.
    * `replay_count`: the board groups that a player plays twice.
    * `shared_group_count`: how often a board group is at more tables in a round than it has
      copies.
    * `partner_spread` and `opponent_spread` are only set for single players.
    * `same_side_counts`: for any two competitors, how often they are compared, as a matrix.
    * `influence_matrix`: the same number minus how often they sit opposite ways. Both matrices
      leave out meetings at one table.
    """

    met_pairing_count: int
    possible_pairing_count: int
    unmet_pairings: tuple[Pairing, ...]
    meeting_spread: Spread
    comparison_spread: Spread
    replay_count: int
    shared_group_count: int
    unplayed_group_spread: Spread
    sit_out_spread: Spread
    sit_outs_by_place: dict[int, int]
    stationary_places: tuple[int, ...]
    partner_spread: Spread | None
    opponent_spread: Spread | None
    same_side_counts: tuple[tuple[int, ...], ...]
    influence_matrix: tuple[tuple[int, ...], ...]
    competitors: tuple[int, ...]


def compute_balance(movement: Movement) -> Balance:
    """Compute the fairness statistics of a movement."""
    played_meetings = movement.played_meetings
    competitors_by_place = _map_places_to_competitors(movement)
    competitors = tuple(sorted(set(competitors_by_place.values())))
    opposing_pairings, jointly_ranked_pairings = _list_pairings(movement, competitors)
    is_individual = movement.contest is Contest.INDIVIDUAL
    opposition_counts = _count_oppositions(
        played_meetings,
        competitors_by_place,
        should_count_groups_once=movement.contest is Contest.TEAMS,
    )
    partnership_counts = _count_partnerships(played_meetings) if is_individual else Counter()
    sides = BoardGroupsBySide(played_meetings, competitors_by_place)
    same_side_counts, influence_matrix = sides.build_comparison_matrices(competitors)
    indexes_by_competitor = {competitor: index for index, competitor in enumerate(competitors)}
    meeting_spread = _compute_spread(
        opposition_counts[pairing] for pairing in opposing_pairings
    )
    playing_places = [place for meeting in played_meetings for place in meeting.places]
    sit_out_counts_by_place = _count_sit_outs(movement, playing_places)
    return Balance(
        met_pairing_count=sum(pairing in opposition_counts for pairing in opposing_pairings),
        possible_pairing_count=len(opposing_pairings),
        unmet_pairings=tuple(
            pairing for pairing in opposing_pairings if pairing not in opposition_counts
        ),
        meeting_spread=meeting_spread,
        comparison_spread=_compute_spread(
            same_side_counts[indexes_by_competitor[first_competitor]][
                indexes_by_competitor[second_competitor]
            ]
            for first_competitor, second_competitor in jointly_ranked_pairings
        ),
        replay_count=len(playing_places) - _count_different_plays(played_meetings, sides),
        shared_group_count=_count_shared_groups(played_meetings, movement.copy_count),
        unplayed_group_spread=_compute_spread(sides.iter_unplayed_group_counts()),
        sit_out_spread=_compute_spread(sit_out_counts_by_place.values()),
        sit_outs_by_place=sit_out_counts_by_place,
        stationary_places=_find_stationary_places(played_meetings),
        partner_spread=_compute_spread(
            partnership_counts[pairing] for pairing in opposing_pairings
        )
        if is_individual
        else None,
        opponent_spread=meeting_spread if is_individual else None,
        same_side_counts=same_side_counts,
        influence_matrix=influence_matrix,
        competitors=competitors,
    )


def count_opponents_met(movement: Movement, balance: Balance) -> tuple[Spread, int]:
    """Return how many opponents the competitors meet, and the highest possible number.

    The first value is the minimum and the maximum over all competitors.
    """
    competitors = balance.competitors
    possible_opponent_counts = dict.fromkeys(competitors, len(competitors) - 1)
    if movement.contest is not Contest.TEAMS and movement.has_two_fields:
        sizes_by_field_name = Counter(
            movement.get_field_name(competitor) for competitor in competitors
        )
        possible_opponent_counts = {
            competitor: len(competitors)
            - sizes_by_field_name[movement.get_field_name(competitor)]
            for competitor in competitors
        }
    unmet_opponent_counts = Counter(chain.from_iterable(balance.unmet_pairings))
    return _compute_spread(
        possible_opponent_counts[competitor] - unmet_opponent_counts[competitor]
        for competitor in competitors
    ), max(possible_opponent_counts.values(), default=0)


def _map_places_to_competitors(movement: Movement) -> dict[int, int]:
    if movement.contest is Contest.TEAMS:
        return {place: movement.get_team_number(place) for place in movement.occupied_places}
    return {place: place for place in movement.occupied_places}


def _list_pairings(
    movement: Movement, competitors: tuple[int, ...]
) -> tuple[list[Pairing], list[Pairing]]:
    """Return the pairings that could meet, and the pairings that are ranked together."""
    all_pairings = list(combinations(competitors, 2))
    if movement.contest is Contest.TEAMS or not movement.has_two_fields:
        return all_pairings, all_pairings
    field_names_by_competitor = {
        competitor: movement.get_field_name(competitor) for competitor in competitors
    }
    opposing_pairings = [
        (first_competitor, second_competitor)
        for first_competitor, second_competitor in all_pairings
        if field_names_by_competitor[first_competitor]
        != field_names_by_competitor[second_competitor]
    ]
    if movement.winner_count == 1:
        return opposing_pairings, all_pairings
    return opposing_pairings, [
        (first_competitor, second_competitor)
        for first_competitor, second_competitor in all_pairings
        if field_names_by_competitor[first_competitor]
        == field_names_by_competitor[second_competitor]
    ]


def _count_oppositions(
    played_meetings: list[Meeting],
    competitors_by_place: dict[int, int],
    *,
    should_count_groups_once: bool,
) -> Counter[Pairing]:
    """Count how often any two competitors oppose each other.

    If `should_count_groups_once` is True, each board group counts once, as for teams.
    """
    oppositions = (
        (
            _sort_pairing(competitors_by_place[ns_place], competitors_by_place[ew_place]),
            meeting.board_group,
        )
        for meeting in played_meetings
        for ns_place, ew_place in product(meeting.ns, meeting.ew)
    )
    return Counter(
        [
            pairing
            for pairing, _group in (
                set(oppositions) if should_count_groups_once else oppositions
            )
        ]
    )


def _count_partnerships(played_meetings: list[Meeting]) -> Counter[Pairing]:
    return Counter(
        [
            _sort_pairing(*side)
            for meeting in played_meetings
            for side in (meeting.ns, meeting.ew)
            if len(side) == 2
        ]
    )


def _count_different_plays(played_meetings: list[Meeting], sides: BoardGroupsBySide) -> int:
    """Return the sum, over all places, of how many different board groups the place plays."""
    if all(place == competitor for place, competitor in sides.competitors_by_place.items()):
        return sum(
            (
                sides.ns_group_bits_by_competitor[competitor]
                | sides.ew_group_bits_by_competitor[competitor]
            ).bit_count()
            for competitor in sides.ns_group_bits_by_competitor
        )
    return len(
        {
            (place, meeting.board_group)
            for meeting in played_meetings
            for place in meeting.places
        }
    )


def _count_shared_groups(played_meetings: list[Meeting], copy_count: int) -> int:
    table_counts = Counter(
        [(meeting.round, meeting.board_group) for meeting in played_meetings]
    )
    return sum(table_count > copy_count for table_count in table_counts.values())


def _count_sit_outs(movement: Movement, playing_places: list[int]) -> dict[int, int]:
    """Return the number of sit-outs of each place.

    `playing_places` contains a place once for each round that it plays.
    """
    play_counts_by_place = Counter(playing_places)
    return {
        place: movement.round_count - play_counts_by_place[place]
        for place in movement.occupied_places
    }


def _find_stationary_places(played_meetings: list[Meeting]) -> tuple[int, ...]:
    """Return the places that never leave their table (or their seat, for single players)."""
    first_seats_by_place: dict[int, tuple[int, int]] = {}
    moving_places: set[int] = set()
    for meeting in played_meetings:
        seats = meeting[2:6]
        is_pairs_meeting = len(meeting.places) == 2
        for seat_index, place in enumerate(seats[:2] if is_pairs_meeting else seats):
            seat_number = 0 if is_pairs_meeting or seats.count(place) > 1 else seat_index
            table_and_seat = (meeting.table, seat_number)
            if first_seats_by_place.setdefault(place, table_and_seat) != table_and_seat:
                moving_places.add(place)
    return tuple(sorted(first_seats_by_place.keys() - moving_places))


def _compute_spread(numbers: Iterable[int]) -> Spread:
    listed_numbers = list(numbers)
    return Spread(min(listed_numbers, default=0), max(listed_numbers, default=0))


def _sort_pairing(first_competitor: int, second_competitor: int) -> Pairing:
    return (
        (first_competitor, second_competitor)
        if first_competitor < second_competitor
        else (second_competitor, first_competitor)
    )
