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
def test_final_field_names_its_winner_in_words(
    movement: str, method: str, winners: int
) -> None:
    session, user = evenings.play_session(movement=movement)
    scoring.services.set_scoring_terms(event=session.event, method=method, by=user)
    standings.update_standings(session.event)
    url = f"/events/{session.event.slug}/"
    assert not re.search(r"Winners?\b|overall winner", list_first_places(url))
    scoring.services.close_session(session=session, by=user)
    standings.update_standings(session.event)
    first_places = list_first_places(url)
    assert (
        first_places.count("#medal") == len(re.findall(r"Winners?\b", first_places)) == winners
    )


def list_first_places(page: str) -> str:
    """Return the first places of a standings page."""
    html = Client().get(page).content.decode()
    return html[html.index('class="podium') : html.index("standings__fields")]
