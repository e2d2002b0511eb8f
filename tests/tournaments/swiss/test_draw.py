"""Compare the Swiss draw with brute force, and check the rules of whole tournaments."""

import random
from dataclasses import replace
from fractions import Fraction

import pytest

from tests.tournaments.swiss.brute_force import compute_costs, list_priced_draws
from tests.tournaments.swiss.tournament import list_faults, play_tournament
from tournaments.swiss import (
    DrawField,
    DrawMethod,
    DrawnRound,
    Entry,
    OddRule,
    SeatPreference,
    draw_round,
)
from tournaments.swiss import matching as door
from tournaments.swiss.field import EarlierPairing, EntryId


def find_best_costs(field: DrawField) -> tuple[int, ...]:
    """Return the minimum objective of all draws, each couple on its better sides."""
    return min(cost for cost, _pairs, _out in list_priced_draws(field))


def build_random_field(lots: random.Random, size: int) -> DrawField:
    """Return a random field mid-tournament: leavers, seats, wishes and couples kept apart."""
    ids = list(range(1, size + 1))
    history = []
    for number in range(1, lots.randint(1, 4)):
        lots.shuffle(ids)
        pairs = tuple(
            EarlierPairing(*ids[number : number + 2]) for number in range(0, size - 1, 2)
        )
        history.append(DrawnRound(number, pairs, tuple(ids[size - size % 2 :])))
    entries = tuple(
        Entry(
            id_,
            Fraction(lots.randrange(-900, 900, 25), 100),
            seat=lots.choice(
                [SeatPreference.ANY] * 4 + [SeatPreference.STAYS, SeatPreference.NORTH_SOUTH]
            ),
            left=size > 5 and id_ > size - lots.randint(0, 1),
        )
        for id_ in sorted(ids)
    )
    separated_pairings = frozenset(
        frozenset(lots.sample(ids, 2)) for _ in range(lots.randint(0, 2))
    )
    return DrawField(
        entries, len(history) + 1, str(lots.random()), tuple(history), separated_pairings
    )


@pytest.mark.slow
@pytest.mark.parametrize("case_number", range(24))
def test_draw_has_optimal_costs(case_number: int) -> None:
    field = build_random_field(random.Random(case_number), 4 + case_number % 6)
    draw = draw_round(field)
    pairs = [(pairing.ns, pairing.ew) for pairing in draw.pairings]
    assert draw.costs[:8] == compute_costs(field, pairs, list(draw.sit_out_ids))
    assert draw.costs[:8] == find_best_costs(field)


@pytest.mark.parametrize("case", range(2))
def test_draw_of_ten_entries_has_optimal_costs(case: int) -> None:
    field = build_random_field(random.Random(100 + case), 10)
    assert draw_round(field).costs[:8] == find_best_costs(field)


def test_entry_order_and_constant_score_offset_do_not_change_draw() -> None:
    for case in range(6):
        field = build_random_field(random.Random(case), 9)
        entries = list(field.entries)
        random.Random(1).shuffle(entries)
        raised_entries = tuple(replace(entry, score=entry.score + 5) for entry in entries)
        assert draw_round(replace(field, entries=tuple(entries))) == draw_round(field)
        second_draw = draw_round(replace(field, entries=raised_entries))
        lines = [(p.table_number, p.ns, p.ew) for p in second_draw.pairings]
        assert lines == [(p.table_number, p.ns, p.ew) for p in draw_round(field).pairings]
        assert second_draw.costs == draw_round(field).costs


def test_first_round_is_drawn_by_lot_only() -> None:
    entries = tuple(Entry(number) for number in range(1, 13))
    distinct_draws = {
        tuple((p.ns, p.ew) for p in draw_round(DrawField(entries, seed=seed)).pairings)
        for seed in "abcdef"
    }
    assert len(distinct_draws) == 6


def test_every_pairing_has_a_reason() -> None:
    field = DrawField(
        entries=(
            *(Entry(1, Fraction(9)), Entry(2, Fraction(7)), Entry(3, Fraction(6))),
            *(Entry(4, Fraction(1)), Entry(5, Fraction(-3))),
        ),
        round_number=2,
        earlier_rounds=(DrawnRound(1, (EarlierPairing(1, 2), EarlierPairing(3, 4)), (5,)),),
    )
    draw = draw_round(field)
    assert {frozenset((p.ns, p.ew)) for p in draw.pairings} == {
        frozenset((1, 3)),
        frozenset((2, 5)),
    } or draw.sit_out_ids == (4,)
    first_reason = draw.pairings[0].reason
    assert "Place 1 and place 2 met in round 1." in first_reason
    assert "after more rounds" in first_reason or "Sides drawn at random" in first_reason
    assert draw.sit_out_reason.startswith("Place ")


