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
from scoring.methods.result_line import ResultLine, is_drawn_round_match, list_entries
from scoring.methods.steps import PlaceholderValue, Step
from server.translation import gettext_noop
from tournaments.swiss.victory_points import (
    PAIRS_FACTOR,
    TEAMS_FACTOR,
    VictoryPointScale,
    score_unfinished_match,
)

ZERO, HALF = Fraction(), Fraction(1, 2)
LEVEL_MATCH_POINTS = Fraction(10)
"""The value of a level match, and of a round that an entry sits out."""


class MatchMargin(NamedTuple):
    """One match: the first entry's margin in tricks, and the number of boards."""

    first_entry_number: int
    second_entry_number: int
    match_number: int
    margin: Fraction
    board_count: int  # the number of boards played


def list_pair_matches(result_lines: Sequence[ResultLine]) -> list[MatchMargin]:
    """Return the matches of pairs; a match's margin is the sum of its boards' margins.

    On a board, each side has a plus or minus: its tricks less the field's average. The board's
    margin is half the difference between the two sides' values. It is not the value of one
    side, because the director can set scores that do not add up to thirteen.
    """
    board_margins_by_match: dict[tuple[int, int, int], list[Fraction]] = defaultdict(list)
    for result_line, (ns_plus_minus, ew_plus_minus) in zip(
        result_lines, plus_minus.list_line_values(result_lines), strict=True
    ):
        first_entry_number, second_entry_number, margin = (
            result_line.ns_entries[0],
            result_line.ew_entries[0],
            (ns_plus_minus - ew_plus_minus) * HALF,
        )
        if first_entry_number > second_entry_number:
            first_entry_number, second_entry_number, margin = (
                second_entry_number,
                first_entry_number,
                -margin,
            )
        board_margins_by_match[
            first_entry_number, second_entry_number, result_line.match_number
        ].append(margin)
    return [
        MatchMargin(
            first_entry_number,
            second_entry_number,
            match_number,
            sum(board_margins, ZERO),
            len(board_margins),
        )
        for (first_entry_number, second_entry_number, match_number), board_margins in sorted(
            board_margins_by_match.items()
        )
    ]


def list_team_matches(result_lines: Sequence[ResultLine]) -> list[MatchMargin]:
    """Return the matches of teams, with net tricks on the boards that were played both ways."""
    board_margins_by_match: dict[tuple[int, int, int], list[Fraction]] = defaultdict(list)
    for team_gain in teams.list_team_gains(result_lines):
        board_margins_by_match[
            team_gain.first_team_number, team_gain.second_team_number, team_gain.match_number
        ].append(team_gain.net_tricks)
    return [
        MatchMargin(
            first_entry_number,
            second_entry_number,
            match_number,
            sum(board_margins, ZERO),
            len(board_margins),
        )
        for (first_entry_number, second_entry_number, match_number), board_margins in sorted(
            board_margins_by_match.items()
        )
    ]


def list_started_matches(result_lines: Sequence[ResultLine]) -> list[MatchMargin]:
    """Return the matches of teams, including those without a board played at both tables."""
    match_margins_by_key = {
        match_margin[:3]: match_margin for match_margin in list_team_matches(result_lines)
    }
    for result_line in result_lines:
        if result_line.ns_entries != result_line.ew_entries:
            first_entry_number, second_entry_number = sorted(
                (result_line.ns_entries[0], result_line.ew_entries[0])
            )
            match_margins_by_key.setdefault(
                (first_entry_number, second_entry_number, result_line.match_number),
                MatchMargin(
                    first_entry_number, second_entry_number, result_line.match_number, ZERO, 0
                ),
            )
    return [match_margins_by_key[match_key] for match_key in sorted(match_margins_by_key)]


def score_pair_victory_points(result_lines: Sequence[ResultLine]) -> dict[int, Fraction]:
    """Score each pair by the victory points of its matches.

    Guarantee: the two pairs of a match share twenty points.

    Source: modelled on the World Bridge Federation's continuous scale of 2013.
    """
    return _add_up_points(result_lines, list_pair_matches(result_lines), PAIRS_FACTOR)


def score_team_victory_points(result_lines: Sequence[ResultLine]) -> dict[int, Fraction]:
    """Score each team by the victory points of its matches, as `score_pair_victory_points`
    does.
    """
    return _add_up_points(result_lines, list_started_matches(result_lines), TEAMS_FACTOR)


