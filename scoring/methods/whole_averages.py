"""Plus and minus for clubs that print no fractions: averages to the nearest whole trick."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from django.utils.translation import gettext as _

from scoring.methods import plus_minus
from scoring.methods.lines import Line
from scoring.methods.method import Explainer
from scoring.methods.steps import Step
from scoring.methods.tricks import nearest_trick, taken
from server.translation import gettext_noop


def whole_averages(lines: Sequence[Line]) -> dict[int, Fraction]:
    """Score each entry its tricks less the average for its deals, to the nearest whole trick.

    Guarantee: no score is more than half a trick from the exact plus or minus. Where all of a
    field played the same deals equally often it is each total less the field's average in whole
    tricks, so the order of the field is the same.

    Source: American Whist League, code of 1894.
    """
    totals = taken(lines)
    return {
        entry: score + _rounded_off(totals[entry] - score)
        for entry, score in plus_minus.plus_minus(lines).items()
    }


def explainer(lines: Sequence[Line]) -> Explainer:
    """Return a function that explains an entry's score deal by deal, and the rounding."""
    tell, totals = plus_minus.explainer(lines), taken(lines)

    def explain(entry: int) -> Step:
        told = tell(entry)
        return _with_rounding(told, totals.get(entry, told.amount) - told.amount)

    return explain


def _with_rounding(told: Step, average: Fraction) -> Step:
    off = _rounded_off(average)
    if not off:
        return told
    words = _(
        "The averages of these deals add to {average}, which is taken as {whole}, the nearest "
        "whole trick: {off:signed}."
    )
    rounding = Step(off, words, {"average": average, "whole": average - off, "off": off})
    amount = told.amount + off
    return replace(
        told,
        amount=amount,
        figures={**told.figures, "score": amount},
        parts=(*told.parts, rounding),
    )


def _rounded_off(average: Fraction) -> Fraction:
    return average - nearest_trick(average)


METHOD = replace(
    plus_minus.METHOD,
    title=gettext_noop("Plus and minus, averages to the nearest trick"),
    source=gettext_noop("American Whist League, code of 1894"),
    guarantee=gettext_noop(
        "No score is more than half a trick from the one with its fraction."
    ),
    score=whole_averages,
    explainer=explainer,
    whole_averages=True,
)
