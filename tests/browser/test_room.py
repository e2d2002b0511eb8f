"""The big screen has a clock that follows the director, and long standings scroll."""

import re
import time

import pytest
from playwright.sync_api import expect

import scoring.services
import tournaments.services
from hall.rehearsal.staged_events import create_staged_session
from hall.room import services as clocks
from scoring.standings_engine import standings
from tests import evenings
from tests.browser.conftest import PageOpener
from tests.copies import build_once
from tournaments.models import Session
from tournaments.place_labels import load_place_labels_by_entry

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_big_clock_follows_the_director_without_a_reload(
    open_visitor_page: PageOpener, transactional_db: None
) -> None:
    session, user = evenings.open_session()
    screen, director = open_visitor_page(hurry=True), open_visitor_page(user)
    screen.goto(f"/events/{session.event.slug}/clock/")
    expect(screen.get_by_role("heading", name="Play starts soon")).to_be_visible()
    director.goto(f"/director/events/{session.event.slug}/room/clock/")
    director.get_by_role("button", name="Start round 1").click()
    expect(screen.get_by_role("heading", name="Round 1 of 3")).to_be_visible()
    expect(screen.get_by_role("timer")).to_have_text(re.compile(r"^13:\d\d$"))
    director.get_by_role("button", name="1 minute more").click()
    expect(screen.get_by_role("timer")).to_have_text(re.compile(r"^14:\d\d$"))
    screen.context.set_offline(True)
    expect(screen.get_by_text("The clock keeps running")).to_be_visible()
    text_before = screen.get_by_role("timer").inner_text()
    expect(screen.get_by_role("timer")).not_to_have_text(text_before)
    clocks.end_phase(session=session, by=user)
    screen.context.set_offline(False)
    expect(screen.get_by_role("heading", name="Please move: round 2 begins in")).to_be_visible()
    expect(screen.get_by_text("East-West move up one table.")).to_be_visible()


def test_long_standings_scroll_on_the_big_screen(
    open_visitor_page: PageOpener, transactional_db: None
) -> None:
    session, _user = evenings.play_session(pairs=30, boards_a_round=1)
    evenings.show_growing_totals(session.event)
    standings.update_standings(session.event)
    screen = open_visitor_page(viewport={"width": 1280, "height": 600})
    screen.clock.install()
    screen.goto(f"/events/{session.event.slug}/screen/")
    expect(screen.get_by_text("Page 1 of")).to_be_visible()
    rows = screen.locator("#standings tbody tr:visible")
    first_text = rows.first.inner_text()
    screen.clock.run_for(12_500)
    expect(screen.get_by_text("Page 2 of")).to_be_visible()
    assert rows.first.inner_text() != first_text
    assert screen.evaluate("document.documentElement.scrollHeight <= innerHeight + 60")


CUT_NAMES_SCRIPT = """[...document.querySelectorAll("#screen-leaders li > :nth-child(2)")]
    .filter(each => each.scrollWidth > each.clientWidth + 1)
    .map(each => each.textContent)"""
VISIBLE_ROWS_SCRIPT = """() => Array.from(document.querySelectorAll("#standings tbody tr"))
    .filter((row) => row.offsetParent)
    .map((row) => {
        const at = row.getBoundingClientRect();
        return {label: row.querySelector(".pair__label").textContent, bottom: at.bottom,
            right: Math.max(at.right, ...Array.from(row.cells, (cell) =>
                cell.getBoundingClientRect().right))};
    })"""
CLOCK_PATTERN = re.compile(r"^Round 1 of 7 · \d+:\d\d$")
SCREEN_SIZES = [(1920, 1080), (1280, 720)]


@pytest.fixture
def hall_session(transactional_db: None) -> Session:
    """Create a hundred tables in eight sections with one round played."""
    return create_hundred_tables()


@build_once
def create_hundred_tables() -> Session:
    club, user = evenings.create_club_with_director()
    session = create_staged_session(
        club=club,
        table_count=100,
        section_count=8,
        played_round_count=1,
        boards_a_round=1,
        should_deal=False,
        by=user,
    )
    evenings.show_growing_totals(session.event)
    clocks.start_clock(session=session, by=user)
    standings.update_standings(session.event)
    return session


