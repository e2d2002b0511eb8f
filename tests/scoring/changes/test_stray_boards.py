"""A board from another set is corrected on its own, with all consequences."""

import pytest
from django.test import Client

import scoring.services
from clubs import audit
from hall.history.undo import undo_event_act
from scoring.models import Doubt, Result, Ruling
from scoring.session_queries import count_missing_results
from scoring.session_snapshot import load_session_snapshot
from scoring.standings_engine.scores import score_event
from server.models import User
from tests import acts, evenings
from tournaments.errors import ActionUnavailable
from tournaments.models import Session, Sitting
from tournaments.movements.changes import TurnedTable, list_continuations
from tournaments.seating_snapshot import load_movement

pytestmark = pytest.mark.django_db


def find_sitting(session: Session, round_: int, table: int) -> Sitting:
    rows = Sitting.objects.select_related("section__session__event")
    return rows.get(section__session=session, round=round_, table=table)


def record_played_board(sitting: Sitting, board: int, played_board: int, by: User) -> None:
    scoring.services.record_actual_board(
        sitting=sitting, board=board, really=played_board, by=by
    )


def list_boards_by_table(session: Session) -> dict[tuple[int, int], list[int]]:
    snapshot = load_session_snapshot(session)
    return {(table.round, table.table_number): [*table.boards] for table in snapshot.tables}


def test_no_player_meets_a_deal_twice_after_a_stray_board() -> None:
    """Try every other board in each round: no one plays a deal twice, and undo is exact."""
    session, user = evenings.open_session(10)
    evenings.enter_result(session, find_sitting(session, 1, 1).pk, 1, "8", user)
    event_state_before, boards_before = (
        acts.read_event_state(session.event),
        list_boards_by_table(session),
    )
    first_sitting = find_sitting(session, 1, 1)
    people = {first_sitting.north_id, first_sitting.east_id}
    for board_number in range(3, 11):
        expected = count_missing_results(session)
        record_played_board(first_sitting, 1, board_number, user)
        snapshot = load_session_snapshot(session)
        assert list_boards_by_table(session)[1, 1] == [board_number, 2]
        assert Result.find_or_create_current_result(first_sitting, board_number).mark == "8"
        tables = [
            table
            for table in snapshot.tables
            if board_number in table.boards and people & {*table.ns.places, *table.ew.places}
        ]
        assert [(item.round, item.table_number) for item in tables] == [(1, 1)]
        left_out = sum(len(item) for item in boards_before.values()) - sum(
            map(len, list_boards_by_table(session).values())
        )
        assert left_out in (1, 2)
        assert (
            count_missing_results(session)
            == expected - left_out
            == snapshot.missing_result_count
        )
        assert (
            score_event(session.event).tally.expected_result_count
            == snapshot.expected_result_count
        )
        undo_event_act(event=session.event, act=audit.list_acts(session.event)[0], by=user)
        assert acts.read_event_state(session.event) == event_state_before
        assert list_boards_by_table(session) == boards_before


def test_board_misnamed_twice_can_be_restored() -> None:
    session, user = evenings.open_session(10)
    event_state_before = acts.read_event_state(session.event)
    first_sitting = find_sitting(session, 1, 1)
    record_played_board(first_sitting, 1, 5, user)
    record_played_board(find_sitting(session, 1, 1), 1, 5, user)  # sent twice
    assert len(find_sitting(session, 1, 1).strays) == 1
    record_played_board(find_sitting(session, 1, 1), 5, 7, user)
    assert list_boards_by_table(session)[1, 1] == [7, 2]
    record_played_board(find_sitting(session, 1, 1), 7, 1, user)
    assert acts.read_event_state(session.event) == event_state_before


def test_impossible_board_correction_is_refused_with_a_reason() -> None:
    session, user = evenings.open_session(10)
    first_sitting = find_sitting(session, 1, 1)
    for actual_board, reason in (
        (2, "Swap the two"),
        (11, "isn’t in play"),
        (0, "isn’t in play"),
    ):
        with pytest.raises(ActionUnavailable, match=reason):
            record_played_board(first_sitting, 1, actual_board, user)
    evenings.enter_result(session, first_sitting.pk, 1, "7", user)
    sitting_after = next(
        one_sitting
        for one_sitting in Sitting.objects.filter(section__session=session, round=2)
        if first_sitting.north_id in (one_sitting.north_id, one_sitting.east_id)
    )
    sitting_after = find_sitting(session, 2, sitting_after.table)
    with pytest.raises(ActionUnavailable, match="already played board 1 in round 1"):
        record_played_board(sitting_after, sitting_after.boards[0], 1, user)
    ruled_result = Result.find_or_create_current_result(first_sitting, 1)
    scoring.services.make_ruling(
        kind=Ruling.Kind.AVERAGE, result=ruled_result, reason="x", by=user
    )
    with pytest.raises(ActionUnavailable, match="Board 1 has a ruling"):
        record_played_board(find_sitting(session, 1, 1), 1, 5, user)
    record_played_board(
        find_sitting(session, 1, 2), find_sitting(session, 1, 2).boards[0], 9, user
    )
    sitting = Sitting.objects.get(pk=find_sitting(session, 1, 2).pk)
    with pytest.raises(ActionUnavailable, match="of another set in round 1"):
        swap_table_sides(session, sitting, user)


def swap_table_sides(session: Session, sitting: Sitting, user: User) -> None:
    section = session.sections.get()
    change = TurnedTable(table=sitting.table, first_round=1, last_round=1)
    continuation = list_continuations(load_movement(section), 1, change)[0]
    scoring.services.apply_seating_change(
        section=section,
        rounds_played=1,
        incident=change,
        continuation_key=continuation.key,
        incident_data={"kind": "turned"},
        by=user,
    )


def test_result_moved_to_its_real_board_is_queried_there(client: Client) -> None:
    """Six tables made 6 on the board really played, so a 13 moved there is queried."""
    session, user = evenings.open_session(14)
    first_sitting = find_sitting(session, 1, 1)
    for row in Sitting.objects.filter(section__session=session, board_group=2):
        sitting_snapshot = find_sitting(session, row.round, row.table)
        if {first_sitting.north_id, first_sitting.east_id}.isdisjoint(
            {row.north_id, row.east_id}
        ):
            evenings.enter_result(session, row.pk, sitting_snapshot.boards[0], "6", user)
    evenings.enter_result(session, first_sitting.pk, 1, "13", user)
    assert Result.find_or_create_current_result(first_sitting, 1).doubt == Doubt.NONE
    client.force_login(user)
    root_url = f"/director/events/{session.event.slug}"
    board_panel = client.get(
        f"{root_url}/rulings/play/?sitting={first_sitting.pk}&board=1"
    ).content.decode()
    assert "Correct this board" in board_panel
    assert '<option value="2">' not in board_panel
    fields = {"act": "really", "sitting": first_sitting.pk, "board": 1, "really": 3}
    page = client.post(f"{root_url}/result/doubt/", fields, follow=True).content.decode()
    assert "Table 1, round 1: board 1 was board 3." in page
    assert Result.find_or_create_current_result(first_sitting, 3).doubt == Doubt.QUERIED
    history = client.get(f"{root_url}/history/").content.decode()
    assert "Board fixed: board 1, round 1, table 1" in history
