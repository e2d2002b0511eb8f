"""A form that names a club acts on that club or on none."""

import pytest
from django.test import Client
from django.urls import reverse

from clubs.models import Act, Club
from server.models import User
from tests import evenings

pytestmark = pytest.mark.django_db

# Views whose form or URL may name a club of the login.
VIEWS = [
    *("own_calendar", "club_currency", "series_new", "fixture_new", "bookings_fetch"),
    *("trophy_make", "doubles", "club_grades", "people_list", "person_links", "club_file_make"),
    *("sending_to", "sending_now", "drive_new", "rubber_new", "players", "tour", "event_new"),
]


@pytest.fixture
def clubs(client: Client) -> tuple[Club, Club]:
    own, user = evenings.create_club_with_director("Own")
    other, _stranger = evenings.create_club_with_director("Other", "stranger")
    assert not other.memberships.filter(user=user).exists()
    client.force_login(user)
    return own, other


@pytest.mark.parametrize("view", VIEWS)
def test_form_that_names_another_club_does_nothing(
    client: Client, clubs: tuple[Club, Club], view: str
) -> None:
    address, act_count_before = reverse(view), Act.objects.count()
    for response in (
        client.post(f"{address}?club=other", {"club": "other", "currency": "EUR"}),
        client.get(f"{address}?club=other"),
    ):
        assert response.status_code in {403, 404, 405}, (view, response.status_code)
    assert Act.objects.count() == act_count_before


def test_form_that_names_the_users_club_changes_that_club(
    client: Client, clubs: tuple[Club, Club]
) -> None:
    own, other = clubs
    client.post(reverse("club_currency"), {"club": "own", "currency": "EUR"})
    own.refresh_from_db()
    other.refresh_from_db()
    assert (own.currency, other.currency) == ("EUR", "GBP")


def test_login_without_a_club_gets_a_message(client: Client, clubs: tuple[Club, Club]) -> None:
    client.force_login(User.objects.create_user("nobody", password="three long words here"))
    response = client.get(f"{reverse('own_calendar')}?club=other")
    assert "so you have no calendar" in response.content.decode()
