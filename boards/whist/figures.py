"""The one place where a number becomes text."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

MINUS = "−"
_VULGAR = {
    Fraction(1, 2): "½",
    Fraction(1, 3): "⅓",
    Fraction(2, 3): "⅔",
    Fraction(1, 4): "¼",
    Fraction(3, 4): "¾",
}


FRACTIONS = frozenset(_VULGAR.values())


@dataclass(frozen=True, slots=True)
class Column:
    """How all figures of one column are written: either as clubs print them, or as decimals."""

    decimal: bool
    sign: bool = False

    def write(self, number: Fraction | int | None) -> str:
        """Write one figure of the column: 8 or 8½ in one, 8.00 or 8.43 in another."""
        if number is None:
            return "–"
        if not self.decimal:
            return signed(number) if self.sign else plain(number)
        if self.sign and number == 0:
            return "="
        plus = "+" if self.sign and number > 0 else ""
        return plus + decimals(Fraction(number))


def column(numbers: Iterable[Fraction | int | None], *, sign: bool = False) -> Column:
    """Choose one way for a column: decimals once a fraction in it has no sign of its own."""
    parts = {abs(Fraction(number)) % 1 for number in numbers if number is not None}
    return Column(decimal=not parts <= {Fraction(), *_VULGAR}, sign=sign)


def plain(number: Fraction | int | None) -> str:
    """Write a count or an average as clubs print it: 8, 8½, 6⅔, otherwise two decimals."""
    if number is None:
        return "–"
    number = Fraction(number)
    sign = MINUS if number < 0 else ""
    whole, part = divmod(abs(number), 1)
    if not part:
        return f"{sign}{whole}"
    if part in _VULGAR:
        return f"{sign}{whole or ''}{_VULGAR[part]}"
    return f"{sign}{decimals(abs(number))}"


def signed(number: Fraction | int | None) -> str:
    """Write a plus or a minus with its sign always shown: +9, −4½, = for level.

    A level score is written "=", as Foster's tables do.
    """
    if number is None:
        return "–"
    if number == 0:
        return "="
    return plain(number) if number < 0 else f"+{plain(number)}"


def percent(part: Fraction | None) -> str:
    """Write a share of one as a percentage with two decimals: 56.25 %."""
    return "–" if part is None else f"{decimals(part * 100)} %"


def numbers(counted: Iterable[int]) -> str:
    """Write a list of board numbers with its runs drawn together: 1, 3–5, 9."""
    runs: list[list[int]] = []
    for number in sorted(set(counted)):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def decimals(number: Fraction) -> str:
    """Round half up to two decimals, the only rounding in the program."""
    hundredths = (abs(number) * 200 + 1) // 2
    sign = MINUS if number < 0 and hundredths else ""
    return f"{sign}{hundredths // 100}.{hundredths % 100:02d}"


def rank(place: int, *, tied: bool) -> str:
    """Write a rank as a list prints it: 1, =3."""
    return f"={place}" if tied else str(place)
