"""Cards are parsed and written in the notation that people use."""

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boards.whist import CARDS_BY_CODE, PACK, Card, Rank, Suit, UnreadableCard


def test_a_pack_has_fifty_two_different_cards_from_the_ace_of_spades_to_the_two_of_clubs():
    assert len(set(PACK)) == 52
    assert [card.place for card in PACK] == list(range(52))
    assert (PACK[0].word, PACK[51].word) == ("ace of spades", "two of clubs")


@pytest.mark.parametrize(
    "text",
    ["H6", "6H", "h6", " 6♥ ", "♥6", "6\N{BLACK HEART SUIT}\N{VARIATION SELECTOR-16}", "♡6"],
)
def test_a_card_is_read_from_every_usual_writing(text):
    assert Card.parse(text) is CARDS_BY_CODE["H6"]


@pytest.mark.parametrize("text", ["ST", "S10", "10S", "10♠", "ts"])
def test_the_ten_is_read_as_a_figure_or_a_letter(text):
    assert Card.parse(text).rank is Rank.TEN


@pytest.mark.parametrize("text", ["", "H", "6", "H1", "X6", "H6H", "H66", "hearts six", "S0"])
def test_what_is_not_a_card_is_refused_in_words(text):
    with pytest.raises(UnreadableCard, match=r"isn't a card. Enter suit and rank"):
        Card.parse(text)


@given(st.sampled_from(PACK))
def test_a_card_written_and_read_is_the_same_card(card):
    assert Card.parse(card.code) is card
    assert Card.parse(str(card)) is card
    assert Card(card.suit, card.rank) == card
    assert hash(Card(card.suit, card.rank)) == hash(card)
    assert pickle.loads(pickle.dumps(card)) == copy.deepcopy(card) == card


def test_people_see_a_ten_and_a_sign_and_files_one_letter_each():
    ten = CARDS_BY_CODE["HT"]
    assert (str(ten), ten.code, ten.word) == ("10♥", "HT", "ten of hearts")


def test_cards_sort_as_a_hand_is_written():
    hand = [CARDS_BY_CODE[code] for code in ("C2", "SK", "HA", "SA", "D9")]
    assert [card.code for card in sorted(hand)] == ["SA", "SK", "HA", "D9", "C2"]


def test_suits_have_a_sign_and_a_word():
    assert [(suit.symbol, suit.word) for suit in Suit] == [
        ("♠", "spades"),
        ("♥", "hearts"),
        ("♦", "diamonds"),
        ("♣", "clubs"),
    ]
