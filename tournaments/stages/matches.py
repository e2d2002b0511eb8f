"""The current matches of a knock-out: margins, extra boards, and the sides that advance."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from tournaments.stages.brackets import BracketMatch, MatchKey, build_bracket

ZERO_MARGIN = Fraction()


@dataclass(frozen=True, slots=True)
class MatchScore:
    """The score of a match: the first side's margin in each segment, and on extra boards.

    In a three-way match each segment has three margins: the first side against the second, the
    second against the third, and the third against the first. `advancing_seeds` are the seeds
    that advance by a decision of the director, the winner first. The decision may be a
    walkover, a lot or a corrected result.
    """

    margins: tuple[Fraction, ...] = ()
    extra_margins: tuple[Fraction, ...] = ()
    advancing_seeds: tuple[int, ...] = ()

    @property
    def total_margin(self) -> Fraction:
        """The margin of the first of two sides, with the extra boards needed to decide."""
        total = sum(self.margins, ZERO_MARGIN)
        for margin in self.extra_margins:
            if total:
                break
            total += margin
        return total

    def as_data(self) -> dict[str, Any]:
        """Return the score as JSON data; one advancing side is a number, two are a list."""
        stored_seeds = list(self.advancing_seeds)
        return {
            "margins": [str(margin) for margin in self.margins],
            "extra": [str(margin) for margin in self.extra_margins],
            "given": stored_seeds if len(stored_seeds) > 1 else next(iter(stored_seeds), None),
        }


def read_score(score_data: Mapping[str, Any]) -> MatchScore:
    """Read a score from the JSON data of a knock-out."""
    stored_seeds = score_data.get("given")
    stored_seed_lists = () if stored_seeds is None else (stored_seeds,)
    return MatchScore(
        margins=tuple(map(Fraction, score_data.get("margins", ()))),
        extra_margins=tuple(map(Fraction, score_data.get("extra", ()))),
        advancing_seeds=tuple(stored_seeds)
        if isinstance(stored_seeds, list)
        else stored_seed_lists,
    )


@dataclass(frozen=True, slots=True)
class KnockoutMatch(BracketMatch):
    """One match of the bracket with its score; sides are seeds."""

    score: MatchScore = field(default_factory=MatchScore)
    is_level: bool = False  # whether all segments are scored and the sides are level

    @property
    def key(self) -> MatchKey:
        """The round and the number of the match."""
        return self.round_number, self.number

    @property
    def can_be_played(self) -> bool:
        """Whether all sides are known."""
        return not self.is_bye and self.first_side is not None and self.second_side is not None

    @property
    def is_three_way(self) -> bool:
        """Whether three sides play each other."""
        return self.third_side is not None

    @property
    def sides(self) -> tuple[int, ...]:
        """The seeds of all sides that are known."""
        return tuple(
            side
            for side in (self.first_side, self.second_side, self.third_side)
            if side is not None
        )

    @property
    def pairings(self) -> tuple[tuple[int, int], ...]:
        """The pairings of the sides that meet, in the order of the margins."""
        return list_pairings(self.sides)

    @property
    def advancing_sides(self) -> tuple[int, ...]:
        """The sides that advance, the winner first; empty until the match is decided."""
        return tuple(seed for seed in (self.winner, self.second_winner) if seed is not None)

    @property
    def losers(self) -> tuple[int, ...]:
        """The sides that are out; empty until the match is decided."""
        if self.winner is None or self.is_bye:
            return ()
        return tuple(side for side in self.sides if side not in self.advancing_sides)


def list_pairings(sides: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Return the pairings of two or three sides, in the order of the margins."""
    if len(sides) < 3:
        return ((sides[0], sides[1]),) if len(sides) == 2 else ()
    first_side, second_side, third_side = sides
    return (first_side, second_side), (second_side, third_side), (third_side, first_side)


Margins = Mapping[tuple[int, int], Fraction]


def compute_net_margins(sides: Iterable[int], margins: Margins) -> dict[int, Fraction]:
    """Return the net margin of each side against the other given sides."""
    net_margin_by_side = dict.fromkeys(sides, ZERO_MARGIN)
    for (side, opponent), margin in margins.items():
        if side in net_margin_by_side and opponent in net_margin_by_side:
            net_margin_by_side[side] += margin
            net_margin_by_side[opponent] -= margin
    return net_margin_by_side


def sum_margins(sides: Sequence[int], margins: Sequence[Fraction]) -> Margins:
    """Return the margin of each pairing of sides over all segments."""
    pairings = list_pairings(sides)
    margin_by_pairing = dict.fromkeys(pairings, ZERO_MARGIN)
    for index, margin in enumerate(margins):
        margin_by_pairing[pairings[index % len(pairings)]] += margin
    return margin_by_pairing


def rank_sides(sides: Sequence[int], score: MatchScore) -> list[list[int]]:
    """Return the sides in groups from the best; the sides of a group are level.

    First the net tricks over the whole match decide, then the results between level sides, then
    each set of extra boards. If this splits a group, the rule is applied again to each part.
    """
    pairing_count = len(list_pairings(sides))
    margins_by_level = [sum_margins(sides, score.margins)]
    for start_index in range(0, len(score.extra_margins), pairing_count):
        margins_by_level.append(
            sum_margins(sides, score.extra_margins[start_index : start_index + pairing_count])
        )
    return _split_group(sides, margins_by_level)


