"""The average of a field from which plus and minus scores are computed."""

from collections.abc import Collection
from fractions import Fraction

from scoring.methods.field_average import METHOD as FIELD_AVERAGE
from scoring.methods.point_methods import FIELD_AVERAGE as IN_POINTS
from scoring.methods.tricks import compute_field_average, round_to_nearest_trick
from scoring.standings_engine.scores import ZERO, ScoredEvent


def find_explaining_average(
    scored: ScoredEvent, side: str, field: Collection[int]
) -> Fraction | None:
    """Return the average of a field's totals, or None where it does not explain the scores.

    It explains them if each total, less the average and the penalty, is the score. It does not
    if the totals are of different deals, or if the method subtracts no average (rules L2, L5).
    A field whose entries sat both ways has one only if the method subtracts it.
    """
    if not side and scored.method not in (FIELD_AVERAGE, IN_POINTS):
        return None
    exact_average = compute_field_average(scored.tricks, field)
    if exact_average is None:
        return None
    average = (
        Fraction(round_to_nearest_trick(exact_average))
        if scored.method.whole_averages
        else exact_average
    )
    return (
        average if all(_is_score_explained(scored, entry, average) for entry in field) else None
    )


def _is_score_explained(scored: ScoredEvent, entry: int, average: Fraction) -> bool:
    loss = scored.penalties.get(entry, ZERO)
    return scored.tricks[entry] - average - loss == scored.scores.get(entry, ZERO)
