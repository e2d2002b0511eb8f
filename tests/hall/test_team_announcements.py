"""The hall's texts for teams: who of a match sits where, and where board sets go."""

import pytest

from clubs.models import TableLink
from hall.phones.table_page import load_table_page
from hall.room.clock import describe_round_moves
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets import hall_papers, papers
from tests.scoring.test_team_names import play_teams
from tournaments.models import Session

pytestmark = pytest.mark.django_db
SECOND_SET_TEXT = (
    "Set 2: table 1 has A and B N-S against Y and Z E-W, table 2 has W and X N-S against C and "
    "D E-W."
)


def read_phone_text(session: Session, round_: int) -> list[str]:
    """Return the text on the phone of table 1 after a round."""
    link = TableLink(evening=session.evening, section="A", table=1)
    return [*load_table_page(link).rounds[round_ - 1].moves]


def test_two_team_match_announces_seats_of_the_next_set() -> None:
    session = play_teams("league-fours")
    snapshot = load_session_snapshot(session)
    assert [round_.ew.name for round_ in snapshot.rounds_by_table["A", 1][:2]] == [
        "Ann 2 & Ben 2",
        "Cleo 2 & Dan 2",
    ]  # so East-West move
    assert read_phone_text(session, 1)[0] == SECOND_SET_TEXT
    assert not any("stay" in text for text in read_phone_text(session, 1))
    assert describe_round_moves(snapshot, 1) == [
        SECOND_SET_TEXT,
        "The two tables exchange the boards of each set.",
    ]
    assert describe_round_moves(snapshot, 6) == ["This is the last round."]


def test_guide_cards_of_a_match_name_players_by_letter() -> None:
    snapshot = load_session_snapshot(play_teams("league-fours"))
    first_card, second = papers.build_guide_cards(snapshot)
    assert not any("stay" in move for move in first_card.moves)
    assert "A & B against Y & Z" in first_card.lines[1].note
    assert "X & Y against B & C" in second.lines[5].note
    own_pair_guide = hall_papers.build_pair_guides(snapshot)[0]
    assert "A & D against W & Z" in own_pair_guide.lines[5].note


def test_boards_are_not_passed_on_if_each_table_has_a_pack() -> None:
    session = play_teams("two-packs")
    cards_left_text = "Leave the cards from this deal here, face down."
    redeal_text = "Both packs are shuffled and dealt again."
    assert [read_phone_text(session, number)[2:] for number in (1, 2)] == [
        [cards_left_text],
        [redeal_text],
    ]
    snapshot = load_session_snapshot(session)
    change = "All eight players change tables. North-South now sit East-West."
    stay_text = "Everyone stays in the same chair."
    assert describe_round_moves(snapshot, 1) == [change, cards_left_text]
    assert describe_round_moves(snapshot, 2) == [stay_text, redeal_text]
