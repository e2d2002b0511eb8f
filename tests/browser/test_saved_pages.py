"""Pages that a player opened stay readable without a connection, marked with their time."""

import pytest
from playwright.sync_api import Error, Page, expect

from scoring.standings_engine import standings
from tests import evenings
from tests.browser.conftest import Visitor
from tournaments.models import Event, Session

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SAVED = """async (path) => {
  const cache = await caches.open("overplay-pages-1");
  return (await cache.keys()).some(each => new URL(each.url).pathname === path);
}"""
CONTROLLED = "() => navigator.serviceWorker.controller !== null"


def _wait_until_saved(page: Page, path: str) -> None:
    page.wait_for_function(CONTROLLED)
    page.wait_for_function(SAVED, arg=path)


@pytest.fixture
def session() -> Session:
    session, _user = evenings.play_session()
    standings.update_standings(session.event)
    return session


def test_opened_pages_are_readable_offline_with_their_time(
    visitor: Visitor, session: Session
) -> None:
    event = session.event
    first_path, second_path = f"/events/{event.slug}/", f"/events/{event.slug}/entries/1/"
    page = visitor(phone=True, hurry=True, service_workers="allow")
    page.goto(first_path)
    _wait_until_saved(page, first_path)  # although the worker started after this page
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


def test_pages_that_were_not_opened_and_directors_pages_are_not_there_offline(
    visitor: Visitor, session: Session
) -> None:
    user = session.event.club.memberships.get().user
    page = visitor(user, service_workers="allow")
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


def test_a_page_that_is_gone_is_forgotten(visitor: Visitor, session: Session) -> None:
    path = f"/events/{session.event.slug}/entries/1/"
    page = visitor(phone=True, service_workers="allow")
    page.goto("/")
    page.wait_for_function(CONTROLLED)
    page.goto(path)
    _wait_until_saved(page, path)
    Event.objects.update(slug="elsewhere")
    page.goto(path)
    expect(page.get_by_role("heading", level=1)).not_to_have_text("")
    page.wait_for_function(f"async path => !(await ({SAVED})(path))", arg=path)


def test_on_plain_http_no_worker_is_started(visitor: Visitor, session: Session) -> None:
    page = visitor(phone=True, service_workers="allow")
    page.add_init_script("Object.defineProperty(window, 'isSecureContext', {value: false})")
    page.goto(f"/events/{session.event.slug}/")
    page.wait_for_load_state("networkidle")
    actual = page.evaluate("navigator.serviceWorker.getRegistrations().then(all => all.length)")
    assert actual == 0
