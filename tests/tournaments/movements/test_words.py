"""Movements are described in the reader's language, in complete sentences."""

import re
from collections.abc import Iterator

import pytest

from tests.page_text import remove_marked_text
from tournaments.movements import (
    SYSTEMS_BY_NAME,
    Movement,
    UnplayableMovement,
    build_named_movement,
    build_place_guide,
    compute_balance,
    format_announcement,
    list_suggestions_for_limits,
)
from tournaments.movements.changes import (
    ExchangedPlaces,
    LateArrival,
    TurnedTable,
    Withdrawal,
    WrongBoards,
    list_continuations,
)
from tournaments.movements.drawbacks import describe_drawbacks
from tournaments.movements.formatting import (
    format_boards_a_round,
    format_range,
    format_round_count,
    format_table_count,
    join_alternatives,
    join_names,
)
from tournaments.movements.systems.custom import build_custom_movement
from tournaments.movements.systems.custom_text import parse_schedule_rows
from tournaments.movements.systems.system import MAX_TABLES
from tournaments.movements.systems.teams import MAX_TEAMS
from tournaments.movements.text_layout import format_movement, format_suggestions

SYSTEM_SIZES = [2, 3, 4, 5, 6, 7, 8, 13, 14, 20, 24]


def list_movements() -> Iterator[Movement]:
    for system in SYSTEMS_BY_NAME.values():
        for size in SYSTEM_SIZES:
            if system.fits_size(size):
                yield build_named_movement(system.name, **{str(system.unit): size})
    yield build_named_movement("compass", tables=7, absent=["7EW"], rounds=6)
    yield build_named_movement("compass", tables=5, switch=[2, 4])
    yield build_named_movement("howell", pairs=9)
    yield build_named_movement("gilman", teams=5, absent=[1, 6])
    yield build_named_movement("reduced-howell", pairs=14, rounds=11)


def test_system_is_described_in_language_of_reader(use_marked_language: None) -> None:
    for system in SYSTEMS_BY_NAME.values():
        assert (
            remove_marked_text(system.title + system.sizes + system.remarks + system.source)
            == ""
        )
        assert "«" not in system.name


def test_described_sizes_equal_supported_sizes() -> None:
    sizes_text = " ".join(system.sizes for system in SYSTEMS_BY_NAME.values())
    numbers = {int(number) for number in re.findall(r"\d+", sizes_text)}
    assert {MAX_TABLES, MAX_TABLES - 1, MAX_TEAMS, MAX_TEAMS - 1} <= numbers
    for system in SYSTEMS_BY_NAME.values():
        named_sizes = {int(number) for number in re.findall(r"\d+", system.sizes)}
        assert any(system.fits_size(number) for number in named_sizes), system.name


def test_all_texts_about_movement_use_language_of_reader(
    use_marked_language: None,
) -> None:
    for movement in list_movements():
        assert remove_marked_text(movement.title) == "", movement.title
        assert remove_marked_text(format_announcement(movement)) == "", format_announcement(
            movement
        )
        drawbacks = describe_drawbacks(movement, compute_balance(movement))
        assert remove_marked_text(drawbacks) == "", drawbacks
        for place_round in build_place_guide(movement, 1):
            assert remove_marked_text(place_round.next_destination) == "", (
                place_round.next_destination
            )


def test_terminal_output_uses_language_of_reader(use_marked_language: None) -> None:
    text = format_movement(build_named_movement("whist-individual", players=13))
    assert not re.search(r"[a-z]{3}", remove_marked_text(text)), remove_marked_text(text)
    text = format_suggestions(list_suggestions_for_limits(pairs=14, boards=26))
    assert not re.search(r"[a-z]{3}", remove_marked_text(text)), remove_marked_text(text)


