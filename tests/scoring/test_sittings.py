"""A session read for one table or one board group is a subset of the complete session."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

import scoring.services
from scoring.doubts.open_doubts import find_doubtful_result
from scoring.models import Ruling
from scoring.session_snapshot import load_session_snapshot
from tests import evenings
from tournaments.models import Session, Sitting

pytestmark = pytest.mark.django_db


@pytest.fixture
def session() -> Session:
    """Return five tables with all results, one of them doubtful and one ruled out."""
    session, user = evenings.play_session(10)
    session_snapshot = load_session_snapshot(session)
    outlier_table = session_snapshot.tables_by_board[1][0]
    evenings.enter_result(session, outlier_table.sitting_id, 1, "13", user)
    sitting = session_snapshot.tables_by_board[2][0].sitting_id
    scoring.services.make_ruling(
        kind=Ruling.Kind.AVERAGE,
        sitting=Sitting.objects.get(pk=sitting),
        board_number=2,
        by=user,
    )
    return session


def test_tables_playing_given_boards_load_as_in_whole_session(
    session: Session,
) -> None:
    session_snapshot = load_session_snapshot(session)
    for group in {table.board_group for table in session_snapshot.tables}:
        partial_snapshot = load_session_snapshot(session, board_group=group)
        assert partial_snapshot.tables == [
            table for table in session_snapshot.tables if table.board_group == group
        ]
        boards = partial_snapshot.boards
        assert partial_snapshot.results_by_play == {
            key: result
            for key, result in session_snapshot.results_by_play.items()
            if key[1] in boards
        }
        for table in partial_snapshot.tables:
            for board in table.boards:
                assert partial_snapshot.is_board_finished(
                    board
                ) == session_snapshot.is_board_finished(board)
                assert find_doubtful_result(
                    partial_snapshot, table, board, {}
                ) == find_doubtful_result(session_snapshot, table, board, {})


def test_one_table_loads_as_in_whole_session(session: Session) -> None:
    session_snapshot = load_session_snapshot(session)
    section = session_snapshot.sections[0]
    part = load_session_snapshot(session, table_key=(section.letter, 3))
    assert part.tables == session_snapshot.rounds_by_table[section.letter, 3]
    assert part.tables != []
    assert set(part.results_by_play) == {
        (table.sitting_id, board) for table in part.tables for board in table.boards
    }


def test_loading_part_of_session_needs_no_more_queries_than_whole(session: Session) -> None:
    query_counts = []
    for snapshot_filters in (
        {},
        {"board_group": 1},
        {"table_key": (load_session_snapshot(session).sections[0].letter, 1)},
    ):
        with CaptureQueriesContext(connection) as queries:
            load_session_snapshot(session, **snapshot_filters)
        query_counts.append(len(queries))
    assert query_counts == [4, 4, 4]
