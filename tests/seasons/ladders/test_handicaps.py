"""Test handicaps from evenings: the book's example, caps, newcomers, dates, properties."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seasons.ladders.rules import (
    LadderEntry,
    LadderEvening,
    LadderRule,
    compute_ladder,
    read_rule,
)
from seasons.ladders.rules.handicaps import (
    HANDICAP_FROM_DIRECTOR,
    HANDICAP_FROM_EVENINGS,
    HANDICAP_TOO_FEW_RESULTS,
    DatedHandicap,
    EveningResult,
    HandicapTerms,
    collect_results,
    compute_entry_handicap,
    compute_field_handicaps,
    compute_handicap,
    rank_entries_with_handicaps,
    read_terms,
    serialize_terms,
    subtract_months,
)

FEW_EXAMPLES = settings(max_examples=30)


def build_terms(**settled: Any) -> HandicapTerms:
    terms = read_terms(settled)
    assert isinstance(terms, HandicapTerms), terms
    return terms


def build_evening_results(*values: Fraction | int, month: int = 3) -> list[EveningResult]:
    """Return an evening a day from the first of a month."""
    return [
        EveningResult(f"2026-{month:02d}-{day:02d}", f"e{day}", "Tuesday", Fraction(value))
        for day, value in enumerate(values, start=1)
    ]


def build_evening(
    *rows: tuple[tuple[int, ...], int, int, str], **options: Any
) -> LadderEvening:
    """Return an evening of entries with people, plus, boards and handicap."""
    entries = [
        LadderEntry(
            people, Fraction(plus), boards, plus=Fraction(plus), handicap=Fraction(handicap)
        )
        for people, plus, boards, handicap in rows
    ]
    return LadderEvening("e", "2026-04-07", tuple(entries), **options)


def test_example_pair_gets_six_hundredths_per_board() -> None:
    """m −1/4 and +1/10: +0.20 and −0.08, the pair +0.06, over 24 boards +1.44."""
    weak_handicap = compute_handicap(
        build_evening_results(*[Fraction(-1, 4)] * 5), "2026-04-07", build_terms()
    )
    strong_handicap = compute_handicap(
        build_evening_results(*[Fraction(1, 10)] * 5), "2026-04-07", build_terms()
    )
    assert (weak_handicap.value, strong_handicap.value) == (Fraction(1, 5), Fraction(-2, 25))
    pair = compute_entry_handicap((1, 2), {1: weak_handicap.value, 2: strong_handicap.value})
    assert pair == Fraction(6, 100)
    (line,) = rank_entries_with_handicaps(build_evening(((1, 2), 3, 24, "3/50")), "plus")
    assert line.total == 3 + Fraction(144, 100)


def test_handicap_uses_latest_ten_results_of_twelve_months_and_needs_five() -> None:
    early_results = build_evening_results(*[-9] * 5, month=1)
    late_results = build_evening_results(*[Fraction(1, 8)] * 10)
    own_handicap = compute_handicap(
        [*early_results, *late_results], "2026-03-11", build_terms()
    )
    assert (own_handicap.mean, len(own_handicap.used_results)) == (Fraction(1, 8), 10)
    assert own_handicap.value == Fraction(-1, 10)
    assert (
        compute_handicap(late_results[:4], "2026-03-11", build_terms()).source_code
        == HANDICAP_TOO_FEW_RESULTS
    )
    assert (
        compute_handicap(late_results[:5], "2026-03-11", build_terms()).source_code
        == HANDICAP_FROM_EVENINGS
    )
    assert (
        compute_handicap(late_results[:5], "2026-03-05", build_terms()).source_code
        == HANDICAP_TOO_FEW_RESULTS
    )  # its own date is excluded
    assert (
        compute_handicap(late_results[:5], "2027-03-01", build_terms()).source_code
        == HANDICAP_FROM_EVENINGS
    )
    assert (
        compute_handicap(late_results[:5], "2027-03-02", build_terms()).source_code
        == HANDICAP_TOO_FEW_RESULTS
    )


def test_handicap_applies_cap_manual_value_and_newcomer_rules() -> None:
    weeks = build_evening_results(*[-3] * 6)
    assert compute_handicap(weeks, "2026-04-07", build_terms()).value == Fraction(1, 2)
    assert compute_handicap(weeks, "2026-04-07", build_terms()).uncapped_value == Fraction(
        12, 5
    )
    good_results = build_evening_results(*[3] * 6)
    assert compute_handicap(
        good_results, "2026-04-07", build_terms(cap="1/4")
    ).value == Fraction(-1, 4)
    hand = compute_handicap(weeks, "2026-04-07", build_terms(), Fraction(1, 3))
    assert (hand.value, hand.source_code) == (Fraction(1, 3), HANDICAP_FROM_DIRECTOR)
    results_by_person = {1: weeks, 2: good_results}
    field_handicaps = compute_field_handicaps(
        [1, 2, 3], results_by_person, "2026-04-07", build_terms(newcomers="largest"), {}
    )
    assert field_handicaps[3] == DatedHandicap(
        Fraction(1, 2), HANDICAP_TOO_FEW_RESULTS, uncapped_value=Fraction(1, 2)
    )
    field_handicaps = compute_field_handicaps(
        [1, 2, 3], results_by_person, "2026-04-07", build_terms(), {}
    )
    assert field_handicaps[3].value == 0


def test_largest_handicap_of_the_field_counts_only_experienced_players() -> None:
    terms = build_terms(newcomers="largest")
    weak_newcomer_results = build_evening_results(*[-3] * 4)
    known = {1: build_evening_results(*[Fraction(1, 8)] * 5), 2: weak_newcomer_results}
    handicaps = compute_field_handicaps([1, 2], known, "2026-04-07", terms, {})
    assert handicaps[1].value == Fraction(-1, 10)
    assert handicaps[2] == DatedHandicap(
        Fraction(-1, 10),
        HANDICAP_TOO_FEW_RESULTS,
        Fraction(-3),
        tuple(weak_newcomer_results),
        Fraction(-1, 10),
    )
    newcomer_handicaps = compute_field_handicaps([2, 3], known, "2026-04-07", terms, {})
    assert [handicap.value for handicap in newcomer_handicaps.values()] == [0, 0]
    by_hand = compute_field_handicaps([2, 3], known, "2026-04-07", terms, {3: Fraction(2)})
    assert [handicap.value for handicap in by_hand.values()] == [2, 2]


def test_per_cent_handicap_has_par_fifty_and_cap_ten() -> None:
    own_handicap = compute_handicap(
        build_evening_results(*[55] * 5), "2026-04-07", build_terms(figure="percent")
    )
    assert own_handicap.value == -4
    handicap = compute_handicap(
        build_evening_results(*[20] * 5), "2026-04-07", build_terms(figure="percent", share=1)
    )
    assert handicap.value == 10


def test_session_played_less_than_half_does_not_count_for_handicap() -> None:
    ladder_evening = build_evening(((1,), 4, 24, "0"), ((2,), 4, 11, "0"), contest="individual")
    assert set(collect_results([ladder_evening], "plus")) == {1}
    assert not collect_results([build_evening(((1,), 4, 24, "0"), contest="drive")], "plus")


def test_entry_with_sit_out_is_ranked_by_tricks_per_board() -> None:
    lines = rank_entries_with_handicaps(
        build_evening(((1, 2), 4, 24, "0"), ((3, 4), 2, 20, "1/10"), ((5, 6), 4, 20, "0")),
        "plus",
    )
    actual = [(line.entry.person_pks[0], line.rank, line.is_tied) for line in lines]
    assert actual == [(3, 1, True), (5, 1, True), (1, 3, False)]


@pytest.mark.parametrize(
    ("fields", "expected_fields"),
    [
        (["BEW", "C", "AEW", "BNS", "ANS"], ["ANS", "AEW", "BNS", "BEW", "C"]),
        (["EW", "NS"], ["NS", "EW"]),
        ([], []),
    ],
)
def test_fields_are_listed_by_section_with_north_south_first(
    fields: list[str], expected_fields: list[str]
) -> None:
    entries = tuple(
        LadderEntry(
            (person,), Fraction(person), 24, ranked_group_code=field, plus=Fraction(person)
        )
        for person, field in enumerate(fields, start=1)
    )
    lines = rank_entries_with_handicaps(LadderEvening("e", "2026-04-07", entries), "plus")
    assert [(line.entry.ranked_group_code, line.rank) for line in lines] == [
        (field, 1) for field in expected_fields
    ]


@pytest.mark.parametrize(
    ("terms_data", "setting"),
    [
        ({"figure": "score"}, "figure"),
        ({"share": "6/5"}, "share"),
        ({"share": "much"}, "share"),
        ({"cap": -1}, "cap"),
        ({"last": 0}, "last"),
        ({"last": True}, "last"),
        ({"last": 101}, "last"),
        ({"months": 1.5}, "months"),
        ({"months": 0}, "months"),
        ({"months": 61}, "months"),
        ({"least": 0}, "least"),
        ({"least": "5"}, "least"),
        ({"least": 11}, "least"),
        ({"least": 101}, "least"),
        ({"last": 100, "least": 101}, "least"),
        ({"last": 4}, "least"),
        ({"newcomers": "best"}, "newcomers"),
        ({"bonus": 1}, "bonus"),
    ],
)
def test_invalid_handicap_terms_are_refused(terms_data: dict[str, Any], setting: str) -> None:
    faults = read_terms(terms_data)
    assert isinstance(faults, list)
    assert [fault.setting for fault in faults] == [setting]


@pytest.mark.parametrize(
    "terms_data",
    [{"last": 100, "months": 60, "least": 100}, {"last": 1, "months": 1, "least": 1}],
)
def test_smallest_and_largest_numbers_of_evenings_and_months_are_accepted(
    terms_data: dict[str, int],
) -> None:
    assert build_terms(**terms_data) == HandicapTerms(**terms_data)


def test_handicap_terms_round_trip_through_json() -> None:
    for terms in (
        build_terms(),
        build_terms(figure="percent", share="2/3", newcomers="largest"),
    ):
        assert read_terms(serialize_terms(terms)) == terms


@pytest.mark.parametrize(
    ("rule", "season"),
    [
        ({"measure": "plus"}, ""),
        ({"measure": "plus"}, "percent"),
        ({"measure": "percent"}, "plus"),
        ({"measure": "attendance"}, "plus"),
        ({"measure": "plus", "who": "teams"}, "plus"),
    ],
)
def test_ladder_accepts_only_matching_handicap(rule: dict[str, Any], season: str) -> None:
    base_rule = {"who": "players", "combine": "sum", "handicap": True}
    faults = read_rule(base_rule | rule, None, season)
    assert isinstance(faults, list)
    assert [fault.setting for fault in faults] == ["handicap"]


def test_place_and_plus_ladders_use_handicaps_of_the_season() -> None:
    played = build_evening(((1, 2), 4, 20, "0"), ((3, 4), 3, 20, "1/10"))
    usual = {"who": "pairs", "combine": "sum", "handicap": True}
    plus = read_rule(usual | {"measure": "plus"}, None, "plus")
    place = read_rule(usual | {"measure": "place", "points": [2, 1]}, None, "plus")
    assert isinstance(plus, LadderRule)
    assert isinstance(place, LadderRule)
    assert [row.total for row in compute_ladder([played], plus).ranked_rows] == [5, 4]
    assert compute_ladder([played], place).ranked_rows[0].subject == (3, 4)


@FEW_EXAMPLES
@given(st.integers(0, 60), st.dates())
def test_months_before_subtracts_calendar_months(months: int, day: Any) -> None:
    if day.year < 10:
        return
    actual = subtract_months(day.isoformat(), months)
    year, month, day_of_month = map(int, actual.split("-"))
    assert year * 12 + month == day.year * 12 + day.month - months
    assert day_of_month == day.day or (day_of_month < day.day and day_of_month >= 28)


@pytest.mark.slow
@FEW_EXAMPLES
@given(st.lists(st.fractions(-2, 2, max_denominator=24), min_size=5, max_size=12))
def test_better_result_never_raises_handicap(values: list[Fraction]) -> None:
    handicap_before = compute_handicap(
        build_evening_results(*values), "2026-04-07", build_terms()
    ).value
    handicap_after = compute_handicap(
        build_evening_results(*values[:-1], values[-1] + 1), "2026-04-07", build_terms()
    ).value
    assert handicap_after <= handicap_before
    assert abs(handicap_before) <= Fraction(1, 2)
