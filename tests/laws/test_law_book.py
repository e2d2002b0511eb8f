"""The law book is whole, and every place in it can be found."""

import pytest

from laws.book import DEFINITIONS, GROUPS, LAWS, READINGS, SECTIONS, SITUATIONS, cited, find
from tests.marks import outside

# The numbers of sections that the code has, law by law.
SECTIONS_OF = {
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


def test_every_law_and_every_section_stands_in_the_book() -> None:
    assert {law.number: len(law.sections) for law in LAWS} == SECTIONS_OF
    assert [law.number for law in LAWS] == list(SECTIONS_OF)
    assert list(SECTIONS) == [
        f"{law}.{section + 1}" for law, count in SECTIONS_OF.items() for section in range(count)
    ]


@pytest.mark.parametrize(("key", "marks"), [("III.2", "abcd"), ("VII.1", "abc"), ("X.1", "ab")])
def test_a_section_keeps_its_lettered_parts(key: str, marks: str) -> None:
    assert "".join(item.mark for item in SECTIONS[key].items) == marks


def test_the_penalty_for_a_revoke_has_its_five_parts() -> None:
    assert [item.mark for item in SECTIONS["X.4"].items] == ["1", "2", "3", "4", "5"]


def test_every_definition_and_every_reading_stands_in_the_book() -> None:
    assert "".join(definition.mark for definition in DEFINITIONS) == "abcdefghi"
    assert [reading.number for reading in READINGS] == list(range(1, 12))


def test_every_situation_stands_in_the_book_once() -> None:
    assert list(SITUATIONS) == [f"I{number}" for number in range(1, 32)]
    assert sum(len(group) for group in GROUPS.values()) == 31


@pytest.mark.parametrize("code", SITUATIONS)
def test_a_situation_says_all_that_a_director_needs(code: str) -> None:
    situation = SITUATIONS[code]
    assert set(situation.laws) <= set(SECTIONS)
    assert situation.laws
    for words in (situation.remedy, situation.lost, situation.score):
        assert words.endswith(".")
    assert situation.enforcer
    assert len(set(situation.asks)) == len(situation.asks) <= 7


@pytest.mark.parametrize("key", SECTIONS)
def test_a_section_is_told_in_whole_sentences(key: str) -> None:
    section = SECTIONS[key]
    assert section.text[0].isupper()
    last = section.items[-1].text if section.items else section.text
    assert last.endswith(".")


@pytest.mark.parametrize(
    ("typed", "keys"),
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
def test_a_place_is_found_by_number_or_by_words(typed: str, keys: list[str]) -> None:
    assert [section.key for law in find(typed).laws for section in law.sections] == keys


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("I26", "I26"),
        ("i 5", "I5"),
        ("failed to follow suit", "I26"),
        ("V.1", "I11"),
        ("rest are ours", "I16"),
        ("misdeal", "I4"),
    ],
)
def test_a_situation_is_found_by_code_law_or_words(typed: str, code: str) -> None:
    assert code in [situation.code for situation in find(typed).situations]


def test_nothing_typed_brings_the_whole_book_and_nonsense_nothing() -> None:
    assert find("  ").count == 45 + 31 + 9 + 11
    assert find("trump quaggamire").count == 0
    assert find("9" * 400).count == 0


def test_a_section_is_cited_as_people_do() -> None:
    assert cited("X.4") == "Law X §4"
    assert cited("VIII") == "Law VIII"


def test_the_book_is_read_and_searched_in_the_readers_language(marked) -> None:
    found = find("")
    sections = [section for law in found.laws for section in law.sections]
    words = [
        *(law.title for law in found.laws),
        *(text for section in sections for text in (section.text, section.note)),
        *(item.text for section in sections for item in section.items),
        *(text for it in found.situations for text in (it.offence, it.remedy, it.lost)),
        *(text for it in found.situations for text in (it.enforcer, it.score, it.also)),
        *(text for it in found.definitions for text in (it.word, it.text)),
        *(text for it in found.readings for text in (it.about, it.text)),
    ]
    assert [text for text in words if outside(text)] == []
    assert cited("X.4") == "«Law X §4»"
    assert [law.number for law in find("«The revoke»").laws] == ["X"]


def test_a_law_of_which_a_search_left_some_sections_keeps_its_title(marked) -> None:
    assert [law.title for law in find("X 4").laws] == ["«The revoke»"]
