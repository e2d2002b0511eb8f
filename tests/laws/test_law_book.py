"""The law book is complete, and every reference to it resolves."""

import pytest

from laws.book import (
    DEFINITIONS,
    LAWS,
    LAWS_SOURCE,
    READINGS,
    SECTIONS_BY_KEY,
    SITUATIONS_BY_CODE,
    SITUATIONS_BY_MOMENT,
    format_citation,
    search_law_book,
)
from laws.book.values import LetteredItem, SectionText, build_law
from tests.page_text import remove_marked_text

# The numbers of sections in the code of laws, law by law.
SECTIONS_BY_LAW = {
    "I": 2,
    "II": 1,
    "III": 2,
    "IV": 11,
    "V": 2,
    "VI": 5,
    "VII": 4,
    "VIII": 4,
    "IX": 2,
    "X": 6,
    "XI": 6,
}


def test_book_contains_every_law_and_section() -> None:
    assert {law.number: len(law.sections) for law in LAWS} == SECTIONS_BY_LAW
    assert [law.number for law in LAWS] == list(SECTIONS_BY_LAW)
    assert list(SECTIONS_BY_KEY) == [
        f"{law}.{section + 1}"
        for law, count in SECTIONS_BY_LAW.items()
        for section in range(count)
    ]


@pytest.mark.parametrize(
    ("section_key", "marks"), [("III.2", "abcd"), ("VII.1", "abc"), ("X.1", "ab")]
)
def test_section_keeps_its_lettered_parts(section_key: str, marks: str) -> None:
    assert "".join(item.mark for item in SECTIONS_BY_KEY[section_key].items) == marks


def test_revoke_penalty_has_its_five_parts() -> None:
    assert [item.mark for item in SECTIONS_BY_KEY["X.4"].items] == ["1", "2", "3", "4", "5"]


def test_law_is_built_with_the_parts_and_the_note_of_each_section() -> None:
    law = build_law(
        "X",
        "The revoke",
        "A revoke is a renounce in error.",
        SectionText("It costs:", items={"a": "two tricks;", "b": "or one."}, note="Unclear."),
    )
    assert (law.number, law.title) == ("X", "The revoke")
    first, second = law.sections
    assert (first.key, first.text) == ("X.1", "A revoke is a renounce in error.")
    assert (first.items, first.note) == ((), "")
    assert (second.key, second.text, second.note) == ("X.2", "It costs:", "Unclear.")
    assert second.items == (LetteredItem("a", "two tricks;"), LetteredItem("b", "or one."))


def test_five_sections_have_a_note_on_an_unclear_passage() -> None:
    noted_keys = [key for key, section in SECTIONS_BY_KEY.items() if section.note]
    assert noted_keys == ["II.1", "III.2", "IV.10", "VIII.4", "X.4"]


def test_search_text_of_a_section_includes_its_parts_and_its_note() -> None:
    section = build_law(
        "X", "The revoke", SectionText("It costs:", items={"a": "two tricks."}, note="Unclear.")
    ).sections[0]
    assert section.search_text == "It costs: two tricks. Unclear."


def test_book_contains_every_definition_and_interpretation() -> None:
    assert "".join(definition.mark for definition in DEFINITIONS) == "abcdefghi"
    assert [reading.number for reading in READINGS] == list(range(1, 14))


def test_book_contains_every_situation_once() -> None:
    assert list(SITUATIONS_BY_CODE) == [f"I{number}" for number in range(1, 53)]
    assert sum(len(group) for group in SITUATIONS_BY_MOMENT.values()) == 52


@pytest.mark.parametrize("code", SITUATIONS_BY_CODE)
def test_situation_has_all_texts_a_director_needs(code: str) -> None:
    situation = SITUATIONS_BY_CODE[code]
    assert set(situation.laws) <= set(SECTIONS_BY_KEY)
    assert situation.laws
    for text in (situation.remedy, situation.time_limit, situation.score):
        assert text.endswith(".")
    assert situation.enforcer
    assert len(set(situation.questions)) == len(situation.questions) <= 7


@pytest.mark.parametrize("key", SECTIONS_BY_KEY)
def test_section_consists_of_whole_sentences(key: str) -> None:
    section = SECTIONS_BY_KEY[key]
    assert section.text[0].isupper()
    last_text = section.items[-1].text if section.items else section.text
    assert last_text.endswith(".")


@pytest.mark.parametrize(
    ("typed_value", "keys"),
    [
        ("X.4", ["X.4"]),
        ("law x §4", ["X.4"]),
        ("10 4", ["X.4"]),
        ("Law II", ["II.1"]),
        ("IX", ["IX.1", "IX.2"]),
        ("I7", ["IV.5", "IV.6"]),
        ("turned quitted lifts", ["VI.5"]),
        ("XII", []),
    ],
)
def test_section_is_found_by_number_or_words(typed_value: str, keys: list[str]) -> None:
    assert [
        section.key for law in search_law_book(typed_value).laws for section in law.sections
    ] == keys


@pytest.mark.parametrize(
    ("typed_value", "code"),
    [
        ("I26", "I26"),
        ("i 5", "I5"),
        ("failed to follow suit", "I26"),
        ("V.1", "I11"),
        ("rest are ours", "I16"),
        ("misdeal", "I4"),
    ],
)
def test_situation_is_found_by_code_law_or_words(typed_value: str, code: str) -> None:
    assert code in [situation.code for situation in search_law_book(typed_value).situations]


