"""Plus and minus with averages rounded to whole tricks, for clubs that print no fractions."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from django.utils.translation import gettext as _

from scoring.methods import plus_minus
from scoring.methods.method import Explainer
from scoring.methods.result_line import ResultLine
from scoring.methods.steps import Step
from scoring.methods.tricks import count_tricks_taken, round_to_nearest_trick
from server.translation import gettext_noop


def score_with_whole_averages(result_lines: Sequence[ResultLine]) -> dict[int, Fraction]:
    """Score each entry by tricks less the average of the deals played, in whole tricks.

    Guarantee: no score differs by more than half a trick from the exact plus or minus. If the
    whole field played the same deals equally often, a score is the total less the field's
    average in whole tricks. The order of the field is then the same.

    Source: American Whist League, code of 1894.
    """
    totals_by_entry = count_tricks_taken(result_lines)
    return {
        entry_number: score
        + _compute_rounding_difference(totals_by_entry[entry_number] - score)
        for entry_number, score in plus_minus.score_plus_minus(result_lines).items()
    }


def build_explainer(result_lines: Sequence[ResultLine]) -> Explainer:
    """Return a function that explains an entry's score deal by deal, and the rounding."""
    explain_plus_minus, totals_by_entry = (
        plus_minus.build_explainer(result_lines),
        count_tricks_taken(result_lines),
    )

    def explain_entry(entry_number: int) -> Step:
        step = explain_plus_minus(entry_number)
        return _add_rounding_sentence(
            step, totals_by_entry.get(entry_number, step.amount) - step.amount
        )

    return explain_entry


def _add_rounding_sentence(step: Step, average: Fraction) -> Step:
    rounding_difference = _compute_rounding_difference(average)
    if not rounding_difference:
        return step
    sentence = _(
        "The averages of these deals add up to {average}, rounded to {whole}: {off:signed}."
    )
    rounding_step = Step(
        rounding_difference,
        sentence,
        {
            "average": average,
            "whole": average - rounding_difference,
            "off": rounding_difference,
        },
    )
    amount = step.amount + rounding_difference
    return replace(
        step,
        amount=amount,
        placeholder_values={**step.placeholder_values, "score": amount},
        parts=(*step.parts, rounding_step),
    )


def _compute_rounding_difference(average: Fraction) -> Fraction:
    return average - round_to_nearest_trick(average)


METHOD = replace(
    plus_minus.METHOD,
    title=gettext_noop("Plus and minus, averages rounded to whole tricks"),
    source=gettext_noop("American Whist League, code of 1894"),
    guarantee=gettext_noop("No score is more than half a trick from its exact value."),
    score=score_with_whole_averages,
    build_explainer=build_explainer,
    has_whole_averages=True,
)
