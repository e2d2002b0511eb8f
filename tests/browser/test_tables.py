"""Two table phones and the director's grid work together, also while a phone is offline."""

from contextlib import suppress

import pytest
from playwright.sync_api import Error, Page, Route, expect

import clubs.evenings.services
import hall.phones.services
import scoring.services
from clubs.models import TableLink
from scoring.models import Agreement, Result, ResultVersion
from scoring.session_snapshot import load_session_snapshot
from tests import evenings
from tests.browser.conftest import LOSE_FIRST_RESPONSE_SCRIPT, PageOpener
from tournaments.models import Session

pytestmark = [pytest.mark.browser]


@pytest.fixture
def session(transactional_db: None) -> Session:
    """Create three tables in play with two boards a round and no results."""
    return evenings.open_session()[0]


@pytest.fixture
def links(session: Session) -> list[TableLink]:
    return hall.phones.services.create_table_links(session=session, by=None)


def open_table_page(open_visitor_page: PageOpener, link: TableLink) -> Page:
    page = open_visitor_page(phone=True, hurry=True)
    page.goto(link.path)
    return page


def enter_tricks(page: Page, board: int, tricks: int) -> None:
    expect(page.get_by_role("heading", name=f"Board {board}: tricks won")).to_be_visible()
    page.get_by_role("button", name=str(tricks), exact=True).click()


def confirm_tricks(page: Page, board: int, ew: int) -> None:
    expect(page.get_by_role("heading", name="East-West, is this right?")).to_be_visible()
    expect(page.get_by_text(f"Board {board}, entered by North-South")).to_be_visible()
    page.get_by_role("button", name=f"Yes, {13 - ew} and {ew}", exact=True).click()


def wait_until_all_sent(page: Page) -> None:
    """Wait until the phone has no unsent entries."""
    queue_length_script = (
        "JSON.parse(localStorage.getItem('overplay' + location.pathname)).queue.length"
    )
    for _look in range(100):
        if page.evaluate(queue_length_script) == 0:
            return
        page.wait_for_timeout(100)
    raise AssertionError("The phone still keeps something back.")


def check_closing_slows_polling(page: Page, text: str) -> None:
    """Check that a page with frequent polling shows the close and then polls less often."""
    expect(page.get_by_text(text)).to_be_visible()
    expect(page.locator("#t-round")).to_have_text("Closed")
    urls: list[str] = []
    page.on("request", lambda request: urls.append(request.url))
    page.wait_for_timeout(1500)
    assert len(urls) <= 1  # one may have been in flight


def list_stored_results() -> list[tuple[int, int, str]]:
    rows = Result.objects.order_by("sitting__table", "board")
    return list(rows.values_list("sitting__table", "ns_tricks", "agreement"))


def test_table_enters_and_confirms_a_score_and_continues(
    open_visitor_page: PageOpener, links: list[TableLink]
) -> None:
    phone = open_table_page(open_visitor_page, links[0])
    expect(phone.get_by_role("link", name="Board 2 later", exact=True)).to_be_visible()
    enter_tricks(phone, 1, 8)
    confirm_tricks(phone, 1, 5)
    enter_tricks(phone, 2, 6)
    phone.get_by_role("link", name="No, change it").click()
    entry_form = phone.get_by_role("form", name="Board 2: tricks won")
    expect(entry_form.get_by_text("Entered by North-South: 6 and 7")).to_be_visible()
    expect(phone.get_by_text("East-West, what should it be?")).to_be_visible()
    enter_tricks(phone, 2, 7)
    element = phone.get_by_role("form", name="North-South, is this right?")
    for text in ("Entered by North-South: 6 and 7", "Entered by East-West: 7 and 6"):
        expect(element.get_by_text(text)).to_be_visible()
    element.get_by_role("button", name="Yes, 7 and 6").click()
    expect(phone.get_by_role("heading", name="Round 1 is complete.")).to_be_visible()
    expect(phone.get_by_text("East-West move to table 2, East-West.")).to_be_visible()
    phone.get_by_role("button", name="Go to round 2").click()
    expect(phone.get_by_text("Round 2 of 3")).to_be_visible()
    expect(phone.get_by_role("heading", name="Board 3: tricks won")).to_be_visible()
    wait_until_all_sent(phone)
    assert list_stored_results() == [(1, 8, Agreement.CONFIRMED), (1, 7, Agreement.CONFIRMED)]
    assert ResultVersion.objects.count() == 3
    assert phone.context.cookies() == []


