"""Formatting of numbers as text for pages and papers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

MINUS = "−"


@dataclass(frozen=True, slots=True)
class ColumnFormat:
    """The number format of a column: integers or two decimals, with or without plus signs."""

    decimal: bool
    sign: bool = False

    def write(self, number: Fraction | int | None) -> str:
        """Format one number of the column, e.g. 8, or 8.00 and 8.43."""
        if number is None:
            return "–"
        digits = (
            format_two_decimals(Fraction(number))
            if self.decimal
            else _format_whole(Fraction(number))
        )
        # 0.00 has no sign
        plus = "+" if self.sign and number > 0 and digits.strip("0.") else ""
        return plus + digits


def choose_column_format(
    numbers: Iterable[Fraction | int | None], *, with_sign: bool = False
) -> ColumnFormat:
    """Return the format of a column: two decimals if any of its numbers is not an integer."""
    return ColumnFormat(
        decimal=any(number % 1 for number in numbers if number is not None), sign=with_sign
    )


def format_consistently(
    numbers: Sequence[Fraction | int], *, with_sign: bool = False
) -> list[str]:
    """Format the numbers of one sentence, all as integers or all with two decimals."""
    return [
        choose_column_format(numbers, with_sign=with_sign).write(number) for number in numbers
    ]


def format_plain(number: Fraction | int | None) -> str:
    """Format one count or average, e.g. 8, 8.50 or 6.67."""
    return choose_column_format([number]).write(number)


def format_signed(number: Fraction | int | None) -> str:
    """Format one difference with its sign, e.g. +9, −4.50 or 0."""
    return choose_column_format([number], with_sign=True).write(number)


def format_percent(part: Fraction | None) -> str:
    """Format a fraction of 1 as a percentage with two decimals, e.g. 56.25 %."""
    return "–" if part is None else f"{format_two_decimals(part * 100)} %"


def format_ranges(numbers: Iterable[int]) -> str:
    """Format board numbers, with consecutive ones as a range, e.g. 1, 3–5, 9."""
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def _format_whole(number: Fraction) -> str:
    return f"{MINUS if number < 0 else ''}{abs(number)}"


def format_two_decimals(number: Fraction) -> str:
    """Format a number with two decimals, rounded half up; no other function rounds."""
    hundredths = (abs(number) * 200 + 1) // 2
    sign = MINUS if number < 0 and hundredths else ""
    return f"{sign}{hundredths // 100}.{hundredths % 100:02d}"


def format_rank(place: int, *, tied: bool, is_placed: bool = True) -> str:
    """Format a rank: "1", "=3" for a tie, or a dash without a place."""
    if not is_placed:
        return "–"
    return f"={place}" if tied else str(place)
