"""One hand: the books' examples, and every possible hand against independent arithmetic."""

from itertools import product

import pytest

from rubbers.rubber.codes import LAW_CODES_BY_NAME
from rubbers.rubber.errors import UnplayableHand
from rubbers.rubber.hand_score import Origin, ScoreLine, score_hand
from rubbers.rubber.hands import Hand, Penalty, Revoke, Side, SideCounts
from rubbers.rubber.terms import change_terms
from tests.rubbers import arithmetic

POLE, ENGLISH, LEAGUE, LONG = (item.terms for item in LAW_CODES_BY_NAME.values())
A, B = Side
HONOURS = ((0, 0), (4, 0), (3, 1), (0, 4), (0, 3))
CHOICES = ((), (Penalty.TRICKS,), (Penalty.LOST_POINTS,), (Penalty.OPPONENT_POINTS,))


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


def count_hand(terms, scores, played):
    """Return the scores before they return to love, and the winner's number."""
    hand = score_hand(terms, SideCounts(*scores), played)
    assert sum(line.points for line in hand.score_lines) == sum(hand.score) - sum(scores)
    assert hand.winner is None or not played.list_revokes(hand.winner)
    winner = None if hand.winner is None else list(Side).index(hand.winner)
    return (*hand.score, winner)


# The books' examples.


def test_treble_by_tricks_is_kept_despite_two_by_honours():
    # Pole, Example I: eleven tricks; the losers' honours come too late to save the treble.
    hand = score_hand(POLE, SideCounts(), build_hand(11, (0, 3)))
    assert hand == ((ScoreLine(A, Origin.TRICKS, 5),), (5, 0), A)


def test_three_by_tricks_and_two_by_honours_win_the_game():
    # Pole, Example IV.
    hand = score_hand(POLE, SideCounts(), build_hand(9, (3, 0)))
    assert hand.score_lines == (ScoreLine(A, Origin.TRICKS, 3), ScoreLine(A, Origin.HONOURS, 2))
    assert (hand.score, hand.winner) == ((5, 0), A)


def test_only_a_side_at_four_before_the_deal_scores_no_honours():
    assert score_hand(POLE, SideCounts(3, 0), build_hand(7, (3, 0))).winner is A
    assert score_hand(POLE, SideCounts(4, 0), build_hand(6, (4, 0))).score_lines == (
        ScoreLine(B, Origin.TRICKS, 1),
    )
    assert score_hand(POLE, SideCounts(4, 1), build_hand(6, (0, 4))).score == (4, 5)


def test_revoke_is_scored_before_thirteen_tricks_and_four_honours():
    # Pole, law 72, V: the claimants are at two; three more are the game, and a treble.
    hand = score_hand(
        POLE, SideCounts(2, 0), build_hand(0, (0, 4), b=[Penalty.OPPONENT_POINTS])
    )
    assert hand == ((ScoreLine(A, Origin.REVOKE, 3),), (5, 0), A)


def test_tricks_taken_as_penalty_are_limited_to_those_made():
    hand = build_hand(11, (0, 3), b=[Penalty.TRICKS])
    assert score_hand(POLE, SideCounts(), hand).score_lines == (ScoreLine(A, Origin.TRICKS, 5),)
    assert score_hand(POLE, SideCounts(), build_hand(4, b=[Penalty.TRICKS])).score_lines == (
        ScoreLine(A, Origin.TRICKS, 1),
    )


def test_deduction_of_three_points_stops_at_zero():
    assert score_hand(POLE, SideCounts(2, 0), build_hand(7, a=[Penalty.LOST_POINTS])).score == (
        1,
        0,
    )


def test_unclaimed_honours_do_not_count():
    assert score_hand(
        POLE, SideCounts(), build_hand(7, (4, 0), are_honours_claimed=False)
    ).score == (1, 0)


def test_revoking_side_in_the_league_keeps_up_to_six_tricks():
    # American rule 31: eight tricks made, two taken; the game is lost, but two are scored.
    played = build_hand(8, a=[Penalty.TRICKS])
    assert score_hand(LEAGUE, SideCounts(3, 6), played).score == (5, 7)
    assert score_hand(LEAGUE, SideCounts(5, 6), played).score == (6, 7)
    without = change_terms(LEAGUE, {"made_tricks_count": False})
    assert score_hand(without, SideCounts(3, 6), played).score == (3, 7)


def test_side_at_eight_calls_its_honours_and_wins_the_game():
    # Townsend: the two points of the call are the game.
    assert score_hand(LONG, SideCounts(8, 9), Hand(calling_side=A)) == (
        (ScoreLine(A, Origin.CALLED_HONOURS, 2),),
        (10, 9),
        A,
    )


def test_english_code_offsets_revokes_of_both_sides():
    both_hand = build_hand(9, a=[Penalty.OPPONENT_POINTS], b=[Penalty.LOST_POINTS])
    assert score_hand(ENGLISH, SideCounts(2, 4), both_hand).score == (
        4,
        4,
    )  # the tricks, stopped at four
    assert score_hand(POLE, SideCounts(2, 4), both_hand).score == (4, 4)
    assert score_hand(ENGLISH, SideCounts(0, 0), both_hand).score == (3, 0)
    assert score_hand(POLE, SideCounts(0, 0), both_hand).score == (3, 3)
    hand = build_hand(9, b=[Penalty.LOST_POINTS, None], a=[None])
    assert score_hand(ENGLISH, SideCounts(0, 3), hand).score_lines == (
        ScoreLine(B, Origin.REVOKE, -3),
        ScoreLine(A, Origin.TRICKS, 3),
    )


