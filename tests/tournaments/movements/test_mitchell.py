"""Check Mitchell movements of every size, and compare one with the book's schedule."""

import json
from collections import Counter, defaultdict
from itertools import product
from pathlib import Path

import pytest

from tournaments.movements import Movement, build_named_movement, compute_balance, list_boards

GOLDEN_FOLDER = Path(__file__).parents[2] / "golden" / "movements"
ODD_TABLE_COUNTS = range(3, 32, 2)
EVEN_TABLE_COUNTS = range(4, 32, 2)


def count_meetings(movement: Movement) -> Counter[tuple[int, ...]]:
    return Counter(tuple(sorted(meeting.places)) for meeting in movement.played_meetings)


def list_groups_by_place(movement: Movement) -> dict[int, list[int]]:
    actual: dict[int, list[int]] = defaultdict(list)
    for meeting in movement.played_meetings:
        for place in meeting.places:
            actual[place].append(meeting.board_group)
    return actual


def test_skip_mitchell_with_six_tables_matches_book() -> None:
    golden_schedule = json.loads(
        (GOLDEN_FOLDER / "compass-skip-6.json").read_text(encoding="utf-8")
    )
    movement = build_named_movement("compass-skip", tables=golden_schedule["tables"])
    meetings = movement.list_place_meetings(movement.find_place(golden_schedule["pair"]))
    assert [
        {
            "table": meeting.table,
            "boards": list(list_boards(meeting.board_group, golden_schedule["boards_a_round"])),
            "against": movement.labels[meeting.north - 1],
        }
        for meeting in meetings
    ] == golden_schedule["rounds"]


def test_boards_one_to_four_start_at_table_one() -> None:
    first_round_meetings = build_named_movement("compass", tables=7).list_round_meetings(1)
    boards = [list(list_boards(item.board_group, 4)) for item in first_round_meetings]
    assert [numbers[0] for numbers in boards] == [1, 5, 9, 13, 17, 21, 25]
    assert list(list_boards(2, 4)) == [5, 6, 7, 8]


@pytest.mark.parametrize("tables", ODD_TABLE_COUNTS)
def test_everyone_meets_everyone_and_plays_all_boards_at_odd_table_counts(tables: int) -> None:
    movement = build_named_movement("compass", tables=tables)
    all_pairings = product(range(1, tables + 1), range(tables + 1, 2 * tables + 1))
    assert count_meetings(movement) == Counter(all_pairings)
    assert all(
        sorted(groups) == list(range(1, tables + 1))
        for groups in list_groups_by_place(movement).values()
    )


@pytest.mark.parametrize("tables", EVEN_TABLE_COUNTS)
def test_skip_makes_everyone_miss_one_pair_and_one_group(tables: int) -> None:
    movement = build_named_movement("compass-skip", tables=tables)
    assert movement.round_count == tables - 1
    meeting_count = count_meetings(movement)
    assert set(meeting_count.values()) == {1}
    assert len(meeting_count) == tables * (tables - 1)
    assert {len(set(groups)) for groups in list_groups_by_place(movement).values()} == {
        tables - 1
    }


@pytest.mark.parametrize("tables", EVEN_TABLE_COUNTS)
def test_relay_with_board_sharing_is_complete_for_even_table_counts(tables: int) -> None:
    movement = build_named_movement("compass-relay", tables=tables)
    balance = compute_balance(movement)
    assert (balance.met_pairing_count, balance.meeting_spread.maximum) == (tables * tables, 1)
    assert (balance.comparison_spread.minimum, balance.comparison_spread.maximum) == (
        tables,
        tables,
    )
    assert {len(set(groups)) for groups in list_groups_by_place(movement).values()} == {tables}
    sharing_tables = {
        frozenset(
            a.table for a in movement.list_round_meetings(1) if a.board_group == b.board_group
        )
        for b in movement.list_round_meetings(1)
    }
    assert frozenset({1, tables}) in sharing_tables
    assert balance.shared_group_count == tables


