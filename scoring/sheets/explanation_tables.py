"""The boards of an explained number as a table: the placeholders of sentences are columns."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from django.utils.translation import gettext_lazy as _

from scoring.methods.steps import (
    ColumnFormatter,
    FormattersByPlaceholder,
    Step,
    map_placeholders,
    render_step,
)

MIN_TABLE_ROWS = 3
"""The minimum number of boards for a table; fewer are easier to read as sentences."""

COLUMN_TITLES = {
    "deal": _("Board"),
    "side": _("Side"),
    "other": _("Against"),
    "won": _("Won"),
    "lost": _("Lost"),
    "took": _("Result"),
    "before": _("Original"),
    "beaten": _("Beaten"),
    "tied": _("Tied"),
    "average": _("Average"),
    "top": _("Top"),
    "points": _("Points"),
    "gain": _("Score"),
    "net": _("Score"),
    "worth": _("Score"),
    "scores": _("All scores"),
}
"""The column title of each placeholder, in the order of the columns."""


def choose_columns(steps: Sequence[Step]) -> tuple[str, ...]:
    """Return the placeholders that become columns for these steps; empty if no table is shown.

    The columns are the placeholders of the most common sentence. A board with another sentence,
    e.g. one that counts as the average, is shown as a sentence in the table.
    """
    placeholder_counts = Counter(
        tuple(map_placeholders(step.sentence)) for step in steps if _is_board_step(step)
    )
    if not placeholder_counts:
        return ()
    common_placeholders, step_count = placeholder_counts.most_common(1)[0]
    return (
        tuple(
            placeholder for placeholder in COLUMN_TITLES if placeholder in common_placeholders
        )
        if step_count >= MIN_TABLE_ROWS
        else ()
    )


def build_rows(
    steps: Sequence[Step], placeholders: Sequence[str], formatters: FormattersByPlaceholder
) -> list[tuple[str, ...]]:
    """Return each step as a row of cells; a step with another sentence has an empty row.

    All numbers of a column have one format.
    """
    table_steps = [step for step in steps if _is_table_row(step, placeholders)]
    formatters_by_placeholder = {
        placeholder: _create_column_formatters(table_steps, placeholder, formatters)
        for placeholder in placeholders
    }
    return [
        tuple(
            render_step(
                replace(step, sentence=map_placeholders(step.sentence)[placeholder]),
                formatters_by_placeholder[placeholder],
            )
            for placeholder in placeholders
        )
        if _is_table_row(step, placeholders)
        else ()
        for step in steps
    ]


def _is_table_row(step: Step, placeholders: Sequence[str]) -> bool:
    return _is_board_step(step) and [
        placeholder
        for placeholder in COLUMN_TITLES
        if placeholder in map_placeholders(step.sentence)
    ] == list(placeholders)


def _create_column_formatters(
    steps: Sequence[Step], placeholder: str, formatters: FormattersByPlaceholder
) -> FormattersByPlaceholder:
    """Return formatters with one number format for a whole column."""
    column_numbers: list[Fraction | int] = []
    for step in steps:
        placeholder_value = step.placeholder_values[placeholder]
        if isinstance(placeholder_value, Fraction | int):
            column_numbers.append(placeholder_value)
        elif not isinstance(placeholder_value, str):
            column_numbers.extend(placeholder_value)
    return {
        name: formatter.build_formatter(column_numbers)
        if isinstance(formatter, ColumnFormatter)
        else formatter
        for name, formatter in formatters.items()
    }


def _is_board_step(step: Step) -> bool:
    return not step.parts and "deal" in map_placeholders(step.sentence)
