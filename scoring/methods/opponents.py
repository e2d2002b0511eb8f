"""Whom an entry faced, match by match: what corrected totals and Swiss tie-breaks read."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction

from scoring.methods.lines import Line
from scoring.methods.ranking import Figures
from scoring.methods.victory_points import pair_matches, team_matches
from tournaments.swiss.totals import corrected_totals

NOTHING, HALF = Fraction(), Fraction(1, 2)
Totals = Mapping[int, Fraction]


def is_of_teams(lines: Sequence[Line]) -> bool:
    """Whether two entries met at two tables: on some deal both sat both ways."""
    seen = {(line.deal, line.match, line.ns, line.ew) for line in lines}
    return any((deal, match, ew, ns) in seen for deal, match, ns, ew in seen)


def met(lines: Sequence[Line]) -> dict[int, list[int]]:
    """The opponents of each entry, once for each match."""
    couples = sorted({(line.match, line.ns, line.ew) for line in lines})
    found: dict[int, list[int]] = defaultdict(list)
    told: set[tuple[int, int, int]] = set()
    for match, ns, ew in couples:
        for one in ns:
            for other in ew:
                key = (match, min(one, other), max(one, other))
                if key not in told:
                    told.add(key)
                    found[one].append(other)
                    found[other].append(one)
    return dict(found)


def corrected(lines: Sequence[Line], totals: Totals, level: Fraction) -> dict[int, Fraction]:
    """Each total and the opponents' totals above the average, divided by the rounds.

    `level` is what an average round counts. Source: decided here; see docs/movements.md.
    """
    opponents = met(lines)
    rounds = max((len(each) for each in opponents.values()), default=0)
    above = {entry: total - level * rounds for entry, total in totals.items()}
    found = corrected_totals(above, {each: opponents.get(each, []) for each in above})
    return {entry: found[entry] + level * rounds for entry in totals}


def between_two(lines: Sequence[Line]) -> Figures:
    """The margin of the match between the two who are level; nothing where it are more."""
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
    """How many boards each entry won: tricks above the field's, of teams above the other's."""
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
