"""Hands that arrive one by one: the fourth is derived, and contradictions are named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boards.whist import CARDS_BY_CODE, InvalidDeal, PartialDeal, Seat
from boards.whist.dealing import deal_board
from boards.whist.notation import format_hand, read_hand

DEAL = deal_board(bytes(32), 1)
HANDS = dict(DEAL.hands)
TOLD = {DEAL.dealer: DEAL.turn_up}


def gather_hands(*seats: str, turn_ups=TOLD, **changes) -> PartialDeal:
    hands = {Seat(seat): HANDS[Seat(seat)] for seat in seats}
    hands |= {Seat(seat): hand for seat, hand in changes.items()}
    return PartialDeal(DEAL.dealer, hands, turn_ups)


@given(number=st.integers(1, 200), missing=st.sampled_from([*Seat, None]))
def test_any_three_hands_and_the_turn_up_make_the_deal(number, missing):
    deal = deal_board(bytes(32), number)
    hands = {seat: hand for seat, hand in deal.hands.items() if seat is not missing}
    partial_deal = PartialDeal(deal.dealer, hands, {Seat.NORTH: deal.turn_up})
    assert partial_deal.follows is missing
    assert partial_deal.faults == []
    assert partial_deal.deal() == deal


@pytest.mark.parametrize("seats", ["", "N", "NE"])
def test_fewer_than_three_hands_make_none(seats):
    deal = gather_hands(*seats)
    assert (deal.deal(), deal.follows, deal.faults) == (None, None, [])


def test_without_a_turn_up_there_is_no_deal_and_nothing_is_wrong():
    deal = gather_hands("N", "E", "S", turn_ups={})
    assert (deal.deal(), deal.turn_up, deal.faults) == (None, None, [])
    assert deal.follows is Seat.WEST


def test_a_card_in_two_hands_is_named_with_both():
    stolen = min(HANDS[Seat.EAST])
    south = frozenset([*sorted(HANDS[Seat.SOUTH])[1:], stolen])
    deal = gather_hands("N", "E", S=south)
    assert deal.deal() is None
    assert deal.follows is None
    assert deal.faults == [f"The {stolen.word} is in East's hand and in South's."]


def test_a_hand_typed_for_the_wrong_seat_is_counted():
    deal = gather_hands("N", "E", S=HANDS[Seat.EAST])
    assert deal.faults == ["East's hand and South's have 13 cards in common."]


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        ({"N": "SA", "E": "H2"}, "There are different turn-ups (ace of spades, "),
        ({"E": min(HANDS[Seat.EAST]).code}, "is in East's hand, but North dealt."),
    ],
)
def test_a_turn_up_that_cannot_be_right_is_named(expected, text):
    turn_ups = {Seat(seat): CARDS_BY_CODE[code] for seat, code in expected.items()}
    deal = gather_hands("N", "E", "S", turn_ups=turn_ups)
    assert deal.deal() is None
    assert text in deal.faults[0]


def test_a_turn_up_that_the_dealer_does_not_hold_is_named_while_hands_are_missing():
    deal = gather_hands("N", turn_ups={Seat.EAST: min(HANDS[Seat.WEST])})
    assert "is not in North's hand" in deal.faults[0]


@pytest.mark.parametrize("seat", Seat)
def test_one_hand_is_read_as_it_was_written(seat):
    assert read_hand(format_hand(HANDS[seat]), seat) == HANDS[seat]
    assert read_hand(format_hand(HANDS[seat]).lower().replace("t", "10"), seat) == HANDS[seat]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "North has 0 cards."),
        ("AK.Q", "can't be read"),
        ("AKQ.AKQ.AKQ.AK", "North has 11 cards."),
        ("AKQ.AKQ.AKQ.AKQ9X", "isn't a rank"),
        ("AAKQ.AKQ.AKQ.AKQ", "appears twice"),
        ("AAKQ.AKQ.AKQ.AKQ2", "North has 14 cards; "),
    ],
)
def test_a_hand_that_is_none_says_why(text, words):
    with pytest.raises(InvalidDeal, match=words):
        read_hand(text, Seat.NORTH)
