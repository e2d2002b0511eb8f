"""Light, dark or as the device: drawn by the server, remembered without an account."""

from typing import Any

import pytest

from server.schemes import COOKIE

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("kept", "drawn"),
    [("light", 'data-scheme="light"'), ("dark", 'data-scheme="dark"'), ("plaid", ""), ("", "")],
)
def test_the_server_draws_what_was_chosen(client: Any, kept: str, drawn: str) -> None:
    if kept:
        client.cookies[COOKIE] = kept
    page = client.get("/").content.decode()
    head = page[: page.index("<head")]
    assert drawn in head
    assert ("data-scheme" in head) is bool(drawn)


@pytest.mark.parametrize("value", ["light", "dark"])
def test_a_choice_is_remembered_and_leads_back(client: Any, value: str) -> None:
    answer = client.post("/scheme/", {"scheme": value, "back": "/laws/?x=1"})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/laws/?x=1")
    assert answer.cookies[COOKIE].value == value
    assert f'value="{value}" aria-pressed="true"' in client.get("/").content.decode()


@pytest.mark.parametrize("value", ["device", "plaid", ""])
def test_anything_else_is_as_the_device_and_leaves_no_cookie(client: Any, value: str) -> None:
    client.cookies[COOKIE] = "dark"
    client.post("/scheme/", {"scheme": value, "back": "/"})
    assert not client.cookies[COOKIE].value
    assert "data-scheme=" not in client.get("/").content.decode().split("<head")[0]


@pytest.mark.parametrize(
    "back", ["https://elsewhere.example/", "//elsewhere.example", "", "x:y"]
)
def test_nobody_is_led_to_another_host(client: Any, back: str) -> None:
    answer = client.post("/scheme/", {"scheme": "dark", "back": back})
    assert answer.headers["Location"] == "/"


def test_a_page_for_everybody_still_sets_no_cookie(client: Any) -> None:
    answer = client.get("/")
    assert not answer.cookies
    assert "Cookie" not in answer.headers.get("Vary", "")
    assert client.get("/scheme/").status_code == 405
