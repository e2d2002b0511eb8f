"""The same people play another evening: an event again, or a drive and then with trays."""

from datetime import date

import pytest
from django.test import Client

from clubs.models import Act, Player
from drives.models import Drive
from drives.services import NewPlayer, close_drive, create_drive, remove_player
from hall.repeat_evening.services import create_event_from_drive
from scoring.models import EntryProfile
from scoring.services import set_entry_profiles
from tests import evenings
from tests.browser import drives
from tournaments.models import Event

pytestmark = pytest.mark.django_db
NEXT_DATE = date(2026, 12, 4)


def create_drive_of_nine() -> Drive:
    """Create a drive of nine: three club players, one nameless, and one who leaves."""
    user = drives.create_organiser()
    club = user.memberships.get().club
    for name in ("Ann Abbot", "Ben Baker", "Cora Carr"):
        Player.objects.create(club=club, name=name)
    Player.objects.create(club=club, name="ANN ABBOT")  # another person, who is absent
    first_player = Player.objects.get(name="Ann Abbot")
    drive = create_drive(
        club=club,
        name="Friday drive",
        date=drives.DRIVE_DATE,
        form="lot",
        players=[
            NewPlayer(player=first_player, name="Ann Abbot"),
            *(NewPlayer(name=name) for name in drives.NAMES[1:8]),
            NewPlayer(),
        ],
        house=["Caller"],
        by=user,
    )
    remove_player(player=drive.players.get(name="Hal Hope"), by=user)
    return drive


def test_event_from_drive_reuses_the_same_players() -> None:
    drive = create_drive_of_nine()
    event = create_event_from_drive(drive=drive, date=NEXT_DATE, by=None)
    assert create_event_from_drive(drive=drive, date=NEXT_DATE, by=None).event == event.event
    assert (event.event.contest, event.event.club) == (Event.Contest.INDIVIDUAL, drive.club)
    links = [entry.players.get() for entry in event.event.entries.order_by("number")]
    assert [link.name for link in links] == list(drives.NAMES[:7])
    assert links[0] == drive.players.get(number=1).player
    assert [link.name for link in links[:3]] == ["Ann Abbot", "Ben Baker", "Cora Carr"]
    assert event.left_out_names == ("player 9",)
    assert not Player.objects.filter(name="Caller").exists()


def test_players_are_paired_by_place_and_left_out_ones_are_named() -> None:
    drive = create_drive_of_nine()
    event = create_event_from_drive(drive=drive, date=NEXT_DATE, contest="pairs", by=None)
    sizes = [entry.players.count() for entry in event.event.entries.all()]
    assert sizes == [2, 2, 2]
    assert len(event.left_out_names) == 2
    assert "player 9" in event.left_out_names


def test_prizes_page_creates_event_and_redirects_to_entries(client: Client) -> None:
    drive = create_drive_of_nine()
    user = drive.club.memberships.get().user
    client.force_login(user)
    path = f"/director/drives/{drive.slug}/"
    close_drive(drive=drive, anyway=True, by=user)
    page = client.get(f"{path}closing/").content.decode()
    assert f'action="{path}onward/"' in page
    assert 'value="2026-12-04"' in page
    response = client.post(f"{path}onward/", {"date": "2026-12-04", "contest": "individual"})
    event = Event.objects.get()
    assert response["Location"] == f"/director/events/{event.slug}/entries/"
    assert "Not added yet: player 9." in client.get(response["Location"]).content.decode()
    for invalid_form in ({"date": "2026-02-31"}, {"date": "2026-12-04", "contest": "teams"}):
        rejected_response = client.post(f"{path}onward/", invalid_form)
        assert rejected_response["Location"] == f"{path}closing/"
    assert Event.objects.count() == 1
    assert Client().post(f"{path}onward/", {"date": "2026-12-04"}).status_code in (302, 403)
    assert Act.objects.filter(action="event.created").count() == 1


# ---------------------------------------------------------------- a repeated event


def test_copy_of_event_on_another_date_is_created_once(client: Client) -> None:
    event, user = evenings.create_event(pairs=4, name="Tuesday")
    set_entry_profiles(event=event, profiles_by_number={2: {"stratum": "B"}}, by=user)
    client.force_login(user)
    url_and_form = f"/director/events/{event.slug}/again/", {"date": "2026-12-04"}
    for _attempt in range(2):
        response = client.post(*url_and_form)
    new_event = Event.objects.exclude(pk=event.pk).get()
    assert response["Location"] == f"/director/events/{new_event.slug}/entries/"
    assert (new_event.name, new_event.date, new_event.terms.method) == (
        "Tuesday",
        NEXT_DATE,
        event.terms.method,
    )
    entries_before, now = (
        [
            (entry.number, sorted(p.pk for p in entry.players.all()))
            for entry in item.entries.all()
        ]
        for item in (event, new_event)
    )
    assert now == entries_before
    entry_profile = EntryProfile.objects.get(entry__event=new_event)
    assert (entry_profile.entry.number, entry_profile.stratum, entry_profile.seed) == (
        2,
        "B",
        None,
    )


def test_copying_an_event_requires_a_date(client: Client) -> None:
    event, user = evenings.create_event(pairs=4)
    client.force_login(user)
    client.post(f"/director/events/{event.slug}/again/", {"date": "soon"})
    assert Event.objects.count() == 1
