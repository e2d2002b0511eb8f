"""Rehearsals: a copy that plays automatically, and never touches the real session."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

import boards.batches
import clubs.evenings.services
import hall.rehearsal.services
import hall.rehearsal.simulation
import scoring.services
import tournaments.services
from boards.models import BoardSet
from clubs import audit
from clubs.models import DirectorCall, Player, RoundClock
from hall.models import Rehearsal
from hall.rehearsal.evening import get_session, load_scripted_evening
from hall.rehearsal.sheets import RehearsalSheet, build_rehearsal_sheet
from hall.room import services as clocks
from scoring.models import Doubt, Paper, Result, ResultVersion, Ruling
from tests import evenings
from tests.copies import build_once
from tests.factories import SessionFactory
from tournaments.errors import ActionUnavailable
from tournaments.ledger import load_seating_counts
from tournaments.models import Event, Session, Sitting
from tournaments.movements import Movement, build_named_movement
from tournaments.movements.changes import LateArrival
from tournaments.services.seats import list_slots

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
Wait = Callable[..., None]


@pytest.fixture
def move_clock_on(monkeypatch: pytest.MonkeyPatch) -> Wait:
    """Freeze the server's clock, and move it by minutes on request."""
    now = [datetime(2026, 3, 10, 19, 0, tzinfo=timezone.get_default_timezone())]
    monkeypatch.setattr(timezone, "now", lambda: now[0])

    def move_clock(minutes: float = 0, seconds: float = 0) -> None:
        now[0] += timedelta(minutes=minutes, seconds=seconds)

    return move_clock


@build_once
def create_seated_session() -> Session:
    """Return seven tables that have their seats and boards, and have not started."""
    session, user = evenings.seat_session(14)
    boards.batches.deal_missing_boards(
        tournaments.services.request_dealing(session=session, by=user)
    )
    session.refresh_from_db()
    return session


@pytest.fixture
def session() -> Session:
    return create_seated_session()


@pytest.fixture
@build_once
def finished_rehearsal() -> Rehearsal:
    """Return the rehearsal of the club night with all results that need no ruling."""
    rehearsal = start_rehearsal(create_seated_session())
    hall.rehearsal.services.finish_evening(rehearsal=rehearsal, by=None)
    play_and_count_results(rehearsal)
    return rehearsal


def create_dealt_rehearsal(session: Session) -> Rehearsal:
    """Return a rehearsal whose boards are dealt, as by a worker."""
    rehearsal = hall.rehearsal.services.create_rehearsal(session=session, by=None)
    board_set = get_session(rehearsal).board_set
    if board_set is not None:
        boards.batches.deal_missing_boards(board_set)
    return rehearsal


def start_rehearsal(session: Session, *, speed: int = 1, seed: str = "") -> Rehearsal:
    """Return a running rehearsal."""
    rehearsal = create_dealt_rehearsal(session)
    if seed:
        Rehearsal.objects.update(seed=seed)
    hall.rehearsal.services.set_speed(rehearsal=rehearsal, speed=speed, by=None)
    hall.rehearsal.services.run_rehearsal(rehearsal=rehearsal, by=None)
    return Rehearsal.objects.get()


def play_and_count_results(rehearsal: Rehearsal) -> int:
    """Play on until nothing more comes in, with ordered boards dealt; count the results."""
    board_set = get_session(rehearsal).board_set
    if board_set is not None:
        boards.batches.deal_missing_boards(board_set)
    while hall.rehearsal.simulation.enter_due_results(rehearsal=rehearsal):
        pass
    return count_results(rehearsal)


def count_results(rehearsal: Rehearsal) -> int:
    return Result.objects.filter(
        sitting__section__session__event=rehearsal.event_id, outcome="played"
    ).count()


def build_sheet(rehearsal: Rehearsal) -> RehearsalSheet:
    rehearsal = Rehearsal.objects.get(pk=rehearsal.pk)
    return build_rehearsal_sheet(rehearsal)


def find_mishap_report(rehearsal: Rehearsal, mishap_kind: str):
    return next(
        (
            mishap_report
            for mishap_report in build_sheet(rehearsal).mishap_reports
            if mishap_report.kind == mishap_kind
        ),
        None,
    )


