"""A name composed (NFC) and decomposed (NFD) is one person at every entrance."""

import unicodedata
from datetime import date as Date

import pytest
from django.test import Client
from django.urls import reverse

from clubs.models import Player
from clubs.names.tidy import clean_name, name_key
from drives.services import NewPlayer, begin_drive
from tests import evenings
from tournaments import services
from tournaments.errors import EntryRefused, RosterRefused
from tournaments.services.people import import_people, try_people

NFC = unicodedata.normalize("NFC", "José Núñez")
NFD = unicodedata.normalize("NFD", NFC)


def test_a_clean_name_is_composed_and_has_nothing_invisible() -> None:
    assert clean_name(f"\ufeff {NFD}\u200b\u00a0 jun. ") == f"{NFC} jun."
    assert name_key(NFD) == name_key(NFC.upper())
    assert name_key("ǰane") == name_key("ǰane".upper())


@pytest.mark.django_db
@pytest.mark.parametrize(("first", "second"), [(NFC, NFD), (NFD, NFC)])
def test_a_list_finds_the_other_spelling(first: str, second: str) -> None:
    club, _user = evenings.club()
    import_people(club=club, content=f"Name\n{first}\n".encode(), by=None)
    assert Player.objects.get().name == NFC
    trial = try_people(club=club, content=f"Name,Phone\n{second},0123\n".encode())
    assert [each.player.name for each in trial.changed] == [NFC]
    assert trial.new == trial.doubtful == []


@pytest.mark.django_db
def test_both_spellings_cannot_be_in_two_pairs() -> None:
    event, user = evenings.event()
    services.enter(event=event, names=[NFD, "Fay Fir"], by=user)
    assert Player.objects.get(plain="jose nunez").name == NFC
    with pytest.raises(EntryRefused):
        services.enter(event=event, names=[NFC, "Gus Gorse"], by=user)
    with pytest.raises(RosterRefused):
        services.enter_many(event=event, rows=[("Line 1", [NFD, "Gus Gorse"])], by=user)
    client = Client()
    client.force_login(user)
    page = reverse("entries", args=[event.slug])
    client.post(page, {"how": "typed", "player1": NFD, "player2": "Gus Gorse"})
    assert Player.objects.filter(plain="jose nunez").count() == 1
    assert not Player.objects.filter(name="Gus Gorse").exists()


@pytest.mark.django_db
def test_a_drive_finds_the_club_player_by_either_spelling() -> None:
    club, _user = evenings.club()
    player = Player.objects.create(club=club, name=NFD)
    names = [NFD, "Bo", "Cy", "Di"]
    drive = begin_drive(
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
def test_a_name_that_no_service_cleaned_is_stored_composed_and_found() -> None:
    club, _user = evenings.club()
    Player.objects.bulk_create([Player(club=club, name=NFD)])
    assert Player.objects.values_list("name", flat=True).get() == NFC
    assert Player.objects.filter(name=NFD).exists()
