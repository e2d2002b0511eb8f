"""Methods for events that count points: the same arithmetic, on points won less points lost.

A pair adds up what it won and what it lost in all its plays; the difference is its total. Its
score is the total less the average of all pairs on its side. Board by board, points can also be
compared by plus and minus or by matchpoints. This module has no arithmetic: the methods for
tricks compare any numbers, and only their texts differ for points.

Source: The Standard Hoyle (1912), Duplicate Bridge (rules L1-L3).
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.methods import comparing, field_average, matchpoints, memory, plus_minus, tricks
from scoring.methods.comparing import SideComparison
from scoring.methods.field_average import Field, fields_of
from scoring.methods.lines import Line, Stand, side_name, stands_of
from scoring.methods.method import Explainer
from scoring.methods.steps import Figure, Step
from server.translation import gettext_noop

NOTHING = Fraction()
Opened = tuple[int, int, Fraction]
"""The points won and lost in plain results, and the points set by rulings."""


def won_and_lost(lines: Sequence[Line]) -> dict[int, Opened]:
    """Add up each entry's points won and lost, with the points set by rulings apart.

    Guarantee: points won less points lost, with those set by rulings, are the entry's total.
    """
    worths = tricks.worths(lines)
    found: dict[int, Opened] = {}
    for entry, own in stands_of(lines).items():
        won, lost, ruled = 0, 0, NOTHING
        for stand in own:
            if stand.won is None or stand.tricks is None:
                ruled += worths[stand.deal][stand.side == "EW"][stand.tricks]
            else:
                won += stand.won
                lost += stand.won - int(stand.tricks)
        found[entry] = won, lost, ruled
    return found


def total_steps(opened: Opened) -> tuple[Step, ...]:
    """Return the steps of a total: the points won and the points lost."""
    won, lost, ruled = opened
    steps = [
        Step(
            Fraction(won),
            ngettext("{won} point was won.", "{won} points were won.", won),
            {"won": won},
        ),
        Step(
            Fraction(-lost),
            ngettext("{lost} point was lost.", "{lost} points were lost.", lost),
            {"lost": lost},
        ),
    ]
    if ruled:
        steps.append(Step(ruled, _("Rulings count {ruled:signed}."), {"ruled": ruled}))
    return tuple(steps)


def _by_total(lines: Sequence[Line]) -> Explainer:
    """Return a function that explains an entry's total as the points of each of its deals."""
    return comparing.explainer(lines, tricks.worths(lines), _told_total, _total_in_all)


def _told_total(stand: Stand, on_side: SideComparison, worth: Fraction) -> Step:
    figures: dict[str, Figure] = {
        "deal": stand.deal,
        "side": side_name(stand.side),
        "took": worth,
    }
    if stand.tricks is None:
        words = _("{deal:deal}, {side}: the average of the other tables, {took:signed}.")
    elif stand.won is None:
        words = _("{deal:deal}, {side}: {took:signed} by ruling.")
    else:
        figures |= {"won": stand.won, "lost": stand.won - int(stand.tricks)}
        words = _("{deal:deal}, {side}: {won} won and {lost} lost, {took:signed}.")
    return Step(worth, words, figures)


def _total_in_all(deals: int) -> str:
    return ngettext(
        "The total is {score:signed} points on {deals} deal.",
        "The total is {score:signed} points on {deals} deals.",
        deals,
    )


def _against_field(lines: Sequence[Line]) -> Explainer:
    """Return a function that explains a score as points won and lost less the average."""
    totals, opened = tricks.tricks(lines), won_and_lost(lines)
    fields = {entry: field for field in fields_of(lines) for entry in field[1]}

    def explain(entry: int) -> Step:
        if entry not in fields:
            return Step(NOTHING, _("No board was played."))
        return _told_field(totals, opened[entry], entry, fields[entry])

    return explain


def _told_field(
    totals: Mapping[int, Fraction], opened: Opened, entry: int, field: Field
) -> Step:
    side, among = field
    average, took = tricks.field_average(totals, among) or NOTHING, totals[entry]
    figures: dict[str, Figure] = {
        "took": took,
        "average": average,
        "count": len(among),
        "totals": _in_order(totals, among),
        "score": took - average,
    }
    words = _("{average:signed} is the average of all {count}: {totals:signed}.")
    if side is not None:
        words = _(
            "{average:signed} is the average of the {count} that sat {side}: {totals:signed}."
        )
        figures["side"] = side_name(side)
    total = Step(took, _("The total is {took:signed} points."), figures, total_steps(opened))
    parts = (total, Step(-average, words, figures))
    whole = _(
        "{took:signed} points less the field's average of {average:signed} are {score:signed}."
    )
    return Step(took - average, whole, figures, parts)


