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
from clubs.services.members import MemberRefused
from seasons.calendar.services import enter_bookings
from seasons.ladders.errors import SeasonRefused
from seasons.ladders.services.trophies import create_trophy, engrave
from tests import evenings
from tournaments.services import add_player
from tournaments.services.entries import find_or_create_players

pytestmark = [pytest.mark.django_db]


def soon(**more: Any) -> Fixture:
    club, user = evenings.club()
    day = timezone.localdate() + timedelta(days=5)
    values = {"date": day, "start": None, "place": "", "title": "Tuesday", "unit": "pairs"}
    return services.create_fixture(club=club, values=values | more, by=user)


def test_a_guest_booked_in_small_letters_is_the_player_of_the_club() -> None:
    at = soon()
    known = Player.objects.create(club=at.club, name="Łucja Nowak", kind=Player.Kind.PAST)
    people = [NewPerson(name="łucja nowak"), NewPerson(name="Ann")]
    services.create_booking(fixture=at, people=people, is_director=True, by=None)
    entered = enter_bookings(fixture=at, by=None)
    assert entered.left == ()
    assert Player.objects.filter(name__contains="ucja").get() == known
    assert known in entered.event.entries.get().players.all()
    assert enter_bookings(fixture=at, by=None).new == 0


def test_one_name_is_looked_for_without_reading_the_names_of_a_club() -> None:
    club, _user = evenings.club()
    Player.objects.bulk_create(Player(club=club, name=f"Ann Pole {at}") for at in range(30))
    known = Player.objects.create(club=club, name="Łucja Nowak")
    with CaptureQueriesContext(connection) as asked:
        assert add_player(club=club, name="łucja nowak", by=None) == known
        assert find_or_create_players(club, ["łucja nowak", "Lucja Nowak"])[0][0] == known
    looked = [it["sql"] for it in asked.captured_queries if 'FROM "clubs_player"' in it["sql"]]
    assert looked
    assert all('"plain"' in sql.partition("WHERE")[2] or "IN (" in sql for sql in looked)


def test_a_guest_whom_a_host_fills_up_is_not_left_over() -> None:
    at = soon()
    Player.objects.create(club=at.club, name="Łucja Nowak")
    for name, is_host in (("łucja nowak", False), ("Ann", True)):
        people, wishes = (
            [NewPerson(name=name)],
            BookingOptions(is_host=is_host, needs_host=not is_host),
        )
        services.create_booking(
            fixture=at, people=people, options=wishes, is_director=True, by=None
        )
    entered = enter_bookings(fixture=at, by=None)
    assert (entered.new, entered.left) == (1, ())


def test_no_second_trophy_and_no_second_engraving_of_a_name() -> None:
    club, user = evenings.club()
    trophy = create_trophy(club=club, name="Übergangspokal", by=user)
    with pytest.raises(SeasonRefused, match="already a trophy of this name"):
        create_trophy(club=club, name="ÜBERGANGSPOKAL", by=user)
    engrave(trophy=trophy, year="Évek 2026", names=["Ann"], by=user)
    with pytest.raises(SeasonRefused):
        engrave(trophy=trophy, year="évek 2026", names=["Bob"], by=user)
    assert trophy.engravings.count() == 1


def test_a_login_of_another_club_is_no_other_in_capitals() -> None:
    home = evenings.club()
    evenings.club("Other club", "łucja")
    with pytest.raises(MemberRefused, match="is taken"):
        clubs.services.add_member(
            club=home[0], login="Łucja", role="scorer", form_key="0" * 32, by=home[1]
        )
    assert Membership.objects.count() == 2


@pytest.mark.parametrize("typed", ["łódź", "Łódź", "ŁÓDŹ cup"])
def test_an_event_is_found_in_capitals_or_not(client: Client, typed: str) -> None:
    evenings.event(0, name="Łódź Cup")
    page = client.get("/events/", {"q": typed}).content.decode()
    assert "Łódź Cup" in page.partition("<main")[2]
    assert "1 event found" in page
