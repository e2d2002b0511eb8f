"""A director who plays seals the cards, and the phone of his own table tells of no other."""

import pytest
from django.test import Client

import hall.phones.services
import scoring.services
import tournaments.services
from boards.models import Board
from scoring.doubts.reading import best_of
from server.models import User
from tests import evenings, factories
from tournaments.models import Session, Sitting

pytestmark = pytest.mark.django_db


@pytest.fixture
def evening() -> tuple[Session, User]:
    """Three tables with known deals, each analysed; N-S made one trick at every other table."""
    session, user = evenings.seated(boards_a_round=1)
    deals = {number: factories.a_deal(number) for number in (1, 2, 3)}
    tournaments.services.import_deals(session=session, deals=deals, by=user)
    session.refresh_from_db()
    Board.objects.update(best_tricks=12)
    scoring.services.open_session(session=session, by=user)
    return Session.objects.get(pk=session.pk), user


def enter(session: Session, *, but: int) -> None:
    """Let a scorer enter 1 for N-S in the first round at every table but one."""
    by = evenings.scorer(session.event.club)
    for sitting in Sitting.objects.filter(section__session=session, round=1).exclude(table=but):
        board = session.boards_of(sitting.board_group)[0]
        evenings.enter(session, sitting.pk, board, "1", by)


def test_best_play_speaks_against_no_result_while_the_cards_are_sealed(evening) -> None:
    session, user = evening
    assert set(best_of(session).values()) == {12}
    tournaments.services.seal_boards(session=session, by=user)
    session = Session.objects.get(pk=session.pk)
    assert best_of(session) == {}
    closed = scoring.services.close_session(session=session, by=user)
    assert set(best_of(closed).values()) == {12}


def test_the_grid_of_a_sealed_evening_asks_nothing_for_the_sake_of_the_cards(
    evening, client: Client
) -> None:
    session, user = evening
    client.force_login(user)
    page = f"/director/events/{session.event.slug}/scores/"
    enter(session, but=3)
    assert asked(client, page) == 2
    tournaments.services.seal_boards(session=session, by=user)
    assert asked(client, page) == 0


def test_a_table_s_phone_knows_no_other_table(evening, client: Client) -> None:
    session, user = evening
    links = hall.phones.services.make_links(session=session, by=user)
    before = client.get(links[2].path, headers={"Accept": "application/json"}).json()
    enter(session, but=3)
    after = client.get(links[2].path, headers={"Accept": "application/json"}).json()
    assert before == after


def asked(client: Client, page: str) -> int:
    return len(client.get(page).context["doubts"].asked)
