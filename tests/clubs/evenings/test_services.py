"""An evening of an unknown game has a clock, links and calls all the same."""

from dataclasses import dataclass
from datetime import timedelta

import pytest
from django.utils import timezone

from clubs.audit import describe_author
from clubs.errors import NotNow
from clubs.evenings.services import (
    add_to_clock,
    answer_call,
    call_director,
    create_links,
    delete_evening,
    delete_section_links,
    end_phase,
    pause_clock,
    reset_clock,
    restore_clock,
    revoke_link,
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
class Drive:
    """An activity other than an event, with a history of its own."""

    club: Club
    audit_key: str = "drive:drive-1"


@pytest.fixture
def evening() -> Evening:
    return EveningFactory()


def begin_clock(evening: Evening, **how: object) -> RoundClock:
    given = {
        "rounds": 3,
        "default_pace": PACE,
        "subject": Drive(evening.club),
        "by": None,
    } | how
    return start_clock(evening=evening, **given)


def create_table_links(evening: Evening) -> list[TableLink]:
    return create_links(evening=evening, tables=TABLES, about=Drive(evening.club), by=None)


def test_a_clock_of_which_nothing_was_said_goes_at_the_usual_pace(evening: Evening) -> None:
    clock = begin_clock(evening)
    assert (clock.minutes, clock.moving) == PACE
    assert RoundClock.objects.get() == evening.clock == clock


def test_a_clock_that_was_set_keeps_its_pace(evening: Evening) -> None:
    set_clock(evening=evening, minutes=20, moving=1, subject=Drive(evening.club), by=None)
    clock = begin_clock(evening)
    assert (clock.minutes, clock.moving) == (20, 1)


def test_a_clock_started_late_begins_with_the_round_that_is_on(evening: Evening) -> None:
    clock = begin_clock(evening, round_=3)
    assert clock.compute_moment(3, timezone.now()).round == 3
    assert clock.compute_moment(3, timezone.now()).phase == "playing"


def test_a_pause_lengthens_the_round_unless_play_stood_still(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = timezone.now()
    added = []
    for stood_still in (False, True):
        monkeypatch.setattr(timezone, "now", lambda: now)
        begin_clock(evening)
        pause_clock(evening=evening, subject=Drive(evening.club), by=None)
        monkeypatch.setattr(timezone, "now", lambda: now + timedelta(minutes=5))
        clock = begin_clock(evening, stood_still=stood_still)
        assert clock.compute_moment(3, timezone.now()).left == timedelta(minutes=14)
        added.append(clock.added)
        reset_clock(evening=evening, subject=Drive(evening.club), by=None)
    assert added == [{"1": 300}, {}]


def test_a_round_is_lengthened_and_ended_by_the_rounds_that_are_played(
    evening: Evening,
) -> None:
    begin_clock(evening)
    given = {"evening": evening, "rounds": 3, "subject": Drive(evening.club), "by": None}
    assert add_to_clock(minutes=2, **given).added == {"1": 120}
    assert end_phase(**given).compute_moment(3, timezone.now()).phase == "moving"
    recorded = Act.objects.order_by("pk").values_list("after__clock__did", flat=True)
    assert list(recorded)[-2:] == ["added", "ended"]


@pytest.mark.slow
@pytest.mark.parametrize("part", [0, 1, 499, 500, 501, 999])
def test_what_is_ended_has_ended_whatever_part_of_a_second_has_passed(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, part: int
) -> None:
    clock = begin_clock(evening)
    assert clock.started_at is not None
    started_at = clock.started_at + timedelta(seconds=4, milliseconds=part)
    monkeypatch.setattr(timezone, "now", lambda: started_at)
    given = {"evening": evening, "rounds": 3, "subject": Drive(evening.club), "by": None}
    assert end_phase(**given).compute_moment(3, started_at).phase == "moving"
    assert end_phase(**given).compute_moment(3, started_at).round == 2


def test_a_clock_that_was_not_started_has_nothing_to_end(evening: Evening) -> None:
    with pytest.raises(NotNow):
        end_phase(evening=evening, rounds=3, subject=Drive(evening.club), by=None)
    with pytest.raises(NotNow):
        set_clock(evening=evening, minutes=0, moving=2, subject=Drive(evening.club), by=None)
    assert not RoundClock.objects.exists()


def test_what_the_history_keeps_of_a_clock_puts_it_back(evening: Evening) -> None:
    set_clock(evening=evening, minutes=20, moving=1, subject=Drive(evening.club), by=None)
    set_clock(evening=evening, minutes=30, moving=0, subject=Drive(evening.club), by=None)
    second, first = Act.objects.filter(about="drive:drive-1")
    assert [act.back["call"] for act in (first, second)] == ["clock", "clock"]
    assert second.back["given"]["evening"] == evening.pk
    state = second.back["given"]["state"]
    clock = restore_clock(evening=evening, state=state, subject=Drive(evening.club), by=None)
    assert (clock.minutes, clock.moving) == (20, 1)
    state = first.back["given"]["state"]
    restore_clock(evening=evening, state=state, subject=Drive(evening.club), by=None)
    assert not RoundClock.objects.exists()


def test_every_table_has_one_link_in_the_order_of_the_hall(evening: Evening) -> None:
    table_links = create_table_links(evening)
    assert [(item.section, item.table) for item in table_links] == TABLES
    assert create_table_links(evening) == table_links
    act = Act.objects.get(action="links.made")
    assert (act.about, act.club) == ("drive:drive-1", evening.club.slug)
    assert act.back["given"] == {"links": [item.pk for item in table_links]}


def test_a_link_taken_back_is_replaced_and_the_others_stay(evening: Evening) -> None:
    table_links = create_table_links(evening)
    for _time in range(2):
        revoke_link(
            link=table_links[1],
            where={"section": "A", "table": 2},
            about=Drive(evening.club),
            by=None,
        )
    assert Act.objects.get(action="link.revoked").where == {"section": "A", "table": 2}
    repeated_table_links = create_table_links(evening)
    assert [repeated_table_links[0], repeated_table_links[2]] == [
        table_links[0],
        table_links[2],
    ]
    assert repeated_table_links[1] not in table_links


def test_a_table_that_calls_twice_calls_once_until_somebody_comes(evening: Evening) -> None:
    link = create_table_links(evening)[2]
    call = call_director(link=link)
    assert call_director(link=link) == call
    answered = answer_call(call=call, by=None)
    assert describe_author(answered.answered_by) == "the command line"
    assert call_director(link=link) != call


def test_a_section_that_is_seated_no_more_is_forgotten_alone(evening: Evening) -> None:
    for link in create_table_links(evening):
        call_director(link=link)
    delete_section_links(evening=evening, section="A")
    assert TableLink.objects.get().section == "B"
    assert DirectorCall.objects.get().section == "B"


def test_an_evening_goes_with_what_hangs_on_it() -> None:
    evening = RoundClockFactory().evening
    create_table_links(evening)
    delete_evening(evening=evening)
    assert not Evening.objects.exists()
    assert not RoundClock.objects.exists()
    assert not TableLink.objects.exists()


def test_an_evening_on_which_something_is_played_stays() -> None:
    evening = SessionFactory().evening
    clock = RoundClockFactory(evening=evening)
    delete_evening(evening=evening)
    assert Evening.objects.get().clock == clock
