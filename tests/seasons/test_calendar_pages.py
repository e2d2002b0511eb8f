"""Test the calendar's pages: booking by phone, the waiting list, entries and payments."""

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from icalendar import Calendar

from clubs import audit
from clubs.evenings import services
from clubs.evenings.services import NewPerson
from clubs.file_fields import UnusableFile
from clubs.models import BookingLink, Club, Fixture, Player, Series
from seasons.calendar.booking_file import import_booking_file
from seasons.calendar.booking_people import MAX_WRONG_ATTEMPTS_PER_IP
from seasons.calendar.forms import build_fixture_initial_data
from seasons.calendar.services import enter_bookings, record_expected_attendance
from seasons.calendar.sheets.evening import compute_table_money
from seasons.calendar.tasks import fill_calendar, list_series_pks_to_fill
from server.models import User
from tests import evenings
from tournaments.models import Event

pytestmark = pytest.mark.django_db
PEOPLE = [("Ann Pole", "7"), ("Bob Nowak", "0012"), ("Cat Jones", "9"), ("Dan Gale", "10")]
SERIES_FORM = {
    "title": "Tuesdays", "kind": "weekly", "weekday": "1", "every": "1", "nth": "1",
    "start": "19:00", "minutes": "180", "place": "The Old School", "contest": "pairs",
    "method": "", "books": "on", "unit": "pairs", "places": "1", "opens_days": "30",
    "closes_hours": "3", "fee_member": "3", "fee_visitor": "5.50", "fee_junior": "",
}  # fmt: skip


@pytest.fixture
def club_and_user() -> tuple[Club, User]:
    club, user = evenings.create_club_with_director()
    for name, number in PEOPLE:
        Player.objects.create(club=club, name=name, number=number)
    return club, user


@pytest.fixture
def desk(client: Client, club_and_user: tuple[Club, User]) -> Client:
    client.force_login(club_and_user[1])
    return client


def create_upcoming_fixture(club: Club, user: User, **changes: Any) -> Fixture:
    day = timezone.localdate() + timedelta(days=5)
    values = {
        "date": day, "start": None, "place": "", "title": "Tuesday", "books": True,
        "places": 1, "unit": "pairs", "fee_member": 300, "fee_visitor": 550, **changes,
    }  # fmt: skip
    return services.create_fixture(club=club, values_by_field=values, by=user)


def build_fixture_path(fixture: Fixture) -> str:
    return reverse("fixture", args=[fixture.club.slug, fixture.uid])


def person_index(fixture: Fixture, who: int, **more: str) -> Any:
    name, number = PEOPLE[who]
    form = {"name": name, "number": number, "act": "book", **more}
    return Client().post(build_fixture_path(fixture), form)


def test_one_form_creates_a_year_of_evenings_in_calendar_feed(
    desk: Client, club_and_user: tuple[Club, User]
) -> None:
    club = club_and_user[0]
    form = SERIES_FORM | {"first": timezone.localdate().isoformat(), "club": club.slug}
    assert desk.post(reverse("series_new"), form).status_code == 302
    assert desk.post(reverse("series_new"), form).status_code == 302
    series = Series.objects.get()
    count = series.fixtures.count()
    assert count in (52, 53)
    assert list_series_pks_to_fill() == []
    series.fixtures.last().delete()
    next_fixture = series.fixtures.first()
    next_fixture.delete()
    assert list_series_pks_to_fill() == [series.pk]
    fill_calendar(series.pk)
    assert (series.fixtures.count(), list_series_pks_to_fill()) == (count, [])
    calendar_url = reverse("calendar_ics", args=[club.slug])
    response = desk.get(calendar_url)
    events: Any = Calendar.from_ical(response.content).walk("VEVENT")
    assert len(events) == count
    assert {event["DTSTART"].dt.hour for event in events} == {19}
    assert (
        desk.get(calendar_url, headers={"If-None-Match": response["ETag"]}).status_code == 304
    )
    edit_url = reverse("series_edit", args=[series.slug])
    changed_form = form | {"place": "The Hall"}
    html = desk.post(edit_url, changed_form).content.decode()
    assert f"{count} upcoming evenings, 0 of them have bookings" in html
    assert desk.post(edit_url, changed_form | {"sure": "1"}).status_code == 302
    assert set(series.fixtures.values_list("evening__place", flat=True)) == {"The Hall"}
    assert desk.get(calendar_url)["ETag"] != response["ETag"]
    wrong_response = desk.post(
        reverse("series_new"), form | {"last": "2001-01-01", "fee_member": "a"}
    )
    assert wrong_response.status_code == 400
    assert "an amount" in wrong_response.content.decode()


