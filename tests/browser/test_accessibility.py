"""The pages are accessible before, during and after play.

`test_every_page` checks every page of an event once; this module checks other states.
"""

import re

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

import hall.helpers.services
import hall.phones.services
from clubs.evenings.services import call_director
from scoring.models import Doubt, Result
from scoring.services import close_session
from server.models import User
from tests import evenings, factories
from tests.browser import axe, drives
from tests.browser.conftest import PageOpener
from tests.browser.pages import create_full_event
from tournaments.models import Event, Session
from tournaments.services import import_deals

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.slow]

# A page has one first-level heading, and a title that ends with the program's name.
HAS_HEADING_SCRIPT = """() => {
    const first = "h1:not([role], [aria-level]), [role=heading][aria-level='1']";
    const isRead = each => each.checkVisibility({visibilityProperty: true})
        && !each.closest("[aria-hidden=true]");
    return Array.from(document.querySelectorAll(first)).filter(isRead).length === 1
        && /.+ · Overplay – duplicate whist scoring$/.test(document.title);
}"""
TABLES_WITHOUT_CAPTION_SCRIPT = """() => Array.from(document.querySelectorAll("table"))
    .filter(table => !table.caption || table.querySelector("th:not([scope])"))
    .map(table => table.outerHTML.slice(0, 200))"""


def test_director_pages_before_play_are_accessible(open_visitor_page: PageOpener) -> None:
    event, user = evenings.create_event()
    base_url = f"/director/events/{event.slug}/"
    page = open_visitor_page(user, phone=True)
    faults = [
        fault
        for name in ("", "entries/", "movement/", "deals/", "papers/")
        for fault in find_faults_at(page, base_url + name)
    ]
    assert faults == []


def test_desk_on_the_day_of_an_event_is_accessible(open_visitor_page: PageOpener) -> None:
    session, user = evenings.seat_session()
    Event.objects.filter(pk=session.event.pk).update(date=timezone.localdate())
    page = open_visitor_page(user)
    assert find_faults_at(page, "/director/") == []
    expect(page.get_by_role("link", name="Rehearse first")).to_be_visible()
    page.emulate_media(color_scheme="dark")
    assert find_page_faults(page) == []


def test_pages_of_hand_typists_are_accessible(open_visitor_page: PageOpener) -> None:
    session, user = evenings.play_session()
    session = close_session(session=session, by=user)
    path = hall.helpers.services.create_hand_link(session=session, by=user).path
    page = open_visitor_page(phone=True, color_scheme="dark")
    assert [fault for name in ("", "1/N/") for fault in find_faults_at(page, path + name)] == []
    page.emulate_media(color_scheme="light")
    assert [
        fault for name in ("1/E/", "2/W/") for fault in find_faults_at(page, path + name)
    ] == []
    page.get_by_label("West’s thirteen cards").fill("AKQ.AKQ.AKQ.AK")
    page.get_by_role("button", name="Save hand").click()
    assert find_page_faults(page) == []
    page.get_by_label("West’s thirteen cards").fill("AKQ.AKQ.AKQ.AKQJ")
    page.get_by_role("button", name="Save hand").click()
    assert find_faults_at(page, f"{path}2/W/") == []
    desk = open_visitor_page(user)
    assert find_faults_at(desk, f"/director/events/{session.event.slug}/deals/helpers/") == []
    desk.emulate_media(color_scheme="dark")
    assert find_page_faults(desk) == []


def test_tray_record_page_is_accessible(open_visitor_page: PageOpener) -> None:
    session, user = evenings.open_session()
    import_deals(session=session, deals_by_board={1: factories.make_deal(1)}, by=user)
    page = open_visitor_page(user, phone=True)
    assert (
        find_faults_at(page, f"/director/events/{session.event.slug}/deals/tray/?board=1") == []
    )
    page.get_by_label("I’m not playing these boards").check()
    page.get_by_label("The cards are mixed up").check()
    page.get_by_role("button", name="Show the cards").click()
    assert find_page_faults(page) == []


def test_error_pages_are_accessible(open_visitor_page: PageOpener) -> None:
    event, user = evenings.create_event()
    page = open_visitor_page(user)
    page.goto(f"/director/events/{event.slug}/entries/")
    page.get_by_role("button", name="Add the pair").click()
    assert find_page_faults(page) == []
    assert find_faults_at(page, "/events/nowhere/") == []


def find_faults_at(page: Page, address: str) -> list[str]:
    page.goto(address)
    return [f"{address}: {fault}" for fault in find_page_faults(page)]


def find_page_faults(page: Page) -> list[str]:
    """Return the accessibility faults of the page on the screen."""
    if not page.evaluate(
        HAS_HEADING_SCRIPT
    ):  # it may still be loading; most pages need no search by role
        expect(page.get_by_role("heading", level=1)).to_have_count(1)
        expect(page).to_have_title(re.compile(r".+ · Overplay – duplicate whist scoring$"))
    faults = [
        f"a table without caption or scope: {fault}"
        for fault in page.evaluate(TABLES_WITHOUT_CAPTION_SCRIPT)
    ]
    for violation in axe.find_violations(page):
        places = "; ".join(node["html"][:160] for node in violation["nodes"][:3])
        faults.append(f"{violation['id']}: {violation['help']}: {places}")
    return faults


