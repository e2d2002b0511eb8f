"""Undo of an import keeps added people who are referenced elsewhere since."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db.models import PROTECT
from django.test import Client
from django.urls import reverse

from clubs import audit
from clubs.audit import AuditSubject
from clubs.models import Club, Player
from seasons.ladders.models import Season
from seasons.ladders.services.importing import import_season
from server.models import User
from tests import evenings
from tests.factories import (
    AttendanceFactory,
    BookedPersonFactory,
    DriveFactory,
    DrivePlayerFactory,
    EngravedNameFactory,
    EntryElsewhereFactory,
    EntryFactory,
    EntryPlayerFactory,
    EveningElsewhereFactory,
    EventFactory,
    FixtureFactory,
    RubberNightFactory,
    RubberPlayerFactory,
    SeasonFactory,
    SeatElsewhereFactory,
    TrophyFactory,
)
from tournaments.services.people import import_people

pytestmark = pytest.mark.django_db


def enter_event(player: Player) -> Any:
    entry = EntryFactory(event=EventFactory(club=player.club))
    return EntryPlayerFactory(entry=entry, player=player)


def book_evening(player: Player) -> Any:
    fixture = FixtureFactory(evening__club=player.club)
    return BookedPersonFactory(booking__fixture=fixture, player=player)


def attend_evening(player: Player) -> Any:
    return AttendanceFactory(fixture=FixtureFactory(evening__club=player.club), player=player)


def play_elsewhere(player: Player) -> Any:
    evening = EveningElsewhereFactory(season=SeasonFactory(club=player.club))
    return SeatElsewhereFactory(entry=EntryElsewhereFactory(evening=evening), player=player)


def win_trophy(player: Player) -> Any:
    trophy = TrophyFactory(club=player.club)
    return EngravedNameFactory(engraving__trophy=trophy, player=player, name="")


def enter_drive(player: Player) -> Any:
    return DrivePlayerFactory(drive=DriveFactory(club=player.club), player=player)


def enter_rubber_night(player: Player) -> Any:
    return RubberPlayerFactory(night=RubberNightFactory(club=player.club), player=player)


REFERENCE_CREATORS = [
    enter_event,
    book_evening,
    attend_evening,
    play_elsewhere,
    win_trophy,
    enter_drive,
    enter_rubber_night,
]


def import_people_list(club: Club, user: User) -> tuple[AuditSubject, str, list[str]]:
    """Import a list; return it, the act, and the URL of its undo."""
    import_people(club=club, content=b"name\nZed Zulu\nAmy Alpha", by=user)
    return club, "club_act_undo", [club.slug]


def import_season_file(club: Club, user: User) -> tuple[AuditSubject, str, list[str]]:
    names = ("Zed Zulu", "Amy Alpha")
    document = {
        "format": "whist-season/1",
        "club": {"name": club.name},
        "players": [{"id": name[0], "name": name, "member": True} for name in names],
        "season": {"slug": "s", "name": "S", "from": "2026-01-01", "to": "2026-12-31"},
        "ladders": [],
        "evenings": [
            {
                "slug": "one",
                "date": "2026-01-06",
                "boards": 24,
                "entries": [{"players": ["Z", "A"], "score": 2}],
            }
        ],
    }
    season = import_season(document=document, club=club, by=user)
    return season, "season_act_undo", [season.slug]


@pytest.mark.slow
@pytest.mark.parametrize("import_person", [import_people_list, import_season_file])
@pytest.mark.parametrize("create_reference", [None, *REFERENCE_CREATORS])
def test_import_undo_keeps_people_referenced_after_import(
    client: Client,
    import_person: Callable[..., Any],
    create_reference: Callable[[Player], Any] | None,
) -> None:
    club, user = evenings.create_club_with_director()
    subject, url_name, slugs = import_person(club, user)
    zed = club.players.get(name="Zed Zulu")
    row = create_reference(zed) if create_reference else None
    act = audit.list_acts(subject).filter(action__endswith="imported")[0]
    client.force_login(user)
    response = client.post(reverse(url_name, args=[*slugs, act.pk]), follow=True)
    assert response.status_code == 200
    names = sorted(club.players.values_list("name", flat=True))
    if row is None:
        assert names == []
        return
    row.refresh_from_db()
    if import_person is import_people_list:  # a list completely or not at all
        assert names == ["Amy Alpha", "Zed Zulu"]
        assert "Zed Zulu" in response.content.decode()
        assert "undo: Zed Zulu " in response.content.decode()
    else:
        assert names == ["Zed Zulu"]
        assert not Season.objects.filter(slug="s").exists()


def test_every_protected_reference_to_player_has_test_case() -> None:
    names = {
        related_object.related_model.__name__
        for related_object in Player._meta.related_objects
        if getattr(related_object, "on_delete", None) is PROTECT
    }
    assert len(names) == len(REFERENCE_CREATORS), sorted(names)
