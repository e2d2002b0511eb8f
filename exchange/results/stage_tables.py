"""The data tables of an event's bracket, strata and prizes."""

from collections.abc import Callable, Mapping, Sequence

from exchange.data_tables import Cell
from exchange.results.event_results import EventResults
from scoring.sheets.brackets import BracketMatch, build_bracket_sheet
from scoring.sheets.field_lists import build_prize_sheet, build_strata_tables

Rows = list[list[Cell]]


def _build_strata_rows(results: EventResults) -> Rows:
    return [
        [
            stratum_table.name,
            stratum_line.rank,
            "yes" if stratum_line.is_shared else "no",
            stratum_line.stratum,
            *_build_entry_cells(results, stratum_line.rank_row.entry),
        ]
        for stratum_table in build_strata_tables(results.event, results.rank_table)
        for stratum_line in stratum_table.rows
    ]


def _build_prize_rows(results: EventResults) -> Rows:
    if not results.event.prizes.exists():
        return []
    return [
        [
            prize_row.name,
            prize_row.prize_place,
            *_build_entry_cells(results, prize_row.entry),
            prize_row.total_money or prize_row.prize_value,
            prize_row.reason,
        ]
        for prize_row in build_prize_sheet(results.event).rows
    ]


def _build_bracket_rows(results: EventResults) -> Rows:
    bracket_sheet = build_bracket_sheet(results.event, should_include_hidden_results=True)
    if bracket_sheet is None:
        return []
    return [
        [
            match.round,
            match.number,
            match.one.seed,
            *_build_entry_cells(results, match.one.entry),
            match.other.seed,
            *_build_entry_cells(results, match.other.entry),
            match.one.margin,
            _find_entry_by_rank(match, 1),
            match.note,
            *_build_third_side_cells(results, match),
        ]
        for bracket_round in bracket_sheet.rounds
        for match in bracket_round.matches
    ]


def _build_third_side_cells(results: EventResults, match: BracketMatch) -> Sequence[Cell]:
    """Return the cells that only a match of three sides fills.

    They contain the third side, the margins of the second and third side, and the entry in
    second place.
    """
    if match.third is None:
        return (None, None, "", "", "", None)
    return (
        match.third.seed,
        *_build_entry_cells(results, match.third.entry),
        match.other.margin,
        match.third.margin,
        _find_entry_by_rank(match, 2),
    )


def _find_entry_by_rank(match: BracketMatch, rank: int) -> int | None:
    return next((side.entry for side in match.sides if side.place == rank), None)


def _build_entry_cells(results: EventResults, entry_number: int | None) -> tuple[Cell, Cell]:
    if entry_number is None:
        return None, ""
    return entry_number, results.entry_names_by_number[entry_number].name


STAGE_TABLES_BY_NAME: Mapping[str, tuple[tuple[str, ...], Callable[[EventResults], Rows]]] = {
    "strata": (("ranking", "rank", "tied", "stratum", "entry", "name"), _build_strata_rows),
    "prizes": (("prize", "of", "entry", "name", "money", "reason"), _build_prize_rows),
    "bracket": (
        (
            *("round", "match", "one_seed", "one_entry", "one_name"),
            *("other_seed", "other_entry", "other_name", "margin", "winner", "note"),
            *("third_seed", "third_entry", "third_name"),
            *("other_margin", "third_margin", "second_winner"),
        ),
        _build_bracket_rows,
    ),
}
"""The columns of each table and the function that builds its rows.

A table without rows is not exported.
"""