@pytest.mark.slow
def test_phone_that_missed_rounds_announces_only_the_current_round(
    open_visitor_page: PageOpener, transactional_db: None
) -> None:
    session, user = evenings.open_session(10)
    page = open_table_page(
        open_visitor_page, hall.phones.services.create_table_links(session=session, by=None)[0]
    )
    expect(page.locator("#t-round")).to_have_text("Round 1 of 5")
    tables = [
        one_table
        for one_table in load_session_snapshot(session).tables
        if one_table.table_number == 1
    ]
    tables.sort(key=lambda item: item.round)
    for first_index, second in ((0, 1), (2, 3)):
        for table in (tables[first_index], tables[second]):
            for board in table.boards:
                evenings.enter_result(session, table.sitting_id, board, "7", user)
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        expect(page.locator("#t-round")).to_have_text(f"Round {second + 2} of 5")
    message = page.locator("#t-news p", has_text="This table is now in round")
    expect(message).to_have_text(["This table is now in round 5."])


def test_closed_table_shows_that_it_is_closed_and_polls_rarely(
    open_visitor_page: PageOpener, links: list[TableLink], session: Session
) -> None:
    phone = open_table_page(open_visitor_page, links[0])
    scoring.services.close_session(session=session, by=None)
    check_closing_slows_polling(phone, "The session is closed")


def test_second_phone_of_the_table_confirms_and_the_grid_shows_it(
    open_visitor_page: PageOpener, links: list[TableLink], session: Session
) -> None:
    north, east = (
        open_table_page(open_visitor_page, links[0]),
        open_table_page(open_visitor_page, links[0]),
    )
    enter_tricks(north, 1, 10)
    confirm_tricks(east, 1, 3)
    expect(north.get_by_role("heading", name="Board 2: tricks won")).to_be_visible()
    director = open_visitor_page(evenings.create_club_with_director("Other")[1])
    director.goto(f"/director/events/{session.event.slug}/scores/")
    cell = director.get_by_role("textbox", name="Board 1, table 1,")
    expect(cell).to_have_value("10")


@pytest.mark.slow
def test_open_grid_follows_table_entries_and_an_undo(
    open_visitor_page: PageOpener, links: list[TableLink], session: Session
) -> None:
    user = session.event.club.memberships.get().user
    director, second = open_visitor_page(user, hurry=True), open_visitor_page(user)
    director.bring_to_front()  # in Firefox, no other window has a focus
    director.goto(f"/director/events/{session.event.slug}/scores/")
    cell = director.get_by_role("textbox", name="Board 3, table 2,")
    expect(director.get_by_role("textbox", name="Board 1, table 1,")).to_be_focused()
    phone = open_table_page(open_visitor_page, links[1])
    enter_tricks(phone, 3, 10)
    director.bring_to_front()
    director.get_by_role("link", name="Board 3").click()
    director.get_by_role("textbox", name="Board 3, table 3,").focus()
    expect(cell).to_have_value("10")
    expect(director.get_by_text("17 results missing.")).to_be_visible()
    second.goto(f"/director/events/{session.event.slug}/history/")
    second.get_by_role("button", name="Undo Board 3, round 1, table 2").click()
    expect(second.get_by_text("Board 3, table 2: undone.")).to_be_visible()
    expect(cell).to_have_value("")
    expect(phone.get_by_role("heading", name="Board 3: tricks won")).to_be_visible()


@pytest.mark.slow
def test_director_sees_calls_and_answers_them(
    open_visitor_page: PageOpener, links: list[TableLink], session: Session
) -> None:
    director = open_visitor_page(session.event.club.memberships.get().user, hurry=True)
    director.goto(f"/director/events/{session.event.slug}/room/")
    phone = open_table_page(open_visitor_page, links[2])
    phone.get_by_role("button", name="Call the director").click()
    expect(phone.get_by_text("You called the director at")).to_be_visible()
    expect(director.get_by_text("Table 3 is calling")).to_be_visible()
    director.get_by_role("button", name="I’m on my way").click()
    expect(director.get_by_text("is calling")).to_have_count(0)
    expect(phone.get_by_text("The director is coming.")).to_be_visible()
    expect(phone.get_by_text("You called the director at")).to_have_count(0)


