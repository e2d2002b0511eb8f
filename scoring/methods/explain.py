"""Explanations of a number by the arithmetic that made it.

An explanation is read from the same tables as the score. A step whose parts do not add up
cannot be constructed, so an explanation never disagrees with its number.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction

from django.utils.translation import gettext as _

from boards.whist.seats import Side
from scoring.methods.lines import Line, stands
from scoring.methods.ranking import Placing
from scoring.methods.steps import Figure, Step
from scoring.methods.tricks import field_average, nearest_trick, taken
from server.translation import gettext_noop

NOTHING = Fraction()


def in_field_explainer(
    lines: Sequence[Line], field: Collection[int], name: str, *, to_whole_tricks: bool = False
) -> Callable[[int], Step | None]:
    """Return a function that explains a plus or minus as the total less the field's average.

    The field is read once. The function returns None for an entry outside the field, and for
    every entry where the field did not play alike.
    """
    if not is_level_field(lines, field):
        return lambda entry: None
    totals = taken(lines)
    exact = field_average(totals, field) or NOTHING
    average = Fraction(nearest_trick(exact)) if to_whole_tricks else exact
    in_order = tuple(sorted((totals[it] for it in field), reverse=True))
    common: dict[str, Figure] = {
        "exact": exact,
        "average": average,
        "pairs": len(field),
        "totals": in_order,
        "name": name,
    }

    def explain(entry: int) -> Step | None:
        if entry not in field:
            return None
        took = totals[entry]
        return _from_average(took, average, {**common, "took": took})

    return explain


def _from_average(took: Fraction, average: Fraction, figures: dict[str, Figure]) -> Step:
    gap = took - average
    figures["gap"] = abs(gap)
    is_rounded = average != figures["exact"]
    sign = (gap > 0) - (gap < 0)
    parts = (
        Step(took, _("{took} tricks were taken."), figures),
        Step(-average, _(_FIELD[is_rounded]), figures),
    )
    return Step(gap, _(_GAP[is_rounded, sign]), figures, parts)


_FIELD = {
    False: gettext_noop("{exact} is the average of {pairs} {name}: {totals}."),
    True: gettext_noop(
        "{exact} is the average of {pairs} {name}, taken as {average}: {totals}."
    ),
}
# Whether the average is rounded, and whether the tricks are above it (1), below it or level.
_GAP = {
    (False, 1): gettext_noop(
        "The average is {average}; {took} tricks were taken, that is {gap} above."
    ),
    (False, 0): gettext_noop(
        "The average is {average}; {took} tricks were taken, that is level."
    ),
    (False, -1): gettext_noop(
        "The average is {average}; {took} tricks were taken, that is {gap} below."
    ),
    (True, 1): gettext_noop(
        "The average is {exact}, to the nearest whole trick {average}; {took} tricks were "
        "taken, that is {gap} above."
    ),
    (True, 0): gettext_noop(
        "The average is {exact}, to the nearest whole trick {average}; {took} tricks were "
        "taken, that is level."
    ),
    (True, -1): gettext_noop(
        "The average is {exact}, to the nearest whole trick {average}; {took} tricks were "
        "taken, that is {gap} below."
    ),
}


def is_level_field(lines: Sequence[Line], field: Collection[int]) -> bool:
    """Return whether exactly the entries of a field all sat the same way on the same deals."""
    plays: dict[int, Counter[tuple[int, Side]]] = {entry: Counter() for entry in field}
    on_side: set[tuple[int, Side]] = set()
    others: set[tuple[int, Side]] = set()
    for stand in stands(lines):
        place = (stand.deal, stand.side)
        for entry in stand.entries:
            if entry not in plays:
                others.add(place)
                continue
            if stand.tricks is None:
                return False
            plays[entry][place] += 1
            on_side.add(place)
    counts = list(plays.values())
    return not (on_side & others) and all(count == counts[0] for count in counts)


def explain_placing(
    placings: Sequence[Placing], entry: int, titles: Mapping[str, str] | None = None
) -> Step:
    """Explain an entry's rank: the number of better and equal entries, and the tie-break.

    `titles` has the names of the tie-breaks for readers.
    """
    mine = next(placing for placing in placings if placing.entry == entry)
    level = tuple(it.entry for it in placings if it.rank == mine.rank and it.entry != entry)
    figures: dict[str, Figure] = {
        "rank": mine.rank,
        "score": mine.score,
        "above": mine.rank - 1,
        "level": level,
        "break": (titles or {}).get(mine.broken_by, mine.broken_by),
    }
    if mine.rank == 1:
        sentences = [_("Rank {rank} with {score}: nobody is placed higher.")]
    else:
        sentences = [_("Rank {rank} with {score}: {above} placed higher.")]
    if level:
        sentences.append(_("Level with {level:entry}."))
    if mine.broken_by:
        sentences.append(_("Others with the same score were parted by: {break}."))
    return Step(Fraction(mine.rank), " ".join(sentences), figures)
