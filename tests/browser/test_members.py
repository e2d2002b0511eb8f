"""An owner adds a scorer, who signs in and enters; the director's pages are accessible."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

import clubs.evenings.services
import hall.phones.services
from clubs.models import Membership
from hall.challenges import services
from tests import evenings
from tests.browser.conftest import PageOpener
from tests.browser.test_accessibility import find_faults_at, find_page_faults
from tournaments.models import EntryLink

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_owner_adds_a_scorer_who_signs_in_and_enters(open_visitor_page: PageOpener) -> None:
    session, user = evenings.open_session()
    owner = open_visitor_page(user)
    owner.goto("/director/account/")
    owner.get_by_role("link", name="Users and roles").click()
    owner.get_by_label("Sign-in name").fill("anna.pole")
    owner.get_by_role("button", name="Add and show password").click()
    password = owner.get_by_role("textbox", name="Password for anna.pole").input_value()
    assert find_page_faults(owner) == []

    scorer = open_visitor_page(phone=True)
    scorer.goto("/director/")
    scorer.locator("[name=username]").fill("anna.pole")
    scorer.get_by_label("Password").fill(password)
    scorer.get_by_role("button", name="Sign in").click()
    expect(scorer.get_by_role("heading", name=session.event.name)).to_be_visible()
    expect(scorer.get_by_role("link", name="New event")).to_have_count(0)
    assert find_faults_at(scorer, f"/director/events/{session.event.slug}/") == []
    expect(scorer.get_by_role("link", name="Movement", exact=True)).to_have_count(0)
    scorer.get_by_role("link", name="Enter scores").click()
    scorer.get_by_role("textbox", name="Board 1, table 1,").fill("8")
    scorer.keyboard.press("Enter")
    expect(scorer.get_by_text("17 results missing.")).to_be_visible()

    owner.get_by_text("Remove").first.click()
    owner.get_by_role("button", name=re.compile("Yes, remove anna.pole")).click()
    expect(owner.get_by_text("anna.pole was removed from")).to_be_visible()
    assert list(Membership.objects.values_list("user__username", flat=True)) == ["director"]
    scorer.reload()
    expect(scorer.get_by_label("Password")).to_be_visible()  # losing rights signs out


@pytest.mark.slow
def test_director_pages_of_the_hall_are_accessible(
    open_visitor_page: PageOpener, settings: Any
) -> None:
    settings.PHONE_ADDRESSES = ["http://192.168.1.20:8000/"]
    session, user = evenings.play_session(boards_a_round=1, but=2)
    links = hall.phones.services.create_table_links(session=session, by=user)
    clubs.evenings.services.call_director(link=links[0])
    services.create_entry_links(event=session.event, by=user)
    entry = EntryLink.objects.all()[0].pk
    base_url = f"/director/events/{session.event.slug}/"
    page = open_visitor_page(user, phone=True)
    pages = ["tables/", f"tables/{links[0].pk}/code/", "room/", "scores/", "history/"]
    pages += ["challenges/", f"challenges/{entry}/code/"]
    faults = [
        fault for page_path in pages for fault in find_faults_at(page, base_url + page_path)
    ]
    assert faults + find_faults_at(page, "/director/hall/") == []


def test_older_value_is_restored_from_the_history(open_visitor_page: PageOpener) -> None:
    session, user = evenings.open_session()
    sitting = session.sections.get().sittings.get(round=1, table=1)
    for mark in ("8", "9", "10"):
        evenings.enter_result(session, sitting.pk, 1, mark, user)
    first_page, second_page = open_visitor_page(user), open_visitor_page(user)
    for page in (first_page, second_page):
        page.goto(f"/director/events/{session.event.slug}/history/")
    first_page.get_by_role("button", name="Back to N-S 8, E-W 5 Board 1").click()
    expect(first_page.get_by_text("Board 1, table 1: undone.")).to_be_visible()
    second_page.get_by_role("button", name="Undo Board 1").click()
    expect(
        second_page.get_by_text("director has since changed board 1, table 1")
    ).to_be_visible()
    assert sitting.results.get().ns_tricks == 8
