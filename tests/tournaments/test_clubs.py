"""A new club is created at the desk, and the demo club's evenings leave the lists."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone

from clubs.models import Club, Membership
from clubs.time_zones import find_time_zone, list_time_zones
from tests import evenings
from tests.factories import DriveFactory
from tournaments.models import Event

pytestmark = pytest.mark.django_db


def sign_in_owner(client: Client) -> Club:
    home_club, user = evenings.create_club_with_director()
    client.force_login(user)
    return home_club


def test_owner_creates_another_club_and_owns_it(client: Client) -> None:
    home = sign_in_owner(client)
    assert "Add another club" in client.get("/director/").content.decode()
    page = client.get("/director/club/new/").content.decode()
    assert f'value="{home.timezone}"' in page
    form = {"name": "  Løvenborg   Whist ", "timezone": "Europe/Copenhagen"}
    response = client.post("/director/club/new/", form, follow=True)
    assert "Løvenborg Whist created. New events go there." in response.content.decode()
    club = Club.objects.get(name="Løvenborg Whist")
    assert (club.timezone, club.memberships.get().role) == ("Europe/Copenhagen", "owner")


@pytest.mark.parametrize(
    ("typed", "zone"),
    [
        ("Brussels", "Europe/Brussels"),
        ("Brussel", "Europe/Brussels"),  # the Dutch name is the beginning of the English one
        ("brussels", "Europe/Brussels"),
        (" AMSTERDAM ", "Europe/Amsterdam"),
        ("europe/copenhagen", "Europe/Copenhagen"),
        ("new york", "America/New_York"),
        ("utc", "UTC"),
        ("Europe/London", "Europe/London"),
        ("Istanbul", "Europe/Istanbul"),  # also Asia/Istanbul
        ("nicosia", "Europe/Nicosia"),
        ("Buenos Aires", "America/Buenos_Aires"),  # also America/Argentina/Buenos_Aires
        ("Buenos", "America/Buenos_Aires"),
        ("Louisville", "America/Louisville"),
    ],
)
def test_city_is_accepted_as_a_time_zone(client: Client, typed: str, zone: str) -> None:
    sign_in_owner(client)
    client.post("/director/club/new/", {"name": "Ons", "timezone": typed})
    assert Club.objects.get(name="Ons").timezone == zone


@pytest.mark.parametrize(
    "typed", ["", "Bru", "San", "Mars", "North", "South", "East", "Central", "Newfoundland"]
)
def test_text_that_matches_no_city_is_unchanged(typed: str) -> None:
    assert find_time_zone(typed) == typed


def test_possible_zones_are_listed_if_several_cities_match(client: Client) -> None:
    sign_in_owner(client)
    response = client.post("/director/club/new/", {"name": "Ons", "timezone": "Santa"})
    assert response.status_code == 400
    page = response.content.decode()
    assert "“Santa” matches several time zones." in page
    assert "America/Santa_Isabel, America/Santarem." in page
    assert not Club.objects.filter(name="Ons").exists()


def test_city_name_finds_zone_with_same_offset() -> None:
    for zone_name in list_time_zones():
        found_zone = find_time_zone(zone_name.rpartition("/")[2])
        if "/" in zone_name and "/" in found_zone:
            assert compute_offsets(found_zone) == compute_offsets(zone_name)


def compute_offsets(zone: str) -> list[timedelta | None]:
    return [
        datetime(2026, month, 1, tzinfo=ZoneInfo(zone)).utcoffset() for month in range(1, 13)
    ]


def test_browser_time_zone_is_suggested_only_in_empty_form(client: Client) -> None:
    home = sign_in_owner(client)
    page = client.get("/director/club/new/").content.decode()
    assert f'data-first-zone="{home.timezone}"' in page
    assert '<option value="Europe/Brussels">' in page
    page = client.post("/director/club/new/", {"name": "", "timezone": "Rome"}).content.decode()
    assert "data-first-zone" not in page


@pytest.mark.parametrize(
    ("name", "zone", "expected"),
    [
        ("Hillside", "Europe/London", "already exists"),
        ("", "Europe/London", "required"),
        ("New", "Mars/Olympus", "a time zone. Enter a city such as"),
    ],
)
def test_invalid_club_is_refused(client: Client, name: str, zone: str, expected: str) -> None:
    other_club = evenings.create_club_with_director("Hillside", "another")[0]
    sign_in_owner(client)
    response = client.post("/director/club/new/", {"name": name, "timezone": zone})
    assert response.status_code == 400
    assert expected in response.content.decode()
    assert Club.objects.count() == 2
    assert list(other_club.memberships.values_list("user__username", flat=True)) == ["another"]


def test_only_club_owner_can_create_clubs(client: Client) -> None:
    home, _user = evenings.create_club_with_director()
    client.force_login(evenings.create_scorer(home))
    assert client.get("/director/club/new/").status_code == 403
    assert client.post("/director/club/clear/", {"club": home.slug}).status_code == 404
    assert "Add another club" not in client.get("/director/").content.decode()


def test_all_evenings_of_club_are_archived_except_one_in_play(client: Client) -> None:
    home = sign_in_owner(client)
    session, _user = evenings.open_session(6)
    evenings.create_event(pairs=4, name="Coming")
    response = client.post("/director/club/clear/", {"club": home.slug}, follow=True)
    page = response.content.decode()
    assert "1 event archived." in page
    assert "Tuesday is in play" in page
    assert list(Event.objects.filter(put_away_at=None)) == [session.event]
    assert Membership.objects.count() == 1


# ---------------------------------------------------------------- the club made or used last


def create_second_club(client: Client) -> tuple[Club, Club]:
    """Return a club with evenings and players, and one that its owner has just created."""
    home = sign_in_owner(client)
    evenings.create_event(pairs=4, name="Demo evening")
    client.post("/director/club/new/", {"name": "Aardvark", "timezone": "Europe/London"})
    client.post("/director/club/new/", {"name": "Our Own", "timezone": "Europe/London"})
    return home, Club.objects.get(name="Our Own")


def test_new_club_is_listed_immediately_and_is_empty(client: Client) -> None:
    home, new_club = create_second_club(client)
    DriveFactory(club=home, name="Tea-time drive")
    page = client.get("/director/")
    assert page.context["current_club"] == new_club
    assert "Tea-time drive" not in page.content.decode()
    assert not page.context["coming"]
    assert not page.context["tonight"]
    assert [item.name for item in page.context["elsewhere"]] == ["Demo evening"]
    assert "1 event upcoming or in play in your other clubs" in page.content.decode()
    players = client.get("/director/players/")
    assert (players.context["club"], list(players.context["players"])) == (new_club, [])


@pytest.mark.parametrize("used_club", ["made", "home", "named"])
def test_latest_created_or_used_club_is_preselected_for_next_event(
    client: Client, used_club: str
) -> None:
    home, made = create_second_club(client)
    address = "/director/events/new/"
    if used_club == "home":
        slug = Event.objects.get().slug
        client.post(f"/director/events/{slug}/away/", {"action": "away"})
    if used_club == "named":
        address += f"?club={home.slug}"
    expected_club = made if used_club == "made" else home
    page = client.get(address).content.decode()
    assert f'<option value="{expected_club.pk}" selected' in page
    assert client.get("/director/").context["current_club"] == (
        made if used_club != "home" else home
    )


def test_page_header_shows_chosen_club(client: Client) -> None:
    home = sign_in_owner(client)
    evenings.open_session(6)
    Club.objects.update(is_demo=True)
    page = client.get("/director/").content.decode()
    assert "Start your own club" in page
    assert "Add another club" not in page
    assert "<h1>Start your own club</h1>" in client.get("/director/club/new/").content.decode()
    form = {"name": "Our Own", "timezone": "Europe/London"}
    page = client.post("/director/club/new/", form, follow=True).content.decode()
    assert '<span class="club__whole">Our Own</span>' in page
    assert 'href="/director/?club=our-own" aria-current="page"' in page
    assert "Add another club" in page
    assert "bar--live" not in page
    assert "<h1>Add another club</h1>" in client.get("/director/club/new/").content.decode()
    page = client.get(f"/director/?club={home.slug}").content.decode()
    assert "bar--live" in page
    assert "Start your own club" not in page


def test_event_of_new_club_is_shown_as_upcoming(client: Client) -> None:
    _home_club, made = create_second_club(client)
    response = client.get("/director/prepare/")
    assert response.headers["Location"].startswith("/director/new/")
    form = {"club": made.pk, "name": "Ours", "date": "2026-03-10", "contest": "pairs"}
    form |= {"standings_shown": "always", "paper_size": "A4"}
    client.post("/director/events/new/", form)
    assert Event.objects.get(club=made).name == "Ours"
    assert client.get("/director/").context["upcoming"].name == "Ours"
    other_response = client.get(f"/director/?club={_home_club.slug}")
    assert other_response.context["upcoming"].name == "Demo evening"


def test_past_unplayed_evening_is_not_shown_as_upcoming(client: Client) -> None:
    sign_in_owner(client)
    evenings.create_event(pairs=4, name="Old night", date=date(1897, 11, 26))
    page = client.get("/director/").content.decode()
    assert "Not played yet: Friday 26 November 1897" in page
    next_week_date = timezone.localdate() + timedelta(days=7)
    evenings.create_event(pairs=4, name="Next week", date=next_week_date)
    page = client.get("/director/")
    assert page.context["upcoming"].name == "Next week"
    assert [upcoming_event.name for upcoming_event in page.context["coming"]] == ["Old night"]


def test_director_of_one_club_is_not_asked_for_club(client: Client) -> None:
    sign_in_owner(client)
    evenings.create_event(pairs=4)
    page = client.get("/director/")
    assert page.context["clubs"] == []
    assert "other clubs" not in page.content.decode()
