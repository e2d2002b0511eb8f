"""A small Swiss event of teams is set up, drawn, scored and drawn again in one browser."""

import pytest
from playwright.sync_api import expect

import scoring.services
from scoring.session_snapshot import load_session_snapshot
from tests import evenings
from tests.browser.conftest import PageOpener
from tests.scoring.swiss.swiss_evenings import play_round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_swiss_team_event_is_run_from_the_first_draw_to_the_second(
    open_visitor_page: PageOpener,
) -> None:
    event, user = evenings.create_event(0, contest="teams", name="Teams day")
    for number in range(4):
        names = [f"{evenings.SURNAMES[number]} {letter}" for letter in "abcd"]
        evenings.tournaments.services.create_entry(event=event, names=names, by=user)
    page = open_visitor_page(user)
    page.goto(f"/director/events/{event.slug}/movement/swiss/")
    for label in ("Rounds", "Boards per round", "Copies of each board"):
        page.get_by_label(label).clear()  # in Firefox, Playwright adds to the number in a field
        page.get_by_label(label).fill("2")
    page.get_by_role("button", name="Draw first round").click()
    expect(page.get_by_text("First round drawn")).to_be_visible()
    session = event.sessions.get()
    session = scoring.services.open_session(session=session, by=user)
    play_round(session, 1, user)
    page.goto(f"/director/events/{event.slug}/rounds/")
    page.get_by_role("button", name="Draw round 2").click()
    expect(page.get_by_role("heading", name="Round 2", exact=True)).to_be_visible()
    first_pairings, second = (
        {
            frozenset((table.ns.entries[0], table.ew.entries[0]))
            for table in load_session_snapshot(session).tables
            if table.round == round_
        }
        for round_ in (1, 2)
    )
    assert not first_pairings & second
    phone = open_visitor_page(phone=True)
    phone.goto(f"/events/{event.slug}/pairings/")
    expect(phone.get_by_role("heading", name="Round 2")).to_be_visible()
    expect(phone.get_by_text("Pole a").first).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
