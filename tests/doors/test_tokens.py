"""API tokens are limited by role and scope at every endpoint, and expire."""

import re
from datetime import timedelta
from importlib import import_module
from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone
from rest_framework.exceptions import PermissionDenied

from clubs.models import Club
from server.api.tokens import HasScope
from server.logins import tokens
from server.models import ApiToken, LoginNote, User
from tests import evenings
from tests.doors.visitors import PASSWORD, create_login

pytestmark = pytest.mark.django_db
SCORE_ROUTES = {
    "api/drives/<slug:slug>/rounds/<int:number>/tables/<int:table>/",
    "api/drives/<slug:slug>/totals/<int:number>/",
    "api/events/<slug:slug>/history/entries/<int:pk>/undo/",
    "api/rubbers/<slug:slug>/tables/<int:table>/hands/",
    "api/rubbers/<slug:slug>/tables/<int:table>/members/",
    "api/rubbers/<slug:slug>/tables/<int:table>/members/<int:number>/leave/",
    "api/rubbers/<slug:slug>/tables/<int:table>/spells/",
    "api/rubbers/<slug:slug>/tables/<int:table>/spells/<int:spell>/hands/<int:number>/",
    "api/rubbers/<slug:slug>/undo/",
    "api/sittings/<int:pk>/results/<int:board>/",
    "api/sittings/<int:pk>/results/<int:board>/keep/",
}
"""Endpoints that need the scorer's scope for writing; all others need the director's."""
PUBLISH_ROUTES = {
    "api/clubs/<slug:slug>/published/<uuid:uid>/",
    "api/clubs/<slug:slug>/published/missing/",
}
"""Endpoints that need the scope of a club's own computer for writing."""
OPEN_ROUTES = {"api-pages", "api-schema", "api-token"}


def create_token_client(token: str) -> Client:
    return Client(headers={"Authorization": f"Token {token}"})


def list_api_paths(patterns: Any = None, prefix: str = "") -> list[tuple[str, Any]]:
    """Return every path of the API with the class of its view."""
    api_paths = []
    for pattern in patterns or get_resolver().url_patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver) and (prefix or route == "api/"):
            api_paths += list_api_paths(pattern.url_patterns, route)
        elif isinstance(pattern, URLPattern) and prefix and pattern.name not in OPEN_ROUTES:
            api_paths.append((route, pattern.callback.cls))
    return api_paths


def test_every_api_path_requires_its_scope() -> None:
    """A token without the scope of a path and method is refused, and with it is accepted."""
    api_paths, faults = list_api_paths(), []
    assert len(api_paths) > 40
    for (route, view), scope, method in product(
        api_paths, tokens.SCOPES, ["GET", "POST", "DELETE"]
    ):
        permission_class = view.permission_classes[-1]
        assert issubclass(permission_class, HasScope), route
        write_scope = (
            "score"
            if route in SCORE_ROUTES
            else "publish"
            if route in PUBLISH_ROUTES
            else "direct"
        )
        required_scope = "read" if method == "GET" else write_scope
        fake_request = SimpleNamespace(method=method, auth=ApiToken(scopes=scope))
        try:
            is_permitted = permission_class().has_permission(fake_request, view)
        except PermissionDenied as error:
            is_permitted = error.get_codes() != "scope_needed"
        if is_permitted is not (scope == required_scope):
            faults.append((route, scope, method))
    assert faults == []


@pytest.mark.slow
def test_token_with_every_scope_is_limited_to_the_role_of_its_login() -> None:
    """A stranger with a token for every scope is refused at every path."""
    session, _owner = evenings.open_session(6)
    user = evenings.create_club_with_director("Hilltop Whist Club", "other")[1]
    token_client = create_token_client(tokens.create_token(user, name="all")[1])
    values = {"slug": session.event.slug, "number": "1", "uid": str(session.event.uid)}
    status_code_by_url = {}
    for route, _view in list_api_paths():
        path = "/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda gap: values.get(gap[1], "987"), route)
        for method in ("post", "put", "delete"):
            status_code_by_url[path, method] = getattr(token_client, method)(path).status_code
    data = {403, 404, 405}
    unexpected_status_codes = {
        url: code for url, code in status_code_by_url.items() if code not in data
    }
    assert set(unexpected_status_codes.values()) == {415}, (
        unexpected_status_codes
    )  # the body was not JSON
    assert {url[0] for url in unexpected_status_codes} == {
        "/api/events/",
        "/api/drives/",
        "/api/rubbers/",
    }
    assert sum(code == 403 for code in status_code_by_url.values()) > 20