@pytest.mark.slow
def test_phone_keeps_two_boards_while_the_connection_is_down(
    open_visitor_page: PageOpener, links: list[TableLink]
) -> None:
    phone = open_table_page(open_visitor_page, links[1])
    phone.context.set_offline(True)
    enter_tricks(phone, 3, 8)
    confirm_tricks(phone, 3, 5)
    enter_tricks(phone, 4, 9)
    expect(phone.get_by_text("2 scores are waiting to be sent.")).to_be_visible()
    confirm_tricks(phone, 4, 4)
    expect(phone.get_by_role("heading", name="Round 1 is complete.")).to_be_visible()
    assert not Result.objects.exists()
    phone.context.set_offline(False)
    expect(phone.get_by_text("All scores sent.")).to_be_visible()
    assert list_stored_results() == [(2, 8, Agreement.CONFIRMED), (2, 9, Agreement.CONFIRMED)]
    assert ResultVersion.objects.count() == 2


@pytest.mark.slow
def test_waiting_score_survives_a_reload_and_a_lost_response(
    open_visitor_page: PageOpener, links: list[TableLink]
) -> None:
    phone = open_visitor_page(phone=True, hurry=True)
    phone.add_init_script(LOSE_FIRST_RESPONSE_SCRIPT)
    phone.goto(links[1].path)
    post_routes: list[Route] = []
    is_connection_down = True

    def block_repeats(route: Route) -> None:
        if route.request.method == "POST":
            post_routes.append(route)
        if route.request.method == "POST" and is_connection_down and len(post_routes) > 1:
            with suppress(Error):  # the reload may have ended it already
                route.abort()
        else:
            route.continue_()

    phone.route("**/t/**", block_repeats)
    enter_tricks(phone, 3, 8)
    expect(phone.get_by_text("1 score is waiting to be sent.")).to_be_visible()
    phone.reload()
    expect(phone.get_by_text("Board 3, entered by North-South")).to_be_visible()
    is_connection_down = False
    expect(phone.get_by_text("All scores sent.")).to_be_visible()
    assert len(post_routes) > 1
    assert list_stored_results() == [(2, 8, Agreement.AWAITED)]
    assert ResultVersion.objects.count() == 1


@pytest.mark.slow
def test_stale_phone_shows_the_newer_score_and_asks_for_confirmation(
    open_visitor_page: PageOpener, links: list[TableLink], session: Session
) -> None:
    phone = open_table_page(open_visitor_page, links[0])
    phone.context.set_offline(True)
    enter_tricks(phone, 1, 8)
    _, user = evenings.create_club_with_director("Other")
    sitting = links[0].evening.session.sections.get().sittings.get(round=1, table=1)
    evenings.enter_result(session, sitting.pk, 1, "9", user)
    phone.context.set_offline(False)
    expect(phone.get_by_role("alert")).to_contain_text(
        "director has just entered N-S 9. You entered 8 here."
    )
    assert list_stored_results() == [(1, 9, Agreement.NONE)]
    phone.get_by_role("button", name="Enter 8").click()
    confirm_tricks(phone, 1, 5)
    expect(phone.get_by_role("heading", name="Board 2: tricks won")).to_be_visible()
    expect(phone.get_by_role("alert")).to_have_text("")
    wait_until_all_sent(phone)
    assert list_stored_results() == [(1, 8, Agreement.CONFIRMED)]


def test_stale_phone_does_not_ask_about_a_confirmed_board(
    open_visitor_page: PageOpener, links: list[TableLink]
) -> None:
    first_table_page, second_table_page = (
        open_table_page(open_visitor_page, links[0]),
        open_table_page(open_visitor_page, links[0]),
    )
    second_table_page.context.set_offline(True)
    enter_tricks(second_table_page, 1, 5)
    enter_tricks(first_table_page, 1, 8)
    wait_until_all_sent(first_table_page)
    second_table_page.context.set_offline(False)
    expect(second_table_page.get_by_role("alert")).to_contain_text("You entered 5 here.")
    second_table_page.get_by_role("link", name="No, change it").click()
    enter_tricks(second_table_page, 1, 5)
    expect(second_table_page.get_by_text("North-South, is this right?")).to_be_visible()
    expect(second_table_page.get_by_role("alert")).to_have_text("")


