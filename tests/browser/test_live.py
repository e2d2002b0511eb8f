"""An open standings page follows the scores that the director enters."""

import itertools
import time

import pytest
from playwright.sync_api import Page, Route, expect

from scoring.standings_engine import standings
from server.models import User
from tests import evenings
from tests.browser.conftest import PageOpener
from tournaments.models import Session

pytestmark = [pytest.mark.browser]

POLL_URL_PATTERN = "**/standings/?seen=*"
MAX_DELAY_SECONDS = 2.0  # from a saved result to an open page that shows it


@pytest.fixture
def session(transactional_db: None) -> Session:
    """Create three tables in play with one of nine results entered."""
    session, _user = evenings.play_session(boards_a_round=1, but=8)
    evenings.show_growing_totals(session.event)
    standings.update_standings(session.event)
    return session


@pytest.fixture
def onlooker_page(open_visitor_page: PageOpener, session: Session) -> Page:
    """Open a player's standings page, marked so that a reload is detected."""
    page = open_visitor_page(phone=True)
    page.goto(f"/events/{session.event.slug}/")
    page.evaluate("window.openSinceTheBeginning = true")
    return page


@pytest.fixture
def director(open_visitor_page: PageOpener, session: Session) -> Page:
    """Open the director's grid at the next missing result."""
    page = open_visitor_page(User.objects.get(username="director"))
    page.goto(f"/director/events/{session.event.slug}/scores/")
    return page


def test_new_score_is_shown_within_two_seconds_without_a_reload(
    director: Page, onlooker_page: Page
) -> None:
    expect(onlooker_page.get_by_text("8 results missing.")).to_be_visible()
    wait_seconds = []
    for results_left in (7, 6, 5):
        director.keyboard.type("9")
        director.keyboard.press("Enter")
        expect(director.get_by_text(f"{results_left} results missing.")).to_be_visible()
        saved_at = time.monotonic()
        missing_notice = onlooker_page.get_by_text(
            f"{results_left} results missing.", exact=True
        )
        expect(missing_notice).to_be_visible()
        wait_seconds.append(time.monotonic() - saved_at)
    # Take the best of three attempts, as other processes use the machine too.
    assert min(wait_seconds) < MAX_DELAY_SECONDS
    update_announcement = onlooker_page.get_by_text("Standings updated: 5 results missing.")
    expect(update_announcement).to_have_count(1)
    assert onlooker_page.evaluate("window.openSinceTheBeginning") is True
    assert onlooker_page.context.cookies() == []


@pytest.mark.slow
def test_director_hides_and_shows_the_standings_of_an_open_page(
    director: Page, onlooker_page: Page
) -> None:
    director.locator(".crumb__name").first.click()
    choice = director.get_by_role("group", name="Players see the standings")
    choice.get_by_role("button", name="never").click()
    hidden_notice = onlooker_page.get_by_text(
        "The director isn’t showing the standings for this event."
    )
    expect(hidden_notice).to_be_visible()
    expect(onlooker_page.get_by_role("table", name="North-South")).to_have_count(0)
    choice.get_by_role("button", name="after the session").click()
    element = choice.get_by_role("button", name="after the session", pressed=True)
    expect(element).to_be_visible()
    onlooker_page.reload()
    expect(onlooker_page.get_by_text("Standings are shown after the session.")).to_be_visible()
    choice.get_by_role("button", name="always").click()
    expect(onlooker_page.get_by_role("table", name="North-South")).to_be_visible()


@pytest.mark.slow
def test_hidden_page_sends_no_requests(open_visitor_page: PageOpener, session: Session) -> None:
    onlooker = open_visitor_page(phone=True)
    onlooker.clock.install()
    onlooker.goto(f"/events/{session.event.slug}/")
    urls: list[str] = []
    onlooker.on("request", lambda request: urls.append(request.url))
    with onlooker.expect_response(POLL_URL_PATTERN):
        onlooker.clock.run_for(1_000)
    set_hidden_script = (
        "is => Object.defineProperty(document, 'hidden', {value: is, configurable: true})"
    )
    onlooker.evaluate(set_hidden_script, True)
    urls.clear()
    onlooker.clock.run_for(60_000)
    assert urls == []
    onlooker.evaluate(set_hidden_script, False)
    with onlooker.expect_request(POLL_URL_PATTERN):
        onlooker.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert len(urls) == 1


@pytest.mark.slow
def test_page_polls_less_often_while_responses_are_slow(onlooker_page: Page) -> None:
    request_times: list[float] = []

    def delay_response(route: Route) -> None:
        request_times.append(time.monotonic())
        time.sleep(0.4)
        route.continue_()

    onlooker_page.route(POLL_URL_PATTERN, delay_response)
    while len(request_times) < 2:  # the first response may be to an earlier request
        with onlooker_page.expect_response(POLL_URL_PATTERN):
            pass
    pauses = [later - earlier for earlier, later in itertools.pairwise(request_times)]
    assert min(pauses) > 0.4 * 5  # five times the duration of the response


@pytest.mark.slow
def test_open_page_shows_a_lost_connection_and_catches_up(
    director: Page, onlooker_page: Page
) -> None:
    connection_notice = onlooker_page.get_by_text("Connection lost.")
    expect(connection_notice).to_be_hidden()
    onlooker_page.context.set_offline(True)
    expect(connection_notice).to_be_visible()
    director.keyboard.type("9")
    director.keyboard.press("Enter")
    expect(director.get_by_text("7 results missing.")).to_be_visible()
    onlooker_page.context.set_offline(False)
    expect(onlooker_page.get_by_text("7 results missing.", exact=True)).to_be_visible()
    expect(connection_notice).to_be_hidden()


@pytest.mark.slow
def test_found_name_stays_marked_after_an_update(
    director: Page, open_visitor_page: PageOpener, session: Session
) -> None:
    name = session.event.entries.get(number=2).name.split()[0]
    onlooker = open_visitor_page()
    onlooker.goto(f"/events/{session.event.slug}/?find={name}")
    element = onlooker.locator("tr.is-mine")
    expect(element).to_have_count(1)
    expect(element).to_contain_text(name)
    director.keyboard.type("9")
    director.keyboard.press("Enter")
    expect(onlooker.get_by_text("7 results missing.", exact=True)).to_be_visible()
    expect(element).to_have_count(1)
    expect(element).to_contain_text(name)
    expect(element).to_contain_text("found")
    expect(onlooker.locator("#standings-state")).to_have_count(1)
