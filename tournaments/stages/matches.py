"""The current matches of a knock-out: margins, extra boards, and who advances."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from tournaments.stages.brackets import Key, Tie, bracket

NOTHING = Fraction()


@dataclass(frozen=True, slots=True)
class Score:
    """The score of a match: margins of its first side by segment, and of extra boards.

    A three-way match has three margins for each: of the first side against the second, the
    second against the third, the third against the first. `given` are the seeds that the
    director lets advance, the winner first: after a walkover, a lot, or a winner that is kept.
    """

    margins: tuple[Fraction, ...] = ()
    extra: tuple[Fraction, ...] = ()
    given: tuple[int, ...] = ()

    @property
    def total(self) -> Fraction:
        """The margin of the first of two sides, with the extra boards needed to decide."""
        total = sum(self.margins, NOTHING)
        for margin in self.extra:
            if total:
                break
            total += margin
        return total

    def as_data(self) -> dict[str, Any]:
        """Return the data that the row stores: one who advances as a number, two as a list."""
        given = list(self.given)
        return {
            "margins": [str(each) for each in self.margins],
            "extra": [str(each) for each in self.extra],
            "given": given if len(given) > 1 else next(iter(given), None),
        }


def score_of(data: Mapping[str, Any]) -> Score:
    """Read a score from a row's data."""
    given = data.get("given")
    one = () if given is None else (given,)
    return Score(
        margins=tuple(map(Fraction, data.get("margins", ()))),
        extra=tuple(map(Fraction, data.get("extra", ()))),
        given=tuple(given) if isinstance(given, list) else one,
    )


@dataclass(frozen=True, slots=True)
class Match(Tie):
    """One match of the bracket with its score; sides are seeds."""

    score: Score = field(default_factory=Score)
    is_level: bool = False  # all segments are in, but the sides are level

    @property
    def key(self) -> Key:
        """Its round and number."""
        return self.round, self.number

    @property
    def can_be_played(self) -> bool:
        """Whether all sides are known."""
        return not self.bye and self.one is not None and self.other is not None

    @property
    def is_three_way(self) -> bool:
        """Whether three sides play each other."""
        return self.third is not None

    @property
    def sides(self) -> tuple[int, ...]:
        """The sides that are known."""
        return tuple(each for each in (self.one, self.other, self.third) if each is not None)

    @property
    def couples(self) -> tuple[tuple[int, int], ...]:
        """The couples of sides that meet, in the order of the margins."""
        return couples_of(self.sides)

    @property
    def going(self) -> tuple[int, ...]:
        """The sides that advance, the winner first; empty until that is decided."""
        return tuple(each for each in (self.winner, self.second) if each is not None)

    @property
    def losers(self) -> tuple[int, ...]:
        """The sides that are out; empty until that is decided."""
        if self.winner is None or self.bye:
            return ()
        return tuple(each for each in self.sides if each not in self.going)


