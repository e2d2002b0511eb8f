"""LIN is what a viewer shows: another program must find the same cards."""

from boards import lin
from boards.whist.dealing import make_deal
from boards.whist.notation import read_hands
from tests.solving import endplays

BOARDS = {number: make_deal(bytes(32), number) for number in range(1, 9)}


def test_another_program_reads_the_same_deals():
    theirs = endplays("lin").loads(lin.write(BOARDS))
    assert len(theirs) == 8
    for board, (number, deal) in zip(theirs, BOARDS.items(), strict=True):
        assert board.board_num == number
        assert board.dealer.name[0].upper() == deal.dealer
        hands = read_hands(board.deal.to_pbn())
        assert {seat: frozenset(hand) for seat, hand in hands.items()} == deal.hands
        assert (board.contract.level, board.contract.denom.name) == (1, deal.trumps.word)
        assert board.contract.declarer.name[0].upper() == deal.dealer


def test_the_turn_up_stands_beside_the_bid():
    assert lin.write({1: BOARDS[1]}).startswith(
        "qx|o1|pn|South,West,North,East|st||md|3S268KAH4689K"
    )
    assert "|mb|1S|an|Turn-up SJ|" in lin.write({1: BOARDS[1]})
