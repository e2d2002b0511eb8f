"""Finals, brackets, strata and prizes in the API, and as tables of a file."""

import pytest
from django.test import Client

import scoring.services
from exchange.results.event_results import load_results
from exchange.results.tables import build_csv_folder
from scoring.tasks import recompute_standings
from tests import evenings
from tests.scoring.stages.championship import qualified
from tournaments.models import Event

pytestmark = pytest.mark.django_db


def put(client: Client, path: str, body: dict, way: str = "put"):
    answer = getattr(client, way)(path, body, content_type="application/json")
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_finals_are_settled_and_drawn_by_a_program(client: Client) -> None:
    event, user = qualified()
    client.force_login(user)
    base = f"/api/events/{event.slug}/stage/"
    rule = {"finals": [{"name": "A", "size": 4}, {"name": "B", "size": None}], "share": "1/3"}
    shown = put(client, base, rule)
    assert [len(each["entries"]) for each in shown["finals"]] == [4, 8]
    assert not shown["drawn"]
    drawn = put(client, f"{base}draw/", {}, "post")
    assert drawn["drawn"]
    assert Event.objects.filter(slug=drawn["finals"][0]["event"]).exists()
    assert client.delete(base).status_code == 400
    assert not put(client, f"{base}undraw/", {}, "post")["drawn"]
    assert client.delete(base).json()["rule"] is None
    wrong = client.put(base, {**rule, "share": "half"}, content_type="application/json")
    assert "share" in wrong.json()["fields"]


def test_a_bracket_is_laid_and_decided_by_a_program(client: Client) -> None:
    event, user = evenings.event(3)
    client.force_login(user)
    base = f"/api/events/{event.slug}/bracket/"
    assert put(client, base, {"seeds": [3, 1, 2]})["champion"] == ""
    put(client, f"{base}1/2/", {"margins": ["2"]})
    shown = put(client, f"{base}2/1/", {"winner": 1})
    assert [match["bye"] for match in shown["matches"]] == [True, False, False]
    assert shown["champion"].endswith("0b")
    rows = build_csv_folder(load_results(event, in_full=False))["bracket.csv"].decode(
        "utf-8-sig"
    )
    assert rows.splitlines()[2].startswith("1,2,2,1,")


def test_a_field_and_its_prizes_are_settled_by_a_program(client: Client) -> None:
    session, user = evenings.played(6)
    event = session.event
    recompute_standings(event.pk)
    client.force_login(user)
    body = {
        "rule": "higher",
        "strata": [{"name": "A", "least": "5"}, {"name": "B"}],
        "entries": [{"entry": 1, "ratings": ["7"], "seed": 1, "tags": ["mixed"]}],
    }
    shown = put(client, f"/api/events/{event.slug}/field/", body, "patch")
    assert shown["placed_in"] == {"1": "A", **{str(n): "B" for n in range(2, 7)}}
    assert [len(each["ranking"]) for each in shown["strata"]] == [6, 5]
    prizes = [{"name": "Cup"}, {"name": "Purse", "listed": "stratum:B", "kind": "money"}]
    page = f"/api/events/{event.slug}/prizes/"
    assert (
        client.put(page, {"prizes": prizes}, content_type="application/json").status_code == 400
    )
    prizes[1]["value"] = 500
    given = put(client, page, {"prizes": prizes})
    assert [each["paid"] for each in given["prizes"]] == ["", "5.00"]
    scoring.services.close_session(session=session, by=user)
    files = build_csv_folder(load_results(event, in_full=False))
    assert {"strata.csv", "prizes.csv"} <= files.keys()
    assert "bracket.csv" not in files
