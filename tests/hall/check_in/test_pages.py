"""Check-in works on phones at the tables and on the director's list and start pages."""

import html
import re
from datetime import date
from typing import Any

import pytest
from django.test import Client

import drives.services
import scoring.services
from clubs.evenings import services
from clubs.models import (
    BookedPerson,
    Booking,
    BookingLink,
    CheckIn,
    Evening,
    Fixture,
    Player,
    TableLink,
)
from drives.models import Drive
from server.models import User
from tests import evenings
from tests.copies import build_once
from tournaments.models import Event, Place, Session

pytestmark = pytest.mark.django_db

HTMX_HEADERS = {"HX-Request": "true"}


@build_once
def open_event_check_in() -> tuple[Event, User]:
    """Create an event without pairs, with check-in open at four tables."""
    club, user = evenings.create_club_with_director()
    for name, visibility in (
        ("Ann Alder", "name"),
        ("Anna Birch", "name"),
        ("Bob Brown", "nobody"),
        ("Cy Cole", "name"),
    ):
        Player.objects.create(club=club, name=name, shown=visibility)
    event = scoring.services.create_event(
        club=club, name="Tuesday", date=date(2026, 3, 10), by=user
    )
    session = event.sessions.get()
    services.open_check_in(evening=session.evening, table_count=4, subject=event, by=user)
    return event, user


@build_once
def open_drive_check_in() -> tuple[Drive, User]:
    club, user = evenings.create_club_with_director()
    drive = drives.services.create_drive(
        club=club, name="Drive", date=date(2026, 3, 10), form="progressive",
        players=[],
        is_started=False, by=user,
    )  # fmt: skip
    services.open_check_in(evening=drive.evening, table_count=7, subject=drive, by=user)
    return drive, user


class Hall:
    """A hall with its phones, which have no login, and the director's browser."""

    def __init__(self, activity: Event | Drive, user: User) -> None:
        is_event = isinstance(activity, Event)
        self.activity = activity
        self.evening: Evening = (
            activity.sessions.get().evening if isinstance(activity, Event) else activity.evening
        )
        self.desk = f"/director/{'events' if is_event else 'drives'}/{activity.slug}/check-in/"
        self.phone = Client(headers={"Host": "testserver"})
        self.director = Client()
        self.director.force_login(user)

    def link(self, table: int) -> str:
        return TableLink.objects.get(evening=self.evening, table=table, revoked_at=None).path

    def sit(self, table: int, seat: int, name: str, **fields: Any) -> Any:
        values = {"act": "sit", "seat": seat, "name": name} | fields
        return self.phone.post(f"{self.link(table)}check-in/", values)

    def load_phone_page(self, table: int, query: str = "", **headers: str) -> str:
        response = self.phone.get(f"{self.link(table)}check-in/{query}", headers=headers)
        assert response.status_code == 200
        return response.content.decode()

    def act(self, act: str, **values: Any) -> str:
        response = self.director.post(f"{self.desk}act/", {"act": act} | values, follow=True)
        assert response.status_code == 200
        return response.content.decode()

    def map_chairs(self) -> dict[str, tuple[int | None, int | None]]:
        rows = CheckIn.objects.filter(evening=self.evening)
        return {row.name: (row.table, row.seat) for row in rows}

    def fill_tables(self, tables: int) -> None:
        for table in range(1, tables + 1):
            for seat in (1, 2, 3, 4):
                name = f"{evenings.SURNAMES[4 * (table - 1) % 24 + seat - 1]} {table}{seat}"
                assert self.sit(table, seat, name, **{"pick-name": "guest"}).status_code == 302


@pytest.fixture
def hall() -> Hall:
    return Hall(*open_event_check_in())


@pytest.fixture
def drive() -> Hall:
    return Hall(*open_drive_check_in())


def test_table_code_page_offers_four_seats(hall: Hall) -> None:
    response = hall.phone.get(hall.link(3))
    assert response.status_code == 302
    assert response["Location"] == f"{hall.link(3)}check-in/"
    page = hall.load_phone_page(3)
    assert page.count("Sit here") == 4
    assert "North" in page
    assert "Table 3" in page