def test_phone_booking_with_partner_waits_and_moves_up(
    club_and_user: tuple[Club, User],
) -> None:
    upcoming_fixture = create_upcoming_fixture(*club_and_user)
    first_response = person_index(upcoming_fixture, 0, partner="bob nowak")
    assert first_response.status_code == 302
    repeated_response = person_index(upcoming_fixture, 0, act="look")
    assert repeated_response["Location"] == first_response["Location"]
    person_index(upcoming_fixture, 2, partner="Dan Gale")
    html = (
        Client().get(person_index(upcoming_fixture, 2, act="look")["Location"]).content.decode()
    )
    assert "number 1 on the waiting list" in html
    partner = person_index(upcoming_fixture, 1, act="look")["Location"]
    assert "Ann Pole has booked you" in Client().get(partner).content.decode()
    assert Client().post(partner, {"act": "accept"}).status_code == 302
    Client().post(first_response["Location"], {"act": "leave_both"})
    assert (
        "You have a place."
        in Client()
        .get(person_index(upcoming_fixture, 3, act="look")["Location"])
        .content.decode()
    )
    public = Client().get(build_fixture_path(upcoming_fixture)).content.decode()
    assert "2 players booked" in public
    assert not re.search("Cat|Dan|Ann|Bob", public)


def test_wrong_player_number_reveals_nothing_and_retries_are_throttled(
    club_and_user: tuple[Club, User],
) -> None:
    upcoming_fixture = create_upcoming_fixture(*club_and_user)
    form = {"name": "Ann Pole", "number": "8", "act": "book"}
    other_form = form | {"name": "Nobody Atall"}
    problems = [
        Client().post(build_fixture_path(upcoming_fixture), posted_form).context["problem"]
        for posted_form in (form, other_form)
    ]
    assert problems[0] == problems[1]
    for _attempt in range(MAX_WRONG_ATTEMPTS_PER_IP - 2):
        Client().post(build_fixture_path(upcoming_fixture), form)
    assert (
        "Too many tries"
        in Client().post(build_fixture_path(upcoming_fixture), form).context["problem"]
    )
    assert not BookingLink.objects.exists()


def test_one_click_enters_bookings_and_second_click_only_new_ones(
    desk: Client, club_and_user: tuple[Club, User]
) -> None:
    upcoming_fixture = create_upcoming_fixture(*club_and_user, places=None)
    person_index(upcoming_fixture, 0, partner="Bob Nowak")
    person_index(upcoming_fixture, 2)
    enter_url = reverse("fixture_enter", args=[upcoming_fixture.uid])
    response = desk.post(enter_url)
    event = Event.objects.get()
    assert [str(message) for message in get_messages(response.wsgi_request)] == [
        "1 added to the event.",
        "Cat Jones: has no partner",
    ]
    assert event.sessions.get().evening_id == upcoming_fixture.evening_id
    numbers = event.entries.get().players.values_list("number", flat=True)
    assert set(numbers) == {"7", "0012"}
    desk.post(
        reverse("fixture_act", args=[upcoming_fixture.uid]),
        {"act": "book", "name": "Eve New", "is_host": "1"},
    )
    desk.post(enter_url)
    desk.post(enter_url)
    names = sorted(event.entries.values_list("name", flat=True))
    assert names == ["Ann Pole & Bob Nowak", "Cat Jones & Eve New"]
    assert Player.objects.get(name="Eve New").kind == "visitor"
    booking_url = person_index(upcoming_fixture, 0, act="look")["Location"]
    Client().post(booking_url, {"act": "leave"})
    html = desk.get(reverse("fixture_desk", args=[upcoming_fixture.uid])).content.decode()
    assert "Ann Pole has cancelled but is entered as number 1" in html
    assert record_expected_attendance(fixture=upcoming_fixture, by=club_and_user[1]) == 4
    desk.post(reverse("fixture_edit", args=[upcoming_fixture.uid]), {})
    assert Event.objects.count() == 1


