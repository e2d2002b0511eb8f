"""An evening of any kind of activity has a clock, links and calls."""

from dataclasses import dataclass
from datetime import timedelta

import pytest
from django.utils import timezone

from clubs.audit import describe_author
from clubs.errors import ActionUnavailable
from clubs.evenings.services import (
    add_minutes_to_clock,
    answer_call,
    call_director,
    create_evening_table_links,
    delete_evening,
    delete_section_links,
    end_phase,
    pause_clock,
    reset_clock,
    restore_clock,
    revoke_evening_table_link,
    set_clock,
    start_clock,
)
from clubs.evenings.timetable import Pace
from clubs.models import Act, Club, DirectorCall, Evening, RoundClock, TableLink
from tests.factories import EveningFactory, RoundClockFactory, SessionFactory

pytestmark = pytest.mark.django_db
PACE = Pace(minutes=14, moving=2)
TABLES = [("A", 1), ("A", 2), ("B", 1)]


@dataclass(frozen=True)
class FakeDrive:
    """An activity other than an event, with a history of its own."""

    club: Club
    audit_key: str = "drive:drive-1"


@pytest.fixture
def evening() -> Evening:
    return EveningFactory()


def begin_clock(evening: Evening, **how: object) -> RoundClock:
    options = {
        "round_count": 3,
        "default_pace": PACE,
        "subject": FakeDrive(evening.club),
        "by": None,
    } | how
    return start_clock(evening=evening, **options)


def create_table_links(evening: Evening) -> list[TableLink]:
    return create_evening_table_links(
        evening=evening, sections_and_tables=TABLES, subject=FakeDrive(evening.club), by=None
    )


def test_clock_without_settings_has_the_default_pace(evening: Evening) -> None:
    clock = begin_clock(evening)
    assert (clock.minutes, clock.moving) == PACE
    assert RoundClock.objects.get() == evening.clock == clock


def test_configured_clock_keeps_its_pace(evening: Evening) -> None:
    set_clock(evening=evening, minutes=20, moving=1, subject=FakeDrive(evening.club), by=None)
    clock = begin_clock(evening)
    assert (clock.minutes, clock.moving) == (20, 1)


def test_late_started_clock_begins_with_the_current_round(evening: Evening) -> None:
    clock = begin_clock(evening, round_number=3)
    assert clock.compute_moment(3, timezone.now()).round_number == 3
    assert clock.compute_moment(3, timezone.now()).phase == "playing"


