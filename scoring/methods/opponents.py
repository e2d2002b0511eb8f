"""The opponents of each entry by match, for corrected totals and Swiss tie-breaks."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from scoring.methods.lines import Line
from scoring.methods.ranking import Figures
from scoring.methods.victory_points import pair_matches, parts_played, team_matches

NOTHING, HALF, WHOLE = Fraction(), Fraction(1, 2), Fraction(1)
Totals = Mapping[int, Fraction]


def is_of_teams(lines: Sequence[Line]) -> bool:
    """Return whether two entries met at two tables: both sat both ways on some deal."""
    seen = {(line.deal, line.match, line.ns, line.ew) for line in lines}
    return any((deal, match, ew, ns) in seen for deal, match, ns, ew in seen)


class Opponent(NamedTuple):
    """An opponent, and the part of a match played against it: half in a three-way match."""

    entry: int
    part: Fraction


def met(lines: Sequence[Line]) -> dict[int, list[Opponent]]:
    """Return the opponents of each entry, once for each match or part of one."""
    faced: dict[tuple[int, int], dict[int, None]] = defaultdict(dict)
    for match, ns, ew in sorted({(line.match, line.ns, line.ew) for line in lines}):
        for one in ns:
            for other in ew:
                faced[match, one][other] = None
                faced[match, other][one] = None
    often = parts_played(
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


def rounds_each(lines: Sequence[Line]) -> dict[int, Fraction]:
    """Count the matches of each entry; a half of a three-way match counts a half."""
    return {entry: _matches(each) for entry, each in met(lines).items()}


def rounds_met(opponents: Mapping[int, Sequence[Opponent]]) -> Fraction:
    """Return the largest number of matches of an entry."""
    return max((_matches(each) for each in opponents.values()), default=NOTHING)


def corrected(lines: Sequence[Line], totals: Totals, averages: Totals) -> dict[int, Fraction]:
    """Return each total plus the opponents' totals above the average, divided by the rounds.

    `averages` are the totals of an average entry in the rounds that each entry was present. The
    entry's own mean per match replaces a missing opponent.

    Source: decided here; see docs/movements.md.
    """
    opponents = met(lines)
    rounds = rounds_met(opponents)
    above = {entry: total - averages.get(entry, NOTHING) for entry, total in totals.items()}
    found = dict(totals)
    for entry, total in totals.items():
        mine = opponents.get(entry, [])
        if mine:
            played = _matches(mine)
            theirs = sum((above.get(each.entry, NOTHING) * each.part for each in mine), NOTHING)
            missing = (rounds - played) * above[entry] / played
            found[entry] = total + (theirs + missing) / rounds
    return found


def _matches(opponents: Sequence[Opponent]) -> Fraction:
    return sum((each.part for each in opponents), NOTHING)


def between_two(lines: Sequence[Line]) -> Figures:
    """Return the margin of the match between two level entries; zero if more are level."""
    played = team_matches(lines) if is_of_teams(lines) else pair_matches(lines)

    def figures(level: Collection[int]) -> Mapping[int, Fraction]:
        found = dict.fromkeys(level, NOTHING)
        if len(found) == 2:
            for match in played:
                if match.first in found and match.second in found:
                    found[match.first] += match.margin
                    found[match.second] -= match.margin
        return found

    return figures


def boards_won(lines: Sequence[Line]) -> Mapping[int, Fraction]:
    """Count the boards each entry won: above the field, or for teams above the other team."""
    from_boards: dict[int, Fraction] = defaultdict(Fraction)
    of_teams = is_of_teams(lines)
    for line in _single(lines):
        found = team_matches(line) if of_teams else pair_matches(line)
        for match in found:
            if match.margin:
                from_boards[match.first if match.margin > 0 else match.second] += 1
            else:
                from_boards[match.first] += HALF
                from_boards[match.second] += HALF
    return from_boards


def _single(lines: Sequence[Line]) -> list[list[Line]]:
    deals: dict[int, list[Line]] = defaultdict(list)
    for line in lines:
        deals[line.deal].append(line)
    return list(deals.values())
