"""The page frame is low on a phone, complete with large text, and has a quick search."""

import pytest
from playwright.sync_api import Page, Route, expect

import tournaments.services
from clubs.models import Club
from tests.browser.conftest import PageOpener
from tests.browser.drives import create_organiser
from tests.browser.pages import create_full_event
from tests.browser.pictures import save_page_screenshot
from tests.factories import DriveFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SMALLEST_PHONE_SIZE = {"width": 360, "height": 640}
PUBLIC_PAGES = ("", "boards/", "boards/1/", "recap/", "entries/1/")
DIRECTOR_PAGES = (
    "",
    "room/",
    "scores/",
    "change/",
    "room/clock/",
    "calls/",
    "entries/",
    "papers/",
)
FRAME_HEIGHTS_SCRIPT = """() => {
  const box = name => document.querySelector(name)?.getBoundingClientRect();
  const seen = Array.from(document.querySelectorAll(".top, .bar"));
  const head = Math.max(...seen.map(each => each.getBoundingClientRect().bottom));
  const first = Array.from(document.querySelectorAll("main *")).find(each =>
    each.getClientRects().length && each.textContent.trim() && !each.children.length);
  return {head, content: first.getBoundingClientRect().top, dock: box(".dock")?.height || 0};
}"""
COVERED_ELEMENTS_SCRIPT = """() => {
  window.scrollTo(0, document.documentElement.scrollHeight);
  const dock = document.querySelector(".dock").getBoundingClientRect().top;
  const parts = Array.from(document.querySelectorAll("main *, .foot *"));
  return parts.filter(each => !each.children.length && each.textContent.trim()
    && getComputedStyle(each).position !== "fixed" && !each.closest(".afloat")
    && each.checkVisibility() && each.getBoundingClientRect().bottom > dock + 1)
    .map(each => each.textContent.trim().slice(0, 40));
}"""
HIDDEN_ELEMENTS_SCRIPT = """() => {
  const wide = document.documentElement.clientWidth;
  const parts = document.querySelectorAll(".top *, .bar__in > *, .foot *, .dock *");
  const out = Array.from(parts).filter(each => each.checkVisibility()
    && !each.closest(".tabs, .visually-hidden, details:not([open]) > :is(div, nav)")
    && each.getBoundingClientRect().right > wide + 1);
  const more = document.documentElement.scrollWidth - wide;
  return [...(more > 1 ? [`the page by ${more}`] : []), ...out.map(each => each.className)];
}"""
WIDTHS_AND_TEXT_SIZES = [(320, False), (768, False), (720, True), (1366, True)]
ENLARGE_TEXT_SCRIPT = "document.documentElement.style.fontSize = '38px'"
MOVING_ELEMENTS_SCRIPT = """() => {
  const moving = Array.from(document.querySelectorAll("*")).map(each => getComputedStyle(each))
    .filter(style => style.transitionDuration !== "0s" || style.animationName !== "none");
  return document.getAnimations().length + moving.length;
}"""


def list_addresses(slug: str) -> list[str]:
    director_paths = ["/director/", "/director/players/", "/director/search/?q=pole"]
    director_paths += [f"/director/events/{slug}/{name}" for name in DIRECTOR_PAGES]
    public_paths = ["/", "/events/", "/players/", "/learn/", "/search/", "/laws/?q=revoke"]
    return director_paths + public_paths + [f"/events/{slug}/{name}" for name in PUBLIC_PAGES]


@pytest.mark.slow
def test_frame_leaves_room_on_a_phone_and_hides_nothing_at_any_width(
    open_visitor_page: PageOpener,
) -> None:
    """Open each page on the smallest phone, then check it in every other width."""
    session, user = create_full_event(is_closed=False)
    page = open_visitor_page(user, viewport=SMALLEST_PHONE_SIZE)
    faults = []
    for address in list_addresses(session.event.slug):
        page.emulate_media(reduced_motion="no-preference")
        page.set_viewport_size(SMALLEST_PHONE_SIZE)
        page.goto(address)
        actual = page.evaluate(FRAME_HEIGHTS_SCRIPT)
        if not (
            actual["head"] <= 120 and actual["content"] <= 140 and 40 < actual["dock"] <= 64
        ):
            faults.append(f"{address}: {actual}")
        faults += [
            f"{address}: the lower bar covers {fault}"
            for fault in page.evaluate(COVERED_ELEMENTS_SCRIPT)
        ]
        page.emulate_media(reduced_motion="reduce")
        faults += [f"{address}: moves" for _it in range(page.evaluate(MOVING_ELEMENTS_SCRIPT))]
        for width, has_large_text in WIDTHS_AND_TEXT_SIZES:
            page.set_viewport_size({"width": width, "height": 768})
            if has_large_text:
                page.evaluate(ENLARGE_TEXT_SCRIPT)
            faults += [
                f"{address} on {width}: {fault}"
                for fault in page.evaluate(HIDDEN_ELEMENTS_SCRIPT)
            ]
    assert faults == []


