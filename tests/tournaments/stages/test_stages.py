"""Compare seeding, finals, strata and prizes with manual examples and brute force."""

import random
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.stages import rules as stage_rules
from tournaments.stages.advancement import CarryOver, assign_finals, select_best_of_sections
from tournaments.stages.prizes import Prize, award_prizes, compute_payments
from tournaments.stages.seeding import (
    distribute_in_snake_order,
    distribute_with_stationary_seats,
    order_by_seed,
    spread_seeds,
)
from tournaments.stages.strata import StratumRule, find_stratum, rank_strata


def test_snake_order_gives_four_lines_of_32_seeds_equal_sums() -> None:
    assert {sum(line) for line in distribute_in_snake_order(range(1, 33), 4)} == {132}
    assert distribute_in_snake_order(range(1, 9), 4) == [[1, 8], [2, 7], [3, 6], [4, 5]]


@given(seeds=st.integers(1, 80), lines=st.integers(1, 10))
def test_snake_order_puts_each_seed_in_one_balanced_line(seeds: int, lines: int) -> None:
    actual_lines = distribute_in_snake_order(range(1, seeds + 1), lines)
    assert sorted(seed for line in actual_lines for seed in line) == [*range(1, seeds + 1)]
    sizes = [len(line) for line in actual_lines]
    assert max(sizes) - min(sizes) <= 1
    if seeds % lines == 0:
        sums = [sum(line) for line in actual_lines]
        assert max(sums) - min(sums) <= lines


