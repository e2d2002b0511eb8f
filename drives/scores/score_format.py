"""Scores as text, for phones, messages and the history."""

from collections.abc import Sequence

MINUS_SIGN = "−"


def format_signed(score: int) -> str:
    """Return a number with the Unicode minus sign, e.g. "−480"."""
    return str(score).replace("-", MINUS_SIGN)


def format_score(scores: Sequence[int]) -> str:
    """Return a score as text: "8–5", or "−480 / 340" if a number is below zero."""
    separator = " / " if any(score < 0 for score in scores) else "–"
    return separator.join(map(format_signed, scores))
