"""Three people at three phones type the hands; no one who may still play sees a card."""

import html
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

import hall.helpers.services
from boards.whist import Seat
from boards.whist.dealing import deal_board
from boards.whist.notation import format_hand
from clubs.audit import describe_author
from clubs.models import Act
from hall.models import HandLink, TypedHand
from scoring.services import close_session
from scoring.session_snapshot import load_session_snapshot
from tests import evenings
from tests.page_text import collapse_spaces
from tournaments.errors import ActionUnavailable
from tournaments.models import Session
from tournaments.services import remove_seating, request_dealing

pytestmark = pytest.mark.django_db
DEAL = deal_board(bytes(32), 1)
FRAGMENT_HEADERS = {"HX-Request": "true"}


@pytest.fixture
def session() -> Session:
    played_session, user = evenings.play_session()
    return close_session(session=played_session, by=user)


@pytest.fixture
def director() -> Client:
    client = Client()
    client.force_login(evenings.create_club_with_director()[1])
    return client


def create_hand_link_path(session: Session, **options) -> str:
    hand_link = hall.helpers.services.create_hand_link(
        session=session, by=evenings.create_club_with_director()[1], **options
    )
    return hand_link.path


def post_hand(path: str, seat: str, board: int = 1, *, deal=DEAL, **posted):
    texts_by_key = {"cards": format_hand(deal.hands[Seat(seat)])}
    if Seat(seat) is deal.dealer:
        texts_by_key["turn_up"] = deal.turn_up.code
    return Client().post(f"{path}{board}/{seat}/", texts_by_key | posted)


def read_text(response) -> str:
    return html.unescape(response.content.decode())


@pytest.mark.slow
def test_three_typed_hands_complete_a_board_and_each_phone_gets_its_next_hand(session):
    path = create_hand_link_path(session)
    for seat in "NES":
        response = post_hand(path, seat)
        assert response.headers["Location"] == f"{path}2/{seat}/"
    session.refresh_from_db()
    assert session.board_set.load_deals() == {1: DEAL}
    assert session.board_set.source == "typed"
    act = Act.objects.get(action="deals.entered")
    assert (describe_author(act.by), act.after) == ("helper for South", {"boards": [1]})


@pytest.mark.slow
def test_session_without_movement_gives_helpers_nothing_to_type(director):
    seated_session, user = evenings.seat_session()
    path = create_hand_link_path(seated_session)
    remove_seating(session=seated_session, by=user)
    url = f"/director/events/{seated_session.event.slug}/deals/helpers/"
    for client, page in [
        (director, url),
        (director, f"{url}state/"),
        (Client(), path),
        (Client(), f"{path}state/"),
    ]:
        assert client.get(page, headers=FRAGMENT_HEADERS).status_code == 200, page


@pytest.mark.slow
def test_hand_sent_twice_is_saved_once(session):
    path = create_hand_link_path(session)
    for seat in "NESS":
        post_hand(path, seat)
    assert TypedHand.objects.count() == 3
    assert Act.objects.filter(action="deals.entered").count() == 1


@pytest.mark.slow
def test_dealers_completed_hand_needs_the_turn_up(session):
    path = create_hand_link_path(session)
    for seat in "ESW":
        response = post_hand(path, seat)
    assert response.headers["Location"] == f"{path}1/W/"
    page = read_text(Client().get(f"{path}1/W/"))
    assert "Enter the turn-up" in page
    Client().post(f"{path}1/W/", {"turn_up": DEAL.turn_up.code})
    session.refresh_from_db()
    assert session.board_set.load_deals() == {1: DEAL}


def test_card_in_two_hands_is_reported_on_every_phone_until_corrected(session):
    path = create_hand_link_path(session)
    duplicated_card = min(DEAL.hands[Seat.NORTH])
    wrong_hand = format_hand([*sorted(DEAL.hands[Seat.EAST])[1:], duplicated_card])
    post_hand(path, "N")
    assert post_hand(path, "E", cards=wrong_hand).headers["Location"] == f"{path}1/E/"
    post_hand(path, "S")
    error_text = f"The {duplicated_card.word} is in both North’s and East’s hands."
    for place in (f"{path}state/?board=1", f"{path}state/", f"{path}1/N/", f"{path}1/S/"):
        assert error_text in read_text(Client().get(place, headers=FRAGMENT_HEADERS))
    assert session.board_set is None
    hand = post_hand(path, "E")
    assert hand.status_code == 400
    assert "is already in, with different cards" in read_text(hand)
    post_hand(path, "E", again="yes")
    session.refresh_from_db()
    assert session.board_set.load_deals() == {1: DEAL}
    assert error_text not in read_text(
        Client().get(f"{path}state/?board=1", headers=FRAGMENT_HEADERS)
    )


@pytest.mark.parametrize(
    ("seat", "form", "expected"),
    [
        ("N", {"cards": "AKQ.AKQ.AKQ.AK"}, "North has 11 cards"),
        ("N", {"cards": "nonsense"}, "can’t be read"),
        ("N", {"turn_up": ""}, "North dealt board 1"),
        ("N", {"turn_up": min(DEAL.hands[Seat.EAST]).code}, "isn’t one of these cards"),
        ("E", {"turn_up": "X9"}, "isn’t a card"),
        ("E", {"cards": ""}, "East has 0 cards"),
    ],
)
def test_invalid_hand_shows_an_error_and_saves_nothing(session, seat, form, expected):
    response = post_hand(create_hand_link_path(session), seat, **form)
    assert response.status_code == 400
    assert expected in read_text(response)
    assert not TypedHand.objects.exists()


