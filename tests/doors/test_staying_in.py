"""Login sessions expire, are listed as devices, end on changes, and need re-authentication."""

import json
import time
from datetime import timedelta
from itertools import product
from typing import Any

import pytest
from django.contrib.auth import HASH_SESSION_KEY
from django.test import Client
from django.utils import timezone

import clubs.services
from clubs.models import Membership
from server.logins import login_sessions, tokens
from server.models import ApiToken, LoginNote, SignIn, User
from tests import evenings
from tests.doors.visitors import PASSWORD, create_login, is_signed_in, sign_in

pytestmark = pytest.mark.django_db
FIREFOX = {"headers": {"User-Agent": "Mozilla/5.0 (Windows NT 10.0) Firefox/128.0"}}


@pytest.fixture
def server(settings: Any) -> None:
    settings.IS_SERVER_DEPLOYMENT = True


def backdate_session(
    client: Client, *, sign_in_age: timedelta = timedelta(), idle_time: timedelta = timedelta()
) -> None:
    """Make a browser's sign-in older."""
    session = client.session
    session["since"] -= sign_in_age.total_seconds()
    session["seen"] -= idle_time.total_seconds()
    session.save()


HOURS, DAYS = (lambda number: timedelta(hours=number)), (lambda number: timedelta(days=number))


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize(
    ("is_own_computer", "since", "seen", "stays_signed_in"),
    [
        (False, HOURS(11), HOURS(11), True),
        (False, HOURS(13), HOURS(13), False),
        (True, DAYS(29), DAYS(29), True),
        (True, DAYS(31), HOURS(1), False),
        (False, DAYS(31), HOURS(1), False),
    ],
)
def test_session_expires_by_age_and_inactivity(
    is_own_computer: bool, since: Any, seen: Any, stays_signed_in: bool
) -> None:
    create_login()
    client = Client()
    client.post(
        "/login/",
        {"username": "director", "password": PASSWORD}
        | ({"own_computer": "on"} if is_own_computer else {}),
    )
    backdate_session(client, sign_in_age=since, idle_time=seen)
    assert is_signed_in(client) is stays_signed_in
    response = client.get("/api/clubs/")
    assert response.status_code == (200 if stays_signed_in else 401)


def test_laptop_signs_no_one_out_and_keeps_no_device_list() -> None:
    create_login()
    client = Client()
    sign_in(client)
    assert not SignIn.objects.exists()
    assert "own_computer" not in Client().get("/login/").content.decode()
    assert (
        "no list on this computer" in client.get("/director/account/devices/").content.decode()
    )
    page = client.get("/director/account/").content.decode()
    assert "Two-step sign-in" not in page


@pytest.mark.usefixtures("server")
def test_devices_are_listed_and_signed_out_individually_or_all() -> None:
    user = create_login()
    client, second_client, third_client = Client(), Client(), Client()
    for item in (client, second_client, third_client):
        sign_in(item, **FIREFOX)
    page = client.get("/director/account/devices/").content.decode()
    assert page.count("Firefox on Windows") == 3
    assert "this one" in page
    key = second_client.session.session_key
    row = SignIn.objects.get(session_key=key)
    client.post("/director/account/devices/end/", {"device": row.pk})
    assert [is_signed_in(each) for each in (client, second_client, third_client)] == [
        True,
        False,
        True,
    ]
    tokens.create_token(user, name="the website")
    client.post("/director/account/devices/end/")
    assert [is_signed_in(each) for each in (client, second_client, third_client)] == [
        True,
        False,
        False,
    ]
    assert SignIn.objects.count() == 1
    assert client.get("/director/account/devices/").content.decode().count("this one") == 1
    assert ApiToken.objects.count() == 1  # API clients are not devices
    client.post("/logout/")
    assert not SignIn.objects.exists()


