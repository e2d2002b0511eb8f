"""In the score grid one key swaps or keeps a doubtful result; one click fixes a round."""

import pytest
from playwright.sync_api import Locator, Page, expect

from scoring.models import Doubt, Result
from scoring.session_snapshot import SeatedTable, load_session_snapshot
from server.models import User
from tests import evenings
from tests.browser.conftest import PageOpener
from tests.browser.test_grid import Grid
from tests.copies import build_once
from tournaments.models import Session

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def session(transactional_db: None) -> Session:
    """Create five tables; four have 4–6 tricks on board 1 and 9–11 on board 2."""
    return create_five_table_session()


@build_once
def create_five_table_session() -> Session:
    session, user = evenings.open_session(10)
    for table in list_tables(session)[:-1]:
        evenings.enter_result(
            session, table.sitting_id, 1, str(4 + table.table_number % 3), user
        )
        evenings.enter_result(
            session, table.sitting_id, 2, str(9 + table.table_number % 3), user
        )
    return session


@pytest.fixture
def page(open_visitor_page: PageOpener, session: Session) -> Page:
    page = open_visitor_page(User.objects.get(username="director"))
    page.goto(f"/director/events/{session.event.slug}/scores/")
    return page


def test_one_key_swaps_the_sides(page: Page, session: Session) -> None:
    table = list_tables(session)[-1]
    grid = Grid(page)
    type_result(grid, 1, table, "11")
    query_box = find_query_box(page, table, 1)
    expect(query_box).to_contain_text("N-S 11? 4 other tables made 4–6.")
    grid.press("s")
    expect(query_box).to_have_count(0)
    expect(find_cell(page, table, 1)).to_have_value("2")
    expect(
        page.get_by_text(f"Board 1, table {table.table_number}: N-S 2, E-W 11.")
    ).to_be_visible()
    assert read_stored_result(session, 1) == (2, Doubt.NONE)


def test_one_key_keeps_the_typed_result(page: Page, session: Session) -> None:
    table = list_tables(session)[-1]
    grid = Grid(page)
    type_result(grid, 1, table, "11")
    query_box = find_query_box(page, table, 1)
    expect(query_box).to_be_visible()
    # The page shows the change as soon as the key is pressed.
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        grid.press("k")
    expect(query_box).to_have_count(0)
    row = page.locator("tr").filter(has=find_cell(page, table, 1))
    expect(row.locator(".cell-state")).to_have_text("kept")
    assert read_stored_result(session, 1) == (11, Doubt.KEPT)
    page.reload()
    expect(page.locator("tr.query")).to_have_count(0)


def test_query_is_shown_below_its_result_without_taking_the_focus(
    page: Page, session: Session
) -> None:
    table = list_tables(session)[-1]
    grid = Grid(page)
    type_result(grid, 1, table, "11")
    query_box = find_query_box(page, table, 1)
    expect(query_box).to_be_visible()
    expect(page.locator("#announcer")).to_contain_text("N-S 11?")
    expect(page.locator(".cell:focus")).to_have_value("")  # typing goes on, query or not
    grid.press("g")  # back to the skipped board
    expect(grid.cell(1, table.table_number)).to_be_focused()
    row = page.locator("tr").filter(has=find_cell(page, table, 1)).bounding_box()
    box = page.locator("tr.query .query__in").bounding_box()
    assert row is not None
    assert box is not None
    assert box["y"] >= row["y"] + row["height"] - 1
    grid.press("5", "Enter")
    expect(query_box).to_have_count(0)
    expect(page.locator("#scores-checks")).to_be_hidden()
    assert read_stored_result(session, 1) == (5, Doubt.NONE)


