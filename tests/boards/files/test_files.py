"""A file's format is recognised by its content, not by its name."""

import pytest

from boards import dup, files, lin, pbn
from boards.whist import CARDS_BY_CODE, UnusableBoards
from boards.whist.dealing import deal_board

BOARDS = {number: deal_board(bytes(32), number) for number in range(1, 5)}
TURN_UPS = {number: deal.turn_up for number, deal in BOARDS.items()}


def test_pbn_lin_and_dup_are_recognised():
    assert files.read_boards(pbn.format_pbn(BOARDS).encode()).deals_by_board == BOARDS
    assert files.read_boards(lin.format_lin(BOARDS).encode()).deals_by_board == BOARDS
    assert (
        files.read_boards(dup.format_dup(BOARDS), missing_turn_ups=TURN_UPS).deals_by_board
        == BOARDS
    )


def test_dlm_is_recognised():
    with pytest.raises(UnusableBoards, match="North has 52 cards"):
        files.read_boards(
            b"[Document]\nBoard 01=" + b"a" * 26, missing_turn_ups={1: CARDS_BY_CODE["SA"]}
        )