def test_name_is_offered_after_three_letters_and_only_with_a_table_code(hall: Hall) -> None:
    assert "Ann Alder" not in hall.load_phone_page(1, "?seat=1&name=an", **HTMX_HEADERS)
    offered_names_html = hall.load_phone_page(1, "?seat=1&name=ann", **HTMX_HEADERS)
    assert re.findall(r"Ann\w* \w+", offered_names_html) == ["Ann Alder", "Anna Birch"]
    assert "<html" not in offered_names_html
    assert "Bob" not in hall.load_phone_page(1, "?seat=1&name=bob", **HTMX_HEADERS)
    wrong_response = hall.phone.get("/t/nonsense/check-in/?seat=1&name=ann")
    assert wrong_response.status_code == 404
    assert b"Alder" not in wrong_response.content


def test_cancelled_code_shows_no_name_and_seats_no_one(hall: Hall) -> None:
    path = f"{hall.link(1)}check-in/"
    TableLink.objects.filter(evening=hall.evening, table=1).first().revoke()
    responses = [
        hall.phone.get(f"{path}?seat=1&name=ann"),
        hall.phone.post(path, {"act": "sit", "seat": "1", "name": "Ann Alder"}),
    ]
    assert [response.status_code for response in responses] == [410, 410]
    assert not any(b"Alder" in response.content for response in responses)
    assert hall.map_chairs() == {}


def test_incomplete_name_without_javascript_offers_a_choice(hall: Hall) -> None:
    response = hall.sit(1, 1, "ann")
    assert response.status_code == 400
    page = response.content.decode()
    player_pk = Player.objects.get(name="Ann Alder").pk
    assert f'name="pick-name" value="{player_pk}"' in page
    assert "New guest" in page
    assert hall.sit(1, 1, "ann", **{"pick-name": player_pk}).status_code == 302
    assert hall.map_chairs() == {"Ann Alder": (1, 1)}


def test_only_an_offered_name_can_be_picked(hall: Hall) -> None:
    hidden_player_pk = Player.objects.get(name="Bob Brown").pk
    hall.sit(1, 1, "Xavier New", **{"pick-name": hidden_player_pk})
    assert hall.map_chairs() == {"Xavier New": (1, 1)}
    assert CheckIn.objects.get().player is None


def test_guest_and_hidden_player_get_the_same_response(hall: Hall) -> None:
    hidden_response, guest_response = hall.sit(1, 1, "Bob Brown"), hall.sit(1, 2, "Zed Brown")
    assert (hidden_response.status_code, hidden_response["Location"]) == (
        guest_response.status_code,
        guest_response["Location"],
    )
    page = hall.load_phone_page(1)
    assert "Bob Brown" in page
    assert "Zed Brown" in page
    assert CheckIn.objects.get(name="Bob Brown").player is not None


def test_pair_takes_both_seats_from_one_phone(hall: Hall) -> None:
    hall.sit(2, 4, "Ann Alder", partner="Dora Dale")
    assert hall.map_chairs() == {"Ann Alder": (2, 4), "Dora Dale": (2, 2)}


def test_booked_pair_sits_down_in_one_tap(hall: Hall) -> None:
    pair = [Player.objects.get(name=name) for name in ("Ann Alder", "Cy Cole")]
    fixture = Fixture.objects.create(evening=hall.evening, changed_at="2026-01-01T00:00Z")
    booking = Booking.objects.create(
        uid="0" * 32, fixture=fixture, order=1, has_place=True, made_at="2026-01-01T00:00Z"
    )
    for order, player in enumerate(pair):
        BookedPerson.objects.create(
            fixture=fixture, booking=booking, order=order, player=player
        )
    assert "Cy Cole" in hall.director.get(hall.desk).content.decode()
    value = f"{pair[0].pk}-{pair[1].pk}"
    assert f'value="{value}"' in hall.load_phone_page(1, "?seat=1&name=ann")
    assert "Ann Alder &amp; Cy Cole (booked)" in hall.load_phone_page(1, "?seat=1&name=ann")
    hall.sit(1, 1, "ann", **{"pick-name": value})
    assert hall.map_chairs() == {"Ann Alder": (1, 1), "Cy Cole": (1, 3)}


