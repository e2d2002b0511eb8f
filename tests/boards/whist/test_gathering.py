"""Hands arrive one by one; the fourth is derived, and contradictions are named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boards.whist import CARDS_BY_CODE, InvalidDeal, PartialDeal, Seat
from boards.whist.dealing import deal_board
from boards.whist.notation import format_hand, read_hand

DEAL = deal_board(bytes(32), 1)
HANDS = dict(DEAL.hands)
TURN_UPS = {DEAL.dealer: DEAL.turn_up}


def build_partial_deal(*seats: str, turn_ups=TURN_UPS, **changes) -> PartialDeal:
    hands = {Seat(seat): HANDS[Seat(seat)] for seat in seats}
    hands |= {Seat(seat): hand for seat, hand in changes.items()}
    return PartialDeal(DEAL.dealer, hands, turn_ups)


@given(number=st.integers(1, 200), missing_seat=st.sampled_from([*Seat, None]))
def test_three_hands_and_the_turn_up_complete_the_deal(number, missing_seat):
    deal = deal_board(bytes(32), number)
    hands = {seat: hand for seat, hand in deal.hands.items() if seat is not missing_seat}
    partial_deal = PartialDeal(deal.dealer, hands, {Seat.NORTH: deal.turn_up})
    assert partial_deal.implied_seat is missing_seat
    assert partial_deal.contradictions == []
    assert partial_deal.build_deal() == deal


@pytest.mark.parametrize("seats", ["", "N", "NE"])
def test_fewer_than_three_hands_make_no_deal(seats):
    deal = build_partial_deal(*seats)
    assert (deal.build_deal(), deal.implied_seat, deal.contradictions) == (None, None, [])


def test_missing_turn_up_gives_no_deal_and_no_error():
    deal = build_partial_deal("N", "E", "S", turn_ups={})
    assert (deal.build_deal(), deal.turn_up, deal.contradictions) == (None, None, [])
    assert deal.implied_seat is Seat.WEST


def test_card_in_two_hands_is_named_with_both():
    shared_card = min(HANDS[Seat.EAST])
    south = frozenset([*sorted(HANDS[Seat.SOUTH])[1:], shared_card])
    deal = build_partial_deal("N", "E", S=south)
    assert deal.build_deal() is None
    assert deal.implied_seat is None
    assert deal.contradictions == [
        f"The {shared_card.word} is in both East’s and South’s hands."
    ]


def test_hand_typed_for_the_wrong_seat_is_detected():
    deal = build_partial_deal("N", "E", S=HANDS[Seat.EAST])
    assert deal.contradictions == ["East’s and South’s hands have 13 cards in common."]


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        ({"N": "SA", "E": "H2"}, "There are different turn-ups (ace of spades, "),
        ({"E": min(HANDS[Seat.EAST]).code}, "is in East’s hand, but North dealt."),
    ],
)
def test_impossible_turn_up_is_named(expected, text):
    turn_ups = {Seat(seat): CARDS_BY_CODE[code] for seat, code in expected.items()}
    deal = build_partial_deal("N", "E", "S", turn_ups=turn_ups)
    assert deal.build_deal() is None
    assert text in deal.contradictions[0]


def test_turn_up_outside_the_dealers_hand_is_named_while_hands_are_missing():
    deal = build_partial_deal("N", turn_ups={Seat.EAST: min(HANDS[Seat.WEST])})
    assert "is not in North’s hand" in deal.contradictions[0]


@pytest.mark.parametrize("seat", Seat)
def test_formatted_hand_is_parsed_as_the_same_hand(seat):
    assert read_hand(format_hand(HANDS[seat]), seat) == HANDS[seat]
    assert read_hand(format_hand(HANDS[seat]).lower().replace("t", "10"), seat) == HANDS[seat]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "North has 0 cards."),
        ("AK.Q", "can’t be read"),
        ("AKQ.AKQ.AKQ.AK", "North has 11 cards."),
        ("AKQ.AKQ.AKQ.AKQ9X", "isn’t a rank"),
        ("AAKQ.AKQ.AKQ.AKQ", "appears twice"),
        ("AAKQ.AKQ.AKQ.AKQ2", "North has 14 cards; "),
    ],
)
def test_invalid_hand_is_refused_with_the_reason(text, words):
    with pytest.raises(InvalidDeal, match=words):
        read_hand(text, Seat.NORTH)
