"""Verifiable deals: commitment before play, secret and proof after it."""

import json

import pytest
from django.test import Client

from boards import proof
from boards.models import BoardSet
from clubs.models import Act
from scoring.services import close_session, open_session
from tests import evenings
from tests.factories import SessionFactory
from tournaments.errors import ActionUnavailable
from tournaments.models import Session
from tournaments.services import record_public_value, redeal_boards, request_dealing

pytestmark = pytest.mark.django_db


@pytest.fixture
def session(django_capture_on_commit_callbacks) -> Session:
    seated_session, user = evenings.seat_session()
    with django_capture_on_commit_callbacks(execute=True):
        request_dealing(session=seated_session, by=user)
    seated_session.refresh_from_db()
    return seated_session


def get_director_user():
    return evenings.create_club_with_director()[1]


def build_address(session: Session, page: str = "") -> str:
    return f"/events/{session.event.slug}/{page}"


@pytest.mark.slow
def test_event_page_shows_commitment_but_not_secret_before_play(session):
    html = Client().get(build_address(session)).content.decode()
    assert session.board_set.commitment in html
    assert bytes(session.board_set.secret).hex() not in html
    page = Client().get(build_address(session, "deals/")).content.decode()
    assert session.board_set.commitment in page
    assert bytes(session.board_set.secret).hex() not in page


@pytest.mark.slow
@pytest.mark.parametrize("page", ["deals/proof.json", "deals/verify/"])
def test_proof_and_check_are_unavailable_before_the_close(session, page):
    assert Client().get(build_address(session, page)).status_code == 404


@pytest.mark.slow
def test_proof_after_the_close_deals_the_same_boards_again(session):
    close_dealt_session(session)
    response = Client().get(build_address(session, "deals/proof.json"))
    found_proof = proof.parse_deal_proof(response.content.decode())
    assert proof.list_differences(found_proof) == []
    assert found_proof.deals_by_board == session.board_set.load_deals()
    assert bytes(session.board_set.secret).hex() in (
        Client().get(build_address(session, "deals/")).content.decode()
    )


@pytest.mark.slow
def test_check_shows_every_board_dealt_again(session):
    close_dealt_session(session)
    response = Client().get(build_address(session, "deals/verify/"))
    verification = response.context["verification"]
    assert verification.is_verified
    assert {
        board.board_number: board.deal for board in verification.boards
    } == session.board_set.load_deals()
    assert "They match" in response.content.decode()


@pytest.mark.slow
def test_check_reports_a_board_that_differs_from_the_secret(session):
    source_board, altered_board = session.board_set.boards.filter(number__in=(1, 5))
    altered_board.deal, altered_board.turn_up = source_board.deal, source_board.turn_up
    altered_board.save()
    close_dealt_session(session)
    verification = Client().get(build_address(session, "deals/verify/")).context["verification"]
    assert [board.board_number for board in verification.boards if not board.is_verified] == [5]
    assert not verification.is_verified


@pytest.mark.slow
def test_check_reports_a_secret_that_differs_from_the_commitment(session):
    BoardSet.objects.update(commitment="0" * 64)
    close_dealt_session(session)
    verification = Client().get(build_address(session, "deals/verify/")).context["verification"]
    assert not verification.has_matching_commitment


@pytest.mark.slow
def test_board_redealt_at_the_table_is_marked_as_such(session):
    from boards.services import replace_deal
    from boards.whist.dealing import deal_board

    replace_deal(board_set=session.board_set, board_number=2, deal=deal_board(bytes(32), 2))
    close_dealt_session(session)
    verification = Client().get(build_address(session, "deals/verify/")).context["verification"]
    assert [board.board_number for board in verification.boards if board.is_redealt] == [2]
    assert verification.is_verified


