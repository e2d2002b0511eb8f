"""A second play in other suits has the same hands and tricks, and every suit changes."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from boards import solver
from boards.whist import PACK, Seat, Suit
from boards.whist.dealing import DEAL_COUNT, deal_board, get_deal
from boards.whist.notation import format_hands, read_deal
from boards.whist.second_suits import (
    SUIT_EXCHANGES,
    build_second_play_deal,
    choose_suit_exchange,
    format_suit_exchange,
)
from tests.solving import NEEDS_SOLVER

deals = st.builds(get_deal, st.integers(0, DEAL_COUNT - 1), st.sampled_from(list(Seat)))
SECRET = bytes(range(32))


@given(deals)
def test_every_suit_changes_and_no_two_become_the_same(deal):
    suits = choose_suit_exchange(deal)
    assert set(suits) == set(suits.values()) == set(Suit)
    assert all(first_suit is not second_suit for first_suit, second_suit in suits.items())


@given(deals)
def test_each_seat_keeps_its_ranks_and_the_dealer_keeps_the_turn_up(deal):
    suits, second_deal = choose_suit_exchange(deal), build_second_play_deal(deal)
    assert sorted(card for hand in second_deal.hands.values() for card in hand) == list(PACK)
    for seat in Seat:
        assert {(suits[card.suit], card.rank) for card in deal.hands[seat]} == {
            (card.suit, card.rank) for card in second_deal.hands[seat]
        }
    assert second_deal.dealer is deal.dealer
    assert second_deal.known_turn_up in second_deal.hands[second_deal.dealer]
    assert (second_deal.trumps, second_deal.known_turn_up.rank) == (
        suits[deal.trumps],
        deal.known_turn_up.rank,
    )


@given(deals)
def test_second_suits_depend_only_on_the_cards(deal):
    copy = read_deal(format_hands(deal, first_seat=Seat.WEST), deal.dealer, deal.turn_up)
    assert build_second_play_deal(copy) == build_second_play_deal(deal)
    assert choose_suit_exchange(deal.with_declared_trumps(Suit.CLUBS)) == choose_suit_exchange(
        deal
    )


def test_declared_trump_suit_moves_with_the_hands():
    deal = deal_board(SECRET, 1).with_declared_trumps(Suit.HEARTS)
    assert build_second_play_deal(deal).trumps is choose_suit_exchange(deal)[Suit.HEARTS]


def test_nine_exchanges_occur_equally_often():
    exchange_counts = Counter(
        format_suit_exchange(choose_suit_exchange(deal_board(SECRET, n))) for n in range(1, 901)
    )
    assert len(exchange_counts) == len(SUIT_EXCHANGES) == 9
    assert all(70 < times < 130 for times in exchange_counts.values())


def test_documented_example_is_correct():
    """The expected suits were computed with SHA-256 by hand; see docs/dealing.md."""
    assert "".join(choose_suit_exchange(deal_board(SECRET, 1)).values()) == "DCSH"


@NEEDS_SOLVER
def test_best_play_makes_the_same_tricks():
    original_deals = [deal_board(SECRET, number) for number in range(1, 5)]
    assert solver.compute_best_tricks(
        [build_second_play_deal(deal) for deal in original_deals]
    ) == solver.compute_best_tricks(original_deals)
