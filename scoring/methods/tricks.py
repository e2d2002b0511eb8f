"""The method that scores an entry by its tricks, and averages for other methods and pages."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.methods import deal_comparison
from scoring.methods.deal_comparison import SideComparison, ValueByTricks, ValuesByDeal
from scoring.methods.method import Explainer, Method
from scoring.methods.result_line import ResultLine, ResultSide, format_side, iter_result_sides
from scoring.methods.steps import PlaceholderValue, Step, choose_plural_number
from server.translation import gettext_noop

ZERO = Fraction()


def score_tricks(result_lines: Sequence[ResultLine]) -> dict[int, Fraction]:
    """Score each entry by its tricks; an average counts as its side's average on that deal.

    Guarantee: every line whose sides share the thirteen tricks adds thirteen to the sum of
    scores.
    """
    return deal_comparison.add_up_values(result_lines, compute_values(result_lines))


def compute_values(result_lines: Sequence[ResultLine]) -> ValuesByDeal:
    """Return the value of each number of tricks, which is the number itself."""
    return deal_comparison.compute_values_by_deal(_compute_side_values, result_lines)


def list_line_values(result_lines: Sequence[ResultLine]) -> list[tuple[Fraction, Fraction]]:
    """Return the tricks of each line for N-S and for E-W."""
    return deal_comparison.list_line_values(result_lines, compute_values(result_lines))


def build_explainer(result_lines: Sequence[ResultLine]) -> Explainer:
    """Return a function that explains an entry's total as the tricks of each of its deals."""
    return deal_comparison.build_explainer(
        result_lines, compute_values(result_lines), _explain_line, _format_total_sentence
    )


def count_tricks_taken(result_lines: Sequence[ResultLine]) -> dict[int, Fraction]:
    """Add up the tricks that each entry took on the deals it played; averages add nothing."""
    totals_by_entry: dict[int, Fraction] = defaultdict(Fraction)
    for result_side in iter_result_sides(result_lines):
        for entry_number in result_side.entries:
            totals_by_entry[entry_number] += result_side.tricks or ZERO
    return dict(totals_by_entry)


def compute_field_average(
    totals_by_entry: Mapping[int, Fraction], group_entries: Collection[int]
) -> Fraction | None:
    """Return the mean of the totals of a field's entries.

    An entry without a total counts as zero; an empty field has no average.
    """
    if not group_entries:
        return None
    return sum(
        (totals_by_entry.get(entry_number, ZERO) for entry_number in group_entries), ZERO
    ) / len(group_entries)


def round_to_nearest_trick(average: Fraction) -> int:
    """Round an average to the nearest whole trick, a half upwards.

    Source: American Whist League, code of 1894.
    """
    return int((average * 2 + 1) // 2)


def _compute_side_values(side_comparison: SideComparison) -> ValueByTricks:
    value_by_tricks: ValueByTricks = {
        tricks: Fraction(tricks) for tricks in side_comparison.table_counts_by_tricks
    }
    value_by_tricks[None] = side_comparison.ruled_average or ZERO
    return value_by_tricks


def _format_total_sentence(deal_count: int) -> str:
    return ngettext(
        "Total: {score} tricks on {deals} deal.",
        "Total: {score} tricks on {deals} deals.",
        deal_count,
    )


def _explain_line(
    result_side: ResultSide, side_comparison: SideComparison, points: Fraction
) -> Step:
    placeholder_values: dict[str, PlaceholderValue] = {
        "deal": result_side.deal_number,
        "side": format_side(result_side.side),
        "took": points,
    }
    if result_side.tricks is None:
        sentence = _("{deal:deal}, {side}: average of the other tables, {took}.")
    else:
        sentence = ngettext(
            "{deal:deal}, {side}: {took} trick.",
            "{deal:deal}, {side}: {took} tricks.",
            choose_plural_number(points),
        )
    return Step(points, sentence, placeholder_values)


METHOD = Method(
    name="tricks",
    code="tricks",
    title=gettext_noop("Total tricks"),
    label=gettext_noop("total tricks"),
    explanation=gettext_noop("Total tricks: all tricks are added up."),
    unit=gettext_noop("tricks"),
    heading=gettext_noop("Tricks won"),
    short_heading=gettext_noop("Score"),
    caption=gettext_noop("Tricks won"),
    is_signed=False,
    source=gettext_noop("The Standard Hoyle (1912), Duplicate Whist"),
    guarantee=gettext_noop("Each time a deal is played its tricks add up to 13."),
    contests=("pairs", "individual", "memory"),
    score=score_tricks,
    build_explainer=build_explainer,
    compute_line_scores=list_line_values,
    is_score_total=True,
)
