"""Every page has large touch targets and stays complete with doubled text."""

import pytest
from playwright.sync_api import Page

import hall.phones.services
from drives.services import NewPlayer, create_drive, enter_sheet
from hall.challenges import services
from tests import evenings
from tests.browser.conftest import PHONE_SIZE, PageOpener
from tournaments.models import EntryLink

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.slow]

PORTRAIT_PHONE = {
    "width": 390,
    "height": 844,
}  # a phone in portrait format; PHONE is the smallest one
# Find everything that can be tapped. A link in a sentence is as high as its line (WCAG 2.5.8);
# the size of a checkbox includes its label.
SMALL_TARGETS_SCRIPT = """() => {
  const wanted = "a[href], button, select, textarea, summary, input:not([type=hidden])";
  const words = part => part.textContent.replace(/\\s+/g, " ").trim();
  const found = [];
  for (const each of document.querySelectorAll(wanted)) {
    if (!each.checkVisibility({ checkVisibilityCSS: true })) continue;
    if (each.closest(".visually-hidden, .skip")) continue;
    const isTicked = each.type === "checkbox" || each.type === "radio";
    const boxes = [each, ...(isTicked ? each.labels : [])].map(p => p.getBoundingClientRect());
    if (boxes[0].width < 2 || boxes[0].height < 2) continue;
    const isInline = each.tagName === "A" && getComputedStyle(each).display === "inline";
    if (isInline && words(each.parentElement) !== words(each)) continue;
    const side = (one, other) =>
      Math.max(...boxes.map(box => box[other])) - Math.min(...boxes.map(box => box[one]));
    const [width, height] = [side("left", "right"), side("top", "bottom")];
    if (width < 43.5 || height < 43.5)
      found.push(`${each.tagName}.${each.className} ${width} x ${height} ${words(each)}`);
  }
  return found;
}"""

# Find content wider than the screen and elements that hide part of their text. A wide table may
# scroll inside a region of its own; the page may not.
OVERFLOW_SCRIPT = """() => {
  const regions = "[tabindex='0'], .block__scroll, .scores__tiles, .tabs, .dock__in";
  const shortened = ".club__name, .club__event, .crumb__name, .menu__who"; // whole elsewhere
  const wide = document.documentElement.clientWidth;
  const widest = document.documentElement.scrollWidth;
  const found = widest > wide + 1 ? [`the page is ${widest} wide`] : [];
  for (const each of document.querySelectorAll("body *")) {
    if (!each.checkVisibility({ checkVisibilityCSS: true })) continue;
    if (each.closest(".visually-hidden, .skip, svg") || each.tagName === "INPUT") continue;
    const name = `${each.tagName}.${each.className} ${each.textContent.trim().slice(0, 30)}`;
    const isOutside = each.getBoundingClientRect().right > wide + 1;
    const isHeld = each.closest(regions) || each.parentElement.closest(shortened);
    if (isOutside && !isHeld) found.push(`outside: ${name}`);
    const style = getComputedStyle(each);
    const hides = [style.overflowX, style.overflowY].some(way => /hidden|clip/.test(way));
    const isMore = each.scrollWidth > each.clientWidth + 2
      || each.scrollHeight > each.clientHeight + 2;
    if (each.matches(shortened) || each.matches(regions)) continue;
    if ((hides || each.matches("button, .button")) && each.clientWidth > 2 && isMore)
      found.push(`cut: ${name}`);
  }
  return found.slice(0, 5);
}"""


# Find overlapping text: no two lines may share a place.
OVERLAP_SCRIPT = """() => {
  const lines = [];
  const words = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  while (words.nextNode()) {
    const part = words.currentNode.parentElement;
    if (!words.currentNode.data.trim()) continue;
    if (part.closest(".visually-hidden, .skip, svg, select, dialog")) continue;
    if (!part.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true })) continue;
    if (getComputedStyle(part).clipPath === "inset(50%)") continue; // for screen readers only
    const range = document.createRange();
    range.selectNodeContents(words.currentNode);
    for (const box of range.getClientRects()) {
      const middle = (box.top + box.bottom) / 2;
      lines.push({ left: box.left, right: box.right, middle, text: words.currentNode.data });
    }
  }
  lines.sort((one, other) => one.middle - other.middle);
  const found = [];
  for (let at = 0; at < lines.length; at++)
    for (let next = at + 1; next < lines.length; next++) {
      const [one, other] = [lines[at], lines[next]];
      if (other.middle - one.middle > 5) break;
      if (Math.min(one.right, other.right) - Math.max(one.left, other.left) > 2)
        found.push(`${one.text.trim()} | ${other.text.trim()}`);
    }
  return found.slice(0, 5);
}"""
# A page longer than six of the smallest screens needs a table of contents.
LONG_PAGE_SCRIPT = """() => {
  const high = document.documentElement.scrollHeight;
  if (high <= 6 * 640) return [];
  const lists = document.querySelectorAll("main nav");
  if (!lists.length) return [`${high} px high without a list to jump by`];
  const ways = [...document.querySelectorAll("main nav a[href^='#']")].map(each => each.hash);
  return ways.filter(way => !document.getElementById(decodeURIComponent(way.slice(1))))
    .map(way => `nothing is called ${way}`);
}"""
EXCESS_WIDTH_SCRIPT = "document.scrollingElement.scrollWidth - window.innerWidth"
ENLARGE_TEXT_SCRIPT = """() => {
  const root = document.documentElement;
  root.style.fontSize = 2 * parseFloat(getComputedStyle(root).fontSize) + "px";
}"""


