"""Hands in USEBIO files of another scoring program are read, or refused with their place."""

import pytest

from boards import usebio
from boards.whist import CARDS_BY_CODE, Seat, Suit, UnusableBoards
from boards.whist.dealing import deal_board

DEAL = deal_board(bytes(32), 3)
DEAL_TURN_UPS = {3: DEAL.turn_up}


def build_hand_xml(seat: Seat) -> str:
    ranks_by_suit = dict.fromkeys(Suit, "")
    for card in sorted(DEAL.hands[seat]):
        ranks_by_suit[card.suit] += card.rank.letter
    suits_xml = "".join(
        f"<{suit.name}>{ranks}</{suit.name}>" for suit, ranks in ranks_by_suit.items()
    )
    return f"<HAND><DIRECTION>{seat.name.title()}</DIRECTION>{suits_xml}</HAND>"


def build_usebio_file(hands: str, head: str = '<?xml version="1.0" encoding="UTF-8"?>') -> str:
    board = f"<BOARD><BOARD_NUMBER>3</BOARD_NUMBER>{hands}</BOARD>"
    return f'{head}<!DOCTYPE USEBIO SYSTEM "x.dtd"><USEBIO><HANDSET>{board}</HANDSET></USEBIO>'


COMPLETE_FILE = build_usebio_file("".join(map(build_hand_xml, Seat)))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_hands_are_read_in_any_encoding_of_xml(encoding):
    text = COMPLETE_FILE.replace("UTF-8", "UTF-16") if encoding == "utf-16" else COMPLETE_FILE
    data = text.encode(encoding)
    assert usebio.is_usebio(data)
    assert usebio.read_usebio(data, turn_ups=DEAL_TURN_UPS).deals_by_board == {3: DEAL}


@pytest.mark.parametrize("seat", Seat)
def test_holder_of_the_turn_up_is_the_dealer(seat):
    card = min(DEAL.hands[seat])
    (deal,) = usebio.read_usebio(
        COMPLETE_FILE.encode(), turn_ups={3: card}
    ).deals_by_board.values()
    assert (deal.dealer, deal.turn_up) == (seat, card)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (build_usebio_file(""), "Board 3: "),
        (build_usebio_file(build_hand_xml(Seat.NORTH)), "Board 3: "),
        (COMPLETE_FILE.replace("<SPADES>", "<SPADES>Z", 1), "Board 3: .*isn’t a card"),
        (COMPLETE_FILE[:-20], "Line 1: this isn’t valid XML"),
        ("<USEBIO></USEBIO>", "no hands"),
        ('<!DOCTYPE USEBIO [<!ENTITY a "b">]><USEBIO>&a;</USEBIO>', "entities"),
    ],
)
def test_error_of_an_incomplete_file_names_the_position(text, problem):
    with pytest.raises(UnusableBoards, match=problem):
        usebio.read_usebio(text.encode(), turn_ups={3: CARDS_BY_CODE["SA"]})


@pytest.mark.parametrize("encoding", ["shift_jis", "utf-7", "foo"])
def test_file_in_an_unreadable_encoding_is_refused(encoding):
    data = f'<?xml version="1.0" encoding="{encoding}"?><USEBIO/>'.encode()
    with pytest.raises(UnusableBoards, match="isn’t valid XML"):
        usebio.read_usebio(data)


def test_only_the_beginning_of_a_long_hand_is_read():
    hands = "".join(map(build_hand_xml, Seat)).replace(
        "<SPADES>", "<SPADES>" + "A" * 900_000, 1
    )
    with pytest.raises(UnusableBoards) as exc_info:
        usebio.read_usebio(build_usebio_file(hands).encode(), turn_ups=DEAL_TURN_UPS)
    assert exc_info.value.problems
