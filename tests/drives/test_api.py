"""The API starts drives, enters scores and reads standings by the same rules as the pages."""

import json
from random import Random
from typing import Any

import pytest
from django.test import Client

from clubs.models import Act, Player
from drives.models import Drive
from tests import evenings
from tests.drives.test_drive_command import DRIVE_FILE
from tests.factories import ClubFactory

pytestmark = pytest.mark.django_db
DRIVE_URL = "/api/drives/friday-2026-11-20/"


def send_json(client: Client, method: str, address: str, body: object = None) -> Any:
    given_body = {} if body is None else body
    return getattr(client, method)(address, given_body, content_type="application/json")


def sign_in_director(client: Client) -> None:
    _club, user = evenings.create_club_with_director()
    client.force_login(user)


def extra_fields(client: Client, **more: object) -> Any:
    body = {"name": "Friday", "date": "2026-11-20", "form": "social", "count": 8, "rounds": 2}
    return send_json(client, "post", "/api/drives/", body | more)


def test_api_runs_a_drive_and_shows_strangers_only_public_data(client: Client) -> None:
    sign_in_director(client)
    stranger = Client()
    response = extra_fields(client, key="k", house=["Host"])
    assert response.status_code == 201
    assert extra_fields(client, key="k", house=["Host"]).status_code == 200
    assert (response.json()["at_round"], response.json()["state"]) == (1, "open")
    assert len(response.json()["commitment"]) == 64
    for number in (1, 2):
        for table in (1, 2):
            next_response = send_json(
                client, "put", f"{DRIVE_URL}rounds/{number}/tables/{table}/", {"score": [9]}
            )
            assert next_response.json() == {"score": [9, 4], "changed": True}
        assert stranger.get(f"{DRIVE_URL}now/").json()["missing"] == []
        if number == 1:
            moved_response = send_json(client, "post", f"{DRIVE_URL}rounds/", {"at": 1})
            assert moved_response.json()["round"] == 2
            assert (
                send_json(client, "post", f"{DRIVE_URL}rounds/", {"at": 1}).json()["round"] == 2
            )
    tables = stranger.get(f"{DRIVE_URL}rounds/").json()[0]["tables"]
    assert (tables[0]["score"], tables[0]["entered"]) == (None, 1)
    assert client.get(f"{DRIVE_URL}rounds/").json()[0]["tables"][0]["score"] == [9, 4]
    assert stranger.get(f"{DRIVE_URL}standing/").json() == {
        "is_open": False, "is_over": False, "lines": [],
    }  # fmt: skip
    assert client.get(f"{DRIVE_URL}check/").json()["off"] == "0"
    assert stranger.get(f"{DRIVE_URL}check/").status_code == 401
    assert stranger.get(f"{DRIVE_URL}secret/").json()["code"] == "not_now"
    prizes = {"prizes": [{"words": "Best", "measure": "total-high"}]}
    assert send_json(client, "put", f"{DRIVE_URL}prizes/", prizes).status_code == 200
    assert stranger.get(f"{DRIVE_URL}prizes/").json()[0]["number"] is None
    assert client.get(f"{DRIVE_URL}file/").json()["secret"] is None
    assert send_json(client, "post", f"{DRIVE_URL}close/").json()["state"] == "closed"
    lines = stranger.get(f"{DRIVE_URL}standing/").json()["lines"]
    assert sum(int(line["points"]) for line in lines) == 26 * 2 * 2
    assert stranger.get(f"{DRIVE_URL}prizes/").json()[0]["number"] == lines[0]["number"]
    assert len(stranger.get(f"{DRIVE_URL}secret/").json()["secret"]) == 64
    assert send_json(client, "post", f"{DRIVE_URL}undo/").json()["state"] == "open"
    assert set(Act.objects.values_list("way", flat=True)) >= {"api"}


def test_api_adds_removes_and_hides_players(client: Client) -> None:
    club, user = evenings.create_club_with_director()
    client.force_login(user)
    Player.objects.create(club=club, name="Ada Secret", shown="nobody")
    names = [{"name": name} for name in ("Ada Secret", *"BCDEFGH")]
    extra_fields(client, form="lot", players=names)
    players_json = json.dumps(client.get(f"{DRIVE_URL}players/").json())
    assert "Secret" not in players_json
    assert (
        send_json(
            client, "post", f"{DRIVE_URL}players/", {"name": "Late", "now": True}
        ).status_code
        == 200
    )
    round_data = client.get(f"{DRIVE_URL}rounds/").json()[0]
    assert len(round_data["rest"]) == 1
    substitute_response = send_json(
        client, "post", f"{DRIVE_URL}players/3/substitute/", {"name": "Sub"}
    )
    assert "Sub" in [item["name"] for item in substitute_response.json()]
    assert (
        send_json(client, "post", f"{DRIVE_URL}players/9/leave/", {"now": True}).status_code
        == 200
    )
    assert client.get(f"{DRIVE_URL}rounds/").json()[0]["rest"] == []
    assert (
        send_json(client, "put", f"{DRIVE_URL}apart/", {"one": 1, "other": 2}).status_code
        == 200
    )
    assert (
        send_json(client, "patch", f"{DRIVE_URL}players/2/", {"stays_seated": True}).status_code
        == 200
    )
    assert Drive.objects.get().apart == [[1, 2]]