def _split_group(
    tied_sides: Sequence[int], margins_by_level: Sequence[Margins]
) -> list[list[int]]:
    if len(tied_sides) < 2:
        return [list(tied_sides)]
    for level_margins in margins_by_level:
        net_margin_by_side = compute_net_margins(tied_sides, level_margins)
        if len(set(net_margin_by_side.values())) > 1:
            distinct_margins = sorted(set(net_margin_by_side.values()), reverse=True)
            tied_groups = [
                [side for side in tied_sides if net_margin_by_side[side] == distinct_margin]
                for distinct_margin in distinct_margins
            ]
            return [
                subgroup
                for tied_group in tied_groups
                for subgroup in _split_group(tied_group, margins_by_level)
            ]
    return [list(tied_sides)]


def find_advancing_sides(
    sides: Sequence[int],
    score: MatchScore,
    *,
    advancing_count: int,
    segment_count: int,
    should_higher_seed_win: bool,
) -> tuple[tuple[int, ...], bool]:
    """Return the sides that advance, winner first, and whether the match is complete but tied.

    If `should_higher_seed_win` is True, the higher seed wins a match that is level after its
    extra boards. Two level sides that both advance are in the order of their seeds.
    """
    if score.advancing_seeds:
        is_decided = len(score.advancing_seeds) == advancing_count and set(
            score.advancing_seeds
        ) <= set(sides)
        return (score.advancing_seeds if is_decided else ()), False
    if len(score.margins) < segment_count * len(list_pairings(sides)):
        return (), False
    if find_tied_sides_at_cutoff(sides, score, advancing_count) and not (
        score.extra_margins and should_higher_seed_win
    ):
        return (), True
    ranked_sides = [
        side for tied_sides in rank_sides(sides, score) for side in sorted(tied_sides)
    ]
    return tuple(ranked_sides[:advancing_count]), False


def find_tied_sides_at_cutoff(
    sides: Sequence[int], score: MatchScore, advancing_count: int
) -> list[int]:
    """Return the tied sides of which only some can advance; the list is usually empty."""
    better_side_count = 0
    for tied_group in rank_sides(sides, score):
        if better_side_count < advancing_count < better_side_count + len(tied_group):
            return tied_group
        better_side_count += len(tied_group)
    return []


def build_matches(
    entrant_count: int,
    scores_by_match: Mapping[MatchKey, MatchScore],
    *,
    segment_count: int,
    should_higher_seed_win: bool,
    has_three_way_matches: bool = False,
) -> list[list[KnockoutMatch]]:
    """Return the whole bracket, round by round, with the winners that follow from the scores.

    The score of a match is ignored if the match's sides are not known.
    """
    winners_by_match: dict[MatchKey, tuple[int, ...]] = {}
    rounds: list[list[KnockoutMatch]] = []
    for round_index in range(
        len(build_bracket(entrant_count, has_three_way_matches=has_three_way_matches))
    ):
        round_matches = []
        for bracket_match in build_bracket(
            entrant_count, winners_by_match, has_three_way_matches=has_three_way_matches
        )[round_index]:
            score = scores_by_match.get(
                (bracket_match.round_number, bracket_match.number), MatchScore()
            )
            match_fields = (
                bracket_match.round_number,
                bracket_match.number,
                bracket_match.first_side,
                bracket_match.second_side,
                bracket_match.winner,
                bracket_match.is_bye,
                bracket_match.third_side,
            )
            match = KnockoutMatch(
                *match_fields, next_positions=bracket_match.next_positions, score=score
            )
            if match.can_be_played:
                match = _decide_match(
                    match,
                    segment_count=segment_count,
                    should_higher_seed_win=should_higher_seed_win,
                )
            if match.advancing_sides and not match.is_bye:
                winners_by_match[match.key] = match.advancing_sides
            round_matches.append(match)
        rounds.append(round_matches)
    return rounds


def _decide_match(
    match: KnockoutMatch, *, segment_count: int, should_higher_seed_win: bool
) -> KnockoutMatch:
    advancing_sides, is_level = find_advancing_sides(
        match.sides,
        match.score,
        advancing_count=len(match.next_positions),
        segment_count=segment_count,
        should_higher_seed_win=should_higher_seed_win,
    )
    winner, second_winner = (*advancing_sides, None, None)[:2]
    return replace(match, winner=winner, second_winner=second_winner, is_level=is_level)


def list_started_later_matches(
    rounds: Sequence[Sequence[KnockoutMatch]],
    match_key: MatchKey,
    advancing_seeds: Sequence[int] = (),
) -> list[MatchKey]:
    """Return the later matches on the path from one match that already have a score.

    `advancing_seeds` are the sides that advance from the match after a correction. A path on
    which the same side advances as before is not included.
    """
    round_number, match_number = match_key
    begun_match_keys: list[MatchKey] = []
    start_match = rounds[round_number - 1][match_number - 1]
    for advancing_index, next_position in enumerate(start_match.next_positions):
        if (
            start_match.advancing_sides[advancing_index : advancing_index + 1]
            == tuple(advancing_seeds)[advancing_index : advancing_index + 1]
        ):
            continue
        position, round_index = next_position, round_number
        while round_index < len(rounds):
            later_match = rounds[round_index][position // 2]
            if later_match.score == MatchScore():
                break
            begun_match_keys.append(later_match.key)
            position, round_index = position // 2, round_index + 1
    return sorted(set(begun_match_keys))


def list_losers(rounds: Sequence[Sequence[KnockoutMatch]], round_number: int) -> list[int]:
    """Return the seeds that lost in a round, the best seed (the lowest number) first."""
    return sorted(seed for match in rounds[round_number - 1] for seed in match.losers)