class MatchVictoryPoints(NamedTuple):
    """The value of a match for each side, and the number of matches in each side's round."""

    first_entry_points: Fraction
    second_entry_points: Fraction
    is_average: bool  # less than half of the match was played
    match_counts_in_round: tuple[int, int] = (1, 1)
    """The number of matches that each side plays in its round: two in a three-way match."""


def compute_match_points(
    match_margins: Sequence[MatchMargin], max_margin_per_board: Fraction
) -> list[MatchVictoryPoints]:
    """Return the victory points of both sides of each match.

    Each side gets 10 if less than half of the match's boards were played. A half of a three-way
    match is scored as a match with half of the boards, and its points are halved.
    """
    match_counts_by_match_and_entry = count_matches_in_round(
        (
            match_margin.match_number,
            match_margin.first_entry_number,
            match_margin.second_entry_number,
        )
        for match_margin in match_margins
    )
    full_match_board_count = max(
        (
            match_margin.board_count
            for match_margin in match_margins
            if _find_match_counts(match_counts_by_match_and_entry, match_margin) == (1, 1)
        ),
        default=0,
    )
    half_match_board_count = max(
        (
            match_margin.board_count
            for match_margin in match_margins
            if _find_match_counts(match_counts_by_match_and_entry, match_margin) != (1, 1)
        ),
        default=0,
    )
    return [
        _compute_points(
            match_margin,
            _find_match_counts(match_counts_by_match_and_entry, match_margin),
            full_match_board_count,
            half_match_board_count,
            max_margin_per_board,
        )
        for match_margin in match_margins
    ]


def count_matches_in_round(
    match_pairings: Iterable[tuple[int, int, int]],
) -> dict[tuple[int, int], int]:
    """Count the matches of each entry in a drawn round: two in a three-way match.

    `match_pairings` are match numbers with two entries each. A half of a three-way match
    without results is recognised by the third entry, which plays both others.
    """
    drawn_round_matches = [
        match_pairing
        for match_pairing in match_pairings
        if is_drawn_round_match(match_pairing[0])
    ]
    opponent_counts = Counter(
        (match_number, entry_number)
        for match_number, *pair_of_entry_numbers in drawn_round_matches
        for entry_number in pair_of_entry_numbers
    )
    match_counts_by_match_and_entry: dict[tuple[int, int], int] = {}
    for match_number, *pair_of_entry_numbers in drawn_round_matches:
        max_opponents = max(
            opponent_counts[match_number, entry_number]
            for entry_number in pair_of_entry_numbers
        )
        for entry_number in pair_of_entry_numbers:
            match_counts_by_match_and_entry[match_number, entry_number] = max(
                max_opponents,
                match_counts_by_match_and_entry.get((match_number, entry_number), 1),
            )
    return match_counts_by_match_and_entry


def _find_match_counts(
    match_counts_by_match_and_entry: Mapping[tuple[int, int], int], match_margin: MatchMargin
) -> tuple[int, int]:
    match_number = match_margin.match_number
    return (
        match_counts_by_match_and_entry.get((match_number, match_margin.first_entry_number), 1),
        match_counts_by_match_and_entry.get(
            (match_number, match_margin.second_entry_number), 1
        ),
    )


def _compute_points(
    match_margin: MatchMargin,
    match_counts_of_sides: tuple[int, int],
    full_match_board_count: int,
    half_match_board_count: int,
    max_margin_per_board: Fraction,
) -> MatchVictoryPoints:
    # A half match has at least half of a full match's boards, even if none is complete.
    min_boards_per_half = Fraction(full_match_board_count, max(match_counts_of_sides))
    planned_board_count = (
        Fraction(full_match_board_count)
        if match_counts_of_sides == (1, 1)
        else max(Fraction(half_match_board_count), min_boards_per_half)
    )
    margin_and_board_count = (
        score_unfinished_match(
            match_margin.margin, match_margin.board_count, planned_board_count
        )
        if match_margin.board_count
        else None
    )
    if margin_and_board_count is None:
        return MatchVictoryPoints(
            LEVEL_MATCH_POINTS / match_counts_of_sides[0],
            LEVEL_MATCH_POINTS / match_counts_of_sides[1],
            is_average=True,
            match_counts_in_round=match_counts_of_sides,
        )
    first_entry_points, second_entry_points = (
        Fraction(points)
        for points in VictoryPointScale(
            margin_and_board_count[1], max_margin_per_board
        ).compute_points(margin_and_board_count[0])
    )
    return MatchVictoryPoints(
        first_entry_points / match_counts_of_sides[0],
        second_entry_points / match_counts_of_sides[1],
        is_average=False,
        match_counts_in_round=match_counts_of_sides,
    )


