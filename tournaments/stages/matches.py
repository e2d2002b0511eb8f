"""The current matches of a knock-out: margins, extra boards, and the sides that advance."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from tournaments.stages.brackets import BracketMatch, Key, build_bracket

ZERO_MARGIN = Fraction()


@dataclass(frozen=True, slots=True)
class MatchScore:
    """The score of a match: margins of its first side by segment, and of extra boards.

    A three-way match has three margins each: of the first side against the second, the second
    against the third, the third against the first. `advancing_seeds` are the seeds that
    advance by the director's decision, the winner first: after a walkover, a lot, or a
    corrected result.
    """

    margins: tuple[Fraction, ...] = ()
    extra: tuple[Fraction, ...] = ()
    advancing_seeds: tuple[int, ...] = ()

    @property
    def total(self) -> Fraction:
        """The margin of the first of two sides, with the extra boards needed to decide."""
        total = sum(self.margins, ZERO_MARGIN)
        for margin in self.extra:
            if total:
                break
            total += margin
        return total

    def as_data(self) -> dict[str, Any]:
        """Return the score as JSON data; one advancing side is a number, two are a list."""
        stored_seeds = list(self.advancing_seeds)
        return {
            "margins": [str(margin) for margin in self.margins],
            "extra": [str(margin) for margin in self.extra],
            "given": stored_seeds if len(stored_seeds) > 1 else next(iter(stored_seeds), None),
        }


def read_score(data: Mapping[str, Any]) -> MatchScore:
    """Read a score from a row's data."""
    stored_seeds = data.get("given")
    one = () if stored_seeds is None else (stored_seeds,)
    return MatchScore(
        margins=tuple(map(Fraction, data.get("margins", ()))),
        extra=tuple(map(Fraction, data.get("extra", ()))),
        advancing_seeds=tuple(stored_seeds) if isinstance(stored_seeds, list) else one,
    )


@dataclass(frozen=True, slots=True)
class KnockoutMatch(BracketMatch):
    """One match of the bracket with its score; sides are seeds."""

    score: MatchScore = field(default_factory=MatchScore)
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
        return tuple(side for side in (self.one, self.other, self.third) if side is not None)

    @property
    def couples(self) -> tuple[tuple[int, int], ...]:
        """The couples of sides that meet, in the order of the margins."""
        return list_couples(self.sides)

    @property
    def going(self) -> tuple[int, ...]:
        """The sides that advance, the winner first; empty until that is decided."""
        return tuple(seed for seed in (self.winner, self.second) if seed is not None)

    @property
    def losers(self) -> tuple[int, ...]:
        """The sides that are out; empty until that is decided."""
        if self.winner is None or self.bye:
            return ()
        return tuple(side for side in self.sides if side not in self.going)