def _in_order(totals: Mapping[int, Fraction], among: Collection[int]) -> tuple[Fraction, ...]:
    return tuple(sorted((totals[it] for it in among), reverse=True))


def _by_board(lines: Sequence[Line]) -> Explainer:
    """Return a function that explains a plus or minus as those of each deal."""
    worths = plus_minus.worths(lines)
    return comparing.explainer(lines, worths, _told_board, plus_minus.in_all)


def _told_board(stand: Stand, on_side: SideComparison, worth: Fraction) -> Step:
    figures: dict[str, Figure] = {
        "deal": stand.deal,
        "side": side_name(stand.side),
        "worth": worth,
    }
    if stand.tricks is None:
        if on_side.ruled is None:
            words = _("{deal:deal}, {side}: counts as the average and adds nothing.")
            return Step(worth, words, figures)
        figures |= {
            "average": on_side.ruled,
            "plays": len(on_side.right),
            "scores": on_side.right,
        }
        words = ngettext(
            "{deal:deal}, {side}: counts as the average, {average:signed} points of {plays} "
            "score ({scores:signed}), and adds nothing.",
            "{deal:deal}, {side}: counts as the average, {average:signed} points of {plays} "
            "scores ({scores:signed}), and adds nothing.",
            len(on_side.right),
        )
        return Step(worth, words, figures)
    figures |= {
        "took": stand.tricks,
        "plays": on_side.plays,
        "scores": on_side.scores,
        "average": stand.tricks - worth,
    }
    words = ngettext(
        "{deal:deal}, {side}: {took:signed} point, where the average of {plays} scores "
        "({scores:signed}) is {average:signed}: {worth:signed}.",
        "{deal:deal}, {side}: {took:signed} points, where the average of {plays} scores "
        "({scores:signed}) is {average:signed}: {worth:signed}.",
        1 if abs(stand.tricks) == 1 else 2,
    )
    return Step(worth, words, figures)


FIELD_AVERAGE = replace(
    field_average.METHOD,
    name="points_field_average",
    in_points=True,
    title=gettext_noop("Points less the field's average"),
    explanation=gettext_noop(
        "Total less the field's average: a pair's points won less those lost, above or below "
        "the average of all that sat on its side, as The Standard Hoyle reckons it."
    ),
    unit=gettext_noop("points above the field's average"),
    caption=gettext_noop("Points above or below the field's average"),
    source=gettext_noop("The Standard Hoyle (1912), Duplicate Bridge"),
    explainer=_against_field,
)

PLUS_MINUS = replace(
    plus_minus.METHOD,
    name="points_plus_minus",
    in_points=True,
    contests=("pairs", "individual"),
    title=gettext_noop("Plus and minus in points"),
    explanation=gettext_noop(
        "Plus and minus: the points won less those lost, above or below the average of each "
        "board."
    ),
    unit=gettext_noop("points above the average"),
    caption=gettext_noop("Points above or below the average"),
    explainer=_by_board,
)

MATCHPOINTS = replace(
    matchpoints.METHOD,
    name="points_matchpoints",
    in_points=True,
    title=gettext_noop("Matchpoints, of points"),
    explainer=matchpoints.explainer_in_points,
)

TOTAL = replace(
    tricks.METHOD,
    name="points",
    code="points",
    in_points=True,
    contests=("pairs", "individual", "memory"),
    title=gettext_noop("Total of points"),
    label=gettext_noop("total points"),
    explanation=gettext_noop("Total points: the points won less those lost are added."),
    unit=gettext_noop("points"),
    heading=gettext_noop("Points"),
    short_heading=gettext_noop("Points"),
    caption=gettext_noop("Points won less those lost"),
    signed=True,
    source=gettext_noop("The Standard Hoyle (1912), Duplicate Bridge"),
    guarantee=gettext_noop("Every play of a deal adds nothing in all."),
    explainer=_by_total,
)

GAIN = replace(
    memory.METHOD,
    name="points_memory",
    in_points=True,
    explanation=PLUS_MINUS.explanation,
    means=memory.means_of_points,
    unit=gettext_noop("points gained"),
    heading=gettext_noop("Points gained"),
    caption=gettext_noop("Points gained in the overplay"),
    explainer=memory.explainer_in_points,
)

METHODS_IN_POINTS = (FIELD_AVERAGE, PLUS_MINUS, MATCHPOINTS, TOTAL, GAIN)
