"""The part of a large recap shown on one page: some rows of one field, and some boards."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scoring.session_snapshot import SessionSnapshot
from scoring.sheets.plays import EventPlays
from scoring.sheets.ranks import load_rank_table
from scoring.sheets.recaps import build_partial_public_recap
from scoring.sheets.values import RankField, RankRow, Recap

MAX_CELLS_OF_WHOLE_RECAP = 1500
"""A recap with at most this many cells is shown on one page: 20 pairs on 75 boards."""
MAX_ROWS_OF_PART = 50
MAX_BOARDS_OF_PART = 28


@dataclass(frozen=True, slots=True)
class RowRange:
    """A link to a part of the recap: some rows of a field."""

    part: int  # counted from 1
    field: RankField  # with these rows only
    span: str  # "51–100" if a field has several parts, else ""


@dataclass(frozen=True, slots=True)
class BoardRange:
    """A link to a part of the recap: some boards."""

    part: int  # counted from 1
    boards: Sequence[int]

    @property
    def first_and_last(self) -> str:
        """The first and the last board."""
        return _format_span(self.boards[0], self.boards[-1])


@dataclass(frozen=True, slots=True)
class RecapPart:
    """The part of a recap that a page shows, with links to the rest."""

    sheet: Recap
    fields: tuple[RankField, ...]  # all of the event
    part: int  # 0 if the whole recap is shown
    boards_part: int
    rows: tuple[RowRange, ...] = ()  # all of them, as in the next field
    boards: tuple[BoardRange, ...] = ()

    @property
    def ranks(self) -> list[RankRow]:
        """All rows of the event; they determine one number format for all parts."""
        return [row for field in self.fields for row in field.rows]


def build_recap_part(
    snapshot: SessionSnapshot, plays: EventPlays, *, part: int, boards_part: int
) -> RecapPart:
    """Choose the rows and boards of one page; numbers out of range mean the first part."""
    table = load_rank_table(snapshot.session.event)
    if (
        len(snapshot.boards) * sum(len(field.rows) for field in table.fields)
        <= MAX_CELLS_OF_WHOLE_RECAP
    ):
        sheet = build_partial_public_recap(snapshot, table, snapshot.boards, plays)
        return RecapPart(sheet, table.fields, 0, 0)
    rows = _build_row_ranges(table.fields)
    boards = tuple(
        BoardRange(number, snapshot.boards[start:end])
        for number, (start, end) in enumerate(
            _divide_evenly(len(snapshot.boards), MAX_BOARDS_OF_PART), start=1
        )
    )
    part = part if 1 <= part <= len(rows) else 1
    boards_part = boards_part if 1 <= boards_part <= len(boards) else 1
    partial_table = replace(table, fields=(rows[part - 1].field,))
    sheet = build_partial_public_recap(
        snapshot, partial_table, boards[boards_part - 1].boards, plays
    )
    return RecapPart(sheet, table.fields, part, boards_part, rows, boards)


def _build_row_ranges(fields: Sequence[RankField]) -> tuple[RowRange, ...]:
    ranges: list[RowRange] = []
    for field in fields:
        pieces = _divide_evenly(len(field.rows), MAX_ROWS_OF_PART)
        for start, end in pieces:
            span = _format_span(start + 1, end) if len(pieces) > 1 else ""
            part = replace(field, rows=field.rows[start:end])
            ranges.append(RowRange(len(ranges) + 1, part, span))
    return tuple(ranges)


def _divide_evenly(count: int, most: int) -> list[tuple[int, int]]:
    """Divide a number of rows or boards evenly into pieces, each with its start and end."""
    pieces = max(1, -(-count // most))
    size = max(1, -(-count // pieces))
    return [(start, min(start + size, count)) for start in range(0, max(count, 1), size)]


def _format_span(first: int, last: int) -> str:
    return f"{first}–{last}" if last > first else str(first)
