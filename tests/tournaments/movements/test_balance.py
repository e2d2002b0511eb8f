"""Compare a movement's balance statistics with manual counts of small schedules."""

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.movements import (
    Contest,
    Meeting,
    Movement,
    build_named_movement,
    compute_balance,
    make_pair_meeting,
)
from tournaments.movements.balance import count_opponents_met

COMPASS_3 = build_named_movement("compass", tables=3)


def build_four_pairs(*meetings: Meeting, **changes: object) -> Movement:
    expected: dict = {
        "name": "custom",
        "title": "Four",
        "contest": Contest.PAIRS,
        "meetings": meetings,
        "labels": ("1", "2", "3", "4"),
        "allows_sharing": True,
    }
    return Movement(**expected | changes)


def test_pairs_are_compared_within_field_and_meet_other_field() -> None:
    balance = compute_balance(COMPASS_3)
    assert (balance.met_pairing_count, balance.possible_pairing_count) == (9, 9)
    assert (balance.meeting_spread.minimum, balance.meeting_spread.maximum) == (1, 1)
    assert (balance.comparison_spread.minimum, balance.comparison_spread.maximum) == (3, 3)
    assert balance.same_side_counts[0] == (0, 3, 3, 0, 0, 0)
    assert balance.influence_matrix[0] == (0, 3, 3, -2, -2, -2)
    assert balance.stationary_places == (1, 2, 3)


def test_board_group_shared_by_two_tables_compares_same_sides_once() -> None:
    figures = compute_balance(
        build_four_pairs(make_pair_meeting(1, 1, 1, 2, 1), make_pair_meeting(1, 2, 3, 4, 1))
    )
    assert (
        figures.met_pairing_count,
        figures.possible_pairing_count,
        figures.meeting_spread.minimum,
    ) == (
        2,
        6,
        0,
    )
    assert figures.unmet_pairings == ((1, 3), (1, 4), (2, 3), (2, 4))
    assert figures.same_side_counts == ((0, 0, 1, 0), (0, 0, 0, 1), (1, 0, 0, 0), (0, 1, 0, 0))
    assert figures.influence_matrix[0] == (0, 0, 1, -1)
    assert (figures.shared_group_count, figures.replay_count) == (1, 0)


def test_absent_competitors_are_excluded_from_all_stats() -> None:
    figures = compute_balance(build_named_movement("compass", pairs=5))
    assert figures.competitors == (1, 2, 3, 4, 5)
    assert (figures.met_pairing_count, figures.possible_pairing_count) == (6, 6)
    assert figures.sit_outs_by_place == {1: 1, 2: 1, 3: 1, 4: 0, 5: 0}
    assert len(figures.same_side_counts) == 5
    assert (figures.comparison_spread.minimum, figures.comparison_spread.maximum) == (1, 3)
    assert (figures.unplayed_group_spread.minimum, figures.unplayed_group_spread.maximum) == (
        0,
        1,
    )


def test_repeated_board_group_is_a_replay() -> None:
    repeated_four_pairs = build_four_pairs(
        make_pair_meeting(1, 1, 1, 2, 1),
        make_pair_meeting(2, 1, 2, 1, 1),
        labels=("1", "2"),
        allows_replays=True,
    )
    assert compute_balance(repeated_four_pairs).replay_count == 2
    assert compute_balance(repeated_four_pairs).stationary_places == (1, 2)


def test_single_players_have_partners_and_opponents() -> None:
    table = Meeting(1, 1, north=1, east=2, south=3, west=4, board_group=1)
    meeting_after = Meeting(2, 1, north=1, east=3, south=2, west=4, board_group=2)
    figures = compute_balance(
        build_four_pairs(table, meeting_after, contest=Contest.INDIVIDUAL)
    )
    assert figures.partner_spread is not None
    assert figures.opponent_spread is not None
    assert (figures.partner_spread.minimum, figures.partner_spread.maximum) == (0, 1)
    assert (figures.opponent_spread.minimum, figures.opponent_spread.maximum) == (1, 2)
    assert figures.comparison_spread.maximum == 0  # partners at one table do not compete
    assert figures.stationary_places == (1, 4)
    assert compute_balance(COMPASS_3).partner_spread is None


def test_team_meetings_are_counted_by_board_group() -> None:
    figures = compute_balance(build_named_movement("new-england-relay", teams=4))
    assert figures.competitors == (1, 2, 3, 4)
    assert (figures.met_pairing_count, figures.possible_pairing_count) == (6, 6)
    assert (figures.meeting_spread.minimum, figures.meeting_spread.maximum) == (1, 1)


