"""Colour schemes: rendered by the server, remembered without an account."""

from itertools import product
from typing import Any

import pytest

from server.display_settings import SETTING_VALUES

pytestmark = pytest.mark.django_db
ALL = [(name, value) for name, values in SETTING_VALUES.items() for value in values]


def read_html_start(client: Any) -> str:
    page: str = client.get("/").content.decode()
    return page[: page.index("<head")]


@pytest.mark.parametrize(
    "chosen", list(product(*[(*item, "plaid") for item in SETTING_VALUES.values()]))
)
def test_the_server_draws_what_was_chosen(client: Any, chosen: tuple[str, ...]) -> None:
    for name, value in zip(SETTING_VALUES, chosen, strict=True):
        client.cookies[name] = value
    head = read_html_start(client)
    for name, value in zip(SETTING_VALUES, chosen, strict=True):
        assert (f'data-{name}="{value}"' in head) is (value in SETTING_VALUES[name])
        assert (f"data-{name}=" in head) is (value in SETTING_VALUES[name])


@pytest.mark.slow
@pytest.mark.parametrize(("name", "value"), ALL)
def test_a_choice_is_remembered_leads_back_and_is_taken_back(
    client: Any, name: str, value: str
) -> None:
    response = client.post("/scheme/", {name: value, "back": "/laws/?x=1"})
    assert (response.status_code, response.headers["Location"]) == (302, "/laws/?x=1")
    assert list(response.cookies) == [name]
    assert f'data-{name}="{value}"' in read_html_start(client)
    client.post("/scheme/", {name: "", "back": "/"})
    assert f"data-{name}=" not in read_html_start(client)


def test_without_a_script_the_pressed_button_takes_back_what_it_set(client: Any) -> None:
    assert 'name="letters" value="large"' in client.get("/").content.decode()
    client.post("/scheme/", {"letters": "large"})
    assert 'name="letters" value=""' in client.get("/").content.decode()


@pytest.mark.parametrize("value", ["device", "plaid", ""])
def test_anything_else_is_as_the_device_and_leaves_no_cookie(client: Any, value: str) -> None:
    client.cookies["scheme"] = "dark"
    client.post("/scheme/", {"scheme": value, "back": "/"})
    assert not client.cookies["scheme"].value
    assert "data-scheme=" not in read_html_start(client)


@pytest.mark.parametrize(
    "back", ["https://elsewhere.example/", "//elsewhere.example", "", "x:y"]
)
def test_nobody_is_led_to_another_host(client: Any, back: str) -> None:
    response = client.post("/scheme/", {"scheme": "dark", "back": back})
    assert response.headers["Location"] == "/"


def test_a_page_for_everybody_still_sets_no_cookie(client: Any) -> None:
    response = client.get("/")
    assert not response.cookies
    assert "Cookie" not in response.headers.get("Vary", "")
    assert client.get("/scheme/").status_code == 405
