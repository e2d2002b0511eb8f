"""The one recommended suggestion in words, the merits of the others, and its picture."""

import re

import pytest

from tournaments.movements import (
    Movement,
    Suggestion,
    UnplayableMovement,
    build_named_movement,
    list_suggestions_for_limits,
)
from tournaments.movements.advice.description import (
    MAX_ALTERNATIVES,
    build_described_suggestion_data,
    choose_alternatives,
    describe_suggestion,
)
from tournaments.movements.formatting import format_hours
from tournaments.movements.walks import find_movement_loops
from tournaments.sheets.walk_pictures import (
    BOX_HEIGHT,
    NARROW_PICTURE_WIDTH,
    WIDE_PICTURE_WIDTH,
    Drawing,
    draw_walk,
)

FIELDS = [{"pairs": number} for number in range(4, 41)] + [
    {"players": number} for number in (8, 9, 12, 16, 27)
]


@pytest.fixture(scope="module")
def suggestions_by_field() -> list[list[Suggestion]]:
    """Return the advice for fields of every size, and with the most common preference."""
    suggestions = [list_suggestions_for_limits(**field) for field in FIELDS]
    preferences = {"minutes": 194, "winners": 2}
    for number in range(10, 31):
        try:
            suggestions.append(
                list_suggestions_for_limits(pairs=number, stationary=number // 2, **preferences)
            )
        except UnplayableMovement:
            continue
    return suggestions


@pytest.mark.parametrize(
    ("minutes", "expected_text"),
    [
        (10, "about half an hour"),
        (52, "about 1 hour"),
        (80, "about 1½ hours"),
        (178, "about 3 hours"),
        (194, "about 3 hours"),
        (195, "about 3½ hours"),
        (208, "about 3½ hours"),
    ],
)
def test_duration_is_rounded_to_half_hours(minutes: int, expected_text: str) -> None:
    assert format_hours(minutes) == expected_text


def test_first_suggestion_for_fourteen_pairs_is_described() -> None:
    suggestions = list_suggestions_for_limits(pairs=14)
    description = describe_suggestion(suggestions[0])
    assert (description.title, description.bridge) == ("Mitchell, 7 tables", "")
    assert (description.hours, description.length) == (
        "About 3½ hours",
        "7 rounds of 4 boards, 28 minutes each",
    )
    assert description.moves == (
        "North-South pairs stay. East-West pairs move up one table. Boards move down one table."
    )
    assert description.meets == "Everyone meets each pair on the other side once."
    assert (description.boards, description.idle) == (
        "28 boards, all played by everyone",
        "No one sits out",
    )
    titles_by_advantage = {
        text: suggestion.title for text, suggestion in choose_alternatives(suggestions)
    }
    assert titles_by_advantage["One winner"] == "Howell, 14 pairs"
    assert "Finishes sooner" in titles_by_advantage
    assert (
        build_described_suggestion_data(suggestions[0])["plain"]["title"] == description.title
    )


def test_description_states_unmet_pairs_and_half_table() -> None:
    assert (
        describe_suggestion(list_suggestions_for_limits(pairs=16)[0]).meets
        == "Each pair meets 7 of 8."
    )
    half_table_description = describe_suggestion(list_suggestions_for_limits(pairs=15)[0])
    assert (half_table_description.meets, half_table_description.idle) == (
        "Each pair meets 6–7 of 8.",
        "Half table: no pair 8 E-W",
    )


def test_requested_property_is_not_a_drawback() -> None:
    suggestion = list_suggestions_for_limits(pairs=14, minutes=194, stationary=7, winners=2)[0]
    description = describe_suggestion(suggestion)
    assert (description.title, description.hours) == ("Mitchell, 7 tables", "About 3 hours")
    assert "Two winners" not in description.drawback


@pytest.mark.parametrize("pairs", [8, 10, 12, 14])
def test_two_winners_are_no_drawback_without_winner_preference(pairs: int) -> None:
    suggestions = list_suggestions_for_limits(pairs=pairs)
    assert any(item.winner_count == 2 for item in suggestions)
    assert all("winners" not in describe_suggestion(item).drawback for item in suggestions)


@pytest.mark.slow
def test_suggestions_have_full_descriptions_and_distinct_alternatives(
    suggestions_by_field: list[list[Suggestion]],
) -> None:
    for suggestions in suggestions_by_field:
        description = describe_suggestion(suggestions[0])
        assert all(
            [
                description.title,
                description.hours,
                description.length,
                description.moves,
                description.meets,
                description.boards,
            ]
        )
        other_alternatives = choose_alternatives(suggestions)
        assert len(other_alternatives) == min(MAX_ALTERNATIVES, len(suggestions) - 1)
        arguments = [
            good_for for good_for, _each in other_alternatives if good_for != "Also possible"
        ]
        assert len(set(arguments)) == len(arguments)
        suggestion_ids = [
            id(suggestions[0]),
            *(id(item) for _words, item in other_alternatives),
        ]
        assert len(set(suggestion_ids)) == len(suggestion_ids)


def list_next_tables(movement: Movement, number: int) -> dict[str, set[str]]:
    """Return the next tables of each table and side after a round, without the picture."""
    next_tables_by_position: dict[str, set[str]] = {}
    now = {
        (p, m.table, m.find_side(p))
        for m in movement.list_round_meetings(number)
        for p in m.places
    }
    next_table_by_place = {
        p: m.table for m in movement.list_round_meetings(number + 1) for p in m.places
    }
    for place, table, side in now:
        if place in next_table_by_place:
            next_tables_by_position.setdefault(f"{table}{side}", set()).add(
                str(next_table_by_place[place])
            )
    return next_tables_by_position


def test_diagram_arrows_match_schedule(
    suggestions_by_field: list[list[Suggestion]],
) -> None:
    checked_count = 0
    for found in suggestions_by_field:
        movement = found[0].movement
        movement_loops = find_movement_loops(movement)
        if movement_loops is None or not movement_loops.moving_side:
            continue
        checked_count += 1
        matching_move_count = 0
        for number in range(1, movement.round_count):
            goes = list_next_tables(movement, number)
            matching_move_count += all(
                goes.get(f"{table}{movement_loops.moving_side}", {next_table}) == {next_table}
                for loop in movement_loops.loops
                for table, next_table in zip(loop, [*loop[1:], loop[0]], strict=True)
            )
        assert matching_move_count == movement_loops.usual_move_count, movement.title
        assert movement_loops.move_count == movement.round_count - 1
    assert checked_count > 20


def check_drawing(drawing: Drawing, width: int) -> None:
    """Check that nothing is outside the drawing, and no two boxes overlap."""
    assert drawing.width <= width
    corners = [(stop.x, stop.y) for stop in drawing.stops]
    assert len(set(corners)) == len(corners)
    for stop in drawing.stops:
        assert 0 <= stop.x <= stop.x + stop.width <= drawing.width
        assert stop.y + BOX_HEIGHT <= drawing.height
        overlapping_stops = [
            other_stop
            for other_stop in drawing.stops
            if other_stop is not stop
            and other_stop.y == stop.y
            and abs(other_stop.x - stop.x) < stop.width
        ]
        assert overlapping_stops == []
    for path in (*drawing.lines, *drawing.arrow_heads):
        assert all(int(number) >= 0 for number in re.findall(r"-?\d+", path))
    assert len(drawing.lines) == len(drawing.arrow_heads) == len(drawing.stops)


def test_diagram_boxes_never_overlap(
    suggestions_by_field: list[list[Suggestion]],
) -> None:
    picture_count = 0
    for found in suggestions_by_field:
        for item in found[:3]:
            picture = draw_walk(item.movement)
            if picture is None:
                continue
            picture_count += 1
            check_drawing(picture.narrow_drawing, NARROW_PICTURE_WIDTH)
            if picture.wide_drawing is not None:
                check_drawing(picture.wide_drawing, WIDE_PICTURE_WIDTH)
            assert picture.description.startswith(picture.caption)
            for stop in picture.narrow_drawing.stops:
                assert stop.label in picture.description
    assert picture_count > 60


def test_empty_position_is_not_drawn_as_stationary() -> None:
    movement = build_named_movement("reduced-howell", pairs=11, rounds=9, edition=1)
    assert movement.absent_places == {12}
    walk = find_movement_loops(movement)
    assert walk is not None
    assert walk.stationary_stops == ("10", "11")


def test_diagram_has_no_sit_out_if_everyone_plays() -> None:
    walk = find_movement_loops(build_named_movement("howell", pairs=8))
    assert walk is not None
    assert [len(loop) for loop in walk.loops] == [7]
    assert walk.stationary_stops == ("4 N-S",)
