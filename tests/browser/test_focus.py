"""The keyboard focus is visible, never lost, and where a user expects it."""

import pytest
from playwright.sync_api import Locator, Page, expect

from drives.services import enter_sheet
from scoring.session_snapshot import load_session_snapshot
from scoring.standings_engine import standings
from server.models import User
from tests import evenings
from tests.browser import drives
from tests.browser.conftest import PageOpener
from tournaments.models import Session

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FOCUS_IS_VISIBLE_SCRIPT = (
    "document.activeElement.checkVisibility() && document.activeElement !== document.body"
)


@pytest.mark.slow
def test_escape_returns_focus_to_the_opener_and_tabbing_out_closes_a_menu(
    open_visitor_page: PageOpener,
) -> None:
    _session, user = evenings.open_session()
    page = open_visitor_page(user)
    page.goto("/director/")
    opener = page.locator(".menu > summary")
    first_element = page.get_by_role("link", name="Players’ view")
    opener.press("Enter")
    page.keyboard.press("Tab")
    expect(first_element).to_be_focused()
    page.keyboard.press("Escape")
    expect(first_element).to_be_hidden()
    expect(opener).to_be_focused()
    opener.press("Enter")
    for _stop in range(4):
        page.keyboard.press("Tab")
    expect(first_element).to_be_hidden()
    assert page.evaluate(FOCUS_IS_VISIBLE_SCRIPT) is True


def test_form_with_errors_focuses_the_field_to_correct(open_visitor_page: PageOpener) -> None:
    page = open_visitor_page(drives.create_organiser())
    page.goto("/director/events/new/")
    page.get_by_label("Name", exact=True).fill("Tuesday")
    page.get_by_label("Date").evaluate("box => { box.type = 'text'; box.value = 'soon'; }")
    with page.expect_navigation():
        page.get_by_label("Name", exact=True).press("Enter")
    date_field = page.get_by_label("Date")
    expect(date_field).to_be_focused()
    expect(date_field).to_have_accessible_description("Enter a valid date.")


@pytest.mark.slow
def test_tile_keeps_the_focus_while_its_results_come_in(open_visitor_page: PageOpener) -> None:
    session, user = evenings.open_session(14, boards_a_round=2)
    page = open_visitor_page(user, hurry=True)
    page.goto(f"/director/events/{session.event.slug}/room/")
    tile = page.locator("#tile-A3 a")
    tile.focus()
    table = next(
        round_
        for round_ in load_session_snapshot(session).rounds_by_table["A", 3]
        if round_.round == 1
    )
    evenings.enter_result(session, table.sitting_id, table.boards[0], "7", user)
    expect(page.locator("#tile-A3")).to_contain_text("1 of 2")
    expect(page.locator("#tile-A3 a")).to_be_focused()


@pytest.mark.slow
def test_standings_keep_the_focus_and_escape_returns_it_to_the_score(
    open_visitor_page: PageOpener,
) -> None:
    session, user = evenings.play_session(boards_a_round=1, but=8)
    evenings.show_growing_totals(session.event)
    standings.update_standings(session.event)
    page = open_visitor_page()
    page.goto(f"/events/{session.event.slug}/")
    score_link = page.locator("#standings a.why").first
    address = score_link.get_attribute("href")
    score_link.focus()
    enter_one_more_result(page, session, user, results_left=7)
    expect(find_focused_link(page)).to_have_attribute("href", str(address))
    page.keyboard.press("Enter")
    sheet = page.get_by_role("dialog")
    assert sheet.get_attribute("aria-label")
    enter_one_more_result(page, session, user, results_left=6)
    page.keyboard.press("Escape")
    expect(find_focused_link(page)).to_have_attribute("href", str(address))


def find_focused_link(page: Page) -> Locator:
    return page.locator("#standings a:focus")


def enter_one_more_result(
    page: Page, session: Session, user: User, *, results_left: int
) -> None:
    snapshot = load_session_snapshot(session)
    sitting, board = next(
        (table.sitting_id, board)
        for table in snapshot.tables
        for board in table.boards
        if table.is_played and (table.sitting_id, board) not in snapshot.results_by_play
    )
    evenings.enter_result(session, sitting, board, "7", user)
    standings.update_standings(session.event)
    expect(page.get_by_text(f"{results_left} results missing.", exact=True)).to_be_visible()


@pytest.mark.slow
def test_drive_room_page_keeps_the_focus_and_swaps_only_changes(
    open_visitor_page: PageOpener,
) -> None:
    drive, user, _card = drives.create_drive_with_prizes()
    page = open_visitor_page(user, hurry=True)
    with page.expect_response("**/now/"):
        page.goto(f"/director/drives/{drive.slug}/")
    page.evaluate(
        "window.swaps = 0; document.addEventListener('htmx:afterSwap', () => { swaps += 1; });"
    )
    last_control = page.locator("#drive-now :is(a[href], button)").last
    last_control.focus()
    for _poll in range(3):
        with page.expect_response("**/now/"):
            pass
    expect(last_control).to_be_focused()
    assert page.evaluate("window.swaps") <= 1
    enter_sheet(drive=drive, round_number=1, table=1, score=[9], by=user)
    with page.expect_response("**/now/"):
        pass
    expect(last_control).to_be_focused()


def test_rubber_marker_keeps_the_focus_when_it_is_replaced(
    open_visitor_page: PageOpener,
) -> None:
    _night, _user, path = drives.create_marked_rubber_night()
    page = open_visitor_page(phone=True)
    page.goto(path)
    undo = page.get_by_role("button", name="Undo the last step at this table")
    undo.focus()
    page.evaluate("document.getElementById('marker').dataset.old = 'yes'")
    page.keyboard.press("Enter")
    expect(page.locator("#marker[data-old]")).to_have_count(0)
    assert page.evaluate("document.activeElement.closest('#marker') !== null") is True


@pytest.mark.slow
def test_forced_colours_keep_lines_below_complete_rounds_and_current_tabs(
    open_visitor_page: PageOpener,
) -> None:
    session, user = evenings.play_session(boards_a_round=1, but=1)
    page = open_visitor_page(user, forced_colors="active")
    page.goto(f"/director/events/{session.event.slug}/scores/")
    for selector in (".scores__map .is-full", ".scores__map .is-part"):
        assert measure_bottom_border(page, selector) >= 4, selector
    for selector in (".places [aria-current]", ".tabs [aria-current]"):
        assert measure_bottom_border(page, selector) >= 3, selector


def measure_bottom_border(page: Page, part: str) -> float:
    script = "part => parseFloat(getComputedStyle(part).borderBottomWidth)"
    return float(page.locator(part).first.evaluate(script))
