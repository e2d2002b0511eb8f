"""Knock-out brackets: the places of seeds, byes or three-way matches, and the next matches."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

OptionalSeed = int | None  # a seed from 1, or none
MatchKey = tuple[int, int]  # round and match, from 1
Winners = Mapping[MatchKey, Sequence[int]]
"""The seeds that advance from each match, the winner first; two from some three-way matches."""

MAX_ENTRANTS = 256


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """A match of the bracket; a side is None if it is not known yet, or absent (a bye).

    `next_positions` has the positions in the next round of the sides that advance, the winner's
    first. Positions are numbered from 0.
    """

    round_number: int
    number: int
    first_side: OptionalSeed
    second_side: OptionalSeed
    winner: OptionalSeed = None
    is_bye: bool = False
    third_side: OptionalSeed = None  # the third side of a three-way match
    second_winner: OptionalSeed = None  # the second side that advances from a three-way match
    next_positions: tuple[int, ...] = (0,)


@dataclass(frozen=True, slots=True)
class _MatchSeeds:
    """The seeds of a match, and the next round's positions to which its winners advance."""

    seeds: tuple[OptionalSeed, ...]
    next_positions: tuple[int, ...]


def order_seeds(entrant_count: int) -> list[OptionalSeed]:
    """Return the seeds in the order of the bracket, with None as the opponent in a bye.

    In a full first round the seeds of each match sum to the bracket's size plus one. This is
    also true in later rounds if the better seed always wins.
    """
    if not 2 <= entrant_count <= MAX_ENTRANTS:
        raise ValueError(
            f"a knock-out is for 2 to {MAX_ENTRANTS} entrants, not {entrant_count}"
        )
    return [
        seed if seed <= entrant_count else None for seed in _order_full_bracket(entrant_count)
    ]


def _order_full_bracket(entrant_count: int) -> list[int]:
    """Return the seeds of the smallest full bracket for the entrants, from top to bottom."""
    seeds = [1]
    while len(seeds) < entrant_count:
        seed_sum = 2 * len(seeds) + 1
        seeds = [
            seed
            for previous_seed in seeds
            for seed in (previous_seed, seed_sum - previous_seed)
        ]
    return seeds


def can_replace_byes(entrant_count: int) -> bool:
    """Return whether the bracket has byes, which three-way matches can replace."""
    return entrant_count & (entrant_count - 1) != 0


def build_bracket(
    entrant_count: int, winners: Winners | None = None, *, has_three_way_matches: bool = False
) -> list[list[BracketMatch]]:
    """Return the bracket round by round, as far as its winners are known.

    Raises ValueError for a winner who does not play the given match.
    """
    winners_by_match = dict(winners or {})
    round_matches = _build_first_round(
        entrant_count, has_three_way_matches=has_three_way_matches
    )
    rounds: list[list[BracketMatch]] = []
    while True:
        round_number = len(rounds) + 1
        matches = [
            _build_match((round_number, index), match_seeds, winners_by_match)
            for index, match_seeds in enumerate(round_matches, start=1)
        ]
        rounds.append(matches)
        if len(matches) == 1:
            break
        round_matches = _build_next_round(matches)
    if winners_by_match:
        round_number, match_number = min(winners_by_match)
        raise ValueError(
            f"round {round_number}, match {match_number}: there is no such match to be won"
        )
    return rounds


def _build_match(
    match_key: MatchKey,
    match_seeds: _MatchSeeds,
    winners_by_match: dict[MatchKey, Sequence[int]],
) -> BracketMatch:
    """Return a match with the sides that advance; remove them from `winners_by_match`."""
    seeds, next_positions = match_seeds.seeds, match_seeds.next_positions
    first_side, second_side, third_side = (*seeds, None)[:3]
    round_number, match_number = match_key
    if round_number == 1 and second_side is None:
        return BracketMatch(
            round_number,
            match_number,
            first_side,
            second_side,
            first_side,
            is_bye=True,
            next_positions=next_positions,
        )
    advancing_seeds = tuple(winners_by_match.pop(match_key, ()))
    for seed in advancing_seeds:
        if seed not in seeds or None in seeds:
            raise ValueError(f"round {round_number}, match {match_number}: {seed} is not in it")
    if advancing_seeds and len(set(advancing_seeds)) != len(next_positions):
        raise ValueError(
            f"round {round_number}, match {match_number}: {len(next_positions)} go on from it"
        )
    winner, second_winner = (*advancing_seeds, None, None)[:2]
    sides = round_number, match_number, first_side, second_side
    return BracketMatch(
        *sides,
        winner,
        third_side=third_side,
        second_winner=second_winner,
        next_positions=next_positions,
    )


