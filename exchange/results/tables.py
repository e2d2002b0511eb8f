"""An event as tables: standings, results, boards, movement and people."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple

from boards.whist import Seat
from boards.whist.notation import hands_text
from exchange.results.reading import EventResults, score_of
from exchange.results.stage_tables import STAGES
from exchange.sheets import Cell, Day, Exact, Sheet, csv_of

Rows = list[list[Cell]]


def tables(found: EventResults) -> dict[str, Sheet]:
    """Return all tables of an event by name."""
    made = {
        name: _sheet(name, _keys(found, keys), rows(found))
        for name, (keys, rows) in _TABLES.items()
    }
    return {name: sheet for name, sheet in made.items() if sheet.rows or name not in STAGES}


class TableFile(NamedTuple):
    """One table of an event as a CSV file, with the names of its columns."""

    keys: tuple[str, ...]
    csv: bytes


def table_files(found: EventResults) -> dict[str, TableFile]:
    """Return all tables of an event as files, by name."""
    return {
        name: TableFile(tuple(sheet.keys), csv_of(sheet))
        for name, sheet in tables(found).items()
    }


def folder(found: EventResults) -> dict[str, bytes]:
    """Return all tables as CSV files, with a README that lists their columns."""
    made = {f"{name}.csv": csv_of(sheet) for name, sheet in tables(found).items()}
    told = [
        f"{name}.csv: {', '.join(_keys(found, keys))}"
        for name, (keys, _rows) in _TABLES.items()
        if f"{name}.csv" in made
    ]
    return {**made, "README.txt": ("\r\n".join(told) + "\r\n").encode()}


def _keys(found: EventResults, keys: tuple[str, ...]) -> tuple[str, ...]:
    """Return the columns of a table, with "points" for "tricks" if the event is in points."""
    if not found.event.counts_points:
        return keys
    return tuple(key.replace("tricks", "points") for key in keys)


def _sheet(name: str, keys: tuple[str, ...], rows: Rows) -> Sheet:
    return Sheet(name=name, keys=keys, rows=rows)


def _standings(found: EventResults) -> Rows:
    rows: Rows = []
    for field in found.table.fields:
        for row in field.rows:
            entry = found.entries[row.entry]
            percent = None if row.percent is None else row.percent * 100
            rows.append(
                [
                    row.rank,
                    "yes" if row.tied else "no",
                    field.section,
                    field.field,
                    row.entry,
                    entry.name,
                    "; ".join(entry.people),
                    row.boards,
                    *_both(row.tricks),
                    *_both(row.score),
                    *_both(percent),
                    *_both(row.a_board),
                    *_both(row.corrected),
                ]
            )
    return rows


def _results(found: EventResults) -> Rows:
    rows: Rows = []
    days = {room.session.number: room.session.day for room in found.rooms}
    for play in found.plays:
        ns, ew = score_of(play)
        rows.append(
            [
                Day(days[play.session].isoformat()),
                play.session,
                play.section,
                play.round,
                play.table,
                play.board,
                *(play.people[seat] for seat in (Seat.NORTH, Seat.SOUTH, Seat.EAST, Seat.WEST)),
                _numbers(play.ns),
                _numbers(play.ew),
                play.line.ns_made,
                play.line.ew_made,
                play.line.outcome,
                play.line.ruled,
                *_both(ns),
                *_both(ew),
            ]
        )
    return rows


def _boards(found: EventResults) -> Rows:
    return [
        [
            session,
            board,
            deal.dealer.value,
            "" if deal.turn_up is None else deal.turn_up.code,
            "" if deal.trumps is None else deal.trumps.value,
            hands_text(deal, Seat.NORTH),
        ]
        for (session, board), deal in sorted(found.deals.items())
    ]


def _movement(found: EventResults) -> Rows:
    return [
        [
            room.session.number,
            table.section,
            table.round,
            table.table,
            _numbers(table.ns.entries),
            _numbers(table.ew.entries),
            " ".join(map(str, table.boards)),
        ]
        for room in found.rooms
        for table in room.tables
    ]


def _people(found: EventResults) -> Rows:
    return [
        [entry.number, entry.name, order, person]
        for entry in found.entries.values()
        for order, person in enumerate(entry.people, start=1)
    ]


def _both(number: Fraction | int | None) -> tuple[Cell, Cell]:
    """Return two cells for a number, the rounded and the exact value; empty cells for None."""
    if number is None:
        return None, None
    return Fraction(number), Exact(Fraction(number))


def _numbers(entries: tuple[int, ...]) -> Cell:
    return entries[0] if len(entries) == 1 else " ".join(map(str, entries))


_TABLES: Mapping[str, tuple[tuple[str, ...], Callable[[EventResults], Rows]]] = {
    "standings": (
        (
            *("rank", "tied", "section", "field", "entry", "name", "people", "boards"),
            *("tricks", "tricks_exact", "score", "score_exact", "percent", "percent_exact"),
            *("a_board", "a_board_exact", "corrected", "corrected_exact"),
        ),
        _standings,
    ),
    "results": (
        (
            *("date", "session", "section", "round", "table", "board"),
            *("north", "south", "east", "west", "ns_entry", "ew_entry"),
            *("ns_tricks", "ew_tricks", "outcome", "ruling"),
            *("ns_score", "ns_score_exact", "ew_score", "ew_score_exact"),
        ),
        _results,
    ),
    "boards": (("session", "board", "dealer", "turn_up", "trumps", "hands"), _boards),
    "movement": (
        ("session", "section", "round", "table", "ns_entry", "ew_entry", "boards"),
        _movement,
    ),
    "people": (("entry", "name", "order", "person"), _people),
    **STAGES,
}
TABLES = tuple(_TABLES)
"""The names of the tables."""
