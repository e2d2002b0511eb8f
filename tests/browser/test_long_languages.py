"""Pages fit a phone in a wordy language, in German, and written from right to left."""

from collections.abc import Iterable
from typing import Any

import pytest
from playwright.sync_api import Page

import hall.phones.services
from tests import evenings
from tests.browser.conftest import PageOpener
from tests.browser.full_club import build_full_club
from tests.browser.layout_faults import LAYOUT_SCRIPT
from tests.browser.pages import create_full_event
from tests.browser.test_hands_and_eyes import OVERLAP_SCRIPT
from tests.languages import LONG_LANGUAGE, RIGHT_TO_LEFT_LANGUAGE, offer_pseudo_languages

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LANGUAGES = ["de", LONG_LANGUAGE, RIGHT_TO_LEFT_LANGUAGE]
OPEN_FOLDS_SCRIPT = """() => document.querySelectorAll("main details").forEach(
    each => { each.open = true; })"""
BROKEN_PAGE = """<main><p style="width: 500px">wide</p>
<p style="width: 90px; overflow: hidden; white-space: nowrap">cut at the edge</p>
<table style="table-layout: fixed; width: 50px"><tr><th>Schiedsrichterin</th></tr></table>
<button>one</button><button style="margin-inline-start: -20px">two</button>
<svg><text x="0" y="20">average</text><text x="9" y="20">best</text></svg></main>"""


def list_faults(page: Page, language: str, paths: Iterable[str]) -> list[str]:
    """Open pages on a phone; return what does not fit, also with all folds open."""
    server_url = page.evaluate("location.origin")
    page.context.add_cookies([{"name": "language", "value": language, "url": server_url}])
    faults: list[str] = []
    for path in paths:
        page.goto(path)
        assert page.locator("html").get_attribute("lang") == language
        layout_faults = page.evaluate(LAYOUT_SCRIPT) + page.evaluate(OVERLAP_SCRIPT)
        page.evaluate(OPEN_FOLDS_SCRIPT)
        layout_faults += page.evaluate(LAYOUT_SCRIPT)
        faults += [f"{path}: {fault}" for fault in layout_faults]
    return faults


@pytest.mark.parametrize("language", LANGUAGES)
def test_important_pages_fit_a_phone_in_another_language(
    open_visitor_page: PageOpener, language: str
) -> None:
    session, user = create_full_event(is_closed=False)
    event = f"events/{session.event.slug}"
    public = ["/", "/events/", f"/{event}/", f"/{event}/boards/1/", f"/{event}/entries/1/"]
    director_paths = ["/director/", f"/director/{event}/room/", f"/director/{event}/scores/"]
    faults: list[str] = []
    with offer_pseudo_languages(LONG_LANGUAGE, RIGHT_TO_LEFT_LANGUAGE):
        for person, paths in ((None, public), (user, director_paths)):
            page = open_visitor_page(person, phone=True)
            page.goto("/")
            faults += list_faults(page, language, paths)
    assert faults == []


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_fits_a_phone_in_another_language(
    open_visitor_page: PageOpener, language: str
) -> None:
    club = build_full_club()
    assert len(club.public_pages) > 75
    assert len(club.director_pages) > 150
    faults: list[str] = []
    with offer_pseudo_languages(LONG_LANGUAGE, RIGHT_TO_LEFT_LANGUAGE):
        for person, paths in ((None, club.public_pages), (club.user, club.director_pages)):
            page = open_visitor_page(person, phone=True)
            page.goto("/")
            faults += list_faults(page, language, paths)
    assert faults == []


def test_broken_layout_is_found(open_visitor_page: PageOpener) -> None:
    page = open_visitor_page(phone=True)
    page.set_content(BROKEN_PAGE)
    kinds = [fault.split(":")[0] for fault in page.evaluate(LAYOUT_SCRIPT)]
    assert kinds == [
        *("the page is 508 wide", "outside", "cut"),
        *("beyond", "beyond", "in a picture", "over"),
    ]


def test_updates_of_a_table_phone_are_in_the_language_of_its_page(
    open_visitor_page: PageOpener, live_server: Any
) -> None:
    session, user = evenings.open_session()
    link = hall.phones.services.create_table_links(session=session, by=user)[0]
    phone = open_visitor_page(phone=True, hurry=True)  # its browser is English
    cookie = {"name": "language", "value": "nl", "url": live_server.url}
    phone.context.add_cookies([cookie])
    phone.goto(link.path)
    with phone.expect_response(
        lambda one: "json" in one.headers["content-type"]
    ) as response_info:
        phone.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert response_info.value.headers["content-language"] == "nl"
