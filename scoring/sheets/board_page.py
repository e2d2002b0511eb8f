"""The page of a board: the results of all tables, the highest first."""

from dataclasses import dataclass
from fractions import Fraction

from scoring.drawing.dot_chart import DotChart, draw_dot_chart
from scoring.drawing.scales import Bar, build_bar, find_largest_absolute_value
from scoring.sheets.short_names import shorten_to_surnames
from scoring.sheets.values import Traveller, TravellerLine


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One table's play, with its bar in the chart and the surnames of the players."""

    line: TravellerLine
    bar: Bar | None
    ns_surnames: str
    ew_surnames: str
    is_mine: bool


@dataclass(frozen=True, slots=True)
class BoardPage:
    """The results of all tables, as a chart and as rows."""

    rows: tuple[BoardRow, ...]
    dot_chart: DotChart | None
    table_count: int  # the number of tables that played the board

    @property
    def has_bars(self) -> bool:
        """Whether any row has a bar."""
        return any(row.bar for row in self.rows)


def build_board_page(traveller: Traveller, own_entry_number: int | None = None) -> BoardPage:
    """Build the page of a board, most N-S tricks first; mark the rows of `own_entry_number`."""
    differences = [
        _compute_difference_from_average(traveller, line) for line in traveller.lines
    ]
    largest_difference = find_largest_absolute_value(
        difference for difference in differences if difference is not None
    )
    surnames_by_name = shorten_to_surnames(
        name for line in traveller.lines for name in (line.ns_name, line.ew_name)
    )
    rows = [
        BoardRow(
            line=line,
            bar=None if difference is None else build_bar(difference, largest_difference),
            ns_surnames=surnames_by_name[line.ns_name],
            ew_surnames=surnames_by_name[line.ew_name],
            is_mine=own_entry_number is not None and own_entry_number in line.entries,
        )
        for line, difference in zip(traveller.lines, differences, strict=True)
    ]
    ns_tricks = [line.ns_tricks for line in traveller.lines if line.ns_tricks is not None]
    return BoardPage(
        rows=tuple(sorted(rows, key=_get_sort_key)),
        dot_chart=draw_dot_chart(ns_tricks, traveller.ns_average, traveller.best_ns_tricks),
        table_count=len(ns_tricks),
    )


def _get_compared_value(line: TravellerLine) -> Fraction | None:
    """Return the N-S tricks (or net points) after rulings; None if there is no result."""
    if line.ns_counted_tricks is not None:
        return line.ns_counted_tricks
    return None if line.ns_value is None else Fraction(line.ns_value)


def _compute_difference_from_average(
    traveller: Traveller, line: TravellerLine
) -> Fraction | None:
    compared_value = _get_compared_value(line)
    if (
        compared_value is None
        or traveller.ns_average is None
        or line.ruling_kind in ("void", "average")
    ):
        return None
    return compared_value - traveller.ns_average


def _get_sort_key(row: BoardRow) -> tuple[bool, Fraction, str, int, int]:
    """Return the sort key: the highest value first, missing results last by round."""
    compared_value = _get_compared_value(row.line)
    return (
        compared_value is None,
        -(compared_value or Fraction()),
        row.line.section,
        row.line.round,
        row.line.table,
    )
