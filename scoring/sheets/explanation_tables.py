"""The boards of an explained number as a table, built from placeholders of sentences."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from django.utils.translation import gettext_lazy as _

from scoring.methods.steps import ColumnWriter, Step, Writers, map_placeholders, render_step

MIN_ROWS = 3
"""The fewest boards for a table; fewer are easier to read as sentences."""

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

    They are the placeholders of the most common sentence. A board with another sentence, e.g.
    one that counts as the average, is shown as a sentence in the table.
    """
    sentences = Counter(
        tuple(map_placeholders(step.words)) for step in steps if _is_board(step)
    )
    if not sentences:
        return ()
    common_keys, times = sentences.most_common(1)[0]
    return (
        tuple(key for key in COLUMN_TITLES if key in common_keys) if times >= MIN_ROWS else ()
    )


def build_rows(
    steps: Sequence[Step], keys: Sequence[str], write: Writers
) -> list[tuple[str, ...]]:
    """Return each step as a row of these columns; empty for a step with another sentence.

    All numbers of a column have one format.
    """
    table_steps = [step for step in steps if _is_row(step, keys)]
    writers = {key: _create_column_writers(table_steps, key, write) for key in keys}
    return [
        tuple(
            render_step(replace(step, words=map_placeholders(step.words)[key]), writers[key])
            for key in keys
        )
        if _is_row(step, keys)
        else ()
        for step in steps
    ]


def _is_row(step: Step, keys: Sequence[str]) -> bool:
    return _is_board(step) and [
        key for key in COLUMN_TITLES if key in map_placeholders(step.words)
    ] == list(keys)


def _create_column_writers(steps: Sequence[Step], key: str, writers: Writers) -> Writers:
    """Return formatters with one number format for a whole column."""
    figures: list[Fraction | int] = []
    for step in steps:
        figure = step.figures[key]
        if isinstance(figure, Fraction | int):
            figures.append(figure)
        elif not isinstance(figure, str):
            figures.extend(figure)
    return {
        name: writer.build_formatter(figures) if isinstance(writer, ColumnWriter) else writer
        for name, writer in writers.items()
    }


def _is_board(step: Step) -> bool:
    return not step.parts and "deal" in map_placeholders(step.words)
