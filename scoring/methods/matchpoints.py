"""Matchpoints: an entry gets two points for each score that it beats and one for each tie, on
each deal and side.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.methods import deal_comparison
from scoring.methods.deal_comparison import (
    ComparisonsByDeal,
    SideComparison,
    ValueByTricks,
    ValuesByDeal,
)
from scoring.methods.method import Explainer, Method
from scoring.methods.result_line import ResultLine, ResultSide, count_boards, format_side
from scoring.methods.steps import PlaceholderValue, Step
from server.translation import gettext_noop

ComparisonSentenceFormatter = Callable[[int | None], str]
"""Returns the sentence with the numbers of scores beaten and tied."""


def score_matchpoints(result_lines: Sequence[ResultLine]) -> dict[int, Fraction]:
    """Score each entry 2 for every score it beat on a deal and side, and 1 for every tie.

    Guarantee: on each deal and side, the average score of a line is half the top. A deal that
    was played fewer times than the others is factored to the same top (Neuberg): the points
    times f, plus f - 1, where f is the normal number of plays divided by the actual number. A
    line that counts as the average scores half the top.

    Source: the comparison of duplicate bridge, which grew out of duplicate whist.
    """
    return deal_comparison.add_up_values(result_lines, compute_values(result_lines))


def compute_values(result_lines: Sequence[ResultLine]) -> ValuesByDeal:
    """Return the matchpoints of each number of tricks on each deal and side."""
    return _compute_values(deal_comparison.compare_deals(result_lines))


def list_line_values(result_lines: Sequence[ResultLine]) -> list[tuple[Fraction, Fraction]]:
    """Return the matchpoints of each line for N-S and for E-W."""
    return deal_comparison.list_line_values(result_lines, compute_values(result_lines))


def build_explainer(result_lines: Sequence[ResultLine]) -> Explainer:
    """Return a function that explains an entry's matchpoints deal by deal.

    Each sentence has the numbers of scores beaten and tied, and any factor.
    """
    return _build_explainer(result_lines, _format_matchpoint_sentence)


def build_explainer_in_points(result_lines: Sequence[ResultLine]) -> Explainer:
    """Return a function that explains matchpoints in an event scored in points."""
    return _build_explainer(result_lines, _format_comparison_in_points)


def _build_explainer(
    result_lines: Sequence[ResultLine], format_comparison_sentence: ComparisonSentenceFormatter
) -> Explainer:
    top_score = compute_top_score(result_lines)

    def explain_line(
        result_side: ResultSide, side_comparison: SideComparison, points: Fraction
    ) -> Step:
        return _explain_line(
            result_side, side_comparison, points, top_score, format_comparison_sentence
        )

    return deal_comparison.build_explainer(
        result_lines, compute_values(result_lines), explain_line, _format_total_sentence
    )


def compute_top_score(result_lines: Sequence[ResultLine]) -> int:
    """Return the maximum of one deal: two for each of the other plays."""
    return _compute_top_score(deal_comparison.compare_deals(result_lines))


def compute_percentages(result_lines: Sequence[ResultLine]) -> dict[int, Fraction]:
    """Return each entry's share of its available matchpoints, between 0 and 1.

    The share is fair to entries that played different numbers of deals. It is a half if no
    matchpoints were available.
    """
    comparisons_by_deal = deal_comparison.compare_deals(result_lines)
    scaled_points_by_entry, denominator = deal_comparison.add_up_value_numerators(
        result_lines, _compute_values(comparisons_by_deal)
    )
    top_score = denominator * _compute_top_score(comparisons_by_deal)
    return {
        entry_number: Fraction(scaled_points_by_entry[entry_number], top_score * board_count)
        if top_score
        else Fraction(1, 2)
        for entry_number, board_count in count_boards(result_lines).items()
    }


def compute_available_matchpoints(result_lines: Sequence[ResultLine]) -> dict[int, Fraction]:
    """Return the available matchpoints of each entry: the sum of the tops of its deals."""
    top_score = compute_top_score(result_lines)
    return {
        entry_number: Fraction(top_score * board_count)
        for entry_number, board_count in count_boards(result_lines).items()
    }


def _compute_values(comparisons_by_deal: ComparisonsByDeal) -> ValuesByDeal:
    normal_play_count = _find_normal_play_count(comparisons_by_deal)
    return {
        deal_number: (
            _compute_side_values(ns_comparison, normal_play_count),
            _compute_side_values(ew_comparison, normal_play_count),
        )
        for deal_number, (ns_comparison, ew_comparison) in comparisons_by_deal.items()
    }


def _compute_top_score(comparisons_by_deal: ComparisonsByDeal) -> int:
    return max(2 * (_find_normal_play_count(comparisons_by_deal) - 1), 0)


def _find_normal_play_count(comparisons_by_deal: ComparisonsByDeal) -> int:
    return max(
        (
            ns_comparison.score_count + ns_comparison.average_ruling_count
            for ns_comparison, _ in comparisons_by_deal.values()
        ),
        default=0,
    )


def _compute_side_values(
    side_comparison: SideComparison, normal_play_count: int
) -> ValueByTricks:
    """Return the matchpoints of each number of tricks: two for each lower score, one for each
    other equal score.
    """
    average_value = Fraction(normal_play_count - 1)
    value_by_tricks: ValueByTricks = {None: average_value}
    factor = (
        Fraction(normal_play_count, side_comparison.score_count)
        if side_comparison.table_counts_by_tricks
        else average_value
    )
    lower_score_count = 0
    for tricks, table_count in sorted(side_comparison.table_counts_by_tricks.items()):
        value_by_tricks[tricks] = (
            (2 * lower_score_count + table_count - 1) * factor + factor - 1
        )
        lower_score_count += table_count
    return value_by_tricks


def _format_total_sentence(deal_count: int) -> str:
    return ngettext(
        "{score} matchpoints on {deals} deal.",
        "{score} matchpoints on {deals} deals.",
        deal_count,
    )


def _explain_line(
    result_side: ResultSide,
    side_comparison: SideComparison,
    points: Fraction,
    top_score: int,
    format_comparison_sentence: ComparisonSentenceFormatter,
) -> Step:
    placeholder_values: dict[str, PlaceholderValue] = {
        "deal": result_side.deal_number,
        "side": format_side(result_side.side),
        "worth": points,
        "top": top_score,
    }
    if result_side.tricks is None:
        sentence = _("{deal:deal}, {side}: average, half of {top}: {worth}.")
        return Step(points, sentence, placeholder_values)
    beaten_score_count = sum(
        table_count
        for tricks, table_count in side_comparison.table_counts_by_tricks.items()
        if tricks < result_side.tricks
    )
    tied_score_count = side_comparison.table_counts_by_tricks[result_side.tricks] - 1
    placeholder_values |= {
        "took": result_side.tricks,
        "beaten": beaten_score_count,
        "tied": tied_score_count,
        "others": side_comparison.score_count - 1,
        "plays": side_comparison.score_count,
        "normal": top_score // 2 + 1,
        "points": 2 * beaten_score_count + tied_score_count,
    }
    if side_comparison.score_count == top_score // 2 + 1:
        return Step(points, format_comparison_sentence(None), placeholder_values)
    placeholder_values["factor"] = Fraction(top_score // 2 + 1, side_comparison.score_count)
    return Step(
        points, format_comparison_sentence(side_comparison.score_count), placeholder_values
    )


def _format_matchpoint_sentence(play_count: int | None) -> str:
    """Return the sentence for one line; `play_count` is given for a deal that was factored."""
    if play_count is None:
        return _(
            "{deal:deal}, {side}: took {took}, beat {beaten} of "
            "{others}, tied {tied}: {points} of {top}."
        )
    return ngettext(
        "{deal:deal}, {side}: took {took}, beat {beaten} of "
        "{others}, tied {tied}: {points}. Played {plays} time "
        "instead of {normal}, so {points} × {factor} + {factor} − 1 "
        "= {worth} of {top}.",
        "{deal:deal}, {side}: took {took}, beat {beaten} of "
        "{others}, tied {tied}: {points}. Played {plays} times "
        "instead of {normal}, so {points} × {factor} + {factor} − 1 "
        "= {worth} of {top}.",
        play_count,
    )


def _format_comparison_in_points(play_count: int | None) -> str:
    if play_count is None:
        return _(
            "{deal:deal}, {side}: {took:signed} points, beat {beaten} of "
            "{others}, tied {tied}: {points} of {top}."
        )
    return ngettext(
        "{deal:deal}, {side}: {took:signed} points, beat {beaten} of "
        "{others}, tied {tied}: {points}. Played {plays} time "
        "instead of {normal}, so {points} × {factor} + {factor} − 1 "
        "= {worth} of {top}.",
        "{deal:deal}, {side}: {took:signed} points, beat {beaten} of "
        "{others}, tied {tied}: {points}. Played {plays} times "
        "instead of {normal}, so {points} × {factor} + {factor} − 1 "
        "= {worth} of {top}.",
        play_count,
    )


METHOD = Method(
    name="matchpoints",
    code="matchpoints",
    title=gettext_noop("Matchpoints"),
    label=gettext_noop("matchpoints"),
    explanation=gettext_noop(
        "Matchpoints: on each board 2 points for each score you beat and 1 for each tie."
    ),
    unit=gettext_noop("matchpoints"),
    heading=gettext_noop("Points"),
    short_heading=gettext_noop("Points"),
    caption=gettext_noop("Matchpoints"),
    is_signed=False,
    source=gettext_noop("Duplicate bridge, which grew out of duplicate whist"),
    guarantee=gettext_noop("On each board the scores average half of the top."),
    contests=("pairs", "individual"),
    score=score_matchpoints,
    build_explainer=build_explainer,
    compute_line_scores=list_line_values,
    compute_ranking_values=compute_percentages,
    compute_available_points=compute_available_matchpoints,
)