@pytest.mark.slow
def test_cancelled_link_is_reported_on_an_open_page(
    open_visitor_page: PageOpener, links: list[TableLink]
) -> None:
    phone = open_visitor_page(phone=True)  # it must not notice the revocation before the tap
    phone.goto(links[0].path)
    hall.phones.services.revoke_table_link(link=links[0], by=None)
    phone.get_by_role("button", name="8", exact=True).click()
    expect(phone.get_by_role("alert")).to_contain_text("This QR code was cancelled.")
    assert not Result.objects.exists()


@pytest.mark.slow
def test_offline_scores_survive_closing_the_page(
    open_visitor_page: PageOpener, links: list[TableLink]
) -> None:
    phone = open_table_page(open_visitor_page, links[1])
    phone.context.set_offline(True)
    enter_tricks(phone, 3, 8)
    confirm_tricks(phone, 3, 5)
    enter_tricks(phone, 4, 9)
    with suppress(Error):  # plain http: an offline browser shows a page of its own
        phone.reload()
    assert phone.get_by_role("heading", name="Board").count() == 0
    phone.context.set_offline(False)
    phone.goto(links[1].path)
    confirm_tricks(phone, 4, 4)
    expect(phone.get_by_role("heading", name="Round 1 is complete.")).to_be_visible()
    wait_until_all_sent(phone)
    assert list_stored_results() == [(2, 8, Agreement.CONFIRMED), (2, 9, Agreement.CONFIRMED)]
    assert ResultVersion.objects.count() == 2


def test_phone_whose_link_was_cancelled_lists_the_scores_not_sent(
    open_visitor_page: PageOpener, links: list[TableLink]
) -> None:
    phone = open_table_page(open_visitor_page, links[0])
    phone.context.set_offline(True)
    enter_tricks(phone, 1, 8)
    expect(phone.get_by_text("1 score is waiting to be sent.")).to_be_visible()
    hall.phones.services.revoke_table_link(link=links[0], by=None)
    phone.context.set_offline(False)
    message = phone.get_by_text("Board 1: 8 for North-South was not sent. Tell the director.")
    expect(message).to_be_visible()
    assert not Result.objects.exists()


@pytest.mark.slow
def test_two_directors_grids_show_each_others_results(
    open_visitor_page: PageOpener, session: Session
) -> None:
    first_page = open_visitor_page(session.event.club.memberships.get().user, hurry=True)
    second_page = open_visitor_page(evenings.create_scorer(session.event.club), hurry=True)
    url = f"/director/events/{session.event.slug}/scores/"
    first_page.goto(url)
    second_page.goto(url)
    first_page.bring_to_front()  # in Firefox, no other window has a focus
    first_page.get_by_role("textbox", name="Board 1, table 1,").fill("8")
    first_page.keyboard.press("Enter")
    expect(second_page.get_by_role("textbox", name="Board 1, table 1,")).to_have_value("8")
    second_page.bring_to_front()
    second_page.get_by_role("textbox", name="Board 1, table 2,").fill("4")
    second_page.keyboard.press("Enter")
    expect(first_page.get_by_role("textbox", name="Board 1, table 2,")).to_have_value("4")
    for page in (first_page, second_page):
        expect(page.get_by_text("16 results missing.")).to_be_visible()
    assert [(ns, agreement) for _table, ns, agreement in list_stored_results()] == [
        (8, Agreement.NONE),
        (4, Agreement.NONE),
    ]


def test_call_appears_over_the_grid_without_a_layout_shift(
    open_visitor_page: PageOpener, links: list[TableLink], session: Session
) -> None:
    director = open_visitor_page(session.event.club.memberships.get().user, hurry=True)
    director.goto(f"/director/events/{session.event.slug}/scores/")
    cell = director.get_by_role("textbox", name="Board 1, table 1,")
    box_before = cell.bounding_box()
    clubs.evenings.services.call_director(link=links[2])
    expect(director.get_by_text("Table 3 is calling")).to_be_visible()
    assert cell.bounding_box() == box_before
    expect(cell).to_be_focused()
