"""The room page follows play without layout shifts and shows a lost connection."""

import re
import time

import pytest
from playwright.sync_api import Locator, Page, expect

import hall.phones.services
from clubs.evenings.services import call_director
from hall.room import services as clocks
from scoring.session_snapshot import load_session_snapshot
from server.models import User
from tests import evenings
from tests.browser.conftest import PageOpener
from tournaments.models import Session

pytestmark = [pytest.mark.browser]

MAX_DELAY_SECONDS = 2.0  # from a saved result to its mark on an open page
LAYOUT_SHIFT_SCRIPT = """() => {
  window.shifted = 0;
  new PerformanceObserver(list => {
    for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifted += one.value;
  }).observe({ type: "layout-shift", buffered: true });
}"""
TOP_POSITION_SCRIPT = "id => document.getElementById(id).getBoundingClientRect().top"


@pytest.fixture
def night(transactional_db: None) -> tuple[Session, User]:
    session, user = evenings.open_session(14, boards_a_round=2)
    clocks.start_clock(session=session, by=user)
    return session, user


def open_room(
    open_visitor_page: PageOpener, session: Session, user: User, **options: object
) -> Page:
    page = open_visitor_page(user, **options)
    page.goto(f"/director/events/{session.event.slug}/room/")
    return page


@pytest.mark.slow
def test_result_is_on_its_tile_within_two_seconds_without_a_layout_shift(
    open_visitor_page: PageOpener, night: tuple[Session, User]
) -> None:
    session, user = night
    page = open_room(open_visitor_page, session, user)
    page.evaluate("window.openSinceTheBeginning = true")
    page.locator("#to-call summary").click()
    page.get_by_role("button", name="Pause").focus()
    page.evaluate(LAYOUT_SHIFT_SCRIPT)
    tile = page.locator("#tile-A3")
    tables = [
        round_
        for round_ in load_session_snapshot(session).rounds_by_table["A", 3]
        if round_.round == 1
    ]
    top_before = page.evaluate(TOP_POSITION_SCRIPT, "tile-A7")
    wait_seconds = []
    for index, board in enumerate(tables[0].boards, start=1):
        evenings.enter_result(session, tables[0].sitting_id, board, "7", user)
        saved_at = time.monotonic()
        expect(tile.get_by_role("img", name=f"{index} of 2 in")).to_be_visible()
        wait_seconds.append(time.monotonic() - saved_at)
    # Take the better of two attempts, as other processes use the machine too.
    assert min(wait_seconds) < MAX_DELAY_SECONDS
    expect(tile).to_contain_text("2 of 2")
    expect(page.get_by_text("2 of 14 results in")).to_be_visible()
    # In Firefox, a row of tiles with a complete table is 0.6 pixels higher.
    assert page.evaluate(TOP_POSITION_SCRIPT, "tile-A7") == pytest.approx(top_before, abs=1)
    assert page.evaluate("window.shifted") <= 0.02
    expect(page.get_by_role("button", name="Pause")).to_be_focused()
    expect(page.locator("#tonight-to-call")).to_be_visible()
    assert page.evaluate("window.openSinceTheBeginning") is True


@pytest.mark.slow
def test_call_appears_automatically_and_is_answered_in_one_click(
    open_visitor_page: PageOpener, night: tuple[Session, User]
) -> None:
    session, user = night
    links = hall.phones.services.create_table_links(session=session, by=user)
    page = open_room(open_visitor_page, session, user, phone=True, hurry=True)
    call_director(link=links[4])
    expect(page.get_by_text("Table 5 is calling")).to_be_visible()
    first_button = page.locator("main :is(button, a.button)").filter(visible=True).first
    expect(first_button).to_have_accessible_name("I’m on my way")
    first_button.click()
    expect(page.get_by_text("Round 1 in play")).to_be_visible()


