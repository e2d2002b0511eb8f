"""The chart of a board: one dot a table, over the number of tricks."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from scoring.drawing.course import Mark
from scoring.drawing.ends import spread
from scoring.drawing.scales import written

TRICKS = 13
AROUND = 2  # numbers of tricks shown beyond the lowest and highest
MIN_COLUMNS = 7  # numbers of tricks shown
HIGHEST = 9
"""The most dots in a column; a taller one is drawn as a bar with its number."""
PITCH = 1.1  # lines of text from dot to dot
HEAD = 2.9  # lines for the words over the dots
APART = 30.0  # the width of a word over the dots, in per cent of a narrow picture
APART_WIDE = 16.0


@dataclass(frozen=True, slots=True)
class Dot:
    """One dot: its horizontal place in per cent, its vertical one in lines."""

    x: str
    y: str


@dataclass(frozen=True, slots=True)
class Stack:
    """A column too tall for dots: a bar, with the number of its tables."""

    x: str
    start: str
    width: str
    top: str
    height: str
    tables: int


@dataclass(frozen=True, slots=True)
class AverageLine:
    """A vertical line over the tricks, and the place of its word."""

    x: str
    word_x: str
    wide_x: str  # where the picture is wide


@dataclass(frozen=True, slots=True)
class Dots:
    """The whole picture."""

    whole: str
    top: str
    base: str
    foot: str
    tricks: tuple[Mark, ...]
    dots: tuple[Dot, ...]
    stacks: tuple[Stack, ...]
    average: AverageLine | None
    best: AverageLine | None


def dots(made: Sequence[int], average: Fraction | None, best: int | None) -> Dots | None:
    """Draw the tables' results, the average and best play; return None without results."""
    if not made:
        return None
    counts = Counter(made)
    first, last = _reach([*made, *([best] if best is not None else [])])
    slot = 100 / (last - first + 1)

    def x(tricks: Fraction | int) -> float:
        return (float(tricks) - first + 0.5) * slot

    tallest = max(counts.values())
    high = min(tallest, HIGHEST) * PITCH
    base = HEAD + high + 0.2
    stacked = tallest > HIGHEST
    columns = [(x(tricks), count) for tricks, count in sorted(counts.items())]
    return Dots(
        whole=written(base + 1.9),
        top=written(HEAD - 1.1),
        base=written(base),
        foot=written(base + 1.4),
        tricks=tuple(Mark(str(it), written(x(it))) for it in range(first, last + 1)),
        dots=() if stacked else _dots(columns, base),
        stacks=_stacks(columns, base, high, 0.6 * slot) if stacked else (),
        **_rules(None if average is None else x(average), None if best is None else x(best)),
    )


def _dots(columns: Sequence[tuple[float, int]], base: float) -> tuple[Dot, ...]:
    """Return the dots of each column, one above another."""
    return tuple(
        Dot(written(middle), written(base - PITCH * (place + 0.5)))
        for middle, count in columns
        for place in range(count)
    )


def _stacks(
    columns: Sequence[tuple[float, int]], base: float, high: float, width: float
) -> tuple[Stack, ...]:
    """Return a bar for each column; the tallest has the height `high`."""
    tallest = max(count for _middle, count in columns)
    return tuple(
        Stack(
            x=written(middle),
            start=written(middle - width / 2),
            width=written(width),
            top=written(base - high * count / tallest),
            height=written(high * count / tallest),
            tables=count,
        )
        for middle, count in columns
    )


def _rules(average: float | None, best: float | None) -> dict[str, AverageLine | None]:
    """Place the two words over the dots without overlap, inside the picture."""
    known = {name: at for name, at in (("average", average), ("best", best)) if at is not None}
    narrow, wide = (
        spread(list(known.values()), apart, apart / 2, 100 - apart / 2)
        for apart in (APART, APART_WIDE)
    )
    rules: dict[str, AverageLine | None] = {"average": None, "best": None}
    for (name, at), word, wider in zip(known.items(), narrow, wide, strict=True):
        rules[name] = AverageLine(written(at), written(word), written(wider))
    return rules


def _reach(tricks: Sequence[int]) -> tuple[int, int]:
    """Return the first and last number of tricks in the picture."""
    first, last = max(0, min(tricks) - AROUND), min(TRICKS, max(tricks) + AROUND)
    while last - first + 1 < MIN_COLUMNS:
        first, last = max(0, first - 1), min(TRICKS, last + 1)
    return first, last
