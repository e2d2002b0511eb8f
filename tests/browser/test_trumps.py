"""Declared trumps are recorded with the score on the director's screen and on phones."""

import re

import pytest
from playwright.sync_api import Locator, expect

import hall.phones.services
import scoring.services
from scoring.models import Result
from server.models import User
from tests import evenings
from tests.browser.conftest import PageOpener
from tests.browser.test_tables import wait_until_all_sent
from tournaments.models import Session
from tournaments.services import set_trumps

pytestmark = pytest.mark.browser


@pytest.fixture
def session(transactional_db: None) -> Session:
    """Create three tables in play with one board a round, which declare their trumps."""
    session, user = evenings.open_session(boards_a_round=1)
    user.save()
    set_trumps(event=session.event, trumps="declared", is_agreed=True, by=user)
    return session


@pytest.mark.slow
def test_tricks_and_a_letter_enter_a_score_with_its_trumps(
    open_visitor_page: PageOpener, session: Session
) -> None:
    page = open_visitor_page(User.objects.get(username="director"))
    page.goto(f"/director/events/{session.event.slug}/scores/")

    def find_cell(board: int, table: int) -> Locator:
        return page.get_by_role("textbox", name=re.compile(f"^Board {board}, table {table},"))

    def find_suit_field(board: int, table: int) -> Locator:
        name = f"Board {board}, table {table}: trumps declared"
        return page.get_by_role("combobox", name=name)

    expect(find_cell(1, 1)).to_be_focused()
    for key in ("8", "h", "Enter"):
        page.keyboard.press(key)
    expect(find_suit_field(1, 1)).to_have_value("H")
    expect(
        page.get_by_text("Board 1, table 1: N-S 8, E-W 5. Declared: hearts.")
    ).to_be_visible()
    expect(find_cell(1, 3)).to_be_focused()
    for key in ("1", "0", "s", "Enter"):
        page.keyboard.press(key)
    expect(
        page.get_by_text("Board 1, table 3: N-S 10, E-W 3. Declared: spades.")
    ).to_be_visible()
    find_suit_field(1, 1).select_option("C")
    expect(page.get_by_text("Board 1, table 1: N-S 8, E-W 5. Declared: clubs.")).to_be_visible()
    page.reload()
    expect(find_suit_field(1, 1)).to_have_value("C")
    results = Result.objects.order_by("pk").values_list("ns_tricks", "trump")
    assert list(results) == [(8, "C"), (10, "S")]


@pytest.mark.slow
def test_phone_asks_for_the_trumps_and_the_other_side_confirms_them(
    open_visitor_page: PageOpener, session: Session
) -> None:
    director = User.objects.get(username="director")
    link = hall.phones.services.create_table_links(session=session, by=director)[0]
    page = open_visitor_page(phone=True)
    page.goto(link.path)
    page.get_by_role("radio", name="hearts").check()
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # the page polls
    page.locator("#t-enter").get_by_role("button", name="8", exact=True).click()
    confirm_section = page.locator("#t-confirm")
    expect(confirm_section.get_by_text("Declared: hearts.", exact=True)).to_be_visible()
    page.get_by_role("link", name="No, change it").click()
    expect(page.locator("#t-said")).to_contain_text("8 and 5 Declared: hearts.")
    expect(page.get_by_role("radio", name="hearts")).to_be_checked()
    page.get_by_role("radio", name="spades").check()
    page.locator("#t-enter").get_by_role("button", name="8", exact=True).click()
    expect(confirm_section.get_by_text("Declared: spades.", exact=True)).to_be_visible()
    wait_until_all_sent(page)
    row = Result.objects.get()
    assert (row.mark, row.trump, row.agreement) == ("8", "S", "awaited")

    play = {"sitting": row.sitting, "board_number": row.board, "mark": "8", "seen_score": "8"}
    scoring.services.record_result(**play, trump="C", by=director)
    page.get_by_role(
        "button", name="Yes, 8 and 5"
    ).click()  # back to the value shown before: it must be confirmed again
    expect(confirm_section.get_by_text("Declared: clubs.", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Yes, 8 and 5")).to_be_enabled()
    row.refresh_from_db()
    assert row.agreement == "awaited"
    page.wait_for_timeout(600)  # a new question ignores taps for a moment
    page.get_by_role("button", name="Yes, 8 and 5").click()
    expect(page.get_by_text("Round 1 is complete.")).to_be_visible()
    wait_until_all_sent(page)
    row.refresh_from_db()
    assert (row.mark, row.trump, row.agreement) == ("8", "C", "given")


def test_phone_without_javascript_asks_for_the_trumps_too(
    open_visitor_page: PageOpener, session: Session
) -> None:
    director = User.objects.get(username="director")
    link = hall.phones.services.create_table_links(session=session, by=director)[0]
    page = open_visitor_page(phone=True, java_script_enabled=False)
    page.goto(link.path)
    page.get_by_role("radio", name="diamonds").check()
    page.locator("#t-enter").get_by_role("button", name="8", exact=True).click()
    expect(page.locator("#t-confirm").get_by_text("Declared: diamonds.")).to_be_visible()
    page.get_by_role("button", name="Yes, 8 and 5").click()
    row = Result.objects.get()
    assert (row.trump, row.agreement) == ("D", "given")
