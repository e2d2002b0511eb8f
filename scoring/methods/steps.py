"""Explained arithmetic: a number, the sentence that explains it, and its parts.

A sentence has placeholders such as {took} or {plus:signed}. The word after the colon names the
writer, a function that formats the number: signed, entry, percent or deal. The caller passes
the formatters, so pages, papers and tests render the same step. The sentence is translated when
the step is created, as a whole sentence with its placeholders.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby
from typing import Protocol, runtime_checkable

from django.utils.translation import gettext as _

PlaceholderValue = Fraction | int | str | Sequence[Fraction | int]
NumberFormatter = Callable[[Fraction | int], str]
_PLACEHOLDER_PATTERN = re.compile(r"\{(\w+)(?::(\w+))?\}")


@runtime_checkable
class ColumnFormatter(Protocol):
    """A writer that gives all numbers of a list the same format, as in a column."""

    def build_formatter(self, numbers: Sequence[Fraction | int]) -> NumberFormatter:
        """Return a function that formats each number of this list in the common format."""


FormattersByPlaceholder = Mapping[str, NumberFormatter | ColumnFormatter]


@dataclass(frozen=True, slots=True)
class Step:
    """A number with its sentence; if it has parts, their amounts add up to it exactly."""

    amount: Fraction
    sentence: str
    placeholder_values: Mapping[str, PlaceholderValue] = field(default_factory=dict)
    parts: tuple["Step", ...] = ()

    def __post_init__(self) -> None:
        if self.parts and sum(part.amount for part in self.parts) != self.amount:
            raise ValueError(f"The parts of this step do not add up to {self.amount}.")


def map_placeholders(sentence: str) -> dict[str, str]:
    """Map the name of each placeholder in a sentence to its text, such as {plus:signed}."""
    return {
        placeholder_match[1]: placeholder_match[0]
        for placeholder_match in _PLACEHOLDER_PATTERN.finditer(sentence)
    }


def render_step(step: Step, formatters: FormattersByPlaceholder) -> str:
    """Render one step as a sentence; lists of numbers become "8, 3 × 7, 6"."""

    def fill_placeholder(placeholder_match: re.Match[str]) -> str:
        value = step.placeholder_values[placeholder_match[1]]
        if isinstance(value, str):
            return value
        if isinstance(value, Fraction | int):
            value = [value]
        format_number = formatters[placeholder_match[2] or "plain"]
        if isinstance(format_number, ColumnFormatter):
            format_number = format_number.build_formatter(value)
        return ", ".join(_format_repeated_numbers(value, format_number))

    return _PLACEHOLDER_PATTERN.sub(fill_placeholder, step.sentence)


def render_step_with_parts(step: Step, formatters: FormattersByPlaceholder) -> list[str]:
    """Render a step and all its parts, one sentence each; the step precedes its parts."""
    return [
        render_step(step, formatters),
        *(
            sentence
            for part in step.parts
            for sentence in render_step_with_parts(part, formatters)
        ),
    ]


def render_computation(step: Step, formatters: FormattersByPlaceholder) -> list[str]:
    """Render a step in the order of computation: first its parts, then their sum."""
    parts = [
        sentence for part in step.parts for sentence in render_computation(part, formatters)
    ]
    return [*parts, render_step(step, formatters)]


def _format_repeated_numbers(
    numbers: Sequence[Fraction | int], format_number: NumberFormatter
) -> list[str]:
    runs = [(number, len(list(run))) for number, run in groupby(numbers)]
    return [
        format_number(number) if run_length == 1 else f"{run_length} × {format_number(number)}"
        for number, run_length in runs
    ]


def choose_plural_number(number: Fraction | int) -> int:
    """Return the number that selects singular or plural; a fraction selects the plural."""
    return int(number) if number == int(number) else 2


def format_exact_number(number: Fraction | int) -> str:
    """Write a number exactly: 8, 13/2."""
    return str(number)


def format_signed_exact_number(number: Fraction | int) -> str:
    """Write a plus or minus exactly, always with its sign: +9, -1/2, 0."""
    return f"+{number}" if number > 0 else str(number)


EXACT_FORMATTERS: FormattersByPlaceholder = {
    "plain": format_exact_number,
    "signed": format_signed_exact_number,
    "entry": format_exact_number,
    "deal": lambda number: _("Deal %(number)s") % {"number": number},
    "percent": lambda share: f"{format_exact_number(share * 100)} %",
}
"""FormattersByPlaceholder without rounding, for tests and terminals."""