def test_rehearsal_is_a_copy_named_as_rehearsal(session: Session) -> None:
    event = hall.rehearsal.services.create_rehearsal(session=session, by=None).event
    assert event.is_rehearsal
    assert event.name == "Rehearsal: Tuesday"
    assert [entry.name for entry in event.entries.all()] == [
        entry.name for entry in session.event.entries.all()
    ]
    columns = ("round", "table", "north__label", "east__label", "north__entry__name")
    sittings = Sitting.objects.filter(section__session__event=event).values_list(*columns)
    original_sittings = Sitting.objects.filter(section__session=session).values_list(*columns)
    assert list(sittings) == list(original_sittings)


def test_rehearsal_requested_twice_is_created_once(session: Session) -> None:
    rehearsal = hall.rehearsal.services.create_rehearsal(session=session, by=None)
    assert hall.rehearsal.services.create_rehearsal(session=session, by=None) == rehearsal
    assert Event.objects.count() == 2


def test_rehearsal_of_a_rehearsal_is_refused(session: Session) -> None:
    rehearsal = hall.rehearsal.services.create_rehearsal(session=session, by=None)
    with pytest.raises(ActionUnavailable, match="already a rehearsal"):
        hall.rehearsal.services.create_rehearsal(session=get_session(rehearsal), by=None)


def test_rehearsal_requires_a_movement() -> None:
    event, _user = evenings.create_event()
    with pytest.raises(ActionUnavailable, match="Choose the movement first"):
        hall.rehearsal.services.create_rehearsal(session=event.sessions.get(), by=None)
    assert Event.objects.count() == 1


@pytest.mark.parametrize("state", ["planned", "open"])
def test_secret_boards_are_redealt_for_a_rehearsal(session: Session, state: str) -> None:
    if state == "open":
        session = scoring.services.open_session(session=session, by=None)
    new_session = get_session(create_dealt_rehearsal(session))
    session.refresh_from_db()
    assert new_session.board_set is not None
    assert session.board_set is not None
    assert new_session.board_set != session.board_set
    assert new_session.board_set.size == session.board_set.size
    assert bytes(new_session.board_set.secret) != bytes(session.board_set.secret)
    real, rehearsal_deals = session.board_set.load_deals(), new_session.board_set.load_deals()
    assert len(real) == len(rehearsal_deals) == 14
    assert all(real[board_number] != rehearsal_deals[board_number] for board_number in real)


def test_rehearsal_uses_real_deals_once_they_are_public(session: Session) -> None:
    session = scoring.services.open_session(session=session, by=None)
    session = scoring.services.close_session(session=session, by=None)
    new_session = get_session(create_dealt_rehearsal(session))
    assert session.board_set is not None
    assert new_session.board_set is not None
    assert new_session.board_set.load_deals() == session.board_set.load_deals()
    assert new_session.board_set.pk != session.board_set.pk
    assert new_session.board_set.secret is None


def test_rehearsal_redeals_boards_still_played_in_another_session(session: Session) -> None:
    session = scoring.services.open_session(session=session, by=None)
    session = scoring.services.close_session(session=session, by=None)
    SessionFactory(event=session.event, number=2, deals="recorded", board_set=session.board_set)
    new_session = get_session(create_dealt_rehearsal(session))
    assert session.board_set is not None
    assert new_session.board_set is not None
    assert new_session.board_set.load_deals() != session.board_set.load_deals()


def test_rehearsal_of_a_table_shuffled_session_has_no_deals() -> None:
    session, user = evenings.seat_session(6)
    tournaments.services.set_table_shuffling(session=session, by=user)
    rehearsal = start_rehearsal(session)
    assert get_session(rehearsal).board_set is None
    hall.rehearsal.services.finish_evening(rehearsal=rehearsal, by=None)
    assert play_and_count_results(rehearsal) > 10