def couples_of(sides: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Return the couples that meet: two sides each other, of three each the next."""
    if len(sides) < 3:
        return ((sides[0], sides[1]),) if len(sides) == 2 else ()
    one, other, third = sides
    return (one, other), (other, third), (third, one)


Margins = Mapping[tuple[int, int], Fraction]


def nets(sides: Iterable[int], made: Margins) -> dict[int, Fraction]:
    """Return the net margin of each side against the other given sides."""
    found = dict.fromkeys(sides, NOTHING)
    for (one, other), margin in made.items():
        if one in found and other in found:
            found[one] += margin
            found[other] -= margin
    return found


def in_all(sides: Sequence[int], margins: Sequence[Fraction]) -> Margins:
    """Return the margins of each couple over all segments."""
    couples = couples_of(sides)
    found = dict.fromkeys(couples, NOTHING)
    for place, margin in enumerate(margins):
        found[couples[place % len(couples)]] += margin
    return found


def parted(sides: Sequence[int], score: Score) -> list[list[int]]:
    """Return the sides in groups from the best; the sides of a group are level.

    First the net tricks over the whole match decide, then the results between level sides, then
    each set of extra boards. Once a group is split, the rule starts again for its parts.
    """
    width = len(couples_of(sides))
    made = [in_all(sides, score.margins)]
    for first in range(0, len(score.extra), width):
        made.append(in_all(sides, score.extra[first : first + width]))
    return _parted(sides, made)


def _parted(group: Sequence[int], made: Sequence[Margins]) -> list[list[int]]:
    if len(group) < 2:
        return [list(group)]
    for each in made:
        had = nets(group, each)
        if len(set(had.values())) > 1:
            levels = sorted(set(had.values()), reverse=True)
            parts = [[side for side in group if had[side] == level] for level in levels]
            return [found for part in parts for found in _parted(part, made)]
    return [list(group)]


def who_goes_on(
    sides: Sequence[int], score: Score, *, places: int, segments: int, seed_wins: bool
) -> tuple[tuple[int, ...], bool]:
    """Return who advances, the winner first, and whether all is played and still level.

    `seed_wins` gives a match that is level after its extra boards to the higher seed. Two level
    sides that both advance are in the order of their seeds.
    """
    if score.given:
        fits = len(score.given) == places and set(score.given) <= set(sides)
        return (score.given if fits else ()), False
    if len(score.margins) < segments * len(couples_of(sides)):
        return (), False
    if at_the_line(sides, score, places) and not (score.extra and seed_wins):
        return (), True
    order = [each for level in parted(sides, score) for each in sorted(level)]
    return tuple(order[:places]), False


def at_the_line(sides: Sequence[int], score: Score, places: int) -> list[int]:
    """Return the level sides of which only some can advance; usually none."""
    taken = 0
    for level in parted(sides, score):
        if taken < places < taken + len(level):
            return level
        taken += len(level)
    return []


def matches(
    entrants: int,
    scores: Mapping[Key, Score],
    *,
    segments: int,
    seed_wins: bool,
    three_way: bool = False,
) -> list[list[Match]]:
    """Return the whole bracket, round by round, as far as its scores decide it.

    A score of a match whose sides are not known is ignored.
    """
    winners: dict[Key, tuple[int, ...]] = {}
    found: list[list[Match]] = []
    for number in range(len(bracket(entrants, three_way=three_way))):
        row = []
        for tie in bracket(entrants, winners, three_way=three_way)[number]:
            score = scores.get((tie.round, tie.number), Score())
            sides = tie.round, tie.number, tie.one, tie.other, tie.winner, tie.bye, tie.third
            match = Match(*sides, leads_to=tie.leads_to, score=score)
            if match.can_be_played:
                match = _decided(match, segments=segments, seed_wins=seed_wins)
            if match.going and not match.bye:
                winners[match.key] = match.going
            row.append(match)
        found.append(row)
    return found


def _decided(match: Match, *, segments: int, seed_wins: bool) -> Match:
    going, is_level = who_goes_on(
        match.sides,
        match.score,
        places=len(match.leads_to),
        segments=segments,
        seed_wins=seed_wins,
    )
    winner, second = (*going, None, None)[:2]
    return replace(match, winner=winner, second=second, is_level=is_level)


def begun_after(
    rounds: Sequence[Sequence[Match]], key: Key, going: Sequence[int] = ()
) -> list[Key]:
    """Return the later matches on the path from one that already have a score.

    `going` are those who advance from it after a correction; a path with the same side as
    before is not included.
    """
    number, match = key
    begun: list[Key] = []
    start = rounds[number - 1][match - 1]
    for rank, place in enumerate(start.leads_to):
        if start.going[rank : rank + 1] == tuple(going)[rank : rank + 1]:
            continue
        at, depth = place, number
        while depth < len(rounds):
            later = rounds[depth][at // 2]
            if later.score == Score():
                break
            begun.append(later.key)
            at, depth = at // 2, depth + 1
    return sorted(set(begun))


def losers_of(rounds: Sequence[Sequence[Match]], number: int) -> list[int]:
    """Return the seeds that are out after the matches of a round, the highest first."""
    return sorted(seed for each in rounds[number - 1] for seed in each.losers)
