"""The score grid works by keyboard, on two screens, and with a lost connection."""

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import pytest
from playwright.sync_api import Error, Locator, Page, Route, expect

from hall.room.services import start_clock
from scoring.models import Result, ResultVersion
from scoring.session_snapshot import load_session_snapshot
from server.models import User
from tests import evenings
from tests.browser.conftest import LOSE_FIRST_RESPONSE_SCRIPT, PageOpener
from tournaments.models import Session

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@dataclass(frozen=True)
class Grid:
    """The score page, with locators for its cells."""

    page: Page

    def cell(self, board: int, table: int) -> Locator:
        """Return the input of one result."""
        return self.page.get_by_role(
            "textbox", name=re.compile(f"^Board {board}, table {table},")
        )

    def row(self, board: int, table: int) -> Locator:
        """Return the row of one result."""
        return self.page.get_by_role("row").filter(has=self.cell(board, table))

    def press(self, *keys: str) -> None:
        """Press keys one after another."""
        for key in keys:
            self.page.keyboard.press(key)


@pytest.fixture
def session(transactional_db: None) -> Session:
    """Create three tables in play; board 1 is played at tables 1, 3 and 2 in turn."""
    session, user = evenings.open_session(boards_a_round=1)
    user.save()
    return session


@pytest.fixture
def grid(open_visitor_page: PageOpener, session: Session) -> Grid:
    """Open the grid on the director's screen, in traveller order."""
    return open_grid(open_visitor_page, session, User.objects.get(username="director"))


def test_results_are_entered_with_digits_and_enter_only(grid: Grid) -> None:
    expect(grid.cell(1, 1)).to_be_focused()
    grid.press("8")
    expect(grid.row(1, 1).get_by_role("status")).to_have_text("5")
    grid.press("Enter")
    expect(grid.cell(1, 3)).to_be_focused()
    expect(grid.row(1, 1)).to_contain_text("saved")
    expect(grid.page.get_by_text("8 results missing.")).to_be_visible()
    grid.press("1", "3", "Enter", "0", "Enter")
    expect(grid.cell(2, 2)).to_be_focused()
    expect(grid.page.get_by_role("link", name="Board 1 all in")).to_be_visible()
    expect(grid.page.get_by_text("Board 1, table 2: N-S 0, E-W 13.")).to_be_visible()
    assert list_stored_tricks() == [8, 13, 0]


def test_enter_skips_rounds_that_have_not_begun(session: Session, grid: Grid) -> None:
    start_clock(session=session, by=User.objects.get(username="director"))
    grid.page.reload()
    expect(grid.cell(1, 1)).to_be_focused()
    grid.press("8", "Enter")
    expect(grid.cell(2, 2)).to_be_focused()


def test_deleted_result_is_shown_as_cleared(grid: Grid) -> None:
    grid.press("8", "Enter")
    expect(grid.row(1, 1)).to_contain_text("saved")
    grid.press("ArrowUp", "Delete", "Enter")
    expect(grid.row(1, 1)).to_contain_text("cleared")
    assert list_stored_tricks() == [None]


def test_fourteen_tricks_are_refused_in_their_cell(grid: Grid) -> None:
    grid.press("1", "4", "Enter")
    expect(grid.cell(1, 1)).to_be_focused()
    expect(grid.cell(1, 1)).to_have_attribute("aria-invalid", "true")
    expect(grid.row(1, 1)).to_contain_text("Enter 0–13, or – for not played")
    expect(grid.row(1, 1).get_by_role("status")).to_have_text("")
    grid.press("Backspace", "2", "Enter")
    expect(grid.row(1, 1)).to_contain_text("saved")
    expect(grid.cell(1, 1)).not_to_have_attribute("aria-invalid", "true")
    assert list_stored_tricks() == [12]


def test_typing_error_is_corrected_in_place(grid: Grid) -> None:
    grid.press("q", "7", "Enter", "ArrowUp")
    expect(grid.cell(1, 1)).to_have_value("7")
    expect(grid.row(1, 1)).to_contain_text("saved")
    grid.press("6", "Enter")
    expect(grid.cell(1, 3)).to_be_focused()
    expect(grid.page.get_by_text("Board 1, table 1: N-S 6, E-W 7.")).to_be_visible()
    grid.press("ArrowUp", "9", "Escape")
    expect(grid.cell(1, 1)).to_have_value("6")
    expect(grid.row(1, 1).get_by_role("status")).to_have_text("7")
    assert list(ResultVersion.objects.values_list("ns_tricks", flat=True)) == [7, 6]


def test_unplayed_board_counts_as_entered(grid: Grid) -> None:
    grid.press("-", "Enter")
    expect(grid.row(1, 1).get_by_role("status")).to_have_text("–")
    expect(grid.page.get_by_text("8 results missing.")).to_be_visible()
    assert Result.objects.get().mark == "-"


