"""Second factors work at sign-in and on their pages, and are stored encrypted."""

from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client, RequestFactory
from django.utils import timezone

from server.logins import factor_rows, login_sessions, secret_encryption, throttle
from server.models import LoginNote, User
from tests import evenings
from tests.doors.visitors import (
    PASSWORD,
    add_authenticator,
    backdate_failed_attempts,
    create_login,
    is_signed_in,
    list_app_codes,
    list_factor_kinds,
    sign_in,
)

pytestmark = pytest.mark.django_db
FACTORS_URL = "/director/account/factors/"


@pytest.fixture
def user(settings: Any) -> User:
    settings.IS_SERVER_DEPLOYMENT = True
    return create_login()


def sign_in_to_second_factor(user: User) -> tuple[Client, str]:
    """Return a client after the password step, and the secret of the login's app."""
    secret, client = add_authenticator(user), Client()
    response = sign_in(client)
    assert response.headers["Location"] == "/login/factor/"
    assert not is_signed_in(client)
    return client, secret


def test_app_code_signs_in_only_once(user: User) -> None:
    client, secret = sign_in_to_second_factor(user)
    code = list_app_codes(secret)[1]
    assert "Sign in" in client.get("/login/factor/").content.decode()
    assert client.post("/login/factor/", {"code": code}).headers["Location"] == "/director/"
    assert is_signed_in(client)
    other_client = Client()
    sign_in(other_client)
    response = other_client.post("/login/factor/", {"code": code})
    assert "already used" in response.content.decode()
    assert not is_signed_in(other_client)
    response_to_older_code = other_client.post(
        "/login/factor/", {"code": list_app_codes(secret)[0]}
    )
    assert not is_signed_in(other_client), response_to_older_code


@pytest.mark.parametrize("act", ["a new password", "all were signed out"])
def test_second_step_restarts_if_the_password_is_no_longer_valid(user: User, act: str) -> None:
    client, secret = sign_in_to_second_factor(user)
    if act == "a new password":
        user.set_password("lantern tray odd tricks")
        user.save()
    else:
        login_sessions.end_other_sessions(user)
    response = client.post("/login/factor/", {"code": list_app_codes(secret)[1]})
    assert response.headers["Location"] == "/login/"
    assert not is_signed_in(client)
    assert client.get("/login/factor/").headers["Location"] == "/login/"


def test_password_is_required_again_after_five_wrong_codes(user: User) -> None:
    client, secret = sign_in_to_second_factor(user)
    for _ in range(5):
        response = client.post("/login/factor/", {"code": "000000"})
        backdate_failed_attempts(6)
    assert response.headers["Location"] == "/login/"
    assert "Five wrong codes" in client.get("/login/").content.decode()
    response = client.post("/login/factor/", {"code": list_app_codes(secret)[1]})
    assert not is_signed_in(client)
    assert LoginNote.objects.filter(what="wrong_factor", user=user).count() == 5


def test_wrong_codes_count_like_wrong_passwords(user: User) -> None:
    client, _secret = sign_in_to_second_factor(user)
    for _ in range(3):
        client.post("/login/factor/", {"code": "000000"})
        backdate_failed_attempts(6)
    for _ in range(7):
        throttle.count_attempt(RequestFactory().get("/"), "director")
        backdate_failed_attempts(6)
    assert sign_in(Client()).status_code == 429
    page_text = client.post("/login/factor/", {"code": "000000"}).content.decode()
    assert "Too many wrong codes or passwords. Wait 5" in page_text
    assert "Too many wrong passwords" not in page_text


