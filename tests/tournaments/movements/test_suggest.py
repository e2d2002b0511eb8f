"""The adviser meets preferences, lists the best first and describes costs plainly."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.movements import (
    Contest,
    Meeting,
    Movement,
    UnplayableMovement,
    build_named_movement,
    compute_balance,
    list_suggestions_for_limits,
)
from tournaments.movements.advice.suggestion import build_suggestion_data
from tournaments.movements.drawbacks import describe_drawbacks


def test_fourteen_pairs_with_stationary_pair_get_suggestions_for_26_boards() -> None:
    best_suggestion, *other_suggestions = list_suggestions_for_limits(
        pairs=14, boards=26, stationary=1
    )
    assert (
        best_suggestion.name,
        best_suggestion.round_count,
        best_suggestion.boards_a_round,
    ) == ("howell", 13, 2)
    assert (best_suggestion.met_pairing_count, best_suggestion.possible_pairing_count) == (
        91,
        91,
    )
    assert (
        best_suggestion.boards_played_range.minimum,
        best_suggestion.boards_played_range.maximum,
        best_suggestion.board_count,
    ) == (
        26,
        26,
        26,
    )
    assert best_suggestion.drawbacks_text == (
        "Everyone meets everyone. Any two are compared on five to seven sets of boards."
    )
    assert "compass" in [item.name for item in other_suggestions]


def test_cost_of_curtailing_is_described() -> None:
    drawbacks_by_title = {
        suggestion.title: suggestion.drawbacks_text
        for suggestion in list_suggestions_for_limits(pairs=14, boards=26)
    }
    assert drawbacks_by_title["Mitchell, 7 tables, 6 rounds"] == (
        "Each misses one of the others. Everyone misses one set of "
        "boards. Two winners (N-S and E-W)."
    )
    assert drawbacks_by_title["Mitchell, 7 tables"] == (
        "Everyone meets the whole other side. Two winners (N-S and E-W)."
    )


def test_stationary_pair_is_not_the_missing_pair() -> None:
    howell_suggestions = [
        suggestion
        for suggestion in list_suggestions_for_limits(pairs=13, stationary=1)
        if suggestion.name == "howell"
    ]
    assert howell_suggestions
    assert all(howell.options["absent"] == [13] for howell in howell_suggestions)
    assert all(howell.stationary_count == 1 for howell in howell_suggestions)


def test_suggestions_have_one_or_two_winners_as_requested() -> None:
    assert {
        suggestion.winner_count
        for suggestion in list_suggestions_for_limits(pairs=12, boards=24, winners=1)
    } == {1}
    assert {
        suggestion.winner_count
        for suggestion in list_suggestions_for_limits(pairs=12, boards=24, winners=2)
    } == {2}
    mitchell_suggestions = [
        e
        for e in list_suggestions_for_limits(pairs=10, boards=25, winners=1)
        if e.name == "compass"
    ]
    assert mitchell_suggestions[0].options["one_winner"] is True


def test_minutes_are_converted_to_boards() -> None:
    short_suggestions = list_suggestions_for_limits(pairs=14, minutes=100)
    assert max(item.boards_played_range.maximum for item in short_suggestions) <= 100 // 7
    assert (
        list_suggestions_for_limits(pairs=14, minutes=100, boards=6)[
            0
        ].boards_played_range.maximum
        <= 6
    )


def test_default_evening_has_about_twenty_four_boards() -> None:
    best_suggestion = list_suggestions_for_limits(tables=7)[0]
    assert 24 <= best_suggestion.boards_played_range.maximum <= 28


def test_single_players_and_teams_get_suggestions() -> None:
    assert {suggestion.name for suggestion in list_suggestions_for_limits(players=13)} == {
        "whist-individual"
    }
    teams = list_suggestions_for_limits(teams=7, boards=24)
    assert {team.name for team in teams} == {"howell-teams", "gilman"}
    assert all(team.round_count == team.movement.round_count for team in teams)
    assert list_suggestions_for_limits(pairs=2)[0].name == "memory"


@pytest.mark.parametrize(
    "preferences",
    [
        {"pairs": 14, "stationary": 8},
        {"pairs": 14, "boards": 1},
        {"pairs": 1},
        {"players": 3},
        {"pairs": 14, "boards_at_hand": 3},
        {"pairs": 14, "minutes": 1},
    ],
)
def test_impossible_request_is_refused_with_alternative(preferences: dict[str, int]) -> None:
    with pytest.raises(UnplayableMovement, match=r"No movement suits .* options\. .+"):
        list_suggestions_for_limits(**preferences)


def test_request_requires_exactly_one_number_of_competitors() -> None:
    with pytest.raises(UnplayableMovement, match="Enter only one of these: pairs, players"):
        list_suggestions_for_limits()
    with pytest.raises(UnplayableMovement, match="Enter only one of these: pairs, players"):
        list_suggestions_for_limits(pairs=14, tables=7)


@given(
    pairs=st.integers(4, 24),
    boards=st.none() | st.integers(4, 40),
    stationary_count=st.integers(0, 2),
)
@settings(max_examples=10)
def test_every_suggestion_can_be_built_and_respects_constraints(
    pairs: int, boards: int | None, stationary_count: int
) -> None:
    try:
        suggestions = list_suggestions_for_limits(
            pairs=pairs, boards=boards, stationary=stationary_count
        )
    except UnplayableMovement:
        return
    assert 1 <= len(suggestions) <= 8
    for item in suggestions:
        for section_plan in item.section_plans:
            assert (
                build_named_movement(section_plan.name, **section_plan.options)
                == section_plan.movement
            )
        assert boards is None or item.boards_played_range.maximum <= boards
        assert item.stationary_count >= stationary_count
        assert build_suggestion_data(item)["cost"] == item.drawbacks_text


def test_cost_of_missing_players_is_described() -> None:
    small_movement, large_movement = (
        build_named_movement("whist-individual", players=players) for players in (14, 42)
    )
    assert "Some players never partner each other." in describe_drawbacks(
        large_movement, compute_balance(large_movement)
    )
    assert "Everyone sits out five or six rounds." in describe_drawbacks(
        large_movement, compute_balance(large_movement)
    )
    assert "Everyone sits out two rounds." in describe_drawbacks(
        small_movement, compute_balance(small_movement)
    )


def test_drawbacks_describe_uneven_partnerships() -> None:
    seats = ((1, 2, 3, 4), (1, 2, 3, 4), (1, 3, 2, 4), (1, 2, 4, 3))
    movement = Movement(
        name="custom",
        title="Four players",
        contest=Contest.INDIVIDUAL,
        meetings=tuple(
            Meeting(number, 1, *places, number) for number, places in enumerate(seats, start=1)
        ),
        labels=("1", "2", "3", "4"),
    )
    drawbacks = describe_drawbacks(movement, compute_balance(movement))
    assert "Two players partner each other one or two times." in drawbacks


def test_drawbacks_say_that_pairs_on_same_side_do_not_meet() -> None:
    movement = build_named_movement("compass", tables=7, one_winner=True)
    drawbacks = describe_drawbacks(movement, compute_balance(movement))
    assert drawbacks.startswith(
        "Everyone meets all opponents on the other side, but no one on their own side."
    )
    howell = build_named_movement("howell", pairs=8)
    assert describe_drawbacks(howell, compute_balance(howell)).startswith(
        "Everyone meets everyone."
    )


@pytest.mark.parametrize(
    ("boards", "expected"),
    [
        (1, ("Up to three tables share one board in a round, so two of them always wait.")),
        (2, ("Up to three tables share two boards in a round, so one of them always waits.")),
        (3, "Some tables share boards."),
        (None, "Some tables share boards."),
    ],
)
def test_drawbacks_mention_waiting_for_boards_shared_by_many_tables(
    boards: int | None, expected: str
) -> None:
    movement = build_named_movement("whist-individual", players=12)
    assert expected in describe_drawbacks(movement, compute_balance(movement), boards)
    (matching_suggestion,) = [
        suggestion
        for suggestion in list_suggestions_for_limits(players=12, boards=22)
        if suggestion.name == "whist-individual"
        and suggestion.boards_a_round == 2
        and suggestion.round_count == 11
    ]
    assert "one of them always waits" in matching_suggestion.drawbacks_text