def test_rehearsed_results_are_entered_as_the_clock_runs(
    session: Session, move_clock_on: Wait
) -> None:
    clubs.evenings.services.set_clock(
        **evenings.build_service_arguments(session), minutes=25, moving=2, by=None
    )
    rehearsal = start_rehearsal(session)
    assert play_and_count_results(rehearsal) == 0
    result_counts = []
    for _minute in range(27):
        move_clock_on(minutes=1)
        result_counts.append(play_and_count_results(rehearsal))
    assert result_counts == sorted(result_counts)
    assert result_counts[3] == 0
    assert 0 < result_counts[16] < 14
    assert result_counts[-1] == 14
    versions = ResultVersion.objects.all()
    assert {version.via for version in versions} == {"rehearsal"}
    assert {version.by for version in versions} == {f"table:{number}" for number in range(1, 8)}


def test_second_tick_at_the_same_time_adds_nothing(
    session: Session, move_clock_on: Wait
) -> None:
    rehearsal = start_rehearsal(session)
    for _time in range(10):
        move_clock_on(minutes=2)
        play_and_count_results(rehearsal)
    counts_before = ResultVersion.objects.count(), DirectorCall.objects.count()
    play_and_count_results(rehearsal)
    play_and_count_results(rehearsal)
    assert (ResultVersion.objects.count(), DirectorCall.objects.count()) == counts_before


@pytest.mark.parametrize("speed", [10, 60])
def test_faster_rehearsal_speeds_up_the_round_clock(
    session: Session, move_clock_on: Wait, speed: int
) -> None:
    rehearsal = start_rehearsal(session, speed=speed)
    move_clock_on(seconds=6)
    play_and_count_results(rehearsal)
    clock = RoundClock.objects.get(evening__session__event=rehearsal.event)
    assert timezone.now() - clock.started_at == timedelta(seconds=6 * speed)
    assert Rehearsal.objects.get().reached == timedelta(seconds=6 * speed)


def test_rehearsal_pauses_while_no_one_watches(session: Session, move_clock_on: Wait) -> None:
    rehearsal = start_rehearsal(session)
    move_clock_on(minutes=60 * 24)
    assert play_and_count_results(rehearsal) == 0
    assert Rehearsal.objects.get().reached == timedelta(minutes=2)


def test_pause_does_not_change_the_rehearsal(session: Session, move_clock_on: Wait) -> None:
    rehearsal = start_rehearsal(session, speed=10)
    move_clock_on(minutes=1)
    play_and_count_results(rehearsal)
    before = Rehearsal.objects.get().reached
    hall.rehearsal.services.pause_rehearsal(rehearsal=rehearsal, by=None)
    move_clock_on(minutes=30)
    play_and_count_results(rehearsal)
    assert Rehearsal.objects.get().reached == before == timedelta(minutes=10)
    hall.rehearsal.services.run_rehearsal(rehearsal=rehearsal, by=None)
    play_and_count_results(rehearsal)
    assert Rehearsal.objects.get().reached == before
    assert RoundClock.objects.get(evening__session__event=rehearsal.event).added == {}


def test_clock_set_back_restarts_rehearsal_and_keeps_entered_results(
    session: Session, move_clock_on: Wait
) -> None:
    rehearsal = start_rehearsal(session, speed=60)
    move_clock_on(seconds=20)
    entered_count = play_and_count_results(rehearsal)
    assert entered_count > 0
    clubs.evenings.services.reset_clock(
        **evenings.build_service_arguments(get_session(rehearsal)), by=None
    )
    assert play_and_count_results(rehearsal) == entered_count
    clocks.start_clock(session=get_session(rehearsal), by=None)
    play_and_count_results(rehearsal)
    assert Rehearsal.objects.get().reached == timedelta()
    assert count_results(rehearsal) == entered_count


def test_finishing_the_round_enters_all_its_results_and_no_others(
    session: Session, move_clock_on: Wait
) -> None:
    rehearsal = start_rehearsal(session)
    hall.rehearsal.services.finish_round(rehearsal=rehearsal, round_number=1, by=None)
    play_and_count_results(rehearsal)
    results = Result.objects.filter(sitting__section__session__event=rehearsal.event)
    assert {item.sitting.round for item in results} == {1}
    assert results.count() == 14


def test_finishing_a_round_twice_has_no_further_effect(
    session: Session, move_clock_on: Wait
) -> None:
    rehearsal = start_rehearsal(session)
    for _press in range(2):
        hall.rehearsal.services.finish_round(rehearsal=rehearsal, round_number=1, by=None)
    assert play_and_count_results(rehearsal) == 14
    with pytest.raises(ActionUnavailable, match="Round not found"):
        hall.rehearsal.services.finish_round(rehearsal=rehearsal, round_number=8, by=None)


