"""Games, rubbers, unfinished rubbers and corrections: everything is computed from the hands."""

import random
from itertools import product

import pytest

from rubbers.rubber.codes import LAW_CODES_BY_NAME
from rubbers.rubber.corrections import CorrectionStage, find_correction_stage
from rubbers.rubber.errors import UnplayableHand, UnreadableRubber
from rubbers.rubber.hands import Hand, Penalty, Revoke, Side, SideCounts
from rubbers.rubber.spell_score import (
    UnfinishedRubberValue,
    compute_unfinished_rubber,
    replace_hand,
    score_hands,
)
from rubbers.rubber.terms import build_terms_data, change_terms

POLE_TERMS, ENGLISH_TERMS, LEAGUE_TERMS, LONG_TERMS = (
    item.terms for item in LAW_CODES_BY_NAME.values()
)
A, B = Side


def build_hand(tricks):
    """Return a hand of this many tricks for side A, and nothing else."""
    return Hand(tricks=SideCounts(tricks, 13 - tricks))


def build_game(winner, losers_score):
    """Return a game of five: the losers' odd tricks first, then thirteen by the winners."""
    hands = [build_hand(7 - losers_score), build_hand(13)] if losers_score else [build_hand(13)]
    return hands if winner is A else [build_hand(13 - hand.tricks.a) for hand in hands]


def score_games(*games):
    return score_hands(POLE_TERMS, [hand for game in games for hand in build_game(*game)])


def test_two_trebles_are_a_bumper_and_two_singles_against_a_treble_one_point():
    assert score_games((A, 0), (A, 0)).rubbers[0].points == 8
    games = score_games((A, 4), (B, 0), (A, 3))
    assert [game.value for game in games.games] == [1, 3, 1]
    assert (games.rubbers[0].winner, games.rubbers[0].points) == (A, 1)


def test_every_rubber_is_worth_one_to_eight_points():
    game_values = {0: 3, 1: 2, 2: 2, 3: 1, 4: 1}
    points = set()
    for winners in ((A, A), (B, B), (A, B, A), (A, B, B), (B, A, A), (B, A, B)):
        for losers in product(range(5), repeat=len(winners)):
            reckoning = score_games(*zip(winners, losers, strict=True))
            won, lost_points = 0, 0
            for winner, score in zip(winners, losers, strict=True):
                if winner is winners[-1]:
                    won += game_values[score]
                else:
                    lost_points += game_values[score]
            (rubber,) = reckoning.rubbers
            assert rubber.winner is winners[-1]
            assert rubber.points == won - lost_points + 2
            assert len(rubber.games) == len(winners)
            assert (reckoning.score, reckoning.unfinished_games) == (SideCounts(), ())
            points.add(rubber.points)
    assert points == set(range(1, 9))


def test_hand_after_a_rubber_starts_the_next_and_surplus_points_are_lost():
    reckoning = score_hands(POLE_TERMS, [build_hand(13), build_hand(12), build_hand(9)])
    assert [scored_hand.score for scored_hand in reckoning.hands] == [(5, 0), (5, 0), (3, 0)]
    assert [bool(scored_hand.won_rubber) for scored_hand in reckoning.hands] == [
        False,
        True,
        False,
    ]
    assert reckoning.score == SideCounts(3, 0)


def test_league_game_counts_seven_minus_losers_score_without_rubbers():
    reckoning = score_hands(LEAGUE_TERMS, [build_hand(5), build_hand(13), build_hand(13)])
    assert [(game.losers_score, game.value) for game in reckoning.games] == [(2, 5), (0, 7)]
    assert (reckoning.rubbers, reckoning.unfinished_games) == ((), ())


def test_long_whist_counts_games():
    reckoning = score_hands(
        LONG_TERMS,
        [build_hand(13), build_hand(9), build_hand(1), build_hand(13), build_hand(13)],
    )
    assert [game.value for game in reckoning.games] == [None, None]
    (rubber,) = reckoning.rubbers
    assert (rubber.winner, len(rubber.games), rubber.points) == (A, 2, None)


