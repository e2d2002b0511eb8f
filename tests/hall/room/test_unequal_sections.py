"""Sections of unequal length: a section that has finished does not count as waiting."""

import pytest

import scoring.services
import tournaments.services
from hall.challenges.own_page import build_entry_page
from hall.room.clock import build_clock_face, describe_round_moves
from hall.room.tiles import SessionInPlay, build_tiles
from scoring.session_snapshot import load_session_snapshot
from server.models import User
from tests import evenings
from tournaments.models import Session
from tournaments.movements import build_named_movement

pytestmark = pytest.mark.django_db


def create_unequal_sections(played_round_count: int) -> tuple[Session, User]:
    """Return section A with three rounds of two boards and B with five; some rounds are in."""
    event, user = evenings.create_event(16)
    entries = list(event.entries.order_by("number"))
    tournaments.services.seat_sections(
        session=event.sessions.get(),
        planned_sections=[
            tournaments.services.PlannedSection(
                build_named_movement("compass", pairs=len(section_entries)), {}, section_entries
            )
            for section_entries in (entries[:6], entries[6:])
        ],
        boards_a_round=2,
        by=user,
    )
    session = scoring.services.open_session(session=event.sessions.get(), by=user)
    tables = [
        table
        for table in load_session_snapshot(session).tables
        if table.round <= played_round_count
    ]
    plays = [(table.sitting_id, board, "7") for table in tables for board in table.boards]
    evenings.enter_all_results(plays, user)
    return session, user


def test_personal_page_counts_rounds_of_its_own_section() -> None:
    session, _user = create_unequal_sections(1)
    first_entry, last_entry = (
        session.event.entries.get(number=1),
        session.event.entries.get(number=16),
    )
    pages = [
        *build_entry_page(first_entry).next_tables,
        *build_entry_page(last_entry).next_tables,
    ]
    assert [(page.round_number, page.round_count) for page in pages] == [(2, 3), (2, 5)]


def test_move_announcement_omits_a_finished_section() -> None:
    session, _user = create_unequal_sections(4)
    snapshot = load_session_snapshot(session)
    moves = "North-South stay. East-West move up one table. Boards move down one table."
    assert describe_round_moves(snapshot, 2) == [
        "North-South stay.",
        "East-West move up one table.",
        "Boards move down one table.",
    ]
    assert describe_round_moves(snapshot, 3) == [
        "Section A: This is the last round.",
        f"Section B: {moves}",
    ]
    assert describe_round_moves(snapshot, 4) == [f"Section B: {moves}"]
    assert describe_round_moves(snapshot, 5) == ["Section B: This is the last round."]


def test_table_with_all_rounds_played_shows_a_note() -> None:
    session, _user = create_unequal_sections(4)
    session_in_play = SessionInPlay(
        snapshot=load_session_snapshot(session), clock_face=build_clock_face(session)
    )
    assert session_in_play.round == 4
    texts_by_key = {
        tile.table_label: (tile.state, tile.notes) for tile in build_tiles(session_in_play)
    }
    assert texts_by_key["A1"] == ("done", ("all rounds played",))
    assert texts_by_key["B1"] == ("done", ())
