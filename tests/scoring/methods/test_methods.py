import random
from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.methods import (
    METHODS_BY_NAME,
    Method,
    UnknownMethod,
    build_plain_line,
    find_method_for_contest,
    group_lines_by_deal,
    list_entries,
    list_methods,
    map_methods_by_code,
)
from scoring.methods.result_line import format_side, iter_result_sides
from server.translation import TranslatedField
from tests.scoring.methods.plays import draw_lines, with_few_examples

CONTESTS = {"pairs", "teams", "individual", "memory"}


@pytest.mark.parametrize("method", METHODS_BY_NAME.values(), ids=METHODS_BY_NAME)
def test_every_method_states_its_guarantee_and_source(method):
    assert method is METHODS_BY_NAME[method.name]
    assert all((method.title, method.unit, method.source, method.guarantee))
    assert set(method.contests) <= CONTESTS


def test_methods_with_the_same_code_share_label_and_explanation():
    """For tricks and for points alike; where both are offered, the text for tricks is used."""
    for method in METHODS_BY_NAME.values():
        methods_of_unit = [
            item
            for item in METHODS_BY_NAME.values()
            if item.is_in_points == method.is_in_points
        ]
        first_method = map_methods_by_code(methods_of_unit)[method.code]
        assert method.label == map_methods_by_code()[method.code].label
        assert (method.label, method.explanation) == (
            first_method.label,
            first_method.explanation,
        )


@pytest.mark.parametrize(
    "word", [field.name for field in fields(Method) if field.type is TranslatedField]
)
def test_method_record_requires_all_its_texts(word):
    method = METHODS_BY_NAME["tricks"]
    values_by_field = {field.name: getattr(method, field.name) for field in fields(Method)}
    assert Method(**values_by_field) == method
    del values_by_field[word]
    with pytest.raises(TypeError, match=f"missing 1 required keyword-only argument: '{word}'"):
        Method(**values_by_field)


VICTORY_POINTS = "victory_points"


@pytest.mark.parametrize(
    ("contest", "codes"),
    [
        (
            "pairs",
            [
                *["plus_minus", "matchpoints", "tricks", "matches"],
                "field_average",
                VICTORY_POINTS,
            ],
        ),
        ("teams", ["matches", "tricks", VICTORY_POINTS, "plus_minus"]),
        ("individual", ["plus_minus", "matchpoints", "tricks"]),
        ("memory", ["plus_minus", "tricks"]),
    ],
)
def test_contest_lists_its_usual_method_first(contest, codes):
    assert [method.code for method in list_methods(contest)] == codes


@pytest.mark.parametrize("contest", sorted(CONTESTS))
def test_every_contest_can_be_scored_by_plus_minus(contest):
    assert contest in find_method_for_contest(contest, "plus_minus").contests


@pytest.mark.parametrize(
    ("contest", "method_name", "expected_name"),
    [
        ("pairs", "matches", "matches"),
        ("teams", "matches", "team_matches"),
        ("teams", "tricks", "team_tricks"),
        ("memory", "plus_minus", "memory"),
        ("individual", "matchpoints", "matchpoints"),
    ],
)
def test_method_name_resolves_within_the_contest_of_the_event(
    contest, method_name, expected_name
):
    assert find_method_for_contest(contest, method_name).name == expected_name


def test_method_not_offered_for_the_contest_is_refused_with_a_list():
    with pytest.raises(
        UnknownMethod, match=r"matches doesn’t work for individual events. Choose"
    ):
        find_method_for_contest("individual", "matches")


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS_BY_NAME.values(), ids=METHODS_BY_NAME)
@with_few_examples
@given(drawn_lines=draw_lines(), seed=st.integers(0, 99))
def test_order_of_lines_and_entry_numbers_do_not_affect_scores(method, drawn_lines, seed):
    numbers = list(range(1, 9))
    random.Random(seed).shuffle(numbers)
    new_numbers = dict(zip(range(1, 9), numbers, strict=True))
    renumbered_lines = [
        line._replace(
            ns_entries=(new_numbers[line.ns_entries[0]],),
            ew_entries=(new_numbers[line.ew_entries[0]],),
        )
        for line in reversed(drawn_lines)
    ]

    assert method.score(renumbered_lines) == {
        new_numbers[entry]: score for entry, score in method.score(drawn_lines).items()
    }


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS_BY_NAME.values(), ids=METHODS_BY_NAME)
@with_few_examples
@given(drawn=draw_lines())
def test_every_entry_with_a_line_has_a_score(method, drawn):
    assert sorted(method.score(drawn)) == list_entries(drawn)


@with_few_examples
@given(draw_lines())
def test_every_line_is_grouped_by_its_deal(drawn):
    lines_by_deal = group_lines_by_deal(drawn)

    assert sum(map(len, lines_by_deal.values())) == len(drawn)
    assert all(
        line.deal_number == deal
        for deal, deal_lines in lines_by_deal.items()
        for line in deal_lines
    )


def test_both_sides_of_a_line_sum_to_thirteen():
    ns, ew = iter_result_sides([build_plain_line(3, (1,), (2,), 8)])

    assert (ns.entries, ns.opponents, ns.tricks) == ((1,), (2,), 8)
    assert (ew.entries, ew.opponents, ew.tricks) == ((2,), (1,), 5)
    assert [format_side(ns.side), format_side(ew.side)] == ["N-S", "E-W"]
