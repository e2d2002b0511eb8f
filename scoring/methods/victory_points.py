"""Victory points: the value of each match's margin, from 10-10 up to 20-0."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.methods import plus_minus, teams
from scoring.methods.method import Explainer, Method
from scoring.methods.result_line import ResultLine, is_drawn_match, list_entries
from scoring.methods.steps import Figure, Step
from server.translation import gettext_noop
from tournaments.swiss.totals import score_unfinished
from tournaments.swiss.victory_points import PAIRS, TEAMS, VictoryPointScale

NOTHING, HALF = Fraction(), Fraction(1, 2)
LEVEL_MATCH_POINTS = Fraction(10)
"""The value of a level match, and of a round that an entry sits out."""


class MatchMargin(NamedTuple):
    """One match: the first entry's margin in tricks, and the number of boards played."""

    first: int
    second: int
    key: int
    margin: Fraction
    boards: int


def list_pair_matches(lines: Sequence[ResultLine]) -> list[MatchMargin]:
    """Return the matches of opposing pairs, with the plus or minus against the field on each
    board.

    If a ruling set a split score, half the difference counts.
    """
    margins: dict[tuple[int, int, int], list[Fraction]] = defaultdict(list)
    for line, (ns, ew) in zip(lines, plus_minus.list_line_values(lines), strict=True):
        one_entry, other, margin = line.ns[0], line.ew[0], (ns - ew) * HALF
        if one_entry > other:
            one_entry, other, margin = other, one_entry, -margin
        margins[one_entry, other, line.match].append(margin)
    return [
        MatchMargin(one_entry, other, key, sum(each, NOTHING), len(each))
        for (one_entry, other, key), each in sorted(margins.items())
    ]


def list_team_matches(lines: Sequence[ResultLine]) -> list[MatchMargin]:
    """Return the matches of teams, with net tricks on the boards that were played both ways."""
    boards: dict[tuple[int, int, int], list[Fraction]] = defaultdict(list)
    for gain in teams.list_gains(lines):
        boards[gain.first, gain.second, gain.key].append(gain.net_tricks)
    return [
        MatchMargin(one_entry, other, key, sum(board_margins, NOTHING), len(board_margins))
        for (one_entry, other, key), board_margins in sorted(boards.items())
    ]


def list_begun_matches(lines: Sequence[ResultLine]) -> list[MatchMargin]:
    """Return the matches of teams, including those without a board played at both tables."""
    matches_by_key = {
        match_margin[:3]: match_margin for match_margin in list_team_matches(lines)
    }
    for line in lines:
        if line.ns != line.ew:
            one_entry, other = sorted((line.ns[0], line.ew[0]))
            matches_by_key.setdefault(
                (one_entry, other, line.match),
                MatchMargin(one_entry, other, line.match, NOTHING, 0),
            )
    return [matches_by_key[key] for key in sorted(matches_by_key)]


def score_pair_victory_points(lines: Sequence[ResultLine]) -> dict[int, Fraction]:
    """Score each pair by the victory points of its matches.

    Guarantee: the two pairs of a match share twenty points.

    Source: modelled on the World Bridge Federation's continuous scale of 2013.
    """
    return _add_up_points(lines, list_pair_matches(lines), PAIRS)


def score_team_victory_points(lines: Sequence[ResultLine]) -> dict[int, Fraction]:
    """Score each team by the victory points of its matches, as `score_pair_victory_points`
    does.
    """
    return _add_up_points(lines, list_begun_matches(lines), TEAMS)


class MatchPoints(NamedTuple):
    """The value of a match for each side, and the part that it is of each side's round."""

    first: Fraction
    second: Fraction
    is_average: bool  # less than half of it was played
    matches_in_round: tuple[int, int] = (1, 1)
    """The number of matches that each side plays in its round: two in a three-way match."""


def compute_match_points(
    margins: Sequence[MatchMargin], a_board: Fraction
) -> list[MatchPoints]:
    """Return the values of matches; 10 each if less than half of the round's boards are
    played.

    A half of a three-way match is scored as a match of half the boards, and counts half.
    """
    match_counts = count_matches_in_round(
        (match.key, match.first, match.second) for match in margins
    )
    most_boards = max(
        (
            match.boards
            for match in margins
            if _find_match_counts(match_counts, match) == (1, 1)
        ),
        default=0,
    )
    halves = max(
        (
            match.boards
            for match in margins
            if _find_match_counts(match_counts, match) != (1, 1)
        ),
        default=0,
    )
    return [
        _compute_points(
            match, _find_match_counts(match_counts, match), most_boards, halves, a_board
        )
        for match in margins
    ]


def count_matches_in_round(met: Iterable[tuple[int, int, int]]) -> dict[tuple[int, int], int]:
    """Count the matches of each entry in a drawn round: two in a three-way match.

    `met` are the keys of matches with their two entries. If a half of a three-way match has no
    results, it is recognised by the third entry, which plays both others.
    """
    drawn_matches = [match for match in met if is_drawn_match(match[0])]
    meeting_counts = Counter(
        (key, one_entry) for key, *entry_pair in drawn_matches for one_entry in entry_pair
    )
    counts_by_entry: dict[tuple[int, int], int] = {}
    for key, *entry_pair in drawn_matches:
        max_meetings = max(meeting_counts[key, one_entry] for one_entry in entry_pair)
        for one_entry in entry_pair:
            counts_by_entry[key, one_entry] = max(
                max_meetings, counts_by_entry.get((key, one_entry), 1)
            )
    return counts_by_entry