def test_last_query_is_shown_below_its_result_and_the_others_in_the_list(
    page: Page, session: Session
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    table = list_tables(session)[-1]
    grid = Grid(page)
    for board, tricks in ((1, "12"), (2, "1")):
        type_result(grid, board, table, tricks)
        expect(page.locator("#announcer")).to_contain_text(f"N-S {tricks}?")
    page.get_by_role("navigation", name="Boards").get_by_role("link", name="Board 3 ").click()
    element = page.locator("#scores-asked .query__in")
    expect(element).to_have_count(1)
    expect(element).to_contain_text(f"Board 2, table {table.table_number}")
    listed_element = page.locator("#doubts li")
    expect(listed_element).to_have_count(1)
    expect(page.locator("#doubts-count")).to_have_text("1")
    query_link = listed_element.get_by_role("link")
    expect(query_link).to_have_text(f"Board 1, table {table.table_number}")
    lines = "link => { const r = document.createRange(); r.selectNodeContents(link);"
    assert query_link.evaluate(f"{lines} return r.getClientRects().length; }}") == 1
    element.get_by_role("button", name="Keep 1").click()
    expect(element).to_have_count(1)
    expect(element).to_contain_text(f"Board 1, table {table.table_number}")
    expect(page.locator("#scores-checks")).to_be_hidden()


def test_one_click_corrects_a_round_typed_for_the_wrong_side(
    page: Page, session: Session
) -> None:
    table = list_tables(session)[-1]
    grid = Grid(page)
    type_result(grid, 1, table, "8")
    expect(
        page.get_by_text(f"Board 1, table {table.table_number}: N-S 8, E-W 5.")
    ).to_be_visible()
    type_result(grid, 2, table, "3")
    query_box = find_query_box(page, table, 2)
    expect(query_box).to_contain_text("look swapped for the whole round")
    query_box.get_by_role("button", name="Correct round").click()
    expect(query_box).to_have_count(0)
    expect(find_cell(page, table, 2)).to_have_value("10")
    expect(
        page.get_by_text(f"Board 2, table {table.table_number}: N-S 10, E-W 3.")
    ).to_be_visible()
    page.reload()
    expect(page.locator("tr.query")).to_have_count(0)
    assert [read_stored_result(session, board)[0] for board in (1, 2)] == [5, 10]


def test_one_key_moves_through_queries_and_back_to_typing(page: Page, session: Session) -> None:
    table = list_tables(session)[-1]
    type_result(Grid(page), 1, table, "11")
    expect(find_query_box(page, table, 1)).to_be_visible()
    page.goto(f"/director/events/{session.event.slug}/scores/")
    row = page.locator("tr").filter(has=find_cell(page, table, 1))
    expect(row.locator(".cell-state")).to_have_text("please check")
    expect(page.locator("#doubts").get_by_role("link")).to_have_count(1)
    expect(page.locator(".cell:focus")).to_have_value("")
    page.keyboard.press("q")
    query_box = find_query_box(page, table, 1)
    expect(query_box.get_by_role("button", name="Swap sides: 2")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".cell:focus")).to_have_value("")
    page.goto(f"/director/events/{session.event.slug}/closing/")
    page.get_by_role("link", name="check N-S 11").click()
    expect(query_box).to_be_in_viewport()
    expect(query_box.get_by_role("button", name="Swap sides: 2")).to_be_focused()
    query_box.get_by_role("button", name="Keep 11").click()
    expect(query_box).to_have_count(0)
    expect(page.locator("#scores-checks")).to_be_hidden()
    page.wait_for_load_state("networkidle")
    assert read_stored_result(session, 1) == (11, Doubt.KEPT)


def test_typing_works_at_once_while_eighteen_queries_are_shown(
    open_visitor_page: PageOpener, transactional_db: None
) -> None:
    session, user = evenings.play_session(14, but=10)
    result_pks = list(Result.objects.order_by("pk").values_list("pk", flat=True)[:18])
    Result.objects.filter(pk__in=result_pks).update(doubt=Doubt.QUERIED)
    page = open_visitor_page(user, viewport={"width": 1366, "height": 900})
    page.goto(f"/director/events/{session.event.slug}/scores/")
    assert int(page.locator("#doubts-count").inner_text()) >= 18
    block = page.locator(".block.is-in-hand")
    box = block.bounding_box()
    assert box is not None
    assert box["y"] < 300
    expect(page.locator(".cell:focus")).to_have_value("")
    page.keyboard.type("7")
    page.keyboard.press("Enter")
    expect(page.get_by_text("9 results missing.")).to_be_visible()
    line_box = page.locator("#scores-line").bounding_box()
    box = block.bounding_box()
    assert line_box is not None
    assert box is not None
    for order in ("board", "round"):  # also on a phone with many queries
        page.set_viewport_size({"width": 360, "height": 640})
        page.goto(f"/director/events/{session.event.slug}/scores/?by={order}")
        top = block.evaluate("block => block.getBoundingClientRect().top + scrollY")
        assert top < 300
    assert line_box["x"] >= box["x"] + box["width"]  # next to the rows, so that it hides no row


