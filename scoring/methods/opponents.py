"""The opponents of each entry by match, for corrected totals and Swiss tie-breaks."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from scoring.methods.ranking import TieBreakValues
from scoring.methods.result_line import ResultLine
from scoring.methods.victory_points import (
    count_matches_in_round,
    list_pair_matches,
    list_team_matches,
)

NOTHING, HALF, WHOLE = Fraction(), Fraction(1, 2), Fraction(1)
Totals = Mapping[int, Fraction]


def is_team_play(lines: Sequence[ResultLine]) -> bool:
    """Return whether the entries are teams, which sit both ways on a deal and so meet at two
    tables.
    """
    meetings = {(line.deal, line.match, line.ns, line.ew) for line in lines}
    return any((deal, match, ew, ns) in meetings for deal, match, ns, ew in meetings)


class Opponent(NamedTuple):
    """An opponent, and the part of a match played against it: half in a three-way match."""

    entry: int
    part: Fraction


def list_opponents(lines: Sequence[ResultLine]) -> dict[int, list[Opponent]]:
    """Return the opponents of each entry, once for each match or part of a match."""
    opponents_by_round: dict[tuple[int, int], dict[int, None]] = defaultdict(dict)
    for match, ns, ew in sorted({(line.match, line.ns, line.ew) for line in lines}):
        for one_entry in ns:
            for other in ew:
                opponents_by_round[match, one_entry][other] = None
                opponents_by_round[match, other][one_entry] = None
    match_counts = count_matches_in_round(
        (match, one_entry, other)
        for (match, one_entry), others in opponents_by_round.items()
        for other in others
        if one_entry < other
    )
    opponents_by_entry: dict[int, list[Opponent]] = defaultdict(list)
    for (match, one_entry), others in opponents_by_round.items():
        part = Fraction(1, match_counts.get((match, one_entry), 1))
        opponents_by_entry[one_entry] += [Opponent(other, part) for other in others]
    return dict(opponents_by_entry)


def count_matches(lines: Sequence[ResultLine]) -> dict[int, Fraction]:
    """Count the matches of each entry; a half of a three-way match counts a half."""
    return {
        entry: _add_up_parts(opponents) for entry, opponents in list_opponents(lines).items()
    }


def count_most_matches(opponents: Mapping[int, Sequence[Opponent]]) -> Fraction:
    """Return the largest number of matches of any entry."""
    return max((_add_up_parts(opponent) for opponent in opponents.values()), default=NOTHING)


def compute_corrected_totals(
    lines: Sequence[ResultLine], totals: Totals, averages: Totals
) -> dict[int, Fraction]:
    """Return each total plus the opponents' totals above the average, divided by the rounds.

    `averages` are the totals of an average entry in the rounds in which each entry was
    present. A missing opponent is replaced by the entry's own mean per match.

    Source: a decision of this project; see docs/movements.md.
    """
    opponents = list_opponents(lines)
    rounds = count_most_matches(opponents)
    totals_above_average = {
        entry: total - averages.get(entry, NOTHING) for entry, total in totals.items()
    }
    corrected_totals = dict(totals)
    for entry, total in totals.items():
        own_opponents = opponents.get(entry, [])
        if own_opponents:
            matches_played = _add_up_parts(own_opponents)
            sum_of_opponents = sum(
                (
                    totals_above_average.get(opponent.entry, NOTHING) * opponent.part
                    for opponent in own_opponents
                ),
                NOTHING,
            )
            missing = (rounds - matches_played) * totals_above_average[entry] / matches_played
            corrected_totals[entry] = total + (sum_of_opponents + missing) / rounds
    return corrected_totals


def _add_up_parts(opponents: Sequence[Opponent]) -> Fraction:
    return sum((opponent.part for opponent in opponents), NOTHING)


def prepare_direct_match(lines: Sequence[ResultLine]) -> TieBreakValues:
    """Return a tie-break by the margin of the match between two level entries; 0 for more
    entries.
    """
    matches = list_team_matches(lines) if is_team_play(lines) else list_pair_matches(lines)

    def figures(level: Collection[int]) -> Mapping[int, Fraction]:
        margins = dict.fromkeys(level, NOTHING)
        if len(margins) == 2:
            for match in matches:
                if match.first in margins and match.second in margins:
                    margins[match.first] += match.margin
                    margins[match.second] -= match.margin
        return margins

    return figures


def count_boards_won(lines: Sequence[ResultLine]) -> Mapping[int, Fraction]:
    """Count the boards each entry won: above the field, or for teams above the other team."""
    boards_won: dict[int, Fraction] = defaultdict(Fraction)
    of_teams = is_team_play(lines)
    for line in _split_single_lines(lines):
        matches = list_team_matches(line) if of_teams else list_pair_matches(line)
        for match in matches:
            if match.margin:
                boards_won[match.first if match.margin > 0 else match.second] += 1
            else:
                boards_won[match.first] += HALF
                boards_won[match.second] += HALF
    return boards_won


def _split_single_lines(lines: Sequence[ResultLine]) -> list[list[ResultLine]]:
    deals: dict[int, list[ResultLine]] = defaultdict(list)
    for line in lines:
        deals[line.deal].append(line)
    return list(deals.values())
