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
from scoring.methods.result_line import LineSide, ResultLine, count_boards, format_side
from scoring.methods.steps import Figure, Step
from server.translation import gettext_noop

BeatenSentence = Callable[[int | None], str]
"""Returns the sentence about the scores that a score beat and tied with."""


def score_matchpoints(lines: Sequence[ResultLine]) -> dict[int, Fraction]:
    """Score each entry 2 for every score it beat on a deal and side, and 1 for every tie.

    Guarantee: each deal and side gives half its top for each of its lines, on the average. A
    deal played fewer times than the rest is factored to the same top (Neuberg): the points
    times f, plus f - 1, where f is the normal number of plays over the actual one. A line that
    counts as the average scores half the top.

    Source: the comparison of duplicate bridge, which grew out of duplicate whist.
    """
    return deal_comparison.add_up_values(lines, compute_values(lines))


def compute_values(lines: Sequence[ResultLine]) -> ValuesByDeal:
    """Return the matchpoints of each number of tricks on each deal and side."""
    return _compute_values(deal_comparison.compare_deals(lines))


def list_line_values(lines: Sequence[ResultLine]) -> list[tuple[Fraction, Fraction]]:
    """Return the matchpoints of each line for N-S and for E-W."""
    return deal_comparison.list_line_values(lines, compute_values(lines))


def build_explainer(lines: Sequence[ResultLine]) -> Explainer:
    """Return a function that explains an entry's matchpoints deal by deal.

    Each sentence has the numbers of scores beaten and tied, and any factor.
    """
    return _build_explainer(lines, _format_beaten_sentence)


def build_explainer_in_points(lines: Sequence[ResultLine]) -> Explainer:
    """Return such a function for events that count points won less points lost."""
    return _build_explainer(lines, _format_beaten_sentence_in_points)


def _build_explainer(lines: Sequence[ResultLine], format_beaten: BeatenSentence) -> Explainer:
    top_score = compute_top(lines)

    def explain_line(line_side: LineSide, on_side: SideComparison, points: Fraction) -> Step:
        return _explain_line(line_side, on_side, points, top_score, format_beaten)

    return deal_comparison.build_explainer(
        lines, compute_values(lines), explain_line, _format_total_sentence
    )


def compute_top(lines: Sequence[ResultLine]) -> int:
    """Return the maximum of one deal: two for each of the other plays."""
    return _compute_top(deal_comparison.compare_deals(lines))


def compute_percentages(lines: Sequence[ResultLine]) -> dict[int, Fraction]:
    """Return each entry's share of its available matchpoints, between 0 and 1.

    The share is fair to entries that played different numbers of deals. It is a half if no
    matchpoints were available.
    """
    comparisons = deal_comparison.compare_deals(lines)
    points_won, unit = deal_comparison.add_up_in_units(lines, _compute_values(comparisons))
    top_score = unit * _compute_top(comparisons)
    return {
        entry: Fraction(points_won[entry], top_score * times) if top_score else Fraction(1, 2)
        for entry, times in count_boards(lines).items()
    }


def compute_available_matchpoints(lines: Sequence[ResultLine]) -> dict[int, Fraction]:
    """Return the available matchpoints of each entry: the sum of the tops of its deals."""
    top_score = compute_top(lines)
    return {entry: Fraction(top_score * times) for entry, times in count_boards(lines).items()}


def _compute_values(on_deals: ComparisonsByDeal) -> ValuesByDeal:
    plays = _find_normal_play_count(on_deals)
    return {
        deal: (_compute_side_values(ns, plays), _compute_side_values(ew, plays))
        for deal, (ns, ew) in on_deals.items()
    }


def _compute_top(on_deals: ComparisonsByDeal) -> int:
    return max(2 * (_find_normal_play_count(on_deals) - 1), 0)


def _find_normal_play_count(on_deals: ComparisonsByDeal) -> int:
    return max((ns.plays + ns.averages for ns, _ in on_deals.values()), default=0)


def _compute_side_values(on_side: SideComparison, normal_plays: int) -> ValueByTricks:
    """Return one side's table: two for each lower score, one for each other equal score."""
    half = Fraction(normal_plays - 1)
    table: ValueByTricks = {None: half}
    factor = Fraction(normal_plays, on_side.plays) if on_side.counts else half
    lower_count = 0
    for value, times in sorted(on_side.counts.items()):
        table[value] = (2 * lower_count + times - 1) * factor + factor - 1
        lower_count += times
    return table


def _format_total_sentence(deals: int) -> str:
    return ngettext(
        "{score} matchpoints on {deals} deal.", "{score} matchpoints on {deals} deals.", deals
    )


def _explain_line(
    line_side: LineSide,
    on_side: SideComparison,
    points: Fraction,
    most: int,
    format_beaten: BeatenSentence,
) -> Step:
    figures: dict[str, Figure] = {
        "deal": line_side.deal,
        "side": format_side(line_side.side),
        "worth": points,
        "top": most,
    }
    if line_side.tricks is None:
        sentence = _("{deal:deal}, {side}: average, half of {top}: {worth}.")
        return Step(points, sentence, figures)
    beaten_count = sum(
        times for value, times in on_side.counts.items() if value < line_side.tricks
    )
    tied = on_side.counts[line_side.tricks] - 1
    figures |= {
        "took": line_side.tricks,
        "beaten": beaten_count,
        "tied": tied,
        "others": on_side.plays - 1,
        "plays": on_side.plays,
        "normal": most // 2 + 1,
        "points": 2 * beaten_count + tied,
    }
    if on_side.plays == most // 2 + 1:
        return Step(points, format_beaten(None), figures)
    figures["factor"] = Fraction(most // 2 + 1, on_side.plays)
    return Step(points, format_beaten(on_side.plays), figures)


def _format_beaten_sentence(plays: int | None) -> str:
    """Return the sentence for one line; `plays` is given for a deal that was factored."""
    if plays is None:
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
        plays,
    )


def _format_beaten_sentence_in_points(plays: int | None) -> str:
    if plays is None:
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
        plays,
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
    signed=False,
    source=gettext_noop("Duplicate bridge, which grew out of duplicate whist"),
    guarantee=gettext_noop("On each board the scores average half of the top."),
    contests=("pairs", "individual"),
    score=score_matchpoints,
    explainer=build_explainer,
    parts=list_line_values,
    ranked_by=compute_percentages,
    available=compute_available_matchpoints,
)