def test_person_seated_elsewhere_must_confirm_the_move(hall: Hall) -> None:
    hall.sit(1, 1, "Ann Alder")
    response = hall.sit(2, 2, "Ann Alder")
    assert response.status_code == 400
    page = response.content.decode()
    assert "Ann Alder already has a seat." in page
    assert 'name="move"' in page
    assert "able 1" not in page
    hall.sit(2, 2, "Ann Alder", move="1")
    assert hall.map_chairs() == {"Ann Alder": (2, 2)}


def test_person_leaves_only_from_their_own_table(hall: Hall) -> None:
    hall.sit(1, 1, "Ann Alder")
    key = CheckIn.objects.get().pk
    hall.phone.post(f"{hall.link(2)}check-in/", {"act": "leave", "person": key})
    assert hall.map_chairs() == {"Ann Alder": (1, 1)}
    hall.phone.post(f"{hall.link(1)}check-in/", {"act": "leave", "person": key})
    assert hall.map_chairs() == {}


def test_director_sees_the_list_of_arrivals(hall: Hall) -> None:
    hall.sit(1, 1, "Ann Alder", partner="Dora Dale")
    hall.sit(2, 2, "Zed Zwei")
    html = hall.director.get(hall.desk, headers=HTMX_HEADERS).content.decode()
    assert "<html" not in html
    assert "Ann Alder" in html
    counts_by_label = dict(re.findall(r"<dt>([^<]+)</dt><dd><strong>(\d+)", html))
    assert counts_by_label == {"People": "3", "Pairs": "1", "Half tables": "1"}


def test_anonymous_users_cannot_see_or_cancel_check_in(hall: Hall) -> None:
    for address in ("", "start/", "codes/"):
        assert hall.phone.get(hall.desk + address).status_code == 302
    assert hall.phone.post(f"{hall.desk}act/", {"act": "cancel"}).status_code == 302
    hall.evening.refresh_from_db()
    assert hall.evening.check_in_state == "open"


def test_director_adds_people_without_phones(hall: Hall) -> None:
    hall.act("add", name="Al Ash", partner="Bea Box", table="2")
    hall.act("add", name="Cy Cot", table="2")
    hall.act("add", name="Di Dew")
    assert hall.map_chairs() == {
        "Al Ash": (2, 1), "Bea Box": (2, 3), "Cy Cot": (2, 2), "Di Dew": (None, None)
    }  # fmt: skip
    hall.act("add", name="Ed Elm", table="2")
    assert "Table 2 is full." in hall.act("add", name="Fay Fox", table="2")
    assert "Enter a table number." in hall.act("add", name="Fay Fox", table="x")
    assert "first name" in hall.act("add", name="?")


def test_director_corrects_the_list_with_forms(hall: Hall) -> None:
    hall.sit(1, 1, "Al Ash", partner="Bea Box")
    al_pk, bea_pk = (
        CheckIn.objects.get(name="Al Ash").pk,
        CheckIn.objects.get(name="Bea Box").pk,
    )
    panel = hall.director.get(f"{hall.desk}?table=1").content.decode()
    assert panel.count("<select") == 4
    [seen] = re.findall(r'name="seen" value="([^"]+)"', panel)
    assert "Table 1 saved." in hall.act(
        "table", table=1, seen=seen, **{"seat-2": al_pk, "seat-4": bea_pk}
    )
    assert hall.map_chairs() == {"Al Ash": (1, 2), "Bea Box": (1, 4)}
    assert "This table has changed" in hall.act("table", table=1, seen=seen)
    assert "Al Ash moved to table 3." in hall.act("put", person=al_pk, table=3, seat=1)
    assert "Al Ash has no seat now." in hall.act("put", person=al_pk, table="", seat="")
    assert "Name corrected" in hall.act("rename", person=al_pk, name="Al Ashe")
    assert "Merged: Al Ashe." in hall.act("merge", kept=al_pk, gone=bea_pk)
    assert "Removed." in hall.act("leave", person=al_pk)
    assert hall.map_chairs() == {}
    assert "Choose an action." in hall.act("nonsense")


