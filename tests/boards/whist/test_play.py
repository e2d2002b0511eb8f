"""Compare the play of a deal with Pole's three worked hands."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boards.whist import (
    CARDS_BY_CODE,
    PACK,
    IllegalPlay,
    Play,
    Seat,
    Side,
    Suit,
    Trick,
    deal_pack,
)
from boards.whist.cards import Card
from boards.whist.notation import read_deal

GOLDEN_PATH = Path(__file__).resolve().parents[2] / "golden" / "boards" / "pole_hands.json"
HANDS = json.loads(GOLDEN_PATH.read_text("utf-8"))["hands"]


def parse_pole_hand(hand):
    deal = read_deal(hand["deal"], Seat(hand["dealer"]), Card.parse(hand["turn_up"]))
    return deal, [Card.parse(code) for trick in hand["tricks"] for code in trick.split()]


@pytest.mark.parametrize("hand", HANDS, ids=lambda hand: hand["source"][-11:])
def test_worked_hand_replays_to_its_result(hand):
    deal, cards = parse_pole_hand(hand)
    play = Play(deal)
    for card in cards:
        play = play.play(card)
    assert play.is_over
    assert play.turn is None
    assert play.list_legal_cards() == frozenset()
    assert "".join(trick.find_winner(deal.trumps) for trick in play.tricks) == hand["winners"]
    assert play.tricks_won == {Side.NS: hand["ns_tricks"], Side.EW: 13 - hand["ns_tricks"]}
    assert play.revokes == ()
    assert play == Play.from_cards(deal, cards)


@given(st.permutations(PACK), st.sampled_from(Seat), st.data())
@settings(max_examples=10)
def test_legal_play_never_revokes_and_thirteen_tricks_are_won(pack, dealer, data):
    play = Play(deal_pack(pack, dealer))
    while not play.is_over:
        play = play.play(data.draw(st.sampled_from(sorted(play.list_legal_cards()))))
    assert sum(play.tricks_won.values()) == 13
    assert play.revokes == ()
    assert all(play.get_remaining_hand(seat) == frozenset() for seat in Seat)


def test_dealers_left_leads_and_the_turn_passes_to_the_left():
    deal, cards = parse_pole_hand(HANDS[0])
    assert Play(deal).turn is Seat.SOUTH is deal.leader
    assert Play.from_cards(deal, cards[:1]).turn is Seat.WEST
    assert Play.from_cards(deal, cards[:4]).turn is Seat.SOUTH
    assert Play.from_cards(deal, cards[:2]).tricks_won == {Side.NS: 0, Side.EW: 0}


def test_card_out_of_turn_is_refused_with_its_holder():
    deal, _ = parse_pole_hand(HANDS[0])
    with pytest.raises(
        IllegalPlay, match=r"Trick 1: it’s South’s turn, but K♥ is in North’s hand."
    ):
        Play(deal).play(CARDS_BY_CODE["HK"])


def test_card_is_played_only_once():
    deal, cards = parse_pole_hand(HANDS[0])
    with pytest.raises(
        IllegalPlay, match="Trick 2: it’s South’s turn, but K♠ was already played at trick 1"
    ):
        Play.from_cards(deal, cards[:4]).play(CARDS_BY_CODE["SK"])


def test_no_card_can_be_played_after_thirteen_tricks():
    deal, cards = parse_pole_hand(HANDS[0])
    with pytest.raises(IllegalPlay, match="one too many"):
        Play.from_cards(deal, cards).play(cards[0])


def test_seat_that_can_follow_suit_must_follow():
    deal, cards = parse_pole_hand(HANDS[0])
    play_after_lead = Play.from_cards(deal, cards[:1])
    assert play_after_lead.list_legal_cards() == {
        CARDS_BY_CODE["S8"],
        CARDS_BY_CODE["S7"],
        CARDS_BY_CODE["S5"],
    }
    with pytest.raises(
        IllegalPlay, match=r"West must follow suit and can’t play A♥. .* 8♠, 7♠, 5♠"
    ):
        play_after_lead.play(CARDS_BY_CODE["HA"])


def test_revoke_is_recorded_found_and_named():
    deal, cards = parse_pole_hand(HANDS[0])
    play = Play.from_cards(deal, [cards[0], CARDS_BY_CODE["HA"]])
    [revoke] = play.revokes
    assert (revoke.trick_number, revoke.seat, revoke.card) == (
        1,
        Seat.WEST,
        CARDS_BY_CODE["HA"],
    )
    assert str(revoke) == "Trick 1: West played A♥ but held 8♠, 7♠, 5♠."


def test_highest_trump_wins_or_the_highest_card_of_the_suit_led():
    cards = tuple(CARDS_BY_CODE[code] for code in ("S2", "H3", "SA", "H2"))
    assert Trick(Seat.EAST, cards).find_winner(Suit.HEARTS) is Seat.SOUTH
    assert Trick(Seat.EAST, cards).find_winner(Suit.CLUBS) is Seat.WEST
    assert Trick(Seat.EAST, cards[:1]).find_winner(Suit.CLUBS) is Seat.EAST
    assert Trick(Seat.EAST, cards).is_complete
    assert not Trick(Seat.EAST, cards[:3]).is_complete
