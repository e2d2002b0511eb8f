"""Arithmetic that can be read: a figure, the words that explain it, and its parts.

The words hold their figures in braces with the way to write them after a colon: {took},
{plus:signed}, {pair:entry}, {share:percent}, {tray:deal}. Whoever shows them hands in how
numbers and names are written, so the page, the paper and the test all read the same step. The
words are in the reader's language when the step is made, whole sentences with their holes.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby
from typing import Protocol, runtime_checkable

from django.utils.translation import gettext as _

Figure = Fraction | int | str | Sequence[Fraction | int]
Writer = Callable[[Fraction | int], str]
_HOLE = re.compile(r"\{(\w+)(?::(\w+))?\}")


@runtime_checkable
class InOneWay(Protocol):
    """Writes the figures of a list as those of a column: all of them alike."""

    def among(self, figures: Sequence[Fraction | int]) -> Writer:
        """Return how a figure is written that stands among these."""


Writers = Mapping[str, Writer | InOneWay]


@dataclass(frozen=True, slots=True)
class Step:
    """One figure with its words; where it has parts, their amounts add up to it exactly."""

    amount: Fraction
    words: str
    figures: Mapping[str, Figure] = field(default_factory=dict)
    parts: tuple["Step", ...] = ()

    def __post_init__(self) -> None:
        if self.parts and sum(part.amount for part in self.parts) != self.amount:
            raise ValueError(f"The parts of this step do not add up to {self.amount}.")


def holes(words: str) -> dict[str, str]:
    """Map the name of each hole of a sentence to the hole as it is written: {plus:signed}."""
    return {hole[1]: hole[0] for hole in _HOLE.finditer(words)}


def tell(step: Step, writers: Writers) -> str:
    """Write one step as a sentence; lists of figures become "8, 3 × 7, 6"."""

    def written(hole: re.Match[str]) -> str:
        figure = step.figures[hole[1]]
        if isinstance(figure, str):
            return figure
        if isinstance(figure, Fraction | int):
            figure = [figure]
        write = writers[hole[2] or "plain"]
        if isinstance(write, InOneWay):
            write = write.among(figure)
        return ", ".join(_runs(figure, write))

    return _HOLE.sub(written, step.words)


def tell_all(step: Step, writers: Writers) -> list[str]:
    """Write a step and all its parts, one sentence each, the whole before its parts."""
    return [
        tell(step, writers),
        *(line for part in step.parts for line in tell_all(part, writers)),
    ]


def reckon(step: Step, writers: Writers) -> list[str]:
    """Write a step as it is reckoned: its parts in turn, and last what they come to."""
    parts = [line for part in step.parts for line in reckon(part, writers)]
    return [*parts, tell(step, writers)]


def _runs(figures: Sequence[Fraction | int], write: Writer) -> list[str]:
    runs = [(value, len(list(run))) for value, run in groupby(figures)]
    return [
        write(value) if times == 1 else f"{times} × {write(value)}" for value, times in runs
    ]


def form(number: Fraction | int) -> int:
    """Return the number by which words choose between one and many; a part takes many."""
    return int(number) if number == int(number) else 2


def exact(number: Fraction | int) -> str:
    """Write a number exactly: 8, 13/2."""
    return str(number)


def exact_signed(number: Fraction | int) -> str:
    """Write a plus or minus exactly, the sign always shown: +9, -1/2, 0."""
    return f"+{number}" if number > 0 else str(number)


PLAINLY: Writers = {
    "plain": exact,
    "signed": exact_signed,
    "entry": exact,
    "deal": lambda number: _("Deal %(number)s") % {"number": number},
    "percent": lambda share: f"{exact(share * 100)} %",
}
"""Writers that lose nothing, for tests and terminals."""
