from collections import Counter, defaultdict
from functools import cache
from itertools import combinations

import pytest

from boards.whist.whist_designs import DESIGNS_BY_PLAYER_COUNT
from tournaments.movements import (
    Contest,
    Movement,
    build_named_movement,
    compute_balance,
    rebuild_movement,
)
from tournaments.movements.drawbacks import describe_drawbacks
from tournaments.movements.systems.individual import (
    RAINBOW_SYSTEM,
    build_eight_player_individual,
    build_rainbow,
    build_whist_individual,
    count_design_places,
    has_rainbow,
)

FULL_PLAYER_COUNTS = [players for players in DESIGNS_BY_PLAYER_COUNT if players <= 65]
SHARING_TABLE_COUNTS = {8: 2, 9: 2, 12: 3, 17: 4}
"""The sizes that share boards, and at how many tables at once."""
COMPARISON_SPREADS = {
    **{4: (0, 0), 5: (0, 0), 8: (2, 2), 9: (2, 2), 12: (2, 6), 13: (4, 4), 16: (5, 8)},
    **{17: (4, 8), 20: (5, 10), 21: (7, 9), 24: (8, 12), 25: (10, 10), 28: (10, 14)},
    **{29: (12, 12), 32: (14, 14), 33: (12, 16), 36: (16, 16), 37: (16, 16), 40: (16, 20)},
    **{41: (18, 18), 44: (20, 20), 45: (17, 23), 48: (20, 26), 49: (22, 22), 52: (20, 28)},
    **{53: (24, 24), 56: (22, 30), 57: (22, 30), 60: (24, 32), 61: (28, 28), 64: (30, 30)},
    **{65: (27, 32)},
}
"""The minimum and maximum number of board groups on which two players sit the same way."""


@cache
def build_individual(players: int) -> Movement:
    return build_whist_individual(players)


def list_meetings(movement: Movement) -> list[tuple[int, int, list[int], int]]:
    return [
        (
            meeting.round,
            meeting.table,
            [meeting.north, meeting.east, meeting.south, meeting.west],
            meeting.board_group,
        )
        for meeting in movement.meetings
    ]


def count_partners_and_opponents(
    movement: Movement,
) -> tuple[Counter[frozenset[int]], Counter[frozenset[int]]]:
    partners: Counter[frozenset[int]] = Counter()
    opponents: Counter[frozenset[int]] = Counter()
    for _, _, (north, east, south, west), _ in list_meetings(movement):
        partners.update([frozenset((north, south)), frozenset((east, west))])
        opponents.update(frozenset((a, b)) for a in (north, south) for b in (east, west))
    return partners, opponents


@pytest.mark.parametrize("players", FULL_PLAYER_COUNTS)
def test_everyone_partners_everyone_once_and_opposes_everyone_twice(players: int) -> None:
    partners, opponents = count_partners_and_opponents(build_individual(players))
    couples = [frozenset(couple) for couple in combinations(range(1, players + 1), 2)]
    assert dict.fromkeys(couples, 1) == partners
    assert dict.fromkeys(couples, 2) == opponents


@pytest.mark.parametrize("players", FULL_PLAYER_COUNTS)
def test_everyone_sits_out_equally_and_plays_every_deal_once(players: int) -> None:
    movement = build_individual(players)
    rounds = players if players % 4 else players - 1
    seats = Counter(place for _, _, places, _ in list_meetings(movement) for place in places)
    plays = Counter(
        (place, group) for *_, places, group in list_meetings(movement) for place in places
    )
    assert movement.round_count == rounds
    assert movement.group_count == rounds + (players == 20)  # of 20 sets each plays 19
    assert set(seats.values()) == {players - 1}
    assert set(plays.values()) == {1}
    assert len(plays) == players * (players - 1)


@pytest.mark.parametrize("players", FULL_PLAYER_COUNTS)
def test_boards_are_shared_only_for_listed_player_counts(players: int) -> None:
    movement = build_individual(players)
    table_counts = Counter((round_, group) for round_, _, _, group in list_meetings(movement))
    assert max(table_counts.values()) == SHARING_TABLE_COUNTS.get(players, 1)
    assert movement.allows_sharing == (players in SHARING_TABLE_COUNTS)


