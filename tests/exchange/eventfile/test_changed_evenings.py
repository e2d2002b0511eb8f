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
from scoring.services import apply_seating_change
from scoring.session_queries import count_missing_results
from scoring.session_snapshot import load_session_snapshot
from scoring.standings_engine import standings
from server.models import User
from tests import evenings
from tournaments.models import Event, Session, Sitting
from tournaments.movements import build_named_movement
from tournaments.movements.changes import (
    Incident,
    LateArrival,
    TurnedTable,
    Withdrawal,
    WrongBoards,
    list_continuations,
)
from tournaments.seating_snapshot import load_movement_with_withdrawals

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def apply_change(
    session: Session,
    user: User,
    change: Incident,
    continuation_key: str,
    *,
    rounds_played: int,
    newcomer_count: int = 2,
) -> None:
    """Apply one kind of change during play to a section."""
    section = session.sections.get()
    continuations = list_continuations(
        load_movement_with_withdrawals(section), rounds_played, change
    )
    is_late = isinstance(change, LateArrival)
    apply_seating_change(
        section=section,
        rounds_played=rounds_played,
        incident=change,
        continuation_key=continuation_key or next(iter(continuations)).key,
        incident_data={"kind": "late" if is_late else "turned"},
        names=["Zoë Whitfield", "Robert Foster"][:newcomer_count] if is_late else (),
        by=user,
    )


def enter_missing_results(session: Session, user: User, rounds: int) -> None:
    """Enter all missing results up to a round."""
    snapshot = load_session_snapshot(session)
    evenings.enter_all_results(
        [
            (table.sitting_id, board, str((board + table.table_number) % 14))
            for table in snapshot.tables
            for board in table.boards
            if table.is_played
            and table.round <= rounds
            and not snapshot.has_result_or_ruling(table, board)
        ],
        user,
    )


def list_standings(event: Event) -> list[dict[str, Any]]:
    """Return the standings of an event, by the numbers of its entries."""
    standings.update_standings(Event.objects.get(pk=event.pk))
    names = ("entry__number", "section", "field", "label", "rank", "score", "tricks", "boards")
    rows = Standing.objects.filter(ranking__event=event).values(*names, "average", "a_board")
    return list(rows.order_by("entry__number"))


def export_and_import(event: Event) -> Event:
    """Export and import an event, and check that file and standings are the same."""
    written_event = export_event(event, should_include_deals=True)
    repeated_event = import_event(document=json.dumps(written_event), by=None)
    assert export_event(repeated_event, should_include_deals=True) == written_event
    assert list_standings(repeated_event) == list_standings(event)
    return repeated_event


def create_late_pair_in_empty_place() -> Session:
    session, user = evenings.open_session(5)
    apply_change(session, user, LateArrival(), "fill", rounds_played=0)
    enter_missing_results(session, user, 3)
    return session


def create_late_player_in_empty_place() -> Session:
    session, user = evenings.player_count(7)
    apply_change(session, user, LateArrival(), "fill", rounds_played=0, newcomer_count=1)
    enter_missing_results(session, user, 7)
    return session


def create_pair_that_left_before_first_board() -> Session:
    session, user = evenings.open_session(6)
    apply_change(session, user, Withdrawal(2), "empty", rounds_played=0)
    enter_missing_results(session, user, 3)
    return session


def create_player_who_left_before_first_board() -> Session:
    session, user = evenings.player_count(9)
    apply_change(session, user, Withdrawal(3), "", rounds_played=0)
    enter_missing_results(session, user, 2)
    return session


def create_table_with_swapped_sides() -> Session:
    session, user = evenings.open_session(6)
    enter_missing_results(session, user, 1)
    apply_change(
        session, user, TurnedTable(table=1, first_round=1, last_round=1), "", rounds_played=1
    )
    enter_missing_results(session, user, 3)
    return session


def create_pair_with_repeated_boards() -> Session:
    session, user = evenings.open_session(6)
    enter_missing_results(session, user, 2)
    apply_change(
        session, user, WrongBoards(round=2, table=1, board_group=3), "planned", rounds_played=2
    )
    enter_missing_results(session, user, 3)
    return session


@pytest.mark.parametrize(
    "create_changed_session",
    [
        create_late_pair_in_empty_place,
        create_late_player_in_empty_place,
        create_pair_that_left_before_first_board,
        create_player_who_left_before_first_board,
        create_table_with_swapped_sides,
        create_pair_with_repeated_boards,
    ],
    ids=lambda item: item.__name__,
)
def test_changes_during_play_are_imported_unchanged(
    create_changed_session: Callable[[], Session],
) -> None:
    export_and_import(create_changed_session().event)


def test_one_winner_ranking_is_kept_if_everyone_kept_a_side() -> None:
    event, user = evenings.create_event(6)
    tournaments.services.seat_section(
        session=event.sessions.get(),
        movement=build_named_movement("compass", pairs=6, one_winner=True),
        options={"pairs": 6, "one_winner": True},
        boards_a_round=2,
        by=user,
    )
    session = scoring.services.open_session(session=event.sessions.get(), by=user)
    sittings_to_switch = [
        row for row in Sitting.objects.all() if row.north.label.endswith("EW")
    ]
    assert sittings_to_switch
    for row in sittings_to_switch:
        row.north, row.east, row.south, row.west = row.east, row.north, row.west, row.south
        row.save()
    enter_missing_results(session, user, 3)
    assert {row["field"] for row in list_standings(export_and_import(event))} == {""}


def test_session_with_an_unplayed_redeal_stays_open() -> None:
    session, user = evenings.play_session(6)
    row = Sitting.objects.filter(section__session=session, round=3).first()
    assert row is not None
    scoring.services.make_ruling(
        kind="new_deal", sitting=row, board_number=row.boards[0], by=user
    )
    assert count_missing_results(session) == 1
    repeated_session = export_and_import(session.event).sessions.get()
    assert (repeated_session.state, count_missing_results(repeated_session)) == ("open", 1)
