"""Explained arithmetic: a number, the sentence that explains it, and its parts.

A sentence has placeholders in braces with the writer of the number after a colon: {took},
{plus:signed}, {pair:entry}, {share:percent}, {tray:deal}. The caller passes the writers of
numbers and names, so page, paper and test render the same step. The sentence is in the reader's
language when the step is made, a whole sentence with its placeholders.
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
    """A writer that formats all numbers of a list alike, as in a column."""

    def among(self, figures: Sequence[Fraction | int]) -> Writer:
        """Return a function that formats each number of this list in the common format."""


Writers = Mapping[str, Writer | InOneWay]


@dataclass(frozen=True, slots=True)
class Step:
    """A number with its sentence; if it has parts, their amounts add up to it exactly."""

    amount: Fraction
    words: str
    figures: Mapping[str, Figure] = field(default_factory=dict)
    parts: tuple["Step", ...] = ()

    def __post_init__(self) -> None:
        if self.parts and sum(part.amount for part in self.parts) != self.amount:
            raise ValueError(f"The parts of this step do not add up to {self.amount}.")


def holes(words: str) -> dict[str, str]:
    """Map the name of each placeholder in a sentence to its text, such as {plus:signed}."""
    return {hole[1]: hole[0] for hole in _HOLE.finditer(words)}


def tell(step: Step, writers: Writers) -> str:
    """Render one step as a sentence; lists of numbers become "8, 3 × 7, 6"."""

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
    """Render a step and all its parts, one sentence each, the whole before its parts."""
    return [
        tell(step, writers),
        *(line for part in step.parts for line in tell_all(part, writers)),
    ]


def reckon(step: Step, writers: Writers) -> list[str]:
    """Render a step in the order of computation: its parts in turn, then their sum."""
    parts = [line for part in step.parts for line in reckon(part, writers)]
    return [*parts, tell(step, writers)]


def _runs(figures: Sequence[Fraction | int], write: Writer) -> list[str]:
    runs = [(value, len(list(run))) for value, run in groupby(figures)]
    return [
        write(value) if times == 1 else f"{times} × {write(value)}" for value, times in runs
    ]


def form(number: Fraction | int) -> int:
    """Return the number that selects singular or plural; a fraction selects the plural."""
    return int(number) if number == int(number) else 2


def exact(number: Fraction | int) -> str:
    """Write a number exactly: 8, 13/2."""
    return str(number)


def exact_signed(number: Fraction | int) -> str:
    """Write a plus or minus exactly, always with its sign: +9, -1/2, 0."""
    return f"+{number}" if number > 0 else str(number)


PLAINLY: Writers = {
    "plain": exact,
    "signed": exact_signed,
    "entry": exact,
    "deal": lambda number: _("Deal %(number)s") % {"number": number},
    "percent": lambda share: f"{exact(share * 100)} %",
}
"""Writers without rounding, for tests and terminals."""
