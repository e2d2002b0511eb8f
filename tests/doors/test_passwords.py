"""Passwords have rules, are stored as hashes, and can be reset."""

import re
from typing import Any

import pytest
from django.contrib.auth.hashers import check_password, make_password
from django.contrib.auth.password_validation import validate_password
from django.core import mail
from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from django.urls import reverse

import clubs.services
from config import environment
from server.logins import tokens
from server.logins.hashers import HASH_SEMAPHORE, LimitedArgon2Hasher
from server.logins.passwords import load_common_passwords
from server.models import ApiToken, LoginNote, User
from tests import evenings
from tests.doors.visitors import (
    PASSWORD,
    add_authenticator,
    backdate_failed_attempts,
    create_login,
    is_signed_in,
    list_factor_kinds,
    sign_in,
)

NEW_PASSWORD = "lantern tray odd tricks"


@pytest.mark.parametrize(
    ("password", "is_accepted"),
    [
        ("short", False),
        ("elevenlett1", False),
        ("lantern tray", True),
        ("123456789012", False),
        ("qwertyuiopqwerty", False),
        ("passwordpassword", False),
        ("Password12345!", False),
        ("P@55w0rd!!!!!!", False),
        ("!!!!!!!!!!!!!!", False),
        ("abcdefghijklmn", False),
        ("nmlkjihgfedcba", False),
        ("whistwhist2027", False),
        ("overplay overplay", False),
        ("anna.pole1234", False),
        ("ANNA.POLE-2027!", False),
        ("seventeen hearts led", True),
        ("łąka pełna kwiatów", True),
        ("lantern tray " * 9 + "lantern tray", False),
        ("lantern tray odd tricks games won " * 4, False),
        ("a" * 5 + " lantern tray " + "b" * 60, True),
    ],
)
def test_password_rules_accept_or_refuse_a_password(password: str, is_accepted: bool) -> None:
    user = User(username="anna.pole")
    try:
        validate_password(password, user)
    except ValidationError:
        assert not is_accepted
    else:
        assert is_accepted


def test_server_refuses_long_leaked_passwords(monkeypatch: Any) -> None:
    leaked_password = "iloveyouforever"
    assert leaked_password not in load_common_passwords()
    with pytest.raises(ValidationError, match="too common"):
        validate_password(leaked_password)
    with pytest.raises(ValidationError, match="too common"):
        validate_password(leaked_password.upper())
    monkeypatch.setattr("server.logins.passwords.find_spec", lambda _name: None)  # a laptop
    validate_password(leaked_password)


def test_password_is_stored_as_argon2id_within_its_memory_limit(settings: Any) -> None:
    settings.PASSWORD_HASHERS = [
        "server.logins.hashers.LimitedArgon2Hasher",
        "django.contrib.auth.hashers.PBKDF2PasswordHasher",
    ]
    password = make_password(PASSWORD)
    assert password.startswith("argon2$argon2id$v=19$m=47104,t=1,p=1$")
    assert check_password(PASSWORD, password)
    assert not check_password("wrong", password)
    acquire_results = [HASH_SEMAPHORE.acquire(blocking=False) for _turn in range(3)]
    assert acquire_results == [True, True, False]
    HASH_SEMAPHORE.release(2)
    needs_update = LimitedArgon2Hasher().must_update(password)
    assert needs_update is False


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("page", "autocomplete_values"),
    [
        ("login", ["current-password"]),
        ("password_change", ["current-password", "new-password", "new-password"]),
    ],
)
def test_password_fields_are_masked_and_known_to_password_managers(
    page: str, autocomplete_values: list[str], client: Client
) -> None:
    create_login()
    if page != "login":
        sign_in(client)
    html = client.get(reverse(page)).content.decode()
    fields = re.findall(r"<input[^>]*name=\"[^\"]*password[^>]*>", html)
    assert [
        re.search('autocomplete="(.*?)"', field)[1] for field in fields
    ] == autocomplete_values
    for field in fields:
        assert 'type="password"' in field
        assert "maxlength" not in field or 'maxlength="128"' in field
    assert "onpaste" not in html


