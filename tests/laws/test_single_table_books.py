"""The law books for a single table are complete, searchable, and never mixed."""

import re

import pytest
from django.test import Client

from laws import wall_sheet
from laws.book import SECTIONS_BY_KEY
from laws.book.values import LetteredItem, SectionText
from laws.single_table import (
    ETIQUETTE,
    ETIQUETTE_INTRODUCTION,
    ETIQUETTE_SOURCE,
    INCIDENT_GROUPS,
    LAW_BOOKS_BY_CODE,
    search_book,
)
from laws.single_table.values import build_chapter
from rubbers.rubber.codes import LAW_CODES_BY_NAME
from scoring.papers import get_paper_kind
from scoring.session_snapshot import load_session_snapshot
from tests import evenings
from tests.page_text import remove_marked_text
from tests.scoring.papers import reading
from tests.scoring.papers.reading import read_texts

INCIDENT_CODES = [happening.code for group in INCIDENT_GROUPS for happening in group.incidents]
LAW_NUMBERS_BY_BOOK = {
    "pole": [str(number) for number in range(1, 92)],
    "english-1900": [*map(str, range(1, 13)), "12a", *map(str, range(13, 95))],
    "american-league": [str(number) for number in range(1, 40)],
    "long": ["1", *map(str, range(13, 92))],
}


def test_every_rubber_code_has_a_complete_law_book() -> None:
    assert set(LAW_BOOKS_BY_CODE) == set(LAW_CODES_BY_NAME)
    assert {
        code: list(book.rules) for code, book in LAW_BOOKS_BY_CODE.items()
    } == LAW_NUMBERS_BY_BOOK


def test_chapter_is_built_with_the_lettered_parts_of_each_law() -> None:
    chapter = build_chapter(
        "Dealing",
        {
            "12": "The dealer deals the cards one by one.",
            "12a": SectionText(
                "Deal again:", items={"I": "if a card is faced;", "II": "or lost."}
            ),
        },
    )
    assert chapter.title == "Dealing"
    plain_law, law_with_parts = chapter.rules
    assert (plain_law.number, plain_law.items) == ("12", ())
    assert plain_law.text == "The dealer deals the cards one by one."
    assert (law_with_parts.number, law_with_parts.text) == ("12a", "Deal again:")
    assert law_with_parts.items == (
        LetteredItem("I", "if a card is faced;"),
        LetteredItem("II", "or lost."),
    )
    assert law_with_parts.search_text == "Deal again: if a card is faced; or lost."


@pytest.mark.parametrize("code", LAW_BOOKS_BY_CODE)
def test_each_law_consists_of_whole_sentences(code: str) -> None:
    for rule in LAW_BOOKS_BY_CODE[code].rules.values():
        parts = [rule.text, *(item.text for item in rule.items)]
        assert parts[0][0].isupper() or not parts[0][0].isalpha(), rule.number
        assert re.search(r"[.)”]$", parts[-1]), rule.number


@pytest.mark.parametrize("code", LAW_BOOKS_BY_CODE)
def test_situation_cites_only_laws_of_its_own_book(code: str) -> None:
    book = LAW_BOOKS_BY_CODE[code]
    assert set(book.law_numbers_by_incident) <= set(INCIDENT_CODES)
    for happening, numbers in book.law_numbers_by_incident.items():
        assert numbers, happening
        assert set(numbers) <= set(book.rules), happening
    whole_book = search_book(book, "")
    own_rule_ids = {id(rule) for rule in book.rules.values()}
    for _title, incidents in whole_book.moments:
        assert {id(rule) for item in incidents for rule in item.rules} <= own_rule_ids
    assert list(dict.fromkeys(INCIDENT_CODES)) == INCIDENT_CODES


def test_every_situation_is_covered_by_a_book() -> None:
    assert {
        code for book in LAW_BOOKS_BY_CODE.values() for code in book.law_numbers_by_incident
    } == set(INCIDENT_CODES)


@pytest.mark.django_db
@pytest.mark.parametrize("code", LAW_BOOKS_BY_CODE)
def test_book_page_links_to_no_law_of_another_book(client: Client, code: str) -> None:
    """No page links to another book's laws or to sections of the duplicate laws."""
    page = client.get(f"/laws/{code}/").content.decode()
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert {f"law-{number}" for number in LAW_BOOKS_BY_CODE[code].rules} <= set(ids)
    cited_links = set(re.findall(r'href="([^"]*#law-[^"]+)"', page))
    assert cited_links
    assert {item.removeprefix("#") for item in cited_links} <= set(ids)
    assert not {section_key.replace(".", "-") for section_key in SECTIONS_BY_KEY} & set(ids)
    assert "/laws/#" not in page


# A book's rule for a situation: words that its laws must have.
EXPECTED_WORDS = [
    ("pole", "led out of turn", "62", "either call the card that was led, or call a suit"),
    ("pole", "both sides revoked", "81", "each is penalised as the other chooses"),
    ("english-1900", "both sides revoked", "85", "the revokes cancel each other"),
    ("american-league", "both sides revoked", "30", "two tricks"),
    ("pole", "last trick", "91", "Any player may ask to see the last trick"),
    ("english-1900", "last trick", "94", "no one may look at it again"),
    ("american-league", "rest are ours", "36", "partner’s cards are put on the table"),
    ("american-league", "14 cards", "19", "choose either a new deal"),
    ("long", "didn't follow suit", "71", "plays another suit revokes"),
]