@pytest.mark.parametrize(
    ("method", "address", "body", "fault"),
    [
        ("put", "rounds/1/tables/1/", {"score": [14]}, "14 is not between 0 and 13"),
        ("put", "rounds/1/tables/1/", {"score": ["½"]}, "integer"),
        ("put", "rounds/1/tables/1/", {"score": [10**9]}, "less than or equal"),
        ("put", "rounds/1/tables/1/", {"scores": [7]}, "Unknown field"),
        ("put", "rounds/1/tables/77/", {"score": [7]}, "table not found"),
        ("put", "totals/77/", {"total": 30}, "Player 77 not found"),
        (
            "put",
            "prizes/",
            {"prizes": [{"words": "x", "measure": "y"}]},
            "Measure “y” not found",
        ),
        (
            "put",
            "prizes/",
            {"prizes": [{"words": 3, "measure": "raffle"}]},
            "prize 1, words: 3 is a number",
        ),
        ("patch", "", {"rounds": 0}, "greater than or equal"),
        ("patch", "", {"trumps": "XX"}, "turned, declared, or a cycle of H"),
        ("patch", "", {"score": {"kind": "magic"}}, "score.kind"),
        ("patch", "", {"terms": {"first": 2}}, "has no setting"),
        ("put", "apart/", {"one": 1, "other": 1}, "two different players"),
        ("put", "prizes/9/cut/", {"numbers": [1]}, "Prize 9 not found"),
    ],
)
def test_bad_input_is_refused_with_a_reason(
    client: Client, method: str, address: str, body: object, fault: str
) -> None:
    sign_in_director(client)
    extra_fields(client, form="lot")
    revision = Drive.objects.get().revision
    response = send_json(client, method, f"{DRIVE_URL}{address}", body)
    assert response.status_code == 400, response.content
    assert fault in response.json()["detail"]
    assert Drive.objects.get().revision == revision


def test_drive_of_another_club_cannot_be_changed(client: Client) -> None:
    sign_in_director(client)
    extra_fields(client)
    Drive.objects.update(club=ClubFactory(name="Another", slug="another"))
    for method, address in (
        ("patch", ""), ("post", "rounds/"), ("put", "rounds/1/tables/1/"), ("put", "totals/1/"),
        ("post", "players/"), ("post", "close/"), ("post", "undo/"), ("put", "prizes/"),
    ):  # fmt: skip
        assert send_json(client, method, f"{DRIVE_URL}{address}").status_code == 403, address
        assert send_json(Client(), method, f"{DRIVE_URL}{address}").status_code == 401, address
    assert client.get(f"{DRIVE_URL}file/").status_code == 403


def test_api_stores_a_drive_file_and_counts_its_sit_outs(client: Client) -> None:
    club, user = evenings.create_club_with_director()
    client.force_login(user)
    Player.objects.create(club=club, name="P9")
    address = f"/api/clubs/{club.slug}/drives/"
    first_response = send_json(
        client, "post", address, DRIVE_FILE | {"date": "2026-03-05", "state": "closed"}
    )
    assert first_response.status_code == 201
    slug = first_response.json()["slug"]
    repeated_response = send_json(
        client, "post", address, DRIVE_FILE | {"date": "2026-03-05", "state": "closed"}
    )
    assert repeated_response.json()["slug"] == slug
    assert Drive.objects.count() == 1
    response = send_json(client, "post", address, DRIVE_FILE | {"hands": 0})
    assert "hands: 0 is out of range" in response.json()["detail"]
    rests = client.get(f"/api/clubs/{club.slug}/rests/2026/").json()
    assert [(item["name"], item["rests"]) for item in rests] == [("P9", 1)]
    assert client.get(f"/api/clubs/{club.slug}/rests/2025/").json() == []


MALFORMED_VALUES = (
    None, True, -1, 0, 3, 14, 1.5, 10**40, "", "½", "\u0000", "A" * 300, [], [[1, 2]], {},
    {"kind": "tricks"}, [{"words": "a", "measure": "raffle"}], "lot", {"1": "A"},
)  # fmt: skip
REQUESTS_BY_PATH = {
    "": ("patch", ("rounds", "trumps", "terms", "hands", "score", "name", "paper_size")),
    "rounds/": ("post", ("at", "winners", "standing")),
    "rounds/1/tables/1/": ("put", ("score", "hand", "extras", "seen", "key")),
    "totals/1/": ("put", ("total", "part", "rests", "rows", "corrects")),
    "players/": ("post", ("name", "number", "role", "now", "fort")),
    "players/4/substitute/": ("post", ("name", "number", "takes_score")),
    "prizes/": ("put", ("prizes",)),
    "apart/": ("put", ("one", "other", "apart")),
}