def test_authenticator_app_and_its_recovery_codes_work_from_setup_to_use(user: User) -> None:
    client = Client()
    sign_in(client)
    page = client.get(f"{FACTORS_URL}app/")
    text = page.content.decode()
    assert '<path class="code__ink"' in text
    assert "data:" not in text
    secret = page.context["secret"].replace(" ", "")
    wrong_response = client.post(f"{FACTORS_URL}app/", {"code": "000000"})
    assert list_factor_kinds(user) == []
    assert wrong_response.context["secret"].replace(" ", "") == secret
    code = list_app_codes(secret)[1]
    assert (
        client.post(f"{FACTORS_URL}app/", {"code": code}).headers["Location"]
        == f"{FACTORS_URL}codes/"
    )
    assert list_factor_kinds(user) == ["recovery_codes", "totp"]
    unused_codes = client.get(f"{FACTORS_URL}codes/").context["unused_codes"]
    assert len(set(unused_codes)) == 10
    file = client.get(f"{FACTORS_URL}codes.txt")
    assert all(item in file.content.decode() for item in unused_codes)
    assert file.headers["Cache-Control"] == "no-store"

    other_client = Client()
    sign_in(other_client)
    other_client.post("/login/factor/", {"code": code})
    assert not is_signed_in(other_client)  # the code used in the setup is not accepted again
    backdate_failed_attempts(6)
    other_client.post("/login/factor/", {"code": unused_codes[0]})
    assert is_signed_in(other_client)
    client.post("/logout/")
    sign_in(client)
    client.post("/login/factor/", {"code": unused_codes[0]})
    assert not is_signed_in(client)


def test_removing_the_last_factor_removes_the_recovery_codes(user: User) -> None:
    client, secret = sign_in_to_second_factor(user)
    client.post("/login/factor/", {"code": list_app_codes(secret)[1]})
    client.post(f"{FACTORS_URL}codes/new/")
    assert list_factor_kinds(user) == ["recovery_codes", "totp"]
    other_client = Client()
    sign_in(other_client)
    client.post(f"{FACTORS_URL}app/remove/")
    assert (list_factor_kinds(user), is_signed_in(client)) == ([], True)
    note_kinds = LoginNote.objects.filter(user=user).values_list("what", flat=True)
    assert {"codes", "factor_removed"} <= set(note_kinds)


def test_secrets_are_encrypted_in_the_database(user: User) -> None:
    secret = add_authenticator(user)
    stored_secret = Authenticator.objects.get(user=user).data["secret"]
    assert secret not in stored_secret
    assert secret_encryption.decrypt_secret(stored_secret) == secret
    assert secret_encryption.encrypt_secret("a") != secret_encryption.encrypt_secret("a")


def test_secret_encrypted_with_another_key_is_not_decrypted(user: User, settings: Any) -> None:
    encrypted_secret = secret_encryption.encrypt_secret("a secret")
    settings.SECRET_KEY = "another key " * 5
    with pytest.raises(secret_encryption.WrongKey):
        secret_encryption.decrypt_secret(encrypted_secret)
    settings.SECRET_KEY_FALLBACKS = ["only-for-tests-" + "0123456789" * 5]
    assert secret_encryption.decrypt_secret(encrypted_secret) == "a secret"


def test_codes_encrypted_with_another_key_are_not_accepted(user: User, settings: Any) -> None:
    client, secret = sign_in_to_second_factor(user)
    client.post("/login/factor/", {"code": list_app_codes(secret)[1]})
    client.post(f"{FACTORS_URL}codes/new/")
    code = client.get(f"{FACTORS_URL}codes/").context["unused_codes"][0]
    settings.SECRET_KEY = "another key " * 5
    for item in (list_app_codes(secret)[2], code):
        other_client = Client()
        sign_in(other_client)
        assert (
            "Wrong or already used code"
            in other_client.post("/login/factor/", {"code": item}).content.decode()
        )
        backdate_failed_attempts(6)


def test_recovery_codes_under_another_key_are_replaced_on_their_page(
    user: User, settings: Any
) -> None:
    settings.IS_SERVER_DEPLOYMENT = False
    kind, client = Authenticator.Type.WEBAUTHN, Client()
    Authenticator.objects.create(user=user, type=kind, data={"name": "Phone"})
    client.force_login(user)
    client.post(f"{FACTORS_URL}codes/new/")
    settings.SECRET_KEY = "another key " * 5
    client = Client()
    client.force_login(User.objects.get())
    for page in ("codes/", "codes.txt"):
        assert client.get(f"{FACTORS_URL}{page}").headers["Location"] == FACTORS_URL
    html = client.get(FACTORS_URL).content.decode()
    assert "Your recovery codes no longer work" in html
    assert f"{FACTORS_URL}codes/new/" in html
    assert client.get(f"{FACTORS_URL}codes/new/").status_code == 200
    client.post(f"{FACTORS_URL}codes/new/")
    assert len(client.get(f"{FACTORS_URL}codes/").context["unused_codes"]) == 10
    assert "10 codes left" in client.get(FACTORS_URL).content.decode()