def test_unfinished_rubber_counts_its_games_without_bonus_or_not_at_all():
    tied_rubber, games, finished_rubber = (
        score_games((A, 0), (B, 0)),
        score_games((A, 0), (B, 1)),
        score_games((A, 0), (A, 0)),
    )
    assert compute_unfinished_rubber(POLE_TERMS, tied_rubber) == UnfinishedRubberValue(
        None, 2, 0
    )
    assert compute_unfinished_rubber(POLE_TERMS, games) == UnfinishedRubberValue(A, 2, 1)
    assert compute_unfinished_rubber(POLE_TERMS, finished_rubber) is None
    assert (
        compute_unfinished_rubber(change_terms(POLE_TERMS, {"unfinished": "void"}), games)
        is None
    )
    assert compute_unfinished_rubber(
        LONG_TERMS, score_hands(LONG_TERMS, [build_hand(13), build_hand(9)])
    ) == UnfinishedRubberValue(A, 1, None)
    assert (
        compute_unfinished_rubber(LEAGUE_TERMS, score_hands(LEAGUE_TERMS, [build_hand(13)]))
        is None
    )


def test_each_scoring_term_can_be_changed_separately():
    assert score_hands(
        change_terms(POLE_TERMS, {"game": 7}), [build_hand(12)]
    ).score == SideCounts(6, 0)
    assert (
        score_hands(change_terms(POLE_TERMS, {"bonus": 4}), [build_hand(13)] * 2)
        .rubbers[0]
        .points
        == 10
    )
    assert (
        score_hands(change_terms(LEAGUE_TERMS, {"best_of": 3}), [build_hand(13)] * 2)
        .rubbers[0]
        .points
        == 14
    )
    stored_terms = change_terms(POLE_TERMS, {"losers_off": False})
    assert (
        score_hands(stored_terms, [build_hand(13), build_hand(0), build_hand(13)])
        .rubbers[0]
        .points
        == 8
    )
    for terms in (POLE_TERMS, ENGLISH_TERMS, LEAGUE_TERMS, LONG_TERMS):
        assert change_terms(POLE_TERMS, build_terms_data(terms)) == terms


@pytest.mark.parametrize(
    ("changes", "error_text"),
    [
        ({"gaem": 7}, "setting “gaem” not found"),
        ({"game": 0}, "game: 0 is out of range. Enter a whole number from 1 to 100"),
        ({"game": True}, "game: true isn’t a whole number"),
        ({"game": 5.0}, "game: 5.0 isn’t a whole number"),
        ({"bonus": None}, "bonus: This is missing"),
        (
            {"honours_bar": -1},
            "honours_bar: -1 is out of range. Enter a whole number from 0 to 100",
        ),
        ({"best_of": 2}, "best_of: enter an odd number from 1 to 9, or null"),
        ({"best_of": -1}, "best_of: -1 is out of range. Enter a whole number from 1 to 9"),
        ({"best_of": 0}, "best_of: 0 is out of range. Enter a whole number from 1 to 9"),
        ({"best_of": 11}, "best_of: 11 is out of range. Enter a whole number from 1 to 9"),
        ({"losers_off": 1}, "losers_off: 1 isn’t true or false"),
        ({"worth": "bridge"}, "worth: “bridge” isn’t known. Enter treble or margin or games"),
        ({"penalties": []}, "penalties: The list is empty"),
        ({"penalties": ["plus", "plus"]}, r"penalties\[1\]: “plus” appears twice"),
        ({"penalties": ["dinner"]}, r"penalties\[0\]: “dinner” isn’t known"),
    ],
)
def test_unplayable_term_is_refused(changes, error_text):
    with pytest.raises(UnplayableHand, match=error_text):
        change_terms(POLE_TERMS, changes)


