"""Test finals, brackets, strata and prizes in the API and in the event file's tables."""

import pytest
from django.test import Client

import scoring.services
from exchange.results.event_results import load_results
from exchange.results.tables import build_csv_folder
from scoring.tasks import recompute_standings
from tests import evenings
from tests.scoring.stages.championship import play_qualifying
from tournaments.models import Event

pytestmark = pytest.mark.django_db


def send_json(client: Client, path: str, body: dict, method: str = "put"):
    response = getattr(client, method)(path, body, content_type="application/json")
    assert response.status_code == 200, response.content
    return response.json()


def test_finals_are_configured_and_drawn_through_api(client: Client) -> None:
    event, user = play_qualifying()
    client.force_login(user)
    base = f"/api/events/{event.slug}/stage/"
    rule = {"finals": [{"name": "A", "size": 4}, {"name": "B", "size": None}], "share": "1/3"}
    response = send_json(client, base, rule)
    assert [len(final["entries"]) for final in response["finals"]] == [4, 8]
    assert not response["drawn"]
    drawn_response = send_json(client, f"{base}draw/", {}, "post")
    assert drawn_response["drawn"]
    assert Event.objects.filter(slug=drawn_response["finals"][0]["event"]).exists()
    assert client.delete(base).status_code == 400
    assert not send_json(client, f"{base}undraw/", {}, "post")["drawn"]
    assert client.delete(base).json()["rule"] is None
    wrong_response = client.put(
        base, {**rule, "share": "half"}, content_type="application/json"
    )
    assert "share" in wrong_response.json()["fields"]


def test_bracket_is_created_and_decided_through_api(client: Client) -> None:
    event, user = evenings.create_event(3)
    client.force_login(user)
    base = f"/api/events/{event.slug}/bracket/"
    assert send_json(client, base, {"seeds": [3, 1, 2]})["champion"] == ""
    send_json(client, f"{base}1/2/", {"margins": ["2"]})
    response = send_json(client, f"{base}2/1/", {"winner": 1})
    assert [match["bye"] for match in response["matches"]] == [True, False, False]
    assert response["champion"].endswith("0b")
    rows = build_csv_folder(load_results(event, has_full_names=False))["bracket.csv"].decode(
        "utf-8-sig"
    )
    assert rows.splitlines()[2].startswith("1,2,2,1,")


def test_strata_and_prizes_are_configured_through_api(client: Client) -> None:
    session, user = evenings.play_session(6)
    event = session.event
    recompute_standings(event.pk)
    client.force_login(user)
    body = {
        "rule": "higher",
        "strata": [{"name": "A", "least": "5"}, {"name": "B"}],
        "entries": [{"entry": 1, "ratings": ["7"], "seed": 1, "tags": ["mixed"]}],
    }
    response = send_json(client, f"/api/events/{event.slug}/field/", body, "patch")
    assert response["placed_in"] == {"1": "A", **{str(n): "B" for n in range(2, 7)}}
    assert [len(stratum["ranking"]) for stratum in response["strata"]] == [6, 5]
    prizes = [{"name": "Cup"}, {"name": "Purse", "listed": "stratum:B", "kind": "money"}]
    page = f"/api/events/{event.slug}/prizes/"
    assert (
        client.put(page, {"prizes": prizes}, content_type="application/json").status_code == 400
    )
    prizes[1]["value"] = 500
    prizes_response = send_json(client, page, {"prizes": prizes})
    assert [prize["paid"] for prize in prizes_response["prizes"]] == ["", "5.00"]
    scoring.services.close_session(session=session, by=user)
    files = build_csv_folder(load_results(event, has_full_names=False))
    assert {"strata.csv", "prizes.csv"} <= files.keys()
    assert "bracket.csv" not in files
