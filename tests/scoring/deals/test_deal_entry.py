"""Deals typed in after play: three hands are enough, and every card is checked."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from boards import dup
from boards.whist import Seat
from boards.whist.dealing import deal_board
from boards.whist.notation import format_hand
from tests import evenings
from tournaments.models import Session

pytestmark = pytest.mark.django_db
DEAL = deal_board(bytes(32), 1)


@pytest.fixture
def session() -> Session:
    return evenings.open_session()[0]


@pytest.fixture
def director(session) -> Client:
    client = Client()
    client.force_login(evenings.create_club_with_director()[1])
    return client


def build_address(session: Session, board: int = 1) -> str:
    return f"/director/events/{session.event.slug}/boards/{board}/deal/"


def build_hands_form(*, omitted_seat: str = "", deal=DEAL) -> dict[str, str]:
    typed_hands = {
        f"hand{seat}": format_hand(deal.hands[seat]) for seat in Seat if seat != omitted_seat
    }
    return typed_hands | {"turn_up": deal.turn_up.code}


@pytest.mark.parametrize("seat", [*Seat, ""])
def test_fourth_hand_is_completed_and_next_board_is_requested(session, director, seat):
    response = director.post(build_address(session), build_hands_form(omitted_seat=seat))
    assert response.headers["Location"] == build_address(session, 2)
    session.refresh_from_db()
    assert session.board_set.load_deals() == {1: DEAL}
    assert session.board_set.source == "typed"


@pytest.mark.slow
def test_last_board_redirects_to_the_deals_page(session, director):
    for board in range(1, 7):
        deal = deal_board(bytes(32), board)
        response = director.post(build_address(session, board), build_hands_form(deal=deal))
    assert response.headers["Location"] == f"/director/events/{session.event.slug}/deals/"
    session.refresh_from_db()
    assert len(session.board_set.load_deals()) == 6


@pytest.mark.parametrize(
    ("changed_fields", "expected"),
    [
        ({"turn_up": ""}, "The turn-up is missing"),
        ({"turn_up": "X1"}, "isn’t a card"),
        ({"handN": "", "handE": ""}, "at least three hands"),
        ({"handN": "AKQ.AKQ.AKQ.AK"}, "North has 11 cards"),
        ({"handN": "AKQX.AKQ.AKQ.AKQ"}, "which isn’t a rank"),
        ({"handS": format_hand(DEAL.hands[Seat.NORTH])}, "more than once"),
    ],
)
def test_invalid_cards_show_an_error_and_input_is_kept(
    session, director, changed_fields, expected
):
    response = director.post(build_address(session), build_hands_form() | changed_fields)
    assert response.status_code == 400
    assert expected in response.content.decode()
    assert format_hand(DEAL.hands[Seat.WEST]) in response.content.decode()
    session.refresh_from_db()
    assert session.board_set is None


@pytest.mark.slow
def test_existing_cards_are_replaced_and_never_shown(session, director):
    director.post(build_address(session), build_hands_form())
    page = director.get(build_address(session)).content.decode()
    assert "This board already has cards" in page
    assert format_hand(DEAL.hands[Seat.NORTH]) not in page
    other_board = deal_board(bytes(32), 5)
    director.post(build_address(session), build_hands_form(deal=other_board))
    session.refresh_from_db()
    assert session.board_set.load_deals() == {1: other_board}
    assert session.board_set.boards.count() == 2


@pytest.mark.slow
def test_unknown_board_has_no_card_form(session, director):
    assert director.get(build_address(session, 99)).status_code == 404


@pytest.mark.slow
def test_dealing_machine_file_is_imported_with_typed_turn_ups(session, director):
    deals = {number: deal_board(bytes(32), number) for number in range(1, 7)}
    url = f"/director/events/{session.event.slug}/deals/"
    text = ", ".join(f"{number} {deal.turn_up.code}" for number, deal in deals.items())
    for turn_ups, message in (
        ("", "Board 1: The turn-up is missing"),
        ("1 XX", "“1 XX” can’t be read"),
    ):
        upload = SimpleUploadedFile("tuesday.dup", dup.format_dup(deals))
        form_data = {"how": "file", "file": upload, "turn_ups": turn_ups}
        response = director.post(url, form_data)
        assert response.status_code == 400
        assert message in response.content.decode()
    upload = SimpleUploadedFile("tuesday.dup", dup.format_dup(deals))
    director.post(url, {"how": "file", "file": upload, "turn_ups": text})
    session.refresh_from_db()
    assert session.board_set.load_deals() == deals
    assert session.board_set.source == "imported"