def test_missing_results_are_shown_and_reached_by_a_key(grid: Grid) -> None:
    grid.press("5", "Enter", "m")
    expect(grid.cell(1, 3)).to_be_focused()
    expect(grid.page.get_by_text("Missing score.")).to_be_visible()
    grid.press("m", "5", "Enter")
    expect(grid.page.get_by_role("link", name="Board 1 2 of 3")).to_be_visible()
    expect(grid.page.get_by_role("link", name="Board 2 0 of 3")).to_be_visible()
    grid.press("b", "3", "Enter")
    expect(grid.cell(3, 3)).to_be_focused()
    grid.press("4", "Enter", "5", "Enter", "6", "Enter")
    expect(grid.cell(1, 3)).to_be_focused()


def test_score_slips_of_a_round_are_entered_in_table_order(grid: Grid) -> None:
    grid.page.get_by_role("link", name="By round").click()
    expect(grid.cell(1, 1)).to_be_focused()
    grid.press("7", "Enter")
    expect(grid.cell(2, 2)).to_be_focused()
    expect(grid.page.get_by_role("table", name="Round 1, table 2, board 2")).to_be_visible()
    grid.press("b", "2", ".", "3", "Enter")
    expect(grid.cell(1, 3)).to_be_focused()
    grid.press("?")
    expect(grid.page.get_by_role("dialog", name="Keys for the scores")).to_be_visible()
    grid.press("Escape")
    expect(grid.page.get_by_role("dialog")).to_have_count(0)


def test_stale_screen_asks_before_it_overwrites(
    open_visitor_page: PageOpener, session: Session, grid: Grid
) -> None:
    second_grid = open_grid(
        open_visitor_page, session, evenings.create_scorer(session.event.club)
    )
    grid.page.bring_to_front()  # in Firefox, no other window has a focus
    grid.press("8", "Enter", "9", "Enter")
    expect(grid.row(1, 3)).to_contain_text("saved")
    second_grid.page.bring_to_front()
    question = second_grid.page.get_by_role("region", name="Just entered")
    second_grid.press("7", "Enter")
    expect(question).to_contain_text("director has just entered N-S 8.")
    expect(question.get_by_role("button", name="Keep 8")).to_be_visible()
    expect(question.get_by_role("button", name="Use 7")).to_be_visible()
    second_grid.press("k")
    expect(second_grid.cell(1, 1)).to_have_value("8")
    expect(question).to_have_count(0)
    second_grid.press("6", "Enter")
    expect(question).to_contain_text("director has just entered N-S 9.")
    second_grid.press("u")
    expect(second_grid.row(1, 3)).to_contain_text("saved")
    assert list_stored_tricks() == [8, 6]
    assert list(ResultVersion.objects.values_list("by", flat=True)) == [
        "director",
        "director",
        "scorer",
    ]


def test_typed_results_survive_a_lost_connection(grid: Grid) -> None:
    grid.page.context.set_offline(True)
    grid.press("4", "Enter", "5", "Enter", "6", "Enter")
    connection_notice = grid.page.get_by_text("Connection lost.")
    expect(connection_notice).to_contain_text("not saved yet.")
    expect(grid.cell(2, 2)).to_be_focused()
    assert list_stored_tricks() == []
    grid.page.context.set_offline(False)
    expect(grid.page.get_by_text("6 results missing.")).to_be_visible()
    expect(connection_notice).to_have_count(0)
    assert list_stored_tricks() == [4, 5, 6]


def test_lost_connection_is_visible_below_a_long_map(grid: Grid) -> None:
    grid.page.set_viewport_size({"width": 1366, "height": 480})
    grid.page.get_by_role("link", name="By round").click()
    expect(grid.page.get_by_role("heading", name="Rounds")).to_be_visible()
    grid.page.context.set_offline(True)
    grid.press("4", "Enter")
    down = grid.page.get_by_text("Connection lost.")
    expect(down).to_be_in_viewport(ratio=1)
    grid.page.context.set_offline(False)
    expect(down).to_have_count(0)


def test_leaving_with_unsaved_results_shows_a_warning(grid: Grid) -> None:
    grid.page.context.set_offline(True)
    grid.press("4", "Enter")
    expect(grid.page.get_by_text("1 score is not saved yet.")).to_be_visible()
    with grid.page.expect_event("dialog") as dialog_info:
        grid.page.close(run_before_unload=True)
    assert dialog_info.value.type == "beforeunload"
    dialog_info.value.dismiss()
    grid.page.context.set_offline(False)
    expect(grid.row(1, 1)).to_contain_text("saved")
    assert list_stored_tricks() == [4]