def test_dragging_a_person_changes_their_seat(hall: Hall) -> None:
    hall.sit(1, 1, "Al Ash")
    values = {"act": "put", "person": CheckIn.objects.get().pk, "table": "4", "seat": "2"}
    response = hall.director.post(f"{hall.desk}act/", values, headers=HTMX_HEADERS)
    assert response.status_code == 200
    assert b"Al Ash moved to table 4." in response.content
    assert hall.map_chairs() == {"Al Ash": (4, 2)}


def test_similar_spellings_are_suggested_as_one_person(hall: Hall) -> None:
    hall.sit(1, 1, "Ann Aldr", **{"pick-name": "guest"})
    hall.sit(2, 1, "Zacharia Zwei")
    hall.sit(3, 1, "Zacharias Zwei")
    page = hall.director.get(hall.desk).content.decode()
    assert "Use Ann Alder" in page
    assert page.count('value="merge"') == 1


def start_play(hall: Hall, **values: Any) -> Any:
    page = hall.director.get(f"{hall.desk}start/").content.decode()
    version = re.findall(r'name="version" value="(\w*)"', page)
    values = {"act": "start", "version": version[0] if version else ""} | values
    return hall.director.post(f"{hall.desk}start/", values)


def test_start_seats_pairs_and_each_phone_shows_its_seat_and_boards(hall: Hall) -> None:
    hall.fill_tables(4)
    page = hall.director.get(f"{hall.desk}start/").content.decode()
    assert "8 pairs" in page
    assert "No one moves." in page
    response = start_play(hall)
    assert response.status_code == 302
    assert response["Location"].endswith("/room/")
    session = Session.objects.get()
    assert session.state == "open"
    for table in (1, 2, 3, 4):
        phone = hall.load_phone_page(table, **HTMX_HEADERS)
        assert f"Table {table}, North-South" in phone
        assert "Stay here:" in phone
        assert re.search(r"Pair \d · Boards? \d", phone)
        assert len(re.findall(r"<strong>[^<]+ &amp; [^<]+</strong>", phone)) == 2
    assert hall.phone.get(hall.link(1)).status_code == 200
    assert "Play has started" in hall.sit(1, 1, "Late Lou").content.decode()


def test_phone_shows_the_pair_number_used_for_scoring(hall: Hall) -> None:
    hall.act("open", tables="7")
    hall.fill_tables(7)
    page = hall.director.get(f"{hall.desk}start/").content.decode()
    choices = re.findall(r'value="(\d)"[^>]*>\s*<span><strong>([^<]+)</strong>', page)
    number = next(
        choice_value for choice_value, title in choices if title == "Mitchell, 7 tables"
    )
    start_play(hall, choice=number)  # with two winners, each side has its own numbers
    entries = {place.entry.name: place.label for place in Place.objects.select_related("entry")}
    assert {label[-2:] for label in entries.values()} == {"NS", "EW"}
    phone = html.unescape(hall.load_phone_page(2, **HTMX_HEADERS))
    shown = re.findall(r"<strong>([^<]+)</strong>\s*<span>Pair (\d) ([NESW-]+) ·", phone)
    assert len(shown) == 2
    for name, number, side in shown:
        assert entries[name] == number + side.replace("-", "")


def test_people_who_move_are_named_to_the_director_and_on_their_phone(hall: Hall) -> None:
    hall.fill_tables(3)
    for seat in (1, 2, 3, 4):
        hall.act("put", person=CheckIn.objects.get(table=2, seat=seat).pk, table=4, seat=seat)
    movers = [row.name for row in CheckIn.objects.filter(table=4)]
    html_before = hall.director.get(f"{hall.desk}start/").content.decode()
    assert all(name in html_before for name in movers)
    response = start_play(hall)
    assert response["Location"] == hall.desk
    html_after = hall.director.get(hall.desk).content.decode()
    assert "Move or sit out" in html_after
    assert all(name in html_after for name in movers)
    phone = hall.load_phone_page(4)
    assert phone.count("Please move:") == 2
    assert all(name in phone for name in movers)


