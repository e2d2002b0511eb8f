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
    build,
    compute_balance,
    make_pair_meeting,
)
from tournaments.movements.balance import count_opponents_met

COMPASS_3 = build("compass", tables=3)


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


def test_two_fields_compare_within_and_meet_across() -> None:
    figures = compute_balance(COMPASS_3)
    assert (figures.met_pairing_count, figures.possible_pairing_count) == (9, 9)
    assert (figures.meeting_spread.minimum, figures.meeting_spread.maximum) == (1, 1)
    assert (figures.comparison_spread.minimum, figures.comparison_spread.maximum) == (3, 3)
    assert figures.same_side_counts[0] == (0, 3, 3, 0, 0, 0)
    assert figures.influence_matrix[0] == (0, 3, 3, -2, -2, -2)
    assert figures.stationary_places == (1, 2, 3)


def test_board_group_at_two_tables_compares_each_side_once() -> None:
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
    figures = compute_balance(build("compass", pairs=5))
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


def test_teams_meet_on_board_groups_and_not_at_tables() -> None:
    figures = compute_balance(build("new-england-relay", teams=4))
    assert figures.competitors == (1, 2, 3, 4)
    assert (figures.met_pairing_count, figures.possible_pairing_count) == (6, 6)
    assert (figures.meeting_spread.minimum, figures.meeting_spread.maximum) == (1, 1)


@pytest.mark.parametrize("pairs", [8, 12, 16])
def test_comparison_matrix_is_symmetric(pairs: int) -> None:
    figures = compute_balance(build("howell", pairs=pairs))
    for square in (figures.same_side_counts, figures.influence_matrix):
        assert square == tuple(zip(*square, strict=True))
    off_diagonal = {
        n for i, row in enumerate(figures.same_side_counts) for j, n in enumerate(row) if i != j
    }
    assert off_diagonal == {pairs // 2 - 1}


def count_comparisons(movement: Movement, one: int, other: int) -> tuple[int, int]:
    """Return on how many groups two sit the same way, and opposite ways: table by table."""
    alike, opposite = set(), set()
    team = (
        movement.get_team_number if movement.contest is Contest.TEAMS else lambda place: place
    )
    for mine in movement.played_meetings:
        for theirs in movement.played_meetings:
            if mine is theirs or mine.board_group != theirs.board_group:
                continue
            for a in mine.places:
                for b in theirs.places:
                    if (team(a), team(b)) == (one, other):
                        same = mine.find_side(a) == theirs.find_side(b)
                        (alike if same else opposite).add(mine.board_group)
    return len(alike), len(opposite)


@pytest.mark.parametrize(
    "movement",
    [
        build("compass", pairs=9),
        build("compass", tables=5, one_winner=True),
        build("compass-relay", tables=4),
        build("howell", pairs=9),
        build("four-pairs"),
        build("memory"),
        build("four-individuals"),
        build("eight-individuals"),
        build("whist-individual", players=7),
        build("howell-teams", teams=5),
        build("gilman", teams=5),
        build("new-england-relay", teams=6),
        build("three-teams"),
        build("league-fours"),
        build("club-against-club", teams=4),
        build("barometer", pairs=8),
        build("web", tables=8, rounds=7),
    ],
    ids=lambda movement: movement.title,
)
def test_comparisons_equal_direct_count_by_table(movement: Movement) -> None:
    check_balance(movement)


@pytest.mark.parametrize(
    "movement",
    [
        build("compass", pairs=9),
        build("compass", tables=5, rounds=3),
        build("howell", pairs=8),
        build("howell", pairs=10, rounds=4),
        build("whist-individual", players=14),
        build("new-england-relay", teams=6, rounds=3),
    ],
    ids=lambda movement: movement.title,
)
def test_opponents_are_competitors_met_at_a_table(movement: Movement) -> None:
    team = (
        movement.get_team_number if movement.contest is Contest.TEAMS else lambda place: place
    )
    met: dict[int, set[int]] = {team(place): set() for place in movement.occupied_places}
    for meeting in movement.played_meetings:
        for place in meeting.places:
            ew = meeting.ew if place in meeting.ns else meeting.ns
            met[team(place)] |= {team(other) for other in ew}
    actual, could = count_opponents_met(movement, compute_balance(movement))
    assert (actual.minimum, actual.maximum) == (
        min(map(len, met.values())),
        max(map(len, met.values())),
    )
    fields = Counter(movement.get_field_name(place) for place in movement.occupied_places)
    two_fields = movement.has_two_fields and movement.contest is Contest.PAIRS
    assert could == (max(fields.values()) if two_fields else len(met) - 1)


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
