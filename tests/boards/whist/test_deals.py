"""A complete pack makes a deal; anything else is refused with every card named."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boards.whist import (
    CARDS_BY_CODE,
    PACK,
    Deal,
    InvalidDeal,
    Seat,
    Suit,
    deal_pack,
    format_problems,
    list_deal_problems,
)

packs = st.permutations(PACK)
seats = st.sampled_from(Seat)


@given(packs, seats)
@settings(max_examples=50)
def test_every_deal_is_one_pack_with_the_turn_up_in_the_dealers_hand(pack, dealer):
    deal = deal_pack(pack, dealer)
    assert sorted(card for hand in deal.hands.values() for card in hand) == list(PACK)
    assert deal.turn_up in deal.hands[dealer]
    assert deal.trumps is deal.turn_up.suit


def test_first_card_goes_to_the_dealers_left_and_the_last_is_the_turn_up():
    deal = deal_pack(PACK, Seat.EAST)
    assert PACK[0] in deal.hands[Seat.SOUTH]
    assert PACK[1] in deal.hands[Seat.WEST]
    assert PACK[4] in deal.hands[Seat.SOUTH]
    assert deal.turn_up is PACK[51] is CARDS_BY_CODE["C2"]
    assert deal.trumps is Suit.CLUBS
    assert deal.leader is Seat.SOUTH


def test_short_pack_is_not_dealt():
    with pytest.raises(InvalidDeal, match="There are 51 cards"):
        deal_pack(PACK[1:], Seat.NORTH)


def test_pack_with_a_duplicate_card_is_not_dealt():
    pack = [CARDS_BY_CODE["SQ"] if card is CARDS_BY_CODE["HK"] else card for card in PACK]
    with pytest.raises(
        InvalidDeal,
        match=r"^The king of hearts is missing; the queen of spades appears twice \(West\)\.$",
    ):
        deal_pack(pack, Seat.NORTH)


def test_deals_compare_and_hash_by_value():
    first_deal, second_deal = deal_pack(PACK, Seat.EAST), deal_pack(list(PACK), Seat.EAST)
    assert first_deal == second_deal
    assert len({first_deal, second_deal, deal_pack(PACK, Seat.WEST)}) == 2


def test_missing_hand_is_named():
    hands = {Seat.NORTH: frozenset(PACK)}
    with pytest.raises(InvalidDeal, match="North has 52 cards; East has 0 cards"):
        Deal(hands, Seat.NORTH, PACK[0])


def test_every_problem_of_a_typed_deal_is_named():
    hands = {seat: sorted(hand) for seat, hand in deal_pack(PACK, Seat.NORTH).hands.items()}
    queen, king = CARDS_BY_CODE["SQ"], CARDS_BY_CODE["HK"]
    holder = next(seat for seat in Seat if king in hands[seat])
    hands[holder].remove(king)
    other_seat = next(seat for seat in Seat if queen not in hands[seat] and seat is not holder)
    hands[other_seat].append(queen)
    problems = list_deal_problems(hands, Seat.NORTH, CARDS_BY_CODE["SA"])
    assert f"{holder.word} has 12 cards" in problems
    assert f"{other_seat.word} has 14 cards" in problems
    assert "the king of hearts is missing" in problems
    assert any(
        problem.startswith("the queen of spades appears twice (") for problem in problems
    )
    assert problems[-1] == (
        "the turn-up, the ace of spades, is not in the hand of North, the dealer"
    )
    assert format_problems(problems).startswith(problems[0][0].upper() + problems[0][1:] + "; ")
    assert format_problems(problems).endswith("the dealer.")


def test_card_three_times_in_one_hand_is_counted():
    hands = {Seat.NORTH: [CARDS_BY_CODE["SQ"]] * 3}
    wrong_problems = list_deal_problems(hands, Seat.NORTH, None)
    assert "the queen of spades appears 3 times (North)" in wrong_problems
    assert "51 cards are missing" in wrong_problems


def test_problems_use_the_singular_and_count_many_duplicate_cards():
    wrong_problems = list_deal_problems(
        {Seat.NORTH: [PACK[0]], Seat.EAST: PACK, Seat.SOUTH: PACK}, Seat.EAST, None
    )
    assert wrong_problems == [
        "North has 1 card",
        "East has 52 cards",
        "South has 52 cards",
        "West has 0 cards",
        "52 cards appear more than once",
    ]
