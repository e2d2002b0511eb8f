"""Scoring of memory duplicate by the gain of each overplay over the original play."""

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction

from django.utils.translation import gettext as _

from boards.whist.seats import Side
from scoring.methods import plus_minus
from scoring.methods.method import Explainer, Method
from scoring.methods.result_line import (
    ResultLine,
    ResultSide,
    Tricks,
    format_side,
    group_lines_by_deal,
    iter_result_sides,
    list_entries,
)
from scoring.methods.steps import PlaceholderValue, Step
from server.translation import gettext_noop

ZERO = Fraction()


def score_memory_duplicate(result_lines: Sequence[ResultLine]) -> dict[int, Fraction]:
    """Score each entry by the gains of its overplays over the original plays.

    N-S and E-W are the hands in the tray, even after the tray is turned. The entries with the
    N-S cards in the overplay score the tricks they took above the original's N-S tricks. Their
    opponents score the negative of that, or the value set for them if the director split a
    score. A deal without an original or with an average scores nothing.

    Guarantee: all scores add up to zero, except for split scores.

    Source: Foster, Complete Hoyle; The Standard Hoyle (1912), Duplicate Whist (rules Q1).
    """
    scores_by_entry = dict.fromkeys(list_entries(result_lines), ZERO)
    for result_line, gains in zip(result_lines, list_line_gains(result_lines), strict=True):
        for entries, gain in zip(
            (result_line.ns_entries, result_line.ew_entries), gains, strict=True
        ):
            for entry_number in entries:
                scores_by_entry[entry_number] += gain
    return scores_by_entry


def list_line_gains(result_lines: Sequence[ResultLine]) -> list[tuple[Fraction, Fraction]]:
    """Return the gain of each overplay for N-S and for E-W; an original gains nothing."""
    original_line_by_deal = _map_original_plays(result_lines)
    return [
        _compute_gain(result_line, original_line_by_deal.get(result_line.deal_number))
        for result_line in result_lines
    ]


def describe_overplays_in_tricks() -> str:
    """Describe plus and minus in memory duplicate, where scores are not compared with an
    average.
    """
    return _(
        "Plus and minus: tricks gained or lost in each overplay, "
        "against the original play of the same cards."
    )


def describe_overplays_in_points() -> str:
    """Describe plus and minus in memory duplicate where points are counted."""
    return _(
        "Plus and minus: points gained or lost in each overplay, "
        "against the original play of the same cards."
    )


def build_explainer(result_lines: Sequence[ResultLine]) -> Explainer:
    """Return a function that explains an entry's gain play by play."""
    sentence = _(
        "{deal:deal}, {side} cards: took {took}, the original play {before}: {gain:signed}."
    )
    return _build_explainer(result_lines, sentence)


def build_explainer_in_points(result_lines: Sequence[ResultLine]) -> Explainer:
    """Return a function that explains an entry's gain play by play, in points."""
    sentence = _(
        "{deal:deal}, {side} cards: {took:signed} points, the "
        "original play {before:signed}: {gain:signed}."
    )
    return _build_explainer(result_lines, sentence)


def _build_explainer(result_lines: Sequence[ResultLine], comparison_sentence: str) -> Explainer:
    """Return a function that explains gains; `comparison_sentence` compares two plays of a
    deal.
    """
    original_line_by_deal = _map_original_plays(result_lines)
    steps_by_entry: dict[int, list[Step]] = defaultdict(list)
    for result_line, gains in zip(result_lines, list_line_gains(result_lines), strict=True):
        for result_side, gain in zip(iter_result_sides([result_line]), gains, strict=True):
            gain_step = _explain_gain(
                result_side,
                result_line,
                original_line_by_deal.get(result_line.deal_number),
                gain,
                comparison_sentence,
            )
            for entry_number in result_side.entries:
                steps_by_entry[entry_number].append(gain_step)

    def explain_entry(entry_number: int) -> Step:
        steps = steps_by_entry.get(entry_number, [])
        amount = sum((step.amount for step in steps), ZERO)
        sentence = _("Total gain of the overplays: {score:signed}.")
        return Step(amount, sentence, {"score": amount}, tuple(steps))

    return explain_entry


def _map_original_plays(result_lines: Sequence[ResultLine]) -> dict[int, ResultLine]:
    original_line_by_deal: dict[int, ResultLine] = {}
    for deal_number, deal_lines in group_lines_by_deal(result_lines).items():
        for result_line in deal_lines:
            if not result_line.is_overplay and deal_number not in original_line_by_deal:
                original_line_by_deal[deal_number] = result_line
    return original_line_by_deal


def _compute_gain(
    result_line: ResultLine, original_line: ResultLine | None
) -> tuple[Fraction, Fraction]:
    if not result_line.is_overplay or original_line is None:
        return ZERO, ZERO
    return _compute_difference(
        result_line.ns_tricks, original_line.ns_tricks
    ), _compute_difference(result_line.ew_tricks, original_line.ew_tricks)


def _compute_difference(tricks: Tricks | None, original_tricks: Tricks | None) -> Fraction:
    return (
        ZERO
        if tricks is None or original_tricks is None
        else Fraction(tricks - original_tricks)
    )


def _explain_gain(
    result_side: ResultSide,
    result_line: ResultLine,
    original_line: ResultLine | None,
    gain: Fraction,
    comparison_sentence: str,
) -> Step:
    placeholder_values: dict[str, PlaceholderValue] = {
        "deal": result_side.deal_number,
        "side": format_side(result_side.side),
        "gain": gain,
    }
    if not result_line.is_overplay:
        return Step(gain, _("{deal:deal}, {side} cards: original play."), placeholder_values)
    original_tricks = (
        None if original_line is None else _get_side_tricks(original_line, result_side.side)
    )
    if result_side.tricks is None or original_tricks is None:
        sentence = _("{deal:deal}, {side} cards: no two scores to compare.")
        return Step(gain, sentence, placeholder_values)
    return Step(
        gain,
        comparison_sentence,
        placeholder_values | {"took": result_side.tricks, "before": original_tricks},
    )


def _get_side_tricks(result_line: ResultLine, side: Side) -> Tricks | None:
    return result_line.ns_tricks if side is Side.NS else result_line.ew_tricks


METHOD = Method(
    name="memory",
    code="plus_minus",
    title=gettext_noop("Gain of the overplays"),
    label=plus_minus.METHOD.label,
    explanation=plus_minus.METHOD.explanation,
    describe=describe_overplays_in_tricks,
    unit=gettext_noop("tricks gained"),
    heading=gettext_noop("Tricks gained"),
    short_heading=gettext_noop("+/−"),
    caption=gettext_noop("Tricks gained in the overplay"),
    is_signed=True,
    source=gettext_noop("Foster, Complete Hoyle. The Standard Hoyle (1912), Duplicate Whist"),
    guarantee=gettext_noop("All scores add up to zero, except for split scores."),
    contests=("memory",),
    score=score_memory_duplicate,
    build_explainer=build_explainer,
    compute_line_scores=list_line_gains,
)
