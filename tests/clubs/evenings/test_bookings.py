"""Bookings as rows: one per person and evening, races, responses, and undo of every change."""

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
from clubs.evenings.services.booking_rows import build_snapshot
from clubs.inverses import EVENING_INVERSES, INVERSES
from clubs.models import Booking, Club, Fixture, Player, Series
from clubs.undo import undo_recorded_act
from tests import evenings

pytestmark = pytest.mark.django_db
NAMES = ("Ann Pole", "Bob Nowak", "Cat Jones", "Dan Gale", "Eve Snow", "Fay Clay")


def fixture(places: int | None = 2, **changes: Any) -> Fixture:
    home, user = evenings.club()
    soon = timezone.localdate() + timedelta(days=7)
    values = {
        "date": soon, "start": None, "place": "", "title": "Tuesday", "books": True,
        "places": places, "unit": "pairs", **changes,
    }  # fmt: skip
    return services.create_fixture(club=home, values=values, by=user)


def people(club: Club, *names: str) -> list[NewPerson]:
    return [
        NewPerson(player=Player.objects.get_or_create(club=club, name=name)[0])
        for name in names
    ]


def shown(at: Fixture) -> list[tuple[list[str], bool]]:
    rows = at.bookings.prefetch_related("people__player")
    return [([each.full_name for each in row.people.all()], row.has_place) for row in rows]


def test_the_very_same_people_booked_again_are_one_booking() -> None:
    at = fixture()
    pair = people(at.club, *NAMES[:2])
    first = services.create_booking(fixture=at, people=pair, by=None)
    assert services.create_booking(fixture=at, people=pair[::-1], by=None).pk == first.pk
    with pytest.raises(BookingRefused, match="already booked"):
        services.create_booking(fixture=at, people=people(at.club, NAMES[0], NAMES[2]), by=None)
    assert shown(at) == [(list(NAMES[:2]), True)]


def test_a_place_that_comes_free_goes_to_who_waits_and_undo_takes_all_of_it_back() -> None:
    at = fixture(places=1)
    services.create_booking(fixture=at, people=people(at.club, *NAMES[:2]), by=None)
    services.create_booking(fixture=at, people=people(at.club, *NAMES[2:4]), by=None)
    before = build_snapshot(at)
    player = at.club.players.get(name=NAMES[0])
    services.leave_booking(fixture=at, person=f"p{player.pk}", both=True, by=None)
    assert shown(at) == [(list(NAMES[2:4]), True)]
    after = build_snapshot(at)
    act = audit.list_acts(at)[0]
    undo_recorded_act(audit.list_acts(at), act, EVENING_INVERSES, fixture=at, by=None)
    assert build_snapshot(at) == before
    undo_recorded_act(
        audit.list_acts(at), audit.list_acts(at)[0], EVENING_INVERSES, fixture=at, by=None
    )
    assert build_snapshot(at) == after


def test_singles_find_each_other_and_are_a_pair_once_the_other_says_yes() -> None:
    at = fixture()
    seeks = BookingOptions(seeks=True)
    one = services.create_booking(
        fixture=at, people=people(at.club, NAMES[0]), options=seeks, by=None
    )
    other = services.create_booking(
        fixture=at, people=people(at.club, NAMES[1]), options=seeks, by=None
    )
    keys = [f"p{at.club.players.get(name=name).pk}" for name in NAMES[:2]]
    services.invite_partner(fixture=at, person=keys[0], other=other.pk, by=None)
    assert len(shown(at)) == 2
    services.answer_invitation(fixture=at, person=keys[1], other=one.pk, comes=True, by=None)
    assert shown(at) == [(list(NAMES[:2]), True)]
    assert not Booking.objects.filter(seeks=True).exists()


def test_a_partner_who_declines_leaves_the_other_alone() -> None:
    at = fixture()
    ann, bob = people(at.club, *NAMES[:2])
    asked = NewPerson(player=bob.player, accepted=False)
    services.create_booking(fixture=at, people=[ann, asked], by=None)
    services.answer_partner_booking(fixture=at, person=bob.key, comes=False, by=None)
    assert shown(at) == [([NAMES[0]], True)]


