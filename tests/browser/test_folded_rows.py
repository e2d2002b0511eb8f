"""On a phone a traveller and a scorecard show every number and name without scrolling."""

import pytest
from playwright.sync_api import Page

import scoring.services
from scoring.models import Result
from tests import evenings
from tests.browser.conftest import PageOpener

pytestmark = [pytest.mark.browser, pytest.mark.slow]

OVERFLOW_SCRIPT = """() => [...document.querySelectorAll('main th, main td, main a')]
    .filter(each => each.getBoundingClientRect().right > innerWidth)
    .map(each => each.textContent)"""


def check_folded_rows(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(address)


def test_phone_shows_complete_travellers_and_scorecards(
    open_visitor_page: PageOpener, transactional_db: None
) -> None:
    session, user = evenings.play_session()
    result = Result.objects.get(sitting__table=1, sitting__round=1, board=1)
    scoring.services.make_ruling(
        kind="revoke", result=result, side="NS", revokes=1, won_before=0, by=user
    )
    scoring.services.close_session(session=session, by=user)
    phone = open_visitor_page(phone=True)
    for page in ("boards/1", "entries/1"):
        check_folded_rows(phone, f"/events/{session.event.slug}/{page}/")
        assert phone.get_by_role("table").first.get_by_role("row").count() > 3
        assert phone.evaluate(OVERFLOW_SCRIPT) == []
