import pytest
from django.utils.translation import gettext, override

from boards import pbn
from boards.whist import Card, Deal, IllegalPlay, Play, Seat, Suit, UnusableBoards
from boards.whist.dealing import deal_board


@pytest.fixture
def deal() -> Deal:
    return deal_board(bytes(32), 1)


def test_seat_name_is_translated_to_the_active_language(deal):
    with override("de"):
        assert gettext("Monday") == "Montag"
        assert Seat.NORTH.word == "Nord"
    assert gettext("Monday") == "Monday"


def test_seats_suits_and_cards_are_translated_when_they_are_shown(use_marked_language):
    assert (Seat.NORTH.word, Seat.NORTH.side.word) == ("«North»", "«North-South»")
    assert Suit.HEARTS.word == "«hearts»"
    assert Card.parse("H6").word == "«six of «hearts»»"


def test_illegal_play_is_reported_in_the_readers_language(deal, use_marked_language):
    with pytest.raises(IllegalPlay) as exc_info:
        Play(deal).record_card(next(iter(deal.hands[deal.dealer])))
    text = str(exc_info.value)
    assert text.startswith("«Trick 1: it’s «East»’s turn, but ")
    assert text.endswith("»")


def test_file_errors_are_reported_in_the_readers_language(use_marked_language):
    with pytest.raises(UnusableBoards) as exc_info:
        pbn.read_pbn('[Board "3"]\n[Deal "N:... ... ... ..."]\n\nwhat is this\n')
    for problem in exc_info.value.problems:
        assert problem.startswith("«Board 3: ")
        assert "52 cards" not in problem.replace("«52 cards are missing»", "")


def test_file_keeps_its_own_language(deal, use_marked_language):
    assert "«" not in pbn.format_pbn({1: deal})
