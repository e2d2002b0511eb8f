"""An event is complete when its last planned round and session are in, and not before."""

import json

import pytest
from django.test import Client
from django.urls import reverse

import scoring.services
from scoring.papers import ranking
from scoring.sheets.explanations import build_all_explanations
from scoring.sheets.ranks import load_rank_table
from scoring.sheets.standings_export import build_standings_data
from scoring.sheets.standings_text import format_standings
from scoring.standings_engine import standings
from tests.scoring.swiss.swiss_evenings import open_swiss, play_round, reload_section
from tournaments.models import Event
from tournaments.services import add_session

pytestmark = pytest.mark.django_db


def load_standings(event: Event):
    """Return the current standings for the director."""
    event = Event.objects.get(pk=event.pk)
    standings.update_standings(event)
    return load_rank_table(event, should_include_hidden_results=True)


def test_undrawn_round_keeps_event_incomplete(client: Client) -> None:
    session, user = open_swiss(6, 2)
    play_round(session, 1, user)
    table = load_standings(session.event)
    assert (table.missing, table.complete, table.is_final) == (0, False, False)
    standings_data = build_standings_data(table)
    assert (standings_data["complete"], standings_data["overall_winner"]) == (False, [])
    assert format_standings(table)[-1] == "Provisional: more rounds to play."
    assert ranking.describe_state(table) == "Provisional: more rounds to play."
    assert not any(
        explanation.is_complete for explanation in build_all_explanations(session.event)
    )
    client.force_login(user)
    path = reverse("standings", args=[session.event.slug])
    page = client.get(path, follow=True).content.decode()
    assert "All in so far. More rounds to play." in page
    response = client.get(f"/api/events/{session.event.slug}/standings/")
    assert json.loads(response.content)["complete"] is False

    scoring.services.draw_round(section=reload_section(session), round_number=2, by=user)
    assert load_standings(session.event).missing == 6
    play_round(session, 2, user)
    table = load_standings(session.event)
    assert (table.missing, table.complete) == (0, True)
    assert build_standings_data(table)["overall_winner"]


def test_session_closed_early_is_complete() -> None:
    session, user = open_swiss(6, 3)
    play_round(session, 1, user)
    scoring.services.close_session(session=session, by=user)
    table = load_standings(session.event)
    assert table.is_final
    assert build_standings_data(table)["complete"] is True
    scoring.services.reopen_session(session=session, by=user)
    assert load_standings(session.event).complete is False


def test_future_session_keeps_event_incomplete_in_api() -> None:
    session, user = open_swiss(6, 2)
    add_session(event=session.event, by=user)
    play_round(session, 1, user)
    scoring.services.draw_round(section=reload_section(session), round_number=2, by=user)
    play_round(session, 2, user)
    standings_data = build_standings_data(load_standings(session.event))
    assert (standings_data["complete"], standings_data["overall_winner"]) == (False, [])
