"""Bookings in the database: one per person and evening, races, answers, and undo."""

from concurrent.futures import ThreadPoolExecutor
from datetime import date, datetime, time, timedelta
from typing import Any

import pytest
from django.db import connections
from django.utils import timezone

from clubs import audit
from clubs.errors import BookingRefused
from clubs.evenings import services
from clubs.evenings.services import BookingOptions, NewPerson
from clubs.evenings.services.booking_rows import build_bookings_snapshot
from clubs.inverses import EVENING_INVERSES, INVERSES
from clubs.models import Booking, Club, Fixture, Player, Series
from clubs.undo import undo_recorded_act
from tests import evenings

pytestmark = pytest.mark.django_db
NAMES = ("Ann Pole", "Bob Nowak", "Cat Jones", "Dan Gale", "Eve Snow", "Fay Clay")


def create_fixture(places: int | None = 2, **changes: Any) -> Fixture:
    club, user = evenings.create_club_with_director()
    fixture_date = timezone.localdate() + timedelta(days=7)
    values = {
        "date": fixture_date, "start": None, "place": "", "title": "Tuesday", "books": True,
        "places": places, "unit": "pairs", **changes,
    }  # fmt: skip
    return services.create_fixture(club=club, values_by_field=values, by=user)


def create_people(club: Club, *names: str) -> list[NewPerson]:
    return [
        NewPerson(player=Player.objects.get_or_create(club=club, name=name)[0])
        for name in names
    ]


def list_bookings_with_places(fixture: Fixture) -> list[tuple[list[str], bool]]:
    rows = fixture.bookings.prefetch_related("people__player")
    return [([person.full_name for person in row.people.all()], row.has_place) for row in rows]


def test_booking_the_same_people_again_is_idempotent() -> None:
    fixture = create_fixture()
    pair = create_people(fixture.club, *NAMES[:2])
    first_booking = services.create_booking(fixture=fixture, people=pair, by=None)
    assert (
        services.create_booking(fixture=fixture, people=pair[::-1], by=None).pk
        == first_booking.pk
    )
    with pytest.raises(BookingRefused, match="already booked"):
        services.create_booking(
            fixture=fixture, people=create_people(fixture.club, NAMES[0], NAMES[2]), by=None
        )
    assert list_bookings_with_places(fixture) == [(list(NAMES[:2]), True)]


def test_freed_place_goes_to_the_next_in_the_queue_and_undo_reverses_all() -> None:
    fixture = create_fixture(places=1)
    services.create_booking(
        fixture=fixture, people=create_people(fixture.club, *NAMES[:2]), by=None
    )
    services.create_booking(
        fixture=fixture, people=create_people(fixture.club, *NAMES[2:4]), by=None
    )
    snapshot_before = build_bookings_snapshot(fixture)
    player = fixture.club.players.get(name=NAMES[0])
    services.leave_booking(
        fixture=fixture, person_key=f"p{player.pk}", should_cancel_all=True, by=None
    )
    assert list_bookings_with_places(fixture) == [(list(NAMES[2:4]), True)]
    snapshot_after = build_bookings_snapshot(fixture)
    act = audit.list_acts(fixture)[0]
    undo_recorded_act(audit.list_acts(fixture), act, EVENING_INVERSES, fixture=fixture, by=None)
    assert build_bookings_snapshot(fixture) == snapshot_before
    undo_recorded_act(
        audit.list_acts(fixture),
        audit.list_acts(fixture)[0],
        EVENING_INVERSES,
        fixture=fixture,
        by=None,
    )
    assert build_bookings_snapshot(fixture) == snapshot_after


def test_singles_become_a_pair_once_the_other_accepts() -> None:
    fixture = create_fixture()
    seeking_options = BookingOptions(seeks=True)
    booking = services.create_booking(
        fixture=fixture,
        people=create_people(fixture.club, NAMES[0]),
        options=seeking_options,
        by=None,
    )
    other_booking = services.create_booking(
        fixture=fixture,
        people=create_people(fixture.club, NAMES[1]),
        options=seeking_options,
        by=None,
    )
    keys = [f"p{fixture.club.players.get(name=name).pk}" for name in NAMES[:2]]
    services.invite_partner(
        fixture=fixture, person_key=keys[0], invited_booking_pk=other_booking.pk, by=None
    )
    assert len(list_bookings_with_places(fixture)) == 2
    services.answer_invitation(
        fixture=fixture,
        person_key=keys[1],
        inviting_booking_pk=booking.pk,
        is_coming=True,
        by=None,
    )
    assert list_bookings_with_places(fixture) == [(list(NAMES[:2]), True)]
    assert not Booking.objects.filter(seeks=True).exists()


def test_declining_partner_leaves_the_other_booked_as_a_single() -> None:
    fixture = create_fixture()
    ann, bob = create_people(fixture.club, *NAMES[:2])
    new_person = NewPerson(player=bob.player, has_accepted=False)
    services.create_booking(fixture=fixture, people=[ann, new_person], by=None)
    services.answer_partner_booking(
        fixture=fixture, person_key=bob.key, is_accepting=False, by=None
    )
    assert list_bookings_with_places(fixture) == [([NAMES[0]], True)]


