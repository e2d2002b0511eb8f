"""The boards of an explained figure as a table, read from the holes of their sentences."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from django.utils.translation import gettext_lazy as _

from scoring.methods.steps import Step, Writers, holes, tell

FEWEST_ROWS = 3
"""Fewer boards are easier to read as sentences."""

TITLES = {
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
"""The title of the column of each hole, in the order of the columns."""


def columns(steps: Sequence[Step]) -> tuple[str, ...]:
    """Name the holes that are columns for these steps; empty where they are no table.

    They are those of the commonest sentence. A board with another sentence, e.g. one that
    counts as the average, stays a sentence in the table.
    """
    sentences = Counter(tuple(holes(step.words)) for step in steps if _is_board(step))
    if not sentences:
        return ()
    found, times = sentences.most_common(1)[0]
    return tuple(key for key in TITLES if key in found) if times >= FEWEST_ROWS else ()


def cells(step: Step, keys: Sequence[str], write: Writers) -> tuple[str, ...]:
    """Write a step as a row of these columns; empty where its sentence has other holes."""
    found = holes(step.words)
    if not keys or not _is_board(step) or [key for key in TITLES if key in found] != list(keys):
        return ()
    return tuple(tell(replace(step, words=found[key]), write) for key in keys)


def _is_board(step: Step) -> bool:
    return not step.parts and "deal" in holes(step.words)