def test_token_of_one_club_gives_no_access_to_another() -> None:
    one, user = evenings.create_club_with_director()
    other = evenings.create_club_with_director("Hilltop Whist Club", "director")[0]
    shown = tokens.create_token(user, name="the website", club_pk=one.pk)[1]
    all_clubs_token = tokens.create_token(user, name="all")[1]
    slugs = [
        [item["slug"] for item in create_token_client(key).get("/api/clubs/").json()]
        for key in (shown, all_clubs_token)
    ]
    assert slugs == [[one.slug], [other.slug, one.slug]]
    day = {"club": other.slug, "name": "Tuesday", "date": "2027-01-05"}
    post_status_codes = [
        create_token_client(key)
        .post("/api/events/", day, content_type="application/json")
        .status_code
        for key in (shown, all_clubs_token)
    ]
    assert post_status_codes[0] in (400, 403, 404)
    assert post_status_codes[1] == 201
    their_event = other.events.get()
    status_codes = [
        create_token_client(key)
        .patch(
            f"/api/events/{their_event.slug}/",
            {"name": "Mine"},
            content_type="application/json",
        )
        .status_code
        for key in (shown, all_clubs_token)
    ]
    assert status_codes == [403, 200]


def test_token_is_refused_while_its_login_must_add_a_second_factor() -> None:
    _club, user = evenings.create_club_with_director()
    program = create_token_client(tokens.create_token(user, name="the website")[1])
    assert program.get("/api/clubs/").status_code == 200
    User.objects.update(factor_due_at=timezone.now())
    response = program.get("/api/clubs/")
    assert (response.status_code, response.json()["code"]) == (403, "factor_needed")


def test_token_of_a_replaced_club_is_refused() -> None:
    one, user = evenings.create_club_with_director()
    evenings.create_club_with_director("Hilltop Whist Club", "director")
    shown = tokens.create_token(user, name="the website", club_pk=one.pk)[1]
    both = tokens.create_token(user, name="all")[1]
    assert create_token_client(shown).get("/api/clubs/").status_code == 200
    Club.objects.filter(pk=one.pk).delete()  # as exported to an archive and imported again
    evenings.create_club_with_director()
    for method, path in (
        ("get", "/api/clubs/"),
        ("get", "/api/events/"),
        ("post", "/api/events/"),
    ):
        response = getattr(create_token_client(shown), method)(path)
        assert (response.status_code, response.json()["code"]) == (401, "club_gone")
        assert "was deleted or replaced" in response.json()["detail"]
        assert "WWW-Authenticate" in response.headers
    assert len(create_token_client(both).get("/api/clubs/").json()) == 2
    browser = Client()
    browser.force_login(user)
    form = {"password_again": PASSWORD, "again": PASSWORD}
    page = browser.post("/director/account/tokens/", form).content.decode()
    assert "club not found, or not yours" in page


def test_token_is_random_hashed_and_shown_once(client: Client) -> None:
    user = create_login()
    client.force_login(user)
    response = client.post(
        "/director/account/tokens/",
        {"name": "the website", "scopes": ["read"], "days": "30"},
    )
    shown = response.context["shown"]
    assert re.fullmatch(r"ovp_[a-z2-7]{39}", shown)
    row = ApiToken.objects.get()
    assert (row.hash, row.scopes) == (tokens.hash_token(shown), "read")
    assert row.ends_at - row.made_at == timedelta(days=30)
    assert shown not in client.get("/director/account/tokens/").content.decode()
    assert not tokens.has_token_format(shown[:-1] + ("a" if shown[-1] != "a" else "b"))
    assert create_token_client(shown).get("/api/events/").status_code == 200
    row.refresh_from_db()
    assert row.used_at is not None
    assert LoginNote.objects.filter(what="token_used", detail="the website").count() == 1
    client.post("/director/account/tokens/end/", {"token": row.pk})
    assert create_token_client(shown).get("/api/events/").status_code == 401


