"""Tables that share boards after a late pair: announced, on phones and on guide cards."""

import pytest

from clubs.models import TableLink
from hall.phones.table_page import load_table_page
from scoring.papers import guide_cards as paper
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.change_notice import build_change_announcement
from scoring.sheets.papers import build_guide_cards
from tests.scoring.changes.test_changes import NEWCOMERS, apply_change, play_first_rounds
from tournaments.models import Section
from tournaments.movements.changes import LateArrival

pytestmark = pytest.mark.django_db


def list_card_moves(section: Section) -> dict[int, tuple[str, ...]]:
    """Return the text below the rows of each table's guide card."""
    return {
        guide_card.table_number: guide_card.moves
        for guide_card in build_guide_cards(load_session_snapshot(section.session))
    }


def test_both_tables_sharing_boards_after_a_late_pair_get_a_notice() -> None:
    section, user = play_first_rounds(15, rounds=1, movement="compass-relay")
    card_moves_before = list_card_moves(section)
    assert card_moves_before[8] == (
        "Sit-out: no one plays at this table.",
        "E-W move to table 1, E-W.",
    )
    cards = {
        guide_card.table_number: guide_card
        for guide_card in build_guide_cards(load_session_snapshot(section.session))
    }
    assert cards[8].lines == ()
    assert paper.draw_pdf(list(cards.values()))

    change = apply_change(section, user, LateArrival(), "fill", names=NEWCOMERS)
    change_announcement = build_change_announcement(change, section, 1)
    assert change_announcement is not None
    assert (
        change_announcement.lines[-1]
        == "Tables 1 and 8 now share boards: play one and pass it on."
    )
    for table, other_table in ((1, 8), (8, 1)):
        link = TableLink(evening=section.session.evening, section="A", table=table)
        rounds = {round_.round: round_ for round_ in load_table_page(link).rounds}
        assert rounds[2].shares == (
            f"Share the boards with table {other_table}: play one, then pass it on."
        )
    other_table_link = TableLink(evening=section.session.evening, section="A", table=3)
    assert {round_.shares for round_ in load_table_page(other_table_link).rounds} == {""}


def test_every_guide_card_of_a_shared_mitchell_says_where_boards_move() -> None:
    section, _user = play_first_rounds(16, rounds=1, movement="compass-relay")
    moves_text = list_card_moves(section)
    assert "The boards go to tables 1 and 8, which share them." in moves_text[2]
    assert "The boards go to the bye-stand, then to table 4." in moves_text[5]
    assert "Collect the next boards from the bye-stand." in moves_text[4]
    assert all(any("boards go" in text for text in item) for item in moves_text.values())
