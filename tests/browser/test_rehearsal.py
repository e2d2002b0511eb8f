"""A new director starts a rehearsal, handles its incidents and discards it."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

import tournaments.services
from scoring.models import Result
from tests import evenings
from tests.browser.conftest import PageOpener
from tests.browser.test_accessibility import find_faults_at
from tournaments.models import Event

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


ClockMover = Callable[[int], None]


@pytest.fixture
def advance_clock(monkeypatch: pytest.MonkeyPatch) -> ClockMover:
    """Move the server's clock, which drives a rehearsal, by some seconds."""
    now, clock_offset = timezone.now, [timedelta()]
    monkeypatch.setattr(timezone, "now", lambda: now() + clock_offset[0])

    def move_clock(seconds: int) -> None:
        clock_offset[0] += timedelta(seconds=seconds)

    return move_clock


def open_new_rehearsal(open_visitor_page: PageOpener, **options: bool) -> tuple[Page, str]:
    """Create a rehearsal; return the browser page that shows it and its URL."""
    session, user = evenings.seat_session(10)
    tournaments.services.set_table_shuffling(session=session, by=user)
    page = open_visitor_page(user, hurry=True, **options)
    page.goto(f"/director/events/{session.event.slug}/")
    page.get_by_role("button", name="Create rehearsal").click()
    expect(page.get_by_role("heading", name="Rehearsal", level=1)).to_be_visible()
    return page, page.url


@pytest.mark.slow
def test_director_rehearses_an_event_from_start_to_end(
    open_visitor_page: PageOpener, advance_clock: ClockMover
) -> None:
    page, address = open_new_rehearsal(open_visitor_page)
    expect(page.get_by_text("nothing here counts")).to_be_visible()
    page.get_by_role("button", name="Start rehearsal").click()
    run_at_full_speed(page)
    advance_clock(5)
    late_pair_task = page.get_by_role("listitem").filter(has_text="Ida Latecomer")
    expect(late_pair_task).to_contain_text("to do", timeout=40_000)
    results = page.get_by_text(re.compile(r"^[1-9]\d* / 50 results in$"))
    expect(results).to_be_visible(timeout=40_000)  # a late pair arrives before the first board
    page.get_by_role("button", name="Real time").click()
    late_pair_task.get_by_role("link", name="Add the late pair").click()
    page.locator("button[name=way]").first.click()
    expect(page.locator(".toast").first).to_contain_text("arrived late")
    expect(page.get_by_role("region", name="Rehearsal", exact=True)).to_contain_text(
        re.compile("Round [12] of")
    )

    page.goto(address)
    expect(late_pair_task).to_contain_text("done")
    page.get_by_role("button", name="Finish session").click()
    expect(page.get_by_role("heading", name="All tables have finished.")).to_be_visible()
    fouled_board_task = page.get_by_role("listitem").filter(has_text="fourteen cards")
    expect(fouled_board_task).to_contain_text("to do")
    fouled_board_task.get_by_role("link", name="Add a ruling").click()
    page.get_by_label("Ruling", exact=True).select_option("average")
    with page.expect_navigation():
        page.get_by_role("button", name="Record ruling").click()
    page.goto(address)
    expect(fouled_board_task).to_contain_text("done")

    page.get_by_role("button", name="Delete rehearsal").click()
    expect(page.locator(".toast").first).to_contain_text("Rehearsal deleted")
    expect(page.get_by_role("button", name="Create rehearsal")).to_be_visible()
    assert not Event.objects.filter(is_rehearsal=True).exists()
    assert not Result.objects.exists()


@pytest.mark.slow
def test_every_page_of_a_rehearsal_says_that_it_is_one(open_visitor_page: PageOpener) -> None:
    page, address = open_new_rehearsal(open_visitor_page)
    event_url = address.removesuffix("rehearsal/")
    for page_path in ("", "entries/", "scores/", "room/", "history/"):
        page.goto(event_url + page_path)
        expect(page.get_by_role("region", name="Rehearsal", exact=True)).to_contain_text(
            "Not started yet."
        )
    players = open_visitor_page()
    for page_path in ("", "boards/", "clock/", "screen/", "entries/1/"):
        players.goto(event_url.replace("/director", "") + page_path)
        expect(players.get_by_text("nothing here counts")).to_be_visible()
    players.goto("/")
    expect(players.get_by_role("link", name="Tuesday", exact=True)).to_be_visible()
    expect(players.get_by_text("Rehearsal")).to_have_count(0)
    page.goto("/director/")
    expect(page.get_by_role("heading", name="Rehearsals")).to_be_visible()


@pytest.mark.slow
def test_rehearsal_page_is_accessible_on_a_phone(open_visitor_page: PageOpener) -> None:
    page, address = open_new_rehearsal(open_visitor_page, phone=True)
    page.get_by_role("button", name="Start rehearsal").click()
    page.get_by_role("button", name="Finish session").click()
    expect(page.get_by_text("to do").first).to_be_visible()
    assert find_faults_at(page, address) == []
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.slow
def test_rehearsal_runs_by_its_buttons_without_javascript(
    open_visitor_page: PageOpener,
) -> None:
    page, _address = open_new_rehearsal(open_visitor_page, java_script_enabled=False)
    page.get_by_role("button", name="Start rehearsal").click()
    page.get_by_role("button", name="Finish round").click()
    page.get_by_role("button", name="Update").click()
    expect(page.get_by_text("10 / 50 results in")).to_be_visible()


def test_rehearsal_pages_keep_the_focus_while_they_are_updated(
    open_visitor_page: PageOpener,
) -> None:
    page, _address = open_new_rehearsal(open_visitor_page)
    page.get_by_role("button", name="Start rehearsal").click()
    page.get_by_role("button", name="Pause").focus()
    with page.expect_response(re.compile("tick")):
        pass
    with page.expect_response(re.compile("tick")):
        pass
    expect(page.get_by_role("button", name="Pause")).to_be_focused()


@pytest.mark.slow
def test_new_task_in_the_bar_causes_no_layout_shift(
    open_visitor_page: PageOpener, advance_clock: ClockMover
) -> None:
    page, address = open_new_rehearsal(open_visitor_page, phone=True)
    page.get_by_role("button", name="Start rehearsal").click()
    run_at_full_speed(page)
    page.goto(address.replace("rehearsal/", "room/"))
    heading = page.get_by_role("heading", level=1)
    expect(page.get_by_text("Nothing to do")).to_be_visible()
    heading_before = measure_heading(heading)
    advance_clock(5)
    element = page.get_by_role("link", name="1 thing to do")
    expect(element).to_be_visible(timeout=40_000)
    assert measure_heading(heading) == heading_before


def run_at_full_speed(page: Page) -> None:
    """Set full speed and wait for the response, which opening another page would cancel."""
    page.get_by_role("button", name="60 times faster").click()
    expect(page.get_by_role("button", name="60 times faster", pressed=True)).to_be_visible()


def measure_heading(heading: Locator) -> tuple[float, float, float]:
    """Return the position and height of a heading; its text may be longer in the next round."""
    for _look in range(20):  # a page that follows play may redraw it between two queries
        expect(heading).to_be_visible()
        if (box := heading.bounding_box()) is not None:
            return box["x"], box["y"], box["height"]
    pytest.fail("the heading is never there")
