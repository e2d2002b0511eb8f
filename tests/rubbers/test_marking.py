"""One hand: the books' examples, and every possible hand against independent arithmetic."""

from itertools import product

import pytest

from rubbers.rubber.codes import LAW_CODES_BY_NAME
from rubbers.rubber.errors import UnplayableHand
from rubbers.rubber.hand_score import PointsOrigin, ScoreLine, score_hand
from rubbers.rubber.hands import Hand, Penalty, Revoke, Side, SideCounts
from rubbers.rubber.terms import change_terms
from tests.rubbers import arithmetic

POLE_TERMS, ENGLISH_TERMS, LEAGUE_TERMS, LONG_TERMS = (
    item.terms for item in LAW_CODES_BY_NAME.values()
)
A, B = Side
HONOURS = ((0, 0), (4, 0), (3, 1), (0, 4), (0, 3))
PENALTY_CHOICES = ((), (Penalty.TRICKS,), (Penalty.LOST_POINTS,), (Penalty.OPPONENT_POINTS,))


def build_revokes(a=(), b=()):
    """Return the revokes of each side, by their penalties."""
    return tuple([Revoke(A, item) for item in a] + [Revoke(B, item) for item in b])


def build_hand(tricks, honours=(0, 0), a=(), b=(), **more):
    return Hand(
        tricks=SideCounts(tricks, 13 - tricks),
        honours=SideCounts(*honours),
        revokes=build_revokes(a, b),
        **more,
    )


def score_and_find_winner(terms, scores, played_hand):
    """Return the scores before they return to love, and the winner's number."""
    hand = score_hand(terms, SideCounts(*scores), played_hand)
    assert sum(line.points for line in hand.score_lines) == sum(hand.score) - sum(scores)
    assert hand.winner is None or not played_hand.list_revokes(hand.winner)
    winner = None if hand.winner is None else list(Side).index(hand.winner)
    return (*hand.score, winner)


# The books' examples.


def test_treble_by_tricks_is_kept_despite_two_by_honours():
    # Pole, Example I: eleven tricks; the losers' honours come too late to save the treble.
    hand = score_hand(POLE_TERMS, SideCounts(), build_hand(11, (0, 3)))
    assert hand == ((ScoreLine(A, PointsOrigin.TRICKS, 5),), (5, 0), A)


def test_three_by_tricks_and_two_by_honours_win_the_game():
    # Pole, Example IV.
    hand = score_hand(POLE_TERMS, SideCounts(), build_hand(9, (3, 0)))
    assert hand.score_lines == (
        ScoreLine(A, PointsOrigin.TRICKS, 3),
        ScoreLine(A, PointsOrigin.HONOURS, 2),
    )
    assert (hand.score, hand.winner) == ((5, 0), A)


def test_only_a_side_at_four_before_the_deal_scores_no_honours():
    assert score_hand(POLE_TERMS, SideCounts(3, 0), build_hand(7, (3, 0))).winner is A
    assert score_hand(POLE_TERMS, SideCounts(4, 0), build_hand(6, (4, 0))).score_lines == (
        ScoreLine(B, PointsOrigin.TRICKS, 1),
    )
    assert score_hand(POLE_TERMS, SideCounts(4, 1), build_hand(6, (0, 4))).score == (4, 5)


def test_revoke_is_scored_before_thirteen_tricks_and_four_honours():
    # Pole, law 72, V: the claimants are at two; three more are the game, and a treble.
    hand = score_hand(
        POLE_TERMS, SideCounts(2, 0), build_hand(0, (0, 4), b=[Penalty.OPPONENT_POINTS])
    )
    assert hand == ((ScoreLine(A, PointsOrigin.REVOKE, 3),), (5, 0), A)


def test_tricks_taken_as_penalty_are_limited_to_those_made():
    hand = build_hand(11, (0, 3), b=[Penalty.TRICKS])
    assert score_hand(POLE_TERMS, SideCounts(), hand).score_lines == (
        ScoreLine(A, PointsOrigin.TRICKS, 5),
    )
    assert score_hand(
        POLE_TERMS, SideCounts(), build_hand(4, b=[Penalty.TRICKS])
    ).score_lines == (ScoreLine(A, PointsOrigin.TRICKS, 1),)


