"""On a table phone of 360 × 640 the next button is in reach in every state."""

import pytest
from playwright.sync_api import Page, expect

import hall.phones.services
from scoring.models import Terms
from server.models import User
from tests import evenings
from tests.browser.conftest import PageOpener
from tests.browser.test_tables import confirm_tricks, enter_tricks, wait_until_all_sent
from tournaments.models import Session, Sitting
from tournaments.services import set_trumps

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SMALL_PHONE = {"width": 360, "height": 640}
MAX_CALL_BOTTOM, MAX_BUTTON_BOTTOM, MIN_KEY_HEIGHT = 640, 560, 56
MEASURE_SCRIPT = """() => {
    const seen = what => [...document.querySelectorAll("main " + what)].filter(
        one => one.getClientRects().length);
    const foot = one => Math.round(one.getBoundingClientRect().bottom + scrollY);
    return {
        wide: document.documentElement.scrollWidth,
        filled: seen(".button--main").map(foot),
        keys: seen(".pad button").map(one => one.getBoundingClientRect().height),
        call: foot(document.querySelector(".table__call button")),
        small: seen("a, button, summary").filter(one => {
            const box = one.getBoundingClientRect();
            return box.height < 44 || box.width < 44;
        }).map(one => one.textContent),
    };
}"""


def check_sizes(page: Page, state: str) -> None:
    """Check that in this state nothing on the page is hidden or too small."""
    actual = page.evaluate(MEASURE_SCRIPT)
    assert actual["wide"] <= SMALL_PHONE["width"], state
    assert actual["small"] == [], state
    if actual["keys"]:
        assert actual["filled"] == [], state
        assert min(actual["keys"]) >= MIN_KEY_HEIGHT, state
        assert actual["call"] <= MAX_CALL_BOTTOM, f"{state}: {actual}"
    else:
        assert len(actual["filled"]) == 1, f"{state}: {actual}"
        assert actual["filled"][0] <= MAX_BUTTON_BOTTOM, f"{state}: {actual}"


@pytest.fixture
def evening(transactional_db: None) -> tuple[Session, User]:
    """Create nine pairs at five tables, one of them a half table, with four boards a round."""
    session, user = evenings.open_session(9, boards_a_round=4)
    Terms.objects.update(totals_grow=Terms.TotalsUpdateTime.AFTER_EACH_RESULT)
    return session, user


def find_sitting(session: Session, table: int, round_: int = 1) -> Sitting:
    return Sitting.objects.get(section__session=session, table=table, round=round_)


def is_played(sitting: Sitting) -> bool:
    return None not in (sitting.north.entry_id, sitting.east.entry_id)


def enter_round(session: Session, user: User, sitting: Sitting) -> None:
    for board in session.get_group_boards(sitting.board_group):
        evenings.enter_result(session, sitting.pk, board, "6", user)


def test_table_phone_page_fits_in_every_state(
    open_visitor_page: PageOpener, evening: tuple[Session, User]
) -> None:
    session, user = evening
    links = hall.phones.services.create_table_links(session=session, by=None)
    link = next(
        one_link
        for one_link in links
        if is_played(find_sitting(session, one_link.table))
        and not is_played(find_sitting(session, one_link.table, 2))
    )
    boards = session.get_group_boards(find_sitting(session, link.table).board_group)
    later_sittings = Sitting.objects.filter(
        section__session=session,
        board_group=find_sitting(session, link.table).board_group,
        round__gt=1,
    )
    enter_round(
        session,
        user,
        next(played_sitting for played_sitting in later_sittings if is_played(played_sitting)),
    )
    page = open_visitor_page(hurry=True, viewport=SMALL_PHONE, has_touch=True)
    page.goto(link.path)

    check_sizes(page, "enter")
    enter_tricks(page, boards[0], 9)
    expect(page.get_by_role("heading", name="East-West, is this right?")).to_be_visible()
    check_sizes(page, "the other side must confirm")
    page.get_by_role("link", name="No, change it").click()
    check_sizes(page, "the other side says no")
    page.get_by_role("button", name="8", exact=True).click()
    expect(page.get_by_role("heading", name="North-South, is this right?")).to_be_visible()
    check_sizes(page, "the sides don’t agree")
    page.get_by_role("button", name="Yes, 8 and 5").click()
    expect(page.get_by_role("heading", name=f"Board {boards[0]}: 8 and 5")).to_be_visible()
    expect(page.get_by_text("other tables 6")).to_be_visible()
    check_sizes(page, "what others made")
    page.get_by_role("link", name=f"Go to board {boards[1]}").click()
    page.get_by_role("button", name="Not played").click()
    expect(page.get_by_role("button", name="Yes, not played")).to_be_visible()
    check_sizes(page, "not played")
    page.get_by_role("button", name="Yes, not played").click()
    page.get_by_role("link", name=f"Go to board {boards[2]}").click()
    wait_until_all_sent(page)
    # The director enters this score from the slip.
    evenings.enter_result(session, find_sitting(session, link.table).pk, boards[2], "7", user)
    expect(page.get_by_text("the director entered")).to_be_visible()
    enter_tricks(page, boards[3], 6)
    confirm_tricks(page, boards[3], 7)
    page.get_by_role("link", name="Continue", exact=True).click()
    expect(page.get_by_role("heading", name="Round 1 is complete.")).to_be_visible()
    check_sizes(page, "between rounds")
    page.get_by_role("button", name="Go to round 2").click()
    expect(page.get_by_role("heading", name="No one plays here")).to_be_visible()
    check_sizes(page, "nobody plays here")
    page.get_by_role("button", name="Go to round 3").click()
    check_sizes(page, "a later round")
    for sitting in Sitting.objects.filter(section__session=session):
        if is_played(sitting):
            enter_round(session, user, sitting)
    page.goto(link.path)
    expect(
        page.get_by_role("heading", name="All rounds at this table are finished")
    ).to_be_visible()
    check_sizes(page, "over")


def test_table_that_declares_trumps_enters_scores_without_scrolling(
    open_visitor_page: PageOpener, evening: tuple[Session, User]
) -> None:
    session, user = evening
    set_trumps(event=session.event, trumps="declared", is_agreed=True, by=user)
    link = next(
        table_link
        for table_link in hall.phones.services.create_table_links(session=session, by=None)
        if is_played(find_sitting(session, table_link.table))
    )
    page = open_visitor_page(viewport=SMALL_PHONE)
    page.goto(link.path)
    page.get_by_role("radio", name="hearts").check()
    check_sizes(page, "trumps are declared")
    page.locator("#t-enter").get_by_role("button", name="8", exact=True).click()
    expect(page.locator("#t-confirm").get_by_text("Declared: hearts.")).to_be_visible()
    check_sizes(page, "declared trumps are confirmed")