def test_finishing_the_session_enters_all_results_that_need_no_ruling(
    finished_rehearsal: Rehearsal,
) -> None:
    assert count_results(finished_rehearsal) == 14 * 7 - 1
    assert build_sheet(finished_rehearsal).state == "played"
    assert {happening.kind for happening in build_sheet(finished_rehearsal).mishap_reports} == {
        *("late", "fouled", "revoke", "turned")
    }


def test_each_request_enters_a_limited_number_of_results(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hall.rehearsal.simulation, "MAX_RESULTS_PER_REQUEST", 5)
    rehearsal = start_rehearsal(session)
    hall.rehearsal.services.finish_round(rehearsal=rehearsal, round_number=1, by=None)
    assert hall.rehearsal.simulation.enter_due_results(rehearsal=rehearsal) == 9
    assert count_results(rehearsal) == 5


def test_fouled_board_waits_for_a_ruling(finished_rehearsal: Rehearsal) -> None:
    happening = find_mishap_report(finished_rehearsal, "fouled")
    assert not happening.is_handled
    assert "fourteen cards" in happening.text
    table = int(happening.table_path.split("-")[1])
    assert DirectorCall.objects.filter(table=table, answered_at=None).exists()
    sitting = Sitting.objects.get(pk=happening.sitting_pk)
    assert not Result.objects.filter(sitting=sitting, board=happening.board_number).exists()
    scoring.services.make_ruling(
        kind=Ruling.Kind.AVERAGE, sitting=sitting, board_number=happening.board_number, by=None
    )
    assert find_mishap_report(finished_rehearsal, "fouled").is_handled
    assert play_and_count_results(finished_rehearsal) == 14 * 7 - 1
    assert build_sheet(finished_rehearsal).entered_result_count == 14 * 7


def test_fouled_board_is_played_after_correction(finished_rehearsal: Rehearsal) -> None:
    happening = find_mishap_report(finished_rehearsal, "fouled")
    sitting = Sitting.objects.get(pk=happening.sitting_pk)
    scoring.services.make_ruling(
        kind=Ruling.Kind.FOULED_BOARD,
        sitting=sitting,
        board_number=happening.board_number,
        by=None,
    )
    assert play_and_count_results(finished_rehearsal) == 14 * 7


def test_rehearsed_revoke_is_handled_after_its_ruling(finished_rehearsal: Rehearsal) -> None:
    happening = find_mishap_report(finished_rehearsal, "revoke")
    assert not happening.is_handled
    scoring.services.make_ruling(
        kind=Ruling.Kind.REVOKE,
        sitting=Sitting.objects.get(pk=happening.sitting_pk),
        board_number=happening.board_number,
        side="NS",
        revokes=1,
        won_before=1,
        by=None,
    )
    assert find_mishap_report(finished_rehearsal, "revoke").is_handled


def test_rehearsed_tables_call_director_if_session_is_opened_normally(session: Session) -> None:
    rehearsal = create_dealt_rehearsal(session)
    opened_session = scoring.services.open_session(session=get_session(rehearsal), by=None)
    clocks.start_clock(session=opened_session, by=None)
    hall.rehearsal.services.finish_evening(rehearsal=rehearsal, by=None)
    play_and_count_results(rehearsal)
    assert DirectorCall.objects.count() == 2


def test_answered_call_is_not_repeated(
    finished_rehearsal: Rehearsal, move_clock_on: Wait
) -> None:
    assert DirectorCall.objects.count() == 2
    for call in DirectorCall.objects.all():
        clubs.evenings.services.answer_call(call=call, by=None)
    move_clock_on(minutes=1)
    play_and_count_results(finished_rehearsal)
    assert not DirectorCall.objects.filter(answered_at=None).exists()