@pytest.mark.parametrize("pairs", [8, 12, 16])
def test_comparison_matrix_is_symmetric(pairs: int) -> None:
    figures = compute_balance(build_named_movement("howell", pairs=pairs))
    for square in (figures.same_side_counts, figures.influence_matrix):
        assert square == tuple(zip(*square, strict=True))
    off_diagonal = {
        n for i, row in enumerate(figures.same_side_counts) for j, n in enumerate(row) if i != j
    }
    assert off_diagonal == {pairs // 2 - 1}


def count_comparisons(
    movement: Movement, first_competitor: int, second_competitor: int
) -> tuple[int, int]:
    """Return on how many groups two sit the same way, and opposite ways: table by table."""
    same_side_groups, opposite_side_groups = set(), set()
    team = (
        movement.get_team_number if movement.contest is Contest.TEAMS else lambda place: place
    )
    for first_meeting in movement.played_meetings:
        for second_meeting in movement.played_meetings:
            if (
                first_meeting is second_meeting
                or first_meeting.board_group != second_meeting.board_group
            ):
                continue
            for a in first_meeting.places:
                for b in second_meeting.places:
                    if (team(a), team(b)) == (first_competitor, second_competitor):
                        is_same_side = first_meeting.find_side(a) == second_meeting.find_side(b)
                        (same_side_groups if is_same_side else opposite_side_groups).add(
                            first_meeting.board_group
                        )
    return len(same_side_groups), len(opposite_side_groups)


@pytest.mark.parametrize(
    "movement",
    [
        build_named_movement("compass", pairs=9),
        build_named_movement("compass", tables=5, one_winner=True),
        build_named_movement("compass-relay", tables=4),
        build_named_movement("howell", pairs=9),
        build_named_movement("four-pairs"),
        build_named_movement("memory"),
        build_named_movement("four-individuals"),
        build_named_movement("eight-individuals"),
        build_named_movement("whist-individual", players=7),
        build_named_movement("howell-teams", teams=5),
        build_named_movement("gilman", teams=5),
        build_named_movement("new-england-relay", teams=6),
        build_named_movement("three-teams"),
        build_named_movement("league-fours"),
        build_named_movement("club-against-club", teams=4),
        build_named_movement("barometer", pairs=8),
        build_named_movement("web", tables=8, rounds=7),
    ],
    ids=lambda movement: movement.title,
)
def test_comparisons_equal_direct_count_by_table(movement: Movement) -> None:
    check_balance(movement)


@pytest.mark.parametrize(
    "movement",
    [
        build_named_movement("compass", pairs=9),
        build_named_movement("compass", tables=5, rounds=3),
        build_named_movement("howell", pairs=8),
        build_named_movement("howell", pairs=10, rounds=4),
        build_named_movement("whist-individual", players=14),
        build_named_movement("new-england-relay", teams=6, rounds=3),
    ],
    ids=lambda movement: movement.title,
)
def test_opponents_are_competitors_met_at_a_table(movement: Movement) -> None:
    team = (
        movement.get_team_number if movement.contest is Contest.TEAMS else lambda place: place
    )
    opponents_by_competitor: dict[int, set[int]] = {
        team(place): set() for place in movement.occupied_places
    }
    for meeting in movement.played_meetings:
        for place in meeting.places:
            ew = meeting.ew if place in meeting.ns else meeting.ns
            opponents_by_competitor[team(place)] |= {team(other) for other in ew}
    actual, possible_count = count_opponents_met(movement, compute_balance(movement))
    assert (actual.minimum, actual.maximum) == (
        min(map(len, opponents_by_competitor.values())),
        max(map(len, opponents_by_competitor.values())),
    )
    fields = Counter(movement.get_field_name(place) for place in movement.occupied_places)
    has_two_fields = movement.has_two_fields and movement.contest is Contest.PAIRS
    assert possible_count == (
        max(fields.values()) if has_two_fields else len(opponents_by_competitor) - 1
    )


def check_balance(movement: Movement) -> None:
    figures = compute_balance(movement)
    for (row, one), (column, other) in permutations(enumerate(figures.competitors), 2):
        alike, opposite = count_comparisons(movement, one, other)
        assert figures.same_side_counts[row][column] == alike
        assert figures.influence_matrix[row][column] == alike - opposite
    assert all(figures.same_side_counts[n][n] == 0 for n in range(len(figures.competitors)))


@given(
    st.lists(
        st.tuples(st.permutations([1, 2, 3, 4]), st.integers(1, 3), st.integers(1, 3)),
        min_size=1,
        max_size=6,
    )
)
def test_comparisons_with_replays_and_sharing_equal_direct_count(
    rows: list[tuple[list[int], int, int]],
) -> None:
    meetings = []
    for number, ((a, b, c, d), first_row, second_row) in enumerate(rows, start=1):
        meetings += [
            make_pair_meeting(number, 1, a, b, first_row),
            make_pair_meeting(number, 2, c, d, second_row),
        ]
    movement = build_four_pairs(*meetings, allows_replays=True)
    check_balance(movement)
    sittings = [(p, m.board_group) for m in meetings for p in m.places]
    assert compute_balance(movement).replay_count == len(sittings) - len(set(sittings))
