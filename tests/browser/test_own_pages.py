"""The server accepts the forms of pages with a secret link in a real browser."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from clubs.evenings.services import create_fixture
from clubs.models import Booking, Player
from clubs.services.person_links import create_person_links
from drives.services import NewPlayer, create_drive
from drives.services.links import create_card_links
from seasons.people.views.person_links import compute_link_expiry
from tests import evenings
from tests.browser.conftest import PageOpener

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
]


def test_two_people_book_and_choose_what_is_shown_on_their_phones(
    open_visitor_page: PageOpener,
) -> None:
    club, _user = evenings.create_club_with_director()
    ann, bob = (Player.objects.create(club=club, name=name) for name in ("Ann Ash", "Bob Bay"))
    values = {
        "date": timezone.localdate() + timedelta(days=5), "start": None, "place": "",
        "title": "Thursday", "books": True, "places": 4, "unit": "players",
    }  # fmt: skip
    create_fixture(club=club, values_by_field=values, by=None)
    ends = compute_link_expiry(club)
    links = create_person_links(club=club, players=[ann, bob], ends_at=ends, by=None)
    phones_by_name = {link.player.name: open_visitor_page(phone=True) for link in links}
    for link in links:
        phones_by_name[link.player.name].goto(link.path)
        assert phones_by_name[link.player.name].url.endswith("/me/")
    ann_page, bob_page = phones_by_name["Ann Ash"], phones_by_name["Bob Bay"]
    ann_page.get_by_role("link", name=re.compile("Thursday")).click()
    ann_page.get_by_role("textbox", name="Partner").fill("Bob Bay")
    ann_page.get_by_role("button", name="Book").click()
    expect(
        ann_page.get_by_text("You have a place. You’re playing with Bob Bay.")
    ).to_be_visible()
    bob_page.reload()
    bob_page.get_by_role("link", name=re.compile("Thursday")).click()
    bob_page.get_by_role("button", name="Yes, I’ll be there").click()
    expect(
        bob_page.get_by_text("You have a place. You’re playing with Ann Ash.")
    ).to_be_visible()
    assert Booking.objects.get().people.filter(accepted=True).count() == 2
    bob_page.goto("/me/")
    bob_page.get_by_label("Initials").check()
    bob_page.get_by_role("button", name="Save").click()
    expect(bob_page.get_by_text("Saved.").first).to_be_visible()
    bob.refresh_from_db()
    assert bob.shown == Player.Shown.INITIALS


@pytest.mark.parametrize("link_kind", ["me", "card"])
def test_footer_forms_work_on_pages_with_a_secret_link(
    open_visitor_page: PageOpener, link_kind: str
) -> None:
    club, user = evenings.create_club_with_director()
    if link_kind == "me":
        ann = Player.objects.create(club=club, name="Ann Ash")
        ends = compute_link_expiry(club)
        (link,) = create_person_links(club=club, players=[ann], ends_at=ends, by=None)
    else:
        names = [NewPlayer(name=name) for name in ("Ann", "Ben", "Cora", "Dan")]
        drive = create_drive(
            club=club, name="Drive", date=timezone.localdate(), form="social",
            players=names, rounds=2, hands=1, by=user,
        )  # fmt: skip
        create_card_links(drive=drive, by=user)
        link = drive.players.order_by("number")[0].links.get()
    page = open_visitor_page(phone=True)
    response = page.goto(link.path)
    assert response is not None
    assert response.headers["referrer-policy"] == "no-referrer"
    policy = page.locator("meta[name=referrer]").get_attribute("content")
    assert policy == "same-origin"  # it overrides the header: other sites still receive nothing
    page.get_by_role("button", name="Dark").click()
    expect(page.locator("html")).to_have_attribute("data-scheme", "dark")
