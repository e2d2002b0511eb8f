"""A movement is always valid: each broken rule is refused with its round and table."""

from dataclasses import replace
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.movements import (
    SYSTEMS_BY_NAME,
    Contest,
    Meeting,
    Movement,
    UnplayableMovement,
    build_named_movement,
    leave_places_empty,
    make_ns_and_ew_labels,
    make_pair_meeting,
    problems,
    shorten_movement,
)


def build_pair_movement(*rows: tuple[int, int, int, int, int], **changes: object) -> Movement:
    expected: dict = {
        "name": "custom",
        "title": "A table of ours",
        "contest": Contest.PAIRS,
        "meetings": tuple(make_pair_meeting(*row) for row in rows),
        "labels": ("1", "2", "3", "4"),
    }
    return Movement(**expected | changes)


VALID_MEETING_ROWS = ((1, 1, 1, 2, 1), (1, 2, 3, 4, 2), (2, 1, 3, 1, 3), (2, 2, 4, 2, 4))


def test_valid_schedule_is_sorted_by_round_and_table() -> None:
    movement = build_pair_movement(*reversed(VALID_MEETING_ROWS))
    assert [(meeting.round, meeting.table) for meeting in movement.meetings] == [
        (1, 1),
        (1, 2),
        (2, 1),
        (2, 2),
    ]
    assert (
        movement.table_count,
        movement.round_count,
        movement.group_count,
        movement.place_count,
    ) == (
        2,
        2,
        4,
        4,
    )


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ((2, 2, 3, 2, 4), "Round 2, table 2: 3 is already at table 1."),
        ((2, 2, 4, 2, 3), "Round 2, table 2: set 3 is already at table 1."),
        ((2, 2, 4, 2, 2), "Round 2, table 2: 4 already played set 2 in round 1."),
        ((2, 2, 4, 9, 4), "Round 2, table 2: place 9 not found. Places are 1–4."),
        ((2, 2, 4, 4, 4), "Round 2, table 2: 4 is on both sides of the table."),
        (
            (2, 1, 4, 2, 4),
            "Round 2, table 1 is listed twice. A table has one meeting per round.",
        ),
        ((4, 2, 4, 2, 4), "Round 3 has no table. Number the rounds from 1 without gaps."),
        (
            (2, 0, 4, 2, 4),
            "Round 2, table 0: number rounds, tables and sets from 1.",
        ),
    ],
)
def test_schedule_problem_is_reported_with_round_and_table(
    row: tuple[int, int, int, int, int], problem: str
) -> None:
    with pytest.raises(UnplayableMovement) as refusal:
        build_pair_movement(*VALID_MEETING_ROWS[:3], row)
    assert problem in refusal.value.problems


def test_all_schedule_problems_are_reported_together() -> None:
    with pytest.raises(UnplayableMovement) as refusal:
        build_pair_movement((1, 1, 1, 2, 1), (1, 2, 2, 3, 1), (2, 1, 1, 2, 1))
    assert len(refusal.value.problems) == 5
    assert str(refusal.value) == "\n".join(refusal.value.problems)
    assert refusal.value.code == "unplayable_movement"


def test_pair_has_two_seats_and_single_player_has_one() -> None:
    meeting = Meeting(1, 1, north=1, east=2, south=3, west=4, board_group=1)
    with pytest.raises(UnplayableMovement, match="enter one pair North-South"):
        build_pair_movement(meetings=(meeting,))
    with pytest.raises(UnplayableMovement, match="four different players"):
        build_pair_movement(*VALID_MEETING_ROWS, contest=Contest.INDIVIDUAL)
    assert build_pair_movement(
        meetings=(meeting,), contest=Contest.INDIVIDUAL
    ).list_place_meetings(3) == [meeting]


def test_sharing_and_replaying_require_permission() -> None:
    shared_board_rows = ((1, 1, 1, 2, 1), (1, 2, 3, 4, 1))
    replayed_board_rows = ((1, 1, 1, 2, 1), (2, 1, 2, 1, 1))
    with pytest.raises(UnplayableMovement, match="already at table"):
        build_pair_movement(*shared_board_rows)
    with pytest.raises(UnplayableMovement, match="already played"):
        build_pair_movement(*replayed_board_rows, labels=("1", "2"))
    assert build_pair_movement(*shared_board_rows, allows_sharing=True).table_count == 2
    assert (
        build_pair_movement(
            *replayed_board_rows, labels=("1", "2"), allows_replays=True
        ).round_count
        == 2
    )


def test_table_with_absent_pair_does_not_share_boards() -> None:
    shared = ((1, 1, 1, 2, 1), (1, 2, 3, 4, 1))
    movement = build_pair_movement(*shared, absent_places=frozenset({4}))
    assert [meeting.table for meeting in movement.played_meetings] == [1]


def test_board_group_numbered_like_absent_place_is_checked() -> None:
    replayed = ((1, 1, 1, 2, 3), (2, 1, 2, 1, 3), (3, 1, 1, 4, 1))
    with pytest.raises(UnplayableMovement, match="already played"):
        build_pair_movement(*replayed, absent_places=frozenset({3}))


def test_schedule_without_meetings_is_refused() -> None:
    with pytest.raises(UnplayableMovement, match="no one plays"):
        build_pair_movement((1, 1, 1, 2, 1), labels=("1", "2"), absent_places=frozenset({2}))
    with pytest.raises(UnplayableMovement, match="movement is empty"):
        build_pair_movement()