def test_retry_after_a_lost_response_stores_the_result_once(grid: Grid) -> None:
    urls: list[str] = []
    grid.page.on("request", lambda request: urls.append(request.url))
    grid.page.evaluate(LOSE_FIRST_RESPONSE_SCRIPT)
    grid.press("9", "Enter")
    expect(grid.row(1, 1)).to_contain_text("saved")
    assert len([url for url in urls if url.endswith("/result/")]) == 2
    assert ResultVersion.objects.count() == 1


def test_signed_out_director_signs_in_again_and_loses_nothing(
    session: Session, grid: Grid
) -> None:
    director = User.objects.get(username="director")
    director.set_password("seven-diamonds-doubled")
    director.save()
    grid.page.context.clear_cookies()
    grid.press("3", "Enter", "4", "Enter")
    expect(grid.page.get_by_text("You’re signed out.")).to_contain_text(
        "2 scores are not saved yet."
    )
    tab = grid.page.context.new_page()
    tab.goto("/login/")
    tab.get_by_label("Name", exact=True).fill("director")
    tab.get_by_label("Password").fill("seven-diamonds-doubled")
    tab.get_by_role("button", name="Sign in").click()
    expect(tab.get_by_role("heading", name=re.compile("^(Tonight|Evenings)$"))).to_be_visible()
    expect(grid.page.get_by_text("7 results missing.")).to_be_visible()
    assert list_stored_tricks() == [3, 4]


def test_two_buttons_replace_keys_missing_on_a_phone(
    open_visitor_page: PageOpener, session: Session
) -> None:
    director = User.objects.get(username="director")
    grid = open_grid(open_visitor_page, session, director, phone=True, has_touch=True)
    grid.press("1", "1")
    grid.page.get_by_role("button", name="Next").tap()
    expect(grid.cell(1, 3)).to_be_focused()
    grid.page.get_by_role("button", name="Not played").tap()
    expect(grid.cell(1, 2)).to_be_focused()
    expect(grid.page.get_by_text("7 results missing.")).to_be_visible()
    assert [result.mark for result in Result.objects.order_by("pk")] == ["11", "-"]


def open_grid(visitor: PageOpener, session: Session, user: User, **options: bool) -> Grid:
    grid = Grid(visitor(user, **options))
    grid.page.goto(f"/director/events/{session.event.slug}/scores/")
    expect(grid.cell(1, 1)).to_be_focused()
    return grid


def list_stored_tricks() -> Sequence[int | None]:
    """Return the tricks of N-S, in the order in which they were first entered."""
    return list(Result.objects.order_by("pk").values_list("ns_tricks", flat=True))


def test_enter_skips_results_already_entered_by_tables(
    open_visitor_page: PageOpener, session: Session
) -> None:
    director = User.objects.get(username="director")
    snapshot = load_session_snapshot(session)
    third_table = next(
        table for table in snapshot.tables_by_board[1] if table.table_number == 3
    )
    evenings.enter_result(session, third_table.sitting_id, 1, "7", director)
    grid = open_grid(open_visitor_page, session, director)
    expect(grid.cell(1, 1)).to_be_focused()
    grid.press("8", "Enter")
    expect(grid.cell(1, 2)).to_be_focused()
    grid.press("ArrowUp")
    expect(grid.cell(1, 3)).to_be_focused()
    grid.press("6", "Enter")
    expect(grid.cell(1, 2)).to_be_focused()


def test_unsaved_results_survive_a_reload_and_a_closed_page(
    session: Session, grid: Grid
) -> None:
    grid.page.on("dialog", lambda asked: asked.accept())
    context = grid.page.context
    context.set_offline(True)
    grid.press("4", "Enter", "1", "2")
    expect(grid.row(1, 1)).to_contain_text("waiting")
    reopened_grid = Grid(context.new_page())
    # The browser may lift the lost connection before the closing page sends its last request.
    grid.page.evaluate(
        """() => {
            window.fetch = () => Promise.reject(new TypeError("no connection"));
            navigator.sendBeacon = () => false;
        }"""
    )
    grid.page.close()
    context.set_offline(False)
    reopened_grid.page.goto(f"/director/events/{session.event.slug}/scores/")
    unsaved_region = reopened_grid.page.get_by_role("region", name="Typed earlier")
    expect(unsaved_region).to_contain_text("2 scores typed earlier weren’t saved.")
    expect(reopened_grid.cell(1, 1)).to_be_focused()
    # Regression: a long map of score slips pushed the board out of view.
    block = reopened_grid.page.locator("#board-1")
    bottom = unsaved_region.evaluate("offer => offer.getBoundingClientRect().bottom")
    assert 0 < bottom <= block.evaluate("block => block.getBoundingClientRect().top")
    expect(reopened_grid.row(1, 1)).to_contain_text("typed earlier, not saved")
    expect(reopened_grid.cell(1, 3)).to_have_value("12")
    assert list_stored_tricks() == []
    unsaved_region.get_by_role("button", name="Save scores").click()
    expect(reopened_grid.page.get_by_text("7 results missing.")).to_be_visible()
    expect(unsaved_region).to_be_hidden()
    assert list_stored_tricks() == [4, 12]
    reopened_grid.page.reload()
    expect(reopened_grid.cell(1, 2)).to_be_focused()
    expect(unsaved_region).to_be_hidden()