def _find_match_counts(
    match_counts: Mapping[tuple[int, int], int], match: MatchMargin
) -> tuple[int, int]:
    return match_counts.get((match.key, match.first), 1), match_counts.get(
        (match.key, match.second), 1
    )


def _compute_points(
    match: MatchMargin, part: tuple[int, int], most_boards: int, halves: int, a_board: Fraction
) -> MatchPoints:
    smallest_part = Fraction(most_boards, max(part))  # if every half is incomplete
    planned = Fraction(most_boards) if part == (1, 1) else max(Fraction(halves), smallest_part)
    is_scored = score_unfinished(match.margin, match.boards, planned) if match.boards else None
    if is_scored is None:
        return MatchPoints(
            LEVEL_MATCH_POINTS / part[0],
            LEVEL_MATCH_POINTS / part[1],
            is_average=True,
            matches_in_round=part,
        )
    first, second = (
        Fraction(points) for points in VictoryPointScale(is_scored[1], a_board).of(is_scored[0])
    )
    return MatchPoints(
        first / part[0], second / part[1], is_average=False, matches_in_round=part
    )


def _add_up_points(
    lines: Sequence[ResultLine], margins: Sequence[MatchMargin], a_board: Fraction
) -> dict[int, Fraction]:
    scores = dict.fromkeys(list_entries(lines), NOTHING)
    for match, match_points in zip(
        margins, compute_match_points(margins, a_board), strict=True
    ):
        scores[match.first] += match_points.first
        scores[match.second] += match_points.second
    return scores


def build_pairs_explainer(lines: Sequence[ResultLine]) -> Explainer:
    """Return a function that explains a pair's victory points match by match."""
    return _build_explainer(list_pair_matches(lines), PAIRS)


def build_teams_explainer(lines: Sequence[ResultLine]) -> Explainer:
    """Return a function that explains a team's victory points match by match."""
    return _build_explainer(list_begun_matches(lines), TEAMS)


def _build_explainer(margins: Sequence[MatchMargin], a_board: Fraction) -> Explainer:
    scored_matches = list(zip(margins, compute_match_points(margins, a_board), strict=True))

    def explain(entry: int) -> Step:
        steps = [
            _explain_match(match, entry, match_points)
            for match, match_points in scored_matches
            if entry in (match.first, match.second)
        ]
        amount = sum((step.amount for step in steps), NOTHING)
        sentence = ngettext(
            "{score} victory points from {matches} match.",
            "{score} victory points from {matches} matches.",
            len(steps),
        )
        return Step(amount, sentence, {"score": amount, "matches": len(steps)}, tuple(steps))

    return explain


def _explain_match(match: MatchMargin, entry: int, match_points: MatchPoints) -> Step:
    is_first = entry == match.first
    own, part = (
        (match_points.first, match_points.matches_in_round[0])
        if is_first
        else (match_points.second, match_points.matches_in_round[1])
    )
    figures: dict[str, Figure] = {
        "other": match.second if is_first else match.first,
        "net": match.margin if is_first else -match.margin,
        "boards": match.boards,
        "worth": own,
        "whole": own * part,
    }
    if match_points.is_average:
        sentence = _("Against {other:entry}, less than half of the boards: average, {worth}.")
    elif part > 1:
        sentence = _(
            "Against {other:entry}, half of a three-way match, {boards} boards: {net:signed}, "
            "worth half of {whole}: {worth}."
        )
    else:
        sentence = ngettext(
            "Against {other:entry}, {boards} board: {net:signed}, worth {worth}.",
            "Against {other:entry}, {boards} boards: {net:signed}, worth {worth}.",
            match.boards,
        )
    return Step(own, sentence, figures)


PAIRS_METHOD = Method(
    name="victory_points",
    code="victory_points",
    title=gettext_noop("Victory points"),
    label=gettext_noop("victory points"),
    explanation=gettext_noop(
        "Victory points: each match is worth 10–10 to 20–0, by its margin. For drawn rounds."
    ),
    unit=gettext_noop("victory points"),
    heading=gettext_noop("Victory points"),
    short_heading=gettext_noop("Points"),
    caption=gettext_noop("Victory points of all matches"),
    signed=False,
    source=gettext_noop("Modelled on the World Bridge Federation's scale of 2013"),
    guarantee=gettext_noop("The two sides of a match share 20 points."),
    contests=("pairs",),
    score=score_pair_victory_points,
    explainer=build_pairs_explainer,
    sits_out=LEVEL_MATCH_POINTS,
)
TEAMS_METHOD = replace(
    PAIRS_METHOD,
    name="team_victory_points",
    contests=("teams",),
    score=score_team_victory_points,
    explainer=build_teams_explainer,
)
