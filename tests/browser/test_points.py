"""Results in points are entered on the director's screen and on table phones."""

import re

import pytest
from playwright.sync_api import Locator, expect

import hall.phones.services
from scoring.models import Result
from server.models import User
from tests import evenings
from tests.browser.conftest import PageOpener
from tests.browser.test_tables import wait_until_all_sent
from tournaments.models import Session

pytestmark = pytest.mark.browser


@pytest.fixture
def session(transactional_db: None) -> Session:
    """Create three tables in play that score in points, without results."""
    session, user = evenings.play_points_event(empty=True)
    user.save()
    return session


def test_two_numbers_enter_a_score_and_their_difference_is_shown(
    open_visitor_page: PageOpener, session: Session
) -> None:
    page = open_visitor_page(User.objects.get(username="director"))
    page.goto(f"/director/events/{session.event.slug}/scores/")

    def find_cell(board: int, table: int) -> Locator:
        return page.get_by_role("textbox", name=re.compile(f"^Board {board}, table {table},"))

    def find_row(board: int, table: int) -> Locator:
        return page.get_by_role("row").filter(has=find_cell(board, table))

    expect(find_cell(1, 1)).to_be_focused()
    for key in ("1", "2", "0", "-", "2", "0", "0", "h", "Enter"):
        page.keyboard.press(key)
    message = "Board 1, table 1: N-S 120, E-W 200. Declared: hearts."
    expect(page.get_by_text(message)).to_be_visible()
    expect(find_row(1, 1).locator(".ew")).to_have_text("−80")
    find_cell(1, 3).fill("8")
    page.keyboard.press("Enter")
    expect(find_row(1, 3)).to_contain_text("e.g. 120-40, or –")
    find_cell(1, 3).fill("40 0")
    page.keyboard.press("n")
    page.keyboard.press("Enter")
    expect(page.get_by_text("table 3: N-S 40, E-W 0. Declared: no trump.")).to_be_visible()
    results = Result.objects.order_by("pk").values_list("ns_points", "ew_points", "trump")
    assert list(results) == [(120, 200, "H"), (40, 0, "N")]


def test_phone_requests_points_of_each_side_and_the_other_side_confirms(
    open_visitor_page: PageOpener, session: Session
) -> None:
    director = User.objects.get(username="director")
    link = hall.phones.services.create_table_links(session=session, by=director)[0]
    page = open_visitor_page(phone=True)
    page.goto(link.path)
    enter_section, confirm_section = page.locator("#t-enter"), page.locator("#t-confirm")
    expect(enter_section.get_by_role("heading")).to_have_text(
        "Board 1: points won by each side?"
    )
    enter_section.get_by_label("North-South won").fill("120")
    enter_section.get_by_role("button", name="Enter points").click()
    expect(enter_section).to_be_visible()  # one number is not a result
    enter_section.get_by_label("East-West won").fill("40")
    enter_section.get_by_label("no trump").check()
    enter_section.get_by_label("doubled", exact=True).check()
    enter_section.get_by_role("button", name="Enter points").click()
    expect(confirm_section.get_by_text("Declared: no trump, doubled.")).to_be_visible()
    expect(confirm_section.get_by_role("button", name="Yes, 120 and 40")).to_be_visible()
    page.get_by_role("link", name="No, change it").click()
    expect(enter_section.get_by_label("East-West won")).to_have_value("40")
    enter_section.get_by_label("East-West won").fill("50")
    enter_section.get_by_role("button", name="Enter points").click()
    expect(confirm_section.get_by_role("button", name="Yes, 120 and 50")).to_be_visible()
    confirm_section.get_by_role("button", name="Yes, 120 and 50").click()
    wait_until_all_sent(page)
    row = Result.objects.get()
    assert (row.mark, row.agreement) == ("120-50", "given")