@pytest.mark.django_db
def test_old_hash_is_upgraded_at_sign_in(settings: Any) -> None:
    settings.PASSWORD_HASHERS = [
        "server.logins.hashers.LimitedArgon2Hasher",
        "django.contrib.auth.hashers.MD5PasswordHasher",
    ]
    user = User.objects.create(
        username="director", password=make_password(PASSWORD, hasher="md5")
    )
    sign_in(Client())
    user.refresh_from_db()
    assert user.password.startswith("argon2$argon2id$")


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("smtp://u:p%40@mail.example.org?from=c@example.org", ("mail.example.org", 587, "p@")),
        ("smtps://mail.example.org/?from=c@example.org", ("mail.example.org", 465, "")),
    ],
)
def test_mail_server_url_is_parsed(url: str, expected: tuple[str, int, str]) -> None:
    mail_settings = environment.read_mail_settings({"EMAIL_URL": url})
    assert (
        mail_settings["EMAIL_HOST"],
        mail_settings["EMAIL_PORT"],
        mail_settings["EMAIL_HOST_PASSWORD"],
    ) == expected
    assert mail_settings["EMAIL_USE_SSL"] is not mail_settings["EMAIL_USE_TLS"]
    assert environment.read_mail_settings({}) == {}


@pytest.mark.parametrize(
    "url", ["mail.example.org", "http://a/?from=a@b", "smtp://a:x/", "smtp://a/"]
)
def test_invalid_mail_server_url_is_refused(url: str) -> None:
    with pytest.raises(ImproperlyConfigured):
        environment.read_mail_settings({"EMAIL_URL": url})


@pytest.fixture
def capture_mail(settings: Any, db: None, django_capture_on_commit_callbacks: Any) -> Any:
    settings.HAS_MAIL, settings.SITE_URL = True, "https://whist.example.org"
    return django_capture_on_commit_callbacks


def test_lost_password_is_reset_by_mail_once(capture_mail: Any) -> None:
    user = create_login()
    User.objects.update(email="anna@example.org")
    add_authenticator(user)
    tokens.create_token(user, name="the website")
    other_client, client = Client(), Client()
    other_client.force_login(User.objects.get())
    page = client.get("/login/forgotten/")
    assert page.status_code == 200
    with capture_mail(execute=True):
        response = client.post("/login/forgotten/", {"address": "Anna@example.org"})
    with capture_mail(execute=True):
        unknown_address_response = client.post(
            "/login/forgotten/", {"address": "nobody@example.org"}
        )

    def read_text(response: Any) -> str:
        return response.content.decode().partition("csrfmiddlewaretoken")[0]

    assert read_text(response) == read_text(unknown_address_response)
    [letter] = mail.outbox
    assert letter.to == ["anna@example.org"]
    reset_url = next(line for line in letter.body.splitlines() if line.startswith("https://"))
    path = reset_url.removeprefix("https://whist.example.org")
    form = client.get(path, follow=True)
    form_path = form.redirect_chain[-1][0]
    rejected_response = client.post(
        form_path, {"new_password1": "short", "new_password2": "short"}
    )
    assert "12" in rejected_response.content.decode()
    client.post(form_path, {"new_password1": NEW_PASSWORD, "new_password2": NEW_PASSWORD})
    assert User.objects.get().check_password(NEW_PASSWORD)
    assert not is_signed_in(other_client)
    assert not ApiToken.objects.exists()
    assert list_factor_kinds(user) == ["totp"]  # a mail link is not a second factor
    repeated_response = Client().get(path, follow=True)
    assert "was already used" in repeated_response.content.decode()
    note_kinds = set(LoginNote.objects.values_list("what", flat=True))
    assert {"reset_asked", "reset"} <= note_kinds


