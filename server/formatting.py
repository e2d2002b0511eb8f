"""The one place where a number becomes text."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

MINUS = "−"


@dataclass(frozen=True, slots=True)
class ColumnFormat:
    """How all figures of one column are written: as whole numbers, or all with two decimals."""

    decimal: bool
    sign: bool = False

    def write(self, number: Fraction | int | None) -> str:
        """Write one figure of the column: 8 in one, 8.00 or 8.43 in another."""
        if number is None:
            return "–"
        written = decimals(Fraction(number)) if self.decimal else _whole(Fraction(number))
        # a sign says which side of nothing a figure is, and 0.00 is on neither
        plus = "+" if self.sign and number > 0 and written.strip("0.") else ""
        return plus + written


def column(numbers: Iterable[Fraction | int | None], *, sign: bool = False) -> ColumnFormat:
    """Choose one way for a column: two decimals throughout once a figure in it has a part."""
    return ColumnFormat(
        decimal=any(number % 1 for number in numbers if number is not None), sign=sign
    )


def listed(numbers: Sequence[Fraction | int], *, sign: bool = False) -> list[str]:
    """Write figures that a sentence tells one after the other, all of them alike."""
    return [column(numbers, sign=sign).write(number) for number in numbers]


def plain(number: Fraction | int | None) -> str:
    """Write a count or an average that stands alone: 8, 8.50, 6.67."""
    return column([number]).write(number)


def signed(number: Fraction | int | None) -> str:
    """Write a plus or a minus that stands alone, with its sign always shown: +9, −4.50, 0."""
    return column([number], sign=True).write(number)


def percent(part: Fraction | None) -> str:
    """Write a share of one as a percentage with two decimals: 56.25 %."""
    return "–" if part is None else f"{decimals(part * 100)} %"


def number_ranges(counted: Iterable[int]) -> str:
    """Write a list of board numbers with its runs drawn together: 1, 3–5, 9."""
    runs: list[list[int]] = []
    for number in sorted(set(counted)):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def _whole(number: Fraction) -> str:
    return f"{MINUS if number < 0 else ''}{abs(number)}"


def decimals(number: Fraction) -> str:
    """Round half up to two decimals, the only rounding in the program."""
    hundredths = (abs(number) * 200 + 1) // 2
    sign = MINUS if number < 0 and hundredths else ""
    return f"{sign}{hundredths // 100}.{hundredths % 100:02d}"


def rank(place: int, *, tied: bool, placed: bool = True) -> str:
    """Write a rank as a list prints it: 1, =3, and a dash for who has no place yet."""
    if not placed:
        return "–"
    return f"={place}" if tied else str(place)
