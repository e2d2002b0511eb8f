"""Plus and minus: the tricks above or below the average of each deal and side."""

from collections.abc import Sequence
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.methods import deal_comparison
from scoring.methods.deal_comparison import SideComparison, ValueByTricks, ValuesByDeal
from scoring.methods.method import Explainer, Method
from scoring.methods.result_line import ResultLine, ResultSide, format_side
from scoring.methods.steps import PlaceholderValue, Step, choose_plural_number
from server.translation import gettext_noop


def score_plus_minus(result_lines: Sequence[ResultLine]) -> dict[int, Fraction]:
    """Score each entry by its tricks above or below its side's average on each deal.

    Guarantee: over all entries the plusses and minusses add up to zero. If the whole field
    played the same deals equally often, a score is the total less the field's average of
    totals. A line that counts as the average adds nothing and does not change the average.

    Source: Foster, Complete Hoyle; The Standard Hoyle (1912), Duplicate Bridge (rules L1-L5).
    """
    return deal_comparison.add_up_values(result_lines, compute_values(result_lines))


def compute_values(result_lines: Sequence[ResultLine]) -> ValuesByDeal:
    """Return each number of tricks less the average of its deal and side."""
    return deal_comparison.compute_values_by_deal(_compute_side_values, result_lines)


def list_line_values(result_lines: Sequence[ResultLine]) -> list[tuple[Fraction, Fraction]]:
    """Return the plus or minus of each line for N-S and for E-W."""
    return deal_comparison.list_line_values(result_lines, compute_values(result_lines))


def build_explainer(result_lines: Sequence[ResultLine]) -> Explainer:
    """Return a function that explains an entry's plus or minus deal by deal."""
    return deal_comparison.build_explainer(
        result_lines, compute_values(result_lines), _explain_line, format_total_sentence
    )


def compute_side_averages(
    result_lines: Sequence[ResultLine],
) -> dict[int, tuple[Fraction | None, Fraction | None]]:
    """Return each deal's average N-S and E-W tricks; None where no line counts tricks."""
    return {
        deal_number: (ns_comparison.average, ew_comparison.average)
        for deal_number, (ns_comparison, ew_comparison) in deal_comparison.compare_deals(
            result_lines
        ).items()
    }


def _compute_side_values(side_comparison: SideComparison) -> ValueByTricks:
    value_by_tricks: ValueByTricks = {None: Fraction()}
    average = side_comparison.average
    if average is not None:
        value_by_tricks |= {
            tricks: tricks - average for tricks in side_comparison.table_counts_by_tricks
        }
    return value_by_tricks


def format_total_sentence(deal_count: int) -> str:
    """Return the sentence for a sum of plusses and minusses over a number of deals."""
    return ngettext(
        "{score:signed} in all, on {deals} deal.",
        "{score:signed} in all, on {deals} deals.",
        deal_count,
    )


def _explain_line(
    result_side: ResultSide, side_comparison: SideComparison, points: Fraction
) -> Step:
    if result_side.tricks is None:
        sentence = _("{deal:deal}, {side}: equal to the average, so the score is 0.")
        placeholder_values: dict[str, PlaceholderValue] = {
            "deal": result_side.deal_number,
            "side": format_side(result_side.side),
        }
        if side_comparison.ruled_average is None:
            return Step(points, sentence, placeholder_values)
        sentence = ngettext(
            "{deal:deal}, {side}: average, {average} tricks in {plays} score ({scores}), so 0.",
            "{deal:deal}, {side}: average, {average} tricks in {plays} "
            "scores ({scores}), so 0.",
            len(side_comparison.valid_scores),
        )
        placeholder_values |= {
            "average": side_comparison.ruled_average,
            "plays": len(side_comparison.valid_scores),
            "scores": side_comparison.valid_scores,
        }
        return Step(points, sentence, placeholder_values)
    sentence = ngettext(
        "{deal:deal}, {side}: {took} trick, {worth:signed} against the average of {average} "
        "({plays} scores: {scores}).",
        "{deal:deal}, {side}: {took} tricks, {worth:signed} against the average of {average} "
        "({plays} scores: {scores}).",
        choose_plural_number(result_side.tricks),
    )
    return Step(
        points,
        sentence,
        {
            "deal": result_side.deal_number,
            "side": format_side(result_side.side),
            "took": result_side.tricks,
            "plays": side_comparison.score_count,
            "scores": side_comparison.scores,
            "average": result_side.tricks - points,
            "worth": points,
        },
    )


METHOD = Method(
    name="plus_minus",
    code="plus_minus",
    title=gettext_noop("Plus and minus"),
    label=gettext_noop("plus and minus"),
    explanation=gettext_noop(
        "Plus and minus: tricks above or below the average on each board."
    ),
    unit=gettext_noop("tricks above the average"),
    heading=gettext_noop("Plus/minus"),
    short_heading=gettext_noop("+/−"),
    caption=gettext_noop("Tricks above or below the average"),
    is_signed=True,
    source=gettext_noop("Foster, Complete Hoyle. The Standard Hoyle (1912), Duplicate Bridge"),
    guarantee=gettext_noop("All scores add up to zero."),
    contests=("pairs", "teams", "individual"),
    score=score_plus_minus,
    build_explainer=build_explainer,
    compute_line_scores=list_line_values,
)
