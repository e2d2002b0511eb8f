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
    ResultLine,
    ResultSide,
    group_lines_by_deal,
    iter_result_sides,
    list_entries,
)
from scoring.methods.steps import PlaceholderValue, Step
from server.translation import gettext_noop

ZERO = Fraction()


class TeamGain(NamedTuple):
    """The first team's gain on a deal that two teams played both ways against each other."""

    first_team_number: int
    second_team_number: int
    match_number: int
    deal_number: int
    net_tricks: Fraction
    odd_pair_credits: tuple[Fraction, Fraction]
    """The tricks credited to each team for its odd pair, usually zero."""


def score_team_matches(result_lines: Sequence[ResultLine]) -> dict[int, Fraction]:
    """Score each team 1 for every match won and a half for every level match.

    Every two teams that met played one match, on the deals that they played against each
    other.

    Guarantee: all scores add up to the number of matches.

    Source: Foster, Complete Hoyle (Howell's and Gilman's team systems).
    """
    scores_by_entry = dict.fromkeys(list_entries(result_lines), ZERO)
    for match in list_team_matches(result_lines):
        scores_by_entry[match.first_entry_number] += compute_match_value(match.net_tricks)
        scores_by_entry[match.second_entry_number] += compute_match_value(-match.net_tricks)
    return scores_by_entry


def score_team_tricks(result_lines: Sequence[ResultLine]) -> dict[int, Fraction]:
    """Score each team by its tricks less half of all tricks, over its matches.

    On a deal played both ways, this is the team's N-S tricks plus its E-W tricks less thirteen.
    A team may have an odd pair: one pair more in one direction than in the other. It is then
    credited with the average score of all pairs seated in the other direction.

    Guarantee: one team's gain is the other's loss, so all scores add up to zero.

    Source: American Whist League, code of 1894.
    """
    scores_by_entry = dict.fromkeys(list_entries(result_lines), ZERO)
    for team_gain in list_team_gains(result_lines):
        scores_by_entry[team_gain.first_team_number] += team_gain.net_tricks
        scores_by_entry[team_gain.second_team_number] -= team_gain.net_tricks
    return scores_by_entry


def list_team_matches(result_lines: Sequence[ResultLine]) -> list[Match]:
    """List the match of every two teams that met, the lower number first."""
    net_tricks_by_match: dict[tuple[int, int, int], list[Fraction]] = defaultdict(list)
    for team_gain in list_team_gains(result_lines):
        net_tricks_by_match[
            team_gain.first_team_number, team_gain.second_team_number, team_gain.match_number
        ].append(team_gain.net_tricks)
    return [
        Match(
            first_team_number,
            second_team_number,
            match_number,
            len(deal_net_tricks),
            sum(deal_net_tricks, ZERO),
        )
        for (first_team_number, second_team_number, match_number), deal_net_tricks in sorted(
            net_tricks_by_match.items()
        )
    ]


def list_team_gains(result_lines: Sequence[ResultLine]) -> list[TeamGain]:
    """Return the gain of each deal between every two teams that met on it.

    A deal that counts as the average at one table cannot be compared, and is left out.
    """
    lines_by_match: dict[tuple[int, int, int], list[ResultLine]] = defaultdict(list)
    for result_line in result_lines:
        if (
            result_line.ns_tricks is not None
            and result_line.ns_entries != result_line.ew_entries
        ):
            lower_entry_number, higher_entry_number = sorted(
                (result_line.ns_entries[0], result_line.ew_entries[0])
            )
            lines_by_match[
                lower_entry_number, higher_entry_number, result_line.match_number
            ].append(result_line)
    return [
        _compute_gain(
            first_team_number, second_team_number, match_number, deal_number, deal_lines
        )
        for (first_team_number, second_team_number, match_number), match_lines in sorted(
            lines_by_match.items()
        )
        for deal_number, deal_lines in sorted(group_lines_by_deal(match_lines).items())
        if len({result_line.ns_entries for result_line in deal_lines}) == 2
    ]


def build_matches_explainer(result_lines: Sequence[ResultLine]) -> Explainer:
    """Return a function that explains a team's score match by match."""
    team_matches = list_team_matches(result_lines)
    return lambda entry_number: explain_matches(team_matches, entry_number)


