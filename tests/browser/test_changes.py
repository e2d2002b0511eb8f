"""A director seats an event, records a change, and undoes it."""

import pytest
from playwright.sync_api import Page, expect

from scoring.session_snapshot import load_session_snapshot
from tests import evenings
from tests.browser.conftest import PageOpener
from tests.browser.test_accessibility import find_faults_at

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.slow
def test_movement_pages_are_accessible(open_visitor_page: PageOpener) -> None:
    session, user = evenings.seat_session(10)
    base_url = f"/director/events/{session.event.slug}/"
    page = open_visitor_page(user)
    addresses = [
        "/movements/",
        "/movements/compass/?tables=5&boards=4",
        f"{base_url}movement/?boards=24&stationary=1",
        f"{base_url}movement/own/?from=howell&size=8",
        f"{base_url}seats/",
        f"{base_url}change/",
    ]
    assert [fault for address in addresses for fault in find_faults_at(page, address)] == []


@pytest.mark.slow
def test_change_page_is_accessible_on_a_phone(open_visitor_page: PageOpener) -> None:
    session, user = evenings.open_session(10)
    address = f"/director/events/{session.event.slug}/change/"
    page = open_visitor_page(user, phone=True)
    query = "?kind=boards&round=1&table=2&board_group=3"
    assert find_faults_at(page, address + query) == []
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_late_pair_is_added_and_removed_again(open_visitor_page: PageOpener) -> None:
    session, user = evenings.open_session(9)
    page = open_visitor_page(user)
    page.goto(f"/director/events/{session.event.slug}/")
    page.get_by_role("link", name="Fix a problem", exact=True).click()
    panel = page.get_by_role("form", name="A pair arrives late")
    panel.get_by_label("First player").fill("Zoë Whitfield")
    panel.get_by_label("Second player").fill("Robert Foster")
    panel.get_by_label("First round they can play").select_option("2")
    panel.get_by_role("button", name="Show options").click()
    button_name = "Use empty place Use the empty place"
    page.get_by_role("button", name=button_name, exact=True).click()
    expect(page.get_by_role("status")).to_contain_text("arrived late, in time for round 2")
    assert session.event.entries.count() == 10
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("status")).to_contain_text("Undone")
    assert session.event.entries.count() == 9


def test_dragging_a_row_onto_another_exchanges_the_two_seats(
    open_visitor_page: PageOpener,
) -> None:
    session, user = evenings.seat_session(6)
    page = open_visitor_page(user, viewport={"width": 1366, "height": 1200})
    page.goto(f"/director/events/{session.event.slug}/seats/")
    drag_row(page, "1 N-S", "2 E-W")
    expect(page.get_by_label("2 E-W")).to_have_value("1")
    expect(page.get_by_label("1 N-S")).to_have_value("5")
    page.get_by_role("button", name="Save seats").click()
    expect(page.get_by_role("status")).to_contain_text("Everyone has a seat")
    first_place = load_session_snapshot(session).places[0]
    assert first_place.entry is not None
    assert (first_place.label, first_place.entry.number) == ("1NS", 5)


def test_seats_are_exchanged_by_keyboard(open_visitor_page: PageOpener) -> None:
    session, user = evenings.seat_session(6)
    page = open_visitor_page(user)
    page.goto(f"/director/events/{session.event.slug}/seats/")
    page.get_by_label("1 N-S").select_option("5")
    expect(page.get_by_label("2 E-W")).to_have_value("1")


def drag_row(page: Page, source_label: str, target_label: str) -> None:
    source = page.get_by_role("rowheader", name=source_label)
    source.drag_to(page.get_by_role("rowheader", name=target_label))
