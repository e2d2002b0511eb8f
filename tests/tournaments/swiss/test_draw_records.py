"""The record of a drawn round, and the tables and board sets that follow from it."""

from hashlib import sha256

import pytest

from tournaments.movements import Contest
from tournaments.swiss.field_reader import compute_fingerprint
from tournaments.swiss.plan import SwissPlan
from tournaments.swiss.rounds import (
    build_draw_input,
    build_knockout_draw_record,
    build_meetings,
    draw_round_from_data,
    pair_by_seeds,
)

MeetingRow = tuple[int, int, int, int, int]
"""A meeting: the round, the table, the North-South place, the East-West place, the boards."""


def build_team_input(team_count: int) -> dict:
    return {
        "kind": "teams",
        "odd": "three-way",
        "entries": [{"id": number} for number in range(1, team_count + 1)],
    }


def seat_teams(
    record: dict, plan: SwissPlan, *, round_: int = 1, used_set_count: int = 0
) -> list[MeetingRow]:
    """Return the meetings of a round; team 3 has the places 3 and 13, and so on."""
    places_by_team = {team: (team, team + 10) for team in range(1, 10)}
    meetings = build_meetings(
        record, places_by_team, plan=plan, round_number=round_, used_set_count=used_set_count
    )
    return sorted(
        (row.round, row.table, row.north, row.east, row.board_group) for row in meetings
    )


def test_fingerprint_is_the_checksum_of_the_sorted_compact_input() -> None:
    canonical_text = '{"entries":[{"id":1,"name":"Zoë"}],"seed":"a"}'
    expected = f"sha256 {sha256(canonical_text.encode()).hexdigest()}"
    assert compute_fingerprint({"seed": "a", "entries": [{"name": "Zoë", "id": 1}]}) == expected
    assert compute_fingerprint({"seed": "b", "entries": [{"name": "Zoë", "id": 1}]}) != expected


@pytest.mark.parametrize("drawn_by", ["lot", "seeds", "bracket"])
def test_record_has_the_input_and_its_checksum(drawn_by: str) -> None:
    draw_input = {"entries": [{"id": 1}, {"id": 2}], "seed": "a"}
    record = {
        "lot": lambda: draw_round_from_data(draw_input),
        "seeds": lambda: pair_by_seeds(draw_input, [1, 2]),
        "bracket": lambda: build_knockout_draw_record(draw_input, [(1, 2)], (), 1),
    }[drawn_by]()
    canonical_text = b'{"entries":[{"id":1},{"id":2}],"seed":"a"}'
    assert record["sha256"] == sha256(canonical_text).hexdigest()
    assert record["input"] == draw_input


def test_input_has_the_round_method_and_entries_in_order_of_their_numbers() -> None:
    history = [{"round": 1, "pairings": [{"ns": 1, "ew": 2}]}]
    assert build_draw_input(
        SwissPlan(5, apart=((1, 2), (2, 9))),
        2,
        contest=Contest.TEAMS,
        seed="a",
        entries=[{"id": 2, "score": "-1.00"}, {"id": 1, "score": "1.00"}],
        earlier_rounds=history,
    ) == {
        "kind": "teams",
        "round": 2,
        "seed": "a",
        "method": "swiss",
        "entries": [{"id": 1, "score": "1.00"}, {"id": 2, "score": "-1.00"}],
        "history": history,
        "apart": [[1, 2]],  # number 9 does not play
        "rounds": 5,
    }


def test_each_match_of_teams_has_two_neighbouring_tables() -> None:
    record = pair_by_seeds(build_team_input(6), range(1, 7))
    assert record["pairings"] == [[1, 1, 4], [2, 5, 2], [3, 3, 6]]
    assert seat_teams(record, SwissPlan(3), round_=2) == [
        (2, 1, 1, 14, 2),
        (2, 2, 4, 11, 2),
        (2, 3, 5, 12, 2),
        (2, 4, 2, 15, 2),
        (2, 5, 3, 16, 2),
        (2, 6, 6, 13, 2),
    ]


def test_three_way_team_match_is_played_in_halves_at_last_tables() -> None:
    record = pair_by_seeds(build_team_input(5), range(1, 6))
    assert (record["pairings"], record["three_way"], record["sit_out"]) == (
        [[1, 1, 2]],
        [3, 4, 5],
        [],
    )
    assert seat_teams(record, SwissPlan(3, three_way=True)) == [
        (1, 1, 1, 12, 1),
        (1, 2, 2, 11, 1),
        (1, 3, 3, 14, 1),  # 3-4, 4-5 and 5-3, with three board sets
        (1, 4, 4, 15, 2),
        (1, 5, 5, 13, 3),
        (2, 1, 1, 12, 2),
        (2, 2, 2, 11, 2),
        (2, 3, 3, 15, 3),  # 3-5, 4-3 and 5-4: boards up, East-West down
        (2, 4, 4, 13, 1),
        (2, 5, 5, 14, 2),
    ]


def test_second_three_way_round_starts_with_fourth_board_set() -> None:
    record = pair_by_seeds(build_team_input(3), range(1, 4))
    assert record["pairings"] == []
    rows = seat_teams(record, SwissPlan(3, three_way=True), round_=3)
    assert [(round_, table, boards) for round_, table, _ns, _ew, boards in rows] == [
        *((3, 1, 4), (3, 2, 5), (3, 3, 6)),
        *((4, 1, 6), (4, 2, 4), (4, 3, 5)),
    ]


def test_three_way_match_uses_own_board_sets_after_all_others() -> None:
    record = pair_by_seeds(build_team_input(7), range(1, 8))
    plan = SwissPlan(3, three_way=True, own_boards=True)
    rows = seat_teams(record, plan, used_set_count=20)
    assert [(round_, table, boards) for round_, table, _ns, _ew, boards in rows] == [
        *((1, 1, 21), (1, 2, 21), (1, 3, 23), (1, 4, 23)),
        *((1, 5, 25), (1, 6, 26), (1, 7, 27)),
        *((2, 1, 22), (2, 2, 22), (2, 3, 24), (2, 4, 24)),
        *((2, 5, 27), (2, 6, 25), (2, 7, 26)),
    ]


@pytest.mark.parametrize(("own_boards", "last_sets"), [(False, (1, 2, 3)), (True, (4, 5, 6))])
def test_second_three_way_match_of_a_bracket_has_the_next_three_tables(
    own_boards: bool, last_sets: tuple[int, int, int]
) -> None:
    matches = [(1, 2, 3), (4, 5, 6)]
    record = build_knockout_draw_record(
        build_team_input(6), [], (), 1, three_way_matches=matches
    )
    assert record["three_way"] == [1, 2, 3, 4, 5, 6]
    plan = SwissPlan(2, knockout=True, three_way=True, own_boards=own_boards)
    rows = [row for row in seat_teams(record, plan) if row[0] == 1]
    assert rows == [
        *((1, 1, 1, 12, 1), (1, 2, 2, 13, 2), (1, 3, 3, 11, 3)),
        (1, 4, 4, 15, last_sets[0]),
        (1, 5, 5, 16, last_sets[1]),
        (1, 6, 6, 14, last_sets[2]),
    ]