def test_deduction_of_three_points_stops_at_zero():
    assert score_hand(
        POLE_TERMS, SideCounts(2, 0), build_hand(7, a=[Penalty.LOST_POINTS])
    ).score == (
        1,
        0,
    )


def test_unclaimed_honours_do_not_count():
    assert score_hand(
        POLE_TERMS, SideCounts(), build_hand(7, (4, 0), are_honours_claimed=False)
    ).score == (1, 0)


def test_revoking_side_in_the_league_keeps_up_to_six_tricks():
    # American rule 31: eight tricks made, two taken; the game is lost, but two are scored.
    played = build_hand(8, a=[Penalty.TRICKS])
    assert score_hand(LEAGUE_TERMS, SideCounts(3, 6), played).score == (5, 7)
    assert score_hand(LEAGUE_TERMS, SideCounts(5, 6), played).score == (6, 7)
    stricter_terms = change_terms(LEAGUE_TERMS, {"made_tricks_count": False})
    assert score_hand(stricter_terms, SideCounts(3, 6), played).score == (3, 7)


def test_side_at_eight_calls_its_honours_and_wins_the_game():
    # Townsend: the two points of the call are the game.
    assert score_hand(LONG_TERMS, SideCounts(8, 9), Hand(calling_side=A)) == (
        (ScoreLine(A, PointsOrigin.CALLED_HONOURS, 2),),
        (10, 9),
        A,
    )


def test_english_code_offsets_revokes_of_both_sides():
    hand_with_both_revokes = build_hand(9, a=[Penalty.OPPONENT_POINTS], b=[Penalty.LOST_POINTS])
    assert score_hand(ENGLISH_TERMS, SideCounts(2, 4), hand_with_both_revokes).score == (
        4,
        4,
    )  # the tricks, stopped at four
    assert score_hand(POLE_TERMS, SideCounts(2, 4), hand_with_both_revokes).score == (4, 4)
    assert score_hand(ENGLISH_TERMS, SideCounts(0, 0), hand_with_both_revokes).score == (3, 0)
    assert score_hand(POLE_TERMS, SideCounts(0, 0), hand_with_both_revokes).score == (3, 3)
    hand = build_hand(9, b=[Penalty.LOST_POINTS, None], a=[None])
    assert score_hand(ENGLISH_TERMS, SideCounts(0, 3), hand).score_lines == (
        ScoreLine(B, PointsOrigin.REVOKE, -3),
        ScoreLine(A, PointsOrigin.TRICKS, 3),
    )


# Every possible hand.


def test_every_pole_hand_matches_independent_arithmetic():
    for tricks, honours, a, b in product(range(14), HONOURS, PENALTY_CHOICES, PENALTY_CHOICES):
        played = build_hand(tricks, honours, a, b)
        for scores in product(range(5), repeat=2):
            expected = arithmetic.score_short_whist(scores, tricks, honours, (a, b))
            assert score_and_find_winner(POLE_TERMS, scores, played) == expected, (
                played,
                scores,
            )


def test_english_code_differs_from_pole_only_if_both_revoke():
    sample_scores = ((0, 0), (2, 3), (4, 4), (3, 1))
    for tricks, honours, a, b in product(
        range(14), HONOURS[:3], PENALTY_CHOICES, PENALTY_CHOICES
    ):
        played = build_hand(tricks, honours, a, b)
        for scores in sample_scores:
            expected = arithmetic.score_short_whist(
                scores, tricks, honours, (a, b), cancels_revokes=True
            )
            assert score_and_find_winner(ENGLISH_TERMS, scores, played) == expected, (
                played,
                scores,
            )


def test_every_league_hand_matches_independent_arithmetic():
    choices = ((), (Penalty.TRICKS,), (Penalty.TRICKS,) * 2)
    for tricks, a, b in product(range(14), choices, choices):
        played = build_hand(tricks, (4, 0), a, b)
        for scores in product(range(7), repeat=2):
            assert score_and_find_winner(
                LEAGUE_TERMS, scores, played
            ) == arithmetic.score_league_whist(scores, tricks, (a, b))


