"""A team sits at two tables at once, and its page shows both."""

import pytest

from hall.challenges.own_page import build_entry_page
from scoring.session_snapshot import load_session_snapshot
from tests import evenings
from tests.scoring.test_team_names import play_teams

pytestmark = pytest.mark.django_db


def test_team_page_shows_both_tables_and_who_sits_at_each() -> None:
    session = play_teams("howell-teams")
    team = session.event.entries.get(number=1)
    lines = [
        (item.table_label, item.side_or_seat_name, item.seated_member_names)
        for item in build_entry_page(team).next_tables
    ]
    assert lines == [
        ("1", "East-West", "Cleo 1 & Dan 1"),
        ("2", "North-South", "Ann 1 & Ben 1"),
    ]


def test_finished_table_is_left_out_and_the_other_is_in_play() -> None:
    session = play_teams("howell-teams")
    first_table = load_session_snapshot(session).tables[0]
    evenings.enter_all_results(
        [(first_table.sitting_id, board, "7") for board in first_table.boards], None
    )
    (next_table,) = build_entry_page(session.event.entries.get(number=1)).next_tables
    assert (next_table.table_label, next_table.has_begun) == ("2", True)


def test_pair_page_does_not_repeat_the_pairs_names() -> None:
    session, _user = evenings.open_session(6)
    (there,) = build_entry_page(session.event.entries.get(number=1)).next_tables
    assert there.seated_member_names == ""
