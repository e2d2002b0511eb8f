"""Compare brackets with byes and three-way matches of every size with manual examples."""

import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.stages.brackets import build_bracket, can_replace_byes, order_seeds
from tournaments.stages.matches import (
    KnockoutMatch,
    MatchScore,
    build_matches,
    find_advancing_sides,
    list_losers,
    list_started_later_matches,
    read_score,
)

ENTRANT_COUNTS = (*range(2, 25), 31, 32, 33, 63, 64)
THREE_WAY_ENTRANT_COUNTS = [size for size in ENTRANT_COUNTS if size & (size - 1)]
BRACKET_CASES = [(size, False) for size in ENTRANT_COUNTS] + [
    (size, True) for size in THREE_WAY_ENTRANT_COUNTS
]


def decide_all_matches(
    entrants: int, rank_sides, *, three_way: bool
) -> list[list[KnockoutMatch]]:
    """Return the whole bracket with each match decided: `rank_sides` ranks the sides of one."""
    scores: dict[tuple[int, int], MatchScore] = {}
    while True:
        rounds = build_matches(
            entrants,
            scores,
            segment_count=1,
            should_higher_seed_win=False,
            has_three_way_matches=three_way,
        )
        rows = [m for row in rounds for m in row if m.can_be_played and not m.advancing_sides]
        if not rows:
            return rounds
        for match in rows:
            scores[match.key] = MatchScore(
                advancing_seeds=tuple(rank_sides(match.sides))[: len(match.next_positions)]
            )


def build_side_shuffler(seed: object):
    random_generator = random.Random(str(seed))
    return lambda sides: random_generator.sample(sides, len(sides))


@pytest.mark.parametrize("entrants", ENTRANT_COUNTS)
def test_best_entries_get_byes_and_never_meet_in_first_round(entrants: int) -> None:
    seeds = order_seeds(entrants)
    byes = [match for match in zip(seeds[::2], seeds[1::2], strict=True) if None in match]
    assert all(match != (None, None) for match in byes)
    assert {match[0] for match in byes} == {*range(1, len(seeds) - entrants + 1)}


@pytest.mark.parametrize(("entrants", "three_way"), BRACKET_CASES)
def test_every_entry_but_winner_loses_exactly_once(entrants: int, *, three_way: bool) -> None:
    for history in range(2):
        rounds = decide_all_matches(
            entrants, build_side_shuffler((entrants, history)), three_way=three_way
        )
        losers = [
            seed
            for round_index in range(len(rounds))
            for seed in list_losers(rounds, round_index + 1)
        ]
        assert sorted([*losers, rounds[-1][0].winner]) == [*range(1, entrants + 1)]
        byes = [match for match in rounds[0] if match.is_bye]
        assert len(byes) == (0 if three_way else len(order_seeds(entrants)) - entrants)
        assert not any(match.is_bye or match.third_side for row in rounds[1:] for match in row)


@pytest.mark.parametrize("entrants", THREE_WAY_ENTRANT_COUNTS)
def test_three_way_round_reduces_field_to_full_bracket(entrants: int) -> None:
    rounds = build_bracket(entrants, has_three_way_matches=True)
    full = 2 ** (entrants.bit_length() - 1)  # the next lower power of two
    sizes = [
        len([item for item in (m.first_side, m.second_side, m.third_side) if item])
        for m in rounds[0]
    ]
    advancing_counts = {len(match.next_positions) for match in rounds[0] if match.third_side}
    assert sum(sizes) == entrants
    assert set(sizes) <= {2, 3}
    if 2 * entrants <= 3 * full:  # one goes on: a round fewer than with byes
        assert (sizes.count(3), advancing_counts) == (entrants - full, {1})
        assert len(rounds) == len(build_bracket(entrants)) - 1
    else:  # two go on
        assert (sizes.count(3), advancing_counts) == (2 * full - entrants, {2})
        assert len(rounds) == len(build_bracket(entrants))
    next_positions = sorted(place for match in rounds[0] for place in match.next_positions)
    assert (
        next_positions == [*range(len(rounds[1]) * 2)]
        if len(rounds) > 1
        else next_positions == [0]
    )
    assert (
        len(order_seeds(len(next_positions))) == len(next_positions)
        if len(next_positions) > 1
        else True
    )


@pytest.mark.parametrize(("entrants", "three_way"), BRACKET_CASES)
def test_best_entries_meet_as_late_as_possible_if_favourites_win(
    entrants: int, *, three_way: bool
) -> None:
    """In each later round of 2k entries seeds 1 to 2k are left, and opponents sum to 2k + 1.

    Where two go on from a three-way match the first round itself has two of the upper seeds in
    one match; the two are in different halves after it.
    """
    rounds = decide_all_matches(entrants, sorted, three_way=three_way)
    for row in rounds[1:]:
        assert {match.first_side + match.second_side for match in row} == {2 * len(row) + 1}
    for match in rounds[0]:
        assert len(match.losers) + len(match.next_positions) == len(match.sides) or match.is_bye
        if len(match.next_positions) == 2:
            half_position_count = len(rounds[1])
            assert (match.next_positions[0] < half_position_count) != (
                match.next_positions[1] < half_position_count
            )
            top_seed, second_seed, lowest_seed = match.sides
            assert top_seed < second_seed <= 2 * len(rounds[1]) < lowest_seed
    if not any(match.second_winner for match in rounds[0]):
        assert {match.first_side for match in rounds[0]} == {*range(1, len(rounds[0]) + 1)}