def test_round_entered_with_swapped_sides_is_queried_and_corrected(session: Session) -> None:
    # Without cards the results depend only on the seed, and so are the same each time.
    Session.objects.filter(pk=session.pk).update(board_set=None, deals=Session.DealsState.NONE)
    session.refresh_from_db()
    rehearsal = start_rehearsal(session, seed="seen at once")
    hall.rehearsal.services.finish_evening(rehearsal=rehearsal, by=None)
    play_and_count_results(rehearsal)
    assert not find_mishap_report(rehearsal, "turned").is_handled
    rehearsal = Rehearsal.objects.get()
    script = next(happening for happening in rehearsal.script if happening["kind"] == "turned")
    assert script["table"] > 0
    wrong_results = Result.objects.filter(
        sitting__section__session__event=rehearsal.event,
        sitting__round=script["round"],
        sitting__table=script["table"],
    )
    assert wrong_results.filter(doubt=Doubt.QUERIED).exists()
    for result in wrong_results:
        scoring.services.swap_result_sides(
            sitting=result.sitting, board_number=result.board, by=None
        )
    assert find_mishap_report(rehearsal, "turned").is_handled


def test_late_pair_waits_until_the_director_admits_it(
    session: Session, move_clock_on: Wait
) -> None:
    rehearsal = start_rehearsal(session, speed=60)
    move_clock_on(seconds=5)
    play_and_count_results(rehearsal)
    assert find_mishap_report(rehearsal, "late") is None
    move_clock_on(seconds=10)
    play_and_count_results(rehearsal)
    happening = find_mishap_report(rehearsal, "late")
    assert not happening.is_handled
    assert "Late pair waiting" in happening.text
    new_session = get_session(rehearsal)
    scoring.services.apply_seating_change(
        section=new_session.sections.get(),
        rounds_played=1,
        incident=LateArrival(),
        continuation_key="redraw",
        incident_data={"kind": "late", "names": ["Ada Pole", "Bo Low"], "round": 1},
        names=happening.player_names,
        by=None,
    )
    assert find_mishap_report(rehearsal, "late").is_handled
    hall.rehearsal.services.finish_evening(rehearsal=rehearsal, by=None)
    play_and_count_results(rehearsal)
    late_entry = new_session.event.entries.get(number=15)
    results = Result.objects.filter(sitting__section__session=new_session)
    assert any(
        late_entry.pk in (item.sitting.north.entry_id, item.sitting.east.entry_id)
        for item in results
    )


def test_incident_moves_to_another_table_if_its_table_is_empty(session: Session) -> None:
    rehearsal = start_rehearsal(session)
    script = next(happening for happening in rehearsal.script if happening["kind"] == "fouled")
    sitting = Sitting.objects.get(
        section__session=get_session(rehearsal),
        round=script["round"],
        table=script["table"],
    )
    sitting.delete()
    hall.rehearsal.services.finish_round(
        rehearsal=rehearsal, round_number=script["round"], by=None
    )
    play_and_count_results(rehearsal)
    assert not find_mishap_report(rehearsal, "fouled").is_handled
    assert find_mishap_report(rehearsal, "fouled").sitting_pk != sitting.pk


def test_late_pair_that_is_not_admitted_withdraws(finished_rehearsal: Rehearsal) -> None:
    assert find_mishap_report(finished_rehearsal, "late").is_handled
    assert "has left" in find_mishap_report(finished_rehearsal, "late").text


def test_rehearsal_does_not_overwrite_directors_entries(session: Session) -> None:
    rehearsal = start_rehearsal(session)
    new_session = get_session(rehearsal)
    sitting = Sitting.objects.get(section__session=new_session, round=1, table=1)
    first_board, second = new_session.get_group_boards(sitting.board_group)
    evenings.enter_result(new_session, sitting.pk, first_board, "0", None)
    hall.rehearsal.services.finish_round(rehearsal=rehearsal, round_number=1, by=None)
    play_and_count_results(rehearsal)
    assert Result.objects.get(sitting=sitting, board=first_board).ns_tricks == 0
    evenings.enter_result(new_session, sitting.pk, second, "", None)
    play_and_count_results(rehearsal)
    assert Result.objects.get(sitting=sitting, board=second).mark == ""