def test_players_book_while_booking_is_open_and_a_director_at_any_time() -> None:
    late_fixture = create_fixture(opens_days=2, title="Later")
    people = create_people(late_fixture.club, NAMES[0])
    with pytest.raises(BookingRefused, match="not opened yet"):
        services.create_booking(fixture=late_fixture, people=people, by=None)
    assert services.create_booking(
        fixture=late_fixture, people=people, is_director=True, by=None
    ).has_place
    closed_fixture = create_fixture(closes_hours=720, title="Shut")
    with pytest.raises(BookingRefused, match="closed"):
        services.create_booking(fixture=closed_fixture, people=people, by=None)
    with pytest.raises(BookingRefused, match="Only the club’s players"):
        services.create_booking(
            fixture=create_fixture(title="Ours"), people=[NewPerson(name="A Guest")], by=None
        )


def test_more_places_admit_the_waiting_list() -> None:
    fixture = create_fixture(places=1)
    for name in NAMES[:4]:
        services.create_booking(
            fixture=fixture, people=create_people(fixture.club, name), by=None
        )
    assert [has_place for _names, has_place in list_bookings_with_places(fixture)] == [
        True,
        True,
        False,
        False,
    ]
    values = {"places": 2}
    services.change_fixture(fixture=fixture, values=values, by=None)
    services.promote_waiting_bookings(fixture=fixture, by=None)
    assert all(has_place for _names, has_place in list_bookings_with_places(fixture))


@pytest.mark.django_db(transaction=True)
def test_fifty_simultaneous_bookings_for_the_last_place_are_queued() -> None:
    fixture = create_fixture(places=1, unit="players")
    names = [f"Player {number:02}" for number in range(50)]
    people = create_people(fixture.club, *names)

    def book_person(who: NewPerson) -> str:
        try:
            services.create_booking(fixture=fixture, people=[who], by=None)
        except Exception as error:  # a page would turn it into a 500
            return repr(error)
        finally:
            connections.close_all()
        return ""

    with ThreadPoolExecutor(12) as pool:
        assert set(pool.map(book_person, people)) == {""}
    rows = list(fixture.bookings.order_by("order"))
    assert [row.has_place for row in rows] == [True] + [False] * 49
    assert [row.order for row in rows] == list(range(1, 51))


def test_fees_add_up_and_a_payment_can_be_undone() -> None:
    fixture = create_fixture(fee_member=300, fee_visitor=500)
    players = [
        person.player for person in create_people(fixture.club, *NAMES[:3]) if person.player
    ]
    Player.objects.filter(pk=players[2].pk).update(kind="visitor")
    players[2].refresh_from_db()
    rows = services.record_attendance(fixture=fixture, players=players, by=None)
    assert services.record_attendance(fixture=fixture, players=players, by=None) == []
    assert [row.fee for row in rows] == [300, 300, 500]
    services.record_payment(attendance=rows[0], settlement="cash", by=None)
    services.record_payment(attendance=rows[0], settlement="cash", by=None)
    services.record_payment(attendance=rows[2], settlement="free", by=None)
    assert audit.list_acts(fixture).filter(action="attendance.settled").count() == 2
    with pytest.raises(BookingRefused, match="paid"):
        services.delete_attendance(attendance=rows[0], by=None)
    act = audit.list_acts(fixture)[0]
    undo_recorded_act(audit.list_acts(fixture), act, EVENING_INVERSES, fixture=fixture, by=None)
    assert list(fixture.attendances.values_list("settled", flat=True)) == [
        "cash",
        "owing",
        "owing",
    ]


def test_series_creates_a_year_of_evenings_once_and_keeps_manual_changes() -> None:
    club, user = evenings.create_club_with_director()
    today = timezone.localdate()
    rule = {"kind": "weekly", "first": today.isoformat(), "every": 1, "weekday": 1}
    values = {"title": "Tuesdays", "rule": rule, "holidays": {}, "start": None, "place": "Hall"}
    series = services.create_series(club=club, values_by_field=values, by=user)
    assert services.create_series(club=club, values_by_field=values, by=user).pk == series.pk
    services.create_upcoming_evenings(series=series, by=None)
    days = list(series.fixtures.values_list("evening__date", flat=True))
    assert len(days) in (52, 53)
    assert {day.weekday() for day in days} == {1}
    fixture = series.fixtures.all()[3]
    services.change_fixture(
        fixture=fixture, values={"date": fixture.evening.date + timedelta(days=1)}, by=user
    )
    services.change_series(
        series=series, values={"rule": rule | {"every": 2}, "place": "School"}, by=user
    )
    fixture.refresh_from_db()
    assert (fixture.evening.place, fixture.cancelled_at, fixture.sequence) == ("Hall", None, 1)
    standing = series.fixtures.filter(cancelled_at=None).exclude(pk=fixture.pk)
    assert len(standing) in (26, 27)
    assert {item.evening.place for item in standing} == {"School"}
    services.change_series(series=series, values={"rule": rule}, by=user)
    assert series.fixtures.filter(cancelled_at=None).count() == len(days)
    assert {one_fixture.uid for one_fixture in series.fixtures.all()} >= {fixture.uid}


