"""LIN files are made for viewers, so another program must find the same cards."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boards import lin
from boards.whist import PACK, Seat, UnusableBoards, deal_pack
from boards.whist.dealing import deal_board
from boards.whist.notation import read_hands
from tests.solving import load_endplay_format

BOARDS = {number: deal_board(bytes(32), number) for number in range(1, 9)}


def test_another_program_reads_the_same_deals():
    endplay_deals = load_endplay_format("lin").loads(lin.format_lin(BOARDS))
    assert len(endplay_deals) == 8
    for board, (number, deal) in zip(endplay_deals, BOARDS.items(), strict=True):
        assert board.board_num == number
        assert board.dealer.name[0].upper() == deal.dealer
        hands = read_hands(board.deal.to_pbn())
        assert {seat: frozenset(hand) for seat, hand in hands.items()} == deal.hands
        assert (board.contract.level, board.contract.denom.name) == (1, deal.trumps.word)
        assert board.contract.declarer.name[0].upper() == deal.dealer


def test_turn_up_is_written_next_to_the_bid():
    assert lin.format_lin({1: BOARDS[1]}).startswith(
        "qx|o1|pn|South,West,North,East|st||md|3S268KAH4689K"
    )
    assert "|mb|1S|an|Turn-up SJ|" in lin.format_lin({1: BOARDS[1]})


@given(
    st.dictionaries(
        st.integers(1, 999), st.tuples(st.permutations(PACK), st.sampled_from(Seat)), min_size=1
    ).map(lambda packs: {n: deal_pack(pack, dealer) for n, (pack, dealer) in packs.items()})
)
@settings(max_examples=25)
def test_written_boards_are_read_back_unchanged(boards):
    assert lin.read_lin(lin.format_lin(boards)).deals_by_board == boards


@pytest.mark.parametrize("fourth_hand_template", ["", ",", ",{east}"])
def test_fourth_hand_is_optional_and_the_number_may_follow_the_deal(fourth_hand_template):
    line = lin.format_lin({7: BOARDS[1]})
    south, west, north, east = line.split("md|")[1].split("|")[0][1:].split(",")
    fourth_hand = fourth_hand_template.format(east=east)
    text = f"pn|a,b,c,d|md|3{south},{west},{north}{fourth_hand}|ah|Board 7|sv|o|"
    reading = lin.read_lin(text, turn_ups={7: BOARDS[1].turn_up})
    assert reading.deals_by_board == {7: BOARDS[1]}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("md|1S1,,|", "Board 1: .* isn’t a card"),
        ("md|1SAKQ,HAKQ,DAKQ,CAKQ|ah|Board 4|", "Board 4: .*has 3 cards"),
        ("qx|o2|md|3S2,S2,S2|", "Board 2: "),
        ("md|S2|", "Board 1: "),
    ],
)
def test_incomplete_deal_is_refused_with_its_board(text, problem):
    with pytest.raises(UnusableBoards, match=problem):
        lin.read_lin(text, turn_ups={})