@pytest.mark.slow
def test_six_steps_and_seat_lists_fit_a_phone(open_visitor_page: PageOpener) -> None:
    session, user = create_full_event(is_closed=False)
    for width in (360, 390):
        page = open_visitor_page(user, viewport={"width": width, "height": 844})
        page.goto(f"/director/events/{session.event.slug}/seats/")
        steps = page.locator(".bar:not(.bar--live) .tabs")
        assert steps.locator("a").count() == 6
        assert steps.evaluate("bar => bar.scrollWidth - bar.clientWidth") <= 0
        who = page.locator(".seat-row select").first
        assert who.evaluate("list => list.clientWidth") > width * 0.8


@pytest.mark.slow
def test_slash_focuses_the_search_and_a_single_hit_opens_its_page(
    open_visitor_page: PageOpener,
) -> None:
    session, _user = create_full_event(is_closed=False)
    page = open_visitor_page()
    page.goto(f"/events/{session.event.slug}/")
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.type("b1")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Board 1")


@pytest.mark.slow
def test_colour_scheme_changes_in_place_and_is_remembered(
    open_visitor_page: PageOpener,
) -> None:
    session, _user = create_full_event()
    page = open_visitor_page(viewport=SMALLEST_PHONE_SIZE, color_scheme="light")
    page.goto(f"/events/{session.event.slug}/")
    light_background = read_background_colour(page)
    page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)")
    scroll_position_before = page.evaluate("window.scrollY")
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        page.get_by_role("button", name="Dark").click()
    expect(page.get_by_role("button", name="Dark")).to_have_attribute("aria-pressed", "true")
    dark_background = read_background_colour(page)
    assert dark_background != light_background
    assert page.evaluate("window.scrollY") == scroll_position_before
    page.goto("/learn/")
    assert read_background_colour(page) == dark_background
    page.get_by_role("button", name="Same as device").click()
    assert read_background_colour(page) == light_background
    save_page_screenshot(page, "learn")


def read_background_colour(page: Page) -> object:
    return page.evaluate("getComputedStyle(document.body).backgroundColor")