def test_redeal_keeps_the_old_set_and_is_counted_publicly(session):
    first_board_set = session.board_set
    second = redeal_boards(session=session, seen_board_set_ordinal=1, by=get_director_user())
    session.refresh_from_db()
    assert session.board_set == second
    assert (second.ordinal, second.list_earlier_sets()) == (2, [first_board_set])
    assert BoardSet.objects.count() == 2
    page = Client().get(build_address(session)).content.decode()
    assert "Dealt 2 times" in page
    html = Client().get(build_address(session, "deals/")).content.decode()
    assert first_board_set.commitment in html
    assert Act.objects.filter(action="boards.dealt_anew").count() == 1


@pytest.mark.slow
def test_double_click_creates_one_new_set(session):
    for _ in range(2):
        redeal_boards(session=session, seen_board_set_ordinal=1, by=get_director_user())
        session.refresh_from_db()
    assert session.board_set.ordinal == 2


@pytest.mark.slow
def test_set_cannot_be_redealt_after_play_has_started(session):
    open_session(session=session, by=get_director_user())
    with pytest.raises(ActionUnavailable, match="Play has started"):
        redeal_boards(session=session, seen_board_set_ordinal=1, by=get_director_user())


def test_boards_cannot_be_redealt_before_the_first_set():
    seated, user = evenings.seat_session()
    with pytest.raises(ActionUnavailable, match="nothing to replace"):
        redeal_boards(session=seated, seen_board_set_ordinal=1, by=user)
    with pytest.raises(ActionUnavailable, match="No boards are waiting"):
        record_public_value(session=seated, public_value="7", by=user)


def test_sealed_boards_are_dealt_when_the_public_value_is_entered(
    django_capture_on_commit_callbacks,
):
    seated, user = evenings.seat_session()
    client = Client()
    client.force_login(user)
    root_url = f"/director/events/{seated.event.slug}/deals/"
    with django_capture_on_commit_callbacks(execute=True):
        client.post(f"{root_url}make/", {"sealed": "yes"})
    seated.refresh_from_db()
    assert seated.board_set.is_waiting_for_public_value
    assert not seated.board_set.boards.exists()
    assert "Public number" in client.get(root_url).content.decode()
    assert "hx-get" not in client.get(f"{root_url}status/").content.decode()
    assert "Not dealt yet" in client.get(build_address(seated)).content.decode()
    with django_capture_on_commit_callbacks(execute=True):
        client.post(f"{root_url}value/", {"value": " 3 11 19 "})
    seated.board_set.refresh_from_db()
    assert seated.board_set.public_value == "3 11 19"
    assert seated.board_set.is_ready
    close_dealt_session(seated)
    response = client.get(build_address(seated, "deals/proof.json"))
    assert json.loads(response.content)["public"] == "3 11 19"
    assert proof.list_differences(proof.parse_deal_proof(response.content.decode())) == []


@pytest.mark.slow
def test_directors_page_redeals_or_shows_an_error(session):
    client = Client()
    client.force_login(get_director_user())
    root_url = f"/director/events/{session.event.slug}/deals/"
    assert 'name="anew" value="1"' in client.get(root_url).content.decode()
    client.post(f"{root_url}make/", {"anew": "1"})
    session.refresh_from_db()
    assert session.board_set.ordinal == 2
    html = client.post(f"{root_url}value/", {"value": ""}, follow=True).content.decode()
    assert "waiting for a public number" in html


@pytest.mark.slow
def test_session_without_boards_has_no_proof():
    seated, _ = evenings.seat_session()
    page = Client().get(build_address(seated, "deals/")).content.decode()
    assert "No boards yet" in page


def test_boards_of_two_sessions_stay_secret_until_both_are_closed(session):
    later_session = SessionFactory(
        event=session.event, number=2, board_set=session.board_set, deals="recorded"
    )
    close_dealt_session(session)
    assert Client().get(build_address(session, "deals/verify/")).status_code == 404
    Session.objects.filter(pk=later_session.pk).update(
        state="closed", closed_at=session.closed_at
    )
    assert Client().get(build_address(session, "deals/verify/")).status_code == 200


def close_dealt_session(session: Session) -> None:
    open_session(session=session, by=get_director_user())
    close_session(session=session, by=get_director_user())
    session.refresh_from_db()
