"""The hall's big screen: the clock follows the director, and long standings roll."""

import re

import pytest
from playwright.sync_api import expect

import scoring.services
import tournaments.services
from hall.room import services as clocks
from scoring.reckoning import standings
from tests import evenings
from tests.browser.conftest import Visitor

pytestmark = pytest.mark.browser


def test_the_big_clock_follows_the_director_without_a_reload(
    visitor: Visitor, transactional_db: None
) -> None:
    session, user = evenings.opened()
    screen, director = visitor(hurry=True), visitor(user)
    screen.goto(f"/events/{session.event.slug}/clock/")
    expect(screen.get_by_role("heading", name="Play begins soon")).to_be_visible()
    director.goto(f"/director/events/{session.event.slug}/room/")
    director.get_by_role("button", name="Start round 1 now").click()
    expect(screen.get_by_role("heading", name="Round 1 of 3")).to_be_visible()
    expect(screen.get_by_role("timer")).to_have_text(re.compile(r"^13:\d\d$"))
    director.get_by_role("button", name="1 minute more").click()
    expect(screen.get_by_role("timer")).to_have_text(re.compile(r"^14:\d\d$"))
    screen.context.set_offline(True)
    expect(screen.get_by_text("the clock goes on by itself")).to_be_visible()
    before = screen.get_by_role("timer").inner_text()
    expect(screen.get_by_role("timer")).not_to_have_text(before)
    clocks.end_phase(session=session, by=user)
    screen.context.set_offline(False)
    expect(screen.get_by_role("heading", name="Please move: round 2 begins in")).to_be_visible()
    expect(screen.get_by_text("East-West go up one table.")).to_be_visible()


def test_long_standings_roll_over_the_big_screen(
    visitor: Visitor, transactional_db: None
) -> None:
    session, _user = evenings.played(pairs=22, boards_a_round=1)
    standings.recompute(session.event)
    screen = visitor()
    screen.clock.install()
    screen.goto(f"/events/{session.event.slug}/screen/")
    expect(screen.get_by_text("Page 1 of")).to_be_visible()
    rows = screen.locator("#standings tbody tr:visible")
    first = rows.first.inner_text()
    screen.clock.run_for(10_500)
    expect(screen.get_by_text("Page 2 of")).to_be_visible()
    assert rows.first.inner_text() != first
    assert screen.evaluate("document.documentElement.scrollHeight <= innerHeight + 60")


def test_a_clock_without_a_connection_goes_on_to_the_next_round(
    visitor: Visitor, transactional_db: None
) -> None:
    session, user = evenings.opened()
    clocks.start_clock(session=session, by=user)
    screen = visitor()
    screen.clock.install()
    screen.goto(f"/events/{session.event.slug}/clock/")
    expect(screen.get_by_role("heading", name="Round 1 of 3")).to_be_visible()
    screen.context.set_offline(True)
    screen.clock.run_for(14 * 60_000)  # two boards of seven minutes
    expect(screen.get_by_role("heading", name="Please move: round 2 begins in")).to_be_visible()
    expect(screen.get_by_text("East-West go up one table.")).to_be_visible()
    screen.clock.run_for(2 * 60_000)
    expect(screen.get_by_role("heading", name="Round 2 of 3")).to_be_visible()
    expect(screen.get_by_role("timer")).to_have_text(re.compile(r"^1[34]:\d\d$"))
    screen.clock.fast_forward(80 * 60_000)  # as a laptop that slept
    screen.clock.run_for(1000)
    expect(screen.get_by_role("heading", name="The last round is over")).to_be_visible()


def test_a_screen_follows_an_evening_that_is_closed_and_opened_again(
    visitor: Visitor, transactional_db: None
) -> None:
    session, user = evenings.played(boards_a_round=1, but=1)
    standings.recompute(session.event)
    screen = visitor(hurry=True)
    screen.goto(f"/events/{session.event.slug}/screen/")
    expect(screen.get_by_text("1 result still to come.")).to_be_visible()
    scoring.services.close_session(session=session, by=user)
    standings.recompute(session.event)
    tournaments.services.show_standings(event=session.event, shown="never", by=user)
    expect(screen.get_by_text("The director does not show the standings")).to_be_visible()
    tournaments.services.show_standings(event=session.event, shown="after", by=user)
    expect(screen.get_by_role("table", name="North-South")).to_be_visible()
