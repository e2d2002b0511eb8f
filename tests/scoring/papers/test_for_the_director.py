"""Papers that a director may print during play, and that no one still playing may read."""

import pytest

from scoring.papers import explanations, recap
from scoring.session_snapshot import SessionSnapshot, load_session_snapshot
from scoring.sheets import papers
from scoring.standings_engine import standings
from tests import evenings
from tests.scoring.papers import reading

pytestmark = pytest.mark.django_db

WARNING = "Don't show players: boards are still to be played."


def load_played_session(*, but: int) -> SessionSnapshot:
    session, _user = evenings.play_session(6, but=but)
    standings.update_standings(session.event)
    return load_session_snapshot(session)


@pytest.mark.parametrize("size", ["A4", "Letter"])
def test_what_tells_single_boards_says_so_while_some_are_still_to_be_played(size: str) -> None:
    """Other tables' results on a board are hidden from all who may still play it (rules D2)."""
    session = load_played_session(but=2)
    for pdf in (
        recap.draw_pdf(papers.build_recap(session), size=size),
        explanations.draw_pdf(papers.build_explanations(session), size=size),
    ):
        texts = reading.read_texts(pdf)
        assert WARNING in texts[0]
        for page in reading.read_pages(pdf):
            assert reading.list_outside_marks(page) == []
            assert reading.list_collisions(page) == []


def test_once_all_is_in_there_is_nothing_to_keep() -> None:
    session = load_played_session(but=0)
    pdfs = (
        recap.draw_pdf(papers.build_recap(session)),
        explanations.draw_pdf(papers.build_explanations(session)),
    )
    assert WARNING not in " ".join(" ".join(reading.read_texts(pdf)) for pdf in pdfs)