# Searches that directors type, and the situation that must be among the results.
SITUATION_BY_SEARCH = {
    "14 cards": "I11",
    "12 cards": "I12",
    "a hand with 12 cards": "I11",  # another hand then has too many cards
    "one card too many": "I11",
    "asked what trumps are": "I48",
    "May I ask what trumps are?": "I48",
    "turn-up left on the table": "I32",
    "the trump card was left on the table": "I32",
    "turned up the wrong card": "I8",
    "forgot to turn the slip": "I33",
    "trump slip missing": "I34",
    "wrong suit on the slip": "I10",
    "he looked at the slip": "I6",
    "named the trump card": "I7",
    "cards left in the board": "I5",
    "a card face up in the board": "I11",
    "dropped a card": "I15",
    "penalty card": "I15",
    "showed his hand": "I16",
    "claimed the rest": "I16",
    "two cards at once": "I29",
    "led out of turn": "I19",
    "wrong lead": "I20",
    "played out of turn": "I24",
    "didn't follow suit": "I26",
    "claimed a revoke too late": "I26",
    "both sides revoked": "I47",
    "shuffled the cards after the claim": "I27",
    "mixed up his cards": "I44",
    "wrong number of tricks": "I45",
    "asked his partner: no spades?": "I50",
    "reminded his partner of a penalty": "I51",
    "asked to see the card": "I49",
    "looks at all the cards after a revoke": "I52",
    "53 cards in the pack": "I36",
}


@pytest.mark.parametrize(("typed_value", "code"), SITUATION_BY_SEARCH.items())
def test_ordinary_words_find_the_situation_among_few_results(
    typed_value: str, code: str
) -> None:
    codes = [situation.code for situation in search_law_book(typed_value).situations]
    assert code in codes
    assert len(codes) <= 10


@pytest.mark.parametrize("code", SITUATIONS_BY_CODE)
def test_situation_is_found_by_its_own_words(code: str) -> None:
    situation = SITUATIONS_BY_CODE[code]
    for words in (situation.offence, situation.offence.upper(), f"{situation.offence}?"):
        assert code in [situation.code for situation in search_law_book(words[:100]).situations]


def test_verbal_claim_always_exposes_partners_cards() -> None:
    """Law VII §2: "before partner has played" limits only playing or showing the cards."""
    claim, limit, showing = "say", "before partner has played", "plays or shows"
    law = SECTIONS_BY_KEY["VII.2"].text
    assert law.index(claim) < law.index(limit) < law.index(showing)
    assert "claims the rest at any time, or" in SITUATIONS_BY_CODE["I16"].offence


def test_book_names_its_adopting_league_and_amendment_years() -> None:
    for word in (
        "American Whist League",
        "1900",
        "1902",
        "1906",
        "1908",
        "1910",
        "1912",
        "1914",
    ):
        assert word in LAWS_SOURCE


def test_empty_search_returns_the_whole_book_and_nonsense_nothing() -> None:
    assert search_law_book("  ").count == 45 + 52 + 9 + 13
    assert search_law_book("trump quaggamire").count == 0
    assert search_law_book("9" * 400).count == 0


@pytest.mark.parametrize(
    ("typed_value", "keys", "codes"),
    [
        ("trump quaggamire", [], []),  # 1 word of 2
        ("revoke trump quaggamire", ["XI.5"], ["I30"]),  # 2 of 3
        ("revoke trump quaggamire zebra", [], []),  # 2 of 4
        ("shuffle claim revoke quaggamire zebra", ["X.6"], ["I27"]),  # 3 of 5
        ("shuffle claim revoke quaggamire zebra walrus", [], []),  # 3 of 6
    ],
)
def test_search_finds_texts_with_more_than_half_of_the_words(
    typed_value: str, keys: list[str], codes: list[str]
) -> None:
    matches = search_law_book(typed_value)
    sections = [section for law in matches.laws for section in law.sections]
    assert [section.key for section in sections] == keys
    assert [situation.code for situation in matches.situations] == codes
    assert matches.count == len(keys) + len(codes)


def test_section_citation_has_the_usual_form() -> None:
    assert format_citation("X.4") == "Law X §4"
    assert format_citation("VIII") == "Law VIII"


def test_book_is_shown_and_searched_in_the_readers_language(use_marked_language) -> None:
    matches = search_law_book("")
    sections = [section for law in matches.laws for section in law.sections]
    texts = [
        *(law.title for law in matches.laws),
        *(text for section in sections for text in (section.text, section.note)),
        *(item.text for section in sections for item in section.items),
        *(
            text
            for situation in matches.situations
            for text in (situation.offence, situation.remedy, situation.time_limit)
        ),
        *(
            text
            for situation in matches.situations
            for text in (situation.enforcer, situation.score, situation.search_words)
        ),
        *(
            text
            for definition in matches.definitions
            for text in (definition.term, definition.text)
        ),
        *(text for reading in matches.readings for text in (reading.subject, reading.text)),
    ]
    assert [text for text in texts if remove_marked_text(text)] == []
    assert format_citation("X.4") == "«Law X §4»"
    assert [law.number for law in search_law_book("«The revoke»").laws] == ["X"]


def test_law_keeps_its_title_when_a_search_finds_some_sections(use_marked_language) -> None:
    assert [law.title for law in search_law_book("X 4").laws] == ["«The revoke»"]