def build_tricks_explainer(result_lines: Sequence[ResultLine]) -> Explainer:
    """Return a function that explains a team's net tricks deal by deal."""
    team_gains = list_team_gains(result_lines)

    def explain_entry(entry_number: int) -> Step:
        steps = [
            _explain_gain(team_gain, entry_number)
            for team_gain in team_gains
            if entry_number in (team_gain.first_team_number, team_gain.second_team_number)
        ]
        amount = sum((step.amount for step in steps), ZERO)
        sentence = ngettext(
            "{score:signed}: tricks taken minus half of all, on {deals} deal.",
            "{score:signed}: tricks taken minus half of all, on {deals} deals.",
            len(steps),
        )
        placeholder_values: dict[str, PlaceholderValue] = {"score": amount, "deals": len(steps)}
        return Step(amount, sentence, placeholder_values, tuple(steps))

    return explain_entry


def _compute_gain(
    first_team_number: int,
    second_team_number: int,
    match_number: int,
    deal_number: int,
    deal_lines: Sequence[ResultLine],
) -> TeamGain:
    """Compare two teams on one deal: half the difference of their sums over both tables."""
    tricks_by_team = {first_team_number: ZERO, second_team_number: ZERO}
    play_counts_by_team_and_side: dict[tuple[int, Side], int] = defaultdict(int)
    for result_side in iter_result_sides(deal_lines):
        team_number = result_side.entries[0]
        tricks_by_team[team_number] += result_side.tricks or ZERO
        play_counts_by_team_and_side[team_number, result_side.side] += 1
    odd_pair_credits_by_team = {
        team_number: _compute_odd_pair_credit(
            play_counts_by_team_and_side[team_number, Side.NS]
            - play_counts_by_team_and_side[team_number, Side.EW],
            deal_lines,
        )
        for team_number in tricks_by_team
    }
    net_tricks = (
        tricks_by_team[first_team_number]
        + odd_pair_credits_by_team[first_team_number]
        - tricks_by_team[second_team_number]
        - odd_pair_credits_by_team[second_team_number]
    ) / 2
    return TeamGain(
        first_team_number,
        second_team_number,
        match_number,
        deal_number,
        net_tricks,
        (
            odd_pair_credits_by_team[first_team_number],
            odd_pair_credits_by_team[second_team_number],
        ),
    )


def _compute_odd_pair_credit(
    surplus_pair_count: int, deal_lines: Sequence[ResultLine]
) -> Fraction:
    """Return the average of all pairs seated in the other direction, for each odd pair."""
    opposite_side = Side.EW if surplus_pair_count > 0 else Side.NS
    opposite_tricks = [
        _get_tricks(result_side)
        for result_side in iter_result_sides(deal_lines)
        if result_side.side is opposite_side
    ]
    return abs(surplus_pair_count) * sum(opposite_tricks, ZERO) / len(opposite_tricks)


def _get_tricks(result_side: ResultSide) -> Fraction:
    return Fraction(result_side.tricks or 0)


def _explain_gain(team_gain: TeamGain, entry_number: int) -> Step:
    is_first_team = entry_number == team_gain.first_team_number
    net_tricks, other_team_number = (
        (team_gain.net_tricks, team_gain.second_team_number)
        if is_first_team
        else (-team_gain.net_tricks, team_gain.first_team_number)
    )
    own_credit, opponents_credit = (
        team_gain.odd_pair_credits if is_first_team else team_gain.odd_pair_credits[::-1]
    )
    placeholder_values: dict[str, PlaceholderValue] = {
        "deal": team_gain.deal_number,
        "other": other_team_number,
        "net": net_tricks,
    }
    sentence = _("{deal:deal}, against {other:entry}, both ways: {net:signed}.")
    if own_credit or opponents_credit:
        sentence = _(
            "{deal:deal}, against {other:entry}, both ways, with {ours} credited to us and "
            "{theirs} to them for the odd pairs: {net:signed}."
        )
        placeholder_values |= {"ours": own_credit, "theirs": opponents_credit}
    return Step(net_tricks, sentence, placeholder_values)


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
    is_signed=False,
    source=gettext_noop("Foster, Complete Hoyle (Howell’s and Gilman’s team systems)"),
    guarantee=gettext_noop("All scores add up to the number of matches."),
    contests=("teams",),
    score=score_team_matches,
    build_explainer=build_matches_explainer,
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
    is_signed=True,
    source=gettext_noop("American Whist League, code of 1894"),
    guarantee=gettext_noop("One team’s gain is the other’s loss."),
    contests=("teams",),
    score=score_team_tricks,
    build_explainer=build_tricks_explainer,
)