def test_position_labels_are_unique_and_unknown_positions_are_refused() -> None:
    with pytest.raises(UnplayableMovement, match="Two places are called 1"):
        build_pair_movement(*VALID_MEETING_ROWS, labels=("1", "1", "3", "4"))
    with pytest.raises(UnplayableMovement, match="Place 7 can’t be missing"):
        build_pair_movement(*VALID_MEETING_ROWS, absent_places=frozenset({7}))
    movement = build_pair_movement(*VALID_MEETING_ROWS)
    assert movement.find_place("3") == 3
    with pytest.raises(UnplayableMovement, match=r"3NS\. Its places are 1–4"):
        movement.find_place("3NS")
    with pytest.raises(UnplayableMovement, match="has no place 5"):
        leave_places_empty(movement, [5])


def test_fields_and_teams_are_derived_from_labels() -> None:
    movement = build_named_movement("compass", tables=3)
    assert movement.labels == make_ns_and_ew_labels(3, 3)
    assert [movement.get_field_name(place) for place in (1, 3, 4)] == ["NS", "NS", "EW"]
    assert [movement.get_team_number(place) for place in (1, 3, 4)] == [1, 3, 1]
    assert movement.has_two_fields
    one_field_movement = build_named_movement("howell", pairs=8)
    assert not one_field_movement.has_two_fields
    assert one_field_movement.get_field_name(3) == ""


def test_two_fields_have_two_winners_unless_they_change_sides() -> None:
    assert build_named_movement("compass", tables=5).winner_count == 2
    assert build_named_movement("compass", tables=5, switch=[2]).winner_count == 1
    assert build_named_movement("howell", pairs=10).winner_count == 1
    teams = replace(build_named_movement("compass", tables=5), contest=Contest.TEAMS)
    assert teams.winner_count == 1


@given(rounds=st.integers(1, 13))
def test_curtailed_movement_is_beginning_of_full_movement(rounds: int) -> None:
    whole = build_named_movement("howell", pairs=14)
    curtailed_movement = shorten_movement(whole, rounds)
    assert curtailed_movement.round_count == rounds
    assert whole.meetings[: len(curtailed_movement.meetings)] == curtailed_movement.meetings


@pytest.mark.parametrize("rounds", [0, 14, -1])
def test_movement_cannot_be_extended(rounds: int) -> None:
    with pytest.raises(UnplayableMovement, match="Choose from 1 to 13"):
        shorten_movement(build_named_movement("howell", pairs=14), rounds)


def test_title_names_missing_competitors() -> None:
    movement = leave_places_empty(build_named_movement("compass", tables=7), ["7EW", 1])
    assert movement.title == ("Mitchell, 7 tables, half tables: no pairs 1 N-S and 7 E-W")
    assert 1 not in movement.occupied_places
    assert leave_places_empty(movement, []) is movement


def test_title_distinguishes_sit_out_from_missing_pair() -> None:
    """A Howell for 13 pairs has a sit-out in each round even if all are present."""
    assert (
        build_named_movement("howell", pairs=9).title
        == "Howell, 10 pairs, one pair sits out each round"
    )
    perfect_howell = leave_places_empty(build_named_movement("howell", pairs=13), [13])
    assert perfect_howell.title == "Howell, 13 pairs, number 13 missing"


TESTED_MOVEMENTS = [
    build_named_movement("compass", tables=3),
    build_named_movement("compass-relay", tables=4),
    build_named_movement("howell", pairs=7),
    build_named_movement("memory"),
    build_named_movement("eight-individuals"),
    build_named_movement("four-individuals"),
    build_named_movement("new-england-relay", teams=4),
    build_named_movement("web", tables=6, rounds=5),
]
MEETING_CHANGES = st.lists(
    st.tuples(st.integers(0, 99), st.sampled_from(Meeting._fields), st.integers(0, 9)),
    max_size=2,
)


@given(
    movement=st.sampled_from(TESTED_MOVEMENTS),
    changes=MEETING_CHANGES,
    allows_sharing=st.booleans(),
    allows_replays=st.booleans(),
    copy_count=st.integers(1, 2),
    absent_places=st.frozensets(st.integers(1, 9), max_size=2),
    contest=st.none() | st.sampled_from(Contest),
)
def test_fast_check_accepts_only_schedules_valid_in_detailed_check(
    movement: Movement,
    changes: list[tuple[int, str, int]],
    allows_sharing: bool,
    allows_replays: bool,
    copy_count: int,
    absent_places: frozenset[int],
    contest: Contest | None,
) -> None:
    meetings = list(movement.meetings)
    for drawn_number, field_name, value in changes:
        meeting_index = drawn_number % len(meetings)
        meetings[meeting_index] = meetings[meeting_index]._replace(**{field_name: value})
    data = {
        "contest": contest or movement.contest,
        "labels": movement.labels,
        "absent_places": absent_places,
        "allows_sharing": allows_sharing,
        "allows_replays": allows_replays,
        "copy_count": copy_count,
    }
    with mock.patch.object(problems, "_is_provably_valid", return_value=False):
        detailed_problems = problems.list_problems(meetings, **data)
    assert problems.list_problems(meetings, **data) == detailed_problems


def test_fast_check_accepts_every_catalogue_system() -> None:
    """The quick proof, and not only the slow one, holds for all movements of the catalogue."""
    with mock.patch.object(problems, "list_table_problems", side_effect=AssertionError):
        for name, system in SYSTEMS_BY_NAME.items():
            sizes = [size for size in range(1, 40) if system.fits_size(size)]
            for size in sizes[:3]:
                assert build_named_movement(name, **{str(system.unit): size}).meetings
