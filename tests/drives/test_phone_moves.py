"""After a round, the phone of a table shows where each of its players goes."""

import pytest

from clubs.models import TableLink
from drives.services import begin_next_round
from drives.sheets.contract_phone import load_table_phone_page
from drives.sheets.table_phone import build_table_phone_page
from drives.snapshot import load_drive_snapshot
from tests.drives.test_table_phones import Phone, create_drive_with_links, list_people

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("form", ["lot", "social", "standing", "progressive"])
def test_new_round_shows_where_the_players_of_the_last_one_sit_now(form: str) -> None:
    drive = create_drive_with_links(form)
    phone = Phone(drive)
    assert phone.page["departures"] == []
    earlier_people = list_people(drive, 1)
    begin_next_round(
        drive=drive, winners_by_table={1: "A", 2: "B"} if form == "progressive" else {}, by=None
    )
    seats = load_drive_snapshot(drive).round_by_number[2]
    is_unchanged = seats.seats_by_table[1] == tuple(person.number for person in earlier_people)
    assert not is_unchanged or form == "standing"  # the draw is random, the standings are not
    expected = []
    for person in earlier_people:
        place = seats.find_seat(person.number)
        words = f": table {place[0]}, seat {place[1]}" if place else " sits out"
        expected.append(person.numbered_name + words)
    phone.load_page()
    assert phone.page["departures"] == ([] if is_unchanged else expected)
    html = phone.client.get(phone.link.path).content.decode()
    assert (expected[0] in html) != is_unchanged
    assert phone.send(phone.entry("8"))[0] == 200
    assert phone.page["departures"] == []


def test_players_of_a_table_that_is_no_longer_used_see_their_new_seats() -> None:
    drive = create_drive_with_links("cut")
    begin_next_round(drive=drive, winners_by_table={1: "A", 2: "A"}, by=None)
    drive.refresh_from_db()
    link = TableLink.objects.get(evening=drive.evening, table=2)
    page = load_table_phone_page(link)
    assert page.seats == ""
    assert page.departures
    assert all(": table 1, seat" in line for line in page.departures)
    assert page == build_table_phone_page(load_drive_snapshot(drive), link)
