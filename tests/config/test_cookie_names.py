"""On a server, every cookie has a prefix, so that no other site can set it."""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib import messages
from django.contrib.messages.storage import default_storage
from django.http import HttpResponse
from django.test import Client, RequestFactory

from clubs import person_cookie
from clubs.models import PersonLink
from server.display_settings import ALLOWED_SETTING_VALUES
from server.logins import throttle
from tests import factories

ManageRunner = Callable[..., subprocess.CompletedProcess[str]]
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def server(settings: Any) -> None:
    settings.IS_SERVER_DEPLOYMENT = settings.SESSION_COOKIE_SECURE = True


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize("name", [*ALLOWED_SETTING_VALUES, "language"])
def test_display_setting_has_a_prefixed_cookie_and_can_be_reset(
    name: str, client: Client
) -> None:
    value = ALLOWED_SETTING_VALUES.get(name, ("nl",))[0]
    cookies = client.post("/scheme/", {name: value}, secure=True).cookies
    assert list(cookies) == [f"__Host-{name}"]
    cookie = cookies[f"__Host-{name}"]
    assert (cookie.value, cookie["path"], cookie["secure"]) == (value, "/", True)
    assert not cookie["domain"]
    cookie = client.post("/scheme/", {name: ""}, secure=True).cookies[f"__Host-{name}"]
    assert (cookie["max-age"], cookie["secure"]) == (0, True)


@pytest.mark.django_db
@pytest.mark.usefixtures("server")
def test_prefixed_display_setting_is_used(client: Client) -> None:
    client.cookies["__Host-letters"] = "large"
    assert 'data-letters="large"' in client.get("/", secure=True).content.decode()


@pytest.mark.django_db
@pytest.mark.usefixtures("server")
def test_personal_link_has_a_prefixed_cookie_for_its_path(client: Client) -> None:
    link = PersonLink.create_link(player=factories.PlayerFactory())
    cookies = client.get(link.path, secure=True).cookies
    assert list(cookies) == ["__Secure-me"]
    cookie = cookies["__Secure-me"]
    assert (cookie["path"], cookie["secure"], cookie["httponly"]) == ("/me/", True, True)
    assert client.get("/me/", secure=True).status_code == 200
    response = HttpResponse()
    person_cookie.delete_link_cookie(response)
    assert response.cookies["__Secure-me"]["secure"]


@pytest.mark.usefixtures("server")
def test_message_and_known_browser_have_prefixed_cookies() -> None:
    request, response = RequestFactory().get("/"), HttpResponse()
    request.session = {}  # type: ignore[assignment]  # a dict serves as a session
    storage = default_storage(request)
    storage.add(messages.INFO, "Saved.")
    storage.update(response)
    throttle.remember_device(response, "anna")
    for name, cookie in response.cookies.items():
        assert name.startswith("__Host-")
        assert (cookie["path"], cookie["secure"], cookie["httponly"]) == ("/", True, True)
    assert len(response.cookies) == 2
    request.COOKIES = {name: cookie.value for name, cookie in response.cookies.items()}
    assert [str(message) for message in default_storage(request)] == ["Saved."]


def test_cookies_named_in_the_settings_have_the_prefix(
    manage_runner: ManageRunner, tmp_path: Path
) -> None:
    names = "s.SESSION_COOKIE_NAME, s.CSRF_COOKIE_NAME, s.LANGUAGE_COOKIE_NAME"
    code = f"from django.conf import settings as s; print({names})"
    arguments = ("shell", "--no-imports", "-c", code)
    process = manage_runner(*arguments, data=tmp_path, SITE_URL="https://example.org")
    assert process.stdout.split() == [
        "__Host-sessionid",
        "__Host-csrftoken",
        "__Host-language",
    ]


def test_only_these_modules_set_cookies() -> None:
    """For a cookie in another module, add a test of its name above."""
    apps = ("server", "clubs", "tournaments", "drives", "scoring", "hall", "seasons", "config")
    apps += ("boards", "printing", "laws", "rubbers", "exchange")
    modules = {
        path.relative_to(ROOT).as_posix()
        for app in apps
        for path in (ROOT / app).rglob("*.py")
        if re.search(r"\.set_(signed_)?cookie\(", path.read_text("utf-8"))
    }
    assert modules == {
        "clubs/person_cookie.py",
        "server/display_settings.py",
        "server/logins/throttle.py",
    }
