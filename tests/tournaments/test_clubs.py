"""A club of one's own is made at the desk, and the demo club's evenings leave the lists."""

import pytest
from django.test import Client

from clubs.models import Club, Membership
from tests import evenings
from tournaments.models import Event

pytestmark = pytest.mark.django_db


def _owner(client: Client) -> Club:
    home, user = evenings.club()
    client.force_login(user)
    return home


def test_an_owner_makes_another_club_and_owns_it(client: Client) -> None:
    home = _owner(client)
    assert "A club of your own" in client.get("/director/").content.decode()
    page = client.get("/director/club/new/").content.decode()
    assert f'value="{home.timezone}"' in page
    sent = {"name": "  Løvenborg   Whist ", "timezone": "Europe/Copenhagen"}
    answer = client.post("/director/club/new/", sent, follow=True)
    assert "Løvenborg Whist is there." in answer.content.decode()
    made = Club.objects.get(name="Løvenborg Whist")
    assert (made.timezone, made.memberships.get().role) == ("Europe/Copenhagen", "owner")


@pytest.mark.parametrize(
    ("name", "zone", "told"),
    [
        ("Hillside", "Europe/London", "already exists"),
        ("", "Europe/London", "required"),
        ("New", "Mars/Olympus", "is not a time zone"),
    ],
)
def test_a_club_that_cannot_be_is_refused(
    client: Client, name: str, zone: str, told: str
) -> None:
    theirs = evenings.club("Hillside", "another")[0]
    _owner(client)
    answer = client.post("/director/club/new/", {"name": name, "timezone": zone})
    assert answer.status_code == 400
    assert told in answer.content.decode()
    assert Club.objects.count() == 2
    assert list(theirs.memberships.values_list("user__username", flat=True)) == ["another"]


def test_who_owns_no_club_makes_none(client: Client) -> None:
    home, _user = evenings.club()
    client.force_login(evenings.scorer(home))
    assert client.get("/director/club/new/").status_code == 403
    assert client.post("/director/club/clear/", {"club": home.slug}).status_code == 404
    assert "A club of your own" not in client.get("/director/").content.decode()


def test_all_evenings_of_a_club_are_put_away_but_one_in_play(client: Client) -> None:
    home = _owner(client)
    opened, _user = evenings.opened(6)
    evenings.event(pairs=4, name="Coming")
    answer = client.post("/director/club/clear/", {"club": home.slug}, follow=True)
    page = answer.content.decode()
    assert "1 event was put away." in page
    assert "Tuesday is in play" in page
    assert list(Event.objects.filter(put_away_at=None)) == [opened.event]
    assert Membership.objects.count() == 1