@pytest.mark.parametrize("tables", ODD_TABLE_COUNTS)
@pytest.mark.parametrize("missing_side", ["NS", "EW"])
def test_opponents_of_missing_pair_sit_out_once_at_half_table(
    tables: int, missing_side: str
) -> None:
    movement = build_named_movement(
        "compass", tables=tables, absent=[f"{tables}{missing_side}"]
    )
    other_side = "EW" if missing_side == "NS" else "NS"
    sit_outs_by_place = compute_balance(movement).sit_outs_by_place
    assert {
        sit_outs_by_place[p]
        for p in movement.occupied_places
        if movement.get_field_name(p) == other_side
    } == {1}
    places = [p for p in movement.occupied_places if movement.get_field_name(p) == missing_side]
    assert {sit_outs_by_place[p] for p in places} == {0}


@pytest.mark.parametrize("tables", EVEN_TABLE_COUNTS)
def test_half_table_has_at_most_one_sit_out_and_relay_shares_no_boards(
    tables: int,
) -> None:
    assert (
        compute_balance(
            build_named_movement("compass-skip", pairs=2 * tables - 1)
        ).sit_out_spread.maximum
        == 1
    )
    relay_movement = build_named_movement("compass-relay", pairs=2 * tables - 1)
    assert [relay_movement.labels[place - 1] for place in relay_movement.absent_places] == [
        f"{tables}NS"
    ]
    assert not relay_movement.allows_sharing
    figures = compute_balance(relay_movement)
    assert (figures.shared_group_count, figures.sit_out_spread.maximum) == (0, 1)
    assert figures.met_pairing_count == figures.possible_pairing_count == tables * (tables - 1)


@pytest.mark.parametrize("tables", [*ODD_TABLE_COUNTS, *EVEN_TABLE_COUNTS])
def test_hesitation_mitchell_has_one_more_round_and_group_than_tables(tables: int) -> None:
    movement = build_named_movement("compass-hesitation", tables=tables)
    assert (movement.round_count, movement.group_count) == (tables + 1, tables + 1)
    assert movement.winner_count == 1
    figures = compute_balance(movement)
    assert (figures.replay_count, figures.sit_out_spread.maximum) == (0, 0)
    assert figures.shared_group_count == (0 if tables % 2 else tables + 1)
    assert figures.stationary_places == tuple(range(1, tables))
    meeting_count = count_meetings(movement)
    assert set(meeting_count.values()) == {1}
    travelling_places = range(tables, 2 * tables + 1)
    assert all(
        meeting_count[sitting, other]
        for sitting in range(1, tables)
        for other in travelling_places
    )


@pytest.mark.parametrize("tables", EVEN_TABLE_COUNTS)
def test_even_hesitation_mitchell_shares_boards_at_end_tables(tables: int) -> None:
    movement = build_named_movement("compass-hesitation", tables=tables)
    for number in range(1, movement.round_count + 1):
        groups = {
            meeting.table: meeting.board_group
            for meeting in movement.list_round_meetings(number)
        }
        assert groups[1] == groups[tables]
        assert len(set(groups.values())) == tables - 1


@pytest.mark.parametrize("tables", ODD_TABLE_COUNTS)
def test_north_south_stay_east_west_move_up_and_boards_move_down(tables: int) -> None:
    movement = build_named_movement("compass", tables=tables)
    for meeting in movement.meetings:
        next_table, previous_table = (
            meeting.table % tables + 1,
            (meeting.table - 2) % tables + 1,
        )
        if meeting.round == tables:
            continue
        next_meetings_by_table = {
            meeting.table: meeting
            for meeting in movement.list_round_meetings(meeting.round + 1)
        }
        assert meeting.north == meeting.table
        assert next_meetings_by_table[next_table].east == meeting.east
        assert next_meetings_by_table[previous_table].board_group == meeting.board_group
