"""Cards are parsed and written in the notation that people use."""

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boards.whist import CARDS_BY_CODE, PACK, Card, Rank, Suit, UnreadableCard


def test_pack_has_52_different_cards_in_order():
    assert len(set(PACK)) == 52
    assert [card.pack_index for card in PACK] == list(range(52))
    assert (PACK[0].word, PACK[51].word) == ("ace of spades", "two of clubs")


@pytest.mark.parametrize(
    "text",
    ["H6", "6H", "h6", " 6♥ ", "♥6", "6\N{BLACK HEART SUIT}\N{VARIATION SELECTOR-16}", "♡6"],
)
def test_card_is_read_in_every_common_notation(text):
    assert Card.parse(text) is CARDS_BY_CODE["H6"]


@pytest.mark.parametrize("text", ["ST", "S10", "10S", "10♠", "ts"])
def test_ten_is_read_as_a_number_or_a_letter(text):
    assert Card.parse(text).rank is Rank.TEN


@pytest.mark.parametrize("text", ["", "H", "6", "H1", "X6", "H6H", "H66", "hearts six", "S0"])
def test_text_that_is_not_a_card_is_refused(text):
    with pytest.raises(UnreadableCard, match=r"isn’t a card. Enter suit and rank"):
        Card.parse(text)


@given(st.sampled_from(PACK))
def test_formatted_card_is_parsed_as_the_same_card(card):
    assert Card.parse(card.code) is card
    assert Card.parse(str(card)) is card
    assert Card(card.suit, card.rank) == card
    assert hash(Card(card.suit, card.rank)) == hash(card)
    assert pickle.loads(pickle.dumps(card)) == copy.deepcopy(card) == card


def test_card_is_shown_with_10_and_a_symbol_and_stored_with_letters():
    ten = CARDS_BY_CODE["HT"]
    assert (str(ten), ten.code, ten.word) == ("10♥", "HT", "ten of hearts")


def test_cards_sort_like_a_written_hand():
    hand = [CARDS_BY_CODE[code] for code in ("C2", "SK", "HA", "SA", "D9")]
    assert [card.code for card in sorted(hand)] == ["SA", "SK", "HA", "D9", "C2"]


def test_suits_have_a_symbol_and_a_word():
    assert [(suit.symbol, suit.word) for suit in Suit] == [
        ("♠", "spades"),
        ("♥", "hearts"),
        ("♦", "diamonds"),
        ("♣", "clubs"),
    ]