def test_table_page_is_accessible(open_visitor_page: PageOpener) -> None:
    session, _user = evenings.open_session()
    link = hall.phones.services.create_table_links(session=session, by=None)[0]
    page = open_visitor_page(phone=True)
    faults = find_faults_at(page, link.path)
    page.get_by_role("button", name="8", exact=True).click()
    expect(page.get_by_role("heading", name="East-West, is this right?")).to_be_visible()
    faults += find_page_faults(page)
    hall.phones.services.revoke_table_link(link=link, by=None)
    assert faults + find_faults_at(page, link.path) == []


@pytest.mark.parametrize(
    ("state", "colour_scheme", "text_scale"),
    [("planned", "dark", 1), ("queried", "dark", 2), ("closed", "dark", 1)],
)
def test_event_pages_are_accessible_in_each_state(
    open_visitor_page: PageOpener, state: str, colour_scheme: str, text_scale: int
) -> None:
    """Check pages that look different by state, colour scheme or text size."""
    session, user = create_event_in_state(state)
    slug = session.event.slug
    page = open_visitor_page(user, color_scheme=colour_scheme)
    faults = []
    desk = [f"/director/events/{slug}/{name}" for name in PAGES_BY_STATE[state]]
    for address in (*desk, f"/events/{slug}/"):
        page.goto(address)
        page.evaluate(ENLARGE_TEXT_SCRIPT, text_scale)
        faults += [f"{address}: {fault}" for fault in find_page_faults(page)]
    assert faults == []


ENLARGE_TEXT_SCRIPT = """times => {
    const root = document.documentElement;
    root.style.fontSize = times * parseFloat(getComputedStyle(root).fontSize) + "px";
}"""
PAGES_BY_STATE = {
    "planned": ("", "scores/", "deals/", "room/", "change/"),
    "queried": ("", "scores/", "closing/", "deals/", "papers/", "room/", "change/", "history/"),
    "closed": ("", "scores/", "closing/", "deals/", "history/"),
}


def create_event_in_state(state: str) -> tuple[Session, User]:
    """Return an event planned for today, in play with a query and a call, or closed."""
    if state == "planned":
        session, user = evenings.seat_session()
        Event.objects.filter(pk=session.event.pk).update(date=timezone.localdate())
        return session, user
    session, user = create_full_event(is_closed=state == "closed")
    if state == "queried":
        link = hall.phones.services.create_table_links(session=session, by=user)[0]
        call_director(link=link)
        Result.objects.filter(pk=Result.objects.first().pk).update(doubt=Doubt.QUERIED)
    return session, user


def test_pages_of_a_rubber_night_are_accessible(open_visitor_page: PageOpener) -> None:
    night, user, path = drives.create_marked_rubber_night()
    base_url = f"/director/rubbers/{night.slug}/"
    page, phone = open_visitor_page(user), open_visitor_page(phone=True, color_scheme="dark")
    hand = "tables/1/?spell=1&hand=1"
    names = ("", "tables/1/", hand, "phones/?table=1", "papers/", "history/", "../new/")
    faults = [fault for name in names for fault in find_faults_at(page, base_url + name)]
    for address in (path, f"/rubbers/{night.slug}/", "/rubbers/"):
        faults += find_faults_at(phone, address)
    phone.goto(path)
    for summary in phone.locator("summary").all():
        summary.click()
    assert faults + find_page_faults(phone) == []


def test_pages_of_a_drive_are_accessible(open_visitor_page: PageOpener) -> None:
    drive, user, card = drives.create_drive_with_prizes()
    base_url = f"/director/drives/{drive.slug}/"
    page = open_visitor_page(user)
    names = ("", "sheets/", "totals/", "totals/again/", "standings/", "players/", "papers/")
    faults = find_faults_at(page, "/director/drives/new/")
    faults += [
        fault
        for name in (*names, "closing/", "history/")
        for fault in find_faults_at(page, base_url + name)
    ]
    phone = open_visitor_page(user, phone=True, color_scheme="dark")
    faults += find_faults_at(phone, "/director/drives/new/") + find_faults_at(phone, base_url)
    for address in (
        f"/drives/{drive.slug}/",
        f"/drives/{drive.slug}/screen/",
        "/drives/",
        card,
    ):
        faults += find_faults_at(phone, address)
    drives.close_drive_early(drive, user)
    for address in (
        f"{base_url}closing/",
        f"{base_url}prizes/show/?at=1",
        f"/drives/{drive.slug}/",
        card,
    ):
        faults += find_faults_at(page, address)
    assert faults == []