def _add_up_points(
    result_lines: Sequence[ResultLine],
    match_margins: Sequence[MatchMargin],
    max_margin_per_board: Fraction,
) -> dict[int, Fraction]:
    scores_by_entry = dict.fromkeys(list_entries(result_lines), ZERO)
    for match_margin, match_points in zip(
        match_margins, compute_match_points(match_margins, max_margin_per_board), strict=True
    ):
        scores_by_entry[match_margin.first_entry_number] += match_points.first_entry_points
        scores_by_entry[match_margin.second_entry_number] += match_points.second_entry_points
    return scores_by_entry


def build_pairs_explainer(result_lines: Sequence[ResultLine]) -> Explainer:
    """Return a function that explains a pair's victory points match by match."""
    return _build_explainer(list_pair_matches(result_lines), PAIRS_FACTOR)


def build_teams_explainer(result_lines: Sequence[ResultLine]) -> Explainer:
    """Return a function that explains a team's victory points match by match."""
    return _build_explainer(list_started_matches(result_lines), TEAMS_FACTOR)


def _build_explainer(
    match_margins: Sequence[MatchMargin], max_margin_per_board: Fraction
) -> Explainer:
    matches_with_points = list(
        zip(
            match_margins,
            compute_match_points(match_margins, max_margin_per_board),
            strict=True,
        )
    )

    def explain_entry(entry_number: int) -> Step:
        steps = [
            _explain_match(match_margin, entry_number, match_points)
            for match_margin, match_points in matches_with_points
            if entry_number
            in (match_margin.first_entry_number, match_margin.second_entry_number)
        ]
        amount = sum((step.amount for step in steps), ZERO)
        sentence = ngettext(
            "{score} victory points from {matches} match.",
            "{score} victory points from {matches} matches.",
            len(steps),
        )
        return Step(amount, sentence, {"score": amount, "matches": len(steps)}, tuple(steps))

    return explain_entry


def _explain_match(
    match_margin: MatchMargin, entry_number: int, match_points: MatchVictoryPoints
) -> Step:
    is_first = entry_number == match_margin.first_entry_number
    own_points, match_count = (
        (match_points.first_entry_points, match_points.match_counts_in_round[0])
        if is_first
        else (match_points.second_entry_points, match_points.match_counts_in_round[1])
    )
    placeholder_values: dict[str, PlaceholderValue] = {
        "other": match_margin.second_entry_number
        if is_first
        else match_margin.first_entry_number,
        "net": match_margin.margin if is_first else -match_margin.margin,
        "boards": match_margin.board_count,
        "worth": own_points,
        "whole": own_points * match_count,
    }
    if match_points.is_average:
        sentence = _("Against {other:entry}, less than half of the boards: average, {worth}.")
    elif match_count > 1:
        sentence = ngettext(
            "Against {other:entry}, half of a three-way match, {boards} board: {net:signed}, "
            "worth half of {whole}: {worth}.",
            "Against {other:entry}, half of a three-way match, {boards} boards: {net:signed}, "
            "worth half of {whole}: {worth}.",
            match_margin.board_count,
        )
    else:
        sentence = ngettext(
            "Against {other:entry}, {boards} board: {net:signed}, worth {worth}.",
            "Against {other:entry}, {boards} boards: {net:signed}, worth {worth}.",
            match_margin.board_count,
        )
    return Step(own_points, sentence, placeholder_values)


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
    is_signed=False,
    source=gettext_noop("Modelled on the World Bridge Federation’s scale of 2013"),
    guarantee=gettext_noop("The two sides of a match share 20 points."),
    contests=("pairs",),
    score=score_pair_victory_points,
    build_explainer=build_pairs_explainer,
    sit_out_score=LEVEL_MATCH_POINTS,
)
TEAMS_METHOD = replace(
    PAIRS_METHOD,
    name="team_victory_points",
    contests=("teams",),
    score=score_team_victory_points,
    build_explainer=build_teams_explainer,
)
