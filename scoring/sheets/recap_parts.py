"""The part of a large recap shown on one page: some rows of one field, and some boards."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scoring.session_snapshot import SessionSnapshot
from scoring.sheets.plays import EventPlays
from scoring.sheets.ranks import load_rank_table
from scoring.sheets.recaps import build_partial_public_recap
from scoring.sheets.values import RankedGroup, RankRow, Recap

MAX_CELLS_ON_SINGLE_PAGE = 1500
"""A recap with at most this many cells is shown on one page, e.g. 20 pairs on 75 boards."""
MAX_ROWS_PER_PART = 50
MAX_BOARDS_PER_PART = 28


@dataclass(frozen=True, slots=True)
class RowRange:
    """A link to a part of the recap: some rows of a field."""

    part_number: int  # counted from 1
    ranked_group: RankedGroup  # has only the rows of this part
    span_text: str  # "51–100" if a field has several parts, else ""


@dataclass(frozen=True, slots=True)
class BoardRange:
    """A link to a part of the recap: some boards."""

    part_number: int  # counted from 1
    boards: Sequence[int]

    @property
    def board_span_text(self) -> str:
        """The first and the last board."""
        return _format_span(self.boards[0], self.boards[-1])


@dataclass(frozen=True, slots=True)
class RecapPart:
    """The part of a recap that a page shows, with links to the rest."""

    recap: Recap
    fields: tuple[RankedGroup, ...]  # all fields of the event
    part_number: int  # 0 if the whole recap is shown
    boards_part_number: int
    row_ranges: tuple[RowRange, ...] = ()  # links to all parts by rows
    board_ranges: tuple[BoardRange, ...] = ()  # links to all parts by boards

    @property
    def rank_rows(self) -> list[RankRow]:
        """All rows of the event; they determine one number format for all parts."""
        return [row for ranked_group in self.fields for row in ranked_group.rows]


def build_recap_part(
    snapshot: SessionSnapshot,
    event_plays: EventPlays,
    *,
    part_number: int,
    boards_part_number: int,
) -> RecapPart:
    """Choose the rows and boards of one page; numbers out of range mean the first part."""
    rank_table = load_rank_table(snapshot.session.event)
    if (
        len(snapshot.boards) * sum(len(ranked_group.rows) for ranked_group in rank_table.fields)
        <= MAX_CELLS_ON_SINGLE_PAGE
    ):
        recap = build_partial_public_recap(snapshot, rank_table, snapshot.boards, event_plays)
        return RecapPart(recap, rank_table.fields, 0, 0)
    row_ranges = _build_row_ranges(rank_table.fields)
    board_ranges = tuple(
        BoardRange(range_number, snapshot.boards[start_index:end_index])
        for range_number, (start_index, end_index) in enumerate(
            _divide_items_evenly(len(snapshot.boards), MAX_BOARDS_PER_PART), start=1
        )
    )
    part_number = part_number if 1 <= part_number <= len(row_ranges) else 1
    boards_part_number = (
        boards_part_number if 1 <= boards_part_number <= len(board_ranges) else 1
    )
    partial_table = replace(rank_table, fields=(row_ranges[part_number - 1].ranked_group,))
    recap = build_partial_public_recap(
        snapshot, partial_table, board_ranges[boards_part_number - 1].boards, event_plays
    )
    return RecapPart(
        recap, rank_table.fields, part_number, boards_part_number, row_ranges, board_ranges
    )


def _build_row_ranges(ranked_groups: Sequence[RankedGroup]) -> tuple[RowRange, ...]:
    row_ranges: list[RowRange] = []
    for ranked_group in ranked_groups:
        row_spans = _divide_items_evenly(len(ranked_group.rows), MAX_ROWS_PER_PART)
        for start_index, end_index in row_spans:
            span_text = _format_span(start_index + 1, end_index) if len(row_spans) > 1 else ""
            partial_group = replace(ranked_group, rows=ranked_group.rows[start_index:end_index])
            row_ranges.append(RowRange(len(row_ranges) + 1, partial_group, span_text))
    return tuple(row_ranges)


def _divide_items_evenly(item_count: int, max_size: int) -> list[tuple[int, int]]:
    """Divide rows or boards into pieces of even size; return the indexes of each piece."""
    piece_count = max(1, -(-item_count // max_size))
    piece_size = max(1, -(-item_count // piece_count))
    return [
        (start_index, min(start_index + piece_size, item_count))
        for start_index in range(0, max(item_count, 1), piece_size)
    ]


def _format_span(first_number: int, last_number: int) -> str:
    return f"{first_number}–{last_number}" if last_number > first_number else str(first_number)
