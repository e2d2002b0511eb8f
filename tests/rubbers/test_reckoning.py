"""Games, rubbers, unfinished rubbers and corrections: everything is computed from the hands."""

import random
from itertools import product

import pytest

from rubbers.rubber.codes import CODES
from rubbers.rubber.corrections import CorrectionSpan, find_correction_span
from rubbers.rubber.errors import UnplayableHand, UnreadableRubber
from rubbers.rubber.hands import Hand, Penalty, Revoke, Side, SideCounts
from rubbers.rubber.spell_score import (
    UnfinishedRubber,
    compute_unfinished,
    replace_hand,
    score_hands,
)
from rubbers.rubber.terms import change_terms, to_data

POLE, ENGLISH, LEAGUE, LONG = (each.terms for each in CODES.values())
A, B = Side


def took(tricks):
    """Return a hand of this many tricks for side A, and nothing else."""
    return Hand(tricks=SideCounts(tricks, 13 - tricks))


def game(winner, losers):
    """Return a game of five: the losers' odd tricks first, then thirteen by the winners."""
    hands = [took(7 - losers), took(13)] if losers else [took(13)]
    return hands if winner is A else [took(13 - hand.tricks.a) for hand in hands]


def played(*games):
    return score_hands(POLE, [hand for each in games for hand in game(*each)])


def test_two_trebles_are_a_bumper_and_two_singles_less_a_treble_are_one_point():
    assert played((A, 0), (A, 0)).rubbers[0].points == 8
    least = played((A, 4), (B, 0), (A, 3))
    assert [each.value for each in least.games] == [1, 3, 1]
    assert (least.rubbers[0].winner, least.rubbers[0].points) == (A, 1)


def test_every_rubber_is_worth_one_to_eight():
    worth = {0: 3, 1: 2, 2: 2, 3: 1, 4: 1}
    found = set()
    for winners in ((A, A), (B, B), (A, B, A), (A, B, B), (B, A, A), (B, A, B)):
        for losers in product(range(5), repeat=len(winners)):
            reckoning = played(*zip(winners, losers, strict=True))
            won, off = 0, 0
            for winner, score in zip(winners, losers, strict=True):
                if winner is winners[-1]:
                    won += worth[score]
                else:
                    off += worth[score]
            (rubber,) = reckoning.rubbers
            assert rubber.winner is winners[-1]
            assert rubber.points == won - off + 2
            assert len(rubber.games) == len(winners)
            assert (reckoning.score, reckoning.unfinished_games) == (SideCounts(), ())
            found.add(rubber.points)
    assert found == set(range(1, 9))


def test_a_hand_after_a_rubber_begins_the_next_and_what_is_over_is_lost():
    reckoning = score_hands(POLE, [took(13), took(12), took(9)])
    assert [scored.score for scored in reckoning.hands] == [(5, 0), (5, 0), (3, 0)]
    assert [bool(scored.rubber) for scored in reckoning.hands] == [False, True, False]
    assert reckoning.score == SideCounts(3, 0)


def test_the_league_counts_seven_less_the_losers_and_knows_no_rubber():
    reckoning = score_hands(LEAGUE, [took(5), took(13), took(13)])
    assert [(each.losers, each.value) for each in reckoning.games] == [(2, 5), (0, 7)]
    assert (reckoning.rubbers, reckoning.unfinished_games) == ((), ())


def test_long_whist_counts_games():
    reckoning = score_hands(LONG, [took(13), took(9), took(1), took(13), took(13)])
    assert [each.value for each in reckoning.games] == [None, None]
    (rubber,) = reckoning.rubbers
    assert (rubber.winner, len(rubber.games), rubber.points) == (A, 2, None)


def test_an_unfinished_rubber_counts_its_games_without_bonus_or_nothing():
    level, ahead, none = played((A, 0), (B, 0)), played((A, 0), (B, 1)), played((A, 0), (A, 0))
    assert compute_unfinished(POLE, level) == UnfinishedRubber(None, 2, 0)
    assert compute_unfinished(POLE, ahead) == UnfinishedRubber(A, 2, 1)
    assert compute_unfinished(POLE, none) is None
    assert compute_unfinished(change_terms(POLE, {"unfinished": "void"}), ahead) is None
    assert compute_unfinished(LONG, score_hands(LONG, [took(13), took(9)])) == UnfinishedRubber(
        A, 1, None
    )
    assert compute_unfinished(LEAGUE, score_hands(LEAGUE, [took(13)])) is None


