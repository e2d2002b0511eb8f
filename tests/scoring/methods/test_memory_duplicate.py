from hypothesis import given
from hypothesis import strategies as st

from scoring.methods import averaged, played
from scoring.methods.memory import METHOD, memory, parts
from scoring.methods.plus_minus import plus_minus
from scoring.methods.steps import PLAINLY, tell_all
from tests.scoring.methods.plays import lines, modestly

ORIGINAL = played(1, (1, 3), (2, 4), 6)
OVERPLAY = played(1, (2, 4), (1, 3), 8)._replace(overplay=True)


def test_the_gain_of_an_overplay_goes_to_both_partners_and_off_both_opponents():
    assert memory([ORIGINAL, OVERPLAY]) == {1: -2, 2: 2, 3: -2, 4: 2}


def test_a_deal_without_an_original_or_with_an_average_gives_nothing():
    spoiled = averaged(2, (1, 3), (2, 4))
    again = played(2, (2, 4), (1, 3), 9)._replace(overplay=True)
    alone = played(3, (2, 4), (1, 3), 9)._replace(overplay=True)
    late = averaged(1, (2, 4), (1, 3))._replace(overplay=True)

    assert set(memory([spoiled, again, alone]).values()) == {0}
    assert parts([ORIGINAL, late]) == [(0, 0), (0, 0)]


def test_overplays_are_measured_by_the_first_play():
    second = played(1, (1, 3), (2, 4), 13)

    assert memory([ORIGINAL, second, OVERPLAY])[2] == 2


def test_the_explanation_sets_each_overplay_beside_its_original():
    alone = played(3, (2, 4), (1, 3), 9)._replace(overplay=True)

    assert tell_all(METHOD.explain([ORIGINAL, OVERPLAY, alone], 1), PLAINLY) == [
        "-2 is what the overplays gained over the originals.",
        "Deal 1, the N-S cards: the original play.",
        "Deal 1, the E-W cards: took 5, where the original play took 7: -2.",
        "Deal 3, the E-W cards: there are no two scores to compare.",
    ]
    assert tell_all(METHOD.explain([ORIGINAL, OVERPLAY], 2), PLAINLY)[2] == (
        "Deal 1, the N-S cards: took 8, where the original play took 6: +2."
    )


@modestly
@given(st.lists(st.tuples(st.integers(0, 13), st.integers(0, 13)), max_size=8))
def test_with_every_deal_turned_once_it_is_the_plus_and_minus_of_the_deals(scores):
    event = [
        line
        for deal, (first, second) in enumerate(scores, 1)
        for line in (
            played(deal, (1, 3), (2, 4), first),
            played(deal, (2, 4), (1, 3), second)._replace(overplay=True),
        )
    ]

    assert memory(event) == plus_minus(event)


@modestly
@given(lines(partners=True, splits=False), st.lists(st.booleans(), min_size=12, max_size=12))
def test_all_gains_add_to_nothing(drawn, later):
    event = [line._replace(overplay=over) for line, over in zip(drawn, later, strict=False)]

    assert sum(memory(event).values()) == 0


def test_a_split_score_gains_each_side_what_was_set_for_it() -> None:
    split = OVERPLAY._replace(ns_tricks=ORIGINAL.ns_tricks, ew_tricks=ORIGINAL.ew_tricks - 4)
    lines_ = [ORIGINAL, split]
    assert parts(lines_)[1] == (0, -4)
    for entry in split.ew:
        assert memory(lines_)[entry] == METHOD.explainer(lines_)(entry).amount == -4
