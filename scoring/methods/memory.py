"""Memory duplicate: the gain of each overplay over the original."""

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction

from django.utils.translation import gettext as _

from boards.whist.seats import Side
from scoring.methods import plus_minus
from scoring.methods.lines import Line, Stand, Tricks, by_deal, entries_of, side_name, stands
from scoring.methods.method import Explainer, Method
from scoring.methods.steps import Figure, Step
from server.translation import gettext_noop

NOTHING = Fraction()


def memory(lines: Sequence[Line]) -> dict[int, Fraction]:
    """Score each entry by the gains of its overplays over the originals.

    N-S and E-W name the cards, also after the tray is turned. The entries with the N-S cards in
    the overplay score the tricks they took above the original's N-S tricks. Their opponents
    score as much less, or the value set for them where the director split a score. A deal
    without an original or with an average gives nothing.

    Guarantee: all scores add to zero, except for split scores.

    Source: Foster, Complete Hoyle; The Standard Hoyle (1912), Duplicate Whist (rules Q1).
    """
    scores = dict.fromkeys(entries_of(lines), NOTHING)
    for line, gains in zip(lines, parts(lines), strict=True):
        for entries, gain in zip((line.ns, line.ew), gains, strict=True):
            for entry in entries:
                scores[entry] += gain
    return scores


def parts(lines: Sequence[Line]) -> list[tuple[Fraction, Fraction]]:
    """Return the gain of each overplay for N-S and for E-W; an original gains nothing."""
    originals = _originals(lines)
    return [_gain(line, originals.get(line.deal)) for line in lines]


def means_of_tricks() -> str:
    """Describe plus and minus in memory duplicate, where no average is compared with."""
    return _(
        "Plus and minus: the tricks that each overplay took more or fewer than the original "
        "play took with the same cards."
    )


def means_of_points() -> str:
    """Describe plus and minus in memory duplicate where points are counted."""
    return _(
        "Plus and minus: the points that each overplay won more or fewer than the original "
        "play won with the same cards."
    )


def explainer(lines: Sequence[Line]) -> Explainer:
    """Return a function that explains an entry's gain play by play."""
    words = _(
        "{deal:deal}, the {side} cards: took {took}, where the original play took {before}: "
        "{gain:signed}."
    )
    return _explainer(lines, words)


def explainer_in_points(lines: Sequence[Line]) -> Explainer:
    """Return a function that explains an entry's gain play by play, in points."""
    words = _(
        "{deal:deal}, the {side} cards: {took:signed} points, where the original play had "
        "{before:signed}: {gain:signed}."
    )
    return _explainer(lines, words)


def _explainer(lines: Sequence[Line], compared: str) -> Explainer:
    """Return a function that explains gains; `compared` describes both plays of a deal."""
    originals = _originals(lines)
    own: dict[int, list[Step]] = defaultdict(list)
    for line, gains in zip(lines, parts(lines), strict=True):
        for stand, gain in zip(stands([line]), gains, strict=True):
            told = _told(stand, line, originals.get(line.deal), gain, compared)
            for entry in stand.entries:
                own[entry].append(told)

    def explain(entry: int) -> Step:
        steps = own.get(entry, [])
        amount = sum((step.amount for step in steps), NOTHING)
        words = _("{score:signed} is what the overplays gained over the originals.")
        return Step(amount, words, {"score": amount}, tuple(steps))

    return explain


def _originals(lines: Sequence[Line]) -> dict[int, Line]:
    firsts: dict[int, Line] = {}
    for deal, on_deal in by_deal(lines).items():
        for line in on_deal:
            if not line.overplay and deal not in firsts:
                firsts[deal] = line
    return firsts


def _gain(line: Line, original: Line | None) -> tuple[Fraction, Fraction]:
    if not line.overplay or original is None:
        return NOTHING, NOTHING
    return _more(line.ns_tricks, original.ns_tricks), _more(line.ew_tricks, original.ew_tricks)


def _more(tricks: Tricks | None, before: Tricks | None) -> Fraction:
    return NOTHING if tricks is None or before is None else Fraction(tricks - before)


def _told(
    stand: Stand, line: Line, original: Line | None, gain: Fraction, compared: str
) -> Step:
    figures: dict[str, Figure] = {
        "deal": stand.deal,
        "side": side_name(stand.side),
        "gain": gain,
    }
    if not line.overplay:
        return Step(gain, _("{deal:deal}, the {side} cards: the original play."), figures)
    before = None if original is None else _tricks(original, stand.side)
    if stand.tricks is None or before is None:
        words = _("{deal:deal}, the {side} cards: there are no two scores to compare.")
        return Step(gain, words, figures)
    return Step(gain, compared, figures | {"took": stand.tricks, "before": before})


def _tricks(line: Line, side: Side) -> Tricks | None:
    return line.ns_tricks if side is Side.NS else line.ew_tricks


METHOD = Method(
    name="memory",
    code="plus_minus",
    title=gettext_noop("Gain of the overplays"),
    label=plus_minus.METHOD.label,
    explanation=plus_minus.METHOD.explanation,
    means=means_of_tricks,
    unit=gettext_noop("tricks gained"),
    heading=gettext_noop("Tricks gained"),
    short_heading=gettext_noop("+ or −"),
    caption=gettext_noop("Tricks gained in the overplay"),
    signed=True,
    source=gettext_noop("Foster, Complete Hoyle; The Standard Hoyle (1912), Duplicate Whist"),
    guarantee=gettext_noop("All scores add up to zero, but for split scores."),
    contests=("memory",),
    score=memory,
    explainer=explainer,
    parts=parts,
)
