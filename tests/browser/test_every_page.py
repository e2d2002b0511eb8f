"""Open every page of an event once, and run all general checks on it.

On a laptop it is accessible (`test_accessibility`); on a phone targets and text are large
enough (`test_hands_and_eyes`).
"""

from typing import Any

import pytest
from playwright.sync_api import Page

import hall.phones.services
import scoring.services
import tournaments.services
from hall.challenges import services
from scoring.models import Result
from tests.browser.conftest import LAPTOP_SIZE, PageOpener
from tests.browser.pages import create_full_event, list_page_urls
from tests.browser.test_accessibility import find_page_faults
from tests.browser.test_hands_and_eyes import (
    PORTRAIT_PHONE,
    find_narrow_page_faults,
    find_small_targets,
)
from tournaments.models import Session

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.slow]

RULINGS: list[dict[str, Any]] = [
    {"kind": "revoke", "side": "EW", "revokes": 1, "won_before": 3},
    {"kind": "average"},
    {"kind": "adjusted", "ns_tricks": "10", "ew_tricks": "3", "reason": "a wrong turn-up"},
]
LONG_NAMES = ["Bartholomew Featherstonehaugh-Cholmondeley", "Ἀλεξάνδρα Παπαδημητρακοπούλου"]

# Find sides and ranges that break across lines: "N-", "S" or "7–", "9". In running text whole
# words may break, like any word with a hyphen.
BROKEN_WORDS_SCRIPT = """() => {
  const whole = /North-South|East-West|N-S|E-W|\\d+–\\d+/g;
  const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (words.nextNode()) {
    const { data, parentElement } = words.currentNode;
    if (parentElement.closest(".visually-hidden, select, script")) continue;
    const isText = parentElement.closest("p, li, dd") && !parentElement.closest("td, th");
    for (const each of data.matchAll(whole)) {
      if (isText && /[a-z]/.test(each[0])) continue;
      const range = document.createRange();
      range.setStart(words.currentNode, each.index);
      range.setEnd(words.currentNode, each.index + each[0].length);
      const lines = new Set([...range.getClientRects()].map(box => Math.round(box.top)));
      if (lines.size > 1) found.push(`parted: ${each[0]} in ${data.trim().slice(0, 60)}`);
    }
  }
  return found;
}"""


@pytest.fixture
def played_session(transactional_db: None) -> Session:
    """Create an event with one missing result and a pair with long names."""
    session, user = create_full_event(is_closed=False)
    entry = session.event.entries.get(number=1)
    tournaments.services.rename_entry(entry=entry, names=LONG_NAMES, by=user)
    plays = Result.objects.filter(sitting__section__session=session, board=1).order_by("pk")
    for play, terms in zip(plays, RULINGS, strict=False):
        scoring.services.make_ruling(result=play, by=user, **terms)
    return session


def find_faults_in_both_sizes(page: Page, address: str) -> list[str]:
    """Return the faults of a page, loaded as on a phone and then shown on a laptop."""
    page.set_viewport_size(PORTRAIT_PHONE)
    page.goto(address)
    faults = [
        f"{address}: {fault}" for fault in page.evaluate(BROKEN_WORDS_SCRIPT)
    ] + find_small_targets(page, address)
    page.set_viewport_size(LAPTOP_SIZE)
    faults += [
        f"{address}: {page_fault}"
        for page_fault in find_page_faults(page) + page.evaluate(BROKEN_WORDS_SCRIPT)
    ]
    return faults + find_narrow_page_faults(page, address)


def test_every_player_page_is_accessible_and_usable_on_a_phone(
    open_visitor_page: PageOpener, played_session: Session
) -> None:
    scoring.services.close_session(session=played_session, by=None)
    paths = list_page_urls(played_session)
    assert len(paths) >= 15
    page = open_visitor_page(color_scheme="dark")
    assert [fault for path in paths for fault in find_faults_in_both_sizes(page, path)] == []


def test_every_director_page_is_accessible_and_usable_on_a_phone(
    open_visitor_page: PageOpener, played_session: Session
) -> None:
    user = played_session.event.club.memberships.get().user
    hall.phones.services.create_table_links(session=played_session, by=user)
    services.create_entry_links(event=played_session.event, by=user)
    # The players' pages are tested above; for a director only the frame differs.
    paths = list_page_urls(played_session, user, path_prefix="/director/")
    assert len(paths) >= 25
    paths.append(f"/events/{played_session.event.slug}/")
    page = open_visitor_page(user)
    assert [fault for path in paths for fault in find_faults_in_both_sizes(page, path)] == []
