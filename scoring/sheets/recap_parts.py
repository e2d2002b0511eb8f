"""The part of a large recap shown on one page: some rows of one field, and some boards."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scoring.session_snapshot import SessionSnapshot
from scoring.sheets.plays import EventPlays
from scoring.sheets.ranks import load_rank_table
from scoring.sheets.recaps import build_partial_public_recap
from scoring.sheets.values import RankField, RankRow, Recap

MAX_CELLS_OF_WHOLE_RECAP = 1500
"""A recap with at most this many cells is shown on one page, e.g. 20 pairs on 75 boards."""
MAX_ROWS_PER_PART = 50
MAX_BOARDS_PER_PART = 28


@dataclass(frozen=True, slots=True)
class RowRange:
    """A link to a part of the recap: some rows of a field."""

    part: int  # counted from 1
    field: RankField  # has only the rows of this part
    span: str  # "51–100" if a field has several parts, else ""


@dataclass(frozen=True, slots=True)
class BoardRange:
    """A link to a part of the recap: some boards."""

    part: int  # counted from 1
    boards: Sequence[int]

    @property
    def board_span_text(self) -> str:
        """The first and the last board."""
        return _format_span(self.boards[0], self.boards[-1])


@dataclass(frozen=True, slots=True)
class RecapPart:
    """The part of a recap that a page shows, with links to the rest."""

    sheet: Recap
    fields: tuple[RankField, ...]  # all fields of the event
    part: int  # 0 if the whole recap is shown
    boards_part_number: int
    row_ranges: tuple[RowRange, ...] = ()  # links to all parts by rows
    board_ranges: tuple[BoardRange, ...] = ()  # links to all parts by boards

    @property
    def rank_rows(self) -> list[RankRow]:
        """All rows of the event; they determine one number format for all parts."""
        return [row for field in self.fields for row in field.rows]


def build_recap_part(
    snapshot: SessionSnapshot, plays: EventPlays, *, part: int, boards_part_number: int
) -> RecapPart:
    """Choose the rows and boards of one page; numbers out of range mean the first part."""
    table = load_rank_table(snapshot.session.event)
    if (
        len(snapshot.boards) * sum(len(field.rows) for field in table.fields)
        <= MAX_CELLS_OF_WHOLE_RECAP
    ):
        sheet = build_partial_public_recap(snapshot, table, snapshot.boards, plays)
        return RecapPart(sheet, table.fields, 0, 0)
    row_ranges = _build_row_ranges(table.fields)
    board_ranges = tuple(
        BoardRange(part_number, snapshot.boards[start:end])
        for part_number, (start, end) in enumerate(
            _divide_items_evenly(len(snapshot.boards), MAX_BOARDS_PER_PART), start=1
        )
    )
    part = part if 1 <= part <= len(row_ranges) else 1
    boards_part_number = (
        boards_part_number if 1 <= boards_part_number <= len(board_ranges) else 1
    )
    partial_table = replace(table, fields=(row_ranges[part - 1].field,))
    sheet = build_partial_public_recap(
        snapshot, partial_table, board_ranges[boards_part_number - 1].boards, plays
    )
    return RecapPart(sheet, table.fields, part, boards_part_number, row_ranges, board_ranges)


def _build_row_ranges(fields: Sequence[RankField]) -> tuple[RowRange, ...]:
    row_ranges: list[RowRange] = []
    for field in fields:
        row_spans = _divide_items_evenly(len(field.rows), MAX_ROWS_PER_PART)
        for start, end in row_spans:
            span = _format_span(start + 1, end) if len(row_spans) > 1 else ""
            partial_field = replace(field, rows=field.rows[start:end])
            row_ranges.append(RowRange(len(row_ranges) + 1, partial_field, span))
    return tuple(row_ranges)


def _divide_items_evenly(item_count: int, max_size: int) -> list[tuple[int, int]]:
    """Divide rows or boards into pieces of even size; return the indexes of each piece."""
    piece_count = max(1, -(-item_count // max_size))
    piece_size = max(1, -(-item_count // piece_count))
    return [
        (start, min(start + piece_size, item_count))
        for start in range(0, max(item_count, 1), piece_size)
    ]


def _format_span(first: int, last: int) -> str:
    return f"{first}–{last}" if last > first else str(first)
