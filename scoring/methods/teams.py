"""Teams: matches between every two teams that met, and the majority of tricks in each match."""

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from boards.whist.seats import Side
from scoring.methods import matches, tricks
from scoring.methods.lines import Line, Stand, by_deal, entries_of, stands
from scoring.methods.matches import Match, explained, won
from scoring.methods.method import Explainer, Method
from scoring.methods.steps import Figure, Step
from server.translation import gettext_noop

NOTHING = Fraction()


class Gain(NamedTuple):
    """The gain on one deal of the first of two teams that met on it, both ways."""

    first: int
    second: int
    key: int
    deal: int
    net: Fraction
    filled: tuple[Fraction, Fraction]
    """The tricks credited to each team for its odd pair, usually zero."""


def team_matches(lines: Sequence[Line]) -> dict[int, Fraction]:
    """Score each team one for every match won and a half for every level one.

    Every two teams that met played one match, on the deals that they played against each other.

    Guarantee: all scores add to the number of matches.

    Source: Foster, Complete Hoyle (Howell's and Gilman's team systems).
    """
    scores = dict.fromkeys(entries_of(lines), NOTHING)
    for match in played_matches(lines):
        scores[match.first] += won(match.net)
        scores[match.second] += won(-match.net)
    return scores


def team_tricks(lines: Sequence[Line]) -> dict[int, Fraction]:
    """Score each team by its tricks less half of all, over its matches.

    On a deal played both ways that is its N-S tricks plus its E-W tricks less thirteen. Where a
    team has an odd pair, each team adds, as though won by it, the average score of all the
    pairs seated opposite to its odd pair.

    Guarantee: one team's gain is the other's loss, so all scores add to zero.

    Source: American Whist League, code of 1894.
    """
    scores = dict.fromkeys(entries_of(lines), NOTHING)
    for gain in gains(lines):
        scores[gain.first] += gain.net
        scores[gain.second] -= gain.net
    return scores


def played_matches(lines: Sequence[Line]) -> list[Match]:
    """List the match of every two teams that met, the lower number first."""
    nets: dict[tuple[int, int, int], list[Fraction]] = defaultdict(list)
    for gain in gains(lines):
        nets[gain.first, gain.second, gain.key].append(gain.net)
    return [
        Match(first, second, key, len(found), sum(found, NOTHING))
        for (first, second, key), found in sorted(nets.items())
    ]


def gains(lines: Sequence[Line]) -> list[Gain]:
    """Return the gain of each deal between every two teams that met on it.

    A deal that counts as the average at one table cannot be compared and gives nothing.
    """
    met: dict[tuple[int, int, int], list[Line]] = defaultdict(list)
    for line in lines:
        if line.ns_tricks is not None and line.ns != line.ew:
            low, high = sorted((line.ns[0], line.ew[0]))
            met[low, high, line.match].append(line)
    return [
        _gain(first, second, key, deal, on_deal)
        for (first, second, key), between in sorted(met.items())
        for deal, on_deal in sorted(by_deal(between).items())
        if len({line.ns for line in on_deal}) == 2
    ]


def matches_explainer(lines: Sequence[Line]) -> Explainer:
    """Return a function that explains a team's score match by match."""
    found = played_matches(lines)
    return lambda entry: explained(found, entry)


def tricks_explainer(lines: Sequence[Line]) -> Explainer:
    """Return a function that explains a team's net tricks deal by deal."""
    found = gains(lines)

    def explain(entry: int) -> Step:
        steps = [_told(gain, entry) for gain in found if entry in (gain.first, gain.second)]
        amount = sum((step.amount for step in steps), NOTHING)
        words = ngettext(
            "{score:signed}: the tricks taken, less half of all, on {deals} deal.",
            "{score:signed}: the tricks taken, less half of all, on {deals} deals.",
            len(steps),
        )
        figures: dict[str, Figure] = {"score": amount, "deals": len(steps)}
        return Step(amount, words, figures, tuple(steps))

    return explain


def _gain(first: int, second: int, key: int, deal: int, on_deal: Sequence[Line]) -> Gain:
    """Compare two teams on one deal: half the difference of their sums over both tables."""
    totals = {first: NOTHING, second: NOTHING}
    seats: dict[tuple[int, Side], int] = defaultdict(int)
    for stand in stands(on_deal):
        team = stand.entries[0]
        totals[team] += stand.tricks or NOTHING
        seats[team, stand.side] += 1
    filled = {
        team: _fill(seats[team, Side.NS] - seats[team, Side.EW], on_deal) for team in totals
    }
    net = (totals[first] + filled[first] - totals[second] - filled[second]) / 2
    return Gain(first, second, key, deal, net, (filled[first], filled[second]))


def _fill(surplus: int, on_deal: Sequence[Line]) -> Fraction:
    """Return, for each odd pair, the average of all the pairs seated opposite to it."""
    opposite = Side.EW if surplus > 0 else Side.NS
    scores = [_tricks(stand) for stand in stands(on_deal) if stand.side is opposite]
    return abs(surplus) * sum(scores, NOTHING) / len(scores)


def _tricks(stand: Stand) -> Fraction:
    return Fraction(stand.tricks or 0)


def _told(gain: Gain, entry: int) -> Step:
    is_first = entry == gain.first
    net, other = (gain.net, gain.second) if is_first else (-gain.net, gain.first)
    ours, theirs = gain.filled if is_first else gain.filled[::-1]
    figures: dict[str, Figure] = {"deal": gain.deal, "other": other, "net": net}
    words = _("{deal:deal}, against {other:entry}, both ways: {net:signed}.")
    if ours or theirs:
        words = _(
            "{deal:deal}, against {other:entry}, both ways, with {ours} credited to us and "
            "{theirs} to them for the odd pairs: {net:signed}."
        )
        figures |= {"ours": ours, "theirs": theirs}
    return Step(net, words, figures)


MATCHES = Method(
    name="team_matches",
    code="matches",
    title=gettext_noop("Matches won"),
    label=matches.METHOD.label,
    explanation=matches.METHOD.explanation,
    unit=gettext_noop("matches"),
    heading=gettext_noop("Matches"),
    short_heading=gettext_noop("Matches"),
    caption=gettext_noop("Matches won"),
    signed=False,
    source=gettext_noop("Foster, Complete Hoyle (Howell's and Gilman's team systems)"),
    guarantee=gettext_noop("All scores add to the number of matches."),
    contests=("teams",),
    score=team_matches,
    explainer=matches_explainer,
)
TRICKS = Method(
    name="team_tricks",
    code="tricks",
    title=gettext_noop("Tricks above half of all"),
    label=tricks.METHOD.label,
    explanation=tricks.METHOD.explanation,
    unit=gettext_noop("tricks above half of all"),
    heading=gettext_noop("Tricks above half"),
    short_heading=gettext_noop("+ or −"),
    caption=gettext_noop("Tricks above half of all"),
    signed=True,
    source=gettext_noop("American Whist League, code of 1894"),
    guarantee=gettext_noop("One team's gain is the other's loss."),
    contests=("teams",),
    score=team_tricks,
    explainer=tricks_explainer,
)
