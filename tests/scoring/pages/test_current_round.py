"""The current round is the same in the room, on the front page and in the score grid."""

import pytest
from django.test import Client

from hall.room import services as clocks
from hall.room.clock import build_clock_face
from hall.room.tiles import SessionInPlay
from scoring.session_snapshot import SessionSnapshot, load_session_snapshot
from scoring.sheets.current_round import (
    ClockState,
    find_current_round,
    find_current_round_by_clock,
)
from scoring.sheets.ranks import load_rank_table
from scoring.sheets.score_grid import build_score_grid
from scoring.standings_engine import standings
from server.models import User
from tests import evenings
from tests.copies import build_once
from tournaments.models import Session

pytestmark = pytest.mark.django_db
TABLES = 3


@build_once
def play_with_results(count: int) -> tuple[Session, User]:
    """Return three tables and rounds of one board, with their first results, round by round."""
    session, user = evenings.open_session(6, boards_a_round=1)
    evenings.show_growing_totals(session.event)
    tables = sorted(
        load_session_snapshot(session).tables, key=lambda item: (item.round, item.table_number)
    )
    plays = [(table.sitting_id, table.boards[0], "7") for table in tables]
    evenings.enter_all_results(plays[:count], user)
    return session, user


CLOCK_STATES = (None, ClockState(2, "playing"), ClockState(2, "moving"), ClockState(3, "over"))
# by number of results entered: without a clock, then with each other of CLOCKS
EXPECTED_ROUNDS = {
    0: [(1, False), (2, False), (2, True), (3, False)],
    2: [(1, False), (2, False), (2, True), (3, False)],
    3: [(1, True), (2, False), (2, True), (3, False)],
    4: [(2, False), (2, False), (2, True), (3, False)],
    6: [(2, True), (2, True), (2, True), (3, False)],
    9: [(3, False), (2, True), (2, True), (3, False)],
}


def test_current_round_follows_the_clock_or_first_incomplete_round() -> None:
    for count, expected_rounds in EXPECTED_ROUNDS.items():
        snapshot = load_session_snapshot(play_with_results(count)[0])
        for clock, expected in zip(CLOCK_STATES, expected_rounds, strict=True):
            now = find_current_round_by_clock(snapshot, clock)
            assert (now.round_number, now.is_over) == expected, (count, clock)
            assert now.last_round_number == TABLES


@pytest.mark.parametrize("count", [2, 3, 4])
def test_room_page_and_home_page_show_the_same_round(count: int) -> None:
    session, _user = play_with_results(count)
    snapshot = load_session_snapshot(session)
    room = SessionInPlay(snapshot, build_clock_face(session))
    assert room.round == find_current_round(snapshot).round_number
    assert f"Round {room.round} of 3" in " ".join(Client().get("/").content.decode().split())


def list_early_rounds(snapshot: SessionSnapshot, by: str) -> set[int]:
    """Return the rounds whose results are marked as those of a later round."""
    return {
        cell.round_number
        for block in build_score_grid(snapshot, by, doubts_by_cell={}).blocks
        for cell in block.cells
        if cell.is_early
    }


def test_results_of_a_later_round_are_marked_if_the_round_is_known() -> None:
    session, user = play_with_results(2)
    snapshot = load_session_snapshot(session)
    assert (
        list_early_rounds(snapshot, "board") == set()
    )  # travellers come in at the end, in any order
    assert list_early_rounds(snapshot, "round") == {2, 3}
    clocks.start_clock(session=session, by=user)
    assert list_early_rounds(load_session_snapshot(session), "board") == {2, 3}
    client = Client()
    client.force_login(user)
    page = client.get(f"/director/events/{session.event.slug}/scores/?by=board")
    assert page.content.decode().count('<span class="cell-state">later round</span>') == 6


def test_grid_opens_at_the_current_round_until_a_layout_is_chosen() -> None:
    session, user = play_with_results(4)
    client = Client()
    client.force_login(user)
    path = f"/director/events/{session.event.slug}/scores/"
    assert (
        f'href="{path}?from=room"'
        in client.get(path.replace("scores", "room")).content.decode()
    )
    assert client.get(path).context["grid"].layout == "board"
    assert client.get(f"{path}?from=room").context["grid"].layout == "round"
    client.get(f"{path}?by=round")
    client.get(f"{path}?by=board")
    assert client.get(f"{path}?from=room").context["grid"].layout == "board"


@pytest.mark.parametrize(("count", "is_early"), [(2, True), (3, False)])
def test_result_is_early_only_while_the_previous_round_is_incomplete(
    count: int, is_early: bool
) -> None:
    """The page was loaded when round 2 was still a later round, and sends that too."""
    session, user = play_with_results(count)
    table = next(table for table in load_session_snapshot(session).tables if table.round == 2)
    fields = {"sitting": table.sitting_id, "board": table.boards[0], "value": "7", "early": "1"}
    client = Client()
    client.force_login(user)
    response = client.post(f"/director/events/{session.event.slug}/result/", fields)
    assert response.json()["early"] is is_early


def test_entry_without_boards_has_no_place() -> None:
    session, _user = play_with_results(1)
    standings.update_standings(session.event)
    table = load_rank_table(session.event)
    for field in table.fields:
        ranks = [row.rank for row in field.rows if row.boards]
        unplayed_rows = [(row.rank, row.boards) for row in field.rows[len(ranks) :]]
        assert ranks == [1]
        assert unplayed_rows == [(2, 0), (2, 0)]
    page = Client().get(f"/events/{session.event.slug}/").content.decode()
    assert page.count('<span class="visually-hidden">no boards yet</span>') == 4