# Every possible hand.


def test_every_pole_hand_matches_independent_arithmetic():
    for tricks, honours, a, b in product(range(14), HONOURS, CHOICES, CHOICES):
        played = build_hand(tricks, honours, a, b)
        for scores in product(range(5), repeat=2):
            expected = arithmetic.score_short_whist(scores, tricks, honours, (a, b))
            assert count_hand(POLE, scores, played) == expected, (played, scores)


def test_english_code_differs_from_pole_only_if_both_revoke():
    few = ((0, 0), (2, 3), (4, 4), (3, 1))
    for tricks, honours, a, b in product(range(14), HONOURS[:3], CHOICES, CHOICES):
        played = build_hand(tricks, honours, a, b)
        for scores in few:
            expected = arithmetic.score_short_whist(
                scores, tricks, honours, (a, b), cancel=True
            )
            assert count_hand(ENGLISH, scores, played) == expected, (played, scores)


def test_every_league_hand_matches_independent_arithmetic():
    choices = ((), (Penalty.TRICKS,), (Penalty.TRICKS,) * 2)
    for tricks, a, b in product(range(14), choices, choices):
        played = build_hand(tricks, (4, 0), a, b)
        for scores in product(range(7), repeat=2):
            assert count_hand(LEAGUE, scores, played) == arithmetic.score_league_whist(
                scores, tricks, (a, b)
            )


def test_long_whist_hands_match_independent_arithmetic():
    choices = ((), (Penalty.OPPONENT_POINTS,))
    for tricks, honours, a, b in product(range(14), HONOURS, choices, choices):
        played = build_hand(tricks, honours, a, b)
        for scores in product((0, 5, 7, 8, 9), repeat=2):
            expected = arithmetic.score_long_whist(scores, tricks, honours, (a, b))
            assert count_hand(LONG, scores, played) == expected, (played, scores)


def test_order_of_recorded_revokes_does_not_matter():
    for first, second in product(CHOICES[1:], repeat=2):
        revokes = build_revokes(first, second)
        for tricks, scores in product((2, 6, 11), ((0, 1), (3, 2), (4, 4))):
            marks = {
                score_hand(
                    POLE,
                    SideCounts(*scores),
                    Hand(tricks=SideCounts(tricks, 13 - tricks), revokes=order),
                )
                for order in (revokes, revokes[::-1])
            }
            assert len(marks) == 1


# Terms, and impossible ones.


def test_club_can_score_honours_first_or_let_revokers_win():
    first_terms = change_terms(POLE, {"first": "honours"})
    assert score_hand(first_terms, SideCounts(4, 3), build_hand(7, (0, 3))).winner is B
    terms = change_terms(POLE, {"revokers_may_win": True})
    assert (
        score_hand(terms, SideCounts(4, 0), build_hand(10, a=[Penalty.LOST_POINTS])).winner is A
    )


@pytest.mark.parametrize(
    ("terms", "scores", "made", "text"),
    [
        (
            POLE,
            (0, 0),
            lambda: build_hand(7, a=[None]),
            "choose the penalty for side A’s revoke",
        ),
        (
            ENGLISH,
            (0, 0),
            lambda: build_hand(7, b=[None]),
            "choose the penalty for side B’s revoke",
        ),
        (
            LEAGUE,
            (0, 0),
            lambda: build_hand(7, a=[Penalty.OPPONENT_POINTS]),
            "costs tricks here, not plus",
        ),
        (
            LONG,
            (0, 0),
            lambda: build_hand(7, a=[Penalty.LOST_POINTS]),
            "costs plus here, not minus",
        ),
        (POLE, (4, 0), lambda: Hand(calling_side=A), "honours can’t be called in this code"),
        (LONG, (8, 7), lambda: Hand(calling_side=B), "side B can call only at 8, not at 7"),
        (LONG, (8, 7), lambda: build_hand(7, calling_side=A), "a called hand has no tricks"),
        (
            LONG,
            (8, 7),
            lambda: Hand(calling_side=A, revokes=build_revokes([None])),
            "has no revokes",
        ),
        (
            LONG,
            (8, 7),
            lambda: Hand(calling_side=A, honours=SideCounts(2, 2)),
            "has three honours, not 2",
        ),
        (POLE, (0, 0), lambda: Hand(), "enter the tricks"),
        (POLE, (0, 0), lambda: Hand(tricks=SideCounts(7, 7)), "tricks 7 and 7 add up to 14"),
        (POLE, (0, 0), lambda: Hand(tricks=SideCounts(14, -1)), "tricks must be 0 to 13"),
        (
            POLE,
            (0, 0),
            lambda: build_hand(7, (3, 2)),
            r"honours can’t add up to more than four \(3 \+ 2\)",
        ),
        (POLE, (0, 0), lambda: build_hand(7, (5, -1)), "honours must be 0 to 4"),
    ],
)
def test_impossible_hand_is_refused(terms, scores, made, text):
    with pytest.raises(UnplayableHand, match=text):
        score_hand(terms, SideCounts(*scores), made())
