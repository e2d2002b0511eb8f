"""Explanations of a number by its arithmetic.

An explanation is computed from the same values as the score. A `Step` checks that its parts add
up to its amount, so an explanation cannot disagree with the number.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction

from django.utils.translation import gettext as _

from boards.whist.seats import Side
from scoring.methods.ranking import Placing
from scoring.methods.result_line import ResultLine, iter_result_sides
from scoring.methods.steps import PlaceholderValue, Step
from scoring.methods.tricks import (
    compute_field_average,
    count_tricks_taken,
    round_to_nearest_trick,
)
from server.translation import gettext_noop

ZERO = Fraction()


def build_field_average_explainer(
    result_lines: Sequence[ResultLine],
    group_entries: Collection[int],
    group_title: str,
    *,
    has_whole_averages: bool = False,
) -> Callable[[int], Step | None]:
    """Return a function that explains a plus or minus as the total less the field's average.

    The function returns None for an entry outside the field. It returns None for every entry
    if the entries of the field did not play the same deals.
    """
    if not is_comparable_group(result_lines, group_entries):
        return lambda entry_number: None
    totals_by_entry = count_tricks_taken(result_lines)
    exact_average = compute_field_average(totals_by_entry, group_entries) or ZERO
    average = (
        Fraction(round_to_nearest_trick(exact_average)) if has_whole_averages else exact_average
    )
    sorted_totals = tuple(
        sorted((totals_by_entry[entry_number] for entry_number in group_entries), reverse=True)
    )
    common_values: dict[str, PlaceholderValue] = {
        "exact": exact_average,
        "average": average,
        "pairs": len(group_entries),
        "totals": sorted_totals,
        "name": group_title,
    }

    def explain_entry(entry_number: int) -> Step | None:
        if entry_number not in group_entries:
            return None
        tricks_taken = totals_by_entry[entry_number]
        return _explain_gap_to_average(
            tricks_taken, average, {**common_values, "took": tricks_taken}
        )

    return explain_entry


def _explain_gap_to_average(
    tricks_taken: Fraction, average: Fraction, placeholder_values: dict[str, PlaceholderValue]
) -> Step:
    gap = tricks_taken - average
    placeholder_values["gap"] = abs(gap)
    is_rounded = average != placeholder_values["exact"]
    gap_sign = (gap > 0) - (gap < 0)
    partial_steps = (
        Step(tricks_taken, _("{took} tricks taken."), placeholder_values),
        Step(-average, _(_FIELD_AVERAGE_SENTENCES[is_rounded]), placeholder_values),
    )
    return Step(gap, _(_GAP_SENTENCES[is_rounded, gap_sign]), placeholder_values, partial_steps)


_FIELD_AVERAGE_SENTENCES = {
    False: gettext_noop("{exact} is the average of {pairs} {name}: {totals}."),
    True: gettext_noop(
        "{exact} is the average of {pairs} {name}, rounded to {average}: {totals}."
    ),
}
# Keys: whether the average is rounded; the sign of the tricks less the average.
_GAP_SENTENCES = {
    (False, 1): gettext_noop("{took} tricks taken, {gap} above the average of {average}."),
    (False, 0): gettext_noop("{took} tricks taken, level with the average of {average}."),
    (False, -1): gettext_noop("{took} tricks taken, {gap} below the average of {average}."),
    (True, 1): gettext_noop(
        "The average of {exact} is rounded to {average}. {took} tricks taken, {gap} above."
    ),
    (True, 0): gettext_noop(
        "The average of {exact} is rounded to {average}. {took} tricks taken, which is level."
    ),
    (True, -1): gettext_noop(
        "The average of {exact} is rounded to {average}. {took} tricks taken, {gap} below."
    ),
}


def is_comparable_group(
    result_lines: Sequence[ResultLine], group_entries: Collection[int]
) -> bool:
    """Return whether all entries of the field played the same deals in the same direction.

    Returns False too if an entry outside the field did, or if a deal counts as the average.
    """
    play_counts_by_entry: dict[int, Counter[tuple[int, Side]]] = {
        entry_number: Counter() for entry_number in group_entries
    }
    group_plays: set[tuple[int, Side]] = set()
    other_plays: set[tuple[int, Side]] = set()
    for result_side in iter_result_sides(result_lines):
        deal_and_side = (result_side.deal_number, result_side.side)
        for entry_number in result_side.entries:
            if entry_number not in play_counts_by_entry:
                other_plays.add(deal_and_side)
                continue
            if result_side.tricks is None:
                return False
            play_counts_by_entry[entry_number][deal_and_side] += 1
            group_plays.add(deal_and_side)
    play_counts = list(play_counts_by_entry.values())
    return not (group_plays & other_plays) and all(
        play_counts_of_entry == play_counts[0] for play_counts_of_entry in play_counts
    )


def explain_placing(
    placings: Sequence[Placing],
    entry_number: int,
    titles_by_tie_break: Mapping[str, str] | None = None,
) -> Step:
    """Explain an entry's rank by the numbers of better and equal entries, and the tie-break.

    `titles_by_tie_break` maps tie-breaks to their titles.
    """
    own_placing = next(placing for placing in placings if placing.entry_number == entry_number)
    tied_entries = tuple(
        placing.entry_number
        for placing in placings
        if placing.rank == own_placing.rank and placing.entry_number != entry_number
    )
    placeholder_values: dict[str, PlaceholderValue] = {
        "rank": own_placing.rank,
        "score": own_placing.score,
        "above": own_placing.rank - 1,
        "level": tied_entries,
        "break": (titles_by_tie_break or {}).get(
            own_placing.deciding_tie_break, own_placing.deciding_tie_break
        ),
    }
    if own_placing.rank == 1:
        sentences = [_("Place {rank} with {score}. No one did better.")]
    else:
        sentences = [_("Place {rank} with {score}. {above} did better.")]
    if tied_entries:
        sentences.append(_("Tied with {level:entry}."))
    if own_placing.deciding_tie_break:
        sentences.append(_("Tie-break: {break}."))
    return Step(Fraction(own_placing.rank), " ".join(sentences), placeholder_values)