def find_layout_faults(page: Page, address: str) -> list[str]:
    """Return targets that are too small, content that is too wide, and faults of large text."""
    page.set_viewport_size(PORTRAIT_PHONE)
    page.goto(address)
    return find_small_targets(page, address) + find_narrow_page_faults(page, address)


def find_small_targets(page: Page, address: str) -> list[str]:
    """Return the targets that are too small on a phone in portrait format."""
    return [f"{address}: small: {fault}" for fault in page.evaluate(SMALL_TARGETS_SCRIPT)]


def find_narrow_page_faults(page: Page, address: str) -> list[str]:
    """Return layout faults on a narrow phone. Leaves the page with doubled text."""
    page.set_viewport_size(PHONE_SIZE)
    excess_width, overlapping_elements, long_page_faults = (
        page.evaluate(item) for item in (EXCESS_WIDTH_SCRIPT, OVERLAP_SCRIPT, LONG_PAGE_SCRIPT)
    )
    page.evaluate(ENLARGE_TEXT_SCRIPT)
    enlarged_excess_width = page.evaluate(EXCESS_WIDTH_SCRIPT)
    page.set_viewport_size(PORTRAIT_PHONE)
    return [
        *(f"{address}: one over the other: {item}" for item in overlapping_elements),
        *(f"{address}: {item}" for item in long_page_faults),
        *([f"{address}: wider than a phone by {excess_width}"] if excess_width > 0 else []),
        *(
            [f"{address}: at 200 %: wider by {enlarged_excess_width}"]
            if enlarged_excess_width > 0
            else []
        ),
        *(f"{address}: at 200 %: {fault}" for fault in page.evaluate(OVERFLOW_SCRIPT)),
    ]


def test_every_page_before_play_is_usable_by_touch_and_legible(
    open_visitor_page: PageOpener,
) -> None:
    event, user = evenings.create_event(pairs=14)
    names = ("", "entries/", "movement/", "deals/", "papers/", "scores/")
    page = open_visitor_page(user, phone=True)
    base_url = f"/director/events/{event.slug}/"
    assert [
        layout_fault
        for name in names
        for layout_fault in find_layout_faults(page, base_url + name)
    ] == []


def test_pages_of_secret_links_are_usable_by_touch_and_legible(
    open_visitor_page: PageOpener,
) -> None:
    session, user = evenings.play_session(boards_a_round=2, but=2)
    services.create_entry_links(event=session.event, by=user)
    links = hall.phones.services.create_table_links(session=session, by=user)
    paths = [link.path for link in links] + [f"{links[0].path}?round=1&board=1&again=1"]
    paths += [EntryLink.objects.all()[0].path]
    page = open_visitor_page(phone=True)
    assert [
        layout_fault for path in paths for layout_fault in find_layout_faults(page, path)
    ] == []


def test_pages_of_a_drive_and_many_seeds_are_usable_by_touch_and_legible(
    open_visitor_page: PageOpener,
) -> None:
    event, user = evenings.create_event(pairs=20)
    drive = create_drive(
        club=event.club,
        name="Tea-time drive",
        date=event.date,
        form="social",
        rounds=4,
        players=[NewPlayer(name=f"Bartholomew Featherstone {n}") for n in range(40)],
        by=user,
    )
    for table in range(1, 11):
        enter_sheet(drive=drive, round_number=1, table=table, score=[8], by=user)
    drive_path = f"/director/drives/{drive.slug}/"
    paths = [
        drive_path,
        *(
            f"{drive_path}{page_name}/"
            for page_name in ("sheets", "totals", "players", "closing")
        ),
    ]
    paths += [f"/drives/{drive.slug}/", f"/drives/{drive.slug}/screen/"]
    paths += [f"/director/events/{event.slug}/seeds/"]
    page = open_visitor_page(user, phone=True)
    assert [
        layout_fault for path in paths for layout_fault in find_layout_faults(page, path)
    ] == []
