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
    """Return whether entries met at two tables, because one sat both ways on a deal."""
    seen = {(line.deal, line.match, line.ns, line.ew) for line in lines}
    return any((deal, match, ew, ns) in seen for deal, match, ns, ew in seen)


class Opponent(NamedTuple):
    """An opponent, and the part of a match played against it: half in a three-way match."""

    entry: int
    part: Fraction


def list_opponents(lines: Sequence[ResultLine]) -> dict[int, list[Opponent]]:
    """Return the opponents of each entry, once for each match or part of a match."""
    faced: dict[tuple[int, int], dict[int, None]] = defaultdict(dict)
    for match, ns, ew in sorted({(line.match, line.ns, line.ew) for line in lines}):
        for one in ns:
            for other in ew:
                faced[match, one][other] = None
                faced[match, other][one] = None
    often = count_matches_in_round(
        (match, one, other)
        for (match, one), others in faced.items()
        for other in others
        if one < other
    )
    found: dict[int, list[Opponent]] = defaultdict(list)
    for (match, one), others in faced.items():
        part = Fraction(1, often.get((match, one), 1))
        found[one] += [Opponent(other, part) for other in others]
    return dict(found)


def count_matches(lines: Sequence[ResultLine]) -> dict[int, Fraction]:
    """Count the matches of each entry; a half of a three-way match counts a half."""
    return {entry: _add_up_parts(each) for entry, each in list_opponents(lines).items()}


def count_most_matches(opponents: Mapping[int, Sequence[Opponent]]) -> Fraction:
    """Return the largest number of matches of any entry."""
    return max((_add_up_parts(each) for each in opponents.values()), default=NOTHING)


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
    above = {entry: total - averages.get(entry, NOTHING) for entry, total in totals.items()}
    found = dict(totals)
    for entry, total in totals.items():
        mine = opponents.get(entry, [])
        if mine:
            played = _add_up_parts(mine)
            theirs = sum((above.get(each.entry, NOTHING) * each.part for each in mine), NOTHING)
            missing = (rounds - played) * above[entry] / played
            found[entry] = total + (theirs + missing) / rounds
    return found


def _add_up_parts(opponents: Sequence[Opponent]) -> Fraction:
    return sum((each.part for each in opponents), NOTHING)


def prepare_direct_match(lines: Sequence[ResultLine]) -> TieBreakValues:
    """Return a tie-break by the margin of the match between two level entries; 0 for more
    entries.
    """
    played = list_team_matches(lines) if is_team_play(lines) else list_pair_matches(lines)

    def figures(level: Collection[int]) -> Mapping[int, Fraction]:
        found = dict.fromkeys(level, NOTHING)
        if len(found) == 2:
            for match in played:
                if match.first in found and match.second in found:
                    found[match.first] += match.margin
                    found[match.second] -= match.margin
        return found

    return figures


def count_boards_won(lines: Sequence[ResultLine]) -> Mapping[int, Fraction]:
    """Count the boards each entry won: above the field, or for teams above the other team."""
    from_boards: dict[int, Fraction] = defaultdict(Fraction)
    of_teams = is_team_play(lines)
    for line in _split_single_lines(lines):
        found = list_team_matches(line) if of_teams else list_pair_matches(line)
        for match in found:
            if match.margin:
                from_boards[match.first if match.margin > 0 else match.second] += 1
            else:
                from_boards[match.first] += HALF
                from_boards[match.second] += HALF
    return from_boards


def _split_single_lines(lines: Sequence[ResultLine]) -> list[list[ResultLine]]:
    deals: dict[int, list[ResultLine]] = defaultdict(list)
    for line in lines:
        deals[line.deal].append(line)
    return list(deals.values())
