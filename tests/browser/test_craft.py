"""Pages on a small phone have large targets, survive large text, and print well."""

import pytest
from playwright.sync_api import Page, expect

from scoring.session_snapshot import load_session_snapshot
from scoring.standings_engine import standings
from tests import evenings
from tests.browser.conftest import PageOpener
from tests.browser.pages import create_full_event
from tests.browser.test_frame import SMALLEST_PHONE_SIZE

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.slow]

PUBLIC_PAGES = ("", "boards/", "boards/1/", "recap/", "entries/1/")
DIRECTOR_PAGES = (
    "",
    "room/",
    "scores/",
    "change/",
    "room/clock/",
    "entries/",
    "papers/",
    "closing/",
)
SMALL_TARGETS_SCRIPT = """() => {
  const small = [];
  const all = "main button, main summary, main select, main a.button, main input, .foot button";
  for (const each of document.querySelectorAll(all)) {
    if (!each.checkVisibility({visibilityProperty: true}) || each.type === "hidden") continue;
    const part = each.closest("label, .choice") || each;
    const box = part.getBoundingClientRect();
    if (box.height < 43.5 || box.width < 43.5)
      small.push(`${each.tagName} ${each.className} ${each.textContent.trim().slice(0, 30)}: `
        + `${Math.round(box.width)} x ${Math.round(box.height)}`);
  }
  return small;
}"""
OVERFLOW_SCRIPT = """() => {
  const wide = document.documentElement.clientWidth;
  const out = Array.from(document.querySelectorAll("main *")).filter(each =>
    each.checkVisibility() && !each.closest(".scroll, .block__scroll, .visually-hidden, svg")
    && each.getBoundingClientRect().right > wide + 1);
  return out.map(each => `${each.className}: ${each.textContent.trim().slice(0, 30)}`);
}"""
PRINT_STYLE_SCRIPT = """() => ({
  left: Array.from(document.querySelectorAll(
    ".places, .bar, .dock, .foot__schemes, main button, main form")).filter(each =>
    each.checkVisibility()).map(each => each.className || each.tagName),
  ground: getComputedStyle(document.body).backgroundColor,
  ink: getComputedStyle(document.querySelector("h1")).color,
})"""


def list_addresses(slug: str) -> list[str]:
    public = [f"/events/{slug}/{name}" for name in PUBLIC_PAGES]
    director = [f"/director/events/{slug}/{name}" for name in DIRECTOR_PAGES]
    return ["/", "/learn/words/", "/director/", "/director/tour/", *public, *director]


def test_touch_targets_are_large_and_nothing_overflows_on_a_phone(
    open_visitor_page: PageOpener,
) -> None:
    """Check each page on a normal phone, on a 320-pixel screen, and with doubled text."""
    session, user = create_full_event(is_closed=False)
    page = open_visitor_page(user, viewport=SMALLEST_PHONE_SIZE)
    faults = []
    for address in list_addresses(session.event.slug):
        page.set_viewport_size(SMALLEST_PHONE_SIZE)
        page.goto(address)
        faults += [f"{address}: {fault}" for fault in page.evaluate(SMALL_TARGETS_SCRIPT)]
        page.set_viewport_size({"width": 320, "height": 700})
        faults += [f"{address} on 320: {fault}" for fault in page.evaluate(OVERFLOW_SCRIPT)[:3]]
        page.set_viewport_size({"width": 720, "height": 700})
        # The text becomes twice as large.
        page.evaluate("document.documentElement.style.fontSize = '38px'")
        faults += [
            f"{address} at 200 %: {fault}" for fault in page.evaluate(OVERFLOW_SCRIPT)[:3]
        ]
    assert faults == []


def test_incoming_results_cause_no_layout_shift(open_visitor_page: PageOpener) -> None:
    session, user = evenings.play_session(but=2)
    evenings.show_growing_totals(session.event)
    standings.update_standings(session.event)
    page = open_visitor_page(viewport=SMALLEST_PHONE_SIZE, hurry=True)
    page.add_init_script(
        "window.shifted = 0; new PerformanceObserver(list => list.getEntries().forEach("
        "each => { window.shifted += each.value; })"
        ").observe({type: 'layout-shift', buffered: true});"
    )
    page.goto(f"/events/{session.event.slug}/")
    expect(page.get_by_text("2 results missing")).to_be_visible()
    snapshot = load_session_snapshot(session)
    for table in snapshot.tables:
        for board in table.boards:
            if table.is_played and not snapshot.has_result_or_ruling(table, board):
                evenings.enter_result(session, table.sitting_id, board, "7", user)
    standings.update_standings(session.event)
    expect(page.get_by_text("results missing")).to_have_count(0)
    assert page.evaluate("window.shifted") <= 0.02


def test_printed_page_has_no_navigation_and_is_black_on_white(
    open_visitor_page: PageOpener,
) -> None:
    session, user = create_full_event()
    page = open_visitor_page(user, color_scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    assert (
        find_print_faults(
            page, [f"/events/{session.event.slug}/{name}" for name in PUBLIC_PAGES]
        )
        == []
    )


def find_print_faults(page: Page, addresses: list[str]) -> list[str]:
    faults = []
    for address in addresses:
        page.goto(address)
        actual = page.evaluate(PRINT_STYLE_SCRIPT)
        white_colours = ("rgb(255, 255, 255)", "rgba(0, 0, 0, 0)")
        if (
            actual["left"]
            or actual["ground"] not in white_colours
            or actual["ink"] != "rgb(0, 0, 0)"
        ):
            faults.append(f"{address}: {actual}")
    return faults
