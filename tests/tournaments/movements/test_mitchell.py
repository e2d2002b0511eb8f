"""The Mitchell family, recounted for every size and compared with the book's schedule."""

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
    return Counter(tuple(sorted(meeting.places)) for meeting in movement.played)


def list_boards_by_place(movement: Movement) -> dict[int, list[int]]:
    actual: dict[int, list[int]] = defaultdict(list)
    for meeting in movement.played:
        for place in meeting.places:
            actual[place].append(meeting.board_group)
    return actual


def test_the_book_s_six_tables_with_a_skip() -> None:
    golden = json.loads((GOLDEN / "compass-skip-6.json").read_text(encoding="utf-8"))
    movement = build("compass-skip", tables=golden["tables"])
    way = movement.list_place_meetings(movement.place_of(golden["pair"]))
    assert [
        {
            "table": item.table,
            "boards": list(list_boards(item.board_group, golden["boards_a_round"])),
            "against": movement.labels[item.north - 1],
        }
        for item in way
    ] == golden["rounds"]


def test_boards_one_to_four_begin_at_table_one() -> None:
    first = build("compass", tables=7).in_round(1)
    boards = [list(list_boards(item.board_group, 4)) for item in first]
    assert [numbers[0] for numbers in boards] == [1, 5, 9, 13, 17, 21, 25]
    assert list(list_boards(2, 4)) == [5, 6, 7, 8]


@pytest.mark.parametrize("tables", ODD)
def test_at_odd_numbers_all_meet_all_and_play_all(tables: int) -> None:
    movement = build("compass", tables=tables)
    everybody = product(range(1, tables + 1), range(tables + 1, 2 * tables + 1))
    assert count_meetings(movement) == Counter(everybody)
    assert all(
        sorted(groups) == list(range(1, tables + 1))
        for groups in list_boards_by_place(movement).values()
    )


@pytest.mark.parametrize("tables", EVEN)
def test_with_the_skip_everybody_misses_one_pair_and_one_group(tables: int) -> None:
    movement = build("compass-skip", tables=tables)
    assert movement.rounds == tables - 1
    meeting_count = count_meetings(movement)
    assert set(meeting_count.values()) == {1}
    assert len(meeting_count) == tables * (tables - 1)
    assert {len(set(groups)) for groups in list_boards_by_place(movement).values()} == {
        tables - 1
    }


@pytest.mark.parametrize("tables", EVEN)
def test_with_relay_and_share_even_numbers_are_complete(tables: int) -> None:
    movement = build("compass-relay", tables=tables)
    figures = compute_balance(movement)
    assert (figures.met, figures.meetings.most) == (tables * tables, 1)
    assert (figures.comparisons.least, figures.comparisons.most) == (tables, tables)
    assert {len(set(groups)) for groups in list_boards_by_place(movement).values()} == {tables}
    together = {
        frozenset(a.table for a in movement.in_round(1) if a.board_group == b.board_group)
        for b in movement.in_round(1)
    }
    assert frozenset({1, tables}) in together
    assert figures.shared == tables


@pytest.mark.parametrize("tables", ODD)
@pytest.mark.parametrize("missing", ["NS", "EW"])
def test_at_a_half_table_the_missing_pair_s_opponents_sit_out_once(
    tables: int, missing: str
) -> None:
    movement = build("compass", tables=tables, absent=[f"{tables}{missing}"])
    other = "EW" if missing == "NS" else "NS"
    sits_out = compute_balance(movement).sit_outs_by_place
    assert {sits_out[p] for p in movement.occupied_places if movement.field(p) == other} == {1}
    places = [p for p in movement.occupied_places if movement.field(p) == missing]
    assert {sits_out[p] for p in places} == {0}


@pytest.mark.parametrize("tables", EVEN)
def test_at_a_half_table_nobody_sits_out_twice_with_the_skip_and_relay_shares_nothing(
    tables: int,
) -> None:
    assert compute_balance(build("compass-skip", pairs=2 * tables - 1)).sit_outs.most == 1
    relay = build("compass-relay", pairs=2 * tables - 1)
    assert [relay.labels[place - 1] for place in relay.absent] == [f"{tables}NS"]
    assert not relay.sharing
    figures = compute_balance(relay)
    assert (figures.shared, figures.sit_outs.most) == (0, 1)
    assert figures.met == figures.possible == tables * (tables - 1)


@pytest.mark.parametrize("tables", [*ODD, *EVEN])
def test_a_hesitation_has_a_round_and_a_group_more_than_tables(tables: int) -> None:
    movement = build("compass-hesitation", tables=tables)
    assert (movement.rounds, movement.groups) == (tables + 1, tables + 1)
    assert movement.winners == 1
    figures = compute_balance(movement)
    assert (figures.replays, figures.sit_outs.most) == (0, 0)
    assert figures.shared == (0 if tables % 2 else tables + 1)
    assert figures.stationary == tuple(range(1, tables))
    meeting_count = count_meetings(movement)
    assert set(meeting_count.values()) == {1}
    travelling = range(tables, 2 * tables + 1)
    assert all(
        meeting_count[sitting, other] for sitting in range(1, tables) for other in travelling
    )


@pytest.mark.parametrize("tables", EVEN)
def test_an_even_hesitation_shares_between_the_first_and_the_last_table(tables: int) -> None:
    movement = build("compass-hesitation", tables=tables)
    for number in range(1, movement.rounds + 1):
        groups = {meeting.table: meeting.board_group for meeting in movement.in_round(number)}
        assert groups[1] == groups[tables]
        assert len(set(groups.values())) == tables - 1


@pytest.mark.parametrize("tables", ODD)
def test_north_south_sit_east_west_go_up_and_boards_go_down(tables: int) -> None:
    movement = build("compass", tables=tables)
    for meeting in movement.meetings:
        up, down = meeting.table % tables + 1, (meeting.table - 2) % tables + 1
        if meeting.round == tables:
            continue
        after = {meeting.table: meeting for meeting in movement.in_round(meeting.round + 1)}
        assert meeting.north == meeting.table
        assert after[up].east == meeting.east
        assert after[down].board_group == meeting.board_group