def test_moved_evening_keeps_its_calendar_uid_and_can_be_undone() -> None:
    fixture = create_fixture()
    day = fixture.evening.date
    services.change_fixture(
        fixture=fixture, values={"date": day + timedelta(days=2), "title": "Cup"}, by=None
    )
    reloaded_fixture = Fixture.objects.get(pk=fixture.pk)
    assert (
        reloaded_fixture.uid,
        reloaded_fixture.sequence,
        reloaded_fixture.evening.title,
    ) == (fixture.uid, 1, "Cup")
    assert reloaded_fixture.evening.date == day + timedelta(days=2)
    assert isinstance(reloaded_fixture.evening.date, date)
    services.cancel_fixture(fixture=reloaded_fixture, by=None)
    services.cancel_fixture(fixture=reloaded_fixture, by=None)
    reloaded_fixture.refresh_from_db()
    assert (reloaded_fixture.sequence, reloaded_fixture.cancelled_at is not None) == (2, True)


def read_calendar_rows(fixture: Fixture) -> list[Any]:
    rows = Fixture.objects.order_by("pk").select_related("evening")
    days = [(row.evening.date, row.evening.place, row.cancelled_at is None) for row in rows]
    return [*days, *Series.objects.values_list("place", "rule")]


def test_calendar_changes_can_be_undone_and_redone() -> None:
    fixture = create_fixture()
    club, user = fixture.club, None
    rule = {"kind": "weekly", "first": "2026-01-06", "last": "2099-12-31", "weekday": 1}
    values = {"title": "Tuesdays", "rule": rule, "holidays": {}, "start": None, "place": ""}
    series = services.create_series(club=club, values_by_field=values, by=user)

    def move_date() -> object:
        day = fixture.evening.date + timedelta(days=1)
        return services.change_fixture(fixture=fixture, values={"date": day}, by=user)

    acts: list[Any] = [
        move_date,
        lambda: services.cancel_fixture(fixture=fixture, by=user),
        lambda: services.restore_fixture(fixture=fixture, by=user),
        lambda: services.change_series(series=series, values={"place": "Hall"}, by=user),
        lambda: services.end_series(series=series, by=user),
        lambda: services.resume_series(series=series, by=user),
    ]
    for act in acts:
        calendar_rows_before = read_calendar_rows(fixture)
        act()
        calendar_rows_after = read_calendar_rows(fixture)
        assert calendar_rows_after != calendar_rows_before
        undo_newest_act(club)
        assert read_calendar_rows(fixture) == calendar_rows_before
        undo_newest_act(club)
        assert read_calendar_rows(fixture) == calendar_rows_after


def undo_newest_act(club: Club) -> None:
    acts = audit.list_acts(club)
    undo_recorded_act(acts, acts[0], INVERSES, club=club, by=None)


# Cases: hours of notice, and days from the booking deadline to an evening without a time.
@pytest.mark.parametrize(
    ("hours", "days"), [(0, 0), (3, 0), (23, 0), (24, 1), (36, 1), (48, 2), (720, 30)]
)
def test_booking_without_a_start_time_closes_at_the_end_of_a_day(
    monkeypatch: pytest.MonkeyPatch, hours: int, days: int
) -> None:
    fixture = create_fixture(start=None, closes_hours=hours, opens_days=60)
    zone, last_day = fixture.club.zone, fixture.evening.date - timedelta(days=days)
    assert fixture.booking_closes_at == datetime.combine(last_day, time(23, 59), zone)
    for moment, is_open in (
        (datetime.combine(last_day, time(23, 58), zone), True),
        (datetime.combine(last_day, time(23, 59), zone), False),
    ):
        monkeypatch.setattr(timezone, "now", lambda moment=moment: moment)
        assert fixture.can_book is is_open
        assert fixture.is_closed is not is_open


def test_player_can_leave_an_evening_without_a_time_until_its_day_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fixture = create_fixture(start=None)
    ann = create_people(fixture.club, "Ann")
    services.create_booking(fixture=fixture, people=ann, options=BookingOptions(), by=None)
    evening = datetime.combine(fixture.evening.date, time(22), fixture.club.zone)
    monkeypatch.setattr(timezone, "now", lambda: evening + timedelta(hours=2))
    with pytest.raises(BookingRefused):
        services.leave_booking(fixture=fixture, person_key=ann[0].key, by=None)
    monkeypatch.setattr(timezone, "now", lambda: evening)
    services.leave_booking(fixture=fixture, person_key=ann[0].key, by=None)
    assert list_bookings_with_places(fixture) == []