def test_players_book_while_booking_is_open_and_a_director_always() -> None:
    late = fixture(opens_days=2, title="Later")
    one = people(late.club, NAMES[0])
    with pytest.raises(BookingRefused, match="not opened yet"):
        services.create_booking(fixture=late, people=one, by=None)
    assert services.create_booking(
        fixture=late, people=one, is_director=True, by=None
    ).has_place
    shut = fixture(closes_hours=720, title="Shut")
    with pytest.raises(BookingRefused, match="closed"):
        services.create_booking(fixture=shut, people=one, by=None)
    with pytest.raises(BookingRefused, match="Only the club's players"):
        services.create_booking(
            fixture=fixture(title="Ours"), people=[NewPerson(name="A Guest")], by=None
        )


def test_more_places_let_in_who_waits() -> None:
    at = fixture(places=1)
    for name in NAMES[:4]:
        services.create_booking(fixture=at, people=people(at.club, name), by=None)
    assert [has for _names, has in shown(at)] == [True, True, False, False]
    values = {"places": 2}
    services.change_fixture(fixture=at, values=values, by=None)
    services.settle_bookings(fixture=at, by=None)
    assert all(has for _names, has in shown(at))


@pytest.mark.django_db(transaction=True)
def test_fifty_at_once_for_the_last_place_are_one_with_it_and_an_order() -> None:
    at = fixture(places=1, unit="players")
    names = [f"Player {number:02}" for number in range(50)]
    everybody = people(at.club, *names)

    def come(who: NewPerson) -> str:
        try:
            services.create_booking(fixture=at, people=[who], by=None)
        except Exception as error:  # a page would turn it into a 500
            return repr(error)
        finally:
            connections.close_all()
        return ""

    with ThreadPoolExecutor(12) as pool:
        assert set(pool.map(come, everybody)) == {""}
    rows = list(at.bookings.order_by("order"))
    assert [row.has_place for row in rows] == [True] + [False] * 49
    assert [row.order for row in rows] == list(range(1, 51))


def test_money_adds_up_and_a_tap_goes_back() -> None:
    at = fixture(fee_member=300, fee_visitor=500)
    who = [each.player for each in people(at.club, *NAMES[:3]) if each.player]
    Player.objects.filter(pk=who[2].pk).update(kind="visitor")
    who[2].refresh_from_db()
    rows = services.record_attendance(fixture=at, players=who, by=None)
    assert services.record_attendance(fixture=at, players=who, by=None) == []
    assert [row.fee for row in rows] == [300, 300, 500]
    services.record_payment(attendance=rows[0], how="cash", by=None)
    services.record_payment(attendance=rows[0], how="cash", by=None)
    services.record_payment(attendance=rows[2], how="free", by=None)
    assert audit.list_acts(at).filter(action="attendance.settled").count() == 2
    with pytest.raises(BookingRefused, match="paid"):
        services.delete_attendance(attendance=rows[0], by=None)
    act = audit.list_acts(at)[0]
    undo_recorded_act(audit.list_acts(at), act, EVENING_INVERSES, fixture=at, by=None)
    assert list(at.attendances.values_list("settled", flat=True)) == ["cash", "owing", "owing"]


def test_a_series_makes_a_year_of_evenings_once_and_keeps_those_changed_by_hand() -> None:
    home, user = evenings.club()
    today = timezone.localdate()
    rule = {"kind": "weekly", "first": today.isoformat(), "every": 1, "weekday": 1}
    values = {"title": "Tuesdays", "rule": rule, "holidays": {}, "start": None, "place": "Hall"}
    series = services.create_series(club=home, values=values, by=user)
    assert services.create_series(club=home, values=values, by=user).pk == series.pk
    services.add_coming_evenings(series=series, by=None)
    days = list(series.fixtures.values_list("evening__date", flat=True))
    assert len(days) in (52, 53)
    assert {day.weekday() for day in days} == {1}
    moved = series.fixtures.all()[3]
    services.change_fixture(
        fixture=moved, values={"date": moved.evening.date + timedelta(days=1)}, by=user
    )
    services.change_series(
        series=series, values={"rule": rule | {"every": 2}, "place": "School"}, by=user
    )
    moved.refresh_from_db()
    assert (moved.evening.place, moved.cancelled_at, moved.sequence) == ("Hall", None, 1)
    standing = series.fixtures.filter(cancelled_at=None).exclude(pk=moved.pk)
    assert len(standing) in (26, 27)
    assert {each.evening.place for each in standing} == {"School"}
    services.change_series(series=series, values={"rule": rule}, by=user)
    assert series.fixtures.filter(cancelled_at=None).count() == len(days)
    assert {each.uid for each in series.fixtures.all()} >= {moved.uid}


