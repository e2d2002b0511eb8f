"""Pages that a player opened stay readable without a connection, marked with their time."""

import pytest
from playwright.sync_api import Error, Page, expect

from scoring.standings_engine import standings
from tests import evenings
from tests.browser.conftest import PageOpener
from tournaments.models import Event, Session

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

IS_SAVED_SCRIPT = """async (path) => {
  const cache = await caches.open("overplay-pages-1");
  return (await cache.keys()).some(each => new URL(each.url).pathname === path);
}"""
IS_CONTROLLED_SCRIPT = "() => navigator.serviceWorker.controller !== null"


def _wait_until_saved(page: Page, path: str) -> None:
    page.wait_for_function(IS_CONTROLLED_SCRIPT)
    page.wait_for_function(IS_SAVED_SCRIPT, arg=path)


@pytest.fixture
def session() -> Session:
    session, _user = evenings.play_session()
    standings.update_standings(session.event)
    return session


def test_opened_pages_are_readable_offline_with_their_time(
    open_visitor_page: PageOpener, session: Session
) -> None:
    event = session.event
    first_path, second_path = f"/events/{event.slug}/", f"/events/{event.slug}/entries/1/"
    page = open_visitor_page(phone=True, hurry=True, service_workers="allow")
    page.goto(first_path)
    _wait_until_saved(page, first_path)  # although the service worker started after this page
    page.goto(second_path)
    _wait_until_saved(page, second_path)
    expect(page.locator("#saved-copy")).to_be_hidden()
    page.context.set_offline(True)
    page.goto(first_path)
    notice = page.locator("#saved-copy")
    expect(notice).to_contain_text("No connection. This copy is from ")
    expect(page.get_by_role("heading", level=1)).to_have_text(event.name)
    assert page.evaluate("document.styleSheets[0].cssRules.length > 0")
    page.goto(second_path)
    expect(notice).to_be_visible()
    page.context.set_offline(False)
    expect(notice).to_be_hidden()  # the page has loaded itself again


def test_unopened_pages_and_director_pages_are_unavailable_offline(
    open_visitor_page: PageOpener, session: Session
) -> None:
    user = session.event.club.memberships.get().user
    page = open_visitor_page(user, service_workers="allow")
    page.goto("/")
    _wait_until_saved(page, "/")
    page.goto("/director/")
    page.goto(f"/events/{session.event.slug}/screen/")
    paths = page.evaluate(
        "caches.open('overplay-pages-1').then(it => it.keys())"
        ".then(all => all.map(each => new URL(each.url).pathname))"
    )
    assert paths == ["/"]
    page.context.set_offline(True)
    for path in ("/director/", f"/events/{session.event.slug}/"):
        with pytest.raises(Error, match="ERR_"):
            page.goto(path)


def test_deleted_page_is_removed_from_the_saved_pages(
    open_visitor_page: PageOpener, session: Session
) -> None:
    path = f"/events/{session.event.slug}/entries/1/"
    page = open_visitor_page(phone=True, service_workers="allow")
    page.goto("/")
    page.wait_for_function(IS_CONTROLLED_SCRIPT)
    page.goto(path)
    _wait_until_saved(page, path)
    Event.objects.update(slug="elsewhere")
    page.goto(path)
    expect(page.get_by_role("heading", level=1)).not_to_have_text("")
    page.wait_for_function(f"async path => !(await ({IS_SAVED_SCRIPT})(path))", arg=path)


def test_no_service_worker_is_started_on_plain_http(
    open_visitor_page: PageOpener, session: Session
) -> None:
    page = open_visitor_page(phone=True, service_workers="allow")
    page.add_init_script("Object.defineProperty(window, 'isSecureContext', {value: false})")
    page.goto(f"/events/{session.event.slug}/")
    page.wait_for_load_state("networkidle")
    actual = page.evaluate("navigator.serviceWorker.getRegistrations().then(all => all.length)")
    assert actual == 0