def list_couples(sides: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Return the couples of sides that meet: both sides, or each of three and the next."""
    if len(sides) < 3:
        return ((sides[0], sides[1]),) if len(sides) == 2 else ()
    one, other, third = sides
    return (one, other), (other, third), (third, one)


Margins = Mapping[tuple[int, int], Fraction]


def compute_net_margins(sides: Iterable[int], margins: Margins) -> dict[int, Fraction]:
    """Return the net margin of each side against the other given sides."""
    net_margins = dict.fromkeys(sides, ZERO_MARGIN)
    for (one, other), margin in margins.items():
        if one in net_margins and other in net_margins:
            net_margins[one] += margin
            net_margins[other] -= margin
    return net_margins


def sum_margins(sides: Sequence[int], margins: Sequence[Fraction]) -> Margins:
    """Return the margins of each couple over all segments."""
    couples = list_couples(sides)
    sums = dict.fromkeys(couples, ZERO_MARGIN)
    for place, margin in enumerate(margins):
        sums[couples[place % len(couples)]] += margin
    return sums


def rank_sides(sides: Sequence[int], score: MatchScore) -> list[list[int]]:
    """Return the sides in groups from the best; the sides of a group are level.

    First the net tricks over the whole match decide, then the results between level sides, then
    each set of extra boards. When a group is split, the rule is applied again to its parts.
    """
    width = len(list_couples(sides))
    margin_levels = [sum_margins(sides, score.margins)]
    for first in range(0, len(score.extra), width):
        margin_levels.append(sum_margins(sides, score.extra[first : first + width]))
    return _split_group(sides, margin_levels)


def _split_group(group: Sequence[int], margin_levels: Sequence[Margins]) -> list[list[int]]:
    if len(group) < 2:
        return [list(group)]
    for margin_level in margin_levels:
        net_margins = compute_net_margins(group, margin_level)
        if len(set(net_margins.values())) > 1:
            levels = sorted(set(net_margins.values()), reverse=True)
            parts = [[side for side in group if net_margins[side] == level] for level in levels]
            return [
                subgroup for part in parts for subgroup in _split_group(part, margin_levels)
            ]
    return [list(group)]


def find_advancing(
    sides: Sequence[int], score: MatchScore, *, places: int, segments: int, seed_wins: bool
) -> tuple[tuple[int, ...], bool]:
    """Return the sides that advance, winner first, and whether the match is complete but tied.

    With `seed_wins` a match that is level after its extra boards is won by the higher seed. Two
    level sides that both advance are in the order of their seeds.
    """
    if score.advancing_seeds:
        is_decided = len(score.advancing_seeds) == places and set(score.advancing_seeds) <= set(
            sides
        )
        return (score.advancing_seeds if is_decided else ()), False
    if len(score.margins) < segments * len(list_couples(sides)):
        return (), False
    if find_level_at_cutoff(sides, score, places) and not (score.extra and seed_wins):
        return (), True
    order = [side for level in rank_sides(sides, score) for side in sorted(level)]
    return tuple(order[:places]), False


def find_level_at_cutoff(sides: Sequence[int], score: MatchScore, places: int) -> list[int]:
    """Return the level sides of which only some can advance; usually none."""
    advanced = 0
    for level in rank_sides(sides, score):
        if advanced < places < advanced + len(level):
            return level
        advanced += len(level)
    return []


def build_matches(
    entrants: int,
    scores: Mapping[Key, MatchScore],
    *,
    segments: int,
    seed_wins: bool,
    three_way: bool = False,
) -> list[list[KnockoutMatch]]:
    """Return the whole bracket, round by round, as far as its scores decide it.

    A score of a match whose sides are not known is ignored.
    """
    winners: dict[Key, tuple[int, ...]] = {}
    rounds: list[list[KnockoutMatch]] = []
    for number in range(len(build_bracket(entrants, three_way=three_way))):
        row = []
        for tie in build_bracket(entrants, winners, three_way=three_way)[number]:
            score = scores.get((tie.round, tie.number), MatchScore())
            sides = tie.round, tie.number, tie.one, tie.other, tie.winner, tie.bye, tie.third
            match = KnockoutMatch(*sides, leads_to=tie.leads_to, score=score)
            if match.can_be_played:
                match = _decide_match(match, segments=segments, seed_wins=seed_wins)
            if match.going and not match.bye:
                winners[match.key] = match.going
            row.append(match)
        rounds.append(row)
    return rounds


def _decide_match(match: KnockoutMatch, *, segments: int, seed_wins: bool) -> KnockoutMatch:
    advancing, is_level = find_advancing(
        match.sides,
        match.score,
        places=len(match.leads_to),
        segments=segments,
        seed_wins=seed_wins,
    )
    winner, second = (*advancing, None, None)[:2]
    return replace(match, winner=winner, second=second, is_level=is_level)


def list_begun_after(
    rounds: Sequence[Sequence[KnockoutMatch]], key: Key, advancing: Sequence[int] = ()
) -> list[Key]:
    """Return the later matches on the path from one match that already have a score.

    `advancing` are those who advance from it after a correction; a path with the same side as
    before is not included.
    """
    number, match = key
    begun_keys: list[Key] = []
    start = rounds[number - 1][match - 1]
    for rank, place in enumerate(start.leads_to):
        if start.going[rank : rank + 1] == tuple(advancing)[rank : rank + 1]:
            continue
        position, depth = place, number
        while depth < len(rounds):
            later = rounds[depth][position // 2]
            if later.score == MatchScore():
                break
            begun_keys.append(later.key)
            position, depth = position // 2, depth + 1
    return sorted(set(begun_keys))


def list_losers(rounds: Sequence[Sequence[KnockoutMatch]], number: int) -> list[int]:
    """Return the seeds that are out after the matches of a round, the highest first."""
    return sorted(seed for match in rounds[number - 1] for seed in match.losers)
