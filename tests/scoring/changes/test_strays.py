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
from tournaments.errors import NotNow
from tournaments.models import Session, Sitting
from tournaments.movements.changes import TurnedTable, list_ways
from tournaments.seating_snapshot import load_movement

pytestmark = pytest.mark.django_db


def at(session: Session, round_: int, table: int) -> Sitting:
    rows = Sitting.objects.select_related("section__session__event")
    return rows.get(section__session=session, round=round_, table=table)


def put(sitting: Sitting, board: int, really: int, by: User) -> None:
    scoring.services.record_board_really_played(
        sitting=sitting, board=board, really=really, by=by
    )


def boards(session: Session) -> dict[tuple[int, int], list[int]]:
    snapshot = load_session_snapshot(session)
    return {(it.round, it.table): [*it.boards] for it in snapshot.tables}


def test_a_board_from_another_set_is_played_there_and_met_no_second_time() -> None:
    """Every other board at a table, each round: no one plays a deal twice, undo is exact."""
    session, user = evenings.opened(10)
    evenings.enter(session, at(session, 1, 1).pk, 1, "8", user)
    before, was = acts.state_of(session.event), boards(session)
    first = at(session, 1, 1)
    people = {first.north_id, first.east_id}
    for really in range(3, 11):
        expected = count_missing_results(session)
        put(first, 1, really, user)
        snapshot = load_session_snapshot(session)
        assert boards(session)[1, 1] == [really, 2]
        assert Result.find_or_create_current(first, really).mark == "8"
        met = [
            it
            for it in snapshot.tables
            if really in it.boards and people & {*it.ns.places, *it.ew.places}
        ]
        assert [(it.round, it.table) for it in met] == [(1, 1)]
        left_out = sum(len(it) for it in was.values()) - sum(map(len, boards(session).values()))
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
        assert acts.state_of(session.event) == before
        assert boards(session) == was


def test_a_board_named_wrongly_twice_ends_where_it_began() -> None:
    session, user = evenings.opened(10)
    before = acts.state_of(session.event)
    first = at(session, 1, 1)
    put(first, 1, 5, user)
    put(at(session, 1, 1), 1, 5, user)  # sent twice
    assert len(at(session, 1, 1).strays) == 1
    put(at(session, 1, 1), 5, 7, user)
    assert boards(session)[1, 1] == [7, 2]
    put(at(session, 1, 1), 7, 1, user)
    assert acts.state_of(session.event) == before


def test_what_cannot_be_so_is_refused_with_its_reason() -> None:
    session, user = evenings.opened(10)
    first = at(session, 1, 1)
    for really, why in ((2, "Swap the two"), (11, "isn't in play"), (0, "isn't in play")):
        with pytest.raises(NotNow, match=why):
            put(first, 1, really, user)
    evenings.enter(session, first.pk, 1, "7", user)
    after = next(
        it
        for it in Sitting.objects.filter(section__session=session, round=2)
        if first.north_id in (it.north_id, it.east_id)
    )
    after = at(session, 2, after.table)
    with pytest.raises(NotNow, match="already played board 1 in round 1"):
        put(after, after.boards[0], 1, user)
    ruled = Result.find_or_create_current(first, 1)
    scoring.services.make_ruling(kind=Ruling.Kind.AVERAGE, result=ruled, reason="x", by=user)
    with pytest.raises(NotNow, match="Board 1 has a ruling"):
        put(at(session, 1, 1), 1, 5, user)
    put(at(session, 1, 2), at(session, 1, 2).boards[0], 9, user)
    turned = Sitting.objects.get(pk=at(session, 1, 2).pk)
    with pytest.raises(NotNow, match="of another set in round 1"):
        acts_turned(session, turned, user)


def acts_turned(session: Session, sitting: Sitting, user: User) -> None:
    section = session.sections.get()
    change = TurnedTable(table=sitting.table, first=1, last=1)
    way = list_ways(load_movement(section), 1, change)[0]
    scoring.services.change_session(
        section=section, played=1, change=change, key=way.key, what={"kind": "turned"}, by=user
    )


def test_what_was_written_is_asked_about_at_its_new_board(client: Client) -> None:
    """Six tables made 6 on the board really played, so a 13 moved there is queried."""
    session, user = evenings.opened(14)
    first = at(session, 1, 1)
    for row in Sitting.objects.filter(section__session=session, board_group=2):
        seated = at(session, row.round, row.table)
        if {first.north_id, first.east_id}.isdisjoint({row.north_id, row.east_id}):
            evenings.enter(session, row.pk, seated.boards[0], "6", user)
    evenings.enter(session, first.pk, 1, "13", user)
    assert Result.find_or_create_current(first, 1).doubt == Doubt.NONE
    client.force_login(user)
    home = f"/director/events/{session.event.slug}"
    panel = client.get(f"{home}/rulings/play/?sitting={first.pk}&board=1").content.decode()
    assert "Correct this board" in panel
    assert '<option value="2">' not in panel
    fields = {"act": "really", "sitting": first.pk, "board": 1, "really": 3}
    page = client.post(f"{home}/result/doubt/", fields, follow=True).content.decode()
    assert "Table 1, round 1: board 1 was board 3." in page
    assert Result.find_or_create_current(first, 3).doubt == Doubt.QUERIED
    history = client.get(f"{home}/history/").content.decode()
    assert "Board fixed: board 1, round 1, table 1" in history
