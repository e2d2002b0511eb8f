"""Events with changes during play are exported and imported unchanged."""

import json
from collections.abc import Callable
from typing import Any

import pytest

import scoring.services
import tournaments.services
from exchange.eventfile.exporter import export_event
from exchange.eventfile.importer import import_event
from scoring.models import Standing
from scoring.services import change_session
from scoring.session_queries import count_missing_results
from scoring.session_snapshot import load_session_snapshot
from scoring.standings_engine import standings
from server.models import User
from tests import evenings
from tournaments.models import Event, Session, Sitting
from tournaments.movements import build
from tournaments.movements.changes import (
    Change,
    LateArrival,
    TurnedTable,
    Withdrawal,
    WrongBoards,
    list_ways,
)
from tournaments.seating_snapshot import load_movement_in_play

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def change(
    session: Session, user: User, change: Change, way: str, *, played: int, newcomers: int = 2
) -> None:
    """Apply a change in one of the ways."""
    section = session.sections.get()
    offered = list_ways(load_movement_in_play(section), played, change)
    is_late = isinstance(change, LateArrival)
    change_session(
        section=section,
        played=played,
        change=change,
        key=way or next(iter(offered)).key,
        what={"kind": "late" if is_late else "turned"},
        names=["Zoë Whitfield", "Robert Foster"][:newcomers] if is_late else (),
        by=user,
    )


def play(session: Session, user: User, rounds: int) -> None:
    """Enter all missing results up to a round."""
    snapshot = load_session_snapshot(session)
    evenings.enter_all(
        [
            (table.sitting, board, str((board + table.table) % 14))
            for table in snapshot.tables
            for board in table.boards
            if table.is_played
            and table.round <= rounds
            and not snapshot.has_result_or_ruling(table, board)
        ],
        user,
    )


def told(event: Event) -> list[dict[str, Any]]:
    """Return the standings of an event, by the numbers of its entries."""
    standings.update_standings(Event.objects.get(pk=event.pk))
    names = ("entry__number", "section", "field", "label", "rank", "score", "tricks", "boards")
    rows = Standing.objects.filter(ranking__event=event).values(*names, "average", "a_board")
    return list(rows.order_by("entry__number"))


def there_and_back(event: Event) -> Event:
    """Export and import an event: the file and the standings are the same."""
    written = export_event(event, with_deals=True)
    again = import_event(document=json.dumps(written), by=None)
    assert export_event(again, with_deals=True) == written
    assert told(again) == told(event)
    return again


def a_late_pair_in_an_empty_place_before_any_score() -> Session:
    session, user = evenings.opened(5)
    change(session, user, LateArrival(), "fill", played=0)
    play(session, user, 3)
    return session


def a_late_player_in_an_empty_place_before_any_score() -> Session:
    session, user = evenings.single_players(7)
    change(session, user, LateArrival(), "fill", played=0, newcomers=1)
    play(session, user, 7)
    return session


def a_pair_that_has_left_before_its_first_board() -> Session:
    session, user = evenings.opened(6)
    change(session, user, Withdrawal(2), "empty", played=0)
    play(session, user, 3)
    return session


def a_player_who_has_left_before_the_first_board() -> Session:
    session, user = evenings.single_players(9)
    change(session, user, Withdrawal(3), "", played=0)
    play(session, user, 2)
    return session


def a_table_that_sat_the_wrong_way_round() -> Session:
    session, user = evenings.opened(6)
    play(session, user, 1)
    change(session, user, TurnedTable(table=1, first=1, last=1), "", played=1)
    play(session, user, 3)
    return session


def a_pair_that_met_boards_twice() -> Session:
    session, user = evenings.opened(6)
    play(session, user, 2)
    change(session, user, WrongBoards(round=2, table=1, board_group=3), "planned", played=2)
    play(session, user, 3)
    return session


@pytest.mark.parametrize(
    "happened",
    [
        a_late_pair_in_an_empty_place_before_any_score,
        a_late_player_in_an_empty_place_before_any_score,
        a_pair_that_has_left_before_its_first_board,
        a_player_who_has_left_before_the_first_board,
        a_table_that_sat_the_wrong_way_round,
        a_pair_that_met_boards_twice,
    ],
    ids=lambda each: each.__name__,
)
def test_what_happened_at_the_tables_comes_back(happened: Callable[[], Session]) -> None:
    there_and_back(happened().event)


def test_one_winner_stays_one_where_everybody_has_kept_a_side() -> None:
    event, user = evenings.event(6)
    tournaments.services.seat_section(
        session=event.sessions.get(),
        movement=build("compass", pairs=6, one_winner=True),
        options={"pairs": 6, "one_winner": True},
        boards_a_round=2,
        by=user,
    )
    session = scoring.services.open_session(session=event.sessions.get(), by=user)
    switched = [row for row in Sitting.objects.all() if row.north.label.endswith("EW")]
    assert switched
    for row in switched:
        row.north, row.east, row.south, row.west = row.east, row.north, row.west, row.south
        row.save()
    play(session, user, 3)
    assert {row["field"] for row in told(there_and_back(event))} == {""}


def test_a_session_in_which_a_new_deal_awaits_its_result_stays_open() -> None:
    session, user = evenings.played(6)
    row = Sitting.objects.filter(section__session=session, round=3).first()
    assert row is not None
    scoring.services.make_ruling(kind="new_deal", sitting=row, board=row.boards[0], by=user)
    assert count_missing_results(session) == 1
    again = there_and_back(session.event).sessions.get()
    assert (again.state, count_missing_results(again)) == ("open", 1)
