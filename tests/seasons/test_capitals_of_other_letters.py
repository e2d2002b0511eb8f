"""Names match case-insensitively, though SQLite's own folding only knows ASCII."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

import clubs.services
from clubs.evenings import services
from clubs.evenings.services import BookingOptions, NewPerson
from clubs.models import Fixture, Membership, Player
from clubs.services.members import MembershipChangeRefused
from seasons.calendar.services import enter_bookings
from seasons.ladders.errors import SeasonActionRefused
from seasons.ladders.services.trophies import create_trophy, engrave_trophy
from tests import evenings
from tournaments.services import add_player
from tournaments.services.entries import find_or_create_players

pytestmark = [pytest.mark.django_db]


def create_upcoming_fixture(**more: Any) -> Fixture:
    club, user = evenings.create_club_with_director()
    day = timezone.localdate() + timedelta(days=5)
    values = {"date": day, "start": None, "place": "", "title": "Tuesday", "unit": "pairs"}
    return services.create_fixture(club=club, values_by_field=values | more, by=user)


def test_guest_booked_in_lower_case_is_matched_to_player() -> None:
    upcoming_fixture = create_upcoming_fixture()
    player = Player.objects.create(
        club=upcoming_fixture.club, name="Łucja Nowak", kind=Player.Kind.PAST_MEMBER
    )
    people = [NewPerson(name="łucja nowak"), NewPerson(name="Ann")]
    services.create_booking(fixture=upcoming_fixture, people=people, is_director=True, by=None)
    booking_entry_result = enter_bookings(fixture=upcoming_fixture, by=None)
    assert booking_entry_result.left_over_bookings == ()
    assert Player.objects.filter(name__contains="ucja").get() == player
    assert player in booking_entry_result.event.entries.get().players.all()
    assert enter_bookings(fixture=upcoming_fixture, by=None).new_count == 0


def test_name_lookup_does_not_load_all_names_of_club() -> None:
    club, _user = evenings.create_club_with_director()
    Player.objects.bulk_create(
        Player(club=club, name=f"Ann Pole {number}") for number in range(30)
    )
    player = Player.objects.create(club=club, name="Łucja Nowak")
    with CaptureQueriesContext(connection) as queries:
        assert add_player(club=club, name="łucja nowak", by=None) == player
        assert find_or_create_players(club, ["łucja nowak", "Lucja Nowak"])[0][0] == player
    player_queries = [
        captured_query["sql"]
        for captured_query in queries.captured_queries
        if 'FROM "clubs_player"' in captured_query["sql"]
    ]
    assert player_queries
    assert all(
        '"plain"' in sql.partition("WHERE")[2] or "IN (" in sql for sql in player_queries
    )


def test_guest_added_by_host_ignoring_case_is_not_left_over() -> None:
    upcoming_fixture = create_upcoming_fixture()
    Player.objects.create(club=upcoming_fixture.club, name="Łucja Nowak")
    for name, is_host in (("łucja nowak", False), ("Ann", True)):
        people, booking_options = (
            [NewPerson(name=name)],
            BookingOptions(is_host=is_host, needs_host=not is_host),
        )
        services.create_booking(
            fixture=upcoming_fixture,
            people=people,
            options=booking_options,
            is_director=True,
            by=None,
        )
    bookings = enter_bookings(fixture=upcoming_fixture, by=None)
    assert (bookings.new_count, bookings.left_over_bookings) == (1, ())


def test_trophy_and_engraving_names_are_unique_ignoring_case() -> None:
    club, user = evenings.create_club_with_director()
    trophy = create_trophy(club=club, name="Übergangspokal", by=user)
    with pytest.raises(SeasonActionRefused, match="already a trophy with this name"):
        create_trophy(club=club, name="ÜBERGANGSPOKAL", by=user)
    engrave_trophy(trophy=trophy, year="Évek 2026", winner_names=["Ann"], by=user)
    with pytest.raises(SeasonActionRefused):
        engrave_trophy(trophy=trophy, year="évek 2026", winner_names=["Bob"], by=user)
    assert trophy.engravings.count() == 1


def test_login_names_are_unique_across_clubs_ignoring_case() -> None:
    club_and_user = evenings.create_club_with_director()
    evenings.create_club_with_director("Other club", "łucja")
    with pytest.raises(MembershipChangeRefused, match="is taken"):
        clubs.services.add_member(
            club=club_and_user[0],
            login="Łucja",
            role="scorer",
            form_key="0" * 32,
            by=club_and_user[1],
        )
    assert Membership.objects.count() == 2


@pytest.mark.parametrize("typed_value", ["łódź", "Łódź", "ŁÓDŹ cup"])
def test_event_search_ignores_case(client: Client, typed_value: str) -> None:
    evenings.create_event(0, name="Łódź Cup")
    page = client.get("/events/", {"q": typed_value}).content.decode()
    assert "Łódź Cup" in page.partition("<main")[2]
    assert "1 event found" in page