def test_restored_draft_never_overwrites_a_newer_result(session: Session, grid: Grid) -> None:
    grid.page.on("dialog", lambda asked: asked.accept())
    grid.press("4")
    sitting = load_session_snapshot(session).tables_by_board[1][0].sitting_id
    director = User.objects.get(username="director")
    evenings.enter_result(session, sitting, 1, "9", director)
    grid.page.reload()
    question = grid.page.get_by_role("region", name="Just entered")
    expect(question).to_contain_text("N-S 9 was saved in the meantime.")
    expect(question.get_by_role("button", name="Use 4")).to_be_visible()
    expect(grid.cell(1, 1)).to_have_value("9")
    grid.press("u")
    expect(grid.row(1, 1)).to_contain_text("saved")
    expect(grid.cell(1, 1)).to_have_value("4")
    assert list_stored_tricks() == [4]


def test_results_typed_fast_are_saved_when_the_page_is_left_at_once(
    session: Session, grid: Grid
) -> None:
    held_routes: list[Route] = []
    grid.page.route("**/result/", lambda route: held_routes.append(route))  # the server is slow
    grid.press("4", "Enter", "5", "Enter", "6", "Enter", "7")
    grid.page.unroute("**/result/")
    grid.page.goto(f"/director/events/{session.event.slug}/room/")
    for route in held_routes:
        with suppress(Error):  # leaving the page may have ended it already
            route.abort()
    expect(grid.page.locator("#unsaved")).to_be_hidden()
    grid.page.goto(f"/director/events/{session.event.slug}/scores/")
    expect(grid.page.get_by_text("5 results missing.")).to_be_visible()
    assert sorted(list_stored_tricks()) == [4, 5, 6, 7]


def test_another_page_sends_unsent_results_of_the_grid(session: Session, grid: Grid) -> None:
    context = grid.page.context
    context.set_offline(True)
    grid.press("4", "Enter", "5", "Enter")
    expect(grid.row(1, 3)).to_contain_text("waiting")
    grid.page.close()
    context.set_offline(False)
    page = context.new_page()
    page.goto("/director/")
    expect(page.locator("#unsaved")).to_be_hidden()
    assert sorted(list_stored_tricks()) == [4, 5]


def test_every_page_shows_the_number_of_unsaved_results(session: Session, grid: Grid) -> None:
    page = grid.page
    page.on("dialog", lambda asked: asked.accept())
    page.route("**/result/", lambda route: route.abort())
    grid.press("4", "Enter", "5", "Enter")
    for table in load_session_snapshot(session).tables_by_board[1][:2]:
        evenings.enter_result(
            session, table.sitting_id, 1, "9", User.objects.get(username="director")
        )
    for address in ("room/", "history/"):
        page.goto(f"/director/events/{session.event.slug}/{address}")
        expect(page.get_by_text("2 scores are not saved yet.")).to_be_visible()
    notice = page.locator("#unsaved")
    expect(notice).to_contain_text(
        f"{session.event.name}, board 1, table 1: 4 isn’t saved yet."
    )
    notice.get_by_role("button", name="Discard").click()
    expect(notice).to_contain_text("2 scores discarded.")
    notice.get_by_role("button", name="Undo").click()
    expect(notice).to_contain_text("2 scores are not saved yet.")
    notice.get_by_role("button", name="Discard").click()
    page.goto("/director/")
    expect(page.locator("#unsaved")).to_be_hidden()
    assert list_stored_tricks() == [9, 9]


def test_every_page_links_to_a_mistyped_score(session: Session, grid: Grid) -> None:
    page = grid.page
    page.on("dialog", lambda asked: asked.accept())
    grid.press("1", "4", "Enter")
    page.goto("/director/")
    expect(page.locator("#unsaved")).to_contain_text(
        f"{session.event.name}, board 1, table 1: 14 isn’t saved (0–13)."
    )
    page.get_by_role("link", name="Correct it").click()
    expect(grid.cell(1, 1)).to_be_focused()
    expect(grid.cell(1, 1)).to_have_value("14")
