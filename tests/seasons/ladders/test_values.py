"""Test the value of an evening and a ladder's total, by examples and by properties."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seasons.ladders.rules import (
    LadderEntry,
    LadderEvening,
    LadderRule,
    LadderTable,
    RuleFault,
    compute_ladder,
    read_rule,
)
from seasons.ladders.rules.handicaps import compute_entry_handicap
from seasons.ladders.rules.words import (
    describe_games,
    describe_rule,
    explain_total,
    explain_value,
    format_exact,
)

FEW_EXAMPLES = settings(max_examples=25)


def build_rule(**settled: Any) -> LadderRule:
    """Return a valid rule: points by place for players unless set otherwise."""
    handicaps = settled.pop("handicaps", None)
    base_rule = {"who": "players", "measure": "place", "points": [8, 6, 4], "combine": "sum"}
    rule = read_rule(base_rule | settled, handicaps)
    assert isinstance(rule, LadderRule), rule
    return rule


def build_evening(
    *scores: Any, key: str = "e", day: str = "2026-02-03", **more: Any
) -> LadderEvening:
    """Return an evening of single players 1, 2, 3, … with these scores."""
    entries = tuple(
        LadderEntry((number,), Fraction(score), 24, plus=Fraction(score), **more)
        for number, score in enumerate(scores, start=1)
    )
    return LadderEvening(key, day, entries)


def list_totals(table: LadderTable) -> dict[Any, Fraction]:
    return {row.subject: row.total for row in table.rows}


def test_tied_entries_share_points_of_all_their_places() -> None:
    """1st 10, 2nd = 3rd: (8 + 6) / 2 = 7 each."""
    totals = list_totals(
        compute_ladder([build_evening(5, 3, 3, 1)], build_rule(points=[10, 8, 6]))
    )
    assert totals == {(1,): 10, (2,): 7, (3,): 7, (4,): 0}


def test_each_field_has_its_own_winner_unless_ranked_across() -> None:
    entries = tuple(
        LadderEntry((n,), Fraction(s), b, ranked_group_code=f, plus=Fraction(s))
        for n, s, b, f in ((1, 4, 24, "NS"), (2, 2, 24, "NS"), (3, 3, 12, "EW"))
    )
    ladder_evening = LadderEvening("e", "2026-02-03", entries)
    assert list_totals(compute_ladder([ladder_evening], build_rule())) == {
        (1,): 8,
        (2,): 6,
        (3,): 8,
    }
    assert list_totals(compute_ladder([ladder_evening], build_rule(across=True))) == {
        (3,): 8,
        (1,): 6,
        (2,): 4,
    }


def test_beaten_entries_count_two_and_tied_entries_one() -> None:
    totals = list_totals(
        compute_ladder([build_evening(5, 3, 3, 1)], build_rule(measure="beaten"))
    )
    assert totals == {(1,): 6, (2,): 3, (3,): 3, (4,): 0}


def test_uncounted_value_explains_its_handicap() -> None:
    entries = tuple(
        LadderEntry((number,), Fraction(plus), boards, plus=Fraction(plus))
        for number, plus, boards in ((1, 5, 24), (2, 3, 8))
    )
    rule = build_rule(measure="plus", handicaps={2: Fraction(1, 4)})
    table = compute_ladder([LadderEvening("e", "2026-02-03", entries)], rule)
    (short_evening_value,) = (
        row.evening_values[0] for row in table.rows if row.subject == (2,)
    )
    assert short_evening_value.value == 5
    assert explain_value(short_evening_value, rule) == (
        "3 over 8 boards. With handicap: 3 + 0.25 × 8 = 5. Not "
        "counted: 8 of 24 boards is less than 1/2."
    )


def test_visitor_keeps_place_unless_ladder_is_for_members_only() -> None:
    pairs = tuple(
        LadderEntry(people, Fraction(score), 24, visitor_pks=frozenset(visitors))
        for people, score, visitors in (
            ((1, 9), 5, {9}),
            ((2, 3), 3, ()),
            ((8, 9 + 1), 4, (8, 10)),
        )
    )
    ladder_evening = LadderEvening("e", "2026-02-03", pairs)
    member_totals = list_totals(compute_ladder([ladder_evening], build_rule(members_only=True)))
    assert member_totals == {(1,): 8, (2,): 4, (3,): 4}
    totals = list_totals(
        compute_ladder([ladder_evening], build_rule(members_only=True, close_ranks=True))
    )
    assert totals == {(1,): 8, (2,): 6, (3,): 6}
    pairs_rule = build_rule(who="pairs", members_only=True, close_ranks=True)
    assert list_totals(compute_ladder([ladder_evening], pairs_rule)) == {(2, 3): 8}


@pytest.mark.parametrize("measure", ["place", "beaten"])
def test_members_only_ladder_leaves_visitors_out(measure: str) -> None:
    pairs = tuple(
        LadderEntry(people, Fraction(score), 24, visitor_pks=frozenset(visitors))
        for people, score, visitors in (
            ((1, 9), 5, {9}),
            ((8, 10), 4, {8, 10}),
            ((2, 3), 3, ()),
        )
    )
    ladder_evening = LadderEvening("e", "2026-02-03", pairs)
    players = compute_ladder([ladder_evening], build_rule(measure=measure, close_ranks=True))
    first, second = {"place": (8, 6), "beaten": (2, 0)}[measure]
    assert list_totals(players) == {(1,): first, (9,): first, (2,): second, (3,): second}
    as_pairs = build_rule(who="pairs", measure=measure, close_ranks=True)
    only = {"place": 8, "beaten": 0}[measure]
    assert list_totals(compute_ladder([ladder_evening], as_pairs)) == {(2, 3): only}
    score_rule = build_rule(who="pairs", measure="score", points=None, close_ranks=True)
    assert list_totals(compute_ladder([ladder_evening], score_rule)) == {
        (1, 9): 5,
        (8, 10): 4,
        (2, 3): 3,
    }


def test_entry_with_too_few_boards_is_shown_but_not_counted() -> None:
    short_ladder_entry = LadderEntry((2,), Fraction(9), 11, plus=Fraction(9))
    ladder_evening = LadderEvening(
        "e", "2026-02-03", (*build_evening(1).entries, short_ladder_entry)
    )
    table = compute_ladder([ladder_evening], build_rule(measure="attendance"))
    assert {row.subject: row.evening_count for row in table.rows} == {(1,): 1, (2,): 0}
    (unranked_row,) = table.unranked_rows
    assert (unranked_row.subject, unranked_row.missing_evening_count, unranked_row.total) == (
        (2,),
        1,
        0,
    )
    assert "11 of 24 boards" in explain_value(unranked_row.evening_values[0], table.rule)


def test_pair_handicap_is_mean_rounded_to_hundredth() -> None:
    """−1/4 and +1/10 give +0.20 and −0.08, the pair +0.06, over 24 boards +1.44."""
    handicaps = {1: Fraction(1, 5), 2: Fraction(-2, 25), 3: Fraction(1, 20)}
    pair = LadderEntry((1, 2), Fraction(0), 24, plus=Fraction(0))
    assert compute_entry_handicap(pair.person_pks, handicaps) == Fraction(6, 100)
    handicap_rule = build_rule(who="pairs", measure="plus", handicaps=handicaps)
    ladder_evening = LadderEvening("e", "2026-02-03", (pair,))
    assert list_totals(compute_ladder([ladder_evening], handicap_rule)) == {
        (1, 2): Fraction(144, 100)
    }
    half_handicap_entry = LadderEntry((3, 4), Fraction(0), 24)
    assert compute_entry_handicap(half_handicap_entry.person_pks, handicaps) == Fraction(
        3, 100
    )  # 0.025, rounded away from zero
    assert compute_entry_handicap(
        half_handicap_entry.person_pks, {3: Fraction(-1, 20)}
    ) == Fraction(-3, 100)


@pytest.mark.parametrize(
    ("evening_count", "expected_count"), [(4, 4), (5, 5), (6, 6), (7, 6), (9, 7), (15, 10)]
)
def test_one_result_is_dropped_for_every_two_above_five(
    evening_count: int, expected_count: int
) -> None:
    drop_rule = build_rule(drop_from=5, drop_every=2)
    (row,) = compute_ladder(
        [build_evening(1, key=f"e{n}") for n in range(evening_count)], drop_rule
    ).rows
    assert len(row.counted_indexes) == expected_count


def test_plus_ladder_of_best_results_requires_as_many_results() -> None:
    assert build_rule(measure="plus", best=5).minimum == 5
    assert build_rule(measure="plus").minimum == 1
    assert build_rule(measure="percent", best=5).minimum == 1
    assert build_rule(measure="plus", best=5, minimum=2).minimum == 2


def test_tie_breaks_apply_in_their_order() -> None:
    days = [
        build_evening(9, 5, 7, key="a", day="2026-01-01"),
        build_evening(1, 5, 3, key="b", day="2026-01-08"),
    ]
    ladder = compute_ladder(days, build_rule(measure="plus"))
    assert [(row.rank, row.is_tied) for row in ladder.ranked_rows] == [(1, True)] * 3
    ladder_by_singles = compute_ladder(days, build_rule(measure="plus", ties=["singles"]))
    assert [row.subject for row in ladder_by_singles.ranked_rows] == [(1,), (3,), (2,)]
    ladder_by_latest = compute_ladder(
        days, build_rule(measure="plus", ties=["played", "latest"])
    )
    assert [row.subject for row in ladder_by_latest.ranked_rows] == [(2,), (3,), (1,)]


@pytest.mark.parametrize(
    ("rule_changes", "setting"),
    [
        ({"best": 0}, "best"),
        ({"best": True}, "best"),
        ({"best": 2, "drop_from": 3, "drop_every": 1}, "best"),
        ({"drop_from": 0, "drop_every": 1}, "drop_from"),
        ({"drop_from": 3}, "drop_every"),
        ({"minimum": -1}, "minimum"),
        ({"points": [3, 4]}, "points"),
        ({"points": [3, -1]}, "points"),
        ({"points": ["x"]}, "points"),
        ({"points": None}, "points"),
        ({"measure": "luck"}, "measure"),
        ({"who": None}, "who"),
        ({"ties": ["singles", "singles"]}, "ties"),
        ({"least_part": "3/2"}, "least_part"),
        ({"across": 1}, "across"),
        ({"measure": "attendance", "handicaps": {1: Fraction(1)}}, "handicaps"),
        ({"who": "teams", "handicaps": {1: Fraction(1)}}, "handicaps"),
    ],
)
def test_invalid_rule_is_refused_with_name_of_setting(
    rule_changes: dict[str, Any], setting: str
) -> None:
    handicaps = rule_changes.pop("handicaps", None)
    usual = {"who": "players", "measure": "place", "points": [8, 6, 4], "combine": "sum"}
    faults = read_rule(usual | rule_changes, handicaps)
    assert isinstance(faults, list)
    assert setting in {fault.setting for fault in faults}
    assert all(isinstance(fault, RuleFault) and fault.message.endswith(".") for fault in faults)


values = st.lists(st.fractions(-5, 5, max_denominator=4), min_size=1, max_size=7)


@FEW_EXAMPLES
@given(values, st.integers(1, 8), st.sampled_from(["sum", "mean"]))
def test_best_k_results_are_optimal_choice(
    scores: list[Fraction], best: int, combine: str
) -> None:
    days = [build_evening(score, key=f"e{n}") for n, score in enumerate(scores)]
    (row,) = compute_ladder(
        days, build_rule(measure="plus", best=best, combine=combine, minimum=0)
    ).rows
    k = min(best, len(scores))
    sums = [sum(chosen_scores, Fraction()) for chosen_scores in combinations(scores, k)]
    assert row.total == max(sums) / (k if combine == "mean" else 1)


@FEW_EXAMPLES
@given(st.permutations(range(4)), st.permutations(range(5)))
def test_order_of_sessions_and_entries_does_not_matter(
    days: list[int], seats: list[int]
) -> None:
    def permute_evenings(order: list[int], places: list[int]) -> list[LadderEvening]:
        evenings = [
            build_evening(*((n * k) % 5 for k in range(1, 6)), key=f"e{n}") for n in order
        ]
        return [
            LadderEvening(evening.key, evening.day, tuple(evening.entries[n] for n in places))
            for evening in evenings
        ]

    rule = build_rule(best=3, ties=["singles", "latest"])
    first_ladder, ladder = (
        compute_ladder(permute_evenings([0, 1, 2, 3], [0, 1, 2, 3, 4]), rule),
        compute_ladder(permute_evenings(days, seats), rule),
    )
    assert {r.subject: (r.rank, r.is_tied, r.total) for r in first_ladder.rows} == {
        r.subject: (r.rank, r.is_tied, r.total) for r in ladder.rows
    }


@FEW_EXAMPLES
@given(
    st.lists(st.integers(0, 9), min_size=1, max_size=5),
    st.lists(st.integers(-3, 3), min_size=3, max_size=6),
    st.integers(1, 6),
)
def test_better_score_never_lowers_sum_of_points(
    table: list[int], scores: list[int], more: int
) -> None:
    rule = build_rule(points=sorted(table, reverse=True), best=2)
    total_before = list_totals(compute_ladder([build_evening(*scores)], rule))[1,]
    total_after = list_totals(
        compute_ladder([build_evening(scores[0] + more, *scores[1:])], rule)
    )[1,]
    assert total_after >= total_before


def test_total_and_value_are_explained_by_their_arithmetic() -> None:
    table = compute_ladder(
        [build_evening(5, 3, 3), build_evening(1, 4, key="f")], build_rule(combine="mean")
    )
    second_row = next(row for row in table.rows if row.subject == (2,))
    assert explain_total(second_row, table.rule) == "(8 + 5) : 2 = 6.5"
    assert (
        explain_value(second_row.evening_values[0], table.rule)
        == "Place =2/3: (6 + 4) : 2 = 5."
    )
    assert format_exact(Fraction(-22, 3)) == "−22/3"


@pytest.mark.parametrize(
    ("scores", "expected_text"),
    [
        ((9, 5, 5), "Place =2/3: (6 + 4) : 2 = 5."),
        ((9, 8, 5, 5), "Place =3/4: (4 + 0) : 2 = 2."),
        ((9, 5, 5, 5), "Place =2/4: (6 + 4 + 0) : 3 = 10/3."),
        ((9, 8, 7, 5, 5), "Place =4/5: (0 + 0) : 2 = 0."),
        ((9, 8, 7, 5), "Place 4/4: 0."),
    ],
)
def test_tied_places_without_points_add_zero_to_the_shared_points(
    scores: tuple[int, ...], expected_text: str
) -> None:
    rule = build_rule(points=[8, 6, 4])
    table = compute_ladder([build_evening(*scores)], rule)
    last_row = next(row for row in table.rows if row.subject == (len(scores),))
    assert explain_value(last_row.evening_values[0], rule) == expected_text


def test_ladder_rule_is_described_in_one_sentence() -> None:
    rule = describe_rule(build_rule(measure="percent", best=5, combine="mean", minimum=8))
    assert rule == (
        "Matchpoint percentage · average of the best 5 evenings · at least 8 evenings · "
        "at least 1/2 of an evening’s boards"
    )


def test_points_ladder_counts_one_game_unless_club_mixes_games() -> None:
    games = ("wiezen", "colour-whist", "wiezen")
    evenings = [
        replace(build_evening(10, -10, key=f"e{n}"), game_code=game)
        for n, game in enumerate(games)
    ]
    own_ladder = compute_ladder(evenings, build_rule(measure="score", points=None))
    assert list_totals(own_ladder) == {(1,): 20, (2,): -20}
    other_evening_value = own_ladder.rows[0].evening_values[1]
    assert explain_value(other_evening_value, own_ladder.rule).endswith(
        ": its points are for a different game."
    )
    assert (
        describe_games(own_ladder) == "Only evenings with the same game as the first one count."
    )
    mixed_ladder = compute_ladder(
        evenings, build_rule(measure="score", points=None, mix_games=True)
    )
    assert list_totals(mixed_ladder) == {(1,): 30, (2,): -30}
    assert describe_games(mixed_ladder).startswith("Points of different games are added.")
    places = compute_ladder(evenings, build_rule())
    assert (list_totals(places)[1,], describe_games(places)) == (24, "")
