"""Colour schemes: rendered by the server, remembered without an account."""

from itertools import product
from typing import Any

import pytest

from server.display_settings import ALLOWED_SETTING_VALUES

pytestmark = pytest.mark.django_db
ALL_SETTINGS = [
    (name, value) for name, values in ALLOWED_SETTING_VALUES.items() for value in values
]


def read_html_start(client: Any) -> str:
    page: str = client.get("/").content.decode()
    return page[: page.index("<head")]


@pytest.mark.parametrize(
    "chosen_values",
    list(product(*[(*item, "plaid") for item in ALLOWED_SETTING_VALUES.values()])),
)
def test_server_renders_chosen_colour_scheme(
    client: Any, chosen_values: tuple[str, ...]
) -> None:
    for name, value in zip(ALLOWED_SETTING_VALUES, chosen_values, strict=True):
        client.cookies[name] = value
    html_start = read_html_start(client)
    for name, value in zip(ALLOWED_SETTING_VALUES, chosen_values, strict=True):
        assert (f'data-{name}="{value}"' in html_start) is (
            value in ALLOWED_SETTING_VALUES[name]
        )
        assert (f"data-{name}=" in html_start) is (value in ALLOWED_SETTING_VALUES[name])


@pytest.mark.slow
@pytest.mark.parametrize(("name", "value"), ALL_SETTINGS)
def test_chosen_scheme_is_stored_and_can_be_reset(client: Any, name: str, value: str) -> None:
    response = client.post("/scheme/", {name: value, "back": "/laws/?x=1"})
    assert (response.status_code, response.headers["Location"]) == (302, "/laws/?x=1")
    assert list(response.cookies) == [name]
    assert f'data-{name}="{value}"' in read_html_start(client)
    client.post("/scheme/", {name: "", "back": "/"})
    assert f"data-{name}=" not in read_html_start(client)


def test_second_click_resets_letter_size_without_javascript(client: Any) -> None:
    assert 'name="letters" value="large"' in client.get("/").content.decode()
    client.post("/scheme/", {"letters": "large"})
    assert 'name="letters" value=""' in client.get("/").content.decode()


@pytest.mark.parametrize("value", ["device", "plaid", ""])
def test_unknown_scheme_value_clears_scheme_cookie(client: Any, value: str) -> None:
    client.cookies["scheme"] = "dark"
    client.post("/scheme/", {"scheme": value, "back": "/"})
    assert not client.cookies["scheme"].value
    assert "data-scheme=" not in read_html_start(client)


@pytest.mark.parametrize(
    "return_url", ["https://elsewhere.example/", "//elsewhere.example", "", "x:y"]
)
def test_scheme_redirect_to_another_host_is_refused(client: Any, return_url: str) -> None:
    response = client.post("/scheme/", {"scheme": "dark", "back": return_url})
    assert response.headers["Location"] == "/"


def test_public_page_sets_no_scheme_cookie(client: Any) -> None:
    response = client.get("/")
    assert not response.cookies
    assert "Cookie" not in response.headers.get("Vary", "")
    assert client.get("/scheme/").status_code == 405
