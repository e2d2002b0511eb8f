"""A scorecard shows hidden boards alike, whether or not they have a score."""

import pytest
from django.test import Client

import scoring.services
from scoring.secrecy import can_see_results
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.travellers import load_scorecard
from tests import evenings

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("missing_count", [18, 9, 1, 0])
def test_hidden_boards_look_the_same_with_and_without_a_score(missing_count: int) -> None:
    session, _user = evenings.play_session(but=missing_count)
    snapshot = load_session_snapshot(session)
    hidden_values = set()
    for entry in session.event.entries.all():
        card = load_scorecard(snapshot, entry, None)
        for line in card.lines:
            assert line.is_hidden is not can_see_results(snapshot, line.board)
            assert not line.is_hidden or line.outcome == ""
            hidden_values.add(line.is_hidden)
        page = Client().get(f"/events/{session.event.slug}/entries/{entry.number}/")
        text = page.content.decode()
        hidden_count = sum(line.is_hidden for line in card.lines)
        assert text.count("not shown yet") == hidden_count
        assert "no score yet" not in text
    assert (True in hidden_values) is (missing_count > 0)


def test_missing_score_of_a_closed_session_is_shown_as_no_score_yet() -> None:
    session, user = evenings.play_session(but=1)
    scoring.services.close_session(session=session, by=user)
    event = f"/events/{session.event.slug}/"
    texts = [
        Client().get(f"{event}entries/{number}/").content.decode() for number in range(1, 7)
    ]
    assert sum("no score yet" in text for text in texts) == 2
    assert not any("not shown yet" in text for text in texts)
