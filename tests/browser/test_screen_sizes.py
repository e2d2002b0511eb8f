"""The big screen of a club event has large names that fill the height."""

import pytest
from playwright.sync_api import expect

from hall.rehearsal.staged_events import create_staged_session
from tests import evenings
from tests.browser.conftest import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_sixteen_pairs_fill_a_full_hd_screen_with_large_names(visitor: Visitor) -> None:
    club, user = evenings.create_club_with_director()
    session = create_staged_session(club=club, table_count=8, played_round_count=3, by=user)
    page = visitor(viewport={"width": 1920, "height": 1080})
    page.goto(f"/events/{session.event.slug}/screen/")
    last = page.locator("#standings tbody tr:last-child").first
    expect(last).to_be_visible()
    bottom = last.evaluate("row => row.getBoundingClientRect().bottom")
    assert 0.85 * 1080 <= bottom <= 1080
    letters = page.locator("#standings tbody .held").first
    size = letters.evaluate("name => parseFloat(getComputedStyle(name).fontSize)")
    assert size >= 42  # pixels: legible from ten metres on a screen of 1.2 metres
    overflow = "document.documentElement.scrollHeight > innerHeight"
    assert not page.evaluate(overflow)
