"""The pages of memory duplicate: how it is scored, and two plays in one square."""

import re

import pytest
from django.test import Client

import scoring.services
from scoring.methods import METHODS
from scoring.models import Standing
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.plays import load_plays
from scoring.sheets.recaps import list_rulings_as_text
from scoring.templatetags.scoring import method_words
from tests import evenings
from tests.scoring.papers.test_two_plays import play_memory, play_teams
from tournaments.models import Sitting

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
TWO_PLAYS = "9/4: the two plays of a board (teams: N-S first)."


def read_page(client: Client, address: str) -> str:
    """Return the text of a page on one line."""
    return re.sub(r"\s+", " ", client.get(address).content.decode())


def test_the_standings_say_that_an_overplay_is_compared_with_its_original(
    client: Client,
) -> None:
    session = play_memory().session
    scoring.services.close_session(session=session, by=None)
    page_text = read_page(client, f"/events/{session.event.slug}/")
    assert "lost in each overplay, against the original play of the same cards" in page_text
    assert "above or below the average on each board" not in page_text


def test_no_method_of_memory_duplicate_speaks_of_an_average() -> None:
    actual = [item for item in METHODS.values() if item.contests == ("memory",)]
    assert {item.name for item in actual} == {"memory", "points_memory"}
    assert not any("average" in method_words(item.name) for item in actual)


@pytest.mark.parametrize("made", [play_memory, play_teams])
def test_the_recap_says_what_two_figures_in_a_square_are(client: Client, made) -> None:
    session = made().session
    scoring.services.close_session(session=session, by=None)
    assert TWO_PLAYS in read_page(client, f"/events/{session.event.slug}/recap/")


def test_a_recap_of_one_play_a_board_does_not_speak_of_two(client: Client) -> None:
    session, _user = evenings.play_session(6)
    assert TWO_PLAYS not in read_page(client, f"/events/{session.event.slug}/recap/")


def test_a_ruling_names_its_round_where_a_table_has_the_board_twice() -> None:
    memory = play_memory()
    overplay = memory.rounds_by_table["A", 1][2]
    scoring.services.make_ruling(
        kind="adjusted",
        sitting=Sitting.objects.get(pk=overplay.sitting),
        board=1,
        ns_tricks=7,
        ew_tricks=6,
        reason="Hesitation",
        by=None,
    )
    repeated_session_snapshot = load_session_snapshot(memory.session)
    (reported,) = list_rulings_as_text(
        repeated_session_snapshot, load_plays(repeated_session_snapshot)
    )
    assert reported.startswith("Board 1, round 3, table 1: ")


def test_a_team_is_ahead_of_the_next_by_matches(client: Client) -> None:
    session = play_teams().session
    scoring.services.close_session(session=session, by=None)
    last = Standing.objects.filter(ranking__event=session.event).order_by("rank").last()
    assert last is not None
    page = read_page(client, f"/events/{session.event.slug}/entries/{last.entry.number}/")
    text = re.sub(r"<[^>]*>", " ", page[page.index("Behind first") :])
    assert re.match(r"Behind first\s+[\d.]+\s+match(es)?\s", text)


def test_the_evening_of_one_table_says_one_table(client: Client) -> None:
    session = play_memory().session
    client.force_login(evenings.User.objects.get(username="director"))
    page_text = read_page(client, f"/director/events/{session.event.slug}/")
    assert "1 table, 4 rounds, 2 boards per round" in page_text
