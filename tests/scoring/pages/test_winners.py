"""Winners are marked by a word and a sign, not only by a colour."""

import re

import pytest
from django.test import Client

import scoring.services
from scoring.standings_engine import standings
from tests import evenings

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("movement", "method", "winners"),
    [("compass", "plus_minus", 2), ("compass", "matchpoints", 2), ("howell", "matchpoints", 1)],
)
def test_winners_are_named_only_after_the_session_closes(
    movement: str, method: str, winners: int
) -> None:
    session, user = evenings.play_session(movement=movement)
    scoring.services.set_scoring_terms(event=session.event, method=method, by=user)
    standings.update_standings(session.event)
    url = f"/events/{session.event.slug}/"
    assert not re.search(r"Winners?\b|overall winner", read_podium_html(url))
    scoring.services.close_session(session=session, by=user)
    standings.update_standings(session.event)
    podium_html = read_podium_html(url)
    assert podium_html.count("#medal") == len(re.findall(r"Winners?\b", podium_html)) == winners


def read_podium_html(page: str) -> str:
    """Return the first places of a standings page."""
    html = Client().get(page).content.decode()
    return html[html.index('class="podium') : html.index("standings__fields")]
