"""Table cards lead through the half table if some players are left over."""

import random

import pytest

from drives.moves.table_result import Side, TableResult
from drives.papers import get_paper_kinds_by_name
from drives.play_forms import find_play_form
from drives.sheets.on_paper import HALF_TABLE_NUMBER, compute_table_moves
from tests.drives.test_papers import build_drive_paper
from tests.scoring.papers import reading

FORMS_WITH_MOVES = ("progressive", "semi-partner", "winners-move", "head-table")


@pytest.mark.parametrize("form", FORMS_WITH_MOVES)
@pytest.mark.parametrize("leftover_count", [0, 1, 2])
def test_table_cards_lead_to_the_tables_of_the_next_round(
    form: str, leftover_count: int
) -> None:
    tables, rng = 5, random.Random(form)
    next_tables_by_table = {
        table_move.table_number: table_move.next_tables
        for table_move in compute_table_moves(find_play_form(form), {}, tables, leftover_count)
    }
    seats = [tuple(range(4 * number, 4 * number + 4)) for number in range(1, tables + 1)]
    rest = list(range(100, 100 + leftover_count))
    for _hand in range(40):
        now = [
            TableResult(number, seat, rng.choice((Side.A, Side.B)))
            for number, seat in enumerate(seats, start=1)
        ]
        next_table_by_player = {
            who: next_table
            for table in now
            for who, next_table in follow_moves(table, next_tables_by_table).items()
        }
        first_role_tables, seconds = (
            next_tables_by_table[HALF_TABLE_NUMBER][:2] if rest else (),
            next_tables_by_table[HALF_TABLE_NUMBER][2:] if rest else (),
        )
        for who, next_table in zip(
            rest, (*filter(None, first_role_tables), *filter(None, seconds)), strict=True
        ):
            next_table_by_player[who] = next_table
        half_tables = (
            [TableResult(tables + 1, (*rest, *[None] * (len(rest) % 2)))] if rest else []
        )
        move_result = find_play_form(form).move_players([*now, *half_tables], {}, None)
        for number, table in enumerate(move_result.tables, start=1):
            assert {next_table_by_player[who] for who in table} == {number}
        assert {next_table_by_player[who] for who in move_result.resting_players} <= {
            HALF_TABLE_NUMBER
        }
        seats, rest = list(move_result.tables), list(move_result.resting_players)


def follow_moves(
    table: TableResult, next_tables_by_table: dict[int, tuple[int | None, ...]]
) -> dict[int, int]:
    """Return the next tables of a table's players by its card; without a move they stay."""
    one, two, three, four = next_tables_by_table[table.number]
    seat_order = (0, 1, 2, 3) if table.winner is Side.A else (1, 0, 3, 2)
    next_table_by_seat = dict(zip(seat_order, (one, two, three, four), strict=True))
    return {
        player: table.number if next_table_by_seat[seat] is None else next_table_by_seat[seat]
        for seat, player in enumerate(table.seats)
    }


@pytest.mark.parametrize("size", ["A4", "A5", "Letter"])
def test_half_table_has_a_card_and_the_last_table_leads_to_it(size: str) -> None:
    pages = reading.read_pages(
        get_paper_kinds_by_name()["table_cards"].draw_pdf(
            build_drive_paper("progressive", 10, 24), paper_size=size
        )
    )
    text = " ".join(page.extract_text() for page in pages)
    assert "Losers: 1st sits out, 2nd to table 1." in text
    assert "From here: 1st to table 1, 2nd to table 2." in text
    for page in pages:
        assert reading.list_outside_marks(page) == []
        assert reading.list_collisions(page) == []
    pages_without_half_table = reading.read_pages(
        get_paper_kinds_by_name()["table_cards"].draw_pdf(
            build_drive_paper("progressive", 12, 24), paper_size=size
        )
    )
    assert "Sit out" not in " ".join(page.extract_text() for page in pages_without_half_table)


def test_card_refers_three_leftover_players_to_the_caller() -> None:
    pages = reading.read_pages(
        get_paper_kinds_by_name()["table_cards"].draw_pdf(
            build_drive_paper("progressive", 11, 24), paper_size="A4"
        )
    )
    assert "Listen to the caller" in pages[-1].extract_text()
