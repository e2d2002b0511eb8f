"""Matchpoints: two for every score beaten and one for every tie, on each deal and side."""

from collections.abc import Callable, Sequence
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.methods import comparing
from scoring.methods.comparing import OnDeals, SideComparison, Worth, Worths
from scoring.methods.lines import Line, Stand, boards_had, side_name
from scoring.methods.method import Explainer, Method
from scoring.methods.steps import Figure, Step
from server.translation import gettext_noop

Beaten = Callable[[int | None], str]
"""Returns the sentence about the scores that a score beat and tied."""


def matchpoints(lines: Sequence[Line]) -> dict[int, Fraction]:
    """Score each entry two for every score it beat on a deal and side, one for every tie.

    Guarantee: each deal and side gives half its top for every line on it, on the average. A
    deal played fewer times than the rest is factored to the same top (Neuberg): the points
    times f, plus f - 1, where f is the normal number of plays over the actual one. A line that
    counts as the average scores half the top.

    Source: the comparison of duplicate bridge, which grew out of duplicate whist.
    """
    return comparing.total(lines, worths(lines))


def worths(lines: Sequence[Line]) -> Worths:
    """Return the matchpoints of each number of tricks on each deal and side."""
    return _worths(comparing.compared(lines))


def parts(lines: Sequence[Line]) -> list[tuple[Fraction, Fraction]]:
    """Return the matchpoints of each line for N-S and for E-W."""
    return comparing.parts(lines, worths(lines))


def explainer(lines: Sequence[Line]) -> Explainer:
    """Return a function that explains an entry's matchpoints deal by deal.

    Each sentence has the numbers of scores beaten and tied, and the factor if there is one.
    """
    return _explainer(lines, _beaten)


def explainer_in_points(lines: Sequence[Line]) -> Explainer:
    """Return the same function for events that count points won less points lost."""
    return _explainer(lines, _beaten_in_points)


def _explainer(lines: Sequence[Line], beaten: Beaten) -> Explainer:
    most = top(lines)

    def told(stand: Stand, on_side: SideComparison, worth: Fraction) -> Step:
        return _told(stand, on_side, worth, most, beaten)

    return comparing.explainer(lines, worths(lines), told, _in_all)


def top(lines: Sequence[Line]) -> int:
    """Return the maximum of one deal: two for each of the other plays."""
    return _top(comparing.compared(lines))


def percentages(lines: Sequence[Line]) -> dict[int, Fraction]:
    """Return each entry's share of its available matchpoints, between 0 and 1.

    This compares entries fairly that played different numbers of deals. Without available
    matchpoints the share is a half.
    """
    on_deals = comparing.compared(lines)
    won, unit = comparing.tally(lines, _worths(on_deals))
    most = unit * _top(on_deals)
    return {
        entry: Fraction(won[entry], most * times) if most else Fraction(1, 2)
        for entry, times in boards_had(lines).items()
    }


def available(lines: Sequence[Line]) -> dict[int, Fraction]:
    """Return the available matchpoints of each entry: the sum of the tops of its deals."""
    most = top(lines)
    return {entry: Fraction(most * times) for entry, times in boards_had(lines).items()}


def _worths(on_deals: OnDeals) -> Worths:
    plays = _normal(on_deals)
    return {deal: (_worth(ns, plays), _worth(ew, plays)) for deal, (ns, ew) in on_deals.items()}


def _top(on_deals: OnDeals) -> int:
    return max(2 * (_normal(on_deals) - 1), 0)


def _normal(on_deals: OnDeals) -> int:
    return max((ns.plays + ns.averages for ns, _ in on_deals.values()), default=0)


def _worth(on_side: SideComparison, normal: int) -> Worth:
    """Return one side's table: two for each lower score, one for each other equal score."""
    half = Fraction(normal - 1)
    table: Worth = {None: half}
    factor = Fraction(normal, on_side.plays) if on_side.counts else half
    below = 0
    for value, times in sorted(on_side.counts.items()):
        table[value] = (2 * below + times - 1) * factor + factor - 1
        below += times
    return table


def _in_all(deals: int) -> str:
    return ngettext(
        "{score} matchpoints on {deals} deal.", "{score} matchpoints on {deals} deals.", deals
    )


def _told(
    stand: Stand, on_side: SideComparison, worth: Fraction, most: int, spoken: Beaten
) -> Step:
    figures: dict[str, Figure] = {
        "deal": stand.deal,
        "side": side_name(stand.side),
        "worth": worth,
        "top": most,
    }
    if stand.tricks is None:
        words = _("{deal:deal}, {side}: counts as the average, half of {top}: {worth}.")
        return Step(worth, words, figures)
    beaten = sum(times for value, times in on_side.counts.items() if value < stand.tricks)
    tied = on_side.counts[stand.tricks] - 1
    figures |= {
        "took": stand.tricks,
        "beaten": beaten,
        "tied": tied,
        "others": on_side.plays - 1,
        "plays": on_side.plays,
        "normal": most // 2 + 1,
        "points": 2 * beaten + tied,
    }
    if on_side.plays == most // 2 + 1:
        return Step(worth, spoken(None), figures)
    figures["factor"] = Fraction(most // 2 + 1, on_side.plays)
    return Step(worth, spoken(on_side.plays), figures)


def _beaten(plays: int | None) -> str:
    """Return the sentence for one line; `plays` is given for a deal that was factored."""
    if plays is None:
        return _(
            "{deal:deal}, {side}: took {took}, which beat {beaten} of {others} and tied "
            "{tied}: {points} of {top}."
        )
    return ngettext(
        "{deal:deal}, {side}: took {took}, which beat {beaten} of {others} and tied {tied}: "
        "{points}; played {plays} time in place of {normal}, so {points} × {factor} + "
        "{factor} − 1 = {worth} of {top}.",
        "{deal:deal}, {side}: took {took}, which beat {beaten} of {others} and tied {tied}: "
        "{points}; played {plays} times in place of {normal}, so {points} × {factor} + "
        "{factor} − 1 = {worth} of {top}.",
        plays,
    )


def _beaten_in_points(plays: int | None) -> str:
    if plays is None:
        return _(
            "{deal:deal}, {side}: {took:signed} points beat {beaten} of {others} and tied "
            "{tied}: {points} of {top}."
        )
    return ngettext(
        "{deal:deal}, {side}: {took:signed} points beat {beaten} of {others} and tied {tied}: "
        "{points}; played {plays} time in place of {normal}, so {points} × {factor} + "
        "{factor} − 1 = {worth} of {top}.",
        "{deal:deal}, {side}: {took:signed} points beat {beaten} of {others} and tied {tied}: "
        "{points}; played {plays} times in place of {normal}, so {points} × {factor} + "
        "{factor} − 1 = {worth} of {top}.",
        plays,
    )


METHOD = Method(
    name="matchpoints",
    code="matchpoints",
    title=gettext_noop("Matchpoints"),
    label=gettext_noop("matchpoints"),
    explanation=gettext_noop(
        "Matchpoints: on each board two points for everybody you beat and one for "
        "everybody you equal."
    ),
    unit=gettext_noop("matchpoints"),
    heading=gettext_noop("Points"),
    short_heading=gettext_noop("Points"),
    caption=gettext_noop("Matchpoints"),
    signed=False,
    source=gettext_noop(
        "the comparison of duplicate bridge, which grew out of duplicate whist"
    ),
    guarantee=gettext_noop(
        "Each deal and side gives half its top for every line on it, on the average."
    ),
    contests=("pairs", "individual"),
    score=matchpoints,
    explainer=explainer,
    parts=parts,
    ranked_by=percentages,
    available=available,
)
