"""The numbers of an entry, such as its score, each with the steps of its computation."""

from dataclasses import dataclass
from fractions import Fraction

from printing.values import Heading


@dataclass(frozen=True, slots=True)
class ExplainedStep:
    """One step of a computation; if all parts are shown, they add up to the amount."""

    sentence: str
    amount: Fraction
    board: int | None = None
    notes: tuple[str, ...] = ()  # the rulings, and the computation of the value that counts
    parts: tuple["ExplainedStep", ...] = ()
    columns: tuple[str, ...] = ()  # column titles, if the boards are shown as a table
    cells: tuple[str, ...] = ()  # the row of this board in the parent step's table

    @property
    def parts_outside_table(self) -> list["ExplainedStep"]:
        """The parts that are shown as sentences and not as rows of the table."""
        return [
            part_step for part_step in self.parts if not self.columns or part_step.board is None
        ]


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
    entry_number: int
    label: str
    name: str
    explained_numbers: tuple[ExplainedNumber, ...]
    hidden_boards_text: str  # the boards left out, and the reason
    is_complete: bool