@pytest.mark.parametrize(
    "build_options",
    [
        {"name": "whirl"},
        {"name": "compass"},
        {"name": "howell"},
        {"name": "whist-individual"},
        {"name": "gilman"},
        {"name": "compass", "tables": 4},
        {"name": "gilman", "teams": 4},
        {"name": "compass-rover", "pairs": 10, "tables": 4},
        {"name": "compass", "tables": 7, "rounds": 9},
        {"name": "compass", "tables": 7, "home": True},
        {"name": "compass", "tables": 7, "absent": ["8EW"]},
        {"name": "howell", "pairs": 8, "absent": [9]},
        {"name": "howell", "pairs": 8, "switch": [1]},
        {"name": "compass", "tables": 7, "switch": [8]},
        {"name": "reduced-howell", "pairs": 14, "rounds": 2},
        {"name": "league-fours", "teams": 2, "sets": 4},
        {"name": "memory", "rounds": 3},
        {"name": "custom"},
    ],
)
def test_refusal_uses_language_of_reader(
    build_options: dict, use_marked_language: None
) -> None:
    system_name = build_options.pop("name")
    with pytest.raises(UnplayableMovement) as exc_info:
        build_named_movement(system_name, **build_options)
    assert [text for text in exc_info.value.problems if remove_marked_text(text)] == []


VALID_ROW = {"round": 1, "table": 1, "ns": "1", "ew": "2", "group": 1}


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [{"round": 1}],
        [VALID_ROW | {"group": "x", "what": 1}],
        [VALID_ROW | {"n": "1"}],
        [VALID_ROW, {"round": 3, "table": "", "ns": "", "ew": "?", "group": 1}],
        [VALID_ROW, VALID_ROW | {"table": 2, "ns": "3NS", "ew": "3EW"}],
        [VALID_ROW, VALID_ROW | {"round": 3, "ns": "9"}],
        [VALID_ROW, VALID_ROW, VALID_ROW | {"table": 2}, VALID_ROW | {"round": 2, "ew": "1"}],
        [VALID_ROW | {"ns": "4"}],
    ],
)
def test_row_errors_use_language_of_reader(rows: list, use_marked_language: None) -> None:
    with pytest.raises(UnplayableMovement) as exc_info:
        build_custom_movement(rows)
    assert [text for text in exc_info.value.problems if remove_marked_text(text)] == []


@pytest.mark.parametrize(
    "text", ["", "1 2", "round ns ns\n1 1 1", "round what\n1 1", "1,2,3,4,5,6\n1,2"]
)
def test_pasted_line_errors_use_language_of_reader(
    text: str, use_marked_language: None
) -> None:
    with pytest.raises(UnplayableMovement) as exc_info:
        parse_schedule_rows(text)
    assert [problem for problem in exc_info.value.problems if remove_marked_text(problem)] == []


@pytest.mark.parametrize(
    ("name", "size", "played_round_count", "change"),
    [
        ("memory", {"pairs": 2}, 1, LateArrival()),
        ("compass", {"tables": 3}, 3, LateArrival()),
        ("compass", {"tables": 3}, 1, Withdrawal(40)),
        ("compass", {"tables": 3}, 3, Withdrawal(1)),
        ("compass", {"tables": 3}, 1, TurnedTable(9, 1, 1)),
        ("compass", {"tables": 3}, 1, ExchangedPlaces(1, 1, 1, 1)),
        ("compass", {"tables": 3}, 1, ExchangedPlaces(1, 2, 1, 2)),
        ("compass", {"tables": 3}, 1, WrongBoards(1, 9, 1)),
        ("compass", {"tables": 3}, 1, WrongBoards(1, 1, 1)),
    ],
)
def test_refused_change_uses_language_of_reader(
    name: str, size: dict, played_round_count: int, change: object, use_marked_language: None
) -> None:
    movement = build_named_movement(name, **size)
    with pytest.raises(UnplayableMovement) as exc_info:
        list_continuations(movement, played_round_count, change)
    assert remove_marked_text(str(exc_info.value)) == ""


def test_ranges_and_lists_are_formatted_in_words() -> None:
    assert [
        format_range(2, 2),
        format_range(2, 3),
        format_range(2, 5),
        format_range(0, 5),
        format_range(0, 11),
    ] == [
        "two",
        "two or three",
        "two to five",
        "up to five",
        "up to 11",
    ]
    assert [join_names(["a"]), join_names("abc"), join_alternatives("ab")] == [
        "a",
        "a, b and c",
        "a or b",
    ]


def test_count_of_one_uses_singular_noun() -> None:
    assert (format_table_count(1), format_table_count(7)) == ("1 table", "7 tables")
    assert (format_round_count(1), format_round_count(2)) == ("1 round", "2 rounds")
    assert (format_boards_a_round(1), format_boards_a_round(4)) == (
        "1 board per round",
        "4 boards per round",
    )
    assert build_named_movement("memory", pairs=2).title == "Memory duplicate, 1 and 1 round"
