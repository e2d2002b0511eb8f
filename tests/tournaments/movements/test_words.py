"""Movements are described in the reader's language, in complete sentences."""

import re
from collections.abc import Iterator

import pytest

from tests.page_text import remove_marked_text
from tournaments.movements import (
    SYSTEMS_BY_NAME,
    Movement,
    UnplayableMovement,
    build,
    build_place_guide,
    compute_balance,
    format_announcement,
    list_suggestions_for,
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

SIZES = [2, 3, 4, 5, 6, 7, 8, 13, 14, 20, 24]


def list_movements() -> Iterator[Movement]:
    for system in SYSTEMS_BY_NAME.values():
        for size in SIZES:
            if system.fits_size(size):
                yield build(system.name, **{str(system.unit): size})
    yield build("compass", tables=7, absent=["7EW"], rounds=6)
    yield build("compass", tables=5, switch=[2, 4])
    yield build("howell", pairs=9)
    yield build("gilman", teams=5, absent=[1, 6])
    yield build("reduced-howell", pairs=14, rounds=11)


def test_system_is_described_in_language_of_reader(marked_language: None) -> None:
    for system in SYSTEMS_BY_NAME.values():
        assert (
            remove_marked_text(system.title + system.sizes + system.remarks + system.source)
            == ""
        )
        assert "«" not in system.name


def test_described_sizes_equal_supported_sizes() -> None:
    text = " ".join(system.sizes for system in SYSTEMS_BY_NAME.values())
    numbers = {int(number) for number in re.findall(r"\d+", text)}
    assert {MAX_TABLES, MAX_TABLES - 1, MAX_TEAMS, MAX_TEAMS - 1} <= numbers
    for system in SYSTEMS_BY_NAME.values():
        named = {int(number) for number in re.findall(r"\d+", system.sizes)}
        assert any(system.fits_size(number) for number in named), system.name


def test_all_texts_about_movement_use_language_of_reader(
    marked_language: None,
) -> None:
    for movement in list_movements():
        assert remove_marked_text(movement.title) == "", movement.title
        assert remove_marked_text(format_announcement(movement)) == "", format_announcement(
            movement
        )
        drawbacks = describe_drawbacks(movement, compute_balance(movement))
        assert remove_marked_text(drawbacks) == "", drawbacks
        for stop in build_place_guide(movement, 1):
            assert remove_marked_text(stop.next_destination) == "", stop.next_destination


def test_terminal_output_uses_language_of_reader(marked_language: None) -> None:
    text = format_movement(build("whist-individual", players=13))
    assert not re.search(r"[a-z]{3}", remove_marked_text(text)), remove_marked_text(text)
    text = format_suggestions(list_suggestions_for(pairs=14, boards=26))
    assert not re.search(r"[a-z]{3}", remove_marked_text(text)), remove_marked_text(text)


@pytest.mark.parametrize(
    "given",
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
def test_refusal_uses_language_of_reader(given: dict, marked_language: None) -> None:
    name = given.pop("name")
    with pytest.raises(UnplayableMovement) as exc_info:
        build(name, **given)
    assert [text for text in exc_info.value.problems if remove_marked_text(text)] == []


GOOD = {"round": 1, "table": 1, "ns": "1", "ew": "2", "group": 1}


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [{"round": 1}],
        [GOOD | {"group": "x", "what": 1}],
        [GOOD | {"n": "1"}],
        [GOOD, {"round": 3, "table": "", "ns": "", "ew": "?", "group": 1}],
        [GOOD, GOOD | {"table": 2, "ns": "3NS", "ew": "3EW"}],
        [GOOD, GOOD | {"round": 3, "ns": "9"}],
        [GOOD, GOOD, GOOD | {"table": 2}, GOOD | {"round": 2, "ew": "1"}],
        [GOOD | {"ns": "4"}],
    ],
)
def test_row_errors_use_language_of_reader(rows: list, marked_language: None) -> None:
    with pytest.raises(UnplayableMovement) as exc_info:
        build_custom_movement(rows)
    assert [text for text in exc_info.value.problems if remove_marked_text(text)] == []


@pytest.mark.parametrize(
    "text", ["", "1 2", "round ns ns\n1 1 1", "round what\n1 1", "1,2,3,4,5,6\n1,2"]
)
def test_pasted_line_errors_use_language_of_reader(text: str, marked_language: None) -> None:
    with pytest.raises(UnplayableMovement) as exc_info:
        parse_schedule_rows(text)
    assert [problem for problem in exc_info.value.problems if remove_marked_text(problem)] == []


@pytest.mark.parametrize(
    ("name", "size", "played", "change"),
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
    name: str, size: dict, played: int, change: object, marked_language: None
) -> None:
    movement = build(name, **size)
    with pytest.raises(UnplayableMovement) as exc_info:
        list_continuations(movement, played, change)
    assert remove_marked_text(str(exc_info.value)) == ""


def test_ranges_and_lists_are_formatted_as_spoken() -> None:
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


def test_singular_is_used_for_one() -> None:
    assert (format_table_count(1), format_table_count(7)) == ("1 table", "7 tables")
    assert (format_round_count(1), format_round_count(2)) == ("1 round", "2 rounds")
    assert (format_boards_a_round(1), format_boards_a_round(4)) == (
        "1 board per round",
        "4 boards per round",
    )
    assert build("memory", pairs=2).title == "Memory duplicate, 1 and 1 round"
