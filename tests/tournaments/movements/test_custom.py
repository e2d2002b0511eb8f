from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.movements import Contest, Movement, UnplayableMovement, build_named_movement
from tournaments.movements.systems.custom import build_custom_movement, build_rows
from tournaments.movements.systems.custom_text import parse_schedule_rows
from tournaments.movements.systems.individual import build_rainbow, build_whist_individual
from tournaments.movements.systems.teams import build_howell_teams, build_new_england_relay

VALID_SCHEDULE_TEXT = """\
round,table,ns,ew,group
1,1,4,1,1
1,2,2,3,2
2,1,4,2,3
2,2,3,1,4
"""


def list_problems(*rows: dict[str, object], **options: object) -> list[str]:
    with pytest.raises(UnplayableMovement) as exc_info:
        build_custom_movement(rows, **options)
    return list(exc_info.value.problems)


def try_build_movement(
    build_movement: Callable[[], Movement],
) -> tuple[tuple[str, ...], Movement | None]:
    try:
        return (), build_movement()
    except UnplayableMovement as error:
        return error.problems, None


def build_row(
    round_: object, table: object, ns: object, ew: object, group: object
) -> dict[str, object]:
    return {"round": round_, "table": table, "ns": ns, "ew": ew, "group": group}


def test_rows_define_a_movement() -> None:
    movement = build_custom_movement(
        [build_row(1, 1, 1, 2, 1), build_row(2, 1, 2, 1, 2)], title="Two pairs"
    )
    assert [(meeting.ns, meeting.ew) for meeting in movement.meetings] == [
        ((1,), (2,)),
        ((2,), (1,)),
    ]
    assert movement.name == "custom"
    assert movement.title == "Two pairs"
    assert movement.labels == ("1", "2")
    assert movement.contest is Contest.PAIRS


@pytest.mark.parametrize("separator", [",", ";", "\t", " "])
def test_text_accepts_any_usual_separator(separator: str) -> None:
    text = VALID_SCHEDULE_TEXT.replace(",", separator)
    assert build_custom_movement(parse_schedule_rows(text)) == build_custom_movement(
        parse_schedule_rows(VALID_SCHEDULE_TEXT)
    )


def test_header_is_optional_and_may_reorder_columns() -> None:
    text_without_header = VALID_SCHEDULE_TEXT.split("\n", 1)[1]
    reordered_text = (
        "Board group;Round;E-W;Table;N-S\n1;1;1;1;4\n2;1;3;2;2\n3;2;2;1;4\n4;2;1;2;3\n"
    )
    assert parse_schedule_rows(text_without_header) == parse_schedule_rows(VALID_SCHEDULE_TEXT)
    assert build_custom_movement(parse_schedule_rows(reordered_text)) == build_custom_movement(
        parse_schedule_rows(VALID_SCHEDULE_TEXT)
    )


def test_blank_lines_windows_line_ends_and_board_letters_are_accepted() -> None:
    text = "\ufeff1;1;1;2;A\r\n\r\n2;1;2;1;b;;\r\n"
    assert [
        meeting.board_group
        for meeting in build_custom_movement(parse_schedule_rows(text)).meetings
    ] == [
        1,
        2,
    ]


def test_pair_labels_with_sides_create_two_fields() -> None:
    movement = build_custom_movement(
        parse_schedule_rows("1 1 1NS 1EW 1\n1 2 2ns 2ew 2\n2 1 1N-S 2E-W 3\n")
    )
    assert movement.labels == ("1NS", "2NS", "1EW", "2EW")
    assert movement.winner_count == 2
    assert movement.meetings[2].ew == (4,)


def test_row_numbers_are_read_as_teams_in_team_contest() -> None:
    rows = [
        build_row(meeting.round, meeting.table, team_ns, team_ew, meeting.board_group)
        for meeting in build_howell_teams(5).meetings
        for team_ns, team_ew in [(meeting.north, meeting.east - 5)]
    ]
    assert (
        build_custom_movement(rows, contest=Contest.TEAMS).meetings
        == build_howell_teams(5).meetings
    )
    assert build_custom_movement(rows, contest="teams").contest is Contest.TEAMS


@pytest.mark.parametrize(
    "movement", [build_howell_teams(7), build_whist_individual(13), build_rainbow(5)]
)
def test_any_movement_round_trips_through_rows(movement) -> None:
    rebuilt_movement = build_custom_movement(build_rows(movement), contest=movement.contest)
    assert rebuilt_movement.meetings == movement.meetings
    assert rebuilt_movement.labels == movement.labels


