"""The plain total of tricks, and the numbers that every page shows beside a score."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.methods import comparing
from scoring.methods.comparing import SideComparison, Worth, Worths
from scoring.methods.lines import Line, Stand, side_name, stands
from scoring.methods.method import Explainer, Method
from scoring.methods.steps import Figure, Step, form
from server.translation import gettext_noop

NOTHING = Fraction()


def tricks(lines: Sequence[Line]) -> dict[int, Fraction]:
    """Score each entry by its tricks; an average counts as its side's average on that deal.

    Guarantee: every line whose sides share the thirteen tricks adds thirteen to the sum of
    scores.
    """
    return comparing.total(lines, worths(lines))


def worths(lines: Sequence[Line]) -> Worths:
    """Return the value of each number of tricks, which is the number itself."""
    return comparing.worths_by(_worth, lines)


def parts(lines: Sequence[Line]) -> list[tuple[Fraction, Fraction]]:
    """Return the tricks of each line for N-S and for E-W."""
    return comparing.parts(lines, worths(lines))


def explainer(lines: Sequence[Line]) -> Explainer:
    """Return a function that explains an entry's total as the tricks of each of its deals."""
    return comparing.explainer(lines, worths(lines), _told, _in_all)


def taken(lines: Sequence[Line]) -> dict[int, Fraction]:
    """Add up the tricks that each entry took on the deals it played; averages add nothing."""
    totals: dict[int, Fraction] = defaultdict(Fraction)
    for stand in stands(lines):
        for entry in stand.entries:
            totals[entry] += stand.tricks or NOTHING
    return dict(totals)


def field_average(totals: Mapping[int, Fraction], field: Collection[int]) -> Fraction | None:
    """Return a field's average: the sum of its totals over the number of its entries.

    An entry without a total counts zero; an empty field has no average.
    """
    if not field:
        return None
    return sum((totals.get(entry, NOTHING) for entry in field), NOTHING) / len(field)


def nearest_trick(average: Fraction) -> int:
    """Round an average to the nearest whole trick, a half upwards.

    Source: American Whist League, code of 1894.
    """
    return int((average * 2 + 1) // 2)


def _worth(on_side: SideComparison) -> Worth:
    table: Worth = {value: Fraction(value) for value in on_side.counts}
    table[None] = on_side.ruled or NOTHING
    return table


def _in_all(deals: int) -> str:
    return ngettext(
        "The total is {score} tricks on {deals} deal.",
        "The total is {score} tricks on {deals} deals.",
        deals,
    )


def _told(stand: Stand, on_side: SideComparison, worth: Fraction) -> Step:
    figures: dict[str, Figure] = {
        "deal": stand.deal,
        "side": side_name(stand.side),
        "took": worth,
    }
    if stand.tricks is None:
        words = _("{deal:deal}, {side}: the average of the other tables, {took}.")
    else:
        words = ngettext(
            "{deal:deal}, {side}: {took} trick.",
            "{deal:deal}, {side}: {took} tricks.",
            form(worth),
        )
    return Step(worth, words, figures)


METHOD = Method(
    name="tricks",
    code="tricks",
    title=gettext_noop("Total of tricks"),
    label=gettext_noop("total tricks"),
    explanation=gettext_noop("Total tricks: all tricks are added."),
    unit=gettext_noop("tricks"),
    heading=gettext_noop("Tricks won"),
    short_heading=gettext_noop("Score"),
    caption=gettext_noop("Tricks won"),
    signed=False,
    source=gettext_noop("The Standard Hoyle (1912), Duplicate Whist"),
    guarantee=gettext_noop("Every play of a deal adds thirteen tricks in all."),
    contests=("pairs", "individual", "memory"),
    score=tricks,
    explainer=explainer,
    parts=parts,
    is_total=True,
)
