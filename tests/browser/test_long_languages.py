"""Pages in a wordy language, and in one written from right to left, on a phone."""

from typing import Any

import pytest

from tests.browser.conftest import Visitor
from tests.browser.pages import create_full_event
from tests.languages import LONG, RIGHT_TO_LEFT, offer_pseudo_languages

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.slow]

# The page itself never scrolls to the side; tables scroll within their own box.
TOO_WIDE = """() => {
  const root = document.documentElement, found = [];
  if (root.scrollWidth > innerWidth) found.push(`${root.scrollWidth} px wide`);
  for (const each of document.querySelectorAll("button, .button, label, h1, summary")) {
    const style = getComputedStyle(each);
    if (each.closest(".visually-hidden") || style.textOverflow === "ellipsis") continue;
    if (each.scrollWidth > each.clientWidth + 1 && style.overflow !== "visible")
      found.push(`cut: ${each.textContent.trim().slice(0, 40)}`);
  }
  return found;
}"""


@pytest.mark.parametrize("language", [LONG, RIGHT_TO_LEFT])
def test_no_page_is_wider_than_a_phone_in_another_language(
    visitor: Visitor, live_server: Any, language: str
) -> None:
    session, user = create_full_event(closed=False)
    event = f"events/{session.event.slug}"
    public = ["/", "/events/", f"/{event}/", f"/{event}/boards/1/", f"/{event}/entries/1/"]
    own = ["/director/", f"/director/{event}/room/", f"/director/{event}/scores/"]
    faults: list[str] = []
    with offer_pseudo_languages(language):
        for person, paths in ((None, public), (user, own)):
            page = visitor(person, phone=True)
            page.context.add_cookies(
                [{"name": "language", "value": language, "url": live_server.url}]
            )
            for path in paths:
                page.goto(path)
                assert page.locator("html").get_attribute("lang") == language
                faults += [f"{path}: {fault}" for fault in page.evaluate(TOO_WIDE)]
    assert faults == []
