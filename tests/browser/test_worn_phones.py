"""Table phones with problems: with a cancelled link, or too old."""

import pytest
from playwright.sync_api import Page, expect

import hall.phones.services
from clubs.models import TableLink
from scoring.models import Agreement, Result
from tests import evenings
from tests.browser.conftest import PageOpener
from tests.browser.test_tables import enter_tricks, list_stored_results

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def link(transactional_db: None) -> TableLink:
    """Return the link of the first of three tables in play, with two boards a round."""
    session, _user = evenings.open_session()
    return hall.phones.services.create_table_links(session=session, by=None)[0]


def test_cancelled_link_is_requested_only_once(
    open_visitor_page: PageOpener, link: TableLink
) -> None:
    # Without frequent polling the page learns of it only by its own entry.
    phone = open_visitor_page(phone=True)
    phone.goto(link.path)
    hall.phones.services.revoke_table_link(link=link, by=None)
    request_methods: list[str] = []
    phone.on("request", lambda one: request_methods.append(one.method))
    phone.get_by_role("button", name="8", exact=True).click()
    expect(phone.get_by_role("alert")).to_contain_text("was not sent. Tell the director.")
    for _answer in range(3):  # a page that keeps polling would have polled by then
        phone.evaluate("() => fetch(location.pathname)")
    assert request_methods.count("POST") == 1
    assert not Result.objects.exists()


def test_older_phone_enters_and_confirms_scores_by_plain_forms(
    open_visitor_page: PageOpener, link: TableLink
) -> None:
    phone: Page = open_visitor_page(phone=True)
    phone.add_init_script("delete SubmitEvent.prototype.submitter")
    phone.goto(link.path)
    enter_tricks(phone, 1, 8)
    question = phone.get_by_text("Board 1, entered by North-South")
    expect(question).to_be_visible()
    assert list_stored_results() == [(1, 8, Agreement.AWAITED)]
    phone.get_by_role("button", name="Yes, 8 and 5").click()
    expect(phone.get_by_role("heading", name="Board 2: tricks won")).to_be_visible()
    assert list_stored_results() == [(1, 8, Agreement.CONFIRMED)]