@pytest.mark.slow
@pytest.mark.parametrize(
    "form",
    [
        {"name": "", "scopes": ["read"], "days": "30"},
        {"name": "a", "days": "30"},
        {"name": "a", "scopes": ["own"], "days": "30"},
        {"name": "a", "scopes": ["read"], "days": "366"},
        {"name": "a", "scopes": ["read"], "days": "-1"},
        {"name": "a", "scopes": ["read"], "days": "30", "club": "987"},
    ],
)
def test_invalid_token_form_is_refused(client: Client, form: Any) -> None:
    client.force_login(create_login())
    response = client.post("/director/account/tokens/", form)
    assert "choose at least one right" in response.content.decode()
    assert not ApiToken.objects.exists()


def test_token_expires_and_ends_with_its_login(client: Client) -> None:
    user = create_login()
    shown = tokens.create_token(user, name="the website")[1]
    User.objects.update(is_active=False)
    assert create_token_client(shown).get("/api/clubs/").status_code == 401
    User.objects.update(is_active=True)
    now = timezone.now()
    ApiToken.objects.update(made_at=now - timedelta(days=91), ends_at=now)
    response = create_token_client(shown).get("/api/clubs/")
    assert (response.status_code, response.headers["WWW-Authenticate"]) == (401, "Token")


def test_password_creates_a_token_and_the_oldest_of_twenty_is_deleted(client: Client) -> None:
    create_login()
    body = {"username": "director", "password": PASSWORD}
    response = client.post("/api/token/", body, content_type="application/json")
    first_token = response.json()["token"]
    assert create_token_client(first_token).get("/api/clubs/").status_code == 200
    for _ in range(tokens.MAX_PASSWORD_TOKENS):
        tokens.create_password_token(User.objects.get(), "made with the password")
    assert ApiToken.objects.count() == tokens.MAX_PASSWORD_TOKENS
    assert create_token_client(first_token).get("/api/clubs/").status_code == 401


def test_wrong_password_creates_no_token(client: Client) -> None:
    create_login()
    body = {"username": "director", "password": "wrong"}
    response = client.post("/api/token/", body, content_type="application/json")
    assert (response.status_code, response.json()["code"]) == (400, "wrong_login")


def test_tokens_of_an_older_version_are_hashed_and_expire_in_thirty_days() -> None:
    user, key = create_login(), "9944b09199c62bcf9418ad846dd0e4bbdfc6ee4b"
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE TABLE authtoken_token (key varchar(40) PRIMARY KEY, user_id bigint)"
        )
        cursor.execute("INSERT INTO authtoken_token VALUES (%s, %s)", [key, user.pk])
    move = import_module("server.migrations.0002_version_2").hash_tokens
    for _again in range(2):
        move(apps, SimpleNamespace(connection=connection))
    row = ApiToken.objects.get()
    assert timedelta(days=29) < row.ends_at - timezone.now() <= timedelta(days=30)
    assert create_token_client(key).get("/api/clubs/").status_code == 200
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM authtoken_token")
        assert cursor.fetchone() == (0,)


def test_token_form_offers_clubs_only_to_logins_with_several(client: Client) -> None:
    _club, user = evenings.create_club_with_director()
    client.force_login(user)
    assert 'name="club"' not in client.get("/director/account/tokens/").content.decode()
    evenings.create_club_with_director("Hilltop Whist Club", "director")
    assert 'name="club"' in client.get("/director/account/tokens/").content.decode()
    assert Club.objects.count() == 2
