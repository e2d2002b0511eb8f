"""Limit what a director has to see and do: pages, controls, fields, words, navigation."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Locator, Page

from clubs.models import Club
from tests import evenings
from tests.browser.conftest import PageOpener
from tests.browser.pages import create_full_event, list_page_urls

pytestmark = [pytest.mark.browser]

MAX_PAGES = 12
MAX_CONTROLS = 25
MAX_FIRST_PAGE_LINKS = 25
LIMITS = {"links": 40, "fields": 7, "words": 400, "top": 112}
"""The most on any page; `top` is the height of the navigation in pixels."""
LIMIT_EXCEPTIONS = {
    ("fields", "prizes"): "a line for each prize, of congresses",
    ("fields", "seeds"): "a field for each pair, of congresses",
    ("fields", "new"): "a play is four hands of thirteen cards",
}
PAIRS = "\n".join(f"North {n}, South {n}" for n in range(1, 9))
FOUR_NAMES = "Ann Abbot\nBen Baker\nCora Carr\nDan Dale"
SIXTEEN_NAMES = "\n".join(f"Player {n}" for n in range(1, 17))


@dataclass
class Journey:
    """A visitor's path through the pages, with the pages and controls used."""

    page: Page
    pages: list[str] = field(default_factory=list)
    controls: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.page.on("framenavigated", lambda frame: self.pages.append(frame.url))

    def click(self, control: Locator) -> None:
        self._record(control)
        control.click()
        self.page.wait_for_load_state()

    def fill(self, control: Locator, text: str) -> None:
        self._record(control)
        control.fill(text)

    def _record(self, control: Locator) -> None:
        self.controls.add(f"{self.page.url} {control}")


@pytest.fixture
def journey(open_visitor_page: PageOpener) -> Iterator[Journey]:
    """Yield the journey of a director of a new club without congress features."""
    _club, director = evenings.create_club_with_director()
    Club.objects.update(has_congress_features=False)
    journey = Journey(open_visitor_page(director))
    journey.page.goto("/director/")
    yield journey
    assert len(journey.pages) <= MAX_PAGES, journey.pages
    assert len(journey.controls) <= MAX_CONTROLS, journey.controls


def test_duplicate_needs_few_steps_from_the_first_page_to_the_first_deal(
    journey: Journey,
) -> None:
    page, main = journey.page, journey.page.locator("main")
    journey.click(main.get_by_role("link", name="Create duplicate"))
    journey.fill(page.get_by_label("Name"), "Friday pairs")
    journey.click(main.get_by_role("button", name="Create event"))
    journey.click(main.get_by_text("Paste list of pairs"))
    journey.fill(main.locator("textarea"), PAIRS)
    journey.click(main.get_by_role("button", name="Add these pairs"))
    journey.click(main.locator("a[href$='/movement/']").first)
    journey.click(main.locator(".answer button[type=submit]").first)
    journey.click(main.locator("a[href$='/deals/']").first)
    journey.click(main.locator("form[action$='/deals/none/'] button").first)
    page.goto(page.url.replace("deals/", ""))
    journey.click(main.locator("form[action$='/session/open/'] button").first)
    assert page.url.endswith("/room/"), page.url


def test_drive_needs_few_steps_from_the_first_page_to_the_first_deal(journey: Journey) -> None:
    page, main = journey.page, journey.page.locator("main")
    journey.click(main.get_by_role("link", name="Create drive"))
    journey.fill(page.locator("textarea[name=names]"), SIXTEEN_NAMES)
    journey.click(main.locator("#start-drive button[type=submit]").last)
    assert "/director/drives/" in page.url, page.url


def test_rubber_needs_few_steps_from_the_first_page_to_the_first_deal(journey: Journey) -> None:
    page, main = journey.page, journey.page.locator("main")
    journey.click(main.get_by_role("link", name="Create rubber night"))
    journey.fill(
        page.locator("textarea[name=names]"), "Ann Abbot\nBen Baker\nCora Carr\nDan Dale"
    )
    journey.click(main.locator("form button[type=submit]").last)
    assert "/director/rubbers/" in page.url, page.url


MEASURE_SCRIPT = """() => {
  const isShown = each => each.checkVisibility();
  const main = document.querySelector("main");
  const fields = [...main.querySelectorAll("form")].map(form => new Set(
    [...form.querySelectorAll("input:not([type=hidden]), select, textarea")]
      .filter(each => isShown(each) && !each.closest("table")).map(each => each.name)).size);
  const tables = [...main.querySelectorAll("table")].filter(isShown);
  const count = each => each.innerText.split(/\\s+/).filter(Boolean).length;
  return {
    links: [...document.querySelectorAll("a[href]")]
      .filter(each => isShown(each) && !each.closest("table")).length,
    fields: Math.max(0, ...fields),
    words: count(main) - tables.map(count).reduce((sum, each) => sum + each, 0),
    top: main.getBoundingClientRect().top,
  };
}"""


@pytest.mark.slow
def test_every_director_page_is_short(
    open_visitor_page: PageOpener, transactional_db: None
) -> None:
    """Words and fields in tables are the club's own data, and are not counted."""
    session, director = create_full_event(is_closed=False)
    Club.objects.update(has_congress_features=False)
    addresses = list_page_urls(session, director, path_prefix="/director/")
    page = open_visitor_page(director)
    faults = []
    for address in addresses:
        page.goto(address)
        faults += [
            f"{address}: {measurements[limit_name]} {limit_name}"
            for measurements in [page.evaluate(MEASURE_SCRIPT)]
            for limit_name, limit in LIMITS.items()
            if measurements[limit_name] > limit
            and (limit_name, address.split("/")[-2]) not in LIMIT_EXCEPTIONS
        ]
    assert addresses
    assert faults == []


def test_first_page_has_few_links(
    open_visitor_page: PageOpener, transactional_db: None
) -> None:
    _session, director = create_full_event(is_closed=False)
    Club.objects.update(has_congress_features=False)
    page = open_visitor_page(director)
    page.goto("/director/")
    assert page.evaluate(MEASURE_SCRIPT)["links"] <= MAX_FIRST_PAGE_LINKS


def test_points_table_form_shows_only_the_contract_being_changed(
    open_visitor_page: PageOpener, transactional_db: None
) -> None:
    """All other contracts stay folded while one of them is changed."""
    club, director = evenings.create_club_with_director()
    page = open_visitor_page(director)
    page.goto(f"/director/drives/points/table/?club={club.slug}&game=wiezen")
    assert page.evaluate(MEASURE_SCRIPT)["fields"] <= LIMITS["fields"]
    page.locator("summary", has_text="Misère").first.click()
    assert page.evaluate(MEASURE_SCRIPT)["fields"] <= LIMITS["fields"]
    page.locator("[name='misere.made']").fill("10")
    page.locator("[name=name]").fill("Thursday")
    page.get_by_role("button", name="Save table").click()
    page.wait_for_url("**/points/**")
    assert "Thursday" in page.locator("main").inner_text()