@pytest.mark.parametrize("players", FULL_PLAYER_COUNTS)
def test_same_side_counts_without_partnership_match_documented_range(players: int) -> None:
    sides: dict[int, dict[int, int]] = defaultdict(dict)
    for _, _, (north, east, south, west), group in list_meetings(build_individual(players)):
        for place, side in ((north, 1), (south, 1), (east, -1), (west, -1)):
            sides[place][group] = side
    totals = [
        sum(side == sides[b].get(group) for group, side in sides[a].items()) - 1
        for a, b in combinations(range(1, players + 1), 2)
    ]
    assert (min(totals), max(totals)) == COMPARISON_SPREADS[players]


@pytest.mark.parametrize("players", [7, 11, 15, 23, 42, 46, 62, 63])
def test_size_without_own_design_uses_next_larger_one_with_phantoms(players: int) -> None:
    movement = build_individual(players)
    assert movement.place_count == count_design_places(players) == players + 4 - players % 4
    assert movement.absent_places == set(range(players + 1, movement.place_count + 1))
    assert max(count_partners_and_opponents(movement)[0].values()) == 1


@pytest.mark.parametrize("players", [7, 11, 15, 19, 23, 27, 63])
def test_one_phantom_gives_everyone_three_sit_outs(players: int) -> None:
    balance = compute_balance(build_individual(players))
    assert (balance.sit_out_spread.minimum, balance.sit_out_spread.maximum) == (3, 3)


TWO_PHANTOM_OPPONENT_SPREADS = {
    6: (1, 2),
    10: (0, 2),
    14: (1, 3),
    18: (0, 2),
    22: (0, 2),
    26: (0, 2),
    30: (0, 2),
    34: (0, 2),
    38: (0, 2),
    58: (0, 2),
}
"""The minimum and maximum meetings as opponents where two sit out."""


@pytest.mark.parametrize("players", TWO_PHANTOM_OPPONENT_SPREADS)
def test_two_phantoms_give_everyone_two_sit_outs_without_replays(players: int) -> None:
    movement = build_individual(players)
    plays = Counter(
        (place, group) for *_, four, group in list_meetings(movement) for place in four
    )
    sit_out_spread = compute_balance(movement).sit_out_spread
    assert movement.round_count == movement.group_count == players
    assert (sit_out_spread.minimum, sit_out_spread.maximum) == (2, 2)
    assert set(plays.values()) == {1}
    assert movement.allows_sharing == (players == 10)
    assert not movement.absent_places


