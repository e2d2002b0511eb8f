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
    distribute_in_snake_order_with_seats,
    order_by_seed,
    spread_seeds,
)
from tournaments.stages.strata import StratumRule, find_stratum, rank_strata


def test_thirty_two_seeds_in_four_lines_have_equal_sums() -> None:
    assert {sum(line) for line in distribute_in_snake_order(range(1, 33), 4)} == {132}
    assert distribute_in_snake_order(range(1, 9), 4) == [[1, 8], [2, 7], [3, 6], [4, 5]]


@given(seeds=st.integers(1, 80), lines=st.integers(1, 10))
def test_everyone_is_in_one_line_and_lines_are_balanced(seeds: int, lines: int) -> None:
    found_lines = distribute_in_snake_order(range(1, seeds + 1), lines)
    assert sorted(seed for line in found_lines for seed in line) == [*range(1, seeds + 1)]
    sizes = [len(line) for line in found_lines]
    assert max(sizes) - min(sizes) <= 1
    if seeds % lines == 0:
        sums = [sum(line) for line in found_lines]
        assert max(sums) - min(sums) <= lines


@given(st.data())
def test_stationary_entry_is_swapped_with_nearest_seed(data: st.DataObject) -> None:
    lines = data.draw(st.integers(1, 4)) * 2
    seeds = [*range(1, lines * data.draw(st.integers(1, 5)) + 1)]
    seats = [*range(0, lines, 2)]
    seated = data.draw(st.sets(st.sampled_from(seeds), max_size=len(seeds) // 2))
    found_lines = distribute_in_snake_order_with_seats(seeds, lines, seated, seats)
    assert sorted(seed for line in found_lines for seed in line) == seeds
    assert seated <= {seed for line in seats for seed in found_lines[line]}
    if not seated:
        assert found_lines == distribute_in_snake_order(seeds, lines)


def test_more_stationary_entries_than_seats_are_refused() -> None:
    with pytest.raises(ValueError, match="hold 2"):
        distribute_in_snake_order_with_seats([1, 2, 3, 4], 2, [1, 2, 3], [0])


def test_unseeded_entries_follow_seeds_in_reproducible_random_order() -> None:
    actual = order_by_seed({7: 2, 3: 1}, [1, 2, 3, 4, 5], "lot")
    assert actual[:2] == [3, 7]
    assert sorted(actual[2:]) == [1, 2, 4, 5]
    assert actual == order_by_seed({3: 1, 7: 2}, [5, 4, 3, 2, 1], "lot")


def test_first_three_seeds_of_a_line_are_spread_out() -> None:
    laid = spread_seeds([*range(1, 9)])
    assert laid == [1, 5, 3, 7, 2, 6, 4, 8]
    for size in range(1, 20):
        assert sorted(spread_seeds([*range(size)])) == [*range(size)]


def test_best_qualify_for_final_a_and_next_replace_withdrawals() -> None:
    ranking = [[1], [2], [3, 4], [5], [6]]
    sizes = [("A", 2), ("B", 2), ("C", None)]
    assert [
        (g.entry_id, g.final) for g in assign_finals(ranking, sizes, "x") if g.final != "B"
    ] == [
        *((1, "A"), (2, "A"), (5, "C"), (6, "C")),
    ]
    moved = assign_finals(ranking, sizes, "x", withdrawn_entries=[1])
    assert {g.entry_id for g in moved if g.is_moved_up} == {3, 4, 5} - {
        g.entry_id for g in moved if g.entry_id in (3, 4) and g.final == "B"
    }
    assert all(g.is_by_lot == (g.entry_id in (3, 4)) for g in moved)
    assert not any(g.is_by_lot for g in assign_finals(ranking, sizes, "x"))


def test_winners_of_sections_and_best_others_advance() -> None:
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


def test_stratum_is_ranked_with_lower_strata_and_scores_are_unchanged() -> None:
    scores = {n: Fraction(10 - n) for n in range(1, 7)} | {6: Fraction(5)}
    strata = {1: "A", 2: "B", 3: "C", 4: "A", 5: "C", 6: "B"}
    found_strata = rank_strata(scores, strata, ["A", "B", "C"])
    assert found_strata["A"] == [
        *[(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (5, 6)][:4],
        (5, 5),
        (5, 6),
    ]
    assert found_strata["B"] == [(1, 2), (2, 3), (3, 5), (3, 6)]
    assert found_strata["C"] == [(1, 3), (2, 5)]


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


def test_each_entry_gets_one_money_prize_and_others_pass_on() -> None:
    prizes = [
        *(Prize("First", "all", 1, 5000), Prize("Second", "all", 2, 3000)),
        *(Prize("Best of B", "B", 1, 4000), Prize("Second of B", "B", 2, 1000)),
        Prize("Ladies", "ladies", 1),
    ]
    lists = {
        "all": [(1, 10), (2, 20), (3, 30)],
        "B": [(1, 20), (2, 30)],
        "ladies": [(1, 10)],
    }
    given_prizes = award_prizes(prizes, lists)
    assert [item.entry_id for item in given_prizes] == [10, 30, 20, None, 10]
    assert given_prizes[1].passed_over_entries == (20,)
    assert compute_payments(given_prizes, lists) == {10: 5000, 20: 4000, 30: 3000}


def test_tied_entries_share_mean_and_odd_cent_goes_to_better_tie_break() -> None:
    prizes = [Prize("First", "all", 1, 5001), Prize("Second", "all", 2, 3000)]
    lists = {"all": [(1, 7), (1, 8), (1, 9)]}
    assert compute_payments(award_prizes(prizes, lists), lists) == {7: 2667, 8: 2667, 9: 2667}
    lists = {"all": [(1, 7), (1, 9)]}  # 8 may take none
    assert compute_payments(award_prizes(prizes, lists), lists) == {7: 4001, 9: 4000}


def test_tied_entry_shares_prize_unless_another_list_pays_more() -> None:
    """By hand: two are first, and one of them is the best of B; half of 100 is 50."""
    lists = {"all": [(1, 10), (1, 20), (3, 30)], "B": [(1, 20), (2, 30)]}
    for of_b, expected in (
        (2000, {10: 5000, 20: 5000, 30: 2000}),
        (6000, {10: 10000, 20: 6000}),
    ):
        prizes = [Prize("First", "all", 1, 10000), Prize("Best of B", "B", 1, of_b)]
        given_prizes = award_prizes(prizes, lists)
        assert compute_payments(given_prizes, lists) == expected
    assert [prize.entry_id for prize in award_prizes(prizes[:1], lists)] == [10]


def test_no_entry_gets_less_than_its_share_of_tied_group() -> None:
    for seed in range(1000):
        lots = random.Random(seed)
        score = {id_: lots.randint(0, 3) for id_ in range(1, lots.randint(3, 9))}
        lists, prizes = {}, []
        for name in "ABC":
            own_scores = [id_ for id_ in score if name == "A" or lots.random() < 0.6]
            own_scores.sort(key=lambda id_: (-score[id_], id_))
            lists[name] = [
                (1 + sum(score[o] > score[id_] for o in own_scores), id_) for id_ in own_scores
            ]
            values = sorted((lots.randint(1, 9) * 840 for _ in range(3)), reverse=True)
            prizes += [Prize(f"{name}{p}", name, p, v) for p, v in enumerate(values, start=1)]
        given_prizes = award_prizes(prizes, lists)
        paid = compute_payments(given_prizes, lists)
        won = [item for item in given_prizes if item.entry_id is not None]
        assert len({item.entry_id for item in won}) == len(won)
        assert sum(paid.values()) == sum(item.prize.value for item in won)
        for name, line in lists.items():
            for rank in {rank for rank, _id in line}:
                tied = [id_ for own, id_ in line if own == rank]
                theirs = [
                    e.prize.value
                    for e in won
                    if e.prize.list_name == name and e.entry_id in tied
                ]
                assert all(paid.get(id_, 0) >= sum(theirs) // len(tied) for id_ in tied)


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
        worth = {each.entry_id: each.prize.value for each in given_prizes}
        winners = [each.entry_id for each in given_prizes if each.entry_id is not None]
        assert len(winners) == len(set(winners))
        for item in given_prizes:
            order = [id_ for _, id_ in lists[item.prize.list_name]]
            order_before = (
                order if item.entry_id is None else order[: order.index(item.entry_id)]
            )
            assert all(worth.get(id_, 0) >= item.prize.value for id_ in order_before)
        total = sum(each.prize.value for each in given_prizes if each.entry_id is not None)
        assert sum(compute_payments(given_prizes, lists).values()) == total
    assert list(combinations("AB", 2))


RANKING = [[1], [2, 3], [4], [5], [6], [7]]


def test_winners_of_sections_and_best_others_enter_first_final() -> None:
    rule = stage_rules.StageRules(
        (("A", None), ("B", None)),
        stage_rules.FinalsCriterion.SECTIONS,
        places_per_section=1,
        other_place_count=2,
        lot_seed="x",
    )
    going = stage_rules.assign_to_finals(
        rule, RANKING, entry_ids_by_section=[[1, 2, 3, 4], [5, 6, 7]]
    )
    assert {item.entry_id for item in going if item.final == "A"} == {1, 2, 3, 5}
    removed_stage_rules = stage_rules.StageRules(
        rule.finals,
        rule.criterion,
        places_per_section=1,
        other_place_count=2,
        lot_seed="x",
        withdrawn_entries=(5,),
    )
    after = stage_rules.assign_to_finals(
        removed_stage_rules, RANKING, entry_ids_by_section=[[1, 2, 3, 4], [5, 6, 7]]
    )
    assert {item.entry_id for item in after if item.final == "A"} == {1, 2, 3, 6}
    assert [item.entry_id for item in after if item.is_moved_up] == [6]


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
