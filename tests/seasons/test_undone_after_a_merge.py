"""Undo of an action on an evening still works after a merge of names and loses nothing."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs import audit
from clubs.evenings import services
from clubs.evenings.services import NewPerson
from clubs.models import Attendance, Club, Fixture, Player
from clubs.undo import undo_recorded_act
from seasons.calendar.booking_file import import_booking_file
from seasons.ladders.errors import LadderRefused, SeasonActionRefused
from seasons.ladders.inverses import INVERSES, TROPHY_INVERSES
from seasons.ladders.models import Handicap, Season
from seasons.ladders.services.ladders import delete_ladder, save_ladder
from seasons.ladders.services.trophies import create_trophy, delete_engraving, engrave_trophy
from seasons.ladders.sheets.honours import load_honours
from tests import evenings
from tests.factories import SeasonFactory
from tournaments.services import merge_players

pytestmark = pytest.mark.django_db
NAMES = ("Ann A", "Bob B", "Cat C")


@pytest.fixture
def desk(client: Client) -> Client:
    club, user = evenings.create_club_with_director()
    for name in NAMES:
        Player.objects.create(club=club, name=name)
    client.force_login(user)
    return client


def create_evening(**changes: Any) -> Fixture:
    values = {
        "date": timezone.localdate() + timedelta(days=7), "start": None, "place": "",
        "title": "Tuesday", "books": True, "places": None, "unit": "pairs", "fee_member": 300,
        "fee_visitor": 500, **changes,
    }  # fmt: skip
    return services.create_fixture(club=Club.objects.get(), values_by_field=values, by=None)


def find_player(name: str) -> Player:
    return Player.objects.get(name=name)


def merge_into_new(name: str) -> None:
    """Merge a name into one that is new to the club."""
    player = Player.objects.create(club=Club.objects.get(), name=f"{name} again")
    merge_players(removed_player=find_player(name), kept_player=player, by=None)


def post_undo(desk: Client, fixture: Fixture) -> str:
    act = audit.list_acts(fixture)[0]
    undo_url = reverse("fixture_act_undo", args=[fixture.uid, act.pk])
    response = desk.post(undo_url, follow=True)
    return " ".join(str(message) for message in response.context["messages"])


def list_attendances(fixture: Fixture) -> list[tuple[str, str, str, int]]:
    rows = fixture.attendances.select_related("player")
    return [(row.player.name, row.kind, row.settled, row.fee) for row in rows]


def apply_attendance_action(act: str, row: Attendance) -> None:
    if act == "drop":
        services.delete_attendance(attendance=row, by=None)
    elif act in Attendance.Settlement.values:
        services.record_payment(attendance=row, settlement=act, by=None)
    else:
        services.change_attendance_kind(attendance=row, attendance_kind=act, by=None)


@pytest.mark.slow
@pytest.mark.parametrize("merged_name", NAMES[:2])
@pytest.mark.parametrize("act", ["cash", "other", "free", "visitor", "drop"])
def test_attendance_undo_after_merge_succeeds_or_changes_nothing(
    desk: Client, act: str, merged_name: str
) -> None:
    evening = create_evening()
    [row, _other] = services.record_attendance(
        fixture=evening, players=[find_player(name) for name in NAMES[:2]], by=None
    )
    attendances_before = list_attendances(evening)
    apply_attendance_action(act, row)
    merge_into_new(merged_name)
    attendances_after = list_attendances(evening)
    undo = post_undo(desk, evening)
    if act == "drop" and merged_name == NAMES[0]:
        assert "has since been merged or removed" in undo
        assert list_attendances(evening) == attendances_after
        return
    renamed_attendances = [
        (
            f"{merged_name} again" if attendance[0] == merged_name else attendance[0],
            *attendance[1:],
        )
        for attendance in attendances_before
    ]
    assert sorted(list_attendances(evening)) == sorted(renamed_attendances)
    post_undo(desk, evening)
    assert list_attendances(evening) == attendances_after


def test_person_recorded_again_is_not_restored_twice(desk: Client) -> None:
    evening = create_evening()
    [row] = services.record_attendance(fixture=evening, players=[find_player("Ann A")], by=None)
    services.delete_attendance(attendance=row, by=None)
    delete_act = audit.list_acts(evening)[0]
    services.record_attendance(fixture=evening, players=[find_player("Ann A")], by=None)
    address = reverse("fixture_act_undo", args=[evening.uid, delete_act.pk])
    assert "already on the list" in desk.post(address, follow=True).content.decode()
    assert [attendance[0] for attendance in list_attendances(evening)] == ["Ann A"]


def list_booked_names(fixture: Fixture) -> list[list[str]]:
    rows = fixture.bookings.prefetch_related("people__player")
    return [[person.full_name for person in row.people.all()] for row in rows]


def create_booking(fixture: Fixture, *names: str) -> None:
    people = [NewPerson(player=find_player(name)) for name in names]
    services.create_booking(fixture=fixture, people=people, by=None)


def build_person_key(name: str) -> str:
    return f"p{find_player(name).pk}"


def leave_booking(fixture: Fixture) -> None:
    services.leave_booking(fixture=fixture, person_key=build_person_key("Ann A"), by=None)


def leave_with_partner(fixture: Fixture) -> None:
    services.leave_booking(
        fixture=fixture, person_key=build_person_key("Ann A"), should_cancel_all=True, by=None
    )


def pair_singles(fixture: Fixture) -> None:
    first_booking, second_booking = fixture.bookings.all()
    services.pair_singles(
        fixture=fixture,
        first_booking_pk=first_booking.pk,
        second_booking_pk=second_booking.pk,
        by=None,
    )


def seek_partner(fixture: Fixture) -> None:
    services.set_partner_search(
        fixture=fixture, person_key=build_person_key("Ann A"), is_seeking=True, by=None
    )


SINGLE_BOOKING, TWO_SINGLE_BOOKINGS, PAIR_BOOKING = (
    [("Ann A",)],
    [("Ann A",), ("Bob B",)],
    [("Ann A", "Bob B")],
)
BOOKING_CASES = [
    (item, act, name)
    for item, act in (
        (SINGLE_BOOKING, leave_booking),
        (SINGLE_BOOKING, seek_partner),
        (TWO_SINGLE_BOOKINGS, leave_booking),
        (TWO_SINGLE_BOOKINGS, pair_singles),
        (TWO_SINGLE_BOOKINGS, seek_partner),
        (PAIR_BOOKING, leave_booking),
        (PAIR_BOOKING, leave_with_partner),
    )
    for name in NAMES
]


@pytest.mark.slow
@pytest.mark.parametrize(("bookings", "act", "merged"), BOOKING_CASES)
def test_booking_is_restored_after_merge_completely_or_not_at_all(
    desk: Client, bookings: Any, act: Any, merged: str
) -> None:
    evening = create_evening(places=4)
    for names in bookings:
        create_booking(evening, *names)
    booked_names_before = list_booked_names(evening)
    act(evening)
    is_gone = _is_name_listed(merged, booked_names_before) and not _is_name_listed(
        merged, list_booked_names(evening)
    )
    merge_into_new(merged)
    booked_names_after = list_booked_names(evening)
    undo = post_undo(desk, evening)
    if is_gone:
        assert "has since been merged or removed" in undo
        assert list_booked_names(evening) == booked_names_after
    else:
        names = {merged: f"{merged} again"}
        assert list_booked_names(evening) == [
            [names.get(item, item) for item in row] for row in booked_names_before
        ]
        post_undo(desk, evening)
        assert list_booked_names(evening) == booked_names_after
    content = desk.get(reverse("bookings_file")).content
    assert import_booking_file(document=content, club=evening.club, by=None).skipped_names == []
    assert all(list_booked_names(evening))


def _is_name_listed(name: str, rows: list[list[str]]) -> bool:
    return any(name in row for row in rows)


@pytest.mark.slow
def test_person_booked_under_another_name_is_not_restored_twice(desk: Client) -> None:
    evening = create_evening()
    create_booking(evening, "Ann A")
    create_booking(evening, "Bob B")
    leave_booking(evening)
    merge_players(
        removed_player=find_player("Bob B"), kept_player=find_player("Ann A"), by=None
    )
    assert "already on the list" in post_undo(desk, evening)
    assert list_booked_names(evening) == [["Ann A"]]


@pytest.mark.slow
def test_booking_without_people_is_omitted_from_file(desk: Client) -> None:
    evening = create_evening()
    create_booking(evening, "Ann A")
    create_booking(evening, "Bob B")
    evening.bookings.all()[0].people.all().delete()  # as an earlier undo left it
    content = desk.get(reverse("bookings_file")).content
    assert (
        import_booking_file(
            document=content, club=evening.club, by=None
        ).cancelled_booking_count
        == 0
    )
    assert list_booked_names(evening) == [[], ["Bob B"]]


def test_engraving_is_restored_completely_or_not_at_all(desk: Client) -> None:
    cup = create_trophy(club=Club.objects.get(), name="Cup", by=None)
    engrave_trophy(
        trophy=cup,
        year="2025",
        winner_names=[find_player(name).pk for name in NAMES[:2]],
        by=None,
    )
    delete_engraving(trophy=cup, year="2025", by=None)
    merge_into_new("Bob B")
    act = audit.list_acts(cup)[0]
    with pytest.raises(SeasonActionRefused, match="has since been merged or removed"):
        undo_recorded_act(audit.list_acts(cup), act, TROPHY_INVERSES, trophy=cup, by=None)
    assert not cup.engravings.exists()


@pytest.mark.slow
def test_merged_people_appear_once_on_shared_engraving(desk: Client) -> None:
    club = Club.objects.get()
    cup = create_trophy(club=club, name="Cup", by=None)
    engraving = engrave_trophy(
        trophy=cup, year="2025", winner_names=[find_player(e).pk for e in NAMES[:2]], by=None
    )
    merge_players(
        removed_player=find_player("Bob B"), kept_player=find_player("Ann A"), by=None
    )
    assert engraving.shown_names == "Ann A"
    ((trophy,), people) = load_honours(club).trophies, load_honours(club).people
    assert (trophy.years, people) == ((("2025", "Ann A"),), (("Ann A", ("Cup 2025",)),))


@pytest.mark.parametrize("merged", [True, False])
def test_ladder_handicaps_follow_merge_and_are_never_lost(desk: Client, merged: bool) -> None:
    season = SeasonFactory(club=Club.objects.get())
    rule = {"who": "players", "measure": "plus", "combine": "sum"}
    ladder = save_ladder(season=season, name="Best", rule=rule, by=None)
    for name, amount in zip(NAMES[:2], ("1/4", "1/8"), strict=True):
        Handicap.objects.create(ladder=ladder, player=find_player(name), a_board=amount)
    save_ladder(season=season, name="The best", rule=rule, ladder_slug=ladder.slug, by=None)
    if merged:
        merge_into_new("Ann A")
    _undo_newest_act(season)  # only the name was changed
    names = {True: "Ann A again", False: "Ann A"}
    expected_handicaps = {(names[merged], "1/4"), ("Bob B", "1/8")}
    assert set(Handicap.objects.values_list("player__name", "a_board")) == expected_handicaps
    assert season.ladders.get().name == "Best"
    delete_ladder(season=season, ladder=ladder.slug, by=None)
    if merged:
        merge_into_new("Bob B")
        with pytest.raises(LadderRefused, match="has since been merged or removed"):
            _undo_newest_act(season)
        assert not season.ladders.exists()
    else:
        _undo_newest_act(season)
        assert (
            set(Handicap.objects.values_list("player__name", "a_board")) == expected_handicaps
        )


def _undo_newest_act(season: Season) -> None:
    acts = audit.list_acts(season)
    undo_recorded_act(acts, acts[0], INVERSES, season=season, by=None)
