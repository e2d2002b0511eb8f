"""One ranking if an arrow switch gives one winner, otherwise two, whatever happens."""

import re
from fractions import Fraction
from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client

import scoring.services
from scoring.models import Result, Standing
from scoring.sheets.ranks import load_rank_table
from scoring.standings_engine import standings
from tests import evenings
from tournaments.models import Place, SeatingChange, Session
from tournaments.movements import build_named_movement
from tournaments.movements.meetings import Contest

pytestmark = pytest.mark.django_db
PAIRS_BY_SYSTEM = {"compass": 6, "compass-skip": 8, "compass-relay": 8, "howell": 6}


def list_ranks_by_field(session: Session) -> dict[str, list[tuple[int, Fraction]]]:
    """Return ranks and scores by field."""
    standings.update_standings(session.event)
    ranks_by_field: dict[str, list[tuple[int, Fraction]]] = {}
    for row in Standing.objects.filter(ranking__event=session.event).order_by("rank"):
        ranks_by_field.setdefault(row.field, []).append((row.rank, Fraction(row.score)))
    return ranks_by_field


@pytest.mark.parametrize("has_one_winner", [False, True], ids=["as it is", "one winner"])
@pytest.mark.parametrize("movement_name", PAIRS_BY_SYSTEM)
def test_number_of_rankings_equals_number_of_winners(
    movement_name: str, has_one_winner: bool
) -> None:
    pairs = PAIRS_BY_SYSTEM[movement_name]
    options = {"one_winner": True} if has_one_winner and movement_name != "howell" else {}
    session, _user = evenings.play_session(pairs, movement=movement_name, **options)
    has_one_ranking = has_one_winner or movement_name == "howell"
    ranks_by_field = list_ranks_by_field(session)
    assert set(ranks_by_field) == ({""} if has_one_ranking else {"NS", "EW"})
    for ranks_and_scores in ranks_by_field.values():
        scores = [score for _rank, score in ranks_and_scores]
        assert scores == sorted(scores, reverse=True)
        assert [rank for rank, _score in ranks_and_scores] == [
            1 + sum(other_score > score for other_score in scores) for score in scores
        ]
    assert (
        sum(
            score
            for ranks_and_scores in ranks_by_field.values()
            for _rank, score in ranks_and_scores
        )
        == 0
    )
    assert len(
        load_rank_table(session.event, should_include_hidden_results=True).fields
    ) == len(ranks_by_field)


def test_wrongly_seated_table_keeps_two_separate_fields() -> None:
    """Two fields stay separate if a table sat the wrong way round in one round."""
    session, user = evenings.play_session(6)
    client = Client()
    client.force_login(user)
    url = f"/director/events/{session.event.slug}/change/"
    html = client.get(f"{url}?kind=turned&table=1&first=1&last=1").content.decode()
    form = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', html))
    way = re.findall(r'name="way" value="([\w-]+)"', html)[0]
    assert client.post(url, form | {"way": way}).status_code == 302
    assert SeatingChange.objects.count() == 1
    assert set(list_ranks_by_field(session)) == {"NS", "EW"}


def test_one_winner_term_applies_only_to_pairs() -> None:
    for movement in (
        build_named_movement("howell-teams", teams=5),
        build_named_movement("rainbow", players=20),
    ):
        assert movement.contest is not Contest.PAIRS
        ranked_field_names = [
            movement.get_ranked_field_name(place) for place in movement.occupied_places
        ]
        assert ranked_field_names == [
            movement.get_field_name(place) for place in movement.occupied_places
        ]


@pytest.mark.parametrize("state", ["open", "closed"])
def test_upgrade_ranks_unfinished_one_winner_events_in_one_field(state: str) -> None:
    session, user = evenings.play_session(6, one_winner=True)
    session.sections.update(options={"one_winner": True})
    for place_id, label in Place.objects.values_list("pk", "label"):
        Place.objects.filter(pk=place_id).update(field=label[-2:])
    standings.update_standings(session.event)
    if state == "closed":
        scoring.services.close_session(session=session, by=user)
    results = list(Result.objects.order_by("pk").values_list("pk", "outcome"))
    module = import_module("tournaments.migrations.0002_version_2")
    module.rank_in_one_field(apps, connection.schema_editor())
    assert list(Result.objects.order_by("pk").values_list("pk", "outcome")) == results
    assert set(list_ranks_by_field(session)) == ({""} if state == "open" else {"NS", "EW"})
