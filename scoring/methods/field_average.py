"""The method that scores an entry by its total minus its field's average (Standard Hoyle)."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from boards.whist.seats import Side
from scoring.methods.method import Explainer, Method
from scoring.methods.result_line import ResultLine, format_side, iter_result_sides, list_entries
from scoring.methods.steps import PlaceholderValue, Step, choose_plural_number
from scoring.methods.tricks import compute_field_average, score_tricks
from server.translation import gettext_noop

ZERO = Fraction()
SideGroup = tuple[Side | None, tuple[int, ...]]
"""The side on which a field's entries sat (None if on both sides), and the entries."""


def score_against_field_average(result_lines: Sequence[ResultLine]) -> dict[int, Fraction]:
    """Score each entry by its tricks less the average of its field's totals.

    A field is all entries that sat on one side, or all entries if any sat on both. Totals are
    compared, so an entry that played fewer deals has a lower score.

    Guarantee: over each field the plusses and minusses add up to zero.

    Source: The Standard Hoyle (1912), Duplicate Bridge (rules L1-L3).
    """
    totals_by_entry = score_tricks(result_lines)
    return {
        entry_number: totals_by_entry[entry_number]
        - _compute_average(totals_by_entry, ranking_group)
        for ranking_group in group_entries_by_side(result_lines)
        for entry_number in ranking_group[1]
    }


def group_entries_by_side(result_lines: Sequence[ResultLine]) -> list[SideGroup]:
    """Divide the entries into an N-S field and an E-W field, by the direction they sat in.

    If any entry sat in both directions, all entries form one field.
    """
    entries_by_side: dict[Side, set[int]] = {side: set() for side in Side}
    for result_side in iter_result_sides(result_lines):
        entries_by_side[result_side.side].update(result_side.entries)
    if entries_by_side[Side.NS] & entries_by_side[Side.EW]:
        return [(None, tuple(list_entries(result_lines)))]
    return [
        (side, tuple(sorted(entries))) for side, entries in entries_by_side.items() if entries
    ]


def build_explainer(result_lines: Sequence[ResultLine]) -> Explainer:
    """Return a function that explains a score as the total less the average of the totals."""
    totals_by_entry = score_tricks(result_lines)
    ranking_group_by_entry = {
        entry_number: ranking_group
        for ranking_group in group_entries_by_side(result_lines)
        for entry_number in ranking_group[1]
    }

    def explain_entry(entry_number: int) -> Step:
        if entry_number not in ranking_group_by_entry:
            return Step(ZERO, _("No boards played."))
        return _explain_entry(
            totals_by_entry, entry_number, ranking_group_by_entry[entry_number]
        )

    return explain_entry


def _explain_entry(
    totals_by_entry: Mapping[int, Fraction], entry_number: int, ranking_group: SideGroup
) -> Step:
    side, group_entries = ranking_group
    average, tricks_taken = (
        _compute_average(totals_by_entry, ranking_group),
        totals_by_entry[entry_number],
    )
    placeholder_values: dict[str, PlaceholderValue] = {
        "took": tricks_taken,
        "average": average,
        "count": len(group_entries),
        "totals": tuple(
            sorted(
                (totals_by_entry[group_entry_number] for group_entry_number in group_entries),
                reverse=True,
            )
        ),
        "score": tricks_taken - average,
    }
    average_sentence = _("{average} is the average of all {count}: {totals}.")
    if side is not None:
        average_sentence = _(
            "{average} is the average of the {count} that sat {side}: {totals}."
        )
        placeholder_values["side"] = format_side(side)
    partial_steps = (
        Step(
            tricks_taken,
            ngettext(
                "{took} trick taken.",
                "{took} tricks taken.",
                choose_plural_number(tricks_taken),
            ),
            placeholder_values,
        ),
        Step(-average, average_sentence, placeholder_values),
    )
    sentence = _("{took} minus the field average of {average} is {score:signed}.")
    return Step(tricks_taken - average, sentence, placeholder_values, partial_steps)


def _compute_average(
    totals_by_entry: Mapping[int, Fraction], ranking_group: SideGroup
) -> Fraction:
    return compute_field_average(totals_by_entry, ranking_group[1]) or ZERO


METHOD = Method(
    name="field_average",
    code="field_average",
    title=gettext_noop("Total minus field average"),
    label=gettext_noop("total minus field average (The Standard Hoyle)"),
    explanation=gettext_noop(
        "Total minus field average: tricks above or below the "
        "average of all pairs in the same direction (The Standard "
        "Hoyle)."
    ),
    unit=gettext_noop("tricks above the field average"),
    heading=gettext_noop("Plus/minus"),
    short_heading=gettext_noop("+/−"),
    caption=gettext_noop("Tricks above or below the field average"),
    is_signed=True,
    source=gettext_noop("The Standard Hoyle (1912), Duplicate Bridge"),
    guarantee=gettext_noop("The scores in each field add up to zero."),
    contests=("pairs",),
    score=score_against_field_average,
    build_explainer=build_explainer,
)
