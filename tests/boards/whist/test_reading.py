"""The text of any program's file is decoded, and every board is checked."""

import pytest

from boards.whist import CARDS_BY_CODE, PACK, Seat, UnusableBoards, WhistError, deal_pack
from boards.whist.board_file import UncheckedBoard, check_boards, decode_text, parse_turn_ups

DEAL = deal_pack(PACK, Seat.NORTH)


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"]
)
def test_text_is_decoded_in_every_common_encoding(encoding):
    assert decode_text('[Event "Café"]'.encode(encoding)) == '[Event "Café"]'


def test_byte_order_mark_is_removed():
    assert decode_text("\ufeffabc") == "abc"


def test_any_bytes_are_decoded():
    assert isinstance(decode_text(bytes(range(256))), str)
    assert decode_text(b"\x81") == "\ufffd"


def test_missing_turn_up_can_be_given_separately():
    written_board = UncheckedBoard(
        1, Seat.NORTH, {seat: list(hand) for seat, hand in DEAL.hands.items()}
    )
    assert check_boards([written_board], turn_ups={1: DEAL.turn_up}).deals_by_board == {1: DEAL}


def test_all_problems_of_all_boards_are_named_at_once():
    hands = {seat: sorted(hand) for seat, hand in DEAL.hands.items()}
    short_hands = {**hands, Seat.WEST: hands[Seat.WEST][:-1]}
    with pytest.raises(UnusableBoards) as exc_info:
        check_boards(
            [
                UncheckedBoard(5, Seat.NORTH, short_hands, CARDS_BY_CODE["C2"]),
                UncheckedBoard(6, Seat.EAST, hands),
            ],
            problems=["Board 4: It is gone."],
        )
    word = hands[Seat.WEST][-1].word
    assert exc_info.value.problems == (
        "Board 4: It is gone.",
        f"Board 5: West has 12 cards; the {word} is missing.",
        'Board 6: The turn-up is missing (add [WhistTurnUp "H6"] below the deal, or H6 '
        "at its end, or list it separately).",
    )
    assert str(exc_info.value).count("\n") == 2
    assert isinstance(exc_info.value, WhistError)


def test_board_given_twice_must_be_the_same():
    written_board = UncheckedBoard(1, Seat.NORTH, DEAL.hands, DEAL.turn_up)
    other_deal = deal_pack(PACK[::-1], Seat.NORTH)
    assert check_boards([written_board, written_board]).deals_by_board == {1: DEAL}
    with pytest.raises(
        UnusableBoards, match="Board 1: in the file twice, with different cards"
    ):
        check_boards(
            [written_board, UncheckedBoard(1, Seat.NORTH, other_deal.hands, other_deal.turn_up)]
        )


def test_file_without_boards_is_refused_with_an_example():
    with pytest.raises(UnusableBoards, match=r"No boards found. Paste PBN"):
        check_boards([])


@pytest.mark.parametrize(
    "text", ["1 H6, 2 ST", "1 H6 2 ST", "1: 6H\n2=♠10;", "board 1 h6; Board 2. 10s"]
)
def test_turn_ups_are_read_with_any_separator(text):
    assert parse_turn_ups(text) == {1: CARDS_BY_CODE["H6"], 2: CARDS_BY_CODE["ST"]}


def test_empty_text_has_no_turn_ups():
    assert parse_turn_ups("  \n") == {}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1H6", "“1H6” can’t be read"),
        ("1 H6, nonsense", "“nonsense” can’t be read"),
        ("1 H6, 2 X9", "“2 X9” can’t be read"),
        ("1 H6, 1 H7", "board 1 has two different cards"),
    ],
)
def test_unreadable_turn_ups_are_named(text, expected):
    with pytest.raises(UnusableBoards, match=expected):
        parse_turn_ups(text)
