"""The standings as plain data for the API and exports."""

from fractions import Fraction
from typing import Any

from scoring.sheets.values import RankedGroup, RankRow, RankTable


def build_standings_data(rank_table: RankTable) -> dict[str, Any]:
    """Return the standings as a JSON object; scores are exact fractions as text."""
    return {
        "rankings": [_build_field_data(ranked_group) for ranked_group in rank_table.fields],
        "overall_winner": list(rank_table.overall_winners) if rank_table.is_over else [],
        "complete": rank_table.is_over,
    }


def _build_field_data(ranked_group: RankedGroup) -> dict[str, Any]:
    return {
        "section": ranked_group.section,
        "field": ranked_group.field or None,
        "average": None if ranked_group.average is None else str(ranked_group.average),
        "rows": [_build_row_data(row) for row in ranked_group.rows],
    }


def _build_row_data(row: RankRow) -> dict[str, Any]:
    return {
        "rank": row.rank,
        "tied": row.tied,
        "entry": row.entry,
        "name": row.name,
        "score": str(row.score),
        "tricks": _format_number(row.tricks),
        "boards": row.boards,
        "a_board": None if row.a_board is None else str(row.a_board),
        "corrected": None if row.corrected is None else str(row.corrected),
    }


def _format_number(number: Fraction | int) -> int | str:
    """Return a whole number as int, and any other as an exact fraction in text."""
    number = Fraction(number)
    return number.numerator if number.denominator == 1 else str(number)
