"""Players look things up on a phone and with only the keyboard."""

import re

import pytest
from playwright.sync_api import Page, expect

import scoring.services
from tests.browser.conftest import PageOpener
from tests.browser.pages import create_full_event
from tournaments.models import Session

pytestmark = pytest.mark.browser

FOCUS_FAULT_SCRIPT = """() => {
    const element = document.activeElement;
    const style = getComputedStyle(element);
    const seen = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
    return seen || element === document.body ? "" : element.outerHTML.slice(0, 120);
}"""  # between the last and the first stop the browser's own frame has the focus


@pytest.fixture
def played_session(transactional_db: None) -> Session:
    """Create an event with one missing result."""
    session, _user = create_full_event(is_closed=False)
    return session


@pytest.mark.slow
def test_player_finds_standings_scorecard_and_traveller_from_the_first_page(
    open_visitor_page: PageOpener, played_session: Session
) -> None:
    page = open_visitor_page(phone=True)
    page.goto("/")
    page.get_by_role("link", name="Tuesday").click()
    expect(page.get_by_text("1 result missing.").first).to_be_visible()
    table = page.get_by_role("table", name=re.compile("^North-South"))
    table.get_by_role("link", name="1 N-S Pole 0a & Nowak 0b").click()
    expect(page.get_by_role("heading", name="Pole 0a & Nowak 0b")).to_be_visible()
    rounds = page.get_by_role("group").filter(has=page.get_by_text("board by board"))
    expect(rounds).to_have_count(3)
    first_element = page.get_by_role("table", name="Round 1, board by board")
    expect(first_element.get_by_role("row")).to_have_count(2)  # a heading and its only board
    first_element.get_by_role("link", name="1", exact=True).click()
    expect(page.get_by_role("heading", name="Board 1")).to_be_visible()
    lines = page.get_by_role("table", name=re.compile("^Traveller"))
    expect(lines.get_by_role("row")).to_have_count(4)
    expect(page.get_by_role("link", name="Board 2")).to_have_count(0)  # still in play
    assert page.context.cookies() == []


def test_hands_are_shown_once_the_session_is_closed(
    open_visitor_page: PageOpener, played_session: Session
) -> None:
    page = open_visitor_page(phone=True)
    page.goto(f"/events/{played_session.event.slug}/boards/1/")
    hands = page.get_by_role("region", name="The hands")
    expect(page.get_by_text("Hands stay hidden")).to_be_visible()
    expect(hands).to_have_count(0)
    scoring.services.close_session(session=played_session, by=None)
    page.reload()
    expect(hands.get_by_role("heading", name=re.compile("North"))).to_be_visible()
    expect(page.get_by_text("Hands stay hidden")).to_have_count(0)


@pytest.mark.slow
def test_suit_colours_are_remembered(
    open_visitor_page: PageOpener, played_session: Session
) -> None:
    scoring.services.close_session(session=played_session, by=None)
    page = open_visitor_page(phone=True)
    page.goto(f"/events/{played_session.event.slug}/boards/1/")
    four_colours_button = page.get_by_role("button", name="Four-colour suits")
    expect(four_colours_button).to_have_attribute("aria-pressed", "false")
    assert read_suit_colour(page, "c") == read_suit_colour(page, "s")
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        four_colours_button.click()
    expect(four_colours_button).to_have_attribute("aria-pressed", "true")
    page.get_by_role("link", name="Board 2").click()
    expect(page.get_by_role("heading", name="Board 2")).to_be_visible()
    expect(four_colours_button).to_have_attribute("aria-pressed", "true")
    assert len({read_suit_colour(page, suit) for suit in "shdc"}) == 4


@pytest.mark.slow
def test_skip_link_moves_the_focus_to_the_content(
    open_visitor_page: PageOpener, played_session: Session
) -> None:
    page = open_visitor_page()
    page.goto(f"/events/{played_session.event.slug}/")
    page.keyboard.press("Tab")
    skip_link = page.get_by_role("link", name="Skip to content")
    expect(skip_link).to_be_focused()
    expect(skip_link).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_be_focused()


@pytest.mark.slow
@pytest.mark.parametrize("address", ["/events/{}/", "/director/events/{}/scores/", "/login/"])
def test_focused_element_is_always_visible(
    open_visitor_page: PageOpener, played_session: Session, address: str
) -> None:
    page = open_visitor_page(
        played_session.event.club.memberships.get().user if "director" in address else None
    )
    page.goto(address.format(played_session.event.slug))
    visibility_faults = set()
    for _stop in range(20):
        page.keyboard.press("Tab")
        visibility_faults.add(page.evaluate(FOCUS_FAULT_SCRIPT))
    assert visibility_faults == {""}


def read_suit_colour(page: Page, suit: str) -> str:
    suit_symbol = page.locator(f".suit-{suit} .card__suit").first
    assert (suit_symbol.bounding_box() or {"width": 0})["width"] > 8
    return str(suit_symbol.evaluate("element => getComputedStyle(element).fill"))


@pytest.mark.slow
def test_overflowing_table_has_a_shadow_at_its_edge(
    open_visitor_page: PageOpener, played_session: Session
) -> None:
    card = f"/events/{played_session.event.slug}/recap/"
    narrow_page, wide_page = (
        open_visitor_page(viewport={"width": 360, "height": 740}),
        open_visitor_page(),
    )
    narrow_page.goto(card)
    wide_page.goto(card)
    region = narrow_page.get_by_role("region", name="North-South")
    picture_before = capture_right_edge(narrow_page)
    assert picture_before != capture_right_edge(wide_page)  # a table that fits has no shadow
    region.evaluate("part => { part.scrollLeft = part.scrollWidth; }")
    assert capture_right_edge(narrow_page) == capture_right_edge(wide_page)


def capture_right_edge(page: Page) -> bytes:
    """Take a picture of a strip inside the right edge of a recap's table."""
    box = page.get_by_role("region", name="North-South").bounding_box()
    assert box is not None
    clip = {"x": box["x"] + box["width"] - 8, "y": box["y"] + 10, "width": 5, "height": 20}
    return page.screenshot(clip=clip, full_page=True)