def test_malformed_requests_never_cause_a_server_error(client: Client) -> None:
    sign_in_director(client)
    extra_fields(client, form="lot")
    rng = Random(7)
    for address, (method, fields) in REQUESTS_BY_PATH.items():
        for _try in range(5):
            sent_fields = rng.sample(fields, rng.randint(1, min(3, len(fields))))
            body = {field: rng.choice(MALFORMED_VALUES) for field in sent_fields}
            response = send_json(client, method, f"{DRIVE_URL}{address}", body)
            assert response.status_code < 500, (address, body)
    for key in (
        "date",
        "uid",
        "draws",
        "to_play",
        "awards",
        "terms",
        "words",
        "apart",
        "score",
    ):
        response = send_json(
            client, "post", "/api/clubs/riverside-whist-club/drives/",
            DRIVE_FILE | {key: rng.choice(MALFORMED_VALUES)},
        )  # fmt: skip
        assert response.status_code < 500, key


def test_api_controls_the_clock_and_the_table_links_of_a_drive(client: Client) -> None:
    sign_in_director(client)
    extra_fields(client)
    clock_url = f"{DRIVE_URL}clock/"
    assert send_json(client, "put", clock_url, {"minutes": 20}).json()["state"] == "off"
    data = send_json(client, "post", f"{clock_url}start/").json()
    assert (data["state"], data["round"], 1195 < data["left"] <= 1200) == (
        "running", 1, True,
    )  # fmt: skip
    assert (
        1255
        < send_json(client, "post", f"{clock_url}add/", {"minutes": 1}).json()["left"]
        <= 1260
    )
    assert send_json(client, "post", f"{clock_url}pause/").json()["state"] == "paused"
    assert Client().get(clock_url).json()["state"] == "paused"
    assert send_json(client, "post", f"{clock_url}stop/").json()["state"] == "off"
    assert send_json(client, "put", clock_url, {"minutes": 0}).status_code == 400
    assert client.get(f"{DRIVE_URL}links/").json() == []
    new_data = send_json(client, "post", f"{DRIVE_URL}links/").json()
    assert [item["table"] for item in new_data] == [1, 2]
    assert send_json(client, "post", f"{DRIVE_URL}links/").json() == new_data
    assert Client().get(new_data[0]["path"]).status_code == 200
    assert client.delete(f"{DRIVE_URL}links/{new_data[0]['id']}/").status_code == 204
    assert Client().get(new_data[0]["path"]).status_code == 410
    assert [item["table"] for item in client.get(f"{DRIVE_URL}links/").json()] == [2]


def test_api_creates_plays_and_discards_a_rehearsal(client: Client) -> None:
    sign_in_director(client)
    extra_fields(client)
    response = send_json(client, "post", f"{DRIVE_URL}rehearse/")
    repeated_response = send_json(client, "post", f"{DRIVE_URL}rehearse/")
    assert (response.status_code, repeated_response.status_code) == (201, 200)
    assert response.json()["slug"] == repeated_response.json()["slug"]
    path = f"/api/drives/{response.json()['slug']}/"
    revision_before = response.json()["revision"]
    assert (
        send_json(client, "post", f"{path}rehearsal/tick/").json()["revision"] > revision_before
    )
    assert send_json(client, "post", f"{path}rehearsal/round/").json()["at_round"] == 1
    assert client.get(f"{path}now/").json()["missing"] == []
    assert send_json(client, "post", f"{path}rehearsal/evening/").json()["at_round"] == 2
    data = send_json(client, "post", f"{DRIVE_URL}rehearsal/evening/").json()
    assert (data["code"], client.delete(f"{DRIVE_URL}rehearsal/").status_code) == (
        "not_now",
        400,
    )
    assert client.delete(f"{path}rehearsal/").status_code == 204
    assert client.get(f"{path}now/").status_code == 404
    assert Drive.objects.get().slug in DRIVE_URL


def test_only_directors_control_the_clock_and_get_table_links(client: Client) -> None:
    sign_in_director(client)
    extra_fields(client)
    Drive.objects.update(club=ClubFactory(name="Another", slug="another"))
    for method, address in (
        ("put", "clock/"), ("post", "clock/start/"), ("post", "clock/pause/"),
        ("post", "clock/add/"), ("post", "clock/stop/"), ("get", "links/"),
        ("post", "links/"), ("delete", "links/1/"), ("post", "rehearse/"),
        ("post", "rehearsal/tick/"), ("post", "rehearsal/round/"),
        ("post", "rehearsal/evening/"), ("delete", "rehearsal/"),
    ):  # fmt: skip
        assert send_json(client, method, f"{DRIVE_URL}{address}").status_code == 403, address
        assert send_json(Client(), method, f"{DRIVE_URL}{address}").status_code == 401, address
    assert client.get(f"{DRIVE_URL}clock/").status_code == 200
