"""Retrospective whist: the first play is recorded before the second, and no one is shown it."""

from itertools import product

import pytest
from django.test import Client

from boards.worked_hands import read_worked_hands
from clubs.models import Act
from scoring.errors import PlayRefused
from scoring.models import PlayRecord
from scoring.services import close_session, open_session
from scoring.services.play_records import PlayContext, create_play_record
from tests import evenings
from tests.copies import build_once
from tests.page_text import collapse_spaces
from tournaments.models import Session
from tournaments.movements import build_named_movement
from tournaments.services import create_entry, import_deals, seal_boards, seat_section

pytestmark = pytest.mark.django_db
WORKED_HAND = read_worked_hands()["pole-1"]
CONTESTS_BY_MOVEMENT = {
    "memory": ("memory", {"pairs": 2}),
    "four-individuals": ("individual", {"players": 4}),
    "compass": ("pairs", {"pairs": 6}),
}
REPEATING_MOVEMENTS = ("memory", "four-individuals")  # where the same people play a deal again


@build_once
def create_pole_board(name: str, state: str) -> Session:
    """Return board 1 with Pole's cards, in a session that has reached this round."""
    contest, movement_size = CONTESTS_BY_MOVEMENT[name]
    event, user = evenings.create_event(
        0 if contest == "individual" else movement_size["pairs"], contest=contest
    )
    if contest == "individual":
        for player_name in ("Ada", "Ben", "Cleo", "Dan"):
            create_entry(event=event, names=[player_name], by=user)
    session = event.sessions.get()
    seat_section(
        session=session,
        movement=build_named_movement(name, **movement_size),
        boards_a_round=2,
        by=user,
    )
    import_deals(session=session, deals_by_board={1: WORKED_HAND.play.deal}, by=user)
    session.refresh_from_db()
    if state == "sealed":
        seal_boards(session=session, by=user)
    if state != "planned":
        session = open_session(session=session, by=user)
    if state == "closed":
        session = close_session(session=session, by=user)
    session.refresh_from_db()
    return session


def sign_in_director() -> Client:
    client = Client()
    client.force_login(evenings.User.objects.get(username="director"))
    return client


def build_address(session: Session, board: int = 1, page: str = "") -> str:
    return f"/director/events/{session.event.slug}/boards/{board}/play/{page}"


def build_play_form(session: Session, **besides: str) -> dict[str, str]:
    sitting = session.sections.get().sittings.order_by("round").first().pk
    cards_text = " ".join(card.code for card in WORKED_HAND.play.cards)
    return {"line": cards_text, "table": str(sitting)} | besides


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "state"),
    list(product(CONTESTS_BY_MOVEMENT, ("planned", "open", "sealed", "closed"))),
)
def test_play_is_recorded_or_page_says_why_not_with_a_link(name, state):
    session, client = create_pole_board(name, state), sign_in_director()
    response = client.get(build_address(session))
    page = collapse_spaces(response.content.decode())
    if state == "closed" or (state == "open" and name in REPEATING_MOVEMENTS):
        assert response.status_code == 200
        stored_response = client.post(
            build_address(session), build_play_form(session, outsider="yes")
        )
        assert stored_response.status_code == 302
        assert PlayRecord.objects.get().build_play() == WORKED_HAND.play
        return
    assert response.status_code == 404
    assert "Page not found" not in page
    reason = {"planned": "The session hasn’t started"}.get(
        state,
        "hidden from the director too"
        if name in REPEATING_MOVEMENTS
        else "Others may still play",
    )
    assert reason in page
    link_texts = ("Close session", "Go to event")
    assert any(f">{text}</a>" in page for text in link_texts)
    assert (
        client.post(
            build_address(session), build_play_form(session, outsider="yes")
        ).status_code
        == 404
    )
    assert not PlayRecord.objects.exists()


@pytest.mark.parametrize("name", REPEATING_MOVEMENTS)
def test_cards_are_shown_to_a_recorder_who_confirms_not_playing(name):
    session, client = create_pole_board(name, "open"), sign_in_director()
    html = client.get(build_address(session)).content.decode()
    assert "I’m not playing these boards" in html
    assert "data-card" not in html
    assert (
        client.post(build_address(session), build_play_form(session)).status_code == 200
    )  # requested again
    assert not PlayRecord.objects.exists()
    check = client.post(build_address(session, page="check/"), {})
    assert check.status_code == 404
    response = client.post(build_address(session), {"outsider": "yes", "vouch": "yes"})
    assert "data-card" in response.content.decode()
    assert Act.objects.filter(action="tray.looked_at").count() == 1
    check = client.post(build_address(session, page="check/"), {"outsider": "yes"})
    assert check.json()["turn"] == "S"


@pytest.mark.slow
@pytest.mark.parametrize("name", REPEATING_MOVEMENTS)
def test_first_play_is_hidden_before_the_close(name):
    session, client = create_pole_board(name, "open"), sign_in_director()
    client.post(build_address(session), build_play_form(session, outsider="yes"))
    record = PlayRecord.objects.get()
    public = f"/events/{session.event.slug}/boards/1/"
    for who in (Client(), client):
        assert who.get(f"/plays/{record.pk}/").status_code == 404
        assert who.get(public).context["plays"] == []
    response = client.post(build_address(session), {"outsider": "yes", "vouch": "yes"})
    assert "Recorded so far: table 1, round 1" in collapse_spaces(response.content.decode())
    close_session(session=session, by=None)
    assert Client().get(f"/plays/{record.pk}/").status_code == 200
    assert Client().get(public).context["plays"] == [record]


@pytest.mark.slow
def test_play_record_of_a_repeated_board_requires_table_and_round():
    session = create_pole_board("memory", "open")
    play_context = PlayContext(
        club=session.event.club, session=session, board_number=1, is_entered_by_outsider=True
    )
    with pytest.raises(PlayRefused, match="table and round"):
        create_play_record(context=play_context, play=WORKED_HAND.play, by=None)


@pytest.mark.slow
def test_score_page_links_a_director_to_boards_that_are_played_again():
    session, client = create_pole_board("memory", "open"), sign_in_director()
    page = client.get(f"/director/events/{session.event.slug}/scores/")
    assert page.context["played_again"] == [1, 2]
    assert build_address(session, board=2) in page.content.decode()
    scorer = Client()
    scorer.force_login(evenings.create_scorer(session.event.club))
    html = scorer.get(f"/director/events/{session.event.slug}/scores/").content.decode()
    assert build_address(session) not in html


def test_board_without_known_cards_links_to_the_card_form():
    session, client = create_pole_board("memory", "open"), sign_in_director()
    page = client.get(build_address(session, board=2)).content.decode()
    assert "The cards of board 2 aren’t recorded." in page
    assert f'href="/director/events/{session.event.slug}/boards/2/deal/"' in page
