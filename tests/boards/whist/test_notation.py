"""Hands are written as in PBN and read in the notations that people send."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boards.whist import CARDS_BY_CODE, PACK, InvalidDeal, Seat, deal_pack
from boards.whist.notation import format_hand, format_hands, read_deal, read_hands

DEAL_LINE = "N:KT8.A96.A95.7542 Q5.KJ52.KQ874.T8 AJ962.T4.J3.AQJ9 743.Q873.T62.K63"
SUIT_LETTER_LINE = (
    "S:SA7.H864.DQJT73.CAKQ SQ2.H952.D62.CJT9742 SKT853.HT3.D954.C653 SJ964.HAKQJ7.DAK8.C8"
)


@given(st.permutations(PACK), st.sampled_from(Seat), st.sampled_from(Seat))
@settings(max_examples=50)
def test_deal_written_from_any_seat_is_parsed_as_the_same_deal(pack, dealer, first):
    deal = deal_pack(pack, dealer)
    assert read_deal(format_hands(deal, first), dealer, deal.turn_up) == deal


def test_void_suit_is_written_as_empty():
    assert format_hand([card for card in PACK if card.suit == "D"]) == "..AKQJT98765432."


@pytest.mark.parametrize(
    "text",
    [
        DEAL_LINE,
        DEAL_LINE.lower(),
        DEAL_LINE.replace("T", "10"),
        DEAL_LINE.replace("N:", "North: "),
        DEAL_LINE.replace("K63", "♣K63"),
        DEAL_LINE.replace("743.Q873.T62.K63", "-"),
        f"  {DEAL_LINE}\n",
    ],
)
def test_deal_is_read_in_every_common_notation(text):
    deal = read_deal(text, Seat.EAST, CARDS_BY_CODE["H2"])
    assert format_hands(deal) == DEAL_LINE


def test_suit_letters_before_each_suit_are_read():
    hands = read_hands(SUIT_LETTER_LINE)
    assert format_hand(hands[Seat.SOUTH]) == "A7.864.QJT73.AKQ"
    assert format_hand(hands[Seat.EAST]) == "J964.AKQJ7.AK8.8"


@pytest.mark.parametrize(
    "text", ["", "N:", DEAL_LINE[2:], DEAL_LINE[:-20], f"{DEAL_LINE} 2..."]
)
def test_text_without_four_hands_is_refused_with_an_example(text):
    with pytest.raises(InvalidDeal, match="Enter the first seat and four hands"):
        read_hands(text)


def test_hand_without_dots_is_named():
    with pytest.raises(InvalidDeal, match=r"East’s hand “Q5KJ52.KQ874.T8” can’t be read"):
        read_hands(DEAL_LINE.replace("Q5.", "Q5"))


def test_invalid_rank_is_named():
    with pytest.raises(InvalidDeal, match=r"West’s hand .* has “X”, which isn’t a rank"):
        read_hands(DEAL_LINE.replace("K63", "X63"))


def test_two_unknown_hands_are_not_completed():
    text = DEAL_LINE.replace("743.Q873.T62.K63", "-").replace("Q5.KJ52.KQ874.T8", "-")
    with pytest.raises(
        InvalidDeal, match="East has 0 cards; West has 0 cards; 26 cards are missing"
    ):
        read_deal(text, Seat.NORTH, CARDS_BY_CODE["SK"])


def test_duplicate_card_in_one_hand_is_named():
    with pytest.raises(
        InvalidDeal, match=r"the nine of clubs.* appears 3 times \(North, South\)"
    ):
        read_deal(
            "N:KT8.A96.A95.7599 " + DEAL_LINE.split(maxsplit=1)[1],
            Seat.NORTH,
            CARDS_BY_CODE["SK"],
        )