@pytest.mark.django_db
def test_owner_creates_a_one_time_reset_link(settings: Any) -> None:
    """Without e-mail an owner resets a lost password manually."""
    settings.IS_SERVER_DEPLOYMENT = True
    club, owner = evenings.create_club_with_director()
    owner.set_password(PASSWORD)
    owner.save()
    member, first_password = clubs.services.add_member(
        club=club, login="bea", role="scorer", form_key="a" * 32, by=owner
    )
    client, member_client = Client(), Client()
    sign_in(client)
    form = {"member": member.pk, "form_key": "b" * 32}
    html = client.post("/director/club/password/", form).content.decode()
    [reset_path] = re.findall(r'value="https?://[^/"]+(/reset/[^"]*)"', html)
    to = member_client.get(reset_path, follow=True).redirect_chain[-1][0]
    member_client.post(to, {"new_password1": NEW_PASSWORD, "new_password2": NEW_PASSWORD})
    user = User.objects.get(username="bea")
    assert user.check_password(NEW_PASSWORD)
    assert not user.check_password(first_password)
    assert user.first_password_until is None
    assert "was already used" in Client().get(reset_path, follow=True).content.decode()


def test_reset_mails_are_rate_limited(capture_mail: Any) -> None:
    status_codes = []
    for _ in range(11):
        response = Client().post("/login/forgotten/", {"address": "anna@example.org"})
        status_codes.append(response.status_code)
        backdate_failed_attempts(6)
    assert status_codes == [200] * 10 + [429]
    html = response.content.decode()
    assert "Too many reset e-mails requested. Check your inbox, or try again in 59" in html
    assert "password" not in html.partition("<main")[2].partition("</main")[0]


@pytest.mark.django_db
def test_password_reset_is_hidden_without_a_mail_server() -> None:
    assert Client().get("/login/forgotten/").status_code == 404
    assert "by mail" not in Client().get("/login/").content.decode()


def test_mail_reports_security_events_of_a_login(capture_mail: Any) -> None:
    user = create_login()
    User.objects.update(email="anna@example.org")
    client = Client()
    with capture_mail(execute=True):
        sign_in(client)
    assert "signed in from a new device" in mail.outbox[-1].body
    with capture_mail(execute=True):
        client.post("/logout/")
        sign_in(client)
    assert len(mail.outbox) == 1  # the device is known now
    with capture_mail(execute=True):
        fields = {
            "old_password": PASSWORD,
            "new_password1": NEW_PASSWORD,
            "new_password2": NEW_PASSWORD,
        }
        client.post("/director/password/", fields)
    assert "set a new password" in mail.outbox[-1].body
    assert NEW_PASSWORD not in "".join(message.body for message in mail.outbox)
    assert user.get_username() in mail.outbox[-1].body
    client.post("/director/account/mail/", {"email": "no address"})
    assert User.objects.get().email == "anna@example.org"
    client.post("/director/account/mail/", {"email": ""})
    assert User.objects.get().email == ""


@pytest.mark.django_db
def test_command_resets_a_login_on_the_server_itself(settings: Any, capsys: Any) -> None:
    settings.IS_SERVER_DEPLOYMENT = True
    user = create_login()
    add_authenticator(user)
    tokens.create_token(user, name="the website")
    client = Client()
    client.force_login(user)
    call_command("login", "reset", "director")
    password = capsys.readouterr().out.splitlines()[-1]
    assert not is_signed_in(client)
    assert (list_factor_kinds(user), ApiToken.objects.count()) == ([], 0)
    sign_in(client, password=password)
    assert client.get("/director/").headers["Location"] == "/director/password/"
    assert LoginNote.objects.filter(what="reset_here", user=user).exists()
    with pytest.raises(CommandError, match="not found"):
        call_command("login", "reset", "nobody")
