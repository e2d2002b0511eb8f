"""A login's programs are known by its key, until it takes the key away."""

import pytest
from django.test import Client

from tests import evenings

pytestmark = pytest.mark.django_db


def test_a_key_is_made_kept_shown_and_revoked(client: Client) -> None:
    _, user = evenings.club()
    user.set_password("lantern-and-tray")
    user.save()
    client.force_login(user)
    client.post("/director/account/token/", {"action": "make"})
    key = client.get("/director/account/").context["token"]
    body = {"username": "director", "password": "lantern-and-tray"}
    answer = Client().post("/api/token/", body, content_type="application/json")
    assert answer.json() == {"token": key}
    program = Client(headers={"Authorization": f"Token {key}"})
    assert program.get("/api/clubs/").status_code == 200
    client.post("/director/account/token/", {"action": "revoke"})
    assert program.get("/api/clubs/").status_code == 401
    assert client.get("/director/account/").context["token"] is None


def test_a_new_token_takes_the_place_of_the_old(client: Client) -> None:
    _, user = evenings.club()
    client.force_login(user)
    client.post("/director/account/token/", {"action": "make"})
    was = client.get("/director/account/").context["token"]
    client.post("/director/account/token/", {"action": "make"})  # pressed twice
    assert client.get("/director/account/").context["token"] == was
    client.post("/director/account/token/", {"action": "anew"})
    now = client.get("/director/account/").context["token"]
    statuses = [
        Client(headers={"Authorization": f"Token {key}"}).get("/api/clubs/").status_code
        for key in (was, now)
    ]
    assert statuses == [401, 200]


def test_a_wrong_password_gets_no_key(client: Client) -> None:
    evenings.club()
    body = {"username": "director", "password": "wrong"}
    answer = client.post("/api/token/", body, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (400, "wrong_login")
