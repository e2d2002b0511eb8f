"""The table cards where some players are left over: the half table is a stop on the way."""

import random

import pytest

from drives.moves.table_result import Side, TableResult
from drives.papers import list_kinds
from drives.play_forms import find_play_form
from drives.sheets.on_paper import HALF_TABLE, compute_table_moves
from tests.drives.test_papers import build_drive_paper
from tests.scoring.papers import reading

MOVED = ("progressive", "semi-partner", "winners-move", "head-table")


@pytest.mark.parametrize("form", MOVED)
@pytest.mark.parametrize("left_over", [0, 1, 2])
def test_who_follows_the_cards_comes_where_the_form_moves_him(
    form: str, left_over: int
) -> None:
    tables, chance = 5, random.Random(form)
    next_tables_by_table = {
        table_move.table: table_move.next_tables
        for table_move in compute_table_moves(find_play_form(form), {}, tables, left_over)
    }
    seats = [tuple(range(4 * number, 4 * number + 4)) for number in range(1, tables + 1)]
    rest = list(range(100, 100 + left_over))
    for _hand in range(40):
        now = [
            TableResult(number, seat, chance.choice((Side.A, Side.B)))
            for number, seat in enumerate(seats, start=1)
        ]
        goes = {
            who: to
            for table in now
            for who, to in follow_moves(table, next_tables_by_table).items()
        }
        firsts, seconds = (
            next_tables_by_table[HALF_TABLE][:2] if rest else (),
            next_tables_by_table[HALF_TABLE][2:] if rest else (),
        )
        for who, to in zip(rest, (*filter(None, firsts), *filter(None, seconds)), strict=True):
            goes[who] = to
        half = [TableResult(tables + 1, (*rest, *[None] * (len(rest) % 2)))] if rest else []
        moved = find_play_form(form).move_players([*now, *half], {}, None)
        for number, table in enumerate(moved.tables, start=1):
            assert {goes[who] for who in table} == {number}
        assert {goes[who] for who in moved.rest} <= {HALF_TABLE}
        seats, rest = list(moved.tables), list(moved.rest)


def follow_moves(table: TableResult, ways: dict[int, tuple[int | None, ...]]) -> dict[int, int]:
    """Return the next tables of a table's four by its card; without a move they stay."""
    one, two, three, four = ways[table.number]
    order = (0, 1, 2, 3) if table.winner is Side.A else (1, 0, 3, 2)
    by_seat = dict(zip(order, (one, two, three, four), strict=True))
    return {
        who: table.number if by_seat[seat] is None else by_seat[seat]
        for seat, who in enumerate(table.seats)
    }


@pytest.mark.parametrize("size", ["A4", "A5", "Letter"])
def test_the_half_table_has_a_card_and_the_last_table_sends_there(size: str) -> None:
    pages = reading.read_pages(
        list_kinds()["table_cards"].draw_pdf(
            build_drive_paper("progressive", 10, 24), size=size
        )
    )
    text = " ".join(page.extract_text() for page in pages)
    assert "Losers: 1st sits out, 2nd to table 1." in text
    assert "From here: 1st to table 1, 2nd to table 2." in text
    for page in pages:
        assert reading.list_outside_marks(page) == []
        assert reading.list_collisions(page) == []
    whole = reading.read_pages(
        list_kinds()["table_cards"].draw_pdf(
            build_drive_paper("progressive", 12, 24), size=size
        )
    )
    assert "Sit out" not in " ".join(page.extract_text() for page in whole)


def test_where_three_are_left_over_the_caller_says_where_they_go() -> None:
    pages = reading.read_pages(
        list_kinds()["table_cards"].draw_pdf(
            build_drive_paper("progressive", 11, 24), size="A4"
        )
    )
    assert "Listen to the caller" in pages[-1].extract_text()