@pytest.mark.parametrize("players", TWO_PHANTOM_OPPONENT_SPREADS)
def test_two_phantoms_leave_at_most_one_partner_unmet(players: int) -> None:
    partners, opponents = count_partners_and_opponents(build_individual(players))
    couples = [frozenset(couple) for couple in combinations(range(1, players + 1), 2)]
    opponent_counts = [opponents[couple] for couple in couples]
    assert max(partners.values()) == 1
    assert (min(opponent_counts), max(opponent_counts)) == TWO_PHANTOM_OPPONENT_SPREADS[players]
    assert len(couples) - len(partners) == players // 2
    assert opponent_counts.count(0) in (0, players // 2)


def test_all_numbers_from_four_to_sixty_five_are_accepted() -> None:
    for players in range(4, 66):
        movement = build_named_movement("whist-individual", players=players)
        assert len(movement.occupied_places) == players
        assert movement.contest is Contest.INDIVIDUAL


@pytest.mark.parametrize("players", [4, 8, 12, 24, 64])
def test_last_player_is_stationary_and_others_rotate_in_number_order(
    players: int,
) -> None:
    movement = build_individual(players)
    first_round_meetings, second = (
        movement.list_round_meetings(1),
        movement.list_round_meetings(2),
    )
    for meeting_before, meeting_after in zip(first_round_meetings, second, strict=True):
        for seat in ("north", "east", "south", "west"):
            old_place, new_place = getattr(meeting_before, seat), getattr(meeting_after, seat)
            assert new_place == (
                players if old_place == players else old_place % (players - 1) + 1
            )


@pytest.mark.parametrize("tables", [5, 7, 8, 9, 11, 13, 16, 17, 19, 23, 25])
def test_no_two_rainbow_players_meet_more_than_once(tables: int) -> None:
    movement = build_rainbow(tables)
    partners, opponents = count_partners_and_opponents(movement)
    plays = Counter(
        (place, group) for *_, four, group in list_meetings(movement) for place in four
    )
    assert has_rainbow(tables)
    assert movement.round_count == tables
    assert max((partners + opponents).values()) == 1
    assert len(plays) == 4 * tables * tables
    assert set(plays.values()) == {1}
    for seat in ("north", "east", "south", "west"):
        assert len({getattr(meeting, seat) for meeting in movement.meetings}) == tables
    for round_number in range(1, tables + 1):
        assert (
            len({meeting.board_group for meeting in movement.list_round_meetings(round_number)})
            == tables
        )


def test_rainbow_moves_each_seat_differently() -> None:
    movement = build_rainbow(5)
    tables = {
        place: [meeting.table for meeting in movement.list_place_meetings(place)]
        for place in range(1, 21)
    }
    assert tables[1] == [1, 1, 1, 1, 1]  # North is stationary
    assert tables[6] == [1, 3, 5, 2, 4]  # East moves up two
    assert tables[11] == [1, 2, 3, 4, 5]  # South moves up one
    assert tables[16] == [1, 4, 2, 5, 3]  # West moves down two
    assert [meeting.board_group for meeting in movement.list_table_meetings(5)] == [
        5,
        1,
        2,
        3,
        4,
    ]
    assert movement.winner_count == 1  # seats are no fields of the ranking
    assert "ranked together" in RAINBOW_SYSTEM.remarks


def test_rainbow_supports_only_sizes_whose_moves_complete_a_cycle() -> None:
    assert [tables for tables in range(1, 31) if has_rainbow(tables)] == [
        *(5, 7, 8, 9, 11, 13),
        *(16, 17, 19, 23, 25),
    ]


def test_eight_players_play_same_deals_at_both_tables() -> None:
    movement = build_eight_player_individual()
    partners, opponents = count_partners_and_opponents(movement)
    assert movement.round_count == 7
    assert set(partners.values()) == {1}
    assert len(partners) == 28
    assert set(opponents.values()) == {2}
    for round_ in range(1, 8):
        assert (
            len({meeting.board_group for meeting in movement.list_round_meetings(round_)}) == 1
        )
    assert (
        compute_balance(movement).comparison_spread.minimum
        == compute_balance(movement).comparison_spread.maximum
        == 2
    )


@pytest.mark.parametrize(
    ("players", "shared_group_count", "comparison_spread"),
    [(16, 15, (4, 8)), (20, 19, (6, 10))],
)
def test_first_edition_shares_boards_as_originally_played(
    players: int, shared_group_count: int, comparison_spread: tuple[int, int]
) -> None:
    first = rebuild_movement("whist-individual", players=players)
    figures = compute_balance(first)
    assert (figures.shared_group_count, first.edition) == (shared_group_count, 1)
    assert (
        figures.comparison_spread.minimum,
        figures.comparison_spread.maximum,
    ) == comparison_spread
    newest_edition = build_named_movement("whist-individual", players=players)
    assert (compute_balance(newest_edition).shared_group_count, newest_edition.edition) == (
        0,
        2,
    )
    assert (
        build_named_movement("whist-individual", players=players, edition=1).meetings
        == first.meetings
    )


def test_better_balanced_first_edition_is_used_with_empty_position() -> None:
    for players in (15, 19):
        assert build_named_movement("whist-individual", players=players).edition == 1


def test_drawbacks_state_if_there_is_nothing_to_compare() -> None:
    texts_by_key = {
        players: "nothing to compare"
        in describe_drawbacks(whist_individual, compute_balance(whist_individual))
        for players in range(4, 10)
        if (whist_individual := build_whist_individual(players))
    }
    assert texts_by_key == {4: True, 5: True, 6: True, 7: True, 8: False, 9: False}
