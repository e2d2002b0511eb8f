"""Password guessing is limited for all combinations of login, address and browser."""

from itertools import product
from typing import Any

import pytest
from django.test import Client, RequestFactory

from server.logins import throttle
from server.logins.authentication import authenticate_password
from server.logins.client_info import describe_device, find_client_address, shorten_address
from server.models import LoginNote, User, WrongTry
from tests.doors.visitors import (
    PASSWORD,
    backdate_failed_attempts,
    create_login,
    is_signed_in,
    sign_in,
)

pytestmark = pytest.mark.django_db
HALL_REQUEST_META = {"REMOTE_ADDR": "192.0.2.7"}
OTHER_REQUEST_META = {"REMOTE_ADDR": "198.51.100.9"}


def try_wrong_passwords(
    client: Client, times: int, name: str = "director", **extra: Any
) -> None:
    """Try wrong passwords in one browser, with pauses as between a person's attempts."""
    request = RequestFactory().get("/login/", **extra)
    request.COOKIES = {key: cookie.value for key, cookie in client.cookies.items()}
    for _ in range(times):
        assert authenticate_password(request, name, "wrong") is None
        backdate_failed_attempts(6)


@pytest.fixture(autouse=True)
def existing_login() -> None:
    create_login()


def create_known_browser() -> Client:
    """Return a browser that has signed in before, and out again."""
    client = Client()
    sign_in(client)
    client.post("/logout/")
    assert not is_signed_in(client)
    return client


@pytest.mark.slow
@pytest.mark.parametrize(
    ("guesser_kind", "visitor_kind"),
    list(product(["known", "unknown"], ["known", "other", "unknown"])),
)
def test_unknown_browser_is_blocked_after_ten_wrong_passwords(
    guesser_kind: str, visitor_kind: str
) -> None:
    guessing_client = create_known_browser() if guesser_kind == "known" else Client()
    client = {"known": guessing_client, "other": create_known_browser(), "unknown": Client()}[
        visitor_kind
    ]
    try_wrong_passwords(guessing_client, 10, **OTHER_REQUEST_META)
    response = sign_in(client, **HALL_REQUEST_META)
    # A known browser has its own counter; all unknown ones share one.
    is_blocked = guesser_kind == "known" and visitor_kind == "known"
    is_blocked |= guesser_kind == "unknown" and (
        visitor_kind == "unknown" or client is guessing_client
    )
    assert (response.status_code, is_signed_in(client)) == (
        (429, False) if is_blocked else (302, True)
    )


def test_block_ends_and_is_reported_on_the_page_and_in_the_api() -> None:
    client = Client()
    try_wrong_passwords(client, 10, **OTHER_REQUEST_META)
    page = sign_in(client, **OTHER_REQUEST_META)
    assert page.status_code == 429
    assert int(page.headers["Retry-After"]) > 3000
    assert "Too many wrong passwords. Wait 5" in page.content.decode()
    body = {"username": "director", "password": PASSWORD}
    data = client.post(
        "/api/token/", body, content_type="application/json", **OTHER_REQUEST_META
    )
    assert (data.status_code, data.json()["code"]) == (429, "too_many_attempts")
    assert "Retry-After" in data.headers
    backdate_failed_attempts(3600)
    assert sign_in(client, **OTHER_REQUEST_META).status_code == 302


def test_unknown_browsers_must_pause_between_attempts() -> None:
    client = Client()
    sign_in(client, password="wrong")
    assert sign_in(client).status_code == 429
    backdate_failed_attempts(0.6)
    assert sign_in(client).status_code == 302


def test_thirty_names_from_one_address_block_only_this_address() -> None:
    for number in range(30):
        try_wrong_passwords(Client(), 1, f"name{number}", **OTHER_REQUEST_META)
    assert sign_in(Client(), **OTHER_REQUEST_META).status_code == 429
    assert sign_in(Client(), **HALL_REQUEST_META).status_code == 302
    browser = Client()
    sign_in(browser, **HALL_REQUEST_META)
    browser.post("/logout/")
    assert sign_in(browser, **OTHER_REQUEST_META).status_code == 302


def test_device_cookie_belongs_to_one_name_and_one_browser() -> None:
    create_login("scorer")
    browser = create_known_browser()
    [name] = [cookie for cookie in browser.cookies if cookie.startswith("known-")]
    assert browser.cookies[name]["httponly"]
    assert browser.cookies[name]["max-age"] == 365 * 24 * 3600
    try_wrong_passwords(Client(), 10, "scorer", **OTHER_REQUEST_META)
    assert sign_in(browser, "scorer", **HALL_REQUEST_META).status_code == 429
    forged_client = Client()
    forged_client.cookies[name] = browser.cookies[name].value[:-2] + "xx"
    try_wrong_passwords(Client(), 10, **OTHER_REQUEST_META)
    assert sign_in(forged_client, **HALL_REQUEST_META).status_code == 429


