"""Scoring by each total less the field's average, after The Standard Hoyle."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from boards.whist.seats import Side
from scoring.methods.lines import Line, entries_of, side_name, stands
from scoring.methods.method import Explainer, Method
from scoring.methods.steps import Figure, Step, form
from scoring.methods.tricks import field_average as average_of
from scoring.methods.tricks import tricks
from server.translation import gettext_noop

NOTHING = Fraction()
Field = tuple[Side | None, tuple[int, ...]]
"""Entries that are averaged together, and the side on which all of them sat, or None."""


def field_average(lines: Sequence[Line]) -> dict[int, Fraction]:
    """Score each entry its tricks less the average of its field's totals.

    A field is the entries that sat on one side, or all entries if any sat on both. Totals are
    compared, so an entry that played fewer deals has a lower score.

    Guarantee: over each field the plusses and minusses add to zero.

    Source: The Standard Hoyle (1912), Duplicate Bridge (rules L1-L3).
    """
    totals = tricks(lines)
    return {
        entry: totals[entry] - _average(totals, field)
        for field in fields_of(lines)
        for entry in field[1]
    }


def fields_of(lines: Sequence[Line]) -> list[Field]:
    """Split the entries by the side on which they sat; one field if any sat on both."""
    sides: dict[Side, set[int]] = {side: set() for side in Side}
    for stand in stands(lines):
        sides[stand.side].update(stand.entries)
    if sides[Side.NS] & sides[Side.EW]:
        return [(None, tuple(entries_of(lines)))]
    return [(side, tuple(sorted(entries))) for side, entries in sides.items() if entries]


def explainer(lines: Sequence[Line]) -> Explainer:
    """Return a function that explains a score as the total less the average of the totals."""
    totals = tricks(lines)
    fields = {entry: field for field in fields_of(lines) for entry in field[1]}

    def explain(entry: int) -> Step:
        if entry not in fields:
            return Step(NOTHING, _("No board was played."))
        return _told(totals, entry, fields[entry])

    return explain


def _told(totals: Mapping[int, Fraction], entry: int, field: Field) -> Step:
    side, among = field
    average, took = _average(totals, field), totals[entry]
    figures: dict[str, Figure] = {
        "took": took,
        "average": average,
        "count": len(among),
        "totals": tuple(sorted((totals[it] for it in among), reverse=True)),
        "score": took - average,
    }
    words = _("{average} is the average of all {count}: {totals}.")
    if side is not None:
        words = _("{average} is the average of the {count} that sat {side}: {totals}.")
        figures["side"] = side_name(side)
    parts = (
        Step(
            took,
            ngettext("{took} trick was taken.", "{took} tricks were taken.", form(took)),
            figures,
        ),
        Step(-average, words, figures),
    )
    whole = _("{took} less the field's average of {average} is {score:signed}.")
    return Step(took - average, whole, figures, parts)


def _average(totals: Mapping[int, Fraction], field: Field) -> Fraction:
    return average_of(totals, field[1]) or NOTHING


METHOD = Method(
    name="field_average",
    code="field_average",
    title=gettext_noop("Total less the field's average"),
    label=gettext_noop("total less the field's average, as The Standard Hoyle"),
    explanation=gettext_noop(
        "Total less the field's average: a pair's tricks above or below the average of all "
        "that sat on its side, as The Standard Hoyle reckons it."
    ),
    unit=gettext_noop("tricks above the field's average"),
    heading=gettext_noop("Plus/minus"),
    short_heading=gettext_noop("+ or −"),
    caption=gettext_noop("Tricks above or below the field's average"),
    signed=True,
    source=gettext_noop("The Standard Hoyle (1912), Duplicate Bridge"),
    guarantee=gettext_noop("The scores of each field add up to zero."),
    contests=("pairs",),
    score=field_average,
    explainer=explainer,
)