def test_outdated_start_page_does_not_start_session(hall: Hall) -> None:
    hall.fill_tables(3)
    response = start_play(hall, version="0" * 16)
    assert response.status_code == 422
    assert b"The list has changed." in response.content
    assert Session.objects.get().state == "planned"


def test_start_page_names_people_without_a_partner(hall: Hall) -> None:
    hall.fill_tables(3)
    hall.sit(4, 1, "Una Uno")
    page = hall.director.get(f"{hall.desk}start/").content.decode()
    assert "Una Uno has no partner." in page
    assert "<button" in page
    assert start_play(hall).status_code == 422


def test_seating_without_starting_keeps_session_planned(hall: Hall) -> None:
    hall.fill_tables(3)
    response = start_play(hall, act="seat")
    assert response["Location"] == f"/director/events/{hall.activity.slug}/"
    session = Session.objects.get()
    assert (session.state, session.sections.count()) == ("planned", 1)


def test_director_undoes_the_start_on_the_page(hall: Hall) -> None:
    hall.fill_tables(3)
    start_play(hall)
    assert "Start undone." in hall.act("undo")
    assert Session.objects.get().state == "planned"
    assert len(hall.map_chairs()) == 12
    assert hall.load_phone_page(1).count("Leave seat") == 4


def test_check_in_is_opened_and_cancelled_on_the_page(hall: Hall) -> None:
    assert "Check-in cancelled." in hall.act("cancel")
    assert hall.phone.get(f"{hall.link(1)}check-in/")["Location"] == hall.link(1)
    assert hall.phone.get(hall.link(1)).status_code == 200
    assert "Enter 1–100 tables." in hall.act("open", tables="")
    assert "Check-in is open." in hall.act("open", tables="6")
    assert hall.load_phone_page(6)


def test_codes_are_not_printed_while_phones_cannot_connect(hall: Hall) -> None:
    page = hall.director.get(f"{hall.desk}codes/").content.decode()
    assert 'class="code"' not in page
    assert hall.link(4) not in page
    assert f"/director/hall/?next={hall.desk.replace('/', '%2F')}codes%2F" in page


def test_every_table_has_a_code_to_print(hall: Hall, settings: Any) -> None:
    settings.PHONE_ADDRESSES = ["http://192.168.1.20:8000/"]
    page = hall.director.get(f"{hall.desk}codes/").content.decode()
    assert page.count('class="code"') == 4
    assert f"http://192.168.1.20:8000{hall.link(4)}" in page
    assert hall.link(2) in hall.director.get(f"{hall.desk}?code=2").content.decode()


def test_drive_of_26_starts_with_two_at_the_half_table(drive: Hall) -> None:
    drive.fill_tables(6)
    drive.sit(7, 1, "Una Uno")
    drive.sit(7, 3, "Vic Vau")
    page = drive.director.get(f"{drive.desk}start/").content.decode()
    assert "26 people" in page
    response = start_play(drive)
    assert response.status_code == 302
    row = Drive.objects.get()
    assert (row.at_round, row.players.count()) == (1, 26)
    drive_page = drive.director.get(drive.desk.removesuffix("check-in/")).content.decode()
    assert "Round 1" in drive_page
    assert "out of date" not in drive_page
    assert "Player" in drive.load_phone_page(2)
    assert re.search(r"Stay here:\s+Table 2, seat 4", drive.load_phone_page(2))
    assert drive.load_phone_page(7).count("Sit out round 1") == 2
    assert "Please move" not in drive.load_phone_page(7)
    assert "Start undone." in drive.act("undo")
    assert Drive.objects.get().players.count() == 0


def test_start_of_a_drive_names_the_people_who_sit_out(drive: Hall) -> None:
    drive.fill_tables(6)
    drive.sit(7, 1, "Una Uno")
    page = drive.director.get(f"{drive.desk}start/").content.decode()
    assert re.search(r"1 person sits out round 1:\s+Una Uno<", page)
    assert "No one moves." in page


