"""The frame on a screen: low on a phone, complete with large text, with a quick search."""

import pytest
from playwright.sync_api import Page, expect

import tournaments.services
from clubs.models import Club
from tests.browser.conftest import Visitor
from tests.browser.pages import create_full_event
from tests.browser.pictures import keep_picture
from tests.factories import DriveFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SMALLEST = {"width": 360, "height": 640}
PUBLIC = ("", "boards/", "boards/1/", "recap/", "entries/1/")
DIRECTOR = ("", "room/", "scores/", "change/", "room/clock/", "calls/", "entries/", "papers/")
FEET = """() => {
  const box = name => document.querySelector(name)?.getBoundingClientRect();
  const seen = Array.from(document.querySelectorAll(".top, .bar"));
  const head = Math.max(...seen.map(each => each.getBoundingClientRect().bottom));
  const first = Array.from(document.querySelectorAll("main *")).find(each =>
    each.getClientRects().length && each.textContent.trim() && !each.children.length);
  return {head, content: first.getBoundingClientRect().top, dock: box(".dock")?.height || 0};
}"""
COVERED = """() => {
  window.scrollTo(0, document.documentElement.scrollHeight);
  const dock = document.querySelector(".dock").getBoundingClientRect().top;
  const parts = Array.from(document.querySelectorAll("main *, .foot *"));
  return parts.filter(each => !each.children.length && each.textContent.trim()
    && getComputedStyle(each).position !== "fixed" && !each.closest(".afloat")
    && each.checkVisibility() && each.getBoundingClientRect().bottom > dock + 1)
    .map(each => each.textContent.trim().slice(0, 40));
}"""
LOST = """() => {
  const wide = document.documentElement.clientWidth;
  const parts = document.querySelectorAll(".top *, .bar__in > *, .foot *, .dock *");
  const out = Array.from(parts).filter(each => each.checkVisibility()
    && !each.closest(".tabs, .visually-hidden, details:not([open]) > :is(div, nav)")
    && each.getBoundingClientRect().right > wide + 1);
  const more = document.documentElement.scrollWidth - wide;
  return [...(more > 1 ? [`the page by ${more}`] : []), ...out.map(each => each.className)];
}"""
WIDTHS = [(320, False), (768, False), (720, True), (1366, True)]
LARGER = "document.documentElement.style.fontSize = '38px'"
MOVES = """() => {
  const moving = Array.from(document.querySelectorAll("*")).map(each => getComputedStyle(each))
    .filter(style => style.transitionDuration !== "0s" || style.animationName !== "none");
  return document.getAnimations().length + moving.length;
}"""


def list_addresses(slug: str) -> list[str]:
    own_paths = ["/director/", "/director/players/", "/director/search/?q=pole"]
    own_paths += [f"/director/events/{slug}/{name}" for name in DIRECTOR]
    all_ = ["/", "/events/", "/players/", "/learn/", "/search/", "/laws/?q=revoke"]
    return own_paths + all_ + [f"/events/{slug}/{name}" for name in PUBLIC]


@pytest.mark.slow
def test_on_a_phone_the_frame_leaves_the_screen_to_the_page_and_loses_nothing_anywhere(
    visitor: Visitor,
) -> None:
    """Each page is opened on the smallest phone, and then checked in every other width."""
    session, user = create_full_event(closed=False)
    page = visitor(user, viewport=SMALLEST)
    faults = []
    for address in list_addresses(session.event.slug):
        page.emulate_media(reduced_motion="no-preference")
        page.set_viewport_size(SMALLEST)
        page.goto(address)
        actual = page.evaluate(FEET)
        if not (
            actual["head"] <= 120 and actual["content"] <= 140 and 40 < actual["dock"] <= 64
        ):
            faults.append(f"{address}: {actual}")
        faults += [
            f"{address}: the lower bar covers {fault}" for fault in page.evaluate(COVERED)
        ]
        page.emulate_media(reduced_motion="reduce")
        faults += [f"{address}: moves" for _it in range(page.evaluate(MOVES))]
        for width, larger in WIDTHS:
            page.set_viewport_size({"width": width, "height": 768})
            if larger:
                page.evaluate(LARGER)
            faults += [f"{address} on {width}: {fault}" for fault in page.evaluate(LOST)]
    assert faults == []


@pytest.mark.slow
def test_the_six_steps_and_who_sits_where_are_whole_on_a_phone(visitor: Visitor) -> None:
    session, user = create_full_event(closed=False)
    for width in (360, 390):
        page = visitor(user, viewport={"width": width, "height": 844})
        page.goto(f"/director/events/{session.event.slug}/seats/")
        steps = page.locator(".bar:not(.bar--live) .tabs")
        assert steps.locator("a").count() == 6
        assert steps.evaluate("bar => bar.scrollWidth - bar.clientWidth") <= 0
        who = page.locator(".seat-row select").first
        assert who.evaluate("list => list.clientWidth") > width * 0.8