def test_an_evening_moved_keeps_its_name_for_calendars_and_goes_back() -> None:
    at = fixture()
    day = at.evening.date
    services.change_fixture(
        fixture=at, values={"date": day + timedelta(days=2), "title": "Cup"}, by=None
    )
    again = Fixture.objects.get(pk=at.pk)
    assert (again.uid, again.sequence, again.evening.title) == (at.uid, 1, "Cup")
    assert again.evening.date == day + timedelta(days=2)
    assert isinstance(again.evening.date, date)
    services.cancel_fixture(fixture=again, by=None)
    services.cancel_fixture(fixture=again, by=None)
    again.refresh_from_db()
    assert (again.sequence, again.cancelled_at is not None) == (2, True)


def calendar_now(at: Fixture) -> list[Any]:
    rows = Fixture.objects.order_by("pk").select_related("evening")
    days = [(each.evening.date, each.evening.place, each.cancelled_at is None) for each in rows]
    return [*days, *Series.objects.values_list("place", "rule")]


def test_what_is_done_to_the_calendar_goes_back_and_forth() -> None:
    at = fixture()
    home, user = at.club, None
    rule = {"kind": "weekly", "first": "2026-01-06", "last": "2099-12-31", "weekday": 1}
    values = {"title": "Tuesdays", "rule": rule, "holidays": {}, "start": None, "place": ""}
    series = services.create_series(club=home, values=values, by=user)

    def change() -> object:
        day = at.evening.date + timedelta(days=1)
        return services.change_fixture(fixture=at, values={"date": day}, by=user)

    acts: list[Any] = [
        change,
        lambda: services.cancel_fixture(fixture=at, by=user),
        lambda: services.restore_fixture(fixture=at, by=user),
        lambda: services.change_series(series=series, values={"place": "Hall"}, by=user),
        lambda: services.end_series(series=series, by=user),
        lambda: services.resume_series(series=series, by=user),
    ]
    for act in acts:
        before = calendar_now(at)
        act()
        after = calendar_now(at)
        assert after != before
        take_back_newest(home)
        assert calendar_now(at) == before
        take_back_newest(home)
        assert calendar_now(at) == after


def take_back_newest(home: Club) -> None:
    acts = audit.list_acts(home)
    undo_recorded_act(acts, acts[0], INVERSES, club=home, by=None)


# Each: hours of notice, and the booking deadline of an evening without a time.
@pytest.mark.parametrize(
    ("hours", "days"), [(0, 0), (3, 0), (23, 0), (24, 1), (36, 1), (48, 2), (720, 30)]
)
def test_booking_without_a_time_stays_open_to_the_end_of_a_day(
    monkeypatch: pytest.MonkeyPatch, hours: int, days: int
) -> None:
    at = fixture(start=None, closes_hours=hours, opens_days=60)
    zone, last = at.club.zone, at.evening.date - timedelta(days=days)
    assert at.closes_at == datetime.combine(last, time(23, 59), zone)
    for moment, is_open in (
        (datetime.combine(last, time(23, 58), zone), True),
        (datetime.combine(last, time(23, 59), zone), False),
    ):
        monkeypatch.setattr(timezone, "now", lambda moment=moment: moment)
        assert at.can_book is is_open
        assert at.is_closed is not is_open


def test_a_player_leaves_an_evening_without_a_time_until_its_day_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    at = fixture(start=None)
    ann = people(at.club, "Ann")
    services.create_booking(fixture=at, people=ann, options=BookingOptions(), by=None)
    evening = datetime.combine(at.evening.date, time(22), at.club.zone)
    monkeypatch.setattr(timezone, "now", lambda: evening + timedelta(hours=2))
    with pytest.raises(BookingRefused):
        services.leave_booking(fixture=at, person=ann[0].key, by=None)
    monkeypatch.setattr(timezone, "now", lambda: evening)
    services.leave_booking(fixture=at, person=ann[0].key, by=None)
    assert shown(at) == []
