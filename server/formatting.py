"""Formatting of numbers as text for readers, with the decimal separator of their language.

Files and the API use `format_two_decimals` or exact fractions instead.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from server.translation import get_decimal_separator

MINUS = "−"


def localize_decimal(digits: str) -> str:
    """Replace the decimal point in a number's digits by the active language's separator."""
    return digits.replace(".", get_decimal_separator())


@dataclass(frozen=True, slots=True)
class ColumnFormat:
    """The number format of a column: integers or two decimals, with or without plus signs."""

    has_decimals: bool
    has_sign: bool = False
    decimal_separator: str = field(default_factory=get_decimal_separator)

    def format_number(self, number: Fraction | int | None) -> str:
        """Format one number of the column, e.g. 8, or 8.00 and 8.43."""
        if number is None:
            return "–"
        digits = (
            format_two_decimals(Fraction(number)).replace(".", self.decimal_separator)
            if self.has_decimals
            else _format_whole_number(Fraction(number))
        )
        # 0.00 and 0,00 have no sign
        plus_sign = "+" if self.has_sign and number > 0 and digits.strip("0.,") else ""
        return plus_sign + digits


def choose_column_format(
    numbers: Iterable[Fraction | int | None], *, has_sign: bool = False
) -> ColumnFormat:
    """Return the format of a column: two decimals if any of its numbers is not an integer."""
    return ColumnFormat(
        has_decimals=any(number % 1 for number in numbers if number is not None),
        has_sign=has_sign,
    )


def format_numbers_consistently(
    numbers: Sequence[Fraction | int], *, has_sign: bool = False
) -> list[str]:
    """Format the numbers of one sentence, all as integers or all with two decimals."""
    return [
        choose_column_format(numbers, has_sign=has_sign).format_number(number)
        for number in numbers
    ]


def format_plain(number: Fraction | int | None) -> str:
    """Format one count or average, e.g. 8, 8.50 or 6.67."""
    return choose_column_format([number]).format_number(number)


def format_signed(number: Fraction | int | None) -> str:
    """Format one difference with its sign, e.g. +9, −4.50 or 0."""
    return choose_column_format([number], has_sign=True).format_number(number)


def format_percent(fraction: Fraction | None) -> str:
    """Format a fraction of 1 as a percentage with two decimals, e.g. 56.25 %."""
    if fraction is None:
        return "–"
    return f"{localize_decimal(format_two_decimals(fraction * 100))} %"


def format_ranges(numbers: Iterable[int]) -> str:
    """Format board numbers, with consecutive ones as a range, e.g. 1, 3–5, 9."""
    consecutive_runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if consecutive_runs and number == consecutive_runs[-1][-1] + 1:
            consecutive_runs[-1].append(number)
        else:
            consecutive_runs.append([number])
    return ", ".join(
        f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in consecutive_runs
    )


def _format_whole_number(number: Fraction) -> str:
    return f"{MINUS if number < 0 else ''}{abs(number)}"


def format_two_decimals(number: Fraction) -> str:
    """Format a number with two decimals for files, e.g. −4.50, in all languages.

    The number is rounded half up. All other functions use this one to round.
    """
    hundredths = (abs(number) * 200 + 1) // 2
    sign = MINUS if number < 0 and hundredths else ""
    return f"{sign}{hundredths // 100}.{hundredths % 100:02d}"


def format_rank(rank: int, *, is_tied: bool, has_rank: bool = True) -> str:
    """Return a rank as text, e.g. "1", or "=3" if tied; a dash if `has_rank` is False."""
    if not has_rank:
        return "–"
    return f"={rank}" if is_tied else str(rank)