def test_drive_pages_show_check_in_as_next_step_while_open(drive: Hall) -> None:
    drive_url = drive.desk.removesuffix("check-in/")
    page = drive.director.get(drive_url).content.decode()
    assert "Start when everyone is seated." in page
    assert "Print papers" not in page
    assert f'href="{drive.desk}"' in drive.director.get(f"{drive_url}players/").content.decode()
    drive.act("cancel")
    assert "Print papers" in drive.director.get(drive_url).content.decode()
    assert (
        f'href="{drive.desk}"'
        not in drive.director.get(f"{drive_url}players/").content.decode()
    )


def test_table_is_added_in_one_click(drive: Hall) -> None:
    assert re.search(
        r'name="tables" value="8">', drive.director.get(drive.desk).content.decode()
    )
    for _click in range(2):  # a double click adds one table
        assert "Table 8 added." in drive.act("open", tables="8")
    assert drive.evening.table_links.count() == 8


def test_name_that_is_not_offered_must_be_entered_in_full(hall: Hall) -> None:
    hint = "Enter your first name and surname."
    assert hint not in hall.load_phone_page(1, "?seat=1&name=zo", **HTMX_HEADERS)
    assert hint in hall.load_phone_page(1, "?seat=1&name=zoe", **HTMX_HEADERS)
    # A hidden member looks like a stranger.
    assert hint in hall.load_phone_page(1, "?seat=1&name=bob", **HTMX_HEADERS)
    assert hint not in hall.load_phone_page(1, "?seat=1&name=ann", **HTMX_HEADERS)


def test_drive_check_in_has_no_partner_field(drive: Hall) -> None:
    assert 'name="partner"' not in drive.load_phone_page(1, "?seat=1")
    assert "Seat 1" in drive.load_phone_page(1)


def test_partners_sit_opposite_except_in_games_with_contracts(drive: Hall) -> None:
    assert "Partners sit opposite each other." in drive.load_phone_page(1)
    Drive.objects.update(score={"kind": "player", "sum": 0, "game": "wiezen"})
    page = drive.load_phone_page(1)
    assert "Sit here" in page
    assert "Partners sit opposite each other." not in page


@pytest.mark.parametrize("seated_count", [2, 16])
def test_list_needs_the_same_number_of_queries_for_any_number_of_people(
    hall: Hall, seated_count: int, django_assert_max_num_queries: Any
) -> None:
    hall.fill_tables(seated_count // 4 or 1)
    hall.director.get(hall.desk, headers=HTMX_HEADERS)
    with django_assert_max_num_queries(22):
        hall.director.get(hall.desk, headers=HTMX_HEADERS)
    with django_assert_max_num_queries(7):
        hall.load_phone_page(1, **HTMX_HEADERS)


def test_booked_person_checks_in_from_their_own_booking(hall: Hall) -> None:
    ann = Player.objects.get(name="Ann Alder")
    fixture = Fixture.objects.create(
        evening=hall.evening, changed_at="2026-01-01T00:00Z", books=True
    )
    booking = Booking.objects.create(
        uid="0" * 32, fixture=fixture, order=1, has_place=True, made_at="2026-01-01T00:00Z"
    )
    BookedPerson.objects.create(fixture=fixture, booking=booking, player=ann)
    link = BookingLink.create_link(fixture=fixture, player=ann)
    assert "I am here" in hall.phone.get(link.path).content.decode()
    for _time in range(2):
        assert hall.phone.post(link.path, {"act": "here"}).status_code == 302
    assert hall.map_chairs() == {"Ann Alder": (None, None)}
    assert "You are checked in." in hall.phone.get(link.path).content.decode()
    hall.sit(2, 1, "Ann Alder")
    assert hall.map_chairs() == {"Ann Alder": (2, 1)}
    hall.act("cancel")
    assert "I am here" not in hall.phone.get(link.path).content.decode()


def test_team_event_has_no_check_in(client: Client) -> None:
    event, user = evenings.create_event(pairs=0, contest="teams")
    client.force_login(user)
    base_url = f"/director/events/{event.slug}/"
    assert client.get(f"{base_url}check-in/").status_code == 404
    assert "check-in/" not in client.get(f"{base_url}entries/").content.decode()