@pytest.mark.slow
def test_the_stroke_leads_to_the_search_and_one_hit_to_its_page(visitor: Visitor) -> None:
    session, _user = create_full_event(closed=False)
    page = visitor()
    page.goto(f"/events/{session.event.slug}/")
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.type("b1")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Board 1")


@pytest.mark.slow
def test_colours_change_at_once_where_one_is_and_stay_chosen(visitor: Visitor) -> None:
    session, _user = create_full_event()
    page = visitor(viewport=SMALLEST, color_scheme="light")
    page.goto(f"/events/{session.event.slug}/")
    light = read_background_colour(page)
    page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)")
    before = page.evaluate("window.scrollY")
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        page.get_by_role("button", name="Dark").click()
    expect(page.get_by_role("button", name="Dark")).to_have_attribute("aria-pressed", "true")
    dark = read_background_colour(page)
    assert dark != light
    assert page.evaluate("window.scrollY") == before
    page.goto("/learn/")
    assert read_background_colour(page) == dark
    page.get_by_role("button", name="Same as device").click()
    assert read_background_colour(page) == light
    keep_picture(page, "learn")


def read_background_colour(page: Page) -> object:
    return page.evaluate("getComputedStyle(document.body).backgroundColor")


@pytest.mark.slow
def test_sessions_and_the_menu_open_over_the_page_and_close_again(visitor: Visitor) -> None:
    session, user = create_full_event(closed=False)
    tournaments.services.add_session(event=session.event, by=user)
    page = visitor(user)
    page.goto(f"/director/events/{session.event.slug}/entries/")
    high = page.evaluate("document.documentElement.scrollHeight")
    page.locator(".pick:not(.pick--live) > summary").click()
    expect(page.get_by_role("link", name="Session 2")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollHeight") == high
    page.keyboard.press("Escape")
    expect(page.get_by_role("link", name="Session 2")).to_be_hidden()
    page.locator(".menu > summary").click()
    page.get_by_role("link", name="Players’ view").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Tuesday")
    assert "/director/" not in page.url


def test_our_letters_arrive_and_move_little(visitor: Visitor) -> None:
    session, _user = create_full_event()
    page = visitor()
    page.add_init_script(
        "window.shifted = 0; new PerformanceObserver(list => list.getEntries().forEach("
        "each => { window.shifted += each.value; })"
        ").observe({type: 'layout-shift', buffered: true});"
    )
    page.goto(f"/events/{session.event.slug}/")
    page.evaluate("document.fonts.ready")
    assert page.evaluate("document.fonts.check('19px \"Overplay Sans\"')")
    assert page.evaluate("document.fonts.check('600 19px \"Overplay Serif\"')")
    assert page.evaluate("window.shifted") <= 0.02


@pytest.mark.parametrize("width", [1100, 1366])
def test_the_club_bar_fits_and_the_line_of_the_demo_keeps_its_distance(
    visitor: Visitor, width: int
) -> None:
    session, user = create_full_event(closed=False)
    Club.objects.update(is_demo=True)
    page = visitor(user, viewport={"width": width, "height": 768})
    page.goto("/director/players/")
    tabs = page.locator(".bar .tabs")
    assert tabs.evaluate("tabs => tabs.scrollWidth - tabs.clientWidth") <= 1
    page.goto(f"/events/{session.event.slug}/")
    bar, element = page.locator(".bar").bounding_box(), page.locator(".demo-mark span")
    line = element.bounding_box()
    assert bar is not None
    assert line is not None
    assert line["y"] - bar["y"] - bar["height"] >= 6


@pytest.mark.parametrize("width", [1100, 1366])
def test_a_live_event_beside_a_drive_does_not_shorten_its_name(
    visitor: Visitor, width: int
) -> None:
    session, user = create_full_event(closed=False)
    drive = DriveFactory(club=session.event.club, name="Monday whist drive", state="open")
    page = visitor(user, viewport={"width": width, "height": 768})
    page.goto(f"/director/drives/{drive.slug}/")
    name, tabs = page.locator(".crumb__name"), page.locator(".bar .tabs")
    expect(page.locator(".pick--live")).to_contain_text(session.event.name)
    assert name.evaluate("name => name.scrollWidth - name.clientWidth") <= 1
    assert page.locator(".bar").get_by_text("Tonight").count() == 1
    assert page.locator("main").evaluate("main => main.getBoundingClientRect().top") <= 112
    over = tabs.evaluate("tabs => tabs.scrollWidth - tabs.clientWidth")
    assert over <= 1 or "gradient" in tabs.evaluate("t => getComputedStyle(t).backgroundImage")
