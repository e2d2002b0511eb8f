"""Fingers and eyes: on every page targets are large, and twice the text breaks nothing."""

import pytest
from playwright.sync_api import Page

import scoring.services
from scoring.models import EntryLink
from scoring.services import challenges
from scoring.table_links import entry_path_of, path_of
from tests import evenings
from tests.browser.conftest import Visitor
from tests.browser.pages import evening, every_page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

HELD = {"width": 390, "height": 844}  # a telephone as it is held

# Everything that a finger may meet. A link in a sentence is as high as its line (WCAG 2.5.8);
# a box to tick is as large as it and its label together.
SMALL = """() => {
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

# What is wider than the screen, and what hides a part of its own words. A wide table may be
# pushed sideways inside a region of its own; the page may not.
BROKEN = """() => {
  const regions = "[tabindex='0'], .block__scroll, .scores__tiles";
  const wide = document.documentElement.clientWidth;
  const widest = document.documentElement.scrollWidth;
  const found = widest > wide + 1 ? [`the page is ${widest} wide`] : [];
  for (const each of document.querySelectorAll("body *")) {
    if (!each.checkVisibility({ checkVisibilityCSS: true })) continue;
    if (each.closest(".visually-hidden, .skip, svg") || each.tagName === "INPUT") continue;
    const name = `${each.tagName}.${each.className} ${each.textContent.trim().slice(0, 30)}`;
    const isOutside = each.getBoundingClientRect().right > wide + 1;
    if (isOutside && !each.closest(regions)) found.push(`outside: ${name}`);
    const style = getComputedStyle(each);
    const hides = [style.overflowX, style.overflowY].some(way => /hidden|clip/.test(way));
    const isMore = each.scrollWidth > each.clientWidth + 2
      || each.scrollHeight > each.clientHeight + 2;
    if ((hides || each.matches("button, .button")) && each.clientWidth > 2 && isMore)
      found.push(`cut: ${name}`);
  }
  return found.slice(0, 5);
}"""


def looked_at(page: Page, address: str) -> list[str]:
    """Say what is too small on a page, and what breaks when its text is twice as large."""
    page.goto(address)
    found = [f"{address}: small: {each}" for each in page.evaluate(SMALL)]
    page.evaluate(
        "() => { const root = document.documentElement;"
        " root.style.fontSize = 2 * parseFloat(getComputedStyle(root).fontSize) + 'px'; }"
    )
    page.wait_for_timeout(50)
    return found + [f"{address}: at 200 %: {each}" for each in page.evaluate(BROKEN)]


def test_every_page_for_players_serves_fingers_and_old_eyes(visitor: Visitor) -> None:
    session, _user = evening()
    paths = every_page(session)
    assert len(paths) >= 15
    page = visitor(phone=True, viewport=HELD)
    assert [each for path in paths for each in looked_at(page, path)] == []


def test_every_page_of_a_director_serves_fingers_and_old_eyes(visitor: Visitor) -> None:
    session, user = evening(closed=False)
    scoring.services.make_links(session=session, by=user)
    challenges.make_entry_links(event=session.event, by=user)
    paths = [each for each in every_page(session, user) if each.startswith("/director/")]
    assert len(paths) >= 25
    page = visitor(user, phone=True, viewport=HELD)
    assert [each for path in paths for each in looked_at(page, path)] == []


def test_the_pages_of_secret_addresses_serve_fingers_and_old_eyes(visitor: Visitor) -> None:
    session, user = evenings.played(boards_a_round=2, but=2)
    challenges.make_entry_links(event=session.event, by=user)
    links = scoring.services.make_links(session=session, by=user)
    paths = [path_of(link) for link in links] + [f"{path_of(links[0])}?round=1&board=1&again=1"]
    paths += [entry_path_of(EntryLink.objects.all()[0])]
    page = visitor(phone=True, viewport=HELD)
    assert [each for path in paths for each in looked_at(page, path)] == []
