"""Players can see what to do about a wrong score, and until when."""

import pytest
from django.test import Client

import scoring.services
from config.search.hits import find_hits
from hall.challenges.services import create_entry_links
from tests import evenings
from tests.page_text import collapse_spaces
from tournaments.models import Session

pytestmark = pytest.mark.django_db


def read_pages(session: Session) -> list[str]:
    """Return the texts of the event page, a scorecard and a board page."""
    event = f"/events/{session.event.slug}/"
    return [
        collapse_spaces(Client().get(event + page).content.decode())
        for page in ("?find=", "entries/1/", "boards/1/")  # "?find=" is not cached
    ]


def test_wrong_score_note_is_shown_during_play_and_around_the_deadline() -> None:
    session, user = evenings.play_session(but=1)
    for page in read_pages(session):
        assert "Is a score wrong? Tell the director.<a" in page
    assert create_entry_links(event=session.event, by=user)
    session = scoring.services.close_session(session=session, by=user)
    for page in read_pages(session):
        assert "Is a score wrong? Tell the director by" in page
        assert "or use your personal QR code." in page
    evenings.end_correction_period(session)
    for page in read_pages(session):
        assert "Score corrections closed on" in page
        assert "Is a score wrong" not in page


def test_personal_codes_are_mentioned_only_if_there_are_any() -> None:
    session, user = evenings.play_session()
    session = scoring.services.close_session(session=session, by=user)
    for page in read_pages(session):
        assert "Is a score wrong? Tell the director by" in page
        assert "QR code" not in page


def test_session_before_play_has_no_wrong_score_note() -> None:
    session, _user = evenings.seat_session()
    assert all("Is a score wrong" not in page for page in read_pages(session))


@pytest.mark.parametrize("query", ["query", "mistake", "wrong score", "score query"])
def test_search_finds_how_to_query_a_score(query: str) -> None:
    hits = [hit for group in find_hits(query) for hit in group.hits]
    assert "/learn/evening/#wrong-score" in [hit.url for hit in hits]
    assert 'id="wrong-score"' in Client().get("/learn/evening/").content.decode()