def test_exchanged_boards_of_a_round_are_corrected_without_javascript(
    open_visitor_page: PageOpener, session: Session
) -> None:
    table = list_tables(session)[-1]
    user = User.objects.get(username="director")
    page = open_visitor_page(user, java_script_enabled=False)
    page.goto(f"/director/events/{session.event.slug}/scores/")
    for board, tricks in ((1, "10"), (2, "5")):
        page.locator(f"[name=r-{table.sitting_id}-{board}]").fill(tricks)
        page.get_by_role("button", name=f"Save Board {board}", exact=True).click()
    expect(page.locator("tr.query")).to_have_count(2)
    page.get_by_role("button", name="Correct round").click()
    expect(page.locator("tr.query")).to_have_count(0)
    assert [read_stored_result(session, board)[0] for board in (1, 2)] == [5, 10]


def test_page_offers_the_next_step_after_the_last_result(
    open_visitor_page: PageOpener, transactional_db: None
) -> None:
    session, user = evenings.play_session(boards_a_round=1, but=1)
    page = open_visitor_page(user)
    page.goto(f"/director/events/{session.event.slug}/scores/")
    next_step_link = page.get_by_role("link", name="Check and close")
    expect(next_step_link).to_be_hidden()
    page.keyboard.type("7")
    page.keyboard.press("Enter")
    expect(next_step_link).to_be_visible()
    next_step_link.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Close")


def type_result(grid: Grid, board: int, table: SeatedTable, tricks: str) -> None:
    boards = grid.page.get_by_role("navigation", name="Boards")
    boards.get_by_role("link", name=f"Board {board} ").first.click()
    cell = grid.cell(board, table.table_number)
    cell.fill(tricks)
    cell.press("Enter")


def find_query_box(page: Page, table: SeatedTable, board: int) -> Locator:
    where = f"Please check: Board {board}, "
    return page.locator(f'.query__in[aria-label^="{where}"]:visible')


def find_cell(page: Page, table: SeatedTable, board: int) -> Locator:
    return page.locator(f"[name=r-{table.sitting_id}-{board}]")


def list_tables(session: Session) -> list[SeatedTable]:
    return sorted(
        load_session_snapshot(session).tables_by_board[1], key=lambda table: table.round
    )


def read_stored_result(session: Session, board: int) -> tuple[int | None, str]:
    result = Result.objects.get(sitting=list_tables(session)[-1].sitting_id, board=board)
    return result.ns_tricks, result.doubt


@pytest.mark.parametrize("width", [360, 1366])
def test_grid_is_visible_on_load_and_confirmed_queries_disappear(
    open_visitor_page: PageOpener, session: Session, width: int
) -> None:
    """The query count drops from 2 to 1 without a reload when other tables confirm a score."""
    user = User.objects.get(username="director")
    tables = list_tables(session)
    evenings.enter_result(session, tables[-1].sitting_id, 1, "12", user)
    evenings.enter_result(session, tables[-1].sitting_id, 2, "1", user)
    page = open_visitor_page(user, viewport={"width": width, "height": 780})
    page.goto(f"/director/events/{session.event.slug}/scores/")
    page.wait_for_timeout(200)  # the target of a fragment URL is scrolled to after loading
    title = page.locator("#scores-title").bounding_box()
    bar_box = page.locator(".bar").last.bounding_box()
    assert title is not None
    assert bar_box is not None
    # On a phone the page has scrolled to the score to enter.
    assert title["y"] >= bar_box["y"] + bar_box["height"] - 1 or width == 360
    count_element = page.locator("#doubts-count")
    expect(count_element).to_have_text("2")
    for table in tables[:-1]:
        evenings.enter_result(session, table.sitting_id, 1, "12", user)
    expect(count_element).to_have_text("1", timeout=10_000)
    expect(page.locator("tr.query")).to_have_count(1)
    page.reload()
    expect(count_element).to_have_text("1")
