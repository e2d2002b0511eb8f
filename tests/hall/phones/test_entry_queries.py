"""An entry from a table's phone makes at most twelve queries, for any kind of event.

BEGIN and COMMIT are among them: in a test they are a savepoint and its release.
"""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

import hall.phones.services
import scoring.services
from scoring.models import Doubt, Result
from scoring.session_snapshot import load_session_snapshot
from scoring.standings_engine import standings
from tests import evenings
from tests.scoring.changes.test_changes import NEWCOMERS, apply_change, play_first_rounds
from tests.scoring.stages.championship import RULE, play_qualifying, seat_event
from tests.scoring.standings.test_incremental_standings import open_two_sections
from tests.scoring.test_team_names import play_teams
from tournaments.models import Session
from tournaments.movements.changes import LateArrival

pytestmark = pytest.mark.django_db
JSON_HEADERS = {"Accept": "application/json"}
MAX_QUERIES = 12
MAX_CONFIRMATION_QUERIES = 9
COMPARISON_QUERY_COUNT = 2  # the event's sessions and its standings, for any number of boards


class Phone:
    """The phone of a table, which counts the queries of its requests."""

    def __init__(self, session: Session, table: int = 1) -> None:
        links = hall.phones.services.create_table_links(session=session, by=None)
        self.path = next(link.path for link in links if link.table == table)
        self.client = Client()
        self.page = self.client.get(self.path, headers=JSON_HEADERS).json()["page"]

    def enter_board(self, board: int, value: str, seen: str = "") -> int:
        """Enter the board at a place of the current round; return the number of queries."""
        now = self.page["rounds"][0]
        form = {
            "act": "enter",
            "sitting": now["sitting"],
            "board": now["boards"][board]["board"],
            "seats": now["seats"],
            "value": value,
            "seen": seen,
            "side": "NS",
            "key": f"{board}/{value}",
        }
        return self._post(form)

    def confirm(self, board: int) -> int:
        """Confirm the board at a place of the current round; return the number of queries."""
        now = self.page["rounds"][0]
        row = now["boards"][board]
        return self._post(
            {
                "act": "confirm",
                "sitting": now["sitting"],
                "board": row["board"],
                "seen": row["mark"],
                "ticket": row["ticket"],
            }
        )

    def _post(self, form: dict[str, Any]) -> int:
        with CaptureQueriesContext(connection) as queries:
            response = self.client.post(self.path, form, headers=JSON_HEADERS)
        assert response.status_code == 200, response.content
        self.page, self.comparison = response.json()["page"], response.json().get("others")
        return len(queries)


def open_pairs() -> Session:
    return evenings.open_session(10)[0]


def open_sections() -> Session:
    return open_two_sections(is_ranked_across_sections=True)[0]


def play_league_fours() -> Session:
    return play_teams("league-fours")


def open_individual() -> Session:
    return evenings.player_count(8)[0]


def open_points_session() -> Session:
    return evenings.play_points_event(empty=True)[0]


def open_final_session() -> Session:
    """Return the A final of a qualifying event."""
    event, user = play_qualifying()
    scoring.services.set_stage_rules(event=event, stage_rules=RULE, by=user)
    stage = scoring.services.draw_finals(event=event, by=user)
    final = stage.finals.first()
    assert final is not None
    session = seat_event(final.event, user, 4)
    return scoring.services.open_session(session=session, by=user)


def open_shared_boards_session() -> Session:
    """Return a session whose tables 1 and 8 share boards in round 2, after a late pair."""
    section, user = play_first_rounds(15, rounds=1, movement="compass-relay")
    apply_change(section, user, LateArrival(), "fill", names=NEWCOMERS)
    return Session.objects.get(pk=section.session_id)


@pytest.mark.parametrize(
    ("session_factory", "value"),
    [
        (open_pairs, "7"),
        (open_sections, "7"),
        (play_league_fours, "7"),
        (open_individual, "7"),
        (open_points_session, "120-40"),
        (open_final_session, "7"),
        (open_shared_boards_session, "7"),
    ],
    ids=lambda item: item.__name__ if callable(item) else "",
)
def test_entry_stays_within_query_limit(
    session_factory: Callable[[], Session], value: str
) -> None:
    phone = Phone(session_factory())
    assert phone.enter_board(0, value) <= MAX_QUERIES
    assert phone.enter_board(1, value) <= MAX_QUERIES
    assert [board["mark"] for board in phone.page["rounds"][0]["boards"][:2]] == [value, value]


def test_correction_stays_within_query_limit() -> None:
    phone = Phone(open_pairs())
    phone.enter_board(0, "7")
    assert phone.enter_board(0, "8", seen="7") <= MAX_QUERIES
    message = phone.page["rounds"][0]["boards"][0]["said"]
    assert [item["mark"] for item in message] == ["7", "8"]


def test_confirming_a_round_stays_within_query_limit() -> None:
    session = open_pairs()
    phone, *other_phones = [Phone(session, table) for table in range(1, 6)]
    for table_phone in (phone, *other_phones):
        _play_round(table_phone)
    standings.update_standings(session.event)
    *earlier_query_counts, last_query_count = _play_round(phone)
    assert max(earlier_query_counts) <= MAX_CONFIRMATION_QUERIES
    assert len(phone.comparison["boards"]) > 1
    assert last_query_count <= MAX_CONFIRMATION_QUERIES + COMPARISON_QUERY_COUNT


def _play_round(phone: Phone) -> list[int]:
    """Enter and confirm every board of the round; return the queries of confirmations."""
    numbers = []
    for board in range(len(phone.page["rounds"][0]["boards"])):
        phone.enter_board(board, "7")
        numbers.append(phone.confirm(board))
    return numbers


def test_queried_entry_stays_within_query_limit() -> None:
    phone = Phone(enter_three_results("6"))
    assert phone.enter_board(0, "13") <= MAX_QUERIES
    assert Result.objects.get(ns_tricks=13).doubt == Doubt.QUERIED


def test_contradicting_entry_needs_at_most_one_extra_query() -> None:
    session = enter_three_results("6", last="13")
    queried_result = Result.objects.get(ns_tricks=13)
    Result.objects.filter(pk=queried_result.pk).update(doubt=Doubt.NONE)
    assert Phone(session).enter_board(0, "6") <= MAX_QUERIES + 1
    queried_result.refresh_from_db()
    assert queried_result.doubt == Doubt.QUERIED


def enter_three_results(mark: str, last: str = "") -> Session:
    """Return a session in which other tables have played the first board of table 1."""
    session, user = evenings.open_session(10)
    snapshot = load_session_snapshot(session)
    board = snapshot.rounds_by_table["A", 1][0].boards[0]
    other_tables: list[Any] = [
        item for item in snapshot.tables_by_board[board] if item.table_number != 1
    ][:3]
    marks = [mark, mark, last or mark]
    evenings.enter_all_results(
        [
            (item.sitting_id, board, mark)
            for item, mark in zip(other_tables, marks, strict=True)
        ],
        user,
    )
    return session
