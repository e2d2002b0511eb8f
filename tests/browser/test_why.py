"""A score opens its explanation over the page, or without JavaScript as its own page."""

import pytest
from playwright.sync_api import Request, Route, expect

from scoring.standings_engine import standings
from tests import evenings
from tests.browser.conftest import PageOpener
from tournaments.models import Session

pytestmark = pytest.mark.browser


@pytest.fixture
def session(transactional_db: None) -> Session:
    """Create a session with every result and its standings."""
    session, _ = evenings.play_session()
    standings.update_standings(session.event)
    return session


@pytest.mark.slow
def test_score_explanation_opens_over_the_standings_and_closes_again(
    open_visitor_page: PageOpener, session: Session
) -> None:
    page = open_visitor_page(viewport={"width": 360, "height": 480})
    page.goto(f"/events/{session.event.slug}/")
    row = page.get_by_role("row").filter(has_text="1 N-S")
    score = row.get_by_role("link").nth(2)
    score.click()
    sheet = page.get_by_role("dialog")
    expect(sheet).to_contain_text("tricks taken,")
    expect(sheet.get_by_role("row").filter(has_text="Board 1")).to_contain_text("N-S")
    expect(sheet.get_by_role("button", name="Close")).to_be_focused()
    scrolled_to_top_script = (
        "sheet => sheet.scrollTop === 0 && sheet.scrollHeight > sheet.clientHeight"
    )
    assert sheet.evaluate(scrolled_to_top_script)
    assert page.url.endswith(f"/events/{session.event.slug}/")
    box = sheet.bounding_box()
    assert box is not None
    assert box["width"] <= 360
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    expect(score).to_be_focused()


def test_explanation_of_a_board_on_the_scorecard_shows_only_this_board(
    open_visitor_page: PageOpener, session: Session
) -> None:
    page = open_visitor_page()
    page.goto(f"/events/{session.event.slug}/entries/1/")
    board_row = page.get_by_role("row").filter(
        has=page.get_by_role("rowheader", name="1", exact=True)
    )
    board_row.get_by_role("link").nth(2).click()
    sheet = page.get_by_role("dialog")
    expect(sheet).to_contain_text("Board 1, N-S:")
    expect(sheet).not_to_contain_text("Board 2")
    sheet.get_by_role("button", name="Close").click()
    expect(sheet).to_be_hidden()


@pytest.mark.slow
def test_explanation_of_a_recap_cell_is_replaced_by_the_next(
    open_visitor_page: PageOpener, session: Session
) -> None:
    page = open_visitor_page()
    page.goto(f"/events/{session.event.slug}/recap/")
    cells = page.get_by_role("row").filter(has_text="1 N-S").locator("td.mid a")
    sheet = page.get_by_role("dialog")
    for place, board in enumerate((1, 2)):
        cells.nth(place).click()
        expect(sheet).to_contain_text(f"Board {board}, N-S:")
        page.keyboard.press("Escape")
        expect(sheet).to_be_hidden()


def test_score_links_to_its_own_page_without_javascript(
    open_visitor_page: PageOpener, session: Session
) -> None:
    page = open_visitor_page(java_script_enabled=False)
    page.goto(f"/events/{session.event.slug}/")
    page.get_by_role("row").filter(has_text="1 N-S").get_by_role("link").nth(2).click()
    assert page.url.endswith("/entries/1/explained/?figure=score#score")
    expect(page.get_by_role("heading", name="Score")).to_be_visible()


@pytest.mark.slow
def test_lost_response_opens_the_explanation_as_its_own_page(
    open_visitor_page: PageOpener, session: Session
) -> None:
    page = open_visitor_page()
    page.goto(f"/events/{session.event.slug}/recap/")
    requests = []

    def drop_request(route: Route, request: Request) -> None:
        if request.headers.get("hx-request"):
            requests.append(request)
            route.abort()
        else:
            route.continue_()

    page.route("**/explained/**", drop_request)
    page.get_by_role("row").filter(has_text="1 N-S").locator("td.mid a").first.click()
    expect(page.get_by_role("heading", name="Score")).to_be_visible()
    assert len(requests) == 1
