"""A field's average, where plus and minus are counted from it."""

from collections.abc import Collection
from fractions import Fraction

from scoring.methods.field_average import METHOD as FIELD_AVERAGE
from scoring.methods.in_points import FIELD_AVERAGE as IN_POINTS
from scoring.methods.tricks import field_average, nearest_trick
from scoring.reckoning.scores import NOTHING, Scored


def telling_average(found: Scored, side: str, field: Collection[int]) -> Fraction | None:
    """Return the average of a field's totals; None where it does not explain the scores.

    It explains them where each total, less the average and less the penalty, is the score. That
    is not so where totals are of different deals, or where the method counts from no average
    (rules L2, L5). A field whose entries sat both ways has one only where the method subtracts
    it.
    """
    if not side and found.method not in (FIELD_AVERAGE, IN_POINTS):
        return None
    exact = field_average(found.tricks, field)
    if exact is None:
        return None
    average = Fraction(nearest_trick(exact)) if found.method.whole_averages else exact
    return average if all(_adds_up(found, entry, average) for entry in field) else None


def _adds_up(found: Scored, entry: int, average: Fraction) -> bool:
    loss = found.losses.get(entry, NOTHING)
    return found.tricks[entry] - average - loss == found.scores.get(entry, NOTHING)
