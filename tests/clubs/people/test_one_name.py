"""Composed (NFC) and decomposed (NFD) spellings of a name are one person everywhere."""

import unicodedata
from datetime import date as Date
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from clubs.models import Player
from clubs.names.tidy import build_name_key, clean_name
from drives.services import NewPlayer, create_drive
from exchange.eventfile.importer import import_event
from tests import evenings
from tests.exchange.eventfile.documents import build_small_file
from tournaments import services
from tournaments.errors import InvalidEntry, InvalidRoster
from tournaments.models import Event
from tournaments.services import add_player
from tournaments.services.people import import_people, preview_people

NFC = unicodedata.normalize("NFC", "José Núñez")
NFD = unicodedata.normalize("NFD", NFC)


def test_cleaned_name_is_composed_and_has_no_invisible_characters() -> None:
    assert clean_name(f"\ufeff {NFD}\u200b\u00a0 jun. ") == f"{NFC} jun."
    assert build_name_key(NFD) == build_name_key(NFC.upper())
    assert build_name_key("ǰane") == build_name_key("ǰane".upper())


@pytest.mark.django_db
@pytest.mark.parametrize(("first", "second"), [(NFC, NFD), (NFD, NFC)])
def test_list_finds_the_other_spelling(first: str, second: str) -> None:
    club, _user = evenings.create_club_with_director()
    import_people(club=club, content=f"Name\n{first}\n".encode(), by=None)
    assert Player.objects.get().name == NFC
    trial = preview_people(club=club, content=f"Name,Phone\n{second},0123\n".encode())
    assert [row.player.name for row in trial.changed_people] == [NFC]
    assert trial.new_people == trial.doubtful_people == []


@pytest.mark.django_db
def test_both_spellings_cannot_be_in_two_pairs() -> None:
    event, user = evenings.create_event()
    services.create_entry(event=event, names=[NFD, "Fay Fir"], by=user)
    assert Player.objects.get(plain="jose nunez").name == NFC
    with pytest.raises(InvalidEntry):
        services.create_entry(event=event, names=[NFC, "Gus Gorse"], by=user)
    with pytest.raises(InvalidRoster):
        services.create_entries(event=event, rows=[("Line 1", [NFD, "Gus Gorse"])], by=user)
    client = Client()
    client.force_login(user)
    url = reverse("entries", args=[event.slug])
    client.post(url, {"how": "typed", "player1": NFD, "player2": "Gus Gorse"})
    assert Player.objects.filter(plain="jose nunez").count() == 1
    assert not Player.objects.filter(name="Gus Gorse").exists()


@pytest.mark.django_db
def test_drive_finds_the_club_player_by_either_spelling() -> None:
    club, _user = evenings.create_club_with_director()
    player = Player.objects.create(club=club, name=NFD)
    names = [NFD, "Bo", "Cy", "Di"]
    drive = create_drive(
        club=club,
        name="Friday",
        date=Date(2026, 11, 27),
        form="social",
        rounds=3,
        players=[NewPlayer(name=name) for name in names],
        by=None,
    )
    assert drive.players.get(number=1).player == player
    assert drive.players.filter(name=NFC).count() == 1


@pytest.mark.django_db
def test_name_stored_without_a_service_is_composed_and_found() -> None:
    club, _user = evenings.create_club_with_director()
    Player.objects.bulk_create([Player(club=club, name=NFD)])
    assert Player.objects.values_list("name", flat=True).get() == NFC
    assert Player.objects.filter(name=NFD).exists()


def enter_by_form(event: Event, client: Client, name: str) -> None:
    url = reverse("entries", args=[event.slug])
    client.post(url, {"how": "typed", "player1": name, "player2": "Bo Birch"})


def enter_by_paste(event: Event, client: Client, name: str) -> None:
    url = reverse("entries", args=[event.slug])
    client.post(url, {"how": "pasted", "text": f"{name} & Bo Birch", "take": "good"})


def enter_by_api(event: Event, client: Client, name: str) -> None:
    address = f"/api/events/{event.slug}/entries/"
    body = {"names": [name, "Bo Birch"]}
    assert client.post(address, body, content_type="application/json").status_code == 201


def import_people_list(event: Event, client: Client, name: str) -> None:
    import_people(club=event.club, content=f'Name\n"{name}"\n'.encode(), by=None)


def add_to_player_list(event: Event, client: Client, name: str) -> None:
    add_player(club=event.club, name=name, by=None)


def import_event_file(event: Event, client: Client, name: str) -> None:
    document = build_small_file()
    document["players"][0]["name"] = name.replace("Alder, Ann", "Ann Alder")
    import_event(document=document, club=event.club, by=None)


NAME_ENTRY_FUNCTIONS = [
    *(enter_by_form, enter_by_paste, enter_by_api, import_people_list),
    *(add_to_player_list, import_event_file),
]


@pytest.mark.django_db
@pytest.mark.parametrize("enter_by", NAME_ENTRY_FUNCTIONS)
@pytest.mark.parametrize("name", [NFD, "Alder, Ann", " Ann\u00a0Alder "])
def test_every_form_and_import_finds_the_existing_player(enter_by: Any, name: str) -> None:
    event, user = evenings.create_event(pairs=0)
    for known in (NFC, "Ann Alder"):
        Player.objects.create(club=event.club, name=known)
    client = Client()
    client.force_login(user)
    enter_by(event, client, name)
    players = Player.objects.filter(plain__contains="alder") | Player.objects.filter(
        plain__contains="nunez"
    )
    assert sorted(players.values_list("name", flat=True)) == ["Ann Alder", NFC]
