"""A start link signs the browser of a laptop in without a password."""

import stat
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

import clubs.services
from server import hall_network
from server.logins import start_link as links
from server.logins.passwords import find_passwordless_owner
from server.logins.start_link import open_browser, start_link
from server.models import LoginNote, User
from tests.doors.visitors import PASSWORD, create_login, is_signed_in

pytestmark = pytest.mark.django_db
LOCAL_REQUEST = {"HTTP_HOST": "127.0.0.1:8000"}
FOREIGN_REQUESTS = {
    "another computer": {"REMOTE_ADDR": "192.168.1.7"},
    "through the hall's address": {"HTTP_HOST": "192.168.1.2:8000"},
    "a name that another site has pointed here": {"HTTP_HOST": "evil.example:8000"},
}


@pytest.fixture
def owner() -> User:
    """Return a login without a password, as the first start creates it."""
    return User.objects.create_user("director")


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Replace the network access of the hall by an object that tests switch."""
    fake_network = SimpleNamespace(is_open=False, is_always_open=False)
    fake_network.open = lambda: setattr(fake_network, "is_open", True) or True
    fake_network.shut = lambda: setattr(fake_network, "is_open", False)
    monkeypatch.setattr(hall_network, "_registered_networks", [fake_network])
    return fake_network


def test_start_link_signs_in_once(owner: User) -> None:
    link = start_link.create_link_path()
    first_client, second_client = Client(**LOCAL_REQUEST), Client(**LOCAL_REQUEST)
    assert first_client.get(link).headers["Location"] == "/director/"
    assert is_signed_in(first_client)
    assert second_client.get(link).status_code == 404
    assert not is_signed_in(second_client)
    assert first_client.get(link).headers["Location"] == "/director/"
    assert LoginNote.objects.filter(user=owner).exists()


@pytest.mark.parametrize("place", FOREIGN_REQUESTS)
def test_start_link_works_only_on_this_computer_and_remains_valid(
    owner: User, settings: Any, place: str
) -> None:
    settings.ALLOWED_HOSTS = ["127.0.0.1", "192.168.1.2"]
    link = start_link.create_link_path()
    other_client = Client(**(LOCAL_REQUEST | FOREIGN_REQUESTS[place]))
    assert other_client.get(link).status_code in (400, 404)
    assert not is_signed_in(Client(**LOCAL_REQUEST))
    assert Client(**LOCAL_REQUEST).get(link).status_code == 302


def test_other_requests_do_not_use_up_the_start_link(owner: User) -> None:
    link = start_link.create_link_path()
    client = Client(**LOCAL_REQUEST)
    assert client.head(link).status_code == 404
    assert client.post(link).status_code == 405
    assert client.get("/start/another/").status_code == 404
    assert not is_signed_in(client)
    assert client.get(link).status_code == 302


def test_new_start_link_replaces_the_previous_one(owner: User) -> None:
    old, new_link = start_link.create_link_path(), start_link.create_link_path()
    client = Client(**LOCAL_REQUEST)
    assert (client.get(old).status_code, client.get(new_link).status_code) == (404, 302)


def test_setting_a_password_disables_start_links(owner: User) -> None:
    link = start_link.create_link_path()
    owner.set_password(PASSWORD)
    owner.save()
    assert Client(**LOCAL_REQUEST).get(link).status_code == 404


def test_server_has_no_start_link(owner: User, settings: Any) -> None:
    link = start_link.create_link_path()
    settings.IS_SERVER_DEPLOYMENT = True
    assert Client(**LOCAL_REQUEST).get(link, secure=True).status_code == 404


def test_only_the_first_login_is_the_passwordless_owner() -> None:
    assert find_passwordless_owner() is None
    first_login = create_login()
    User.objects.create_user("brought-in-with-a-club")
    assert find_passwordless_owner() is None
    first_login.set_unusable_password()
    first_login.save()
    assert find_passwordless_owner() == first_login
    first_login.is_active = False
    first_login.save()
    assert find_passwordless_owner() is None


def test_demo_director_of_a_laptop_has_no_password(
    settings: Any, tmp_path: Path, skip_demo_events: None
) -> None:
    settings.DATA_DIR = tmp_path
    call_command("demo", verbosity=0, without_password=True)
    assert find_passwordless_owner() == User.objects.get()
    assert not (tmp_path / "demo_login.txt").exists()


def test_sensitive_actions_need_no_password_while_none_is_set(owner: User) -> None:
    club = clubs.services.create_club(name="Town Club", owner=owner, by=owner)
    client = Client(**LOCAL_REQUEST)
    client.get(start_link.create_link_path())
    move = {"club": club.slug, "to": "https://whist.example.org"}
    for password, has_moved in ((None, True), (PASSWORD, False)):
        club.moved_to = ""
        club.save()
        if password:
            owner.set_password(password)
            owner.save()
            client.force_login(owner)
        page = client.get("/director/club/archives/").content.decode()
        assert ("Your password" in page) is bool(password)
        client.post("/director/club/archives/moved/", move)
        club.refresh_from_db()
        assert bool(club.moved_to) is has_moved


@pytest.fixture
def skip_demo_events(monkeypatch: pytest.MonkeyPatch) -> None:
    """Create no demo events, which take seconds."""
    from hall.management.commands import demo

    for name in (
        "_create_tonights_event",
        "_create_next_week_event",
        "create_demo_drive",
        "create_demo_rubbers",
    ):
        monkeypatch.setattr(demo, name, lambda *_args: None)


def test_password_must_be_set_before_network_access_is_opened(
    owner: User, network: SimpleNamespace
) -> None:
    clubs.services.create_club(name="Town Club", owner=owner, by=owner)
    client = Client(**LOCAL_REQUEST)
    client.get(start_link.create_link_path())
    response = client.post("/director/hall/switch/", {"act": "open"})
    assert response.headers["Location"] == "/director/password/?next=%2Fdirector%2Fhall%2F"
    assert not network.is_open
    form = {"new_password1": PASSWORD, "new_password2": PASSWORD, "next": "/director/hall/"}
    assert client.post("/director/password/", form).headers["Location"] == "/director/hall/"
    client.post("/director/hall/switch/", {"act": "open"})
    assert network.is_open
    owner.refresh_from_db()
    assert owner.check_password(PASSWORD)


def test_program_started_for_the_network_requires_a_password_first(
    owner: User, network: SimpleNamespace
) -> None:
    client = Client(**LOCAL_REQUEST)
    client.get(start_link.create_link_path())
    network.open()
    assert client.get("/director/account/").headers["Location"] == "/director/password/"
    page = client.get("/director/password/").content.decode()
    assert "Set a password" in page
    assert "old_password" not in page


def test_changing_a_password_still_requires_the_old_one() -> None:
    client = Client()
    client.force_login(create_login())
    form = {"new_password1": "lantern tray odd", "new_password2": "lantern tray odd"}
    assert client.post("/director/password/", form).status_code == 200
    assert User.objects.get().check_password(PASSWORD)


def test_browser_opens_a_page_file_that_only_its_owner_can_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened_urls: list[str] = []
    monkeypatch.setattr(links.webbrowser, "open", opened_urls.append)
    monkeypatch.setenv("DISPLAY", ":0")
    url = "http://127.0.0.1:8000/start/abc/"
    for _again in range(2):
        open_browser(url, tmp_path)
    page = tmp_path / "start.html"
    assert opened_urls == [page.as_uri()] * 2
    assert url in page.read_text("utf-8")
    assert stat.S_IMODE(page.stat().st_mode) == 0o600


def test_no_browser_is_opened_without_a_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(links.sys, "platform", "linux")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setattr(links.webbrowser, "open", lambda _url: pytest.fail("it was opened"))
    open_browser("http://127.0.0.1:8000/", tmp_path)
    assert not list(tmp_path.iterdir())
