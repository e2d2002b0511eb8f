"""The law book is public, on a screen, in print and on the wall."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from laws import wall_sheet as laws_paper
from laws.book import LAWS, SECTIONS_BY_KEY, SITUATIONS_BY_CODE
from tests import evenings
from tests.scoring.papers import reading
from tests.scoring.papers.reading import read_texts

pytestmark = pytest.mark.django_db


def test_law_book_is_one_page_without_login_or_cookie(client: Client) -> None:
    with CaptureQueriesContext(connection) as queries:
        response = client.get("/laws/")
    assert response.status_code == 200
    assert not response.cookies
    assert len(queries) <= 1  # the frame's, for the club's name
    ids = re.findall(r'\bid="([^"]+)"', response.content.decode())
    sections = {key.replace(".", "-") for key in SECTIONS_BY_KEY}
    assert sections | set(SITUATIONS_BY_CODE) | {law.number for law in LAWS} <= set(ids)
    assert len(ids) == len(set(ids))


def test_search_shows_matches_and_their_number(client: Client) -> None:
    page = client.get("/laws/", {"q": "X 4"}).content.decode()
    assert 'id="X-4"' in page
    assert 'id="I26"' in page
    assert 'id="X-5"' not in page
    assert "for “X 4”" in page


def test_search_without_matches_shows_a_hint(client: Client) -> None:
    page = client.get("/laws/", {"q": '"><script>quagga'}).content.decode()
    assert "No match. Try fewer words" in page
    assert "<script>quagga" not in page


@pytest.mark.parametrize("paper_size", ["A4", "Letter"])
def test_wall_sheet_contains_every_section(client: Client, paper_size: str) -> None:
    response = client.get(f"/laws/{paper_size}.pdf")
    assert response["Content-Type"] == "application/pdf"
    assert response.content == laws_paper.draw_laws(paper_size=paper_size)
    text = " ".join(read_texts(response.content))
    assert "1902 to 1906, 1908 to 1910, 1912 and 1914" in text
    for section in SECTIONS_BY_KEY.values():
        assert " ".join(section.text.split()[-3:]) in text, section.key


def test_wall_sheet_has_no_other_size(client: Client) -> None:
    assert client.get("/laws/A3.pdf").status_code == 404


def test_law_book_keeps_navigation_of_the_originating_event() -> None:
    session, _user = evenings.open_session()
    slug = session.event.slug
    client = Client()
    page = client.get("/laws/", {"event": slug}).content.decode()
    assert f'href="/events/{slug}/"' in page
    assert f'href="/director/events/{slug}/"' in page
    search_page = client.get("/laws/", {"event": slug, "q": "revoke"}).content.decode()
    assert f'href="/laws/?event={slug}"' in search_page


@pytest.mark.parametrize(
    "unknown_event", ["nothing", "x/session-abc", "²", "a/session-99", "\x00"]
)
def test_law_book_ignores_an_unknown_event(unknown_event: str) -> None:
    evenings.open_session()
    response = Client().get("/laws/", {"event": unknown_event})
    assert response.status_code == 200
    assert b'class="bar' not in response.content


@pytest.mark.parametrize("size", ["A4", "Letter"])
def test_wall_sheet_is_one_leaf_printed_on_both_sides(size: str) -> None:
    """Regression: on Letter paper a third page had only three definitions."""
    pages = reading.read_pages(laws_paper.draw_laws(paper_size=size))
    assert len(pages) == 2
    for page in pages:
        assert reading.list_outside_marks(page) == []
        assert reading.list_collisions(page) == []
        assert len(page.extract_text()) > 5000