def test_small_brackets_match_manual_examples() -> None:
    def list_first_round(entrants: int) -> list[tuple[tuple[int, ...], int]]:
        rounds = build_matches(
            entrants,
            {},
            segment_count=1,
            should_higher_seed_win=False,
            has_three_way_matches=True,
        )
        return [(match.sides, len(match.next_positions)) for match in rounds[0]]

    assert list_first_round(3) == [((1, 2, 3), 1)]
    assert list_first_round(5) == [((1, 4), 1), ((2, 3, 5), 1)]
    assert list_first_round(6) == [((1, 4, 6), 1), ((2, 3, 5), 1)]
    assert list_first_round(7) == [((1, 3, 7), 2), ((4, 5), 1), ((2, 6), 1)]
    assert list_first_round(9) == [((1, 8), 1), ((4, 5, 9), 1), ((2, 7), 1), ((3, 6), 1)]
    assert list_first_round(14) == [
        *[((1, 7, 14), 2), ((4, 11), 1), ((5, 10), 1)],
        *[((2, 8, 13), 2), ((3, 12), 1), ((6, 9), 1)],
    ]
    assert [size for size in ENTRANT_COUNTS if not can_replace_byes(size)] == [
        2,
        4,
        8,
        16,
        32,
        64,
    ]


def test_impossible_winner_of_match_is_refused() -> None:
    with pytest.raises(ValueError, match="round 1, match 1: 3 is not in it"):
        build_bracket(4, {(1, 1): [3]})
    with pytest.raises(ValueError, match="round 2, match 1: 1 is not in it"):
        build_bracket(4, {(2, 1): [1]})
    with pytest.raises(ValueError, match="no such match"):
        build_bracket(4, {(5, 1): [1]})
    with pytest.raises(ValueError, match="round 1, match 1: 2 go on from it"):
        build_bracket(7, {(1, 1): [3]}, has_three_way_matches=True)
    with pytest.raises(ValueError, match="2 to 256 entrants, not 1"):
        build_bracket(1)


def test_correction_lists_later_matches_of_affected_entries() -> None:
    def list_begun_matches(
        entrants: int,
        seeds_by_match: dict,
        match_key,
        advancing_seeds,
        *,
        three_way: bool = False,
    ):
        scores = {
            item: MatchScore(advancing_seeds=winning_seeds)
            for item, winning_seeds in seeds_by_match.items()
        }
        rounds = build_matches(
            entrants,
            scores,
            segment_count=1,
            should_higher_seed_win=False,
            has_three_way_matches=three_way,
        )
        return list_started_later_matches(rounds, match_key, advancing_seeds)

    eight_entrant_results = {
        (1, 1): (1,),
        (1, 2): (4,),
        (1, 3): (2,),
        (1, 4): (3,),
        (2, 1): (1,),
        (2, 2): (2,),
    }
    assert list_begun_matches(8, eight_entrant_results | {(3, 1): (1,)}, (1, 1), (8,)) == [
        (2, 1),
        (3, 1),
    ]
    assert list_begun_matches(8, eight_entrant_results, (1, 4), (6,)) == [(2, 2)]
    assert list_begun_matches(8, eight_entrant_results, (1, 1), (1,)) == []
    assert list_begun_matches(8, {(1, 1): (1,)}, (1, 1), (8,)) == []
    seven_entrant_results = {(1, 1): (1, 3), (1, 2): (4,), (1, 3): (2,), (2, 2): (3,)}
    assert list_begun_matches(7, seven_entrant_results, (1, 1), (1, 7), three_way=True) == [
        (2, 2)
    ]  # the second alone
    assert (
        list_begun_matches(7, seven_entrant_results, (1, 1), (7, 3), three_way=True) == []
    )  # his match has not started
    assert list_begun_matches(7, seven_entrant_results, (1, 1), (3, 1), three_way=True) == [
        (2, 2)
    ]  # they are swapped


@pytest.mark.parametrize(
    ("margins", "extra_margins", "seed_wins", "who"),
    [
        ([3, -1], [], False, (1,)),
        ([3, -4], [], False, (2,)),
        ([2, -2], [], True, None),
        ([2, -2], [0, -1], False, (2,)),
        ([0, 0], [0], True, (1,)),
        ([0, 0], [0], False, None),
        ([5], [], False, ()),
    ],
)
def test_tied_match_is_decided_by_extra_boards_or_seed(
    margins, extra_margins, seed_wins: bool, who
) -> None:
    score = MatchScore(tuple(map(Fraction, margins)), tuple(map(Fraction, extra_margins)))
    advancing_result = find_advancing_sides(
        (1, 2), score, advancing_count=1, segment_count=2, should_higher_seed_win=seed_wins
    )
    assert advancing_result == (((), True) if who is None else (who, False))