def test_board_sharing_requires_explicit_option() -> None:
    rows = build_rows(build_new_england_relay(4))
    assert build_custom_movement(rows, contest=Contest.TEAMS, sharing=True).allows_sharing
    problems = list_problems(*rows, contest=Contest.TEAMS)
    assert len(problems) == 6
    assert all("set" in item for item in problems)


def test_all_problems_are_reported_together_by_round_and_table() -> None:
    problems = list_problems(
        build_row(1, 1, 1, 2, 1),
        build_row(1, 2, 2, 3, 2),
        build_row(2, 1, "x", 3, 3),
        build_row(2, 2, 4, 4, ""),
        build_row("", 2, 4, 5, 1),
        build_row(3, 2, 0, 5, 1),
    )
    assert problems == [
        "Round 2, table 1: NS is “x”. Enter a place such as 3 or 3NS.",
        "Round 2, table 2: the set is missing. Enter a number from 1 to 1000.",
        "Row 5: the round is missing. Enter a number from 1 to 200.",
        "Round 3, table 2: NS is “0”. Enter a place such as 3 or 3NS.",
        "Round 1, table 2: 2 is already at table 1.",
    ]


def test_repeated_board_set_and_gap_in_numbers_are_reported() -> None:
    problems = list_problems(build_row(1, 1, 1, 2, 1), build_row(2, 1, 1, 4, 1))
    assert problems == [
        "Round 2, table 1: 1 already played set 1 in round 1.",
        "3 isn’t at any table. Number the places from 1 without gaps.",
    ]


def test_long_list_of_missing_numbers_is_abbreviated() -> None:
    problems = list_problems(build_row(1, 1, 1, 400, 1))
    assert problems == [
        "2, 3, 4, 5, 6 and 393 more aren’t at any table. Number the places from 1 without gaps."
    ]


def test_inconsistent_position_notation_is_reported() -> None:
    problems = list_problems(build_row(1, 1, "1NS", "1EW", 1), build_row(1, 2, 2, "2EW", 2))
    assert len(problems) == 1
    assert problems[0].startswith("Round 1, table 2: 2 isn’t written like the first place")


def test_pairs_and_players_in_one_row_are_refused() -> None:
    problems = list_problems({**build_row(1, 1, 1, 2, 1), "n": 3, "boards": 4})
    assert problems == [
        "Round 1, table 1: column boards not found. Use round, "
        "table, ns, ew (or n, e, s, w) and group.",
        "Round 1, table 1: enter either pairs (ns, ew) or players (n, e, s, w), not both.",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "The text is empty"),
        ("\n \n", "The text is empty"),
        ("1,1,1,2\n", "Line 1 has 4 cells. It needs 5 or 7"),
        ("round,table,ns,ew,group\n1,1,1\n", "Line 2 has 3 cells. It needs 5"),
        ("round,table,ns,ew,colour\n", "“colour” isn’t a column"),
        ("round,round,ns,ew,group\n", "column round appears twice"),
        ("round,table,ns,ew,group\n", "The schedule is empty"),
        ("1,1,1,2,1\n" * 10_001, "The limit is 10000"),
        ('1,1,"' + "9" * 140_000 + '",2,1\n', "can’t be read"),
    ],
)
def test_unreadable_text_is_refused_with_reason(text: str, message: str) -> None:
    with pytest.raises(UnplayableMovement, match=message):
        build_custom_movement(parse_schedule_rows(text))


def test_custom_movement_can_be_built_by_name() -> None:
    rows = [build_row(1, 1, 1, 2, 1)]
    assert build_named_movement("custom", meetings=rows) == build_custom_movement(rows)
    with pytest.raises(UnplayableMovement, match="movement’s meetings"):
        build_named_movement("custom", rows=rows)


CELLS = st.one_of(
    st.integers(-3, 6),
    st.sampled_from(["", "x", "2NS", "2EW", "٣", "1e9"]),
    st.none(),
    st.booleans(),
)
ROWS = st.lists(
    st.fixed_dictionaries(dict.fromkeys(("round", "table", "ns", "ew", "group"), CELLS)),
    max_size=6,
)


@settings(max_examples=60)
@given(ROWS)
def test_any_cells_give_movement_or_readable_refusal(rows) -> None:
    problems, movement = try_build_movement(lambda: build_custom_movement(rows))
    if movement:
        assert len(movement.meetings) == len(rows)
    else:
        assert problems
        assert all(item.endswith(".") for item in problems)


@settings(max_examples=60)
@given(st.text(alphabet='123NSEW ,;\t\n"abrt', max_size=60))
def test_any_pasted_text_gives_movement_or_readable_refusal(text: str) -> None:
    refused, movement = try_build_movement(
        lambda: build_custom_movement(parse_schedule_rows(text))
    )
    assert refused if movement is None else movement.round_count >= 1
