"""Figures explained: the sheet of the arithmetic behind each, as frozen values."""

from dataclasses import dataclass
from fractions import Fraction

from printing.values import Heading


@dataclass(frozen=True, slots=True)
class Explained:
    """One figure in words, and its parts; their amounts add up to it where all are shown."""

    words: str
    amount: Fraction
    board: int | None = None
    notes: tuple[str, ...] = ()  # what was ruled, and how it came to what counts
    parts: tuple["Explained", ...] = ()


@dataclass(frozen=True, slots=True)
class ExplainedFigure:
    """One figure of an entry: its rank, its score, its tricks."""

    key: str
    title: str
    told: tuple[Explained, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """The arithmetic behind every figure of one entry."""

    heading: Heading
    entry: int
    label: str
    name: str
    figures: tuple[ExplainedFigure, ...]
    hidden: str  # which boards are left out, and why
    complete: bool