def test_long_whist_hands_match_independent_arithmetic():
    choices = ((), (Penalty.OPPONENT_POINTS,))
    for tricks, honours, a, b in product(range(14), HONOURS, choices, choices):
        played = build_hand(tricks, honours, a, b)
        for scores in product((0, 5, 7, 8, 9), repeat=2):
            expected = arithmetic.score_long_whist(scores, tricks, honours, (a, b))
            assert score_and_find_winner(LONG_TERMS, scores, played) == expected, (
                played,
                scores,
            )


def test_order_of_recorded_revokes_does_not_matter():
    for first_penalties, second in product(PENALTY_CHOICES[1:], repeat=2):
        revokes = build_revokes(first_penalties, second)
        for tricks, scores in product((2, 6, 11), ((0, 1), (3, 2), (4, 4))):
            scored_hands = {
                score_hand(
                    POLE_TERMS,
                    SideCounts(*scores),
                    Hand(tricks=SideCounts(tricks, 13 - tricks), revokes=ordered_revokes),
                )
                for ordered_revokes in (revokes, revokes[::-1])
            }
            assert len(scored_hands) == 1


# Terms, and impossible ones.


def test_club_can_score_honours_first_or_let_revokers_win():
    honours_first_terms = change_terms(POLE_TERMS, {"first": "honours"})
    assert score_hand(honours_first_terms, SideCounts(4, 3), build_hand(7, (0, 3))).winner is B
    terms = change_terms(POLE_TERMS, {"revokers_may_win": True})
    assert (
        score_hand(terms, SideCounts(4, 0), build_hand(10, a=[Penalty.LOST_POINTS])).winner is A
    )


@pytest.mark.parametrize(
    ("terms", "scores", "build_impossible_hand", "error_text"),
    [
        (
            POLE_TERMS,
            (0, 0),
            lambda: build_hand(7, a=[None]),
            "choose the penalty for side A’s revoke",
        ),
        (
            ENGLISH_TERMS,
            (0, 0),
            lambda: build_hand(7, b=[None]),
            "choose the penalty for side B’s revoke",
        ),
        (
            LEAGUE_TERMS,
            (0, 0),
            lambda: build_hand(7, a=[Penalty.OPPONENT_POINTS]),
            "costs tricks here, not plus",
        ),
        (
            LONG_TERMS,
            (0, 0),
            lambda: build_hand(7, a=[Penalty.LOST_POINTS]),
            "costs plus here, not minus",
        ),
        (
            POLE_TERMS,
            (4, 0),
            lambda: Hand(calling_side=A),
            "honours can’t be called in this code",
        ),
        (
            LONG_TERMS,
            (8, 7),
            lambda: Hand(calling_side=B),
            "side B can call only at 8, not at 7",
        ),
        (
            LONG_TERMS,
            (8, 7),
            lambda: build_hand(7, calling_side=A),
            "a called hand has no tricks",
        ),
        (
            LONG_TERMS,
            (8, 7),
            lambda: Hand(calling_side=A, revokes=build_revokes([None])),
            "has no revokes",
        ),
        (
            LONG_TERMS,
            (8, 7),
            lambda: Hand(calling_side=A, honours=SideCounts(2, 2)),
            "has three honours, not 2",
        ),
        (POLE_TERMS, (0, 0), lambda: Hand(), "enter the tricks"),
        (
            POLE_TERMS,
            (0, 0),
            lambda: Hand(tricks=SideCounts(7, 7)),
            "tricks 7 and 7 add up to 14",
        ),
        (POLE_TERMS, (0, 0), lambda: Hand(tricks=SideCounts(14, -1)), "tricks must be 0 to 13"),
        (
            POLE_TERMS,
            (0, 0),
            lambda: build_hand(7, (3, 2)),
            r"honours can’t add up to more than four \(3 \+ 2\)",
        ),
        (POLE_TERMS, (0, 0), lambda: build_hand(7, (5, -1)), "honours must be 0 to 4"),
    ],
)
def test_impossible_hand_is_refused(terms, scores, build_impossible_hand, error_text):
    with pytest.raises(UnplayableHand, match=error_text):
        score_hand(terms, SideCounts(*scores), build_impossible_hand())