def test_redeal_is_played_in_a_rehearsal(session: Session) -> None:
    rehearsal = start_rehearsal(session)
    new_session = get_session(rehearsal)
    hall.rehearsal.services.finish_round(rehearsal=rehearsal, round_number=1, by=None)
    play_and_count_results(rehearsal)
    sitting = Sitting.objects.get(section__session=new_session, round=1, table=1)
    board = new_session.get_group_boards(sitting.board_group)[0]
    scoring.services.make_ruling(
        kind=Ruling.Kind.NEW_DEAL, sitting=sitting, board_number=board, by=None
    )
    play_and_count_results(rehearsal)
    assert [result.deal for result in sitting.results.filter(board=board).order_by("deal")] == [
        1,
        2,
    ]
    assert play_and_count_results(rehearsal) == 15


def test_rehearsal_enters_nothing_before_start_or_after_close(session: Session) -> None:
    rehearsal = hall.rehearsal.services.create_rehearsal(session=session, by=None)
    assert play_and_count_results(rehearsal) == 0
    with pytest.raises(ActionUnavailable, match="Start the rehearsal first"):
        hall.rehearsal.services.finish_round(rehearsal=rehearsal, round_number=1, by=None)
    hall.rehearsal.services.run_rehearsal(rehearsal=rehearsal, by=None)
    scoring.services.close_session(session=get_session(rehearsal), by=None)
    with pytest.raises(ActionUnavailable, match="closed"):
        hall.rehearsal.services.finish_evening(rehearsal=rehearsal, by=None)
    assert play_and_count_results(rehearsal) == 0


def test_same_seed_gives_same_rehearsal(session: Session) -> None:
    rehearsal = start_rehearsal(session, seed="one")
    new_session = get_session(rehearsal)
    clock = RoundClock.objects.get(evening=new_session.evening)
    first_evening, second_evening = (
        load_scripted_evening(rehearsal, new_session, clock) for _ in range(2)
    )
    assert first_evening.due_results == second_evening.due_results
    assert [
        first_evening.get_true_tricks(due_result) for due_result in first_evening.due_results
    ] == [
        second_evening.get_true_tricks(due_result) for due_result in second_evening.due_results
    ]


@pytest.mark.parametrize(
    ("contest", "movement"),
    [
        ("individual", build_named_movement("whist-individual", players=12)),
        ("teams", build_named_movement("howell-teams", teams=5)),
        ("teams", build_named_movement("two-packs", rounds=4)),
        ("memory", build_named_movement("memory", pairs=2)),
    ],
)
def test_other_contests_can_be_rehearsed(contest: str, movement: Movement) -> None:
    event, user = evenings.create_event(0, contest=contest)
    item = {"individual": 1, "teams": 4, "memory": 2}[contest]
    for number in range(len(list_slots(movement))):
        players = [f"Player {number} {member_number}" for member_number in range(item)]
        tournaments.services.create_entry(event=event, names=players, by=user)
    session = event.sessions.get()
    seating = tournaments.services.arrange_entries(movement, list(event.entries.all()))
    tournaments.services.seat_section(
        session=session, movement=movement, boards_a_round=2, entries_by_place=seating, by=user
    )
    rehearsal = start_rehearsal(session)
    hall.rehearsal.services.finish_evening(rehearsal=rehearsal, by=None)
    assert (
        play_and_count_results(rehearsal)
        >= build_sheet(rehearsal).expected_result_count - 1
        > 0
    )


def test_discarded_rehearsal_leaves_only_its_history(finished_rehearsal: Rehearsal) -> None:
    event, real = finished_rehearsal.event, Event.objects.get(is_rehearsal=False)
    for happening in build_sheet(finished_rehearsal).mishap_reports:
        if happening.kind == "fouled":
            scoring.services.make_ruling(
                kind=Ruling.Kind.AVERAGE,
                sitting=Sitting.objects.get(pk=happening.sitting_pk),
                board_number=happening.board_number,
                by=None,
            )
    tournaments.services.create_entry(
        event=event, names=("Ida Latecomer", "Otto Latecomer"), is_late=True, by=None
    )
    scoring.services.order_paper(
        session=get_session(finished_rehearsal), kind="ranking", size="A4", by=None
    )
    players = Player.objects.count()
    hall.rehearsal.services.delete_rehearsal(event=event, by=None)
    assert not Event.objects.filter(is_rehearsal=True).exists()
    assert not Rehearsal.objects.exists()
    assert not Result.objects.exists()
    assert BoardSet.objects.count() == 1
    assert Player.objects.count() == players - 2
    assert Event.objects.get() == real
    assert Sitting.objects.filter(section__session__event=real).count() == 49
    actions = audit.list_acts(event).values_list("action", flat=True)
    assert {"rehearsal.made", "rehearsal.thrown_away"} <= set(actions)


