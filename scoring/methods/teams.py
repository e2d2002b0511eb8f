"""Team scoring: matches between every two teams that met, won by the majority of tricks."""

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from boards.whist.seats import Side
from scoring.methods import matches, tricks
from scoring.methods.matches import Match, compute_match_value, explain_matches
from scoring.methods.method import Explainer, Method
from scoring.methods.result_line import (
    LineSide,
    ResultLine,
    group_lines_by_deal,
    iter_line_sides,
    list_entries,
)
from scoring.methods.steps import Figure, Step
from server.translation import gettext_noop

ZERO = Fraction()


class TeamGain(NamedTuple):
    """The first team's gain on a deal that two teams played both ways against each other."""

    first: int
    second: int
    key: int
    deal: int
    net_tricks: Fraction
    odd_pair_credits: tuple[Fraction, Fraction]
    """The tricks credited to each team for its odd pair, usually zero."""


def score_team_matches(lines: Sequence[ResultLine]) -> dict[int, Fraction]:
    """Score each team 1 for every match won and a half for every level match.

    Every two teams that met played one match, on the deals that they played against each
    other.

    Guarantee: all scores add up to the number of matches.

    Source: Foster, Complete Hoyle (Howell's and Gilman's team systems).
    """
    scores = dict.fromkeys(list_entries(lines), ZERO)
    for match in list_team_matches(lines):
        scores[match.first] += compute_match_value(match.net_tricks)
        scores[match.second] += compute_match_value(-match.net_tricks)
    return scores


def score_team_tricks(lines: Sequence[ResultLine]) -> dict[int, Fraction]:
    """Score each team by its tricks less half of all tricks, over its matches.

    On a deal played both ways that is its N-S tricks plus its E-W tricks less thirteen. If a
    team has an odd pair, it is credited with the average score of all pairs seated opposite to
    its odd pair.

    Guarantee: one team's gain is the other's loss, so all scores add up to zero.

    Source: American Whist League, code of 1894.
    """
    scores = dict.fromkeys(list_entries(lines), ZERO)
    for gain in list_gains(lines):
        scores[gain.first] += gain.net_tricks
        scores[gain.second] -= gain.net_tricks
    return scores


def list_team_matches(lines: Sequence[ResultLine]) -> list[Match]:
    """List the match of every two teams that met, the lower number first."""
    nets: dict[tuple[int, int, int], list[Fraction]] = defaultdict(list)
    for gain in list_gains(lines):
        nets[gain.first, gain.second, gain.key].append(gain.net_tricks)
    return [
        Match(first, second, key, len(net_tricks), sum(net_tricks, ZERO))
        for (first, second, key), net_tricks in sorted(nets.items())
    ]


def list_gains(lines: Sequence[ResultLine]) -> list[TeamGain]:
    """Return the gain of each deal between every two teams that met on it.

    A deal that counts as the average at one table cannot be compared and gives nothing.
    """
    lines_by_match: dict[tuple[int, int, int], list[ResultLine]] = defaultdict(list)
    for line in lines:
        if line.ns_tricks is not None and line.ns != line.ew:
            low, high = sorted((line.ns[0], line.ew[0]))
            lines_by_match[low, high, line.match].append(line)
    return [
        _compute_gain(first, second, key, deal, deal_lines)
        for (first, second, key), between in sorted(lines_by_match.items())
        for deal, deal_lines in sorted(group_lines_by_deal(between).items())
        if len({line.ns for line in deal_lines}) == 2
    ]


def build_matches_explainer(lines: Sequence[ResultLine]) -> Explainer:
    """Return a function that explains a team's score match by match."""
    team_matches = list_team_matches(lines)
    return lambda entry: explain_matches(team_matches, entry)


def build_tricks_explainer(lines: Sequence[ResultLine]) -> Explainer:
    """Return a function that explains a team's net tricks deal by deal."""
    gains = list_gains(lines)

    def explain(entry: int) -> Step:
        steps = [
            _explain_gain(gain, entry) for gain in gains if entry in (gain.first, gain.second)
        ]
        amount = sum((step.amount for step in steps), ZERO)
        sentence = ngettext(
            "{score:signed}: tricks taken minus half of all, on {deals} deal.",
            "{score:signed}: tricks taken minus half of all, on {deals} deals.",
            len(steps),
        )
        figures: dict[str, Figure] = {"score": amount, "deals": len(steps)}
        return Step(amount, sentence, figures, tuple(steps))

    return explain


def _compute_gain(
    first: int, second: int, key: int, deal: int, on_deal: Sequence[ResultLine]
) -> TeamGain:
    """Compare two teams on one deal: half the difference of their sums over both tables."""
    totals = {first: ZERO, second: ZERO}
    seats: dict[tuple[int, Side], int] = defaultdict(int)
    for line_side in iter_line_sides(on_deal):
        team = line_side.entries[0]
        totals[team] += line_side.tricks or ZERO
        seats[team, line_side.side] += 1
    filled_pairs = {
        team: _compute_odd_pair_credit(seats[team, Side.NS] - seats[team, Side.EW], on_deal)
        for team in totals
    }
    net = (totals[first] + filled_pairs[first] - totals[second] - filled_pairs[second]) / 2
    return TeamGain(first, second, key, deal, net, (filled_pairs[first], filled_pairs[second]))


def _compute_odd_pair_credit(surplus_pairs: int, on_deal: Sequence[ResultLine]) -> Fraction:
    """Return, for each odd pair, the average of all the pairs seated opposite to it."""
    opposite = Side.EW if surplus_pairs > 0 else Side.NS
    scores = [
        _choose_tricks(line_side)
        for line_side in iter_line_sides(on_deal)
        if line_side.side is opposite
    ]
    return abs(surplus_pairs) * sum(scores, ZERO) / len(scores)


def _choose_tricks(line_side: LineSide) -> Fraction:
    return Fraction(line_side.tricks or 0)


def _explain_gain(gain: TeamGain, entry: int) -> Step:
    is_first = entry == gain.first
    net, other = (gain.net_tricks, gain.second) if is_first else (-gain.net_tricks, gain.first)
    own_credit, opponents_credit = (
        gain.odd_pair_credits if is_first else gain.odd_pair_credits[::-1]
    )
    figures: dict[str, Figure] = {"deal": gain.deal, "other": other, "net": net}
    sentence = _("{deal:deal}, against {other:entry}, both ways: {net:signed}.")
    if own_credit or opponents_credit:
        sentence = _(
            "{deal:deal}, against {other:entry}, both ways, with {ours} credited to us and "
            "{theirs} to them for the odd pairs: {net:signed}."
        )
        figures |= {"ours": own_credit, "theirs": opponents_credit}
    return Step(net, sentence, figures)


TEAM_MATCHES_METHOD = Method(
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
    guarantee=gettext_noop("All scores add up to the number of matches."),
    contests=("teams",),
    score=score_team_matches,
    explainer=build_matches_explainer,
)
TEAM_TRICKS_METHOD = Method(
    name="team_tricks",
    code="tricks",
    title=gettext_noop("Tricks above half of all"),
    label=tricks.METHOD.label,
    explanation=tricks.METHOD.explanation,
    unit=gettext_noop("tricks above half of all"),
    heading=gettext_noop("Tricks above half"),
    short_heading=gettext_noop("+/−"),
    caption=gettext_noop("Tricks above half of all"),
    signed=True,
    source=gettext_noop("American Whist League, code of 1894"),
    guarantee=gettext_noop("One team's gain is the other's loss."),
    contests=("teams",),
    score=score_team_tricks,
    explainer=build_tricks_explainer,
)
