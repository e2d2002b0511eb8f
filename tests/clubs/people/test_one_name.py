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

COMPOSED_NAME = unicodedata.normalize("NFC", "José Núñez")
DECOMPOSED_NAME = unicodedata.normalize("NFD", COMPOSED_NAME)


def test_cleaned_name_is_nfc_normalised_without_invisible_characters() -> None:
    assert clean_name(f"\ufeff {DECOMPOSED_NAME}\u200b\u00a0 jun. ") == f"{COMPOSED_NAME} jun."
    assert build_name_key(DECOMPOSED_NAME) == build_name_key(COMPOSED_NAME.upper())
    assert build_name_key("ǰane") == build_name_key("ǰane".upper())


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("first_spelling", "second"),
    [(COMPOSED_NAME, DECOMPOSED_NAME), (DECOMPOSED_NAME, COMPOSED_NAME)],
)
def test_list_import_finds_the_other_unicode_spelling(first_spelling: str, second: str) -> None:
    club, _user = evenings.create_club_with_director()
    import_people(club=club, content=f"Name\n{first_spelling}\n".encode(), by=None)
    assert Player.objects.get().name == COMPOSED_NAME
    preview = preview_people(club=club, content=f"Name,Phone\n{second},0123\n".encode())
    assert [row.player.name for row in preview.changed_people] == [COMPOSED_NAME]
    assert preview.new_people == preview.doubtful_people == []


@pytest.mark.django_db
def test_both_spellings_cannot_be_in_two_pairs() -> None:
    event, user = evenings.create_event()
    services.create_entry(event=event, names=[DECOMPOSED_NAME, "Fay Fir"], by=user)
    assert Player.objects.get(plain="jose nunez").name == COMPOSED_NAME
    with pytest.raises(InvalidEntry):
        services.create_entry(event=event, names=[COMPOSED_NAME, "Gus Gorse"], by=user)
    with pytest.raises(InvalidRoster):
        services.create_entries(
            event=event, rows=[("Line 1", [DECOMPOSED_NAME, "Gus Gorse"])], by=user
        )
    client = Client()
    client.force_login(user)
    url = reverse("entries", args=[event.slug])
    client.post(url, {"how": "typed", "player1": DECOMPOSED_NAME, "player2": "Gus Gorse"})
    assert Player.objects.filter(plain="jose nunez").count() == 1
    assert not Player.objects.filter(name="Gus Gorse").exists()


@pytest.mark.django_db
def test_drive_finds_the_club_player_by_either_spelling() -> None:
    club, _user = evenings.create_club_with_director()
    player = Player.objects.create(club=club, name=DECOMPOSED_NAME)
    names = [DECOMPOSED_NAME, "Bo", "Cy", "Di"]
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
    assert drive.players.filter(name=COMPOSED_NAME).count() == 1


@pytest.mark.django_db
def test_name_stored_without_a_service_is_nfc_normalised_and_found() -> None:
    club, _user = evenings.create_club_with_director()
    Player.objects.bulk_create([Player(club=club, name=DECOMPOSED_NAME)])
    assert Player.objects.values_list("name", flat=True).get() == COMPOSED_NAME
    assert Player.objects.filter(name=DECOMPOSED_NAME).exists()


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
@pytest.mark.parametrize("enter_name", NAME_ENTRY_FUNCTIONS)
@pytest.mark.parametrize("name", [DECOMPOSED_NAME, "Alder, Ann", " Ann\u00a0Alder "])
def test_every_form_and_import_finds_the_existing_player(enter_name: Any, name: str) -> None:
    event, user = evenings.create_event(pairs=0)
    for known_name in (COMPOSED_NAME, "Ann Alder"):
        Player.objects.create(club=event.club, name=known_name)
    client = Client()
    client.force_login(user)
    enter_name(event, client, name)
    players = Player.objects.filter(plain__contains="alder") | Player.objects.filter(
        plain__contains="nunez"
    )
    assert sorted(players.values_list("name", flat=True)) == ["Ann Alder", COMPOSED_NAME]