@pytest.mark.slow
def test_no_helper_page_shows_a_card_typed_by_another(session):
    path = create_hand_link_path(session)
    for seat in "NES":
        post_hand(path, seat)
    hand_texts = {format_hand(hand) for hand in DEAL.hands.values()}
    for place in (path, f"{path}state/", f"{path}state/?board=1", f"{path}1/W/", f"{path}1/N/"):
        page = read_text(Client().get(place, headers=FRAGMENT_HEADERS))
        assert not [hand for hand in hand_texts if hand in page]


@pytest.mark.slow
def test_board_opens_for_typing_when_every_table_has_played_it():
    session, user = evenings.open_session()
    path = create_hand_link_path(session)
    tables = load_session_snapshot(session).tables_by_board[1]
    for table in tables[:-1]:
        evenings.enter_result(session, table.sitting_id, 1, "7", user)
    hand = post_hand(path, "N")
    assert hand.status_code == 400
    assert "is still in play" in read_text(hand)
    assert "not played yet" in read_text(
        Client().get(f"{path}state/", headers=FRAGMENT_HEADERS)
    )
    evenings.enter_result(session, tables[-1].sitting_id, 1, "7", user)
    assert post_hand(path, "N").status_code == 302
    assert post_hand(path, "N", 3).status_code == 400


def test_helpers_who_do_not_play_can_type_before_play():
    session, _user = evenings.seat_session()
    assert post_hand(create_hand_link_path(session), "N").status_code == 400
    path = create_hand_link_path(session, are_outsiders=True)
    assert post_hand(path, "N").status_code == 302
    assert HandLink.objects.filter(revoked_at=None).count() == 1


def test_revoked_or_expired_helper_link_stops_working(session, director):
    path = create_hand_link_path(session)
    url = f"/director/events/{session.event.slug}/deals/helpers/"
    assert path in read_text(director.get(url))
    director.post(f"{url}revoke/")
    for place in (path, f"{path}1/N/", f"{path}state/"):
        assert Client().get(place).status_code == 410
    assert post_hand(path, "N").status_code == 410
    new_link_path = create_hand_link_path(session)
    assert new_link_path != path
    HandLink.objects.update(ends_at=timezone.now() - timedelta(seconds=1))
    assert Client().get(new_link_path).status_code == 410
    with pytest.raises(ActionUnavailable, match="no longer works"):
        hall.helpers.services.record_hand(
            link=HandLink.objects.last(),
            board_number=1,
            seat=Seat.NORTH,
            cards_text="AKQ.AKQ.AKQ.AKQ2",
        )
    assert not TypedHand.objects.exists()


def test_wrong_token_seat_or_board_is_not_found(session):
    path = create_hand_link_path(session)
    assert Client().get("/type/nothing/").status_code == 404
    assert Client().get(f"{path}1/X/").status_code == 404
    assert Client().get(f"{path}99/N/").status_code == 404
    assert post_hand(path, "N", 99).status_code == 404


@pytest.mark.slow
def test_stored_link_data_does_not_reveal_the_token(session):
    path = create_hand_link_path(session)
    link = HandLink.objects.get()
    token = path.split("/")[2]
    assert token not in (link.salt, link.token_hash)
    assert len(token) == 22


def test_director_creates_one_helper_link_and_sees_progress(session, director):
    url = f"/director/events/{session.event.slug}/deals/helpers/"
    assert "Create link" in read_text(director.get(url))
    for _ in range(2):
        director.post(f"{url}make/")
    assert HandLink.objects.count() == 1
    path = HandLink.objects.get().path
    for seat in "NES":
        post_hand(path, seat)
    post_hand(path, "E", 2, deal=deal_board(bytes(32), 2))
    page_text = collapse_spaces(
        read_text(director.get(f"{url}state/", headers=FRAGMENT_HEADERS))
    )
    assert page_text.count("complete") == 1
    assert (page_text.count("<td>in</td>"), page_text.count("automatic")) == (4, 1)
    assert [a.action for a in Act.objects.filter(action__startswith="hand_link")] == [
        "hand_link.made"
    ]


@pytest.mark.slow
def test_boards_dealt_by_program_need_no_helper_links(
    director, django_capture_on_commit_callbacks
):
    session, user = evenings.open_session()
    with django_capture_on_commit_callbacks(execute=True):
        request_dealing(session=session, by=user)
    url = f"/director/events/{session.event.slug}/deals/helpers/"
    assert "their cards are known" in read_text(director.get(url))
    assert "their cards are known" in read_text(director.post(f"{url}make/", follow=True))
    assert not HandLink.objects.exists()


def test_movement_is_required_before_typing_hands(director):
    event, _user = evenings.create_event()
    url = f"/director/events/{event.slug}/deals/helpers/"
    assert "Choose a movement first" in read_text(director.get(url))


@pytest.mark.slow
def test_scorer_cannot_create_helper_links(session):
    client = Client()
    client.force_login(evenings.create_scorer(session.event.club))
    url = f"/director/events/{session.event.slug}/deals/helpers/"
    assert client.get(url).status_code == 403
    assert client.post(f"{url}make/").status_code == 403


def test_helper_pages_execute_a_fixed_number_of_queries(session, django_assert_max_num_queries):
    path = create_hand_link_path(session)
    for place, max_queries in ((path, 14), (f"{path}1/N/", 14), (f"{path}state/", 14)):
        with django_assert_max_num_queries(max_queries):
            assert Client().get(place, headers=FRAGMENT_HEADERS).status_code == 200
