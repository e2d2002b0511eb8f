"""Papers that only the director may read during play."""

import pytest

from scoring.papers import explanations, recap
from scoring.session_snapshot import SessionSnapshot, load_session_snapshot
from scoring.sheets import papers
from scoring.standings_engine import standings
from tests import evenings
from tests.scoring.papers import reading

pytestmark = pytest.mark.django_db

WARNING = "Don’t show this to players. Some boards haven’t been played yet."


def load_played_session(*, missing_result_count: int) -> SessionSnapshot:
    session, _user = evenings.play_session(6, but=missing_result_count)
    standings.update_standings(session.event)
    return load_session_snapshot(session)


@pytest.mark.parametrize("paper_size", ["A4", "Letter"])
def test_paper_with_board_results_has_a_warning_while_boards_are_in_play(
    paper_size: str,
) -> None:
    """Other tables' results on a board are hidden from all who may still play it (rules D2)."""
    session = load_played_session(missing_result_count=2)
    for pdf in (
        recap.draw_pdf(papers.build_recap(session), paper_size=paper_size),
        explanations.draw_pdf(papers.build_explanations(session), paper_size=paper_size),
    ):
        texts = reading.read_texts(pdf)
        assert WARNING in texts[0]
        for page in reading.read_pages(pdf):
            assert reading.list_outside_marks(page) == []
            assert reading.list_collisions(page) == []


def test_paper_of_a_complete_session_has_no_secrecy_warning() -> None:
    session = load_played_session(missing_result_count=0)
    pdfs = (
        recap.draw_pdf(papers.build_recap(session)),
        explanations.draw_pdf(papers.build_explanations(session)),
    )
    assert WARNING not in " ".join(" ".join(reading.read_texts(pdf)) for pdf in pdfs)