def test_payments_are_recorded_by_tap_and_debts_carry_over(
    desk: Client, club_and_user: tuple[Club, User]
) -> None:
    club, user = club_and_user
    past_fixture = create_upcoming_fixture(
        club, user, date=timezone.localdate() - timedelta(days=7), title="Before"
    )
    upcoming_fixture = create_upcoming_fixture(club, user)
    people = list(club.players.order_by("name"))
    [debt] = services.record_attendance(fixture=past_fixture, players=people[:1], by=user)
    rows = services.record_attendance(fixture=upcoming_fixture, players=people, by=user)
    address, act = (
        reverse(name, args=[upcoming_fixture.uid]) for name in ("fixture_money", "money_act")
    )
    assert "owes £3.00 from" in desk.get(address).content.decode()
    desk.post(act, {"act": "visitor", "person": rows[1].pk})
    for row, how in ((rows[0], "cash"), (rows[1], "other"), (rows[2], "free"), (debt, "cash")):
        desk.post(act, {"act": how, "person": row.pk})
    table_money = compute_table_money(
        upcoming_fixture, list(upcoming_fixture.attendances.all())
    )
    assert (
        table_money.expected_amount,
        table_money.received_amount,
        table_money.owed_amount,
        table_money.waived_amount,
    ) == (1450, 850, 300, 300)
    assert (table_money.cash_amount, table_money.other_payment_amount) == (600, 550)
    table = desk.get(reverse("money_csv", args=[upcoming_fixture.uid])).content.decode(
        "utf-8-sig"
    )
    assert "Bob Nowak,visitor,5.50,GBP,other" in table
    assert desk.get(reverse("money_pdf", args=[upcoming_fixture.uid])).content.startswith(
        b"%PDF"
    )


def test_booking_pages_run_constant_number_of_queries(
    desk: Client, club_and_user: tuple[Club, User]
) -> None:
    upcoming_fixture = create_upcoming_fixture(*club_and_user, places=None)
    addresses = [
        build_fixture_path(upcoming_fixture),
        reverse("calendar", args=[upcoming_fixture.club.slug]),
        reverse("fixture_desk", args=[upcoming_fixture.uid]),
        reverse("fixture_money", args=[upcoming_fixture.uid]),
        reverse("own_calendar"),
    ]
    person_index(upcoming_fixture, 0)
    record_expected_attendance(fixture=upcoming_fixture, by=None)
    query_counts = [count_queries(desk, address) for address in addresses]
    for number in range(1, 4):
        person_index(upcoming_fixture, number)
    record_expected_attendance(fixture=upcoming_fixture, by=None)
    create_upcoming_fixture(*club_and_user, title="Another")
    assert [count_queries(desk, address) for address in addresses] == query_counts