@pytest.mark.parametrize(("code", "query", "number", "text"), EXPECTED_WORDS)
def test_search_by_ordinary_words_finds_the_situation_and_its_law(
    code: str, query: str, number: str, text: str
) -> None:
    covered = [
        item
        for _title, incidents in search_book(LAW_BOOKS_BY_CODE[code], query).moments
        for item in incidents
    ]
    search_texts_by_number = {
        rule.number: rule.search_text for item in covered for rule in item.rules
    }
    assert text in search_texts_by_number[number]
    assert len(covered) <= 3


@pytest.mark.parametrize(
    ("query", "numbers"), [("62", ["62"]), ("Law 7", ["7"]), ("12a", []), ("quaggamire", [])]
)
def test_law_is_found_by_its_number(query: str, numbers: list[str]) -> None:
    book = search_book(LAW_BOOKS_BY_CODE["pole"], query)
    assert [rule.number for chapter in book.chapters for rule in chapter.rules] == numbers


@pytest.mark.parametrize("code", LAW_BOOKS_BY_CODE)
def test_book_is_shown_in_the_readers_language(code: str, use_marked_language: None) -> None:
    book, found_book = LAW_BOOKS_BY_CODE[code], search_book(LAW_BOOKS_BY_CODE[code], "")
    texts = [
        book.title,
        book.short_title,
        book.source,
        *(chapter.title for chapter in book.chapters),
    ]
    texts += [book.note] if book.note else []
    texts += [rule.text for rule in book.rules.values()]
    texts += [item.text for rule in book.rules.values() for item in rule.items]
    texts += [title for title, _incidents in found_book.moments]
    texts += [item.incident.text for _title, covered in found_book.moments for item in covered]
    assert [text for text in texts if remove_marked_text(text)] == []


@pytest.mark.django_db
@pytest.mark.parametrize("code", LAW_BOOKS_BY_CODE)
def test_most_common_situations_come_first(client: Client, code: str) -> None:
    page = client.get(f"/laws/{code}/").content.decode()
    first = page.index('href="#revoke"')
    assert first < page.index("Forming the table", page.index('id="happened"'))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(re.findall(r'\bid="([^"]+)"', page))


@pytest.mark.django_db
def test_book_pages_need_no_login_and_unknown_ones_are_not_found(client: Client) -> None:
    page = client.get("/laws/english-1900/", {"q": "lead out of turn"})
    assert page.status_code == 200
    assert not page.cookies
    assert 'id="lead-out-of-turn"' in page.content.decode()
    html = client.get("/laws/pole/", {"q": '"><script>quagga'}).content.decode()
    assert "No match. Try fewer words" in html
    assert "<script>quagga" not in html
    for address in ("/laws/hoyle/", "/laws/hoyle/A4.pdf", "/laws/pole/A3.pdf"):
        assert client.get(address).status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize("paper_size", ["A4", "Letter"])
def test_whole_book_is_printed_with_the_etiquette(client: Client, paper_size: str) -> None:
    for code, book in LAW_BOOKS_BY_CODE.items():
        content = client.get(f"/laws/{code}/{paper_size}.pdf").content
        text = " ".join(read_texts(content))
        for rule in [*book.rules.values(), *ETIQUETTE.rules]:
            assert " ".join(rule.text.split()[-3:]) in text, (code, rule.number)
        for page in reading.read_pages(content):
            assert reading.list_outside_marks(page) == []
            assert reading.list_collisions(page) == []


@pytest.mark.django_db
def test_etiquette_is_on_its_page_its_notice_and_the_wall_sheet(client: Client) -> None:
    page = client.get("/laws/etiquette/").content.decode()
    notice = client.get("/laws/etiquette/Letter.pdf").content
    wall_sheet_pdf = wall_sheet.draw_laws(paper_size="Letter")
    session, _user = evenings.open_session()
    paper = get_paper_kind("etiquette")
    event_pdf = paper.draw_pdf(
        paper.build_sheet(load_session_snapshot(session)), paper_size="Letter"
    )
    for pdf in (notice, event_pdf):
        assert len(reading.read_pages(pdf)) == 1
    for rule in ETIQUETTE.rules:
        text = " ".join(rule.text.split()[-3:])
        assert text.replace("'", "&#x27;") in page
        for pdf in (notice, event_pdf, wall_sheet_pdf):
            assert text in " ".join(read_texts(pdf))


@pytest.mark.parametrize("size", ["A4", "Letter"])
def test_etiquette_notice_has_its_title_introduction_and_source(size: str) -> None:
    (text,) = read_texts(wall_sheet.draw_etiquette(paper_size=size))
    assert text.startswith(f"{ETIQUETTE.title} {ETIQUETTE_INTRODUCTION} Use two packs")
    assert text.endswith(f"{ETIQUETTE_SOURCE} page 1 of 1")


def test_wall_sheet_of_a_book_has_its_title_and_source_on_every_page() -> None:
    book = LAW_BOOKS_BY_CODE["american-league"]
    texts = read_texts(wall_sheet.draw_law_book(book.code))
    for number, text in enumerate(texts, start=1):
        assert text.startswith(book.title)
        assert text.endswith(f"{book.source} page {number} of {len(texts)}")