def test_discarding_a_rehearsal_deletes_its_papers(
    session: Session, django_capture_on_commit_callbacks: Any
) -> None:
    rehearsal = start_rehearsal(session)
    new_session = get_session(rehearsal)
    with django_capture_on_commit_callbacks(execute=True):
        scoring.services.order_paper(
            session=new_session, kind="guide_cards", size="A4", by=None
        )
    file = Paper.objects.get().file
    assert file.storage.exists(file.name)
    with django_capture_on_commit_callbacks(execute=True):
        hall.rehearsal.services.delete_rehearsal(event=rehearsal.event, by=None)
    assert not file.storage.exists(file.name)


def test_rehearsal_player_who_plays_elsewhere_is_kept(session: Session) -> None:
    rehearsal = start_rehearsal(session)
    late_names = ("Ida Latecomer", "Otto Latecomer")
    tournaments.services.create_entry(
        event=rehearsal.event, names=late_names, is_late=True, by=None
    )
    event, _user = evenings.create_event(0, name="Another night")
    tournaments.services.create_entry(event=event, names=("Ida Latecomer", "Ada Pole"), by=None)
    hall.rehearsal.services.delete_rehearsal(event=rehearsal.event, by=None)
    assert Player.objects.filter(name="Ida Latecomer").exists()
    assert not Player.objects.filter(name="Otto Latecomer").exists()


def test_rehearsal_follows_an_extended_round(session: Session, move_clock_on: Wait) -> None:
    rehearsal = start_rehearsal(session)
    new_session = get_session(rehearsal)
    evening_before = load_scripted_evening(
        rehearsal, new_session, RoundClock.objects.get(evening=new_session.evening)
    )
    clocks.add_minutes_to_clock(session=new_session, minutes=5, by=None)
    evening_after = load_scripted_evening(
        rehearsal, new_session, RoundClock.objects.get(evening=new_session.evening)
    )
    first_entry_seconds = [
        due_result.entry_seconds
        for due_result in evening_before.due_results
        if due_result.sitting.table_key.round_number == 1
    ]
    assert [
        due_result.entry_seconds
        for due_result in evening_after.due_results
        if due_result.sitting.table_key.round_number == 1
    ] == first_entry_seconds
    third_round_starts = [
        next(d.entry_seconds for d in item.due_results if d.sitting.table_key.round_number == 3)
        for item in (evening_before, evening_after)
    ]
    assert third_round_starts[1] - third_round_starts[0] == 300


def test_real_event_cannot_be_discarded(session: Session) -> None:
    with pytest.raises(ActionUnavailable, match="can’t be deleted"):
        hall.rehearsal.services.delete_rehearsal(event=session.event, by=None)
    with pytest.raises(ActionUnavailable, match="can’t be deleted"):
        scoring.services.delete_rehearsal(event=session.event, rehearsal_names=(), by=None)
    assert Event.objects.exists()


def test_new_rehearsal_can_be_created_after_discarding_one(session: Session) -> None:
    first_rehearsal = hall.rehearsal.services.create_rehearsal(session=session, by=None)
    slug = first_rehearsal.event.slug
    hall.rehearsal.services.delete_rehearsal(event=first_rehearsal.event, by=None)
    assert hall.rehearsal.services.create_rehearsal(session=session, by=None).event.slug != slug


def test_rehearsal_counts_in_no_season(finished_rehearsal: Rehearsal) -> None:
    event = Event.objects.get(is_rehearsal=False)
    assert {
        record.evening_count for record in load_seating_counts(event.sessions.get()).values()
    } == {0}


def test_rehearsal_is_in_no_list_of_events(session: Session) -> None:
    hall.rehearsal.services.create_rehearsal(session=session, by=None)
    assert list(Event.objects.exclude_hidden()) == [session.event]
