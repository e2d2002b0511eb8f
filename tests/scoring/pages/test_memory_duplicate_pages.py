"""The pages of memory duplicate: how it is scored, and two plays in one cell."""

import re

import pytest
from django.test import Client

import scoring.services
from scoring.methods import METHODS_BY_NAME
from scoring.models import Standing
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.plays import load_plays
from scoring.sheets.recaps import list_rulings_as_text
from scoring.templatetags.scoring import describe_method
from tests import evenings
from tests.scoring.papers.test_two_plays import play_memory, play_teams
from tournaments.models import Sitting

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
TWO_PLAYS_TEXT = "9/4: the two plays of a board (teams: N-S first)."


def read_page(client: Client, address: str) -> str:
    """Return the text of a page on one line."""
    return re.sub(r"\s+", " ", client.get(address).content.decode())


def test_standings_say_that_an_overplay_is_compared_with_its_original(
    client: Client,
) -> None:
    session = play_memory().session
    scoring.services.close_session(session=session, by=None)
    page_text = read_page(client, f"/events/{session.event.slug}/")
    assert "lost in each overplay, against the original play of the same cards" in page_text
    assert "above or below the average on each board" not in page_text


def test_no_memory_duplicate_method_mentions_an_average() -> None:
    memory_methods = [item for item in METHODS_BY_NAME.values() if item.contests == ("memory",)]
    assert {item.name for item in memory_methods} == {"memory", "points_memory"}
    assert not any("average" in describe_method(item.name) for item in memory_methods)


@pytest.mark.parametrize("create_snapshot", [play_memory, play_teams])
def test_recap_explains_two_results_in_a_cell(client: Client, create_snapshot) -> None:
    session = create_snapshot().session
    scoring.services.close_session(session=session, by=None)
    assert TWO_PLAYS_TEXT in read_page(client, f"/events/{session.event.slug}/recap/")


def test_recap_with_one_play_per_board_has_no_note_about_two_plays(client: Client) -> None:
    session, _user = evenings.play_session(6)
    assert TWO_PLAYS_TEXT not in read_page(client, f"/events/{session.event.slug}/recap/")


def test_ruling_names_its_round_if_the_table_plays_the_board_twice() -> None:
    memory_snapshot = play_memory()
    overplay_table = memory_snapshot.rounds_by_table["A", 1][2]
    scoring.services.make_ruling(
        kind="adjusted",
        sitting=Sitting.objects.get(pk=overplay_table.sitting_id),
        board_number=1,
        ns_tricks=7,
        ew_tricks=6,
        reason="Hesitation",
        by=None,
    )
    repeated_session_snapshot = load_session_snapshot(memory_snapshot.session)
    (ruling_text,) = list_rulings_as_text(
        repeated_session_snapshot, load_plays(repeated_session_snapshot)
    )
    assert ruling_text.startswith("Board 1, round 3, table 1: ")


def test_distance_between_teams_is_shown_in_matches(client: Client) -> None:
    session = play_teams().session
    scoring.services.close_session(session=session, by=None)
    last_standing = (
        Standing.objects.filter(ranking__event=session.event).order_by("rank").last()
    )
    assert last_standing is not None
    page = read_page(
        client, f"/events/{session.event.slug}/entries/{last_standing.entry.number}/"
    )
    text = re.sub(r"<[^>]*>", " ", page[page.index("Behind first") :])
    assert re.match(r"Behind first\s+[\d.]+\s+match(es)?\s", text)


def test_one_table_event_uses_the_singular(client: Client) -> None:
    session = play_memory().session
    client.force_login(evenings.User.objects.get(username="director"))
    page_text = read_page(client, f"/director/events/{session.event.slug}/")
    assert "1 table, 4 rounds, 2 boards per round" in page_text