@pytest.mark.slow
def test_session_list_and_menu_open_over_the_page_and_close_again(
    open_visitor_page: PageOpener,
) -> None:
    session, user = create_full_event(is_closed=False)
    tournaments.services.add_session(event=session.event, by=user)
    page = open_visitor_page(user)
    page.goto(f"/director/events/{session.event.slug}/entries/")
    page_height = page.evaluate("document.documentElement.scrollHeight")
    page.locator(".pick:not(.pick--live) > summary").click()
    expect(page.get_by_role("link", name="Session 2")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollHeight") == page_height
    page.keyboard.press("Escape")
    expect(page.get_by_role("link", name="Session 2")).to_be_hidden()
    page.locator(".menu > summary").click()
    page.get_by_role("link", name="Players’ view").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Tuesday")
    assert "/director/" not in page.url


def test_web_fonts_load_with_little_layout_shift(open_visitor_page: PageOpener) -> None:
    session, _user = create_full_event()
    page = open_visitor_page()
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
def test_club_tabs_fit_and_the_demo_notice_is_below_the_bar(
    open_visitor_page: PageOpener, width: int
) -> None:
    session, user = create_full_event(is_closed=False)
    Club.objects.update(is_demo=True)
    page = open_visitor_page(user, viewport={"width": width, "height": 768})
    page.goto("/director/players/")
    tabs = page.locator(".bar .tabs")
    assert tabs.evaluate("tabs => tabs.scrollWidth - tabs.clientWidth") <= 1
    page.goto(f"/events/{session.event.slug}/")
    bar_box, element = page.locator(".bar").bounding_box(), page.locator(".demo-mark span")
    notice_box = element.bounding_box()
    assert bar_box is not None
    assert notice_box is not None
    assert notice_box["y"] - bar_box["y"] - bar_box["height"] >= 6


@pytest.mark.parametrize("width", [1100, 1366])
def test_live_event_next_to_a_drive_does_not_shorten_its_name(
    open_visitor_page: PageOpener, width: int
) -> None:
    session, user = create_full_event(is_closed=False)
    drive = DriveFactory(club=session.event.club, name="Monday whist drive", state="open")
    page = open_visitor_page(user, viewport={"width": width, "height": 768})
    page.goto(f"/director/drives/{drive.slug}/")
    name, tabs = page.locator(".crumb__name"), page.locator(".bar .tabs")
    expect(page.locator(".pick--live")).to_contain_text(session.event.name)
    assert name.evaluate("name => name.scrollWidth - name.clientWidth") <= 1
    assert page.locator(".bar .tabs").get_by_text("Room").count() == 1
    assert page.locator("main").evaluate("main => main.getBoundingClientRect().top") <= 164
    assert tabs.evaluate("tabs => tabs.scrollWidth - tabs.clientWidth") <= 1


@pytest.mark.slow
def test_type_chosen_while_the_list_of_types_is_loaded_stays_chosen(
    open_visitor_page: PageOpener,
) -> None:
    page = open_visitor_page(create_organiser())
    held_routes: list[Route] = []
    page.route("**/costs/**", lambda route: held_routes.append(route))  # the server is slow
    page.goto("/director/drives/new/")
    with page.expect_request("**/costs/**"):
        page.locator("#names").fill("Ann\nBen\nCora\nDan")
    choice = page.locator("input[name=form][value=social]")
    expect(choice).not_to_be_checked()
    choice.check()
    for route in held_routes:
        route.continue_()
    expect(page.locator("#forms [role=status]")).to_be_visible()
    expect(choice).to_be_checked()


@pytest.mark.parametrize("address", ["/director/drives/new/", "/director/rubbers/new/"])
def test_half_filled_form_stays_filled_in_another_language(
    open_visitor_page: PageOpener, address: str
) -> None:
    page = open_visitor_page(create_organiser())
    page.goto(address)
    names = page.locator("#names")
    names.fill("Ann\nBen\nCora\nDan")
    choice = page.locator(".offer input").nth(1)
    choice.check()
    if "drives" in address:  # the list of types is loaded again for four players
        expect(page.locator("#forms [role=status]")).to_be_visible()
    page.locator("#check-in").check()
    page.get_by_text("More options").click()
    page.locator("#paper").select_option("A5")
    page.locator("#name").fill("Vrijdag")
    for code, word in (("nl", "Nederlands"), ("en", "English")):
        page.get_by_role("button", name=word, exact=True).click()
        expect(page.locator("html")).to_have_attribute("lang", code)
        expect(names).to_have_value("Ann\nBen\nCora\nDan")
        expect(choice).to_be_checked()
        expect(page.locator("#check-in")).to_be_checked()
        expect(page.locator("#paper")).to_have_value("A5")
        expect(page.locator("#paper")).to_be_visible()
        expect(page.locator("#name")).to_have_value("Vrijdag")
    page.goto("/director/")
    page.goto(address)
    expect(names).to_have_value("")


def test_form_with_errors_stays_filled_in_another_language(
    open_visitor_page: PageOpener,
) -> None:
    page = open_visitor_page(create_organiser())
    page.goto("/director/drives/new/")
    page.locator("#names").fill("Ann")
    page.get_by_role("button", name="Create drive").click()
    expect(page.locator("main [role=alert]").first).to_be_visible()
    page.get_by_role("button", name="Nederlands", exact=True).click()
    expect(page.locator("html")).to_have_attribute("lang", "nl")
    expect(page.locator("#names")).to_have_value("Ann")


@pytest.mark.parametrize("width", [1100, 1366])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_all_tabs_are_seen_next_to_the_names_of_two_live_events(
    open_visitor_page: PageOpener, width: int, language: str
) -> None:
    session, user = create_full_event(is_closed=False)
    event = session.event
    event.name = "Clubkampioenschap paren, derde zitting van zeven"
    event.save()
    name = "Wiezen op vrijdagavond in de kantine met iedereen"
    drive = DriveFactory(club=event.club, name=name, state="open")
    page = open_visitor_page(
        user,
        viewport={"width": width, "height": 768},
        extra_http_headers={"Accept-Language": language},
    )
    for address in (f"drives/{drive.slug}/", f"events/{event.slug}/room/", "players/"):
        page.goto(f"/director/{address}")
        tabs = page.locator(".bar .tabs")
        overflow_pixels = tabs.evaluate("tabs => tabs.scrollWidth - tabs.clientWidth")
        assert overflow_pixels <= 1, address
        for tab in tabs.locator("a").all():
            expect(tab).to_be_in_viewport(ratio=1)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