def _build_next_round(matches: Sequence[BracketMatch]) -> list[_MatchSeeds]:
    """Return the matches of the next round, each between two neighbouring positions."""
    seeds_by_position: dict[int, OptionalSeed] = {}
    for match in matches:
        seeds_by_position |= dict(
            zip(match.next_positions, (match.winner, match.second_winner), strict=False)
        )
    return [
        _MatchSeeds(
            (seeds_by_position[position], seeds_by_position[position + 1]), (position // 2,)
        )
        for position in range(0, len(seeds_by_position), 2)
    ]


def _build_first_round(entrant_count: int, *, has_three_way_matches: bool) -> list[_MatchSeeds]:
    """Return the matches of round 1, from top to bottom."""
    seeds_in_order = order_seeds(entrant_count)
    if not has_three_way_matches or not can_replace_byes(entrant_count):
        pairings = zip(seeds_in_order[::2], seeds_in_order[1::2], strict=True)
        return [_MatchSeeds(pairing, (position,)) for position, pairing in enumerate(pairings)]
    # the highest power of two below the number of entrants
    full_bracket_size = len(seeds_in_order) // 2
    if 2 * entrant_count <= 3 * full_bracket_size:
        return _build_one_winner_matches(entrant_count, full_bracket_size // 2)
    return _build_two_winner_matches(entrant_count, full_bracket_size)


def _build_one_winner_matches(entrant_count: int, match_count: int) -> list[_MatchSeeds]:
    """Return w matches (`match_count`) for 2w to 3w entrants, in which one side advances.

    The matches of the lowest of the first w seeds are three-way. The first w seeds are placed
    as in a full bracket. Seed s meets seed 2w + 1 - s and, in a three-way match, 3w + 1 - s.
    """
    return [
        _MatchSeeds(
            tuple(
                seed
                for seed in (
                    upper_seed,
                    2 * match_count + 1 - upper_seed,
                    3 * match_count + 1 - upper_seed,
                )
                if seed <= entrant_count
            ),
            (position,),
        )
        for position, upper_seed in enumerate(_order_full_bracket(match_count))
    ]


def _build_two_winner_matches(entrant_count: int, bracket_size: int) -> list[_MatchSeeds]:
    """Return matches for more than 1.5 and fewer than 2 times `bracket_size` entrants.

    Two sides advance from each three-way match. The best seeds, which would otherwise have
    byes, play these matches. In each, the two better seeds are from different halves of the
    bracket, so that they meet again in the final at the earliest.
    """
    positions_by_seed = {
        seed: position for position, seed in enumerate(_order_full_bracket(bracket_size))
    }
    upper_seeds = [*range(1, bracket_size + 1)]
    matches: list[_MatchSeeds] = []
    for upper_seed in range(1, 2 * bracket_size - entrant_count + 1):
        # Seeds 2m - 1 and 2m are in different halves of the bracket. Seeds with the sum
        # bracket_size + 1 are in the same half. So the third seed is in the other half.
        third_seed = bracket_size + 1 - (upper_seed + 1 if upper_seed % 2 else upper_seed - 1)
        upper_seeds.remove(upper_seed)
        upper_seeds.remove(third_seed)
        matches.append(
            _MatchSeeds(
                (upper_seed, third_seed, entrant_count + 1 - upper_seed),
                (positions_by_seed[upper_seed], positions_by_seed[third_seed]),
            )
        )
    lower_seeds = range(bracket_size + len(upper_seeds), bracket_size, -1)
    for upper_seed, lower_seed in zip(upper_seeds, lower_seeds, strict=True):
        matches.append(_MatchSeeds((upper_seed, lower_seed), (positions_by_seed[upper_seed],)))
    return sorted(matches, key=lambda seeds: seeds.next_positions[0])
