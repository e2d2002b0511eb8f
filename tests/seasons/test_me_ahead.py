"""Test upcoming items on a person's page: seats, bookings, ladders, a calendar feed."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from icalendar import Calendar

from clubs.evenings import services
from clubs.evenings.services import NewPerson
from clubs.models import Booking, BookingLink, Club, Evening, Fixture, Player
from clubs.services.person_links import create_person_links, revoke_person_links
from seasons.ladders.services.importing import import_season
from seasons.people.sheets.own_page import (
    list_own_ladders,
    list_todays_seats,
    list_upcoming_evenings,
)
from seasons.people.views.person_links import compute_link_expiry
from tests import evenings

pytestmark = pytest.mark.django_db


def open_personal_link(person: Player) -> tuple[Client, str]:
    ends = compute_link_expiry(person.club)
    (link,) = create_person_links(club=person.club, players=[person], ends_at=ends, by=None)
    client = Client(enforce_csrf_checks=True)
    client.get(link.path)
    return client, link.path


def create_fixture(club: Club, days: int = 5, **changes: Any) -> Fixture:
    values = {
        "date": timezone.localdate() + timedelta(days=days), "start": None, "place": "",
        "title": "Tuesday", "books": True, "places": 1, "unit": "players", **changes,
    }  # fmt: skip
    return services.create_fixture(club=club, values_by_field=values, by=None)


@pytest.fixture
def ann() -> Player:
    club, _user = evenings.create_club_with_director()
    Player.objects.create(club=club, name="Bob Nowak", number="12")
    return Player.objects.create(club=club, name="Ann Pole", number="7")


def post_with_csrf_token(client: Client, url: str, **data: str) -> Any:
    token = client.cookies.get("csrftoken")
    sent_data = data | {"csrfmiddlewaretoken": token.value if token else ""}
    return client.post(url, sent_data)


def test_person_books_and_cancels_using_personal_page(ann: Player) -> None:
    fixture = create_fixture(ann.club)
    client, _path = open_personal_link(ann)
    address = reverse("me_booking", args=[fixture.uid])
    assert address in client.get("/me/").content.decode()
    assert client.post(address, {"act": "book"}).status_code == 403  # not from another site
    client.get(address)
    assert post_with_csrf_token(client, address, act="book").status_code == 302
    assert "You have a place." in client.get(address).content.decode()
    assert post_with_csrf_token(client, address, act="book").status_code == 302
    assert Booking.objects.count() == 1
    assert [
        (upcoming_evening.is_booked, upcoming_evening.has_place)
        for upcoming_evening in list_upcoming_evenings(ann)
    ] == [(True, True)]
    post_with_csrf_token(client, address, act="leave")
    assert not Booking.objects.exists()
    assert Client().get(address).status_code == 404
    other_club_fixture = create_fixture(
        evenings.create_club_with_director("Other Club", "other")[0]
    )
    assert client.get(reverse("me_booking", args=[other_club_fixture.uid])).status_code == 404


def test_old_booking_link_still_works(ann: Player) -> None:
    fixture = create_fixture(ann.club)
    services.create_booking(fixture=fixture, people=[NewPerson(player=ann)], by=None)
    link = services.get_or_create_booking_link(
        fixture=fixture, new_person=NewPerson(player=ann), by=None
    )
    page = Client().get(link.path)
    assert "You have a place." in page.content.decode()
    assert "/me/" not in page.content.decode()  # only a number was given
    assert Client(enforce_csrf_checks=True).post(link.path, {"act": "leave"}).status_code == 302
    assert BookingLink.objects.count() == 1
    assert list_upcoming_evenings(ann)[0].is_booked is False


def test_booking_by_partner_needs_consent_and_waiting_place_is_shown(ann: Player) -> None:
    bob = ann.club.players.get(name="Bob Nowak")
    fixture = create_fixture(ann.club, unit="pairs")
    services.create_booking(
        fixture=fixture,
        people=[NewPerson(player=bob), NewPerson(player=ann, has_accepted=False)],
        by=None,
    )
    (first_evening,) = list_upcoming_evenings(ann)
    assert (first_evening.must_answer, first_evening.partners) == (True, ("Bob Nowak",))
    full = create_fixture(ann.club, days=6)
    services.create_booking(fixture=full, people=[NewPerson(player=bob)], by=None)
    services.create_booking(fixture=full, people=[NewPerson(player=ann)], by=None)
    assert [
        (upcoming_evening.is_booked, upcoming_evening.has_place)
        for upcoming_evening in list_upcoming_evenings(ann)
    ][1] == (
        True,
        False,
    )
    text = open_personal_link(ann)[0].get("/me/").content.decode()
    assert "Bob Nowak is waiting for your answer" in text
    assert "waiting" in text


@pytest.mark.parametrize(
    "distant_date", [date.max, date(9999, 12, 30), date(2201, 1, 1), date.min]
)
@pytest.mark.parametrize("start", ["19:00", None])
def test_personal_calendar_omits_distant_date_like_club_calendar(
    ann: Player, start: str | None, distant_date: date
) -> None:
    fixture, distant_fixture = (
        create_fixture(ann.club),
        create_fixture(ann.club, days=6, start=start),
    )
    for booked_fixture in (fixture, distant_fixture):
        services.create_booking(fixture=booked_fixture, people=[NewPerson(player=ann)], by=None)
    Evening.objects.filter(fixture=distant_fixture).update(
        date=distant_date
    )  # as an older version allowed
    calendar = Calendar.from_ical(
        Client().get(f"{open_personal_link(ann)[1]}calendar.ics").content
    )
    assert [str(component["UID"]) for component in calendar.walk("VEVENT")] == [
        f"{fixture.uid}@overplay"
    ]


def test_personal_calendar_lists_booked_evenings_until_link_is_revoked(
    ann: Player,
) -> None:
    own_fixture, other_fixture = (
        create_fixture(ann.club, start="19:00"),
        create_fixture(ann.club, days=12),
    )
    services.create_booking(fixture=own_fixture, people=[NewPerson(player=ann)], by=None)
    client, path = open_personal_link(ann)
    html = client.get("/me/calendar/").content.decode()
    address = f"{path}calendar.ics"
    assert address in html
    response = Client().get(address)
    assert response["Content-Type"].startswith("text/calendar")
    read = Calendar.from_ical(response.content)
    assert [str(component["UID"]) for component in read.walk("VEVENT")] == [
        f"{own_fixture.uid}@overplay"
    ]
    assert str(other_fixture.uid) not in response.content.decode()
    assert client.get("/me/calendar.ics").content == response.content
    repeated_response = Client().get(address, headers={"if-none-match": response["ETag"]})
    assert repeated_response.status_code == 304
    assert Client().get("/me/calendar.ics").status_code == 404
    assert Client().get("/me/" + "x" * 22 + "/calendar.ics").status_code == 404
    revoke_person_links(player=ann, by=None)
    assert Client().get(address).status_code == 404


def test_tonight_page_shows_seat_in_current_round() -> None:
    session, _user = evenings.open_session(6)
    person = session.event.entries.get(number=1).players.order_by("pk")[0]
    assert list_todays_seats(person) == []  # it was on another date
    Evening.objects.filter(pk=session.evening_id).update(date=timezone.localdate())
    (seat,) = list_todays_seats(person)
    assert (seat.event_slug, seat.round_number) == (session.event.slug, 1)
    assert seat.seat_text.startswith("table ")
    text = open_personal_link(person)[0].get("/me/").content.decode()
    assert seat.seat_text[1:] in text


def test_rank_in_each_ladder_is_shown() -> None:
    rule = {"who": "players", "measure": "plus", "combine": "sum"}
    document = {
        "format": "whist-season/1",
        "club": {"name": "Riverside"},
        "players": [{"id": n[0], "name": n, "member": True} for n in ("Ann", "Bo")],
        "season": {
            "slug": "s", "name": "S", "handicap": {},
            "from": "2026-01-01", "to": "2026-12-31",
        },
        "ladders": [
            {"slug": "all", "name": "All", **rule},
            {"slug": "many", "name": "Many", "minimum": 3, **rule},
        ],
        "evenings": [
            {
                "slug": "one",
                "date": date(2026, 1, 6).isoformat(),
                "boards": 24,
                "entries": [
                    {"players": ["A"], "score": 2},
                    {"players": ["B"], "score": 5},
                ],
            }
        ],
    }  # fmt: skip
    season = import_season(document=document, by=None)
    ann = season.club.players.get(name="Ann")
    all_ladder, many_ladder = list_own_ladders(ann)
    assert (all_ladder.rank_text, all_ladder.ranked_count, all_ladder.total) == ("2", 2, "2")
    assert (many_ladder.rank_text, many_ladder.missing_evening_count) == ("", 2)
    text = open_personal_link(ann)[0].get("/me/").content.decode()
    assert "place 2/2" in text
    assert "1 of 5 evenings needed" in text


def test_ten_upcoming_evenings_need_as_many_queries_as_one(ann: Player) -> None:
    def count_queries() -> int:
        with CaptureQueriesContext(connection) as queries:
            list_upcoming_evenings(ann)
        return len(queries)

    services.create_booking(
        fixture=create_fixture(ann.club), people=[NewPerson(player=ann)], by=None
    )
    query_count = count_queries()
    for days in range(6, 15):
        services.create_booking(
            fixture=create_fixture(ann.club, days), people=[NewPerson(player=ann)], by=None
        )
    assert count_queries() == query_count
    assert len(list_upcoming_evenings(ann)) == 10


def test_booking_page_explains_why_evening_takes_no_bookings(ann: Player) -> None:
    client, _path = open_personal_link(ann)
    address = reverse("me_booking", args=[create_fixture(ann.club, books=False).uid])
    assert "This evening takes no bookings." in client.get(address).content.decode()
    url = reverse("me_booking", args=[create_fixture(ann.club, days=90).uid])
    assert "booking is closed" in client.get(url).content.decode()