@pytest.mark.parametrize("game_count", [1, 3, 5, 7, 9])
def test_rubber_is_won_by_the_side_with_most_of_its_games(game_count):
    terms = change_terms(POLE_TERMS, {"best_of": game_count})
    needed_games = (game_count + 1) // 2
    assert score_hands(terms, [build_hand(13)] * (needed_games - 1)).rubbers == ()
    (rubber,) = score_hands(terms, [build_hand(13)] * needed_games).rubbers
    assert (rubber.winner, rubber.points) == (A, 3 * needed_games + 2)


# Corrections.


def draw_random_nights(night_count):
    """Return random nights of short whist, the same in every run."""
    chance = random.Random("rubber")
    for _ in range(night_count):
        yield [
            Hand(
                tricks=SideCounts(tricks, 13 - tricks),
                honours=chance.choice([SideCounts(), SideCounts(3, 1), SideCounts(0, 4)]),
                revokes=chance.choice(
                    [(), (), (Revoke(chance.choice([A, B]), Penalty.OPPONENT_POINTS),)]
                ),
            )
            for tricks in chance.choices(range(14), k=chance.randint(1, 20))
        ]


def test_undoing_a_correction_restores_the_same_rubber():
    for hands in draw_random_nights(60):
        hands_before = score_hands(POLE_TERMS, hands)
        for number in range(1, len(hands) + 1):
            hand = replace_hand(hands, number, build_hand(8))
            hands_after = score_hands(POLE_TERMS, hand)
            assert hands_after.hands[: number - 1] == hands_before.hands[: number - 1]
            assert (
                score_hands(POLE_TERMS, replace_hand(hand, number, hands[number - 1]))
                == hands_before
            )


def test_scores_of_earlier_hands_do_not_depend_on_later_hands():
    for hands in draw_random_nights(20):
        whole = score_hands(POLE_TERMS, hands)
        for number in range(len(hands)):
            assert score_hands(POLE_TERMS, hands[:number]).hands == whole.hands[:number]


def test_error_names_the_hand_that_a_correction_makes_impossible():
    hands = [build_hand(13), build_hand(7), Hand(calling_side=A)]
    score_hands(LONG_TERMS, hands)
    with pytest.raises(UnreadableRubber, match="hand 3: side A can call only at 8, not at 7"):
        score_hands(LONG_TERMS, replace_hand(hands, 2, build_hand(6)))
    with pytest.raises(UnreadableRubber, match="hand 4: hand not found"):
        replace_hand(hands, 4, build_hand(6))


def test_game_can_be_corrected_until_next_turn_up_and_rubber_until_its_end():
    def list_correction_stages(hands, *, is_turned_up=False, terms=POLE_TERMS):
        reckoning = score_hands(terms, hands)
        numbers = range(1, len(hands) + 1)
        return [
            find_correction_stage(reckoning, number, has_next_turn_up=is_turned_up).value
            for number in numbers
        ]

    assert list_correction_stages([build_hand(9), build_hand(7)], is_turned_up=True) == [
        "game",
        "game",
    ]
    assert list_correction_stages([build_hand(9), build_hand(13)]) == ["game", "game"]
    assert list_correction_stages([build_hand(9), build_hand(13)], is_turned_up=True) == [
        "rubber",
        "rubber",
    ]
    assert list_correction_stages([build_hand(13), build_hand(8)]) == ["rubber", "game"]
    assert list_correction_stages([build_hand(13), build_hand(13)]) == ["rubber", "game"]
    assert list_correction_stages([build_hand(13), build_hand(13)], is_turned_up=True) == [
        "organiser",
        "organiser",
    ]
    assert list_correction_stages([build_hand(13), build_hand(13), build_hand(7)]) == [
        "organiser",
        "organiser",
        "game",
    ]
    assert list_correction_stages([build_hand(13), build_hand(7)], terms=LEAGUE_TERMS) == [
        "organiser",
        "game",
    ]
    assert CorrectionStage("organiser") is CorrectionStage.ORGANISER_ONLY
