"""Logins: guessing is stopped, in words, on the page and in the API."""

from typing import Any

import pytest
from django.test import Client, RequestFactory

from server.logins import client_address
from server.models import User

pytestmark = pytest.mark.django_db


@pytest.fixture
def director(settings: Any) -> User:
    settings.AXES_ENABLED = True
    return User.objects.create_user("director", password="odd tricks win")


def _guess(client: Client, times: int, **extra: Any) -> Any:
    body = {"username": "director", "password": "wrong"}
    for _ in range(times):
        answer = client.post("/api/token/", body, content_type="application/json", **extra)
    return answer


def test_a_token_is_given_for_the_right_password(client: Client, director: User) -> None:
    body = {"username": "director", "password": "odd tricks win"}
    answer = client.post("/api/token/", body, content_type="application/json")
    assert answer.status_code == 200
    headers = {"Authorization": f"Token {answer.json()['token']}"}
    assert client.get("/api/schema/", headers=headers).status_code == 200


def test_a_wrong_password_is_told_in_words(client: Client, director: User) -> None:
    answer = _guess(client, 1)
    assert answer.status_code == 400
    assert answer.json()["code"] == "wrong_login"


def test_guessing_is_stopped_for_that_name_from_that_address(
    client: Client, director: User
) -> None:
    answer = _guess(client, 6)
    assert answer.status_code == 429
    assert answer.json() == {
        "code": "too_many_attempts",
        "detail": "Too many wrong passwords. Wait 15 minutes and try again.",
    }
    body = {"username": "director", "password": "odd tricks win"}
    again = client.post("/api/token/", body, content_type="application/json")
    assert again.status_code == 429


def test_nobody_is_locked_out_by_another_address(client: Client, director: User) -> None:
    _guess(client, 7, REMOTE_ADDR="192.0.2.1")
    body = {"username": "director", "password": "odd tricks win"}
    answer = client.post("/api/token/", body, content_type="application/json")
    assert answer.status_code == 200


def test_the_closed_door_is_a_page_with_words(client: Client, director: User) -> None:
    _guess(client, 6)
    page = client.post("/login/", {"username": "director", "password": "wrong"})
    assert page.status_code == 429
    assert "Wait 15 minutes" in page.content.decode()


def test_behind_a_proxy_only_its_own_word_counts(rf: RequestFactory, settings: Any) -> None:
    claimed = {"HTTP_X_FORWARDED_FOR": "10.9.9.9, 192.0.2.7", "REMOTE_ADDR": "127.0.0.1"}
    settings.ON_A_SERVER = True
    assert client_address(rf.get("/", **claimed)) == "192.0.2.7"
    settings.ON_A_SERVER = False
    assert client_address(rf.get("/", **claimed)) == "127.0.0.1"