def test_factor_works_after_a_change_of_the_secret_key(user: User, settings: Any) -> None:
    secret, secret_key_before = add_authenticator(user), settings.SECRET_KEY
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another key " * 5, [secret_key_before]
    assert factor_rows.reencrypt_secrets() == 1
    settings.SECRET_KEY_FALLBACKS = []
    client = Client()
    sign_in(client)
    client.post("/login/factor/", {"code": list_app_codes(secret)[1]})
    assert is_signed_in(client)
    settings.SECRET_KEY = "a third key " * 5
    assert factor_rows.reencrypt_secrets() == 0


def test_owner_on_a_server_must_add_a_factor_within_seven_days(settings: Any) -> None:
    settings.IS_SERVER_DEPLOYMENT = True
    _club, owner = evenings.create_club_with_director()
    owner.set_password(PASSWORD)
    owner.save()
    client = Client()
    sign_in(client)
    owner.refresh_from_db()
    assert 6.9 < (owner.factor_due_at - timezone.now()).total_seconds() / 86400 <= 7
    assert client.get("/director/").status_code == 200
    assert "7 days left" in client.get("/director/account/").content.decode()
    User.objects.update(factor_due_at=timezone.now())
    assert client.get("/director/").headers["Location"] == FACTORS_URL
    response = client.get("/api/clubs/")
    assert (response.status_code, response.json()["code"]) == (403, "factor_needed")
    assert client.get(FACTORS_URL).status_code == 200
    secret = client.get(f"{FACTORS_URL}app/").context["secret"].replace(" ", "")
    client.post(f"{FACTORS_URL}app/", {"code": list_app_codes(secret)[1]})
    assert client.get("/director/").status_code == 200


@pytest.mark.parametrize(
    ("server", "role", "club_requires_factor", "is_factor_due"),
    [
        (True, "owner", False, True),
        (True, "scorer", False, False),
        (True, "scorer", True, True),
        (False, "owner", True, False),
    ],
)
def test_second_factor_is_required_by_role_and_club_setting(
    server: bool, role: str, club_requires_factor: bool, is_factor_due: bool, settings: Any
) -> None:
    settings.IS_SERVER_DEPLOYMENT = server
    club, owner = evenings.create_club_with_director()
    type(club).objects.update(asks_factor=club_requires_factor)
    user = owner if role == "owner" else evenings.create_scorer(club)
    user.set_password(PASSWORD)
    user.save()
    sign_in(Client(), user.get_username())
    user.refresh_from_db()
    assert (user.factor_due_at is not None) is is_factor_due


def test_administration_requires_a_second_factor_on_a_server(settings: Any) -> None:
    settings.IS_SERVER_DEPLOYMENT = True
    keeper = User.objects.create_superuser("keeper", password=PASSWORD)
    client = Client()
    assert client.get("/admin/").headers["Location"].startswith("/admin/login/")
    assert client.get("/admin/login/").headers["Location"].startswith("/login/?next=")
    sign_in(client, "keeper")
    response = client.get("/admin/", follow=True)
    assert response.redirect_chain[-1][0] == FACTORS_URL
    secret = add_authenticator(keeper)
    assert client.get("/admin/").status_code == 200
    assert secret
    settings.IS_SERVER_DEPLOYMENT = False
    Authenticator.objects.all().delete()
    assert client.get("/admin/").status_code == 200


def test_password_only_creates_no_token_for_a_login_with_a_factor(user: User) -> None:
    add_authenticator(user)
    body = {"username": "director", "password": PASSWORD}
    response = Client().post("/api/token/", body, content_type="application/json")
    assert (response.status_code, response.json()["code"]) == (403, "factor_needed")


def test_sign_up_and_unused_allauth_pages_are_not_found() -> None:
    for address in ("/accounts/signup/", "/signup/", "/login/signup/", "/accounts/login/"):
        assert Client().get(address).status_code == 404
