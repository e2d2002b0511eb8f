"""The numbers in docs/movements.md are those of the schedules."""

import re
from pathlib import Path

import pytest

from tournaments.movements import (
    SYSTEMS_BY_NAME,
    build_named_movement,
    compute_balance,
    list_suggestions_for_limits,
)
from tournaments.movements.balance import Spread

PAGE_TEXT = (Path(__file__).resolve().parents[3] / "docs" / "movements.md").read_text("utf-8")
TABLES = re.findall(r"(?:^\|.*\n)+", PAGE_TEXT, re.MULTILINE)


def read_table_body(heading: str) -> list[list[str]]:
    (table,) = (table for table in TABLES if table.startswith(heading))
    return [
        [cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]
    ]


def format_spread(spread: Spread | None) -> str:
    assert spread
    return (
        str(spread.minimum)
        if spread.minimum == spread.maximum
        else f"{spread.minimum}–{spread.maximum}"
    )


def test_every_system_has_a_row_on_movements_page() -> None:
    rows = read_table_body("| movement |")
    names = [re.sub("`", "", row[1]) for row in rows]
    titles = [str(SYSTEMS_BY_NAME[name].title) for name in names if name in SYSTEMS_BY_NAME]
    assert [row[0] for row in rows] == [*titles, "Custom movement"]
    assert names == [*(name for name in names if name in SYSTEMS_BY_NAME), "custom"]
    assert set(names) == {*SYSTEMS_BY_NAME, "custom"}


@pytest.mark.parametrize("row", read_table_body("| pairs |")[::3], ids=lambda row: row[0])
def test_page_shows_comparisons_of_howells(row: list[str]) -> None:
    assert (
        format_spread(
            compute_balance(build_named_movement("howell", pairs=int(row[0]))).comparison_spread
        )
        == row[1]
    )


@pytest.mark.parametrize("row", read_table_body("| size |"), ids=lambda row: row[0])
def test_page_shows_stats_of_reduced_howells(row: list[str]) -> None:
    tables, rounds = (int(number) for number in row[0].split(" × "))
    balance = compute_balance(
        build_named_movement("reduced-howell", tables=tables, rounds=rounds)
    )
    assert [
        str(len(balance.stationary_places)),
        f"{balance.met_pairing_count} of {balance.possible_pairing_count}",
    ] == row[1:3]
    assert format_spread(balance.comparison_spread) == row[3]


@pytest.mark.parametrize("row", read_table_body("| field |"), ids=lambda row: row[0])
def test_page_shows_first_suggestions_of_adviser(row: list[str]) -> None:
    count, unit = row[0].split()
    first_suggestion = list_suggestions_for_limits(**{unit: int(count)})[0]
    movement_text, _comma, rounds_and_boards_text = row[1].partition(", ")
    if first_suggestion.is_divided_into_sections:
        table_counts = [
            str(section_plan.table_count) for section_plan in first_suggestion.section_plans
        ]
        assert movement_text == f"{' + '.join(table_counts)} tables"
    else:
        assert movement_text.casefold() in first_suggestion.title.casefold()
    assert (
        rounds_and_boards_text
        == f"{first_suggestion.round_count} × {first_suggestion.boards_a_round}"
    )
    assert int(row[2]) == first_suggestion.board_count


def test_howell_table_lists_numbers_from_four_to_sixty() -> None:
    assert [int(row[0]) for row in read_table_body("| pairs |")] == list(range(4, 61, 2))


def test_players_table_lists_numbers_from_four_to_sixty_five() -> None:
    assert [int(row[0]) for row in read_table_body("| players |")] == list(range(4, 66))


@pytest.mark.parametrize("row", read_table_body("| players |")[::6], ids=lambda row: row[0])
def test_page_shows_stats_of_whist_tournaments(row: list[str]) -> None:
    movement = build_named_movement("whist-individual", players=int(row[0]))
    figures = compute_balance(movement)
    spreads = [
        figures.sit_out_spread,
        figures.partner_spread,
        figures.opponent_spread,
        figures.comparison_spread,
    ]
    assert [str(movement.round_count), *map(format_spread, spreads)] == row[1:6]
    assert row[6] == ("yes" if figures.shared_group_count else "–")


@pytest.mark.parametrize(
    "row", read_table_body("| number of players |")[::7], ids=lambda row: row[0]
)
def test_page_shows_stats_of_evening_individuals(row: list[str]) -> None:
    movement = build_named_movement(
        "evening-individual", players=int(row[0]), rounds=int(row[1])
    )
    figures = compute_balance(movement)
    assert str(movement.copy_count) == row[2]
    assert [
        format_spread(figures.sit_out_spread),
        format_spread(figures.comparison_spread),
    ] == row[3:5]
