"""An event is run in a browser without JavaScript, where every step is a plain form."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from scoring.models import Result
from tests import evenings
from tests.browser.conftest import PageOpener
from tournaments.models import Event

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PASSWORD = "seven-diamonds-doubled"


def test_event_is_run_without_javascript(open_visitor_page: PageOpener) -> None:
    event, user = evenings.create_event(pairs=5)
    user.set_password(PASSWORD)
    user.save()
    page = open_visitor_page(java_script_enabled=False)
    _sign_in(page)
    _enter_a_pair(page, event)
    _choose_a_movement(page)
    evenings.show_growing_totals(event)  # each round has one board
    _enter_board(page)
    _read_standings(open_visitor_page(java_script_enabled=False, phone=True), event)


def _sign_in(page: Page) -> None:
    page.goto("/director/")
    page.get_by_label("Name", exact=True).fill("director")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name=re.compile("^(Tonight|Evenings)$"))).to_be_visible()


def _enter_a_pair(page: Page, event: Event) -> None:
    page.get_by_role("link", name=event.name).click()
    page.get_by_role("link", name="Pairs").first.click()
    page.get_by_label("First player").fill("Ada Pole")
    page.get_by_role("button", name="Add the pair").click()
    expect(page.get_by_label("Second player")).to_have_attribute("aria-invalid", "true")
    page.get_by_label("Second player").fill("Łucja Nowak")
    page.get_by_role("button", name="Add the pair").click()
    expect(page.get_by_text("6 pairs entered.")).to_be_visible()


def _choose_a_movement(page: Page) -> None:
    page.get_by_role("link", name="Continue to movement").click()
    page.get_by_text("Compare all").click()
    chosen_movement = page.get_by_role("listitem").filter(
        has=page.get_by_role("heading", name="Mitchell, 3 tables", exact=True)
    )
    chosen_movement.get_by_label("Boards per round").select_option("1")
    chosen_movement.get_by_role("button", name="Play this").click()
    page.get_by_role("link", name="Set up boards").click()
    page.get_by_role("button", name="Shuffle at the table").click()
    page.locator(".crumb__name").first.click()
    page.get_by_role("link", name="Papers").first.click()
    page.get_by_role("button", name="Print full set").click()
    expect(page.get_by_role("link", name="Print full set")).to_be_visible()
    page.locator(".crumb__name").first.click()
    page.get_by_role("button", name="Start session").click()
    page.get_by_role("link", name="Enter scores").first.click()
    page.get_by_role("link", name="By board").click()


def _enter_board(page: Page) -> None:
    """Send a board with an error in it, and correct it."""
    for table, tricks in ((1, "9"), (3, "14"), (2, "-")):
        find_cell(page, table).fill(tricks)
    page.get_by_role("button", name="Save Board 1").click()
    expect(page.get_by_role("alert")).to_contain_text("Board 1, table 3: “14” isn’t a number")
    expect(page.get_by_text("7 results missing.")).to_be_visible()
    find_cell(page, 3).fill("4")
    page.get_by_role("button", name="Save Board 1").click()
    expect(page.get_by_text("6 results missing.")).to_be_visible()
    marks = [result.mark for result in Result.objects.order_by("sitting__round")]
    assert marks == ["9", "4", "-"]


def find_cell(page: Page, table: int) -> Locator:
    return page.get_by_role("textbox", name=re.compile(f"^Board 1, table {table},"))


def _read_standings(page: Page, event: Event) -> None:
    page.goto("/events/")
    page.get_by_role("link", name=event.name).click()
    expect(page.get_by_text("6 results missing.").first).to_be_visible()
    page.get_by_role("link", name="Boards").first.click()
    page.get_by_role("link", name="Board 1").first.click()
    lines = page.get_by_role("table", name=re.compile("^Traveller"))
    expect(lines.get_by_text("not played")).to_be_visible()