def test_disabled_login_ends_its_session() -> None:
    user, client = create_login(), Client()
    sign_in(client)
    assert is_signed_in(client)
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert not is_signed_in(client)


@pytest.mark.usefixtures("server")
def test_device_of_another_login_cannot_be_signed_out() -> None:
    create_login("other")
    their_client, own_client = Client(), Client()
    sign_in(their_client, "other")
    create_login()
    sign_in(own_client)
    row = SignIn.objects.get(user__username="other")
    own_client.post("/director/account/devices/end/", {"device": row.pk})
    assert is_signed_in(their_client)


CASES_BY_ACT = {
    "new password of one's own": ("own", True),
    "password from an owner": ("handed", True),
    "less of a role": ("less", True),
    "more of a role": ("more", False),
    "role taken": ("taken", True),
}


@pytest.mark.slow
@pytest.mark.parametrize("act", CASES_BY_ACT)
def test_security_changes_end_other_sessions_and_tokens(act: str) -> None:
    club, owner = evenings.create_club_with_director()
    how, ends = CASES_BY_ACT[act]
    user = create_login("anna")
    role = "scorer" if how == "more" else "director"
    member = Membership.objects.create(club=club, user=user, role=role)
    client, other_client = Client(), Client()
    sign_in(client, "anna")
    sign_in(other_client, "anna")
    tokens.create_token(user, name="the website")
    if how == "own":
        new_password = "lantern tray odd tricks"
        fields = {
            "old_password": PASSWORD,
            "new_password1": new_password,
            "new_password2": new_password,
        }
        assert client.post("/director/password/", fields).status_code == 302
    elif how == "handed":
        clubs.services.reset_password(member=member, form_key="k" * 32, by=owner)
    elif how == "taken":
        clubs.services.remove_member(member=member, by=owner)
    else:
        expected = "director" if how == "more" else "scorer"
        clubs.services.change_role(member=member, role=expected, by=owner)
    assert is_signed_in(other_client) is not ends
    assert ApiToken.objects.exists() is not ends
    assert is_signed_in(client) is (how == "own" or not ends)


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize("act", ["a new password", "less of a role"])
def test_current_device_stays_listed_after_signing_out_the_others(act: str) -> None:
    club, _owner = evenings.create_club_with_director()
    member = Membership.objects.create(club=club, user=create_login("anna"), role="owner")
    client, other_client = Client(), Client()
    sign_in(client, "anna")
    sign_in(other_client, "anna")
    if act == "a new password":
        new = "lantern tray odd tricks"
        fields = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
        client.post("/director/password/", fields)
    else:
        client.post("/director/club/role/", {"member": member.pk, "role": "scorer"})
    assert (is_signed_in(client), is_signed_in(other_client)) == (True, False)
    [row] = SignIn.objects.filter(user__username="anna")
    assert row.session_key == client.session.session_key
    page = client.get("/director/account/devices/").content.decode()
    assert page.count("this one") == 1


def test_owner_who_becomes_a_scorer_stays_signed_in(client: Client) -> None:
    club, owner = evenings.create_club_with_director()
    Membership.objects.create(club=club, user=create_login("anna"), role="owner")
    client.force_login(owner)
    member = Membership.objects.get(user=owner)
    response = client.post("/director/club/role/", {"member": member.pk, "role": "scorer"})
    assert response.headers["Location"] == "/director/"
    assert is_signed_in(client)


SENSITIVE_REQUESTS = [
    ("get", "/director/club/"),
    ("post", "/director/club/add/"),
    ("post", "/director/club/role/"),
    ("post", "/director/club/password/"),
    ("post", "/director/club/remove/"),
    ("post", "/director/club/factor/"),
    ("get", "/director/account/tokens/"),
    ("post", "/director/account/tokens/end/"),
    ("get", "/director/account/mail/"),
    ("post", "/director/account/devices/end/"),
    ("get", "/director/account/factors/"),
    ("get", "/director/account/factors/app/"),
    ("post", "/director/account/factors/app/remove/"),
    ("get", "/director/account/factors/codes/"),
    ("post", "/director/account/factors/codes/new/"),
    ("get", "/director/account/factors/codes.txt"),
    ("get", "/director/account/factors/passkeys/add/"),
    ("post", "/director/account/factors/passkeys/1/remove/"),
]


