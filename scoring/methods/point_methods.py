"""Methods for events that count points: the arithmetic of the methods for tricks, on points.

An entry's total is the points it won less the points it lost in all its plays. Its score is
the total less the average of all pairs on its side. Points can also be compared board by
board, by plus and minus or by matchpoints. The methods for tricks compare any numbers, so this
module adds only the texts for points.

Source: The Standard Hoyle (1912), Duplicate Bridge (rules L1-L3).
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.methods import (
    deal_comparison,
    field_average,
    matchpoints,
    memory_duplicate,
    plus_minus,
    tricks,
)
from scoring.methods.deal_comparison import SideComparison
from scoring.methods.field_average import SideGroup, group_entries_by_side
from scoring.methods.method import Explainer
from scoring.methods.result_line import (
    ResultLine,
    ResultSide,
    format_side,
    group_result_sides_by_entry,
)
from scoring.methods.steps import PlaceholderValue, Step
from server.translation import gettext_noop

ZERO = Fraction()
PointTotals = tuple[int, int, Fraction]
"""The points won and lost in plain results, and the points set by rulings."""


def add_up_points(result_lines: Sequence[ResultLine]) -> dict[int, PointTotals]:
    """Add up each entry's points won, points lost, and points set by rulings.

    Guarantee: points won less points lost, plus those set by rulings, are the entry's total.
    """
    values_by_deal = tricks.compute_values(result_lines)
    totals_by_entry: dict[int, PointTotals] = {}
    for entry_number, own_result_sides in group_result_sides_by_entry(result_lines).items():
        points_won, points_lost, points_from_rulings = 0, 0, ZERO
        for result_side in own_result_sides:
            if result_side.points_won is None or result_side.tricks is None:
                points_from_rulings += values_by_deal[result_side.deal_number][
                    result_side.side == "EW"
                ][result_side.tricks]
            else:
                points_won += result_side.points_won
                points_lost += result_side.points_won - int(result_side.tricks)
        totals_by_entry[entry_number] = points_won, points_lost, points_from_rulings
    return totals_by_entry


def build_total_steps(point_totals: PointTotals) -> tuple[Step, ...]:
    """Return the steps of a total: the points won and the points lost."""
    points_won, points_lost, points_from_rulings = point_totals
    steps = [
        Step(
            Fraction(points_won),
            ngettext("{won} point won.", "{won} points won.", points_won),
            {"won": points_won},
        ),
        Step(
            Fraction(-points_lost),
            ngettext("{lost} point lost.", "{lost} points lost.", points_lost),
            {"lost": points_lost},
        ),
    ]
    if points_from_rulings:
        steps.append(
            Step(
                points_from_rulings,
                _("Rulings: {ruled:signed}."),
                {"ruled": points_from_rulings},
            )
        )
    return tuple(steps)


def _build_total_explainer(result_lines: Sequence[ResultLine]) -> Explainer:
    """Return a function that explains an entry's total by the points of each of its deals."""
    return deal_comparison.build_explainer(
        result_lines,
        tricks.compute_values(result_lines),
        _explain_line_total,
        _format_total_sentence,
    )


def _explain_line_total(
    result_side: ResultSide, side_comparison: SideComparison, points: Fraction
) -> Step:
    placeholder_values: dict[str, PlaceholderValue] = {
        "deal": result_side.deal_number,
        "side": format_side(result_side.side),
        "took": points,
    }
    if result_side.tricks is None:
        sentence = _("{deal:deal}, {side}: average of the other tables, {took:signed}.")
    elif result_side.points_won is None:
        sentence = _("{deal:deal}, {side}: {took:signed} by ruling.")
    else:
        placeholder_values |= {
            "won": result_side.points_won,
            "lost": result_side.points_won - int(result_side.tricks),
        }
        sentence = _("{deal:deal}, {side}: {won} won, {lost} lost: {took:signed}.")
    return Step(points, sentence, placeholder_values)


def _format_total_sentence(deal_count: int) -> str:
    return ngettext(
        "Total: {score:signed} points on {deals} deal.",
        "Total: {score:signed} points on {deals} deals.",
        deal_count,
    )


def _build_field_average_explainer(result_lines: Sequence[ResultLine]) -> Explainer:
    """Return a function that explains a score: points won, points lost, and the average."""
    totals_by_entry, point_totals_by_entry = (
        tricks.score_tricks(result_lines),
        add_up_points(result_lines),
    )
    ranking_group_by_entry = {
        entry_number: ranking_group
        for ranking_group in group_entries_by_side(result_lines)
        for entry_number in ranking_group[1]
    }

    def explain_entry(entry_number: int) -> Step:
        if entry_number not in ranking_group_by_entry:
            return Step(ZERO, _("No boards played."))
        return _explain_score_against_field(
            totals_by_entry,
            point_totals_by_entry[entry_number],
            entry_number,
            ranking_group_by_entry[entry_number],
        )

    return explain_entry


def _explain_score_against_field(
    totals_by_entry: Mapping[int, Fraction],
    point_totals: PointTotals,
    entry_number: int,
    ranking_group: SideGroup,
) -> Step:
    side, group_entries = ranking_group
    average, total_points = (
        tricks.compute_field_average(totals_by_entry, group_entries) or ZERO,
        totals_by_entry[entry_number],
    )
    placeholder_values: dict[str, PlaceholderValue] = {
        "took": total_points,
        "average": average,
        "count": len(group_entries),
        "totals": _sort_totals(totals_by_entry, group_entries),
        "score": total_points - average,
    }
    average_sentence = _("{average:signed} is the average of all {count}: {totals:signed}.")
    if side is not None:
        average_sentence = _(
            "{average:signed} is the average of the {count} that sat {side}: {totals:signed}."
        )
        placeholder_values["side"] = format_side(side)
    total_step = Step(
        total_points,
        _("Total: {took:signed} points."),
        placeholder_values,
        build_total_steps(point_totals),
    )
    partial_steps = (total_step, Step(-average, average_sentence, placeholder_values))
    sentence = _(
        "{took:signed} points minus the field average of {average:signed} is {score:signed}."
    )
    return Step(total_points - average, sentence, placeholder_values, partial_steps)


