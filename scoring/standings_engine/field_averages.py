"""The average of a field from which plus and minus scores are computed."""

from collections.abc import Collection
from fractions import Fraction

from scoring.methods.field_average import METHOD as FIELD_AVERAGE
from scoring.methods.point_methods import FIELD_AVERAGE_METHOD as IN_POINTS
from scoring.methods.tricks import compute_field_average, round_to_nearest_trick
from scoring.standings_engine.scores import ZERO, ScoredEvent


def find_subtracted_average(
    scored_event: ScoredEvent, field_side: str, field_entry_numbers: Collection[int]
) -> Fraction | None:
    """Return the average of a field's totals; None if it does not explain the scores.

    The average explains the scores if each score is the total less the average and the
    penalty. It does not if the totals are of different deals, or if the method subtracts no
    average (rules L2, L5). If entries of a field sat both N-S and E-W, the field has an average
    only if the method subtracts it.
    """
    if not field_side and scored_event.method not in (FIELD_AVERAGE, IN_POINTS):
        return None
    exact_average = compute_field_average(
        scored_event.trick_totals_by_entry, field_entry_numbers
    )
    if exact_average is None:
        return None
    average = (
        Fraction(round_to_nearest_trick(exact_average))
        if scored_event.method.has_whole_averages
        else exact_average
    )
    return (
        average
        if all(
            _is_score_explained(scored_event, entry_number, average)
            for entry_number in field_entry_numbers
        )
        else None
    )


def _is_score_explained(
    scored_event: ScoredEvent, entry_number: int, average: Fraction
) -> bool:
    penalty = scored_event.penalties_by_entry.get(entry_number, ZERO)
    return scored_event.trick_totals_by_entry[
        entry_number
    ] - average - penalty == scored_event.scores_by_entry.get(entry_number, ZERO)
