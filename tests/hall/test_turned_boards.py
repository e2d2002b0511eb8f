"""Memory duplicate in the hall: the boards are turned, and no one changes chairs."""

from datetime import date

import pytest
from django.test import Client

import scoring.services
import tournaments.services
from clubs.models import TableLink
from hall.challenges.own_page import build_entry_page
from hall.phones.table_page import load_table_page
from hall.room.clock import describe_round_moves
from scoring.session_snapshot import load_session_snapshot
from tests import evenings
from tests.copies import build_once
from tournaments.models import Session
from tournaments.movements import build_named_movement

pytestmark = pytest.mark.django_db
TURN_TEXT = (
    "No one moves. Turn the boards a quarter, so that each pair takes the other’s cards."
)


@build_once
def create_memory_session(played: int = 0) -> Session:
    """Return two pairs at a table: two rounds of two boards, and again; originals are in."""
    club, user = evenings.create_club_with_director()
    event = scoring.services.create_event(
        club=club, name="Memory", date=date(2026, 3, 10), contest="memory", by=user
    )
    for names in (["Ada Pole", "Rosa Matthews"], ["Henry Jones", "Kate Wheelock"]):
        tournaments.services.create_entry(event=event, names=names, by=user)
    movement = build_named_movement("memory", pairs=2, rounds=4)
    session = event.sessions.get()
    tournaments.services.seat_section(
        session=session, movement=movement, boards_a_round=2, by=user
    )
    session = scoring.services.open_session(session=event.sessions.get(), by=user)
    tables = [table for table in load_session_snapshot(session).tables if table.round <= played]
    plays = [(table.sitting_id, board, "7") for table in tables for board in table.boards]
    evenings.enter_all_results(plays, user)
    return session


def test_phone_asks_to_turn_boards_instead_of_changing_sides() -> None:
    session = create_memory_session()
    link = TableLink(evening=session.evening, section="A", table=1)
    first_moves, turned_moves, overplay_moves, last_moves = (
        round_.moves for round_ in load_table_page(link).rounds
    )
    stay_texts = ("North-South stay here.", "East-West stay here.")
    assert first_moves == (*stay_texts, "Keep these boards here until round 3.")
    assert turned_moves == (
        TURN_TEXT,
        "Arrow switch: North-South are now East-West.",
        "Arrow switch: East-West are now North-South.",
        "Keep these boards here until round 4.",
    )
    assert overplay_moves[:2] == stay_texts
    assert last_moves == ()


def test_move_announcement_says_to_turn_the_boards() -> None:
    snapshot = load_session_snapshot(create_memory_session())
    assert describe_round_moves(snapshot, 2) == [TURN_TEXT]
    assert describe_round_moves(snapshot, 3)[:2] == ["North-South stay.", "East-West stay."]


def test_personal_page_explains_why_a_pair_has_the_other_side(client: Client) -> None:
    entry = create_memory_session(played=2).event.entries.get(number=1)
    (next_table,) = build_entry_page(entry).next_tables
    assert (next_table.side_or_seat_name, next_table.arrow_switch_text) == (
        "East-West",
        TURN_TEXT,
    )
    entry = create_memory_session(played=1).event.entries.get(number=1)
    (next_table,) = build_entry_page(entry).next_tables
    assert (next_table.side_or_seat_name, next_table.arrow_switch_text) == ("North-South", "")
