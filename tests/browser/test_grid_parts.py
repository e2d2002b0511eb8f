"""The score grid of a large session is divided into parts, with and without JavaScript."""

import pytest
from playwright.sync_api import Page, expect

from hall.rehearsal.staged_events import create_staged_session
from scoring.models import Result
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets import score_slips
from scoring.sheets.score_slips import list_result_slips
from server.models import User
from tests import evenings
from tests.browser.conftest import PageOpener
from tournaments.models import Session

pytestmark = pytest.mark.browser


@pytest.fixture
def session(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Session:
    """Create two sections of three tables, shown in parts of two boards."""
    monkeypatch.setattr(score_slips, "MAX_ROWS_ON_SINGLE_PAGE", 10)
    monkeypatch.setattr(score_slips, "MAX_ROWS_PER_PART", 6)
    club, user = evenings.create_club_with_director()
    session_size = {"table_count": 6, "section_count": 2, "round_count": 3, "boards_a_round": 2}
    return create_staged_session(
        club=club, played_round_count=0, should_deal=False, by=user, **session_size
    )


@pytest.fixture
def page(open_visitor_page: PageOpener, session: Session) -> Page:
    """Open the director's grid, sorted by board."""
    return open_grid(open_visitor_page(User.objects.get(username="director")), session)


def open_grid(page: Page, session: Session, query: str = "by=board") -> Page:
    page.goto(f"/director/events/{session.event.slug}/scores/?{query}")
    return page


def build_row_selector(session: Session, board: int, row: int, section: str = "A") -> str:
    snapshot = load_session_snapshot(session)
    slip = next(
        result_slip
        for result_slip in list_result_slips(snapshot, "board")
        if result_slip.key == f"board-{section}{board}"
    )
    table, board_number = slip.plays[row]
    return f"#r-{table.sitting_id}-{board_number}"


def test_enter_after_the_last_row_continues_in_the_next_part(
    page: Page, session: Session
) -> None:
    expect(page.locator(build_row_selector(session, 1, 0))).to_be_focused()
    for tricks in "789678":
        page.keyboard.press(tricks)
        page.keyboard.press("Enter")
    expect(page.locator(build_row_selector(session, 3, 0))).to_be_focused()
    expect(page).to_have_url(f"{page.url.split('?')[0]}?by=board&at=board-A3#board-A3")
    ns_tricks = Result.objects.order_by("pk").values_list("ns_tricks", flat=True)
    assert list(ns_tricks) == [7, 8, 9, 6, 7, 8]
    page.keyboard.press("ArrowLeft")
    expect(page.locator(build_row_selector(session, 2, 0))).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.locator(build_row_selector(session, 3, 0))).to_be_focused()


def test_part_is_left_only_when_its_results_are_saved(page: Page, session: Session) -> None:
    page.route("**/result/", lambda route: route.abort())
    page.keyboard.press("7")
    page.keyboard.press("b")
    page.keyboard.type("B6")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Connection lost.")).to_be_visible()
    page.keyboard.press("5")  # cells ignore keys while a request is pending
    expect(page.locator(build_row_selector(session, 1, 0))).to_have_value("7")
    page.unroute("**/result/")
    expect(page.locator(build_row_selector(session, 6, 0, "B"))).to_be_focused()
    assert Result.objects.get().ns_tricks == 7


def test_key_moves_to_a_query_in_another_part(page: Page, session: Session) -> None:
    last_row_selector = build_row_selector(session, 6, 2, "B")
    sitting, board = last_row_selector.removeprefix("#r-").split("-")
    evenings.enter_result(session, int(sitting), int(board), "7", User.objects.get())
    Result.objects.update(doubt="queried")
    page.reload()
    expect(page.locator(build_row_selector(session, 1, 0))).to_be_focused()
    page.keyboard.press("q")
    expect(page.locator(f"#doubt-{sitting}-{board} button").first).to_be_focused()


def test_missing_results_of_other_parts_are_reached_by_a_key(
    page: Page, session: Session
) -> None:
    expect(page.locator(build_row_selector(session, 1, 0))).to_be_focused()
    page.keyboard.press("b")
    page.keyboard.type("B6")
    page.keyboard.press("Enter")
    expect(page.locator(build_row_selector(session, 6, 0, "B"))).to_be_focused()
    for _row in range(4):
        page.keyboard.press("m")
    expect(page.locator(build_row_selector(session, 1, 0))).to_be_focused()


def test_map_links_to_other_sections_and_boards(page: Page, session: Session) -> None:
    page.get_by_role("link", name="Section B").click()
    expect(page.locator(build_row_selector(session, 1, 0, "B"))).to_be_focused()
    page.get_by_role("link", name="Boards 5–6").click()
    expect(page.locator(build_row_selector(session, 5, 0, "B"))).to_be_focused()
    page.get_by_role("link", name="By round").click()
    page.get_by_role("link", name="Round 2").click()
    expect(page.get_by_role("heading", name="Round 2, table A1, boards")).to_be_visible()


def test_phone_without_javascript_changes_parts_by_links(
    open_visitor_page: PageOpener, session: Session
) -> None:
    page = open_visitor_page(
        User.objects.get(username="director"), phone=True, java_script_enabled=False
    )
    open_grid(page, session)
    page.get_by_role("link", name="Board 3, section A").click()
    expect(page.locator("#board-A3")).to_be_visible()
    page.locator(build_row_selector(session, 3, 1)).fill("8")
    page.get_by_role("button", name="Save Board 3, section A").click()
    expect(page.get_by_text("1 score entered.")).to_be_visible()
    expect(page.locator(build_row_selector(session, 3, 1))).to_have_value("8")