def test_terms_are_changed_one_by_one():
    assert score_hands(change_terms(POLE, {"game": 7}), [took(12)]).score == SideCounts(6, 0)
    assert score_hands(change_terms(POLE, {"bonus": 4}), [took(13)] * 2).rubbers[0].points == 10
    assert (
        score_hands(change_terms(LEAGUE, {"best_of": 3}), [took(13)] * 2).rubbers[0].points
        == 14
    )
    kept = change_terms(POLE, {"losers_off": False})
    assert score_hands(kept, [took(13), took(0), took(13)]).rubbers[0].points == 8
    for terms in (POLE, ENGLISH, LEAGUE, LONG):
        assert change_terms(POLE, to_data(terms)) == terms


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"gaem": 7}, "setting “gaem” not found"),
        ({"game": 0}, "game: 0 is out of range. Enter a whole number from 1 to 100"),
        ({"game": True}, "game: true isn't a whole number"),
        ({"game": 5.0}, "game: 5.0 isn't a whole number"),
        ({"bonus": None}, "bonus: This is missing"),
        (
            {"honours_bar": -1},
            "honours_bar: -1 is out of range. Enter a whole number from 0 to 100",
        ),
        ({"best_of": 2}, "best_of: enter an odd number from 1 to 9, or null"),
        ({"losers_off": 1}, "losers_off: 1 isn't true or false"),
        ({"worth": "bridge"}, "worth: “bridge” isn't known. Enter treble or margin or games"),
        ({"penalties": []}, "penalties: The list is empty"),
        ({"penalties": ["plus", "plus"]}, r"penalties\[1\]: “plus” appears twice"),
        ({"penalties": ["dinner"]}, r"penalties\[0\]: “dinner” isn't known"),
    ],
)
def test_a_term_that_nobody_can_play_by_is_refused(changes, words):
    with pytest.raises(UnplayableHand, match=words):
        change_terms(POLE, changes)


# Corrections.


def nights(number):
    """Return random nights of short whist, the same in every run."""
    chance = random.Random("rubber")
    for _ in range(number):
        yield [
            Hand(
                tricks=SideCounts(tricks, 13 - tricks),
                honours=chance.choice([SideCounts(), SideCounts(3, 1), SideCounts(0, 4)]),
                revokes=chance.choice([(), (), (Revoke(chance.choice([A, B]), Penalty.PLUS),)]),
            )
            for tricks in chance.choices(range(14), k=chance.randint(1, 20))
        ]


def test_a_correction_and_its_undo_give_the_same_rubber():
    for hands in nights(60):
        before = score_hands(POLE, hands)
        for number in range(1, len(hands) + 1):
            put_right = replace_hand(hands, number, took(8))
            after = score_hands(POLE, put_right)
            assert after.hands[: number - 1] == before.hands[: number - 1]
            assert (
                score_hands(POLE, replace_hand(put_right, number, hands[number - 1])) == before
            )


def test_every_beginning_of_a_night_stands_as_it_stood():
    for hands in nights(20):
        whole = score_hands(POLE, hands)
        for end in range(len(hands)):
            assert score_hands(POLE, hands[:end]).hands == whole.hands[:end]


def test_a_correction_that_makes_a_later_hand_impossible_names_that_hand():
    hands = [took(13), took(7), Hand(called=A)]
    score_hands(LONG, hands)
    with pytest.raises(UnreadableRubber, match="hand 3: side A can call only at 8, not at 7"):
        score_hands(LONG, replace_hand(hands, 2, took(6)))
    with pytest.raises(UnreadableRubber, match="hand 4: hand not found"):
        replace_hand(hands, 4, took(6))


def test_a_game_is_put_right_until_the_next_turn_up_and_a_rubber_until_its_end():
    def spans(hands, *, turned=False, terms=POLE):
        reckoning = score_hands(terms, hands)
        numbers = range(1, len(hands) + 1)
        return [
            find_correction_span(reckoning, number, is_turned_up=turned).value
            for number in numbers
        ]

    assert spans([took(9), took(7)], turned=True) == ["game", "game"]
    assert spans([took(9), took(13)]) == ["game", "game"]
    assert spans([took(9), took(13)], turned=True) == ["rubber", "rubber"]
    assert spans([took(13), took(8)]) == ["rubber", "game"]
    assert spans([took(13), took(13)]) == ["rubber", "game"]
    assert spans([took(13), took(13)], turned=True) == ["organiser", "organiser"]
    assert spans([took(13), took(13), took(7)]) == ["organiser", "organiser", "game"]
    assert spans([took(13), took(7)], terms=LEAGUE) == ["organiser", "game"]
    assert CorrectionSpan("organiser") is CorrectionSpan.ORGANISER