def _sort_totals(
    totals_by_entry: Mapping[int, Fraction], entries: Collection[int]
) -> tuple[Fraction, ...]:
    return tuple(
        sorted((totals_by_entry[entry_number] for entry_number in entries), reverse=True)
    )


def _build_board_explainer(result_lines: Sequence[ResultLine]) -> Explainer:
    """Return a function that explains a plus or minus as the sum over the deals."""
    values_by_deal = plus_minus.compute_values(result_lines)
    return deal_comparison.build_explainer(
        result_lines, values_by_deal, _explain_board, plus_minus.format_total_sentence
    )


def _explain_board(
    result_side: ResultSide, side_comparison: SideComparison, points: Fraction
) -> Step:
    placeholder_values: dict[str, PlaceholderValue] = {
        "deal": result_side.deal_number,
        "side": format_side(result_side.side),
        "worth": points,
    }
    if result_side.tricks is None:
        if side_comparison.ruled_average is None:
            sentence = _("{deal:deal}, {side}: equal to the average, so the score is 0.")
            return Step(points, sentence, placeholder_values)
        placeholder_values |= {
            "average": side_comparison.ruled_average,
            "plays": len(side_comparison.valid_scores),
            "scores": side_comparison.valid_scores,
        }
        sentence = ngettext(
            "{deal:deal}, {side}: average, {average:signed} points in "
            "{plays} score ({scores:signed}), so 0.",
            "{deal:deal}, {side}: average, {average:signed} points in "
            "{plays} scores ({scores:signed}), so 0.",
            len(side_comparison.valid_scores),
        )
        return Step(points, sentence, placeholder_values)
    placeholder_values |= {
        "took": result_side.tricks,
        "plays": side_comparison.score_count,
        "scores": side_comparison.scores,
        "average": result_side.tricks - points,
    }
    sentence = ngettext(
        "{deal:deal}, {side}: {took:signed} point, {worth:signed} against the average of "
        "{average:signed} ({plays} scores: {scores:signed}).",
        "{deal:deal}, {side}: {took:signed} points, {worth:signed} against the average of "
        "{average:signed} ({plays} scores: {scores:signed}).",
        1 if abs(result_side.tricks) == 1 else 2,
    )
    return Step(points, sentence, placeholder_values)


FIELD_AVERAGE_METHOD = replace(
    field_average.METHOD,
    name="points_field_average",
    is_in_points=True,
    title=gettext_noop("Points minus field average"),
    explanation=gettext_noop(
        "Total minus field average: net points above or below the "
        "average of all pairs in the same direction (The Standard "
        "Hoyle)."
    ),
    unit=gettext_noop("points above the field average"),
    caption=gettext_noop("Points above or below the field average"),
    source=gettext_noop("The Standard Hoyle (1912), Duplicate Bridge"),
    build_explainer=_build_field_average_explainer,
)

PLUS_MINUS_METHOD = replace(
    plus_minus.METHOD,
    name="points_plus_minus",
    is_in_points=True,
    contests=("pairs", "individual"),
    title=gettext_noop("Plus and minus in points"),
    explanation=gettext_noop(
        "Plus and minus: net points above or below the average on each board."
    ),
    unit=gettext_noop("points above the average"),
    caption=gettext_noop("Points above or below the average"),
    build_explainer=_build_board_explainer,
)

MATCHPOINTS_METHOD = replace(
    matchpoints.METHOD,
    name="points_matchpoints",
    is_in_points=True,
    title=gettext_noop("Matchpoints from boards scored in points"),
    build_explainer=matchpoints.build_explainer_in_points,
)

TOTAL_METHOD = replace(
    tricks.METHOD,
    name="points",
    code="points",
    is_in_points=True,
    contests=("pairs", "individual", "memory"),
    title=gettext_noop("Total points"),
    label=gettext_noop("total points"),
    explanation=gettext_noop("Total points: points won minus points lost, added up."),
    unit=gettext_noop("points"),
    heading=gettext_noop("Points"),
    short_heading=gettext_noop("Points"),
    caption=gettext_noop("Points won minus points lost"),
    is_signed=True,
    source=gettext_noop("The Standard Hoyle (1912), Duplicate Bridge"),
    guarantee=gettext_noop("On each deal the two sides’ scores add up to zero."),
    build_explainer=_build_total_explainer,
)

GAIN_METHOD = replace(
    memory_duplicate.METHOD,
    name="points_memory",
    is_in_points=True,
    explanation=PLUS_MINUS_METHOD.explanation,
    describe=memory_duplicate.describe_overplays_in_points,
    unit=gettext_noop("points gained"),
    heading=gettext_noop("Points gained"),
    caption=gettext_noop("Points gained in the overplay"),
    build_explainer=memory_duplicate.build_explainer_in_points,
)

METHODS_IN_POINTS = (
    FIELD_AVERAGE_METHOD,
    PLUS_MINUS_METHOD,
    MATCHPOINTS_METHOD,
    TOTAL_METHOD,
    GAIN_METHOD,
)
