"""A team sits at two tables at once, and its page shows both."""

import pytest

from hall.challenges.own_page import build_own_page
from scoring.session_snapshot import load_session_snapshot
from tests import evenings
from tests.scoring.test_team_names import play_teams

pytestmark = pytest.mark.django_db


def test_a_team_is_told_both_its_tables_and_who_sits_at_each() -> None:
    session = play_teams("howell-teams")
    team = session.event.entries.get(number=1)
    lines = [(item.table, item.side, item.sitters) for item in build_own_page(team).next]
    assert lines == [
        ("1", "East-West", "Cleo 1 & Dan 1"),
        ("2", "North-South", "Ann 1 & Ben 1"),
    ]


def test_a_table_that_is_through_is_left_out_and_the_other_plays_now() -> None:
    session = play_teams("howell-teams")
    first_table = load_session_snapshot(session).tables[0]
    evenings.enter_all(
        [(first_table.sitting, board, "7") for board in first_table.boards], None
    )
    (there,) = build_own_page(session.event.entries.get(number=1)).next
    assert (there.table, there.is_begun) == ("2", True)


def test_a_pair_reads_its_own_name_once() -> None:
    session, _user = evenings.open_session(6)
    (there,) = build_own_page(session.event.entries.get(number=1)).next
    assert there.sitters == ""