def test_pause_lengthens_the_round_unless_play_stopped(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = timezone.now()
    added_times = []
    for should_shift_start in (False, True):
        monkeypatch.setattr(timezone, "now", lambda: now)
        begin_clock(evening)
        pause_clock(evening=evening, subject=FakeDrive(evening.club), by=None)
        monkeypatch.setattr(timezone, "now", lambda: now + timedelta(minutes=5))
        clock = begin_clock(evening, should_shift_start=should_shift_start)
        assert clock.compute_moment(3, timezone.now()).time_left == timedelta(minutes=14)
        added_times.append(clock.added)
        reset_clock(evening=evening, subject=FakeDrive(evening.club), by=None)
    assert added_times == [{"1": 300}, {}]


def test_only_a_planned_round_is_lengthened_or_ended(
    evening: Evening,
) -> None:
    begin_clock(evening)
    options = {
        "evening": evening,
        "round_count": 3,
        "subject": FakeDrive(evening.club),
        "by": None,
    }
    assert add_minutes_to_clock(minutes=2, **options).added == {"1": 120}
    assert end_phase(**options).compute_moment(3, timezone.now()).phase == "moving"
    recorded_actions = Act.objects.order_by("pk").values_list("after__clock__did", flat=True)
    assert list(recorded_actions)[-2:] == ["added", "ended"]


@pytest.mark.slow
@pytest.mark.parametrize("milliseconds", [0, 1, 499, 500, 501, 999])
def test_ended_round_is_over_at_any_fraction_of_a_second(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, milliseconds: int
) -> None:
    clock = begin_clock(evening)
    assert clock.started_at is not None
    started_at = clock.started_at + timedelta(seconds=4, milliseconds=milliseconds)
    monkeypatch.setattr(timezone, "now", lambda: started_at)
    options = {
        "evening": evening,
        "round_count": 3,
        "subject": FakeDrive(evening.club),
        "by": None,
    }
    assert end_phase(**options).compute_moment(3, started_at).phase == "moving"
    assert end_phase(**options).compute_moment(3, started_at).round_number == 2


def test_clock_that_was_not_started_cannot_be_ended(evening: Evening) -> None:
    with pytest.raises(ActionUnavailable):
        end_phase(evening=evening, round_count=3, subject=FakeDrive(evening.club), by=None)
    with pytest.raises(ActionUnavailable):
        set_clock(
            evening=evening, minutes=0, moving=2, subject=FakeDrive(evening.club), by=None
        )
    assert not RoundClock.objects.exists()


def test_clock_is_restored_from_the_state_in_the_history(evening: Evening) -> None:
    set_clock(evening=evening, minutes=20, moving=1, subject=FakeDrive(evening.club), by=None)
    set_clock(evening=evening, minutes=30, moving=0, subject=FakeDrive(evening.club), by=None)
    second, first_act = Act.objects.filter(about="drive:drive-1")
    assert [act.back["call"] for act in (first_act, second)] == ["clock", "clock"]
    assert second.back["given"]["evening"] == evening.pk
    state = second.back["given"]["state"]
    clock = restore_clock(
        evening=evening, state=state, subject=FakeDrive(evening.club), by=None
    )
    assert (clock.minutes, clock.moving) == (20, 1)
    state = first_act.back["given"]["state"]
    restore_clock(evening=evening, state=state, subject=FakeDrive(evening.club), by=None)
    assert not RoundClock.objects.exists()


def test_every_table_has_one_link_in_hall_order(evening: Evening) -> None:
    table_links = create_table_links(evening)
    assert [(table_link.section, table_link.table) for table_link in table_links] == TABLES
    assert create_table_links(evening) == table_links
    act = Act.objects.get(action="links.made")
    assert (act.about, act.club) == ("drive:drive-1", evening.club.slug)
    assert act.back["given"] == {"links": [table_link.pk for table_link in table_links]}


def test_revoked_link_is_replaced_and_the_others_stay(evening: Evening) -> None:
    table_links = create_table_links(evening)
    for _time in range(2):
        revoke_evening_table_link(
            link=table_links[1],
            act_location={"section": "A", "table": 2},
            subject=FakeDrive(evening.club),
            by=None,
        )
    assert Act.objects.get(action="link.revoked").where == {"section": "A", "table": 2}
    new_table_links = create_table_links(evening)
    assert [new_table_links[0], new_table_links[2]] == [
        table_links[0],
        table_links[2],
    ]
    assert new_table_links[1] not in table_links


def test_repeated_call_of_a_table_is_one_call_until_answered(evening: Evening) -> None:
    link = create_table_links(evening)[2]
    call = call_director(link=link)
    assert call_director(link=link) == call
    answered_call = answer_call(call=call, by=None)
    assert describe_author(answered_call.answered_by) == "the command line"
    assert call_director(link=link) != call


def test_deleting_links_of_one_section_keeps_the_others(evening: Evening) -> None:
    for link in create_table_links(evening):
        call_director(link=link)
    delete_section_links(evening=evening, section_letter="A")
    assert TableLink.objects.get().section == "B"
    assert DirectorCall.objects.get().section == "B"


def test_deleting_an_evening_deletes_its_dependent_rows() -> None:
    evening = RoundClockFactory().evening
    create_table_links(evening)
    delete_evening(evening=evening)
    assert not Evening.objects.exists()
    assert not RoundClock.objects.exists()
    assert not TableLink.objects.exists()


def test_evening_with_a_session_is_not_deleted() -> None:
    evening = SessionFactory().evening
    clock = RoundClockFactory(evening=evening)
    delete_evening(evening=evening)
    assert Evening.objects.get().clock == clock
