"""The text on a table's phone when its round is over: where people and boards go."""

import pytest

from clubs.models import TableLink
from hall.phones.table_page import load_table_page
from tests import evenings
from tournaments.models import Session

pytestmark = pytest.mark.django_db


def list_moves(session: Session, table: int, round_number: int) -> tuple[str, ...]:
    """Return the moves that a table's phone shows after a round."""
    link = TableLink(evening=session.evening, section="A", table=table)
    rounds = {round_.round: round_ for round_ in load_table_page(link).rounds}
    return rounds[round_number].moves


def test_boards_move_to_next_lower_table() -> None:
    session, _ = evenings.open_session(6)
    assert "Pass the boards to table 1." in list_moves(session, 2, 1)
    assert "Pass the boards to table 3." in list_moves(session, 1, 1)


def test_move_text_names_round_of_boards_taken_to_the_stand() -> None:
    session, _ = evenings.open_session(8, movement="compass-relay")
    texts_by_key = {table: list_moves(session, table, 1) for table in range(1, 5)}
    stand_texts = [
        text for table_texts in texts_by_key.values() for text in table_texts if "stand" in text
    ]
    assert len(stand_texts) == 1
    assert "for round 3" in stand_texts[0]


def test_shared_boards_move_to_both_tables() -> None:
    session, _ = evenings.open_session(8, movement="compass-relay")
    texts_of_shared_boards = [
        text
        for table in range(1, 5)
        for number in range(1, 4)
        for text in list_moves(session, table, number)
        if "share" in text
    ]
    assert any("tables 1 and 4" in text for text in texts_of_shared_boards)


def test_no_moves_are_announced_after_the_last_round() -> None:
    session, _ = evenings.open_session(6)
    assert list_moves(session, 1, 3) == ()
