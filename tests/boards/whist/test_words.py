from dataclasses import dataclass, replace

import pytest
from django.apps import apps
from django.utils.translation import gettext, ngettext, override

from boards import pbn
from boards.whist import Card, Deal, IllegalPlay, Play, Seat, Suit, UnusableBoards
from boards.whist.dealing import make_deal
from boards.whist.words import AS_WRITTEN, Told, Translator, speak
from boards.whist.words import gettext as pure_gettext
from boards.whist.words import ngettext as pure_ngettext


@pytest.fixture
def deal() -> Deal:
    return make_deal(bytes(32), 1)


def test_without_a_translator_words_are_as_they_are_written():
    before = speak(AS_WRITTEN)
    try:
        assert pure_gettext("North") == "North"
        assert [pure_ngettext("%s card", "%s cards", n) % n for n in (0, 1, 2)] == [
            "0 cards",
            "1 card",
            "2 cards",
        ]
    finally:
        speak(before)


def test_the_program_speaks_by_django_from_its_start():
    assert speak(AS_WRITTEN) == Translator(gettext, ngettext)
    apps.get_app_config("boards").ready()
    assert speak(Translator(gettext, ngettext)) == Translator(gettext, ngettext)


def test_a_word_of_the_table_is_said_in_the_language_that_is_active(deal):
    with override("de"):
        assert pure_gettext("Monday") == "Montag"
        assert Seat.NORTH.word == "North"  # no catalogue of ours has it yet
    assert pure_gettext("Monday") == "Monday"


def test_seats_suits_and_cards_are_translated_when_they_are_said(marked):
    assert (Seat.NORTH.word, Seat.NORTH.side.word) == ("«North»", "«North-South»")
    assert Suit.HEARTS.word == "«hearts»"
    assert Card.parse("H6").word == "«six of «hearts»»"


def test_what_cannot_be_played_is_said_in_the_readers_language(deal, marked):
    with pytest.raises(IllegalPlay) as refused:
        Play(deal).record(next(iter(deal.hands[deal.dealer])))
    text = str(refused.value)
    assert text.startswith("«Trick 1: it is «East»'s turn, and ")
    assert text.endswith("»")


def test_what_is_wrong_with_a_file_is_said_in_the_readers_language(marked):
    with pytest.raises(UnusableBoards) as refused:
        pbn.read('[Board "3"]\n[Deal "N:... ... ... ..."]\n\nwhat is this\n')
    for problem in refused.value.problems:
        assert problem.startswith("«Board 3: ")
        assert "52 cards" not in problem.replace("«52 cards are missing»", "")


def test_the_language_of_a_file_stays_its_own(deal, marked):
    assert "«" not in pbn.write({1: deal})


@dataclass(frozen=True)
class Law:
    number: int
    title: Told = Told()
    note: Told = Told("")
    source: str = "Hoyle"


def test_a_told_field_is_translated_whenever_it_is_read():
    law = Law(3, "Dealing")
    assert (law.title, law.note) == ("Dealing", "")
    before = speak(Translator(lambda words: words.upper(), AS_WRITTEN.counted))
    try:
        assert (law.title, law.note, law.source) == ("DEALING", "", "Hoyle")
    finally:
        speak(before)
    assert law == Law(3, "Dealing")


def test_a_copy_of_a_told_field_keeps_what_was_written(marked):
    assert replace(Law(3, "Dealing"), number=4).title == "«Dealing»"


def test_a_told_field_without_words_is_missed():
    with pytest.raises(TypeError, match="title"):
        Law(3)  # type: ignore[call-arg]  # a word is missing on purpose