@pytest.mark.parametrize(("width", "height"), SCREEN_SIZES)
def test_big_screen_shows_every_pair_of_a_large_hall_on_some_page(
    open_visitor_page: PageOpener, hall_session: Session, width: int, height: int
) -> None:
    """No pair is beyond an edge, and the clock is on every page."""
    screen = open_visitor_page(viewport={"width": width, "height": height})
    screen.clock.install()
    screen.goto(f"/events/{hall_session.event.slug}/screen/")
    element = screen.locator("#screen-page")
    expect(element).to_have_text(re.compile("^Page 1 of"))
    pages = int(element.inner_text().rpartition(" ")[2])
    expect(screen.get_by_role("timer")).to_have_count(1)
    timer = screen.locator("[role=timer]")  # a query by role would take long on each page
    seen_labels: list[str] = []
    for number in range(1, pages + 1):
        expect(element).to_have_text(f"Page {number} of {pages}")
        expect(timer).to_have_text(CLOCK_PATTERN)
        expect(timer).to_be_in_viewport(ratio=1)
        rows = screen.evaluate(VISIBLE_ROWS_SCRIPT)
        if number == 1:  # page 1 has the leaders of all sections, three per side
            assert rows == []
            expect(screen.locator("#screen-leaders li")).to_have_count(48)
            assert screen.evaluate(CUT_NAMES_SCRIPT) == []
            screen.keyboard.press("ArrowRight")
            continue
        assert rows, number
        assert max(row["bottom"] for row in rows) <= height
        assert max(row["right"] for row in rows) <= width
        seen_labels += [row["label"] for row in rows]
        assert screen.evaluate("document.documentElement.scrollHeight") <= height
        screen.keyboard.press("ArrowRight")
    labels = list(load_place_labels_by_entry(hall_session).values())
    assert sorted(seen_labels) == sorted(labels)
    expect(element).to_have_text(f"Page 1 of {pages}")  # the first page follows the last
    assert pages <= len(labels) / 8, "a page has room for more"


def test_big_screen_pages_change_by_keys_dots_and_automatically(
    open_visitor_page: PageOpener, hall_session: Session
) -> None:
    screen = open_visitor_page(viewport={"width": 1920, "height": 1080})
    screen.clock.install()
    screen.goto(f"/events/{hall_session.event.slug}/screen/")
    element = screen.locator("#screen-page")
    expect(element).to_have_text(re.compile("^Page 1 of"))
    screen.clock.pause_at(time.time() + 5)
    pages = int(element.inner_text().rpartition(" ")[2])

    def expect_page_number(number: int) -> None:
        expect(element).to_have_text(f"Page {number} of {pages}")
        current_dot = screen.locator("#screen-dots [aria-current]")
        expect(current_dot).to_have_accessible_name(f"Page {number}")

    screen.keyboard.press("ArrowLeft")
    expect_page_number(pages)
    screen.keyboard.press("ArrowRight")
    expect_page_number(1)
    screen.get_by_role("button", name="Next").click()
    expect_page_number(2)
    screen.get_by_role("button", name="Page 4", exact=True).click()
    expect_page_number(4)
    screen.clock.run_for(12_500)
    expect_page_number(5)
    screen.get_by_role("heading", level=1).click()  # away from the dot that was clicked
    screen.keyboard.press("Space")
    screen.clock.run_for(37_000)
    expect_page_number(5)
    expect(screen.get_by_role("button", name="Stay on this page", pressed=True)).to_be_visible()
    screen.keyboard.press("Space")
    screen.clock.run_for(12_500)
    expect_page_number(6)


def test_big_screen_is_readable_without_javascript(
    open_visitor_page: PageOpener, hall_session: Session
) -> None:
    screen = open_visitor_page(
        java_script_enabled=False, viewport={"width": 1920, "height": 1080}
    )
    screen.goto(f"/events/{hall_session.event.slug}/screen/")
    expect(screen.locator("#standings tbody tr:visible")).to_have_count(200)
    expect(screen.get_by_role("timer")).to_contain_text("Round 1 of 7")
    expect(screen.get_by_role("button", name="Next")).to_have_count(0)


def test_clock_without_a_connection_continues_with_the_next_round(
    open_visitor_page: PageOpener, transactional_db: None
) -> None:
    session, user = evenings.open_session()
    clocks.start_clock(session=session, by=user)
    screen = open_visitor_page()
    screen.clock.install()
    screen.goto(f"/events/{session.event.slug}/clock/")
    expect(screen.get_by_role("heading", name="Round 1 of 3")).to_be_visible()
    screen.context.set_offline(True)
    screen.clock.run_for(14 * 60_000)  # two boards of seven minutes
    expect(screen.get_by_role("heading", name="Please move: round 2 begins in")).to_be_visible()
    expect(screen.get_by_text("East-West move up one table.")).to_be_visible()
    screen.clock.run_for(2 * 60_000)
    expect(screen.get_by_role("heading", name="Round 2 of 3")).to_be_visible()
    expect(screen.get_by_role("timer")).to_have_text(re.compile(r"^1[34]:\d\d$"))
    screen.clock.fast_forward(80 * 60_000)  # like a laptop after sleep
    screen.clock.run_for(1000)
    expect(screen.get_by_role("heading", name="The last round is over")).to_be_visible()


def test_big_screen_follows_an_event_that_is_closed_and_reopened(
    open_visitor_page: PageOpener, transactional_db: None
) -> None:
    session, user = evenings.play_session(boards_a_round=1, but=1)
    evenings.show_growing_totals(session.event)
    standings.update_standings(session.event)
    screen = open_visitor_page(hurry=True)
    screen.goto(f"/events/{session.event.slug}/screen/")
    expect(screen.get_by_text("1 result missing.")).to_be_visible()
    scoring.services.close_session(session=session, by=user)
    standings.update_standings(session.event)
    tournaments.services.set_standings_visibility(event=session.event, shown="never", by=user)
    expect(screen.get_by_text("The director isn’t showing the standings")).to_be_visible()
    tournaments.services.set_standings_visibility(event=session.event, shown="after", by=user)
    expect(screen.get_by_role("table", name="North-South")).to_be_visible()