@pytest.mark.usefixtures("server")
def test_sensitive_actions_require_the_password_again_after_ten_minutes(
    monkeypatch: Any,
) -> None:
    _club, owner = evenings.create_club_with_director()
    owner.set_password(PASSWORD)
    owner.save()
    client = Client()
    sign_in(client)
    heading = "Confirm your password"
    addresses = [
        address
        for method, address in SENSITIVE_REQUESTS
        if method == "get" and heading in getattr(client, method)(address).content.decode()
    ]
    now = time.time
    monkeypatch.setattr("server.logins.reauthentication.time.time", lambda: now() + 601)
    urls_without_confirmation = [
        address
        for method, address in SENSITIVE_REQUESTS
        if heading not in getattr(client, method)(address).content.decode()
    ]
    assert (addresses, urls_without_confirmation) == ([], [])


@pytest.mark.usefixtures("server")
def test_form_is_processed_after_the_password_is_confirmed(monkeypatch: Any) -> None:
    club, owner = evenings.create_club_with_director()
    owner.set_password(PASSWORD)
    owner.save()
    client = Client()
    sign_in(client)
    Membership.objects.create(club=club, user=create_login("anna"), role="director")
    member = Membership.objects.get(user__username="anna")
    now = time.time
    monkeypatch.setattr("server.logins.reauthentication.time.time", lambda: now() + 601)
    form = {"member": member.pk, "role": "scorer"}
    page = client.post("/director/club/role/", form)
    assert page.status_code == 403
    assert f'name="member" value="{member.pk}"' in page.content.decode()
    wrong_response = client.post("/director/club/role/", form | {"password_again": "wrong"})
    assert "Wrong password. Try again" in wrong_response.content.decode()
    assert PASSWORD not in wrong_response.content.decode()
    member.refresh_from_db()
    assert member.role == "director"
    monkeypatch.setattr("server.logins.reauthentication.time.time", now)
    stored_session = client.session
    del stored_session["shown_at"]
    stored_session.save()
    sent_form = form | {"password_again": PASSWORD}
    assert client.post("/director/club/role/", sent_form).status_code == 302
    member.refresh_from_db()
    assert member.role == "scorer"


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize(
    ("next_url", "is_followed"),
    [("/director/jobs/", True), ("https://elsewhere.example/", False)],
)
def test_redirect_after_confirmation_stays_on_this_site(
    next_url: str, is_followed: bool
) -> None:
    client = Client()
    client.force_login(create_login())
    response = client.post(
        f"/director/account/again/?next={next_url}", {"password_again": PASSWORD}
    )
    assert (response.headers["Location"] == next_url) is is_followed


PASSWORD_CASES = list(product([True, False], ["in time", "too late"]))


@pytest.mark.parametrize(("on_a_server", "login_time"), PASSWORD_CASES)
def test_temporary_password_only_opens_the_page_to_change_it(
    on_a_server: bool, login_time: str, settings: Any
) -> None:
    settings.IS_SERVER_DEPLOYMENT = on_a_server
    club, owner = evenings.create_club_with_director()
    member, password = clubs.services.add_member(
        club=club, login="anna", role="scorer", form_key="k" * 32, by=owner
    )
    if login_time == "too late":
        User.objects.filter(first_password_until__isnull=False).update(
            first_password_until=timezone.now() - timedelta(seconds=1)
        )
    client = Client()
    response = sign_in(client, "anna", password)
    if on_a_server and login_time == "too late":
        assert "expired (72 hours)" in response.content.decode()
        assert not is_signed_in(client)
        return
    first_response = client.get("/director/")
    body = {"username": "anna", "password": password}
    token = Client().post("/api/token/", body, content_type="application/json")
    if not on_a_server:
        assert (first_response.status_code, token.status_code) == (200, 200)
        return
    assert first_response.headers["Location"] == "/director/password/"
    assert (token.status_code, token.json()["code"]) == (403, "password_change_needed")
    assert client.get("/api/clubs/").json()["code"] == "password_change_needed"
    new = "lantern tray odd tricks"
    fields = {"old_password": password, "new_password1": new, "new_password2": new}
    client.post("/director/password/", fields)
    assert client.get("/director/").status_code == 200
    member.user.refresh_from_db()
    assert member.user.first_password_until is None


