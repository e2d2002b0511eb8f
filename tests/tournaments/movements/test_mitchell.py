"""Check Mitchell movements of every size, and compare one with the book's schedule."""

import json
from collections import Counter, defaultdict
from itertools import product
from pathlib import Path

import pytest

from tournaments.movements import Movement, build, compute_balance, list_boards

GOLDEN = Path(__file__).parents[2] / "golden" / "movements"
ODD = range(3, 32, 2)
EVEN = range(4, 32, 2)


def count_meetings(movement: Movement) -> Counter[tuple[int, ...]]:
    return Counter(tuple(sorted(meeting.places)) for meeting in movement.played_meetings)


def list_boards_by_place(movement: Movement) -> dict[int, list[int]]:
    actual: dict[int, list[int]] = defaultdict(list)
    for meeting in movement.played_meetings:
        for place in meeting.places:
            actual[place].append(meeting.board_group)
    return actual


def test_skip_mitchell_with_six_tables_matches_book() -> None:
    golden = json.loads((GOLDEN / "compass-skip-6.json").read_text(encoding="utf-8"))
    movement = build("compass-skip", tables=golden["tables"])
    way = movement.list_place_meetings(movement.find_place(golden["pair"]))
    assert [
        {
            "table": item.table,
            "boards": list(list_boards(item.board_group, golden["boards_a_round"])),
            "against": movement.labels[item.north - 1],
        }
        for item in way
    ] == golden["rounds"]


def test_boards_one_to_four_start_at_table_one() -> None:
    first = build("compass", tables=7).list_round_meetings(1)
    boards = [list(list_boards(item.board_group, 4)) for item in first]
    assert [numbers[0] for numbers in boards] == [1, 5, 9, 13, 17, 21, 25]
    assert list(list_boards(2, 4)) == [5, 6, 7, 8]


@pytest.mark.parametrize("tables", ODD)
def test_everyone_meets_everyone_and_plays_all_boards_at_odd_table_counts(tables: int) -> None:
    movement = build("compass", tables=tables)
    everybody = product(range(1, tables + 1), range(tables + 1, 2 * tables + 1))
    assert count_meetings(movement) == Counter(everybody)
    assert all(
        sorted(groups) == list(range(1, tables + 1))
        for groups in list_boards_by_place(movement).values()
    )


@pytest.mark.parametrize("tables", EVEN)
def test_skip_makes_everyone_miss_one_pair_and_one_group(tables: int) -> None:
    movement = build("compass-skip", tables=tables)
    assert movement.round_count == tables - 1
    meeting_count = count_meetings(movement)
    assert set(meeting_count.values()) == {1}
    assert len(meeting_count) == tables * (tables - 1)
    assert {len(set(groups)) for groups in list_boards_by_place(movement).values()} == {
        tables - 1
    }


@pytest.mark.parametrize("tables", EVEN)
def test_relay_and_share_complete_even_table_counts(tables: int) -> None:
    movement = build("compass-relay", tables=tables)
    figures = compute_balance(movement)
    assert (figures.met_pairing_count, figures.meeting_spread.maximum) == (tables * tables, 1)
    assert (figures.comparison_spread.minimum, figures.comparison_spread.maximum) == (
        tables,
        tables,
    )
    assert {len(set(groups)) for groups in list_boards_by_place(movement).values()} == {tables}
    together = {
        frozenset(
            a.table for a in movement.list_round_meetings(1) if a.board_group == b.board_group
        )
        for b in movement.list_round_meetings(1)
    }
    assert frozenset({1, tables}) in together
    assert figures.shared_group_count == tables


@pytest.mark.parametrize("tables", ODD)
@pytest.mark.parametrize("missing", ["NS", "EW"])
def test_opponents_of_missing_pair_sit_out_once_at_half_table(
    tables: int, missing: str
) -> None:
    movement = build("compass", tables=tables, absent=[f"{tables}{missing}"])
    other = "EW" if missing == "NS" else "NS"
    sits_out = compute_balance(movement).sit_outs_by_place
    assert {
        sits_out[p] for p in movement.occupied_places if movement.get_field_name(p) == other
    } == {1}
    places = [p for p in movement.occupied_places if movement.get_field_name(p) == missing]
    assert {sits_out[p] for p in places} == {0}


@pytest.mark.parametrize("tables", EVEN)
def test_nobody_sits_out_twice_at_half_table_and_relay_shares_nothing(
    tables: int,
) -> None:
    assert (
        compute_balance(build("compass-skip", pairs=2 * tables - 1)).sit_out_spread.maximum == 1
    )
    relay = build("compass-relay", pairs=2 * tables - 1)
    assert [relay.labels[place - 1] for place in relay.absent_places] == [f"{tables}NS"]
    assert not relay.allows_sharing
    figures = compute_balance(relay)
    assert (figures.shared_group_count, figures.sit_out_spread.maximum) == (0, 1)
    assert figures.met_pairing_count == figures.possible_pairing_count == tables * (tables - 1)


@pytest.mark.parametrize("tables", [*ODD, *EVEN])
def test_hesitation_mitchell_has_one_round_and_group_more_than_tables(tables: int) -> None:
    movement = build("compass-hesitation", tables=tables)
    assert (movement.round_count, movement.group_count) == (tables + 1, tables + 1)
    assert movement.winner_count == 1
    figures = compute_balance(movement)
    assert (figures.replay_count, figures.sit_out_spread.maximum) == (0, 0)
    assert figures.shared_group_count == (0 if tables % 2 else tables + 1)
    assert figures.stationary_places == tuple(range(1, tables))
    meeting_count = count_meetings(movement)
    assert set(meeting_count.values()) == {1}
    travelling = range(tables, 2 * tables + 1)
    assert all(
        meeting_count[sitting, other] for sitting in range(1, tables) for other in travelling
    )


@pytest.mark.parametrize("tables", EVEN)
def test_even_hesitation_shares_between_first_and_last_table(tables: int) -> None:
    movement = build("compass-hesitation", tables=tables)
    for number in range(1, movement.round_count + 1):
        groups = {
            meeting.table: meeting.board_group
            for meeting in movement.list_round_meetings(number)
        }
        assert groups[1] == groups[tables]
        assert len(set(groups.values())) == tables - 1


@pytest.mark.parametrize("tables", ODD)
def test_north_south_stay_east_west_move_up_and_boards_move_down(tables: int) -> None:
    movement = build("compass", tables=tables)
    for meeting in movement.meetings:
        up, down = meeting.table % tables + 1, (meeting.table - 2) % tables + 1
        if meeting.round == tables:
            continue
        after = {
            meeting.table: meeting
            for meeting in movement.list_round_meetings(meeting.round + 1)
        }
        assert meeting.north == meeting.table
        assert after[up].east == meeting.east
        assert after[down].board_group == meeting.board_group
