"""No one who may still play a deal sees its cards, its turn-up or its results."""

import pytest
from django.test import Client, TestCase

from scoring.services import close_session, reopen_session
from scoring.session_snapshot import load_session_snapshot
from scoring.standings_engine import standings
from tests import evenings
from tests.copies import build_once
from tournaments.models import Event, Session
from tournaments.services import request_dealing

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@build_once
def create_dealt_session() -> Session:
    """Return a session in play whose boards are dealt."""
    session, user = evenings.open_session()
    with TestCase.captureOnCommitCallbacks(execute=True):
        request_dealing(session=session, by=user)
    session.refresh_from_db()
    return session


@pytest.fixture
def dealt_session() -> Session:
    return create_dealt_session()


def list_pages(session: Session) -> list[str]:
    event_url = f"/events/{session.event.slug}/"
    return [
        event_url,
        f"{event_url}standings/",
        f"{event_url}boards/",
        *(f"{event_url}boards/{board}/" for board in range(1, 7)),
        *(f"{event_url}entries/{entry}/" for entry in range(1, 7)),
    ]


def test_no_page_shows_hands_before_close(dealt_session: Session, client: Client) -> None:
    for url in list_pages(dealt_session):
        response = client.get(url, headers={"HX-Request": "true"})
        assert response.status_code == 200
        assert (
            response.context.get("traveller") is None
            or response.context["traveller"].deal is None
        )


def test_hands_are_shown_after_session_is_closed(
    dealt_session: Session, client: Client
) -> None:
    _, user = evenings.create_club_with_director()
    close_session(session=dealt_session, by=user)
    response = client.get(f"/events/{dealt_session.event.slug}/boards/1/")
    assert dealt_session.board_set is not None
    assert response.context["traveller"].deal == dealt_session.board_set.load_deals()[1]


def test_reopened_session_hides_hands_again(dealt_session: Session, client: Client) -> None:
    _, user = evenings.create_club_with_director()
    close_session(session=dealt_session, by=user)
    reopen_session(session=dealt_session, by=user)
    response = client.get(f"/events/{dealt_session.event.slug}/boards/1/")
    assert response.context["traveller"].deal is None


def test_result_is_hidden_until_all_tables_played_boards_of_its_round(
    client: Client,
) -> None:
    """Totals contain the round's sum, so one of two boards would reveal the other."""
    session, user = evenings.open_session()
    tables = load_session_snapshot(session).tables_by_board[1]
    for table in tables[:-1]:
        evenings.enter_result(session, table.sitting_id, 1, "11", user)
        evenings.enter_result(session, table.sitting_id, 2, "6", user)
    address = f"/events/{session.event.slug}/boards/1/"
    assert all(
        line.ns_tricks is None for line in client.get(address).context["traveller"].lines
    )
    evenings.enter_result(session, tables[-1].sitting_id, 1, "3", user)
    assert all(
        line.ns_tricks is None for line in client.get(address).context["traveller"].lines
    )
    evenings.enter_result(session, tables[-1].sitting_id, 2, "4", user)
    lines = client.get(address).context["traveller"].lines
    assert [line.ns_tricks for line in lines] == [11, 11, 3]


def test_scorecard_hides_boards_still_in_play(client: Client) -> None:
    session, user = evenings.open_session()
    evenings.enter_result(
        session, load_session_snapshot(session).tables_by_board[1][0].sitting_id, 1, "11", user
    )
    card = client.get(f"/events/{session.event.slug}/entries/1/").context["card"]
    assert all(line.tricks is None and line.score is None for line in card.lines)


@pytest.mark.parametrize(
    ("standings_visibility", "is_shown_while_open", "is_shown_when_closed"),
    [("always", True, True), ("after", False, True), ("never", False, False)],
)
def test_director_decides_when_standings_are_shown(
    client: Client,
    standings_visibility: str,
    is_shown_while_open: bool,
    is_shown_when_closed: bool,
) -> None:
    session, user = evenings.play_session()
    Event.objects.update(standings_shown=standings_visibility)
    standings.update_standings(session.event)
    address = f"/events/{session.event.slug}/"
    assert (client.get(address).context["table"] is not None) is is_shown_while_open
    close_session(session=session, by=user)
    assert (client.get(address).context["table"] is not None) is is_shown_when_closed
    card = client.get(f"{address}entries/1/").context["card"]
    assert (card.rank is not None) is is_shown_when_closed


def test_export_omits_hands_until_close(dealt_session: Session, client: Client) -> None:
    _, user = evenings.create_club_with_director()
    client.force_login(user)
    address = f"/director/events/{dealt_session.event.slug}/export/"
    assert "boards" not in client.get(address).json()["sessions"][0]
    close_session(session=dealt_session, by=user)
    assert len(client.get(address).json()["sessions"][0]["boards"]) == 6


def test_no_director_page_shows_hands_before_close(
    dealt_session: Session, client: Client
) -> None:
    _, user = evenings.create_club_with_director()
    client.force_login(user)
    assert dealt_session.board_set is not None
    texts = {str(row.deal) for row in dealt_session.board_set.boards.all()}
    secret = bytes(dealt_session.board_set.secret or b"").hex()
    for page in ("", "scores/", "papers/", "deals/", "deals/status/", "history/", "entries/"):
        address = f"/director/events/{dealt_session.event.slug}/{page}"
        body = client.get(address, headers={"HX-Request": "true"}).content.decode()
        assert not [text for text in texts if text in body]
        assert secret not in body