def test_upgrade_signs_no_one_out() -> None:
    user = create_login()
    client = Client()
    sign_in(client)
    assert user.lock_number == 0
    base_hash = super(User, user).get_session_auth_hash()
    assert client.session[HASH_SESSION_KEY] == base_hash
    login_sessions.end_other_sessions(user)
    assert not is_signed_in(client)


def test_signed_in_pages_are_never_cached() -> None:
    session, user = evenings.open_session(6)
    client = Client()
    client.force_login(user)
    slug = session.event.slug
    for address in ("/director/", f"/director/events/{slug}/scores/", "/api/clubs/"):
        assert client.get(address).headers["Cache-Control"] == "no-store", address
    token = tokens.create_token(user, name="the website")[1]
    token_client = Client(headers={"Authorization": f"Token {token}"})
    assert token_client.get("/api/clubs/").headers["Cache-Control"] == "no-store"
    public = Client().get(f"/events/{slug}/")
    assert "no-store" not in public.headers.get("Cache-Control", "")
    assert not public.cookies


def test_log_shows_owners_their_logins_and_is_never_changed(settings: Any) -> None:
    club, owner = evenings.create_club_with_director()
    other = evenings.create_club_with_director("Hilltop Whist Club", "other")[1]
    anna = create_login("anna")
    Membership.objects.create(club=club, user=anna, role="scorer")
    sign_in(Client(), "anna", **FIREFOX)
    sign_in(Client(), "anna", "wrong")
    client = Client()
    client.force_login(owner)
    page = client.get("/director/account/log/").content.decode()
    assert "anna: signed in from a new device" in page
    assert "anna: wrong password" in page
    file = b"".join(client.get("/director/account/log.csv").streaming_content).decode()
    assert "anna,new_device,Firefox on Windows,127.0.0.*" in file
    stranger = Client()
    stranger.force_login(other)
    assert "anna" not in stranger.get("/director/account/log/").content.decode()
    scorer = Client()
    scorer.force_login(anna)
    assert scorer.get("/director/account/log/").status_code == 403
    row = LoginNote.objects.first()
    assert row is not None
    for act in (
        row.save,
        row.delete,
        LoginNote.objects.all().delete,
        lambda: LoginNote.objects.update(name="nobody"),
    ):
        with pytest.raises(RuntimeError):
            act()
    login_note_count_before = LoginNote.objects.count()
    assert LoginNote.objects.delete_expired(timezone.now() - timedelta(days=180)) == 0
    assert LoginNote.objects.count() == login_note_count_before
    assert LoginNote.objects.delete_expired(timezone.now()) == login_note_count_before


def test_log_has_one_json_line_for_each_event(monkeypatch: Any) -> None:
    messages: list[str] = []
    monkeypatch.setattr("server.logins.event_log.log.info", messages.append)
    user = create_login("anna\u2028pole")
    sign_in(Client(), user.get_username(), "wrong\nword")
    [line] = messages
    assert "\n" not in line
    assert "word" not in line.replace("wrong_password", "")
    data = json.loads(line)
    assert (data["what"], data["name"]) == ("wrong_password", user.get_username())
