"""The API accepts hands with contracts; drives without a game have none."""

from typing import Any

import pytest
from django.test import Client

from drives.models import Drive, Sheet
from drives.services import set_contract_words
from tests.drives.test_api import DRIVE_URL, extra_fields, send_json, sign_in_director

pytestmark = pytest.mark.django_db
WIEZEN_SCORING = {"kind": "player", "sum": 0, "game": "wiezen"}


def put_hand(client: Client, **body: Any) -> Any:
    return send_json(client, "put", f"{DRIVE_URL}rounds/1/tables/1/", body)


def test_api_hand_is_entered_by_its_contract_and_explained(client: Client) -> None:
    sign_in_director(client)
    extra_fields(client, score=WIEZEN_SCORING, hands=4)
    response = put_hand(
        client, hand=1, contract={"contract": "misere", "by": [1, 2], "tricks": [0, 2]}
    )
    assert response.status_code == 200
    data = response.json()
    assert data["score"] == [28, -28, 0, 0]
    assert (data["changed"], data["made"]) == (True, [True, False])
    assert "miserie made, 7 from each of three, +21." in data["told"][0]
    set_contract_words(club=Drive.objects.get().club, words="title", by=None)
    data = put_hand(client, hand=2, contract={"contract": "misere", "by": [1], "tricks": 0})
    assert "Misère made, 7 from each of three, +21." in data.json()["told"][0]
    assert client.get(f"{DRIVE_URL}game/").json()["words"] == "title"
    tables = client.get(f"{DRIVE_URL}rounds/").json()[0]["tables"]
    assert tables[0]["hands"][0]["contract"]["contract"] == "misere"
    assert "hands" not in Client().get(f"{DRIVE_URL}rounds/").json()[0]["tables"][0]


def test_error_of_an_invalid_hand_has_a_code_a_position_and_a_text(client: Client) -> None:
    sign_in_director(client)
    extra_fields(client, score=WIEZEN_SCORING, hands=4)
    response = put_hand(
        client, hand=2, contract={"contract": "together-8", "by": [1], "tricks": 9}
    )
    assert response.status_code == 400
    assert response.json() == {
        "code": "hand_refused",
        "place": "by",
        "detail": "round 1, table 1, hand 2: by: vragen en meegaan is played by 2, not 1.",
    }
    assert put_hand(client, hand=2).json()["fields"] == {"score": ["This field is required."]}
    assert not Sheet.objects.exists()


def test_points_are_shown_and_changed_with_all_hands(client: Client) -> None:
    sign_in_director(client)
    extra_fields(client, score=WIEZEN_SCORING, hands=4)
    put_hand(client, hand=1, contract={"contract": "misere", "by": [1], "tricks": 0})
    assert Client().get(f"{DRIVE_URL}game/").json()["changed"] == []
    house = {"contracts": {"misere": {"made": [10]}}}
    response = send_json(client, "put", f"{DRIVE_URL}game/", {"house": house})
    assert response.json()["changed"] == ["misere.made"]
    assert Sheet.objects.get().score == [30, -10, -10, -10]
    assert send_json(Client(), "put", f"{DRIVE_URL}game/", {"house": {}}).status_code == 401
    refused_response = send_json(
        client, "put", f"{DRIVE_URL}game/", {"house": {"contracts": {"x": {}}}}
    )
    assert refused_response.status_code == 400
    assert send_json(client, "post", f"{DRIVE_URL}undo/").status_code == 200
    assert Sheet.objects.get().score == [21, -7, -7, -7]
    assert "house" not in Drive.objects.get().score


def test_api_of_a_drive_without_a_game_has_no_contracts(client: Client) -> None:
    sign_in_director(client)
    extra_fields(client, score={"kind": "player", "sum": 0}, hands=4)
    assert put_hand(client, hand=1, score=[3, -1, -1, -1]).json() == {
        "score": [3, -1, -1, -1],
        "changed": True,
    }
    tables = client.get(f"{DRIVE_URL}rounds/").json()[0]["tables"]
    assert set(tables[0]) == {"table", "seats", "score", "extras", "entered"}
    assert client.get(f"{DRIVE_URL}game/").status_code == 404
    file = client.get(f"{DRIVE_URL}file/").json()
    assert file["score"] == {"kind": "player", "sum": 0}
    assert file["played"][0]["tables"][0]["hands"] == [{"hand": 1, "score": [3, -1, -1, -1]}]
