"""A person's data export includes every kind of row that refers to the person."""

import csv
import io
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from clubs.models import Player
from clubs.services.person_links import create_person_links
from seasons.people.sheets.personal_data import (
    ROW_READERS_BY_KIND,
    build_personal_data,
    build_personal_data_table,
)
from seasons.people.views.person_links import compute_link_expiry
from tests import evenings
from tests.factories import (
    AttendanceFactory,
    BookedPersonFactory,
    BookingLinkFactory,
    CheckInFactory,
    DriveFactory,
    DrivePlayerFactory,
    EngravedNameFactory,
    EntryElsewhereFactory,
    EveningElsewhereFactory,
    EventFactory,
    FixtureFactory,
    HandicapByHandFactory,
    HandicapFactory,
    LadderFactory,
    ResultsMailFactory,
    RubberNightFactory,
    RubberPlayerFactory,
    SeasonFactory,
    SeatElsewhereFactory,
    TrophyFactory,
    TwoPeopleFactory,
)

pytestmark = pytest.mark.django_db
DATA_KEYS_BY_RELATION = {
    "attendances": "table_money",
    "booked": "bookings",
    "booking_links": "booking_addresses",
    "check_ins": "check_ins",
    "consents": "consents",
    "drive_players": "drives",
    "engraved": "trophies",
    "entries": "evenings",
    "entry_memberships": "evenings",
    "grade_steps": "grade",
    "grades": "grade",
    "handicaps": "handicaps",
    "handicaps_by_hand": "handicaps",
    "hidden_grade": "grade_hidden",
    "links": "addresses",
    "result_mails": "mails",
    "rubber_players": "rubber_nights",
    "seats_elsewhere": "evenings_elsewhere",
}
"""The part of the export for each relation to a person."""


def create_person() -> Player:
    """Create a person with one row of each kind that belongs to no evening."""
    club, _user = evenings.create_club_with_director()
    ann = Player.objects.create(club=club, name="Ann Lee")
    bo = Player.objects.create(club=club, name="Bo Hidden", shown="nobody")
    fixture = FixtureFactory(evening__club=club, evening__title="Friday")
    booked_person = BookedPersonFactory(booking__fixture=fixture, player=ann)
    BookedPersonFactory(booking=booked_person.booking, player=bo, order=2)
    BookingLinkFactory(fixture=fixture, player=ann)
    AttendanceFactory(fixture=fixture, player=ann)
    ResultsMailFactory(event=EventFactory(club=club), player=ann, state="sent")
    EngravedNameFactory(engraving__trophy=TrophyFactory(club=club), player=ann, name="")
    season = SeasonFactory(club=club)
    evening = EveningElsewhereFactory(season=season)
    SeatElsewhereFactory(entry=EntryElsewhereFactory(evening=evening), player=ann)
    DrivePlayerFactory(drive=DriveFactory(club=club), player=ann)
    RubberPlayerFactory(night=RubberNightFactory(club=club), player=ann)
    HandicapFactory(ladder=LadderFactory(season=season), player=ann)
    HandicapByHandFactory(season=season, player=ann)
    TwoPeopleFactory(one=ann, other=bo)
    CheckInFactory(evening__club=club, player=ann)
    return ann


def test_every_reference_to_a_person_is_included_in_their_data() -> None:
    related_names = {
        related_object.related_name or related_object.name
        for related_object in Player._meta.related_objects
    }
    many_to_many_names = {
        related_object.related_name
        for related_object in Player._meta.related_objects
        if related_object.many_to_many
    }
    assert {
        related_name for related_name in related_names if related_name != "+"
    } | many_to_many_names == set(DATA_KEYS_BY_RELATION)
    assert set(DATA_KEYS_BY_RELATION.values()) <= set(build_personal_data(create_person()))


def test_data_export_has_bookings_money_mail_and_trophies_in_file_and_table() -> None:
    ann = create_person()
    ends = compute_link_expiry(ann.club)
    (link,) = create_person_links(club=ann.club, players=[ann], ends_at=ends, by=None)
    client = Client()
    client.get(link.path)
    response = client.get(reverse("me_held"))
    data: dict[str, Any] = response.json()
    assert {kind: len(data[kind]) for kind in ROW_READERS_BY_KIND} == dict.fromkeys(
        ROW_READERS_BY_KIND, 1
    ) | {"handicaps": 2}
    assert data["bookings"][0]["evening"] == "Friday"
    assert data["bookings"][0]["with"] == ["A player"]
    (money_row,) = data["table_money"]
    assert (money_row["fee"], money_row["currency"], money_row["settled"]) == (
        "3.00",
        "GBP",
        "owing",
    )
    assert (data["mails"][0]["state"], data["trophies"][0]["year"]) == ("sent", "2026")
    assert data["handicaps"][1]["reason"] == "plays at home too"
    text = client.get(f"{reverse('me_held')}?format=csv").content.decode("utf-8-sig")
    assert "Bo Hidden" not in text + response.content.decode()
    kinds = [row[0] for row in csv.reader(io.StringIO(text)) if row]
    for kind in ("addresses", *ROW_READERS_BY_KIND):
        assert kinds.count(kind.replace("_", " ")) == len(data[kind]), kind
    assert "fee 3.00" in text
    assert kinds.count("grade hidden") == 1


def test_data_export_of_new_person_lists_every_kind_as_empty() -> None:
    club, _user = evenings.create_club_with_director()
    ann = Player.objects.create(club=club, name="Ann Lee")
    assert all(build_personal_data(ann)[kind] == [] for kind in ROW_READERS_BY_KIND)
    assert build_personal_data_table(ann).rows[1] == ["name", "Ann Lee"]
