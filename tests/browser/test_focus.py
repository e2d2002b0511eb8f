"""The keyboard focus is visible, never lost, and where a user expects it."""

import pytest
from playwright.sync_api import Locator, Page, expect

from drives.services import enter_sheet
from scoring.session_snapshot import load_session_snapshot
from scoring.standings_engine import standings
from server.models import User
from tests import evenings
from tests.browser import drives
from tests.browser.conftest import Visitor
from tournaments.models import Session

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FOCUS_IS_VISIBLE_SCRIPT = (
    "document.activeElement.checkVisibility() && document.activeElement !== document.body"
)


@pytest.mark.slow
def test_escape_returns_focus_to_the_opener_and_tabbing_out_closes_a_menu(
    visitor: Visitor,
) -> None:
    _session, user = evenings.open_session()
    page = visitor(user)
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


def test_refused_form_focuses_the_field_to_correct(visitor: Visitor) -> None:
    page = visitor(drives.create_organiser())
    page.goto("/director/events/new/")
    page.get_by_label("Name", exact=True).fill("Tuesday")
    page.get_by_label("Date").evaluate("box => { box.type = 'text'; box.value = 'soon'; }")
    with page.expect_navigation():
        page.get_by_label("Name", exact=True).press("Enter")
    date_field = page.get_by_label("Date")
    expect(date_field).to_be_focused()
    expect(date_field).to_have_accessible_description("Enter a valid date.")


@pytest.mark.slow
def test_tile_keeps_the_focus_while_its_results_come_in(visitor: Visitor) -> None:
    session, user = evenings.open_session(14, boards_a_round=2)
    page = visitor(user, hurry=True)
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
def test_standings_keep_the_focus_and_escape_returns_it_to_the_score(visitor: Visitor) -> None:
    session, user = evenings.play_session(boards_a_round=1, but=8)
    evenings.tell_every_result(session.event)
    standings.update_standings(session.event)
    page = visitor()
    page.goto(f"/events/{session.event.slug}/")
    figure = page.locator("#standings a.why").first
    address = figure.get_attribute("href")
    figure.focus()
    enter_one_more_result(page, session, user, left=7)
    expect(find_focused_link(page)).to_have_attribute("href", str(address))
    page.keyboard.press("Enter")
    sheet = page.get_by_role("dialog")
    assert sheet.get_attribute("aria-label")
    enter_one_more_result(page, session, user, left=6)
    page.keyboard.press("Escape")
    expect(find_focused_link(page)).to_have_attribute("href", str(address))


def find_focused_link(page: Page) -> Locator:
    return page.locator("#standings a:focus")


def enter_one_more_result(page: Page, session: Session, user: User, *, left: int) -> None:
    seated = load_session_snapshot(session)
    sitting, board = next(
        (table.sitting_id, board)
        for table in seated.tables
        for board in table.boards
        if table.is_played and (table.sitting_id, board) not in seated.results_by_play
    )
    evenings.enter_result(session, sitting, board, "7", user)
    standings.update_standings(session.event)
    expect(page.get_by_text(f"{left} results missing.", exact=True)).to_be_visible()


@pytest.mark.slow
def test_drive_room_page_keeps_the_focus_and_swaps_only_changes(visitor: Visitor) -> None:
    drive, user, _card = drives.create_drive_with_prizes()
    page = visitor(user, hurry=True)
    with page.expect_response("**/now/"):
        page.goto(f"/director/drives/{drive.slug}/")
    page.evaluate(
        "window.swaps = 0; document.addEventListener('htmx:afterSwap', () => { swaps += 1; });"
    )
    last = page.locator("#drive-now :is(a[href], button)").last
    last.focus()
    for _poll in range(3):
        with page.expect_response("**/now/"):
            pass
    expect(last).to_be_focused()
    assert page.evaluate("window.swaps") <= 1
    enter_sheet(drive=drive, round_number=1, table=1, score=[9], by=user)
    with page.expect_response("**/now/"):
        pass
    expect(last).to_be_focused()


def test_rubber_marker_keeps_the_focus_when_it_is_replaced(visitor: Visitor) -> None:
    _night, _user, path = drives.create_marked_rubber_night()
    page = visitor(phone=True)
    page.goto(path)
    undo = page.get_by_role("button", name="Undo the last step at this table")
    undo.focus()
    page.evaluate("document.getElementById('marker').dataset.old = 'yes'")
    page.keyboard.press("Enter")
    expect(page.locator("#marker[data-old]")).to_have_count(0)
    assert page.evaluate("document.activeElement.closest('#marker') !== null") is True


@pytest.mark.slow
def test_forced_colours_keep_lines_below_complete_rounds_and_current_tabs(
    visitor: Visitor,
) -> None:
    session, user = evenings.play_session(boards_a_round=1, but=1)
    page = visitor(user, forced_colors="active")
    page.goto(f"/director/events/{session.event.slug}/scores/")
    for part in (".scores__map .is-full", ".scores__map .is-part"):
        assert measure_line_below(page, part) >= 4, part
    for part in (".places [aria-current]", ".tabs [aria-current]"):
        assert measure_line_below(page, part) >= 3, part


def measure_line_below(page: Page, part: str) -> float:
    script = "part => parseFloat(getComputedStyle(part).borderBottomWidth)"
    return float(page.locator(part).first.evaluate(script))
