"""Plays are read as books print them: 13 rows by 4 seats, or in order of play."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boards import solver, worked_hands
from boards.whist import CARDS_BY_CODE, IllegalPlay, Play, Seat, Side
from boards.whist.dealing import DEAL_COUNT, get_deal
from boards.whist.grid import build_grid, read_grid, read_play_line
from tests.solving import NEEDS_SOLVER

HANDS = [hand for hand in worked_hands.read_worked_hands().values() if hand.play.cards]


def list_grid_rows(play):
    return [{seat: card.code for seat, card in row.items()} for row in build_grid(play)]


@pytest.mark.parametrize("hand", HANDS, ids=lambda hand: hand.slug)
def test_worked_hand_of_the_library_replays_to_its_printed_result(hand):
    printed_tricks = {"pole-1": 11, "pole-2": 9, "pole-3": 10, "pole-4": 9, "pole-5": 0}
    assert printed_tricks[hand.slug] == hand.play.tricks_won[Side.NS] == hand.ns_tricks
    assert hand.play.is_over
    assert hand.play.revokes == ()


@NEEDS_SOLVER
def test_best_play_in_the_library_is_what_the_solver_computes():
    assert [list(hand.best_play_trick_totals) for hand in HANDS] == [
        solver.compute_tricks_in_play(hand.play) for hand in HANDS
    ]


@given(st.integers(0, DEAL_COUNT - 1), st.sampled_from(Seat), st.data())
@settings(max_examples=15)
def test_play_written_by_seats_or_in_order_is_parsed_as_the_same_play(index, dealer, data):
    play = Play(get_deal(index, dealer))
    for _ in range(4 * data.draw(st.integers(1, 13))):
        play = play.play(data.draw(st.sampled_from(sorted(play.list_legal_cards()))))
    assert read_grid(play.deal, list_grid_rows(play)) == play
    assert read_play_line(play.deal, " ".join(card.code for card in play.cards)) == play


def test_missing_card_is_named_by_trick_and_seat():
    rows = list_grid_rows(HANDS[0].play)
    rows[4][Seat.EAST] = ""
    with pytest.raises(IllegalPlay, match="Trick 5: East’s card is missing"):
        read_grid(HANDS[0].play.deal, rows)


def test_unreadable_card_is_named_by_trick_and_seat():
    rows = list_grid_rows(HANDS[0].play)
    rows[2][Seat.SOUTH] = "X9"
    with pytest.raises(IllegalPlay, match="Trick 3, South: “X9” isn’t a card"):
        read_grid(HANDS[0].play.deal, rows)


def test_card_of_another_hand_is_refused_with_its_holder():
    rows = list_grid_rows(HANDS[0].play)
    rows[0][Seat.WEST] = "HK"
    with pytest.raises(IllegalPlay, match="Trick 1: it’s West’s turn, but K♥ is in North’s"):
        read_grid(HANDS[0].play.deal, rows)


def test_revoke_in_a_play_is_detected_with_its_card():
    rows = [{Seat.SOUTH: "SK", Seat.WEST: "HA", Seat.NORTH: "S6", Seat.EAST: "SJ"}]
    (revoke,) = read_grid(HANDS[0].play.deal, rows).revokes
    assert (revoke.seat, revoke.card) == (Seat.WEST, CARDS_BY_CODE["HA"])


def test_empty_last_rows_are_tricks_that_were_not_played():
    rows = [*list_grid_rows(HANDS[0].play)[:3], *[dict.fromkeys(Seat, "")] * 10]
    assert len(read_grid(HANDS[0].play.deal, rows).cards) == 12
    assert read_grid(HANDS[0].play.deal, []).cards == ()


def test_incomplete_trick_and_a_fourteenth_trick_are_refused():
    deal = HANDS[0].play.deal
    with pytest.raises(IllegalPlay, match="The last trick has 2 cards"):
        read_play_line(deal, "SK S5, S6 SJ; SA S7")
    text = " ".join(card.code for card in HANDS[0].play.cards)
    with pytest.raises(IllegalPlay, match="52 cards at most"):
        read_play_line(deal, f"{text} SK")
    with pytest.raises(IllegalPlay, match="Trick 14 is one too many"):
        read_grid(deal, [*list_grid_rows(HANDS[0].play), {Seat.NORTH: "SK"}])
