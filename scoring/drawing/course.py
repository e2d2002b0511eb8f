"""The chart of an evening: a line for each entry over the rounds, with its name at the end."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from scoring.drawing.ends import spread
from scoring.drawing.scales import around, written
from server import formatting

UNITS = 1000
"""The width and the height of a diagram in coordinate units; the page scales it to its size."""
LEAST_LINES = 11.0
GAP = 1.25  # lines of text from label to label
NAMED = 14
"""The most lines with names: of more, the first ones are named and those that are marked."""


@dataclass(frozen=True, slots=True)
class Run:
    """One entry's running scores from the start to the end of the evening."""

    label: str
    short: str
    figures: tuple[Fraction, ...]
    kind: str = ""  # "first", "second", or nothing
    is_mine: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """A word at the side or the foot of a picture, and its place."""

    text: str
    at: str


@dataclass(frozen=True, slots=True)
class CourseLine:
    """One line: its points, and its name with its place; both are empty without a name."""

    points: str
    kind: str
    is_mine: bool
    label: str = ""
    short: str = ""
    at: str = ""


@dataclass(frozen=True, slots=True)
class Course:
    """The whole picture; heights in lines of text."""

    height: str  # of the lines
    whole: str  # with the rounds at the foot
    foot: str
    sides: tuple[Mark, ...]
    rounds: tuple[Mark, ...]
    lines: tuple[CourseLine, ...]  # those of a kind last, drawn over the others


def course(runs: Sequence[Run], rounds: Sequence[str]) -> Course | None:
    """Draw the lines over the rounds; return None without rounds or lines."""
    if not rounds or not runs:
        return None
    scale, beside = around(figure for run in runs for figure in run.figures)
    levels = formatting.column_format(beside, sign=True)
    named = _named(runs)
    height = max(LEAST_LINES, GAP * len(named))
    wanted = [height * scale.down(runs[place].figures[-1]) for place in named]
    at = dict(zip(named, spread(wanted, GAP, 0.0, height), strict=True))
    lines = [
        CourseLine(
            points=_points([scale.down(figure) for figure in run.figures]),
            kind=run.kind,
            is_mine=run.is_mine,
            label=run.label if place in at else "",
            short=run.short if place in at else "",
            at=written(at[place]) if place in at else "",
        )
        for place, run in enumerate(runs)
    ]
    order = {"": 0, "second": 2, "first": 3}
    return Course(
        height=written(height),
        whole=written(height + 3),
        foot=written(height + 1.6),
        sides=tuple(
            Mark(levels.write(each), written(height * scale.down(each))) for each in beside
        ),
        rounds=tuple(
            Mark(word, written(100 * place / len(rounds)))
            for place, word in enumerate(rounds, start=1)
        ),
        lines=tuple(sorted(lines, key=lambda line: (order[line.kind], line.is_mine))),
    )


def _named(runs: Sequence[Run]) -> list[int]:
    if len(runs) <= NAMED:
        return list(range(len(runs)))
    marked = [place for place, run in enumerate(runs) if run.is_mine and place >= NAMED - 1]
    return [*range(NAMED - len(marked[:4])), *marked[:4]]


def _points(heights: Sequence[float]) -> str:
    last = max(len(heights) - 1, 1)
    return " ".join(  # rounded: a screen has fewer pixels than units
        f"{UNITS * place / last:.0f},{UNITS * height:.0f}"
        for place, height in enumerate(heights)
    )