@given(st.data())
def test_stationary_entries_get_lines_with_stationary_seats(data: st.DataObject) -> None:
    lines = data.draw(st.integers(1, 4)) * 2
    seeds = [*range(1, lines * data.draw(st.integers(1, 5)) + 1)]
    seats = [*range(0, lines, 2)]
    stationary_seeds = data.draw(st.sets(st.sampled_from(seeds), max_size=len(seeds) // 2))
    found_lines = distribute_with_stationary_seats(seeds, lines, stationary_seeds, seats)
    assert sorted(seed for line in found_lines for seed in line) == seeds
    assert stationary_seeds <= {seed for line in seats for seed in found_lines[line]}
    if not stationary_seeds:
        assert found_lines == distribute_in_snake_order(seeds, lines)


def test_more_stationary_entries_than_seats_are_refused() -> None:
    with pytest.raises(ValueError, match="hold 2"):
        distribute_with_stationary_seats([1, 2, 3, 4], 2, [1, 2, 3], [0])


def test_unseeded_entries_follow_seeds_in_reproducible_random_order() -> None:
    actual = order_by_seed({7: 2, 3: 1}, [1, 2, 3, 4, 5], "lot")
    assert actual[:2] == [3, 7]
    assert sorted(actual[2:]) == [1, 2, 4, 5]
    assert actual == order_by_seed({3: 1, 7: 2}, [5, 4, 3, 2, 1], "lot")


def test_spreading_seeds_separates_top_seeds_of_a_line() -> None:
    spread_out_seeds = spread_seeds([*range(1, 9)])
    assert spread_out_seeds == [1, 5, 3, 7, 2, 6, 4, 8]
    for size in range(1, 20):
        assert sorted(spread_seeds([*range(size)])) == [*range(size)]


def test_best_entries_qualify_for_final_a_and_next_fill_withdrawals() -> None:
    ranking = [[1], [2], [3, 4], [5], [6]]
    sizes = [("A", 2), ("B", 2), ("C", None)]
    assert [
        (g.entry_id, g.final) for g in assign_finals(ranking, sizes, "x") if g.final != "B"
    ] == [
        *((1, "A"), (2, "A"), (5, "C"), (6, "C")),
    ]
    final_assignments = assign_finals(ranking, sizes, "x", withdrawn_entries=[1])
    assert {g.entry_id for g in final_assignments if g.is_moved_up} == {3, 4, 5} - {
        g.entry_id for g in final_assignments if g.entry_id in (3, 4) and g.final == "B"
    }
    assert all(g.is_by_lot == (g.entry_id in (3, 4)) for g in final_assignments)
    assert not any(g.is_by_lot for g in assign_finals(ranking, sizes, "x"))


def test_section_winners_and_best_other_entries_advance() -> None:
    sections = [[1, 3, 5, 7], [2, 4, 6, 8]]
    assert select_best_of_sections(sections, 1, 2, [1, 3, 5, 2, 7, 4, 6, 8]) == [1, 3, 5, 2]


def test_carry_over_is_share_of_plus_or_minus_per_board() -> None:
    assert CarryOver().compute_carried_tricks(Fraction(12), 24, 26) == Fraction(13, 2)
    assert CarryOver(max_tricks_per_board=Fraction(1, 10)).compute_carried_tricks(
        Fraction(12), 24, 26
    ) == Fraction(26, 10)
    assert CarryOver(max_tricks_per_board=Fraction(1, 10)).compute_carried_tricks(
        Fraction(-12), 24, 26
    ) == Fraction(-26, 10)
    assert CarryOver().compute_carried_tricks(Fraction(12), 0, 26) == 0


def test_stratum_ranking_includes_entries_of_lower_strata() -> None:
    scores = {n: Fraction(10 - n) for n in range(1, 7)} | {6: Fraction(5)}
    stratum_by_entry = {1: "A", 2: "B", 3: "C", 4: "A", 5: "C", 6: "B"}
    ranking_by_stratum = rank_strata(scores, stratum_by_entry, ["A", "B", "C"])
    assert ranking_by_stratum["A"] == [
        *[(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (5, 6)][:4],
        (5, 5),
        (5, 6),
    ]
    assert ranking_by_stratum["B"] == [(1, 2), (2, 3), (3, 5), (3, 6)]
    assert ranking_by_stratum["C"] == [(1, 3), (2, 5)]


def test_stratum_rule_uses_higher_lower_or_mean_rating() -> None:
    lines = [("A", Fraction(60)), ("B", Fraction(50)), ("C", Fraction(0))]
    ratings = [Fraction(62), Fraction(44)]
    texts_by_key = {rule: find_stratum(ratings, lines, rule) for rule in StratumRule}
    assert texts_by_key == {
        StratumRule.HIGHER_RATING: "A",
        StratumRule.LOWER_RATING: "C",
        StratumRule.MEAN_RATING: "B",
    }
    assert find_stratum([], lines, StratumRule.MEAN_RATING) == "C"


def test_entry_gets_only_best_money_prize_and_other_prize_passes_down() -> None:
    prizes = [
        *(Prize("First", "all", 1, 5000), Prize("Second", "all", 2, 3000)),
        *(Prize("Best of B", "B", 1, 4000), Prize("Second of B", "B", 2, 1000)),
        Prize("Ladies", "ladies", 1),
    ]
    rankings_by_list = {
        "all": [(1, 10), (2, 20), (3, 30)],
        "B": [(1, 20), (2, 30)],
        "ladies": [(1, 10)],
    }
    given_prizes = award_prizes(prizes, rankings_by_list)
    assert [item.entry_id for item in given_prizes] == [10, 30, 20, None, 10]
    assert given_prizes[1].passed_over_entries == (20,)
    assert compute_payments(given_prizes, rankings_by_list) == {10: 5000, 20: 4000, 30: 3000}


def test_tied_entries_share_prizes_and_better_tie_break_gets_odd_cent() -> None:
    prizes = [Prize("First", "all", 1, 5001), Prize("Second", "all", 2, 3000)]
    lists = {"all": [(1, 7), (1, 8), (1, 9)]}
    assert compute_payments(award_prizes(prizes, lists), lists) == {7: 2667, 8: 2667, 9: 2667}
    lists = {"all": [(1, 7), (1, 9)]}  # 8 may take none
    assert compute_payments(award_prizes(prizes, lists), lists) == {7: 4001, 9: 4000}


def test_tied_entry_shares_prize_unless_another_list_pays_more() -> None:
    """By hand: two are first, and one of them is the best of B; half of 100 is 50."""
    lists = {"all": [(1, 10), (1, 20), (3, 30)], "B": [(1, 20), (2, 30)]}
    for best_of_b_value, expected in (
        (2000, {10: 5000, 20: 5000, 30: 2000}),
        (6000, {10: 10000, 20: 6000}),
    ):
        prizes = [Prize("First", "all", 1, 10000), Prize("Best of B", "B", 1, best_of_b_value)]
        given_prizes = award_prizes(prizes, lists)
        assert compute_payments(given_prizes, lists) == expected
    assert [prize.entry_id for prize in award_prizes(prizes[:1], lists)] == [10]


def test_no_entry_gets_less_than_its_share_of_tied_group() -> None:
    for seed in range(1000):
        random_generator = random.Random(seed)
        score = {
            id_: random_generator.randint(0, 3)
            for id_ in range(1, random_generator.randint(3, 9))
        }
        lists, prizes = {}, []
        for list_name in "ABC":
            member_ids = [
                id_ for id_ in score if list_name == "A" or random_generator.random() < 0.6
            ]
            member_ids.sort(key=lambda id_: (-score[id_], id_))
            lists[list_name] = [
                (1 + sum(score[o] > score[id_] for o in member_ids), id_) for id_ in member_ids
            ]
            values = sorted(
                (random_generator.randint(1, 9) * 840 for _ in range(3)), reverse=True
            )
            prizes += [
                Prize(f"{list_name}{p}", list_name, p, v) for p, v in enumerate(values, start=1)
            ]
        given_prizes = award_prizes(prizes, lists)
        payments = compute_payments(given_prizes, lists)
        won = [item for item in given_prizes if item.entry_id is not None]
        assert len({item.entry_id for item in won}) == len(won)
        assert sum(payments.values()) == sum(item.prize.value for item in won)
        for list_name, line in lists.items():
            for rank in {rank for rank, _id in line}:
                tied_ids = [id_ for entry_rank, id_ in line if entry_rank == rank]
                group_prize_values = [
                    e.prize.value
                    for e in won
                    if e.prize.list_name == list_name and e.entry_id in tied_ids
                ]
                assert all(
                    payments.get(id_, 0) >= sum(group_prize_values) // len(tied_ids)
                    for id_ in tied_ids
                )


def test_no_better_prize_is_owed_and_no_money_is_lost() -> None:
    for seed in range(1000):
        lots = random.Random(seed)
        people = [*range(1, lots.randint(2, 8))]
        lists = {}
        for name in "ABC":
            members = lots.sample(people, lots.randint(0, len(people)))
            lists[name] = [(place, id_) for place, id_ in enumerate(members, start=1)]
        prizes = []
        for name in "ABC":
            values = sorted((lots.randint(1, 9) * 100 for _ in range(3)), reverse=True)
            prizes += [Prize(f"{name}{p}", name, p, v) for p, v in enumerate(values, start=1)]
        given_prizes = award_prizes(prizes, lists)
        prize_values_by_entry = {each.entry_id: each.prize.value for each in given_prizes}
        winners = [each.entry_id for each in given_prizes if each.entry_id is not None]
        assert len(winners) == len(set(winners))
        for item in given_prizes:
            ranked_ids = [id_ for _, id_ in lists[item.prize.list_name]]
            higher_ranked_ids = (
                ranked_ids
                if item.entry_id is None
                else ranked_ids[: ranked_ids.index(item.entry_id)]
            )
            assert all(
                prize_values_by_entry.get(id_, 0) >= item.prize.value
                for id_ in higher_ranked_ids
            )
        total = sum(each.prize.value for each in given_prizes if each.entry_id is not None)
        assert sum(compute_payments(given_prizes, lists).values()) == total
    assert list(combinations("AB", 2))


RANKING = [[1], [2, 3], [4], [5], [6], [7]]


def test_section_winners_and_best_other_entries_enter_first_final() -> None:
    rule = stage_rules.StageRules(
        (("A", None), ("B", None)),
        stage_rules.FinalsCriterion.SECTIONS,
        places_per_section=1,
        other_place_count=2,
        lot_seed="x",
    )
    final_assignments = stage_rules.assign_to_finals(
        rule, RANKING, entry_ids_by_section=[[1, 2, 3, 4], [5, 6, 7]]
    )
    assert {item.entry_id for item in final_assignments if item.final == "A"} == {1, 2, 3, 5}
    rule_with_withdrawal = stage_rules.StageRules(
        rule.finals,
        rule.criterion,
        places_per_section=1,
        other_place_count=2,
        lot_seed="x",
        withdrawn_entries=(5,),
    )
    assignments_after_withdrawal = stage_rules.assign_to_finals(
        rule_with_withdrawal, RANKING, entry_ids_by_section=[[1, 2, 3, 4], [5, 6, 7]]
    )
    assert {item.entry_id for item in assignments_after_withdrawal if item.final == "A"} == {
        1,
        2,
        3,
        6,
    }
    assert [item.entry_id for item in assignments_after_withdrawal if item.is_moved_up] == [6]


def test_flight_contains_only_entries_of_its_stratum() -> None:
    rule = stage_rules.StageRules(
        (("A", None), ("B", None)), stage_rules.FinalsCriterion.STRATA, withdrawn_entries=(2,)
    )
    strata = {1: "A", 2: "A", 3: "B", 4: "C", 5: "B", 6: "A", 7: "B"}
    going = stage_rules.assign_to_finals(rule, RANKING, stratum_by_entry=strata)
    assert [(item.entry_id, item.final, item.place) for item in going] == [
        (1, "A", 1), (3, "B", 2), (5, "B", 5), (6, "A", 6), (7, "B", 7)
    ]  # fmt: skip


def test_carry_over_is_described_in_words() -> None:
    assert stage_rules.describe_carry_over(None).startswith("No carry-forward")
    assert "all plus/minus" in stage_rules.describe_carry_over(CarryOver(is_unscaled=True))
    assert "25%" in stage_rules.describe_carry_over(CarryOver(Fraction(1, 4), Fraction(1, 2)))
    assert "Limit 1/2 tricks" in stage_rules.describe_carry_over(
        CarryOver(max_tricks_per_board=Fraction(1, 2))
    )
    assert CarryOver(is_unscaled=True).compute_carried_tricks(Fraction(7), 20, 6) == 7