def count_queries(client: Client, address: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        assert client.get(address).status_code == 200
    return len(queries)


def test_other_clubs_cannot_see_booking_desk_or_payments(
    club_and_user: tuple[Club, User],
) -> None:
    upcoming_fixture = create_upcoming_fixture(*club_and_user)
    stranger = Client()
    stranger.force_login(User.objects.create(username="stranger"))
    for name in ("fixture_desk", "fixture_money", "money_csv", "money_pdf"):
        assert stranger.get(reverse(name, args=[upcoming_fixture.uid])).status_code == 404
        assert Client().get(reverse(name, args=[upcoming_fixture.uid])).status_code == 302
    assert enter_bookings(fixture=upcoming_fixture, by=club_and_user[1]).new_count == 0


def test_bookings_from_server_are_imported_once_from_file(
    desk: Client, club_and_user: tuple[Club, User]
) -> None:
    upcoming_fixture = create_upcoming_fixture(*club_and_user, places=None)
    person_index(upcoming_fixture, 0, partner="Bob Nowak")
    person_index(upcoming_fixture, 2)
    content = desk.get(reverse("bookings_file")).content
    upcoming_fixture.bookings.all().delete()
    people = [NewPerson(player=upcoming_fixture.club.players.get(name="Cat Jones"))]
    services.create_booking(fixture=upcoming_fixture, people=people, by=club_and_user[1])
    import_result = import_booking_file(document=content, club=upcoming_fixture.club, by=None)
    assert (
        import_result.new_count,
        import_result.changed_count,
        import_result.cancelled_booking_count,
        import_result.skipped_names,
    ) == (
        1,
        0,
        0,
        ["Cat Jones"],
    )
    acts = audit.list_acts(upcoming_fixture).count()
    repeated_import = import_booking_file(document=content, club=upcoming_fixture.club, by=None)
    assert (
        repeated_import.new_count,
        repeated_import.changed_count,
        repeated_import.cancelled_booking_count,
    ) == (0, 0, 0)
    assert audit.list_acts(upcoming_fixture).count() == acts
    document = json.loads(content)
    document["evenings"][0]["bookings"] = []
    upload = SimpleUploadedFile("b.json", json.dumps(document).encode())
    desk.post(reverse("bookings_fetch"), {"file": upload})
    assert [row.is_fetched for row in upcoming_fixture.bookings.all()] == [False]
    document["club"] = {"uid": str(upcoming_fixture.uid), "name": "Lakeside"}
    with pytest.raises(UnusableFile, match="another club"):
        import_booking_file(
            document=json.dumps(document).encode(), club=upcoming_fixture.club, by=None
        )


def test_api_reads_calendar_and_directors_book_through_it(
    desk: Client, club_and_user: tuple[Club, User], capsys: pytest.CaptureFixture[str]
) -> None:
    upcoming_fixture = create_upcoming_fixture(*club_and_user)
    base = f"/api/clubs/{upcoming_fixture.club.slug}"
    [line] = Client().get(f"{base}/calendar/").json()["results"]
    assert (line["uid"], line["places_left"]) == (str(upcoming_fixture.uid), 1)
    assert Client().get(f"{base}/bookings/").status_code in (401, 403)
    form = {"people": ["Ann Pole", "Bob Nowak"]}
    data = [
        desk.post(
            f"{base}/calendar/{upcoming_fixture.uid}/bookings/", form, "application/json"
        ).json()
        for _attempt in range(2)
    ]
    assert data[0] == data[1]
    [evening] = desk.get(f"{base}/bookings/").json()["evenings"]
    assert evening["bookings"][0]["people"][1]["number"] == "0012"
    call_command("calendar", upcoming_fixture.club.slug, format="json")
    assert json.loads(capsys.readouterr().out)["evenings"][0]["uid"] == str(
        upcoming_fixture.uid
    )
    with pytest.raises(CommandError, match="Club nowhere not found"):
        call_command("calendar", "nowhere")


def build_edit_form(fixture: Fixture, **changes: Any) -> dict[str, Any]:
    """Return the complete form of an evening."""
    fixture_initial = build_fixture_initial_data(Fixture.objects.get(pk=fixture.pk)) | changes
    return {key: value for key, value in fixture_initial.items() if value not in (None, False)}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("closes_hours", "changes", "expected_places"),
    [
        (720, {"title": "Cup"}, [False, False]),
        (720, {"place": "Hall", "minutes": 200}, [False, False]),
        (720, {"places": 2}, [True, True]),
        (720, {"unit": "pairs"}, [True, True]),
        (720, {"closes_hours": 3}, [True, False]),
        (3, {"title": "Cup"}, [True, False]),
    ],
)
def test_save_after_closing_promotes_waiting_list_only_for_added_places(
    desk: Client,
    club_and_user: tuple[Club, User],
    closes_hours: int,
    changes: dict[str, Any],
    expected_places: Any,
) -> None:
    upcoming_fixture = create_upcoming_fixture(
        *club_and_user, closes_hours=closes_hours, unit="players"
    )
    for name in ("Ann Pole", "Bob Nowak", "Cat Jones"):
        new_person = NewPerson(player=Player.objects.get(name=name))
        services.create_booking(
            fixture=upcoming_fixture, people=[new_person], is_director=True, by=None
        )
    ann = upcoming_fixture.booked.get(player__name="Ann Pole").key
    services.leave_booking(fixture=upcoming_fixture, person_key=ann, is_director=True, by=None)
    edit = reverse("fixture_edit", args=[upcoming_fixture.uid])
    assert desk.post(edit, build_edit_form(upcoming_fixture, **changes)).status_code == 302
    assert [row.has_place for row in upcoming_fixture.bookings.all()] == expected_places
