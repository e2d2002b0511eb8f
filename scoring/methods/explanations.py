"""Explanations of a number by its arithmetic.

An explanation is read from the same tables as the score. A step whose parts do not add up to
its amount cannot be constructed, so an explanation never disagrees with its number.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction

from django.utils.translation import gettext as _

from boards.whist.seats import Side
from scoring.methods.ranking import Placing
from scoring.methods.result_line import ResultLine, iter_line_sides
from scoring.methods.steps import Figure, Step
from scoring.methods.tricks import (
    compute_field_average,
    count_tricks_taken,
    round_to_nearest_trick,
)
from server.translation import gettext_noop

ZERO = Fraction()


def build_field_explainer(
    lines: Sequence[ResultLine],
    field: Collection[int],
    name: str,
    *,
    to_whole_tricks: bool = False,
) -> Callable[[int], Step | None]:
    """Return a function that explains a plus or minus as the total less the field's average.

    The field is read once. The function returns None for an entry outside the field, and for
    every entry of a field whose entries did not play the same deals.
    """
    if not is_level_field(lines, field):
        return lambda entry: None
    totals = count_tricks_taken(lines)
    exact_average = compute_field_average(totals, field) or ZERO
    average = (
        Fraction(round_to_nearest_trick(exact_average)) if to_whole_tricks else exact_average
    )
    sorted_totals = tuple(sorted((totals[each] for each in field), reverse=True))
    common: dict[str, Figure] = {
        "exact": exact_average,
        "average": average,
        "pairs": len(field),
        "totals": sorted_totals,
        "name": name,
    }

    def explain(entry: int) -> Step | None:
        if entry not in field:
            return None
        tricks_taken = totals[entry]
        return _explain_gap_to_average(tricks_taken, average, {**common, "took": tricks_taken})

    return explain


def _explain_gap_to_average(
    tricks_taken: Fraction, average: Fraction, figures: dict[str, Figure]
) -> Step:
    gap = tricks_taken - average
    figures["gap"] = abs(gap)
    is_rounded = average != figures["exact"]
    sign = (gap > 0) - (gap < 0)
    parts = (
        Step(tricks_taken, _("{took} tricks taken."), figures),
        Step(-average, _(_FIELD_SENTENCES[is_rounded]), figures),
    )
    return Step(gap, _(_GAP_SENTENCES[is_rounded, sign]), figures, parts)


_FIELD_SENTENCES = {
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


def is_level_field(lines: Sequence[ResultLine], field: Collection[int]) -> bool:
    """Return whether all lines belong to entries of the field that sat in the same direction on
    the same deals.
    """
    plays: dict[int, Counter[tuple[int, Side]]] = {entry: Counter() for entry in field}
    on_side: set[tuple[int, Side]] = set()
    others: set[tuple[int, Side]] = set()
    for line_side in iter_line_sides(lines):
        place = (line_side.deal, line_side.side)
        for entry in line_side.entries:
            if entry not in plays:
                others.add(place)
                continue
            if line_side.tricks is None:
                return False
            plays[entry][place] += 1
            on_side.add(place)
    play_counts = list(plays.values())
    return not (on_side & others) and all(count == play_counts[0] for count in play_counts)


def explain_placing(
    placings: Sequence[Placing], entry: int, titles: Mapping[str, str] | None = None
) -> Step:
    """Explain an entry's rank by the numbers of better and equal entries, and the tie-break.

    `titles` maps tie-breaks to their titles.
    """
    own_placing = next(placing for placing in placings if placing.entry == entry)
    level = tuple(
        each.entry for each in placings if each.rank == own_placing.rank and each.entry != entry
    )
    figures: dict[str, Figure] = {
        "rank": own_placing.rank,
        "score": own_placing.score,
        "above": own_placing.rank - 1,
        "level": level,
        "break": (titles or {}).get(
            own_placing.deciding_tie_break, own_placing.deciding_tie_break
        ),
    }
    if own_placing.rank == 1:
        sentences = [_("Place {rank} with {score}. No one did better.")]
    else:
        sentences = [_("Place {rank} with {score}. {above} did better.")]
    if level:
        sentences.append(_("Tied with {level:entry}."))
    if own_placing.deciding_tie_break:
        sentences.append(_("Tie-break: {break}."))
    return Step(Fraction(own_placing.rank), " ".join(sentences), figures)
