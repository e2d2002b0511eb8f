"""Handicaps as plain text and as a table of a spreadsheet."""

from collections.abc import Sequence

from exchange.sheets import Cell, Exact, Sheet
from seasons.ladders.sheets.handicaps import HandicapRanking, PersonHandicap
from server import formatting


def people_lines(rows: Sequence[PersonHandicap]) -> list[str]:
    """Write everybody's handicap as lines of text."""
    widest = max((len(row.name) for row in rows), default=0)
    return [f"{row.name:<{widest}}  {row.written:>6}  {row.how}" for row in rows]


def ranking_lines(sheet: HandicapRanking) -> list[str]:
    """Write an evening's ranking as lines of text."""
    widest = max((len(row.names) for row in sheet.lines), default=0)
    written = formatting.column((row.line.total for row in sheet.lines), sign=True)
    return [
        f"{sheet.season}: {sheet.title}",
        *(
            f"{row.side:>4}  {row.place:>4}  {row.names:<{widest}}"
            f"  {written.write(row.line.total):>8}  {row.how[0]}"
            for row in sheet.lines
        ),
    ]


def people_table(rows: Sequence[PersonHandicap]) -> Sheet:
    """Write everybody's handicap as a table."""
    keys = ("who", "handicap", "handicap_exact", "how", "mean_exact", "evenings")
    cells: list[list[Cell]] = [
        [
            row.name,
            row.own.value,
            Exact(row.own.value),
            row.own.how,
            Exact(row.own.mean),
            len(row.own.singles),
        ]
        for row in rows
    ]
    return Sheet(name="handicaps", keys=keys, rows=cells)


def ranking_table(sheet: HandicapRanking) -> Sheet:
    """Write an evening's ranking as a table; exact figures stand beside the rounded ones."""
    keys = (
        *("field", "rank", "tied", "who", "place", "boards", "score", "handicap", "value"),
        *("score_exact", "value_exact"),
        *(f"rank_{each.name}" for each in sheet.strata),
    )
    ranks = [{row.line.entry.number: row.rank for row in each.rows} for each in sheet.strata]
    cells: list[list[Cell]] = [
        [
            row.line.entry.field,
            row.line.rank,
            "yes" if row.line.tied else "no",
            row.names,
            row.line.entry.place,
            row.line.entry.boards,
            row.line.base,
            row.line.handicap,
            row.line.total,
            Exact(row.line.base),
            Exact(row.line.total),
            *(own.get(row.line.entry.number) for own in ranks),
        ]
        for row in sheet.lines
    ]
    return Sheet(name=sheet.title, keys=keys, rows=cells)