def test_signed_in_user_has_a_separate_attempt_counter() -> None:
    browser = Client()
    browser.force_login(User.objects.get())
    try_wrong_passwords(Client(), 10, **OTHER_REQUEST_META)
    new_password = "lantern tray odd tricks"
    form = {
        "old_password": "wrong",
        "new_password1": new_password,
        "new_password2": new_password,
    }
    assert browser.post("/director/password/", form).status_code == 200
    form["old_password"] = PASSWORD
    assert browser.post("/director/password/", form).status_code == 302


def test_correct_password_removes_only_its_own_attempt() -> None:
    try_wrong_passwords(Client(), 3, **OTHER_REQUEST_META)
    sign_in(Client(), **HALL_REQUEST_META)
    assert WrongTry.objects.count() == 3


def test_failed_attempt_stores_neither_name_nor_password(caplog: Any) -> None:
    sign_in(Client(), "my secret words", "wrong", **OTHER_REQUEST_META)
    row = WrongTry.objects.get()
    assert {len(row.name), len(row.address)} == {64}
    note = LoginNote.objects.get()
    assert (note.what, note.name, note.address) == ("wrong_password", "", "198.51.100.*")
    assert "my secret" not in caplog.text


def test_old_attempt_is_deleted() -> None:
    try_wrong_passwords(Client(), 1)
    from django.utils import timezone

    throttle.delete_expired_attempts(timezone.now())
    assert WrongTry.objects.count() == 1
    backdate_failed_attempts(3700)
    throttle.delete_expired_attempts(timezone.now())
    assert not WrongTry.objects.exists()


def test_wrong_tokens_are_counted_by_address_and_a_valid_one_passes() -> None:
    from server.logins import tokens
    from server.models import User

    token = tokens.create_token(User.objects.get(), name="the website")[1]
    wrong_client = Client(headers={"Authorization": "Token ovp_guessed"})
    status_codes = [wrong_client.get("/api/clubs/").status_code for _ in range(31)]
    assert status_codes == [401] * 30 + [429]
    valid_client = Client(headers={"Authorization": f"Token {token}"})
    assert valid_client.get("/api/clubs/").status_code == 200


def test_only_the_last_forwarded_address_is_trusted_behind_a_proxy(
    rf: RequestFactory, settings: Any
) -> None:
    forwarded_request_meta = {
        "HTTP_X_FORWARDED_FOR": "10.9.9.9, 192.0.2.7",
        "REMOTE_ADDR": "127.0.0.1",
    }
    settings.IS_SERVER_DEPLOYMENT = True
    assert find_client_address(rf.get("/", **forwarded_request_meta)) == "192.0.2.7"
    settings.IS_SERVER_DEPLOYMENT = False
    assert find_client_address(rf.get("/", **forwarded_request_meta)) == "127.0.0.1"


@pytest.mark.parametrize(
    ("address", "shortened_address"),
    [
        ("192.0.2.77", "192.0.2.*"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"),
        ("::ffff:192.0.2.77", "192.0.2.*"),
        ("nonsense", ""),
    ],
)
def test_address_is_shortened_before_it_is_stored(address: str, shortened_address: str) -> None:
    assert shorten_address(address) == shortened_address


@pytest.mark.parametrize(
    ("message", "description"),
    [
        ("Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/128.0", "Firefox on Windows"),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0) Version/18.0 Safari/604.1",
            "Safari on iPhone",
        ),
        ("Mozilla/5.0 (X11; Linux) Chrome/130 Safari/537 Edg/130", "Edge on Linux"),
        ("curl/8.5", "a program"),
    ],
)
def test_device_is_described_in_words(
    rf: RequestFactory, message: str, description: str
) -> None:
    assert describe_device(rf.get("/", headers={"User-Agent": message})) == description


def test_unknown_name_is_hashed_once_like_a_known_one(monkeypatch: Any) -> None:
    """Hashing takes most of the time; it is done once for known and for unknown names."""
    from django.contrib.auth.hashers import MD5PasswordHasher

    passwords: list[str] = []
    original_encode = MD5PasswordHasher.encode
    monkeypatch.setattr(
        MD5PasswordHasher,
        "encode",
        lambda self, password, salt: (
            passwords.append(password),
            original_encode(self, password, salt),
        )[1],
    )
    hash_counts = []
    for name in ("director", "nobody"):
        passwords.clear()
        sign_in(Client(), name, "wrong")
        hash_counts.append(len(passwords))
    assert hash_counts == [1, 1]
