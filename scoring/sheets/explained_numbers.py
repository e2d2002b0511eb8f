"""Explained numbers: the computation of each as frozen values."""

from dataclasses import dataclass
from fractions import Fraction

from printing.values import Heading


@dataclass(frozen=True, slots=True)
class ExplainedStep:
    """One step of a computation, with its parts, which add up to it if all are shown."""

    words: str
    amount: Fraction
    board: int | None = None
    notes: tuple[str, ...] = ()  # the rulings, and the computation of what counts
    parts: tuple["ExplainedStep", ...] = ()
    columns: tuple[str, ...] = ()  # titles, if the boards among the parts form a table
    cells: tuple[str, ...] = ()  # this board's row in that table

    @property
    def parts_outside_table(self) -> list["ExplainedStep"]:
        """The parts that are shown as sentences and not as rows of the table."""
        return [part for part in self.parts if not self.columns or part.board is None]


@dataclass(frozen=True, slots=True)
class ExplainedNumber:
    """One number of an entry, such as its rank, score or tricks, with its explanation."""

    key: str
    title: str
    steps: tuple[ExplainedStep, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """The explanations of all numbers of one entry."""

    heading: Heading
    entry: int
    label: str
    name: str
    figures: tuple[ExplainedNumber, ...]
    hidden_boards_text: str  # the boards left out, and the reason
    complete: bool
