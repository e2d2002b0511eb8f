"""Announcements are derived from the schedule."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.movements import (
    SYSTEMS_BY_NAME,
    Contest,
    Movement,
    UnplayableMovement,
    build_named_movement,
    format_announcement,
    list_suggestions_for_limits,
    make_ns_and_ew_labels,
    make_pair_meeting,
)

ANNOUNCEMENT_CASES = [
    (
        ("compass", {"tables": 7}),
        (
            "North-South pairs stay. East-West pairs move up one table. "
            "Boards move down one table."
        ),
    ),
    (
        ("compass-skip", {"tables": 6}),
        "North-South pairs stay. East-West pairs move up one table. "
        "After round 3 they move up two tables, skipping one. "
        "Boards move down one table.",
    ),
    (
        ("compass-relay", {"tables": 6}),
        "North-South pairs stay. East-West pairs move up one table. "
        "Boards move down one table. Between tables 3 and 4 they wait "
        "one round on the bye-stand. Tables 1 and 6 share boards. "
        "Play one and pass it on.",
    ),
    (
        ("compass", {"pairs": 13}),
        "North-South pairs stay. East-West pairs move up one table. "
        "Boards move down one table. There is no pair 7 E-W. The pair "
        "due to play it sits out.",
    ),
    (
        ("compass", {"tables": 5, "switch": [4, 5]}),
        "North-South pairs stay. East-West pairs move up one table. "
        "Boards move down one table. Arrow switch in rounds 4, 5: "
        "North-South and East-West swap seats at every table.",
    ),
    (
        ("compass-rover", {"tables": 5}),
        "North-South pairs stay. East-West pairs move up one table. "
        "Pair 6 N-S is the rover. It sits out round 1, then "
        "takes the North-South seats at tables 2, 4, 1, 3. The pair "
        "it replaces sits out. Boards move down one table.",
    ),
    (
        ("howell", {"pairs": 8}),
        "Pair 8 stays. Everyone else follows the pair one number "
        "lower (1 follows 7). Each table then plays the next set of "
        "boards (the first follows the last).",
    ),
    (
        ("howell", {"pairs": 7}),
        "Everyone follows the pair one number lower (1 follows 7). "
        "Each table then plays the next set of boards (the first "
        "follows the last). There is no pair 8. The pair due to play "
        "it sits out.",
    ),
    (
        ("compass-hesitation", {"tables": 3}),
        "Pairs 1 and 2 stay. Everyone else follows the pair one "
        "number higher (6 follows 3). Boards move down one table. "
        "Between tables 1 and 2 they wait one round on the bye-stand.",
    ),
    (
        ("compass-hesitation", {"tables": 4}),
        "Pairs 1–3 stay. Everyone else follows the pair one "
        "number higher (8 follows 4). Guide cards show the side. "
        "Boards move down one table. Between tables 2 and 3 they "
        "wait two rounds on the bye-stands. Tables 1 and 4 share "
        "boards. Play one and pass it on. Arrow switch in round 5: "
        "North-South and East-West swap seats at every table.",
    ),
    (
        ("four-pairs", {"pairs": 4}),
        "Pair 1 stays. Everyone else follows the pair one number "
        "lower (2 follows 4). All tables share the boards of a "
        "round. Play one and pass it on.",
    ),
    (
        ("howell", {"pairs": 26}),
        "Each pair follows its guide card. Each table takes the boards on its guide card.",
    ),
    (("compass", {"tables": 3, "rounds": 1}), "Only one round: no one moves."),
    (
        ("web", {"tables": 14, "rounds": 13}),
        "North-South pairs stay. East-West pairs move up one table. "
        "Tables 1–7 use copy A. Boards move down one table, from "
        "table 1 to table 7 after six rounds’ wait. Tables 8–14 use "
        "copy B. Boards move down one table, from table 8 to table "
        "14 after six rounds’ wait.",
    ),
    (
        ("gilman", {"teams": 7}),
        "North-South pairs stay. East-West pairs move down two "
        "tables. Boards move down one table.",
    ),
]


@pytest.mark.parametrize(("name_and_options", "expected_text"), ANNOUNCEMENT_CASES)
def test_announcement_matches_wording_used_by_directors(
    name_and_options: tuple, expected_text: str
) -> None:
    name, options = name_and_options
    assert format_announcement(build_named_movement(name, **options)) == expected_text


def test_board_sharing_in_single_round_is_announced_for_that_round() -> None:
    announcement = format_announcement(build_named_movement("howell", pairs=6))
    assert "In round 5 tables 1, 2 and 3 share boards. Play one and pass it on." in announcement


@pytest.mark.parametrize("name", sorted(SYSTEMS_BY_NAME))
@pytest.mark.parametrize("size", [2, 3, 4, 5, 6, 7, 8, 13])
def test_every_catalogue_movement_can_be_announced(name: str, size: int) -> None:
    try:
        movement = build_named_movement(name, **{str(SYSTEMS_BY_NAME[name].unit): size})
    except UnplayableMovement:
        return
    announcement = format_announcement(movement)
    assert announcement.endswith(".")
    assert announcement[0].isupper()


def test_suggestions_include_announcement() -> None:
    best_suggestion = list_suggestions_for_limits(pairs=14, boards=28)[0]
    assert best_suggestion.announcement == format_announcement(best_suggestion.movement)


def build_pair_movement(*rows: tuple[int, int, int, int, int]) -> Movement:
    return Movement(
        name="custom",
        title="Ours",
        contest=Contest.PAIRS,
        meetings=tuple(make_pair_meeting(*row) for row in rows),
        labels=("1", "2", "3", "4"),
        allows_sharing=True,
    )


def test_announcement_says_if_nobody_moves() -> None:
    stationary_movement = build_pair_movement(
        (1, 1, 1, 2, 1), (1, 2, 3, 4, 2), (2, 1, 1, 2, 3), (2, 2, 3, 4, 1)
    )
    assert format_announcement(stationary_movement).startswith("No one moves. ")
    individual_announcement = format_announcement(build_named_movement("eight-individuals"))
    assert "All tables share the boards of a round" in individual_announcement
    club_match_announcement = format_announcement(
        build_named_movement("club-against-club", teams=4)
    )
    assert "Tables 1 and 2, 3 and 4 share boards" in club_match_announcement


def test_announcement_refers_to_guide_cards_for_irregular_movement() -> None:
    irregular_movement = build_pair_movement(
        (1, 1, 1, 2, 1), (1, 2, 3, 4, 2), (2, 1, 3, 4, 1), (2, 2, 1, 2, 2)
    )
    assert format_announcement(irregular_movement).startswith(
        "Each pair follows its guide card. "
    )


def test_announcement_refers_to_guide_cards_for_changing_board_sharing() -> None:
    changing_movement = build_pair_movement(
        (1, 1, 1, 2, 1),
        (1, 2, 3, 4, 1),
        (2, 1, 1, 3, 2),
        (2, 2, 2, 4, 3),
        (3, 1, 1, 4, 4),
        (3, 2, 2, 3, 4),
    )
    assert "Some tables share boards, as their guide cards show" in format_announcement(
        changing_movement
    )


def test_memory_duplicate_announcement_includes_quarter_turn_of_boards() -> None:
    announcement = format_announcement(build_named_movement("memory", pairs=2))
    assert announcement.startswith("No one moves. ")
    assert "a quarter turn" in announcement


def test_announcement_refers_to_guide_cards_for_arrow_switches() -> None:
    assert format_announcement(
        build_named_movement("reduced-howell", pairs=14, rounds=11)
    ).startswith(
        "Pairs 12–14 stay. Everyone else follows the pair "
        "one number lower (1 follows 11). Guide cards show the side."
    )


def test_announcement_names_empty_position_as_player_pair_or_team() -> None:
    def read_last_sentences(name: str, **size: object) -> str:
        return ". ".join(
            format_announcement(build_named_movement(name, **size)).split(". ")[-2:]
        )

    assert read_last_sentences("whist-individual", players=11) == (
        "There is no player 12. The table due to have that player sits out."
    )
    assert read_last_sentences("whist-individual", players=12, absent=(3, 4)) == (
        "There are no players 3 and 4. Tables due to have one of them sit out."
    )
    assert read_last_sentences("howell-teams", teams=5, absent=("2NS", "2EW")) == (
        "There is no team 2. The team due to play it sits out."
    )
    assert read_last_sentences("compass", tables=5, absent=("2NS", "5EW")) == (
        "There are no pairs 2 N-S and 5 E-W. Pairs due to play them sit out."
    )


@given(
    tables=st.integers(2, 6),
    ew=st.lists(st.integers(0, 5), min_size=2, max_size=5),
    boards=st.integers(0, 5),
)
@settings(max_examples=60)
def test_announcement_describes_step_of_zero_as_staying(
    tables: int, ew: list[int], boards: int
) -> None:
    """Whatever the steps between rounds are, a step of zero is announced as staying."""
    meetings, step = [], 0
    for number, move in enumerate([0, *ew], start=1):
        step += move
        for table in range(tables):
            pair = tables + 1 + (table - step) % tables
            group = 1 + (number - 1) * tables + (table + boards * number) % tables
            meetings.append(make_pair_meeting(number, 1 + table, 1 + table, pair, group))
    movement = Movement(
        name="custom",
        title="Ours",
        contest=Contest.PAIRS,
        meetings=tuple(meetings),
        labels=make_ns_and_ew_labels(tables, tables),
    )
    announcement = format_announcement(movement)
    assert not re.search(r"\bno tables?\b", announcement)
    if all(move % tables == 0 for move in ew):
        assert "No one moves." in announcement


def test_announcement_names_only_round_after_which_pairs_move() -> None:
    steps = (0, 0, 0, 1)
    movement = Movement(
        name="custom",
        title="Ours",
        contest=Contest.PAIRS,
        meetings=tuple(
            make_pair_meeting(
                number, 1 + table, 1 + table, 4 + (table - step) % 3, 3 * number - table
            )
            for number, step in enumerate(steps, start=1)
            for table in range(3)
        ),
        labels=make_ns_and_ew_labels(3, 3),
    )
    assert "East-West pairs stay. After round 3 they move up one table." in format_announcement(
        movement
    )


def test_announcement_says_that_stationary_boards_stay() -> None:
    movement = Movement(
        name="custom",
        title="Ours",
        contest=Contest.PAIRS,
        meetings=tuple(
            make_pair_meeting(
                1 + step,
                1 + number,
                1 + (number - step) % 5,
                6 + (number - 2 * step) % 5,
                1 + number,
            )
            for step in range(4)
            for number in range(5)
        ),
        labels=make_ns_and_ew_labels(5, 5),
    )
    announcement = format_announcement(movement)
    assert announcement.endswith("East-West pairs move up two tables. Boards don’t move.")


def test_announcement_names_only_round_after_which_pairs_stay() -> None:
    steps = (0, 1, 2, 2)
    movement = Movement(
        name="custom",
        title="Ours",
        contest=Contest.PAIRS,
        meetings=tuple(
            make_pair_meeting(
                number, 1 + table, 1 + table, 4 + (table - step) % 3, 3 * number - table
            )
            for number, step in enumerate(steps, start=1)
            for table in range(3)
        ),
        labels=make_ns_and_ew_labels(3, 3),
    )
    announcement = format_announcement(movement)
    assert "East-West pairs move up one table. After round 3 they stay." in announcement
