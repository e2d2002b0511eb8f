"""Plus and minus: the tricks above or below the average, deal by deal and side by side."""

from collections.abc import Sequence
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.methods import comparing
from scoring.methods.comparing import SideComparison, Worth, Worths
from scoring.methods.lines import Line, Stand, side_name
from scoring.methods.method import Explainer, Method
from scoring.methods.steps import Figure, Step, form
from server.translation import gettext_noop


def plus_minus(lines: Sequence[Line]) -> dict[int, Fraction]:
    """Score each entry by the tricks it has above or below its side's average on each deal.

    Guarantee: over all entries the plusses and minusses add to zero. Where all of a field
    played the same deals equally often, it is each total less the field's average of totals. A
    line that counts as the average adds nothing and does not move the average.

    Source: Foster, Complete Hoyle; The Standard Hoyle (1912), Duplicate Bridge (rules L1-L5).
    """
    return comparing.total(lines, worths(lines))


def worths(lines: Sequence[Line]) -> Worths:
    """Return each number of tricks less the average of its deal and side."""
    return comparing.worths_by(_worth, lines)


def parts(lines: Sequence[Line]) -> list[tuple[Fraction, Fraction]]:
    """Return the plus or minus of each line for N-S and for E-W."""
    return comparing.parts(lines, worths(lines))


def explainer(lines: Sequence[Line]) -> Explainer:
    """Return a function that explains an entry's plus or minus deal by deal."""
    return comparing.explainer(lines, worths(lines), _told, in_all)


def side_averages(lines: Sequence[Line]) -> dict[int, tuple[Fraction | None, Fraction | None]]:
    """Return each deal's average N-S and E-W tricks; None where no line counts tricks."""
    return {
        deal: (ns.average, ew.average) for deal, (ns, ew) in comparing.compared(lines).items()
    }


def _worth(on_side: SideComparison) -> Worth:
    table: Worth = {None: Fraction()}
    average = on_side.average
    if average is not None:
        table |= {value: value - average for value in on_side.counts}
    return table


def in_all(deals: int) -> str:
    """Return the sentence for a sum of plusses and minusses of a number of deals."""
    return ngettext(
        "{score:signed} is the sum of what {deals} deal brought above or below the average.",
        "{score:signed} is the sum of what {deals} deals brought above or below the average.",
        deals,
    )


def _told(stand: Stand, on_side: SideComparison, worth: Fraction) -> Step:
    if stand.tricks is None:
        words = _("{deal:deal}, {side}: counts as the average and adds nothing.")
        figures: dict[str, Figure] = {"deal": stand.deal, "side": side_name(stand.side)}
        if on_side.ruled is None:
            return Step(worth, words, figures)
        words = ngettext(
            "{deal:deal}, {side}: counts as the average, {average} tricks of {plays} score "
            "({scores}), and adds nothing.",
            "{deal:deal}, {side}: counts as the average, {average} tricks of {plays} scores "
            "({scores}), and adds nothing.",
            len(on_side.right),
        )
        figures |= {
            "average": on_side.ruled,
            "plays": len(on_side.right),
            "scores": on_side.right,
        }
        return Step(worth, words, figures)
    words = ngettext(
        "{deal:deal}, {side}: {took} trick, where the average of {plays} scores ({scores}) "
        "is {average}: {worth:signed}.",
        "{deal:deal}, {side}: {took} tricks, where the average of {plays} scores ({scores}) "
        "is {average}: {worth:signed}.",
        form(stand.tricks),
    )
    return Step(
        worth,
        words,
        {
            "deal": stand.deal,
            "side": side_name(stand.side),
            "took": stand.tricks,
            "plays": on_side.plays,
            "scores": on_side.scores,
            "average": stand.tricks - worth,
            "worth": worth,
        },
    )


METHOD = Method(
    name="plus_minus",
    code="plus_minus",
    title=gettext_noop("Plus and minus"),
    label=gettext_noop("plus and minus"),
    explanation=gettext_noop(
        "Plus and minus: the tricks above or below the average of each board."
    ),
    unit=gettext_noop("tricks above the average"),
    heading=gettext_noop("Plus/minus"),
    short_heading=gettext_noop("+ or −"),
    caption=gettext_noop("Tricks above or below the average"),
    signed=True,
    source=gettext_noop("Foster, Complete Hoyle; The Standard Hoyle (1912), Duplicate Bridge"),
    guarantee=gettext_noop("The scores of all entries add up to zero."),
    contests=("pairs", "teams", "individual"),
    score=plus_minus,
    explainer=explainer,
    parts=parts,
)
