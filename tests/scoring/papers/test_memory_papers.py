"""Memory duplicate on paper: a card for every hand and play, and the result card."""

import pytest

import scoring.services
from scoring.papers.paper_files import draw_session_paper
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets import trays
from tests import evenings
from tests.scoring.papers import reading
from tournaments import services
from tournaments.models import Session
from tournaments.movements import build_named_movement

pytestmark = pytest.mark.django_db
PAIRS = (["Ada Pole", "John Trist"], ["Cassius Paine", "Rosa Gale"])


@pytest.fixture
def session(django_capture_on_commit_callbacks) -> Session:
    event, user = evenings.create_event(0, contest="memory")
    for names in PAIRS:
        services.create_entry(event=event, names=names, by=user)
    session = event.sessions.get()
    movement = build_named_movement("memory", pairs=2)
    services.seat_section(session=session, movement=movement, boards_a_round=3, by=user)
    with django_capture_on_commit_callbacks(execute=True):
        services.request_dealing(session=session, by=user)
    session.refresh_from_db()
    return scoring.services.open_session(session=session, by=user)


def test_each_player_gets_a_card_of_each_hand_for_both_plays(session):
    cards = trays.build_memory_cards(load_session_snapshot(session))
    assert len(cards) == 2 * 3 * 4
    first_card, second_card = cards[0], cards[12]
    assert first_card.title == (
        "First round: Ada Pole & John Trist against Cassius Paine & Rosa Gale"
    )
    assert second_card.title.startswith("Second round: ")
    assert (first_card.board_number, first_card.seat) == (
        second_card.board_number,
        second_card.seat,
    )
    assert first_card.cards == second_card.cards
    assert {first_card.player_name, second_card.player_name} == {"Ada Pole", "Cassius Paine"}


def test_only_the_dealers_card_shows_the_turn_up(session):
    for card in trays.build_memory_cards(load_session_snapshot(session)):
        assert (card.turn_up is not None) is (card.seat is card.dealer)


def test_cards_are_five_by_three_inches_and_reprint_identically(session):
    first_pdf, second_pdf = (
        draw_session_paper(session, "memory_cards", "A4") for _ in range(2)
    )
    assert first_pdf == second_pdf
    boxes = list(reading.list_marks(reading.read_pages(first_pdf)[0]))
    sizes = {(round(box.right - box.left), round(box.top - box.bottom)) for box in boxes}
    assert (5 * 72, 3 * 72) in sizes


def test_result_card_has_a_line_for_each_hand_and_the_gain(session):
    (text,) = reading.read_texts(draw_session_paper(session, "result_card", "A4"))
    for expected_text in (
        "First play: Ada Pole",
        "Second play: Cassius",
        "Gain of Ada Pole",
        "Total",
    ):
        assert expected_text in text
    assert "minus the others’ tricks with the same cards" in text