def test_repeated_meeting_is_explained_as_unavoidable() -> None:
    entries = (Entry(1, Fraction(2)), Entry(2))
    field = DrawField(entries, 2, "", (DrawnRound(1, (EarlierPairing(1, 2),)),))
    (pairing,) = draw_round(field).pairings
    assert (
        "They met in round 1. Every possible draw has at least this many repeat matches."
    ) in pairing.reason
    assert (pairing.ns, pairing.ew) == (2, 1)


def test_stationary_entry_keeps_its_previous_table() -> None:
    entries = tuple(
        Entry(n, Fraction(n), seat=SeatPreference.STAYS if n == 1 else SeatPreference.ANY)
        for n in range(1, 9)
    )
    pairs = (
        EarlierPairing(1, 2, 3),
        EarlierPairing(3, 4, 1),
        EarlierPairing(5, 6, 2),
        EarlierPairing(7, 8, 4),
    )
    draw = draw_round(DrawField(entries, 2, "s", (DrawnRound(1, pairs),)))
    (stationary_pairing,) = [p for p in draw.pairings if 1 in (p.ns, p.ew)]
    assert (stationary_pairing.table_number, stationary_pairing.ns) == (3, 1)
    assert [p.table_number for p in draw.pairings] == [1, 2, 3, 4]


def test_danish_allows_repeat_between_neighbours_but_monrad_does_not() -> None:
    entries = tuple(Entry(n, Fraction(10 - n)) for n in range(1, 7))
    history = (
        DrawnRound(1, (EarlierPairing(1, 2), EarlierPairing(3, 4), EarlierPairing(5, 6))),
    )

    def draw_pairs(method: DrawMethod) -> set[frozenset[EntryId]]:
        draw = draw_round(DrawField(entries, 2, "m", history, method=method))
        return {frozenset((p.ns, p.ew)) for p in draw.pairings}

    neighbours = {frozenset((1, 2)), frozenset((3, 4)), frozenset((5, 6))}
    assert draw_pairs(DrawMethod.DANISH) == neighbours
    assert not draw_pairs(DrawMethod.MONRAD) & neighbours


def test_three_low_ranked_teams_play_each_other_with_odd_number_of_teams() -> None:
    entries = tuple(Entry(n, Fraction(20 - n)) for n in range(1, 12))
    draw = draw_round(DrawField(entries, 2, "t", kind="teams", odd_rule=OddRule.THREE_WAY))
    assert not draw.sit_out_ids
    assert len(draw.three_way_ids) == 3
    assert set(draw.three_way_ids) <= set(range(3, 12))
    seated_ids = [item for p in draw.pairings for item in (p.ns, p.ew)] + list(
        draw.three_way_ids
    )
    assert sorted(seated_ids) == list(range(1, 12))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(30))
def test_random_tournaments_follow_rules(seed: int) -> None:
    """Ten tournaments a seed: three hundred in all."""
    for number in range(10):
        lots = random.Random(f"{seed}|{number}")
        assert list_faults(play_tournament(lots, lots.randint(4, 12), lots.randint(2, 5))) == []


@pytest.mark.parametrize("seed", range(6))
def test_pruning_pairings_of_large_field_keeps_optimal_draw(seed: int) -> None:
    lots = random.Random(seed)
    node_count = 66 + 2 * seed
    costs = {
        (number, other_number): lots.choice((lots.randint(0, 40), lots.randint(0, 4_000)))
        for number in range(node_count)
        for other_number in range(number + 1, node_count)
        if lots.random() < (0.06 if seed == 5 else 0.9)
    }
    remaining_costs = door.prune_edges(node_count, costs)
    assert seed == 5 or len(remaining_costs) < len(costs) / 2
    full_matching, pruned_matching = (
        door.find_maximum_matching(node_count, item) for item in (costs, remaining_costs)
    )
    assert sum(costs[edge] for edge in full_matching) == sum(
        costs[edge] for edge in pruned_matching
    )
    assert len(full_matching) == len(pruned_matching)
