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
from tests.copies import built_once
from tournaments.models import Event, Session
from tournaments.movements import build

pytestmark = pytest.mark.django_db


@built_once
def two_sessions(boards: int = 2) -> tuple[Session, Session, User]:
    """Return a closed first session, and a second in play with every result in."""
    first, user = evenings.played()
    scoring.services.close_session(session=first, by=user)
    tasks.recompute_standings(first.event_id)
    event = first.event
    second = tournaments.services.add_session(event=event, date=date(2026, 3, 17), by=user)
    tournaments.services.seat_section(
        session=second, movement=build("compass", pairs=6), boards_a_round=boards, by=user
    )
    second.refresh_from_db()
    second = scoring.services.open_session(session=second, by=user)
    tables = [table for table in load_session_snapshot(second).tables if table.is_played]
    plays = [(table.sitting, board, "7") for table in tables for board in table.boards]
    evenings.enter_all(plays, user)
    tasks.recompute_standings(event.pk)
    return first, second, user


def put_right(session: Session, by: User) -> None:
    """Change one result of a session and recompute the standings."""
    table = next(each for each in load_session_snapshot(session).tables if each.is_played)
    evenings.enter(session, table.sitting, table.boards[0], "13", by)
    tasks.recompute_standings(session.event_id)


def close(session: Session, by: User) -> None:
    """Close a session and recompute the standings."""
    scoring.services.close_session(session=session, by=by)
    tasks.recompute_standings(session.event_id)


@pytest.mark.parametrize("is_closed", [False, True], ids=["second open", "second closed"])
@pytest.mark.parametrize(
    ("corrected", "told"),
    [((), (0, 0)), ((1,), (1, 1)), ((2,), (0, 1)), ((1, 2), (1, 2))],
    ids=["nothing", "in the first", "in the second", "in both"],
)
def test_what_is_entered_in_a_further_session_corrects_nothing(
    is_closed: bool, corrected: tuple[int, ...], told: tuple[int, int]
) -> None:
    first, second, user = two_sessions()
    if is_closed:
        close(second, user)
    for number in corrected:
        put_right((first, second)[number - 1], user)
    assert len(load_correction_log(first.event).corrections) == told[is_closed]


@pytest.mark.slow
def test_the_closing_of_a_further_session_names_its_version() -> None:
    first, second, user = two_sessions()
    close(second, user)
    kept = StandingsVersion.objects.filter(event=first.event)
    assert [each.cause_text for each in kept] == ["session closed", "session closed"]
    put_right(second, user)
    assert kept.latest("number").cause_text.endswith("corrected")


def test_an_overall_winner_who_waits_for_a_further_session_makes_no_version() -> None:
    first, user = evenings.played()
    close(first, user)
    kept = StandingsVersion.objects.filter(event=first.event)
    assert any(row["wins_overall"] for row in kept.get().rows)
    tournaments.services.add_session(event=first.event, date=date(2026, 3, 17), by=user)
    event = Event.objects.get()
    event.ranking.standings.update(wins_overall=False)  # as after unequal numbers of boards
    versions.store_version(event)
    assert kept.count() == 1


@pytest.mark.slow
def test_a_session_opened_again_keeps_its_first_closing() -> None:
    first, second, user = two_sessions()
    close(second, user)
    put_right(second, user)
    scoring.services.reopen_session(session=second, by=user)
    close(second, user)
    assert len(load_correction_log(first.event).corrections) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("boards", "waits"), [(1, True), (2, False)], ids=["one board a round", "two boards"]
)
@pytest.mark.parametrize("part", ["", "standings/"])
def test_a_session_that_counts_at_its_close_is_not_said_to_count_by_rounds(
    client: Client, boards: int, waits: bool, part: str
) -> None:
    first, second, user = two_sessions(boards)
    page = client.get(
        f"/events/{first.event.slug}/{part}", headers={"HX-Request": "true"} if part else {}
    ).content.decode()
    assert ("Session 2 counts here after it closes" in page) is waits
    assert "Updated after each table finishes a round." not in page
    assert "still missing" not in page
    close(second, user)
    page = client.get(f"/events/{first.event.slug}/").content.decode()
    assert "once it is closed" not in page
