"""A tray is refilled from the record: one board, only by the director, and recorded."""

import html
import re

import pytest
from django.test import Client

from boards.templatetags.whist import SUIT_NAMES
from clubs.models import Act
from hall.history.act_words import format_act_location, format_values
from scoring.services import close_session, open_session
from tests import evenings
from tests.scoring.papers import reading
from tournaments.models import Session
from tournaments.services import request_dealing, seal_boards

pytestmark = pytest.mark.django_db
HANDS_FORM = {"part": "hands", "ground": "outside"}
TURN_UP = {"part": "turn_up", "ground": "spoiled"}


@pytest.fixture
def session(django_capture_on_commit_callbacks) -> Session:
    seated_session, user = evenings.seat_session()
    with django_capture_on_commit_callbacks(execute=True):
        request_dealing(session=seated_session, by=user)
    seated_session = open_session(session=seated_session, by=user)
    seated_session.refresh_from_db()
    return seated_session


@pytest.fixture
def director() -> Client:
    client = Client()
    client.force_login(evenings.create_club_with_director()[1])
    return client


def build_page_path(session: Session) -> str:
    return f"/director/events/{session.event.slug}/deals/tray/"


def read_text(response) -> str:
    return html.unescape(response.content.decode())


def list_drawn_suits(response) -> list[str]:
    """Return the suits that are drawn on a page, with repeats."""
    return re.findall(r'class="card (suit-[shdc])"', response.content.decode())


def list_look_acts() -> list[tuple[str, str, str]]:
    acts = Act.objects.filter(action="tray.looked_at").order_by("id")
    return [(act.by, format_act_location(act.where), format_values(act.after)) for act in acts]


@pytest.mark.slow
def test_tray_form_shows_no_card_and_records_no_look(session, director):
    text = read_text(director.get(build_page_path(session), {"board": "2"}))
    assert "Why may you see these cards?" in text
    assert not list_drawn_suits(director.get(build_page_path(session), {"board": "2"}))
    assert list_look_acts() == []


@pytest.mark.slow
def test_four_hands_of_one_board_are_shown_and_the_look_is_recorded(session, director):
    response = director.post(build_page_path(session), {"board": "2"} | HANDS_FORM)
    assert response.context["deal"] == session.board_set.load_deals()[2]
    assert len(list_drawn_suits(response)) >= 16
    assert response.headers["Cache-Control"].count("no-store") == 1
    assert list_look_acts() == [("director", "board 2", "hands, isn’t playing")]
    history = director.get(f"/director/events/{session.event.slug}/history/")
    assert not list_drawn_suits(history)


@pytest.mark.slow
def test_turn_up_page_shows_no_other_card(session, director):
    deal = session.board_set.load_deals()[2]
    response = director.post(build_page_path(session), {"board": "2"} | TURN_UP)
    text, (drawn_suit,) = read_text(response), list_drawn_suits(response)
    assert drawn_suit == f"suit-{deal.turn_up.suit.lower()}"
    assert f" of {SUIT_NAMES[deal.turn_up.suit]}" in text
    assert "give your table an adjusted score" in text
    assert list_look_acts() == [("director", "board 2", "turn-up, deal spoiled")]


@pytest.mark.parametrize("form", [{}, {"part": "hands"}, HANDS_FORM | {"ground": "curious"}])
def test_tray_page_without_a_reason_shows_nothing(session, director, form):
    response = director.post(build_page_path(session), {"board": "2"} | form)
    assert response.status_code == 400
    assert "First choose why" in read_text(response)
    assert "deal" not in response.context
    assert list_look_acts() == []


def test_slips_of_one_board_are_printed(session, director):
    deal = session.board_set.load_deals()[2]
    response = director.post(
        build_page_path(session), {"board": "2", "slip": "yes"} | HANDS_FORM
    )
    assert response.headers["Content-Type"] == "application/pdf"
    text = "\n".join(reading.read_texts(response.content))
    assert text.count("Board 2") == 4
    response = director.post(build_page_path(session), {"board": "2", "slip": "yes"} | TURN_UP)
    text = "\n".join(reading.read_texts(response.content))
    assert deal.turn_up.rank.text in text
    assert text.count("Board") == 1
    assert len(list_look_acts()) == 2


@pytest.mark.slow
def test_director_who_hid_the_cards_sees_none(session, director):
    seal_boards(session=session, by=evenings.create_club_with_director()[1])
    for response in (
        director.get(build_page_path(session), {"board": "2"}, follow=True),
        director.post(build_page_path(session), {"board": "2"} | HANDS_FORM, follow=True),
    ):
        assert "hidden from you too" in read_text(response)
        assert not list_drawn_suits(response)
    assert list_look_acts() == []
    close_session(session=session, by=evenings.create_club_with_director()[1])
    assert (
        director.post(build_page_path(session), {"board": "2"} | HANDS_FORM).status_code == 200
    )


@pytest.mark.slow
@pytest.mark.parametrize("board", ["", "0", "7", "99999", "x"])
def test_board_without_stored_deal_shows_an_error(session, director, board):
    response = director.post(
        build_page_path(session), {"board": board} | HANDS_FORM, follow=True
    )
    assert "The cards of board" in read_text(response)


@pytest.mark.slow
def test_only_a_director_can_look_at_cards(session):
    assert (
        Client().post(build_page_path(session), {"board": "2"} | HANDS_FORM).status_code == 302
    )
    client = Client()
    client.force_login(evenings.create_scorer(session.event.club))
    assert client.post(build_page_path(session), {"board": "2"} | HANDS_FORM).status_code == 403
    assert list_look_acts() == []