def test_lost_connection_is_shown_with_its_time_until_it_returns(
    open_visitor_page: PageOpener, night: tuple[Session, User]
) -> None:
    session, user = night
    page = open_room(open_visitor_page, session, user, hurry=True)
    expect(page.get_by_text("0 of 14 results in")).to_be_visible()
    page.context.set_offline(True)
    connection_notice = page.get_by_text(
        re.compile(r"^Not connected since \d\d:\d\d\. The page may be")
    )
    expect(connection_notice).to_be_visible()
    page.context.set_offline(False)
    expect(connection_notice).to_be_hidden()


def test_room_page_is_usable_without_javascript(
    open_visitor_page: PageOpener, night: tuple[Session, User]
) -> None:
    session, user = night
    links = hall.phones.services.create_table_links(session=session, by=user)
    call_director(link=links[0])
    page = open_room(open_visitor_page, session, user, java_script_enabled=False)
    page.get_by_role("button", name="I’m on my way").click()
    expect(page.get_by_text("Round 1 in play")).to_be_visible()
    page.get_by_role("button", name="+1 minute").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Round 1 of 7")
    page.locator("#tile-A2 a").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Table 2")
    page.get_by_role("link", name="Enter scores").click()
    expect(page.get_by_role("table", name="Round 1, table 2")).to_be_visible()


def test_tables_are_placed_by_mouse_touch_and_keyboard(
    open_visitor_page: PageOpener, night: tuple[Session, User]
) -> None:
    """Dragging has an alternative (WCAG 2.2, 2.5.7): a tap on the table and its place."""
    session, user = night
    page = open_visitor_page(user, has_touch=True)
    page.goto(f"/director/events/{session.event.slug}/room/plan/")

    def table(number: int) -> Locator:
        return page.get_by_role("button", name=f"Table {number}: row")

    def find_free_place(row: int, column: int) -> Locator:
        return page.get_by_role("button", name=f"Free: row {row}, column {column}", exact=True)

    expect(table(5)).to_have_accessible_name("Table 5: row 2, column 1")
    table(1).drag_to(find_free_place(3, 2))
    expect(table(1)).to_have_accessible_name("Table 1: row 3, column 2")
    table(2).drag_to(table(3))  # the two tables exchange their places
    expect(table(3)).to_have_accessible_name("Table 3: row 1, column 2")
    table(5).tap()
    expect(page.get_by_text("Table 5: now choose its place.")).to_be_attached()
    find_free_place(1, 1).tap()
    table(4).press("Enter")
    find_free_place(1, 5).press("Enter")
    page.get_by_text("Enter rows and columns").click()
    page.get_by_label("Row of table 7").fill("4")
    expect(table(7)).to_have_accessible_name("Table 7: row 4, column 3")
    _drag_by_touch(page, table(6), find_free_place(4, 1))
    page.get_by_role("button", name="Save").click()
    expect(page).to_have_url(re.compile("/room/$"))
    session.event.club.refresh_from_db()
    assert session.event.club.room_plan == {
        **{"1": [3, 2], "2": [1, 3], "3": [1, 2], "4": [1, 5]},
        **{"5": [1, 1], "6": [4, 1], "7": [4, 3]},
    }


def _drag_by_touch(page: Page, locator: Locator, target: Locator) -> None:
    """Touch an element, drag it and release it, with the events of a phone."""
    locator.scroll_into_view_if_needed()
    (x, y), (to_x, to_y) = (find_middle(item) for item in (locator, target))
    phone = page.context.new_cdp_session(page)
    phone.send("Input.dispatchTouchEvent", build_touch_event("touchStart", x, y))
    expect(locator).to_have_class(re.compile("is-drawn"))
    for fraction in (0.5, 1):
        touch_position = x + fraction * (to_x - x), y + fraction * (to_y - y)
        phone.send("Input.dispatchTouchEvent", build_touch_event("touchMove", *touch_position))
    phone.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(locator).not_to_have_class(re.compile("is-drawn"))


def build_touch_event(event_type: str, x: float, y: float) -> dict[str, object]:
    return {"type": event_type, "touchPoints": [{"x": x, "y": y}]}


def find_middle(locator: Locator) -> tuple[float, float]:
    box = locator.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
