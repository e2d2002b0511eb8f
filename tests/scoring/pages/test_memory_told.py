"""What the pages say of memory duplicate: how it is scored, and two plays in one square."""

import re

import pytest
from django.test import Client

import scoring.services
from scoring.methods import METHODS
from scoring.templatetags.scoring import method_words
from tests import evenings
from tests.scoring.papers.test_two_plays import memory, teams

pytestmark = pytest.mark.django_db
TWO_PLAYS = "9/4: the two plays of a board; of a team N-S first."


def read(client: Client, address: str) -> str:
    """A page's words on one line."""
    return re.sub(r"\s+", " ", client.get(address).content.decode())


def test_the_standings_say_that_an_overplay_is_compared_with_its_original(
    client: Client,
) -> None:
    session = memory().session
    scoring.services.close_session(session=session, by=None)
    told = read(client, f"/events/{session.event.slug}/")
    assert "more or fewer than the original play took with the same cards" in told
    assert "above or below the average of each board" not in told


def test_no_method_of_memory_duplicate_speaks_of_an_average() -> None:
    found = [it for it in METHODS.values() if it.contests == ("memory",)]
    assert {it.name for it in found} == {"memory", "points_memory"}
    assert not any("average" in method_words(it.name) for it in found)


@pytest.mark.parametrize("made", [memory, teams])
def test_the_recap_says_what_two_figures_in_a_square_are(client: Client, made) -> None:
    session = made().session
    scoring.services.close_session(session=session, by=None)
    assert TWO_PLAYS in read(client, f"/events/{session.event.slug}/recap/")


def test_a_recap_of_one_play_a_board_does_not_speak_of_two(client: Client) -> None:
    session, _user = evenings.played(6)
    assert TWO_PLAYS not in read(client, f"/events/{session.event.slug}/recap/")