# Three: A against B, B against C, C against A.
@pytest.mark.parametrize(
    ("margins", "extra", "seed_wins", "advancing_count", "who"),
    [
        ([3, 1, -2], [], False, 1, (1,)),  # nets +5, −2, −3
        ([3, 1, -2], [], False, 2, (1, 2)),
        ([2, -1, 1], [], False, 1, (3,)),  # +1, −3, +2
        ([2, -1, 1], [], False, 2, (3, 1)),
        ([2, -1], [], False, 1, ()),  # a margin is missing
        ([1, 3, 2], [], False, 1, (2,)),  # −1, +2, −1
        ([1, 3, 2], [], False, 2, (2, 3)),  # A and C level: C beat A by 2
        ([2, 2, 2], [], False, 1, None),  # each beat one: still level
        ([2, 2, 2], [1, 0, -1], False, 1, (1,)),  # +2, −1, −1 by the extra boards
        ([2, 2, 2], [1, 0, -1], False, 2, (1, 2)),  # then B beat C in the match
        ([2, 2, 2], [0, 0, 0], False, 1, None),
        ([2, 2, 2], [0, 0, 0], True, 1, (1,)),
        ([2, 2, 2], [0, 0, 0], True, 2, (1, 2)),
        ([0, 0, 0], [0, 0, 0, 0, 1, 0], False, 1, (2,)),  # a second set of extra boards
        ([0, 0, 0], [], False, 2, None),
        ([0, 1, -1], [], False, 2, (1, 2)),  # +1, +1, −2: level, and both go on by seed
        ([0, 1, -1], [], False, 1, None),  # the result between them is level too
    ],
)
def test_ties_break_by_net_tricks_direct_result_extra_boards_then_seed(
    margins,
    extra,
    seed_wins: bool,
    advancing_count: int,
    who,
) -> None:
    score = MatchScore(tuple(map(Fraction, margins)), tuple(map(Fraction, extra)))
    advancing = find_advancing_sides(
        (1, 2, 3),
        score,
        advancing_count=advancing_count,
        segment_count=1,
        should_higher_seed_win=seed_wins,
    )
    assert advancing == (((), True) if who is None else (who, False))


@given(
    margins=st.lists(st.integers(-3, 3), min_size=6, max_size=6),
    extra=st.lists(st.integers(-1, 1), max_size=6).filter(lambda item: len(item) % 3 == 0),
    places_=st.integers(1, 2),
    seed_wins=st.booleans(),
)
def test_entry_never_advances_before_one_with_more_net_tricks(
    margins: list[int], extra: list[int], places_: int, *, seed_wins: bool
) -> None:
    """Computed side by side; the order of the sides does not matter."""
    score = MatchScore(tuple(map(Fraction, margins)), tuple(map(Fraction, extra)))
    match_options = {
        "advancing_count": places_,
        "segment_count": 2,
        "should_higher_seed_win": seed_wins,
    }
    going, is_level = find_advancing_sides((1, 2, 3), score, **match_options)
    net_tricks_by_side = {
        side: sum(margins[place] for place in range(6) if place % 3 == side - 1)
        - sum(margins[place] for place in range(6) if place % 3 == (side + 1) % 3)
        for side in (1, 2, 3)
    }
    eliminated_sides = {1, 2, 3} - {*going}
    assert is_level == (not going)
    assert all(
        net_tricks_by_side[one] >= net_tricks_by_side[other]
        for one in going
        for other in eliminated_sides
    )
    assert not going or [net_tricks_by_side[seed] for seed in going] == sorted(
        (net_tricks_by_side[seed] for seed in going), reverse=True
    )
    sorted_net_tricks = sorted(net_tricks_by_side.values(), reverse=True)
    if (
        sorted_net_tricks[places_ - 1] > sorted_net_tricks[places_]
    ):  # tricks decide, so no other tie-break is used
        assert not is_level
    if is_level:
        assert not (extra and seed_wins)
    rotated_score = MatchScore(
        tuple(
            margin
            for start_index in (0, 3)
            for margin in rotate_margins(margins[start_index : start_index + 3])
        ),
        tuple(
            margin
            for number in range(0, len(extra), 3)
            for margin in rotate_margins(extra[number : number + 3])
        ),
    )
    assert find_advancing_sides((2, 3, 1), rotated_score, **match_options) == (going, is_level)


def rotate_margins(margins: list[int]) -> tuple[Fraction, ...]:
    """Return the same margins with the sides rotated by one."""
    margin_groups = [margins[number : number + 3] for number in range(0, len(margins), 3)]
    return tuple(
        Fraction(item) for one, two, three in margin_groups for item in (two, three, one)
    )


def test_stored_match_row_round_trips() -> None:
    for going in ((), (3,), (3, 1)):
        score = MatchScore((Fraction(1, 2), Fraction(-3)), (Fraction(1),), going)
        assert read_score(score.as_data()) == score
    assert MatchScore(advancing_seeds=(3,)).as_data()["given"] == 3  # as stored in older rows
