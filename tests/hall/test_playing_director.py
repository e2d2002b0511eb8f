"""A director who plays: the cards are sealed, and his table's phone shows no other table."""

import pytest
from django.test import Client

import hall.phones.services
import scoring.services
import tournaments.services
from boards.models import Board
from scoring.doubts.open_doubts import load_best_play
from server.models import User
from tests import evenings, factories
from tournaments.errors import ActionUnavailable
from tournaments.models import Session, Sitting

pytestmark = pytest.mark.django_db


@pytest.fixture
def evening() -> tuple[Session, User]:
    """Return three tables with known deals; N-S made one trick at every other table."""
    session, user = evenings.seat_session(boards_a_round=1)
    deals = {number: factories.make_deal(number) for number in (1, 2, 3)}
    tournaments.services.import_deals(session=session, deals_by_board=deals, by=user)
    session.refresh_from_db()
    Board.objects.update(best_tricks=12)
    scoring.services.open_session(session=session, by=user)
    return Session.objects.get(pk=session.pk), user


def enter_other_tables_results(session: Session, *, skipped_table: int) -> None:
    """Let a scorer enter 1 for N-S in the first round at every table but one."""
    scorer = evenings.create_scorer(session.event.club)
    for sitting in Sitting.objects.filter(section__session=session, round=1).exclude(
        table=skipped_table
    ):
        board = session.get_group_boards(sitting.board_group)[0]
        evenings.enter_result(session, sitting.pk, board, "1", scorer)


def test_best_play_is_unavailable_while_cards_are_sealed(evening) -> None:
    session, user = evening
    assert set(load_best_play(session).values()) == {12}
    tournaments.services.seal_boards(session=session, by=user)
    session = Session.objects.get(pk=session.pk)
    assert load_best_play(session) == {}
    closed_session = scoring.services.close_session(session=session, by=user)
    assert set(load_best_play(closed_session).values()) == {12}


def test_grid_queries_no_results_by_cards_while_boards_are_sealed(
    evening, client: Client
) -> None:
    session, user = evening
    client.force_login(user)
    url = f"/director/events/{session.event.slug}/scores/"
    enter_other_tables_results(session, skipped_table=3)
    assert count_queried_results(client, url) == 2
    tournaments.services.seal_boards(session=session, by=user)
    assert count_queried_results(client, url) == 0


def test_phone_of_a_table_shows_no_other_table(evening, client: Client) -> None:
    session, user = evening
    links = hall.phones.services.create_table_links(session=session, by=user)
    data_before = client.get(links[2].path, headers={"Accept": "application/json"}).json()
    enter_other_tables_results(session, skipped_table=3)
    data_after = client.get(links[2].path, headers={"Accept": "application/json"}).json()
    assert data_before == data_after


def count_queried_results(client: Client, page: str) -> int:
    return len(client.get(page).context["doubts"].queried_results)


QUESTION = "Are you playing in this session?"


@pytest.fixture
def planned_session_and_user(client: Client) -> tuple[Session, User]:
    """Return a seated session with known deals, and its director's client."""
    session, user = evenings.seat_session(boards_a_round=1)
    deals = {number: factories.make_deal(number) for number in (1, 2, 3)}
    tournaments.services.import_deals(session=session, deals_by_board=deals, by=user)
    Board.objects.update(best_tricks=12)
    client.force_login(user)
    return Session.objects.get(pk=session.pk), user


@pytest.mark.parametrize(("answer", "is_hidden"), [("yes", True), ("no", False)])
def test_playing_question_is_shown_once_when_a_session_opens(
    planned_session_and_user: tuple[Session, User], client: Client, answer: str, is_hidden: bool
) -> None:
    session, _user = planned_session_and_user
    event_url = f"/director/events/{session.event.slug}/"
    question_response = client.post(f"{event_url}session/open/")
    assert QUESTION in question_response.content.decode()
    assert Session.objects.get(pk=session.pk).state == Session.State.PLANNED
    for _click in range(2):
        response = client.post(f"{event_url}session/open/", {"plays": answer})
        assert response.headers["Location"] == f"{event_url}room/"
    session = Session.objects.select_related("board_set").get(pk=session.pk)
    assert session.state == Session.State.OPEN
    assert session.board_set is not None
    assert session.board_set.is_sealed is is_hidden
    assert (load_best_play(session) == {}) is is_hidden
    enter_other_tables_results(session, skipped_table=3)
    assert count_queried_results(client, f"{event_url}scores/") == (0 if is_hidden else 2)


def test_director_is_not_asked_about_playing_if_cards_are_hidden_or_unknown(
    planned_session_and_user: tuple[Session, User], client: Client
) -> None:
    session, user = planned_session_and_user
    tournaments.services.seal_boards(session=session, by=user)
    shuffled_session, _user = evenings.seat_session(boards_a_round=2)
    for tested_session in (session, shuffled_session):
        event_url = f"/director/events/{tested_session.event.slug}/"
        assert (
            client.post(f"{event_url}session/open/").headers["Location"] == f"{event_url}room/"
        )


def test_failed_opening_of_a_session_seals_no_boards(
    planned_session_and_user: tuple[Session, User],
) -> None:
    session, user = planned_session_and_user
    scoring.services.open_session(session=session, by=user)
    scoring.services.close_session(session=session, by=user)
    session = Session.objects.get(pk=session.pk)
    with pytest.raises(ActionUnavailable):
        scoring.services.open_session(session=session, is_director_playing=True, by=user)
    boards = Session.objects.get(pk=session.pk).board_set
    assert boards is not None
    assert not boards.is_sealed
