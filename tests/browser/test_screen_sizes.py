"""The big screen of a club event has large names that fill the height."""

import pytest
from playwright.sync_api import expect

from hall.rehearsal.staged_events import create_staged_session
from tests import evenings
from tests.browser.conftest import PageOpener

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_sixteen_pairs_fill_a_full_hd_screen_with_large_names(
    open_visitor_page: PageOpener,
) -> None:
    club, user = evenings.create_club_with_director()
    session = create_staged_session(club=club, table_count=8, played_round_count=3, by=user)
    page = open_visitor_page(viewport={"width": 1920, "height": 1080})
    page.goto(f"/events/{session.event.slug}/screen/")
    last_row = page.locator("#standings tbody tr:last-child").first
    expect(last_row).to_be_visible()
    bottom = last_row.evaluate("row => row.getBoundingClientRect().bottom")
    assert 0.85 * 1080 <= bottom <= 1080
    letters = page.locator("#standings tbody .held").first
    font_size = letters.evaluate("name => parseFloat(getComputedStyle(name).fontSize)")
    assert font_size >= 42  # pixels: legible from ten metres on a screen of 1.2 metres
    overflow_script = "document.documentElement.scrollHeight > innerHeight"
    assert not page.evaluate(overflow_script)
