"""A bracket, strata and prizes as tables, if an event has them."""

from collections.abc import Callable, Mapping, Sequence

from exchange.results.reading import EventResults
from exchange.sheets import Cell
from scoring.sheets.brackets import BracketMatch, build_bracket_sheet
from scoring.sheets.field_lists import build_prize_sheet, build_strata_tables

Rows = list[list[Cell]]


def _strata(found: EventResults) -> Rows:
    return [
        [
            each.name,
            line.rank,
            "yes" if line.is_shared else "no",
            line.stratum,
            *_who(found, line.row.entry),
        ]
        for each in build_strata_tables(found.event, found.table)
        for line in each.rows
    ]


def _prizes(found: EventResults) -> Rows:
    if not found.event.prizes.exists():
        return []
    return [
        [row.name, row.of, *_who(found, row.entry), row.paid or row.worth, row.reason]
        for row in build_prize_sheet(found.event).rows
    ]


def _bracket(found: EventResults) -> Rows:
    sheet = build_bracket_sheet(found.event, all_results=True)
    if sheet is None:
        return []
    return [
        [
            each.round,
            each.number,
            each.one.seed,
            *_who(found, each.one.entry),
            each.other.seed,
            *_who(found, each.other.entry),
            each.one.margin,
            _placed(each, 1),
            each.note,
            *_third(found, each),
        ]
        for row in sheet.rounds
        for each in row.matches
    ]


def _third(found: EventResults, match: BracketMatch) -> Sequence[Cell]:
    """Return the columns of a match's third side, further margins and second winner."""
    if match.third is None:
        return (None, None, "", "", "", None)
    return (
        match.third.seed,
        *_who(found, match.third.entry),
        match.other.margin,
        match.third.margin,
        _placed(match, 2),
    )


def _placed(match: BracketMatch, place: int) -> int | None:
    return next((side.entry for side in match.sides if side.place == place), None)


def _who(found: EventResults, entry: int | None) -> tuple[Cell, Cell]:
    if entry is None:
        return None, ""
    return entry, found.entries[entry].name


STAGES: Mapping[str, tuple[tuple[str, ...], Callable[[EventResults], Rows]]] = {
    "strata": (("ranking", "rank", "tied", "stratum", "entry", "name"), _strata),
    "prizes": (("prize", "of", "entry", "name", "money", "reason"), _prizes),
    "bracket": (
        (
            *("round", "match", "one_seed", "one_entry", "one_name"),
            *("other_seed", "other_entry", "other_name", "margin", "winner", "note"),
            *("third_seed", "third_entry", "third_name"),
            *("other_margin", "third_margin", "second_winner"),
        ),
        _bracket,
    ),
}
"""The columns and the function for the rows of each table; tables without rows are omitted."""
