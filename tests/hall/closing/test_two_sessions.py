"""An event of two sessions: each has its own corrections, from its own closing."""

from datetime import date

import pytest
from django.contrib.auth.models import User
from django.test import Client

import scoring.services
import tournaments.services
from scoring import tasks
from scoring.models import StandingsVersion
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.corrections import load_correction_log
from scoring.standings_engine import versions
from tests import evenings
from tests.copies import build_once
from tournaments.models import Event, Session
from tournaments.movements import build_named_movement

pytestmark = pytest.mark.django_db


@build_once
def create_two_sessions(boards: int = 2) -> tuple[Session, Session, User]:
    """Return a closed first session, and a second in play with every result in."""
    first_session, user = evenings.play_session()
    scoring.services.close_session(session=first_session, by=user)
    tasks.recompute_standings(first_session.event_id)
    event = first_session.event
    second_session = tournaments.services.add_session(
        event=event, date=date(2026, 3, 17), by=user
    )
    tournaments.services.seat_section(
        session=second_session,
        movement=build_named_movement("compass", pairs=6),
        boards_a_round=boards,
        by=user,
    )
    second_session.refresh_from_db()
    second_session = scoring.services.open_session(session=second_session, by=user)
    tables = [
        table for table in load_session_snapshot(second_session).tables if table.is_played
    ]
    plays = [(table.sitting_id, board, "7") for table in tables for board in table.boards]
    evenings.enter_all_results(plays, user)
    tasks.recompute_standings(event.pk)
    return first_session, second_session, user


def put_right(session: Session, by: User) -> None:
    """Change one result of a session and recompute the standings."""
    table = next(table for table in load_session_snapshot(session).tables if table.is_played)
    evenings.enter_result(session, table.sitting_id, table.boards[0], "13", by)
    tasks.recompute_standings(session.event_id)


def close_and_rank(session: Session, by: User) -> None:
    """Close a session and recompute the standings."""
    scoring.services.close_session(session=session, by=by)
    tasks.recompute_standings(session.event_id)


@pytest.mark.parametrize("is_closed", [False, True], ids=["second open", "second closed"])
@pytest.mark.parametrize(
    ("corrected_session_numbers", "expected"),
    [((), (0, 0)), ((1,), (1, 1)), ((2,), (0, 1)), ((1, 2), (1, 2))],
    ids=["nothing", "in the first", "in the second", "in both"],
)
def test_results_of_another_session_are_not_corrections_of_the_first(
    is_closed: bool, corrected_session_numbers: tuple[int, ...], expected: tuple[int, int]
) -> None:
    first_session, second, user = create_two_sessions()
    if is_closed:
        close_and_rank(second, user)
    for number in corrected_session_numbers:
        put_right((first_session, second)[number - 1], user)
    assert len(load_correction_log(first_session.event).corrections) == expected[is_closed]


@pytest.mark.slow
def test_closing_another_session_shows_its_version() -> None:
    first, second, user = create_two_sessions()
    close_and_rank(second, user)
    standings_versions = StandingsVersion.objects.filter(event=first.event)
    assert [item.change_reason_text for item in standings_versions] == [
        "session closed",
        "session closed",
    ]
    put_right(second, user)
    assert standings_versions.latest("number").change_reason_text.endswith("corrected")


def test_pending_overall_winner_adds_no_standings_version() -> None:
    first_session, user = evenings.play_session()
    close_and_rank(first_session, user)
    standings_versions = StandingsVersion.objects.filter(event=first_session.event)
    assert any(row["wins_overall"] for row in standings_versions.get().rows)
    tournaments.services.add_session(event=first_session.event, date=date(2026, 3, 17), by=user)
    event = Event.objects.get()
    event.ranking.standings.update(wins_overall=False)  # as after unequal numbers of boards
    versions.store_version(event)
    assert standings_versions.count() == 1


@pytest.mark.slow
def test_reopened_session_keeps_its_first_closing_time() -> None:
    first, second, user = create_two_sessions()
    close_and_rank(second, user)
    put_right(second, user)
    scoring.services.reopen_session(session=second, by=user)
    close_and_rank(second, user)
    assert len(load_correction_log(first.event).corrections) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("boards", "counts_after_close"),
    [(1, True), (2, False)],
    ids=["one board a round", "two boards"],
)
@pytest.mark.parametrize("page_path", ["", "standings/"])
def test_standings_updated_at_close_do_not_mention_round_updates(
    client: Client, boards: int, counts_after_close: bool, page_path: str
) -> None:
    first, second, user = create_two_sessions(boards)
    page = client.get(
        f"/events/{first.event.slug}/{page_path}",
        headers={"HX-Request": "true"} if page_path else {},
    ).content.decode()
    assert ("Session 2 counts here after it closes" in page) is counts_after_close
    assert "Updated after each table finishes a round." not in page
    assert "still missing" not in page
    close_and_rank(second, user)
    page = client.get(f"/events/{first.event.slug}/").content.decode()
    assert "once it is closed" not in page
