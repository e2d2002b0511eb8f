import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.methods import averaged, entries_of, played
from scoring.methods.matches import METHOD, matches, net_tricks, played_matches
from scoring.methods.steps import PLAINLY, tell_all
from tests.scoring.methods.plays import F, compass, lines, modestly

A, B, C, D = 1, 2, 3, 4

# Four pairs at two tables, three sets (Foster, Complete Hoyle), two deals of each set:
#   set 1: b v a, d v c;  set 2: c v a, b v d;  set 3: d v a, c v b  (N-S first)
#   matches in set 1: b-d and a-c; in set 2: c-b and a-d; in set 3: d-c and a-b
FOUR_PAIRS = [
    played(1, (B,), (A,), 7),
    played(1, (D,), (C,), 5),  # b 2 ahead of d, c 2 ahead of a
    played(2, (B,), (A,), 6),
    played(2, (D,), (C,), 7),  # d 1 ahead of b, a 1 ahead of c
    played(3, (C,), (A,), 8),
    played(3, (B,), (D,), 8),  # level: c and b, a and d
    played(4, (D,), (A,), 3),
    played(4, (C,), (B,), 7),  # c 4 ahead of d, a 4 ahead of b
]


def test_a_match_lies_between_the_pairs_that_held_the_same_cards():
    found = {(match.first, match.second): match.net for match in played_matches(FOUR_PAIRS)}

    assert found == {(A, B): 4, (A, C): -1, (A, D): 0, (B, C): 0, (B, D): 1, (C, D): 4}


def test_a_level_match_counts_a_half_to_each():
    assert matches(FOUR_PAIRS) == {A: F(3, 2), B: F(3, 2), C: F(5, 2), D: F(1, 2)}


def test_net_tricks_are_those_ahead_over_all_matches():
    assert net_tricks(FOUR_PAIRS) == {A: 3, B: -3, C: 5, D: -5}


def test_an_average_is_left_out_of_the_match():
    event = [*FOUR_PAIRS, averaged(5, (A,), (B,)), played(5, (C,), (D,), 13)]

    assert matches(event) == matches(FOUR_PAIRS)


def test_two_matches_between_the_same_pairs_are_kept_apart_by_their_number():
    event = [
        played(1, (A,), (B,), 8)._replace(match=1),
        played(1, (C,), (D,), 7)._replace(match=1),
        played(2, (A,), (B,), 4)._replace(match=2),
        played(2, (C,), (D,), 9)._replace(match=2),
    ]

    assert [match.key for match in played_matches(event) if match.first == A] == [1, 2]
    assert matches(event)[A] == 1


def test_nobody_has_a_match_with_himself():
    assert played_matches([played(1, (A,), (B,), 8), played(1, (A,), (D,), 7)]) == [
        (B, D, 0, 1, -1)
    ]


@modestly
@given(lines())
def test_all_scores_add_to_the_number_of_matches(drawn):
    assert sum(matches(drawn).values()) == len(played_matches(drawn))


@modestly
@given(lines())
def test_all_net_tricks_add_to_nothing(drawn):
    assert sum(net_tricks(drawn).values()) == 0


def test_the_explanation_lists_every_match():
    assert tell_all(METHOD.explain(FOUR_PAIRS, C), PLAINLY) == [
        "5/2 of 3 matches; a level match counts a half.",
        "Against 1, 2 deals of the same cards: +1, worth 1.",
        "Against 2, 1 deal of the same cards: 0, worth 1/2.",
        "Against 4, 1 deal of the same cards: +4, worth 1.",
    ]


def played_out(drawn):
    """Compute the method literally, match by match: slow, and easy to verify."""
    scores = dict.fromkeys(entries_of(drawn), F())
    for match in played_matches(drawn):
        scores[match.first] += (F(match.net > 0) * 2 + (match.net == 0)) / 2
        scores[match.second] += (F(match.net < 0) * 2 + (match.net == 0)) / 2
    return scores


@pytest.mark.slow
@given(lines(), st.lists(st.integers(0, 1), min_size=12, max_size=12))
def test_counting_by_totals_agrees_with_playing_every_match_out(drawn, keys):
    event = [it._replace(match=key) for it, key in zip(drawn, keys, strict=False)]

    assert matches(event) == played_out(event)


@modestly
@given(compass(), st.sets(st.integers(0, 20), max_size=3))
def test_a_compass_with_averages_agrees_with_playing_every_match_out(drawn, spoiled):
    _tables, event = drawn
    event = [
        averaged(it.deal, it.ns, it.ew) if index in spoiled else it
        for index, it in enumerate(event)
    ]

    assert matches(event) == played_out(event)


@pytest.mark.slow
@given(lines(partners=True))
def test_partners_match_the_others_that_held_their_cards(drawn):
    assert matches(drawn) == played_out(drawn)
    nets = dict.fromkeys(entries_of(drawn), F())
    for match in played_matches(drawn):
        nets[match.first] += match.net
        nets[match.second] -= match.net
    assert net_tricks(drawn) == nets


@pytest.mark.slow
@given(lines(), st.sets(st.integers(1, 8)))
def test_the_matches_among_some_are_those_of_all_that_lie_between_two_of_them(drawn, some):
    assert played_matches(drawn, among=some) == [
        it for it in played_matches(drawn) if {it.first, it.second} <= some
    ]


@pytest.mark.slow
@given(lines())
def test_an_entry_s_explanation_has_its_matches_and_no_others(drawn):
    for entry in entries_of(drawn):
        mine = [it for it in played_matches(drawn) if entry in (it.first, it.second)]
        told = METHOD.explain(drawn, entry)
        assert len(told.parts) == len(mine)
        assert told.amount == matches(drawn)[entry]


def test_a_thousand_pairs_are_counted_without_listing_their_matches(monkeypatch):
    def refuse(*_args, **_kinds):
        raise AssertionError("half a million matches were listed")

    monkeypatch.setattr("scoring.methods.matches.played_matches", refuse)
    event = [
        played(deal, (table,), (500 + table,), (deal * table) % 14)
        for table in range(1, 501)
        for deal in range(1, 5)
    ]

    assert sum(matches(event).values()) == 2 * 500 * 499 // 2
