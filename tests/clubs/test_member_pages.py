"""The page of the club's logins is only for owners, and shows a password only once."""

import html
import re

import pytest
from django.test import Client
from django.urls import reverse

from clubs.models import Club, Membership
from server.logins import tokens
from server.models import User
from tests import evenings
from tests.page_text import collapse_spaces

pytestmark = pytest.mark.django_db
PAGE = "/director/club/"
POST_PATHS = ["add/", "role/", "remove/", "password/"]


@pytest.fixture
def club_and_owner(client: Client) -> tuple[Club, User]:
    club_with_director = evenings.create_club_with_director()
    client.force_login(club_with_director[1])
    return club_with_director


def read_text(response) -> str:
    return html.unescape(response.content.decode())


def read_form_key(page: str) -> str:
    match = re.search(r'name="form_key" value="(\w+)"', page)
    assert match
    return match[1]


def add_member(client: Client, home, login: str = "anna", role: str = "scorer") -> str:
    key = read_form_key(read_text(client.get(PAGE)))
    fields = {"club": home[0].slug, "login": login, "role": role, "form_key": key}
    response = client.post(f"{PAGE}add/", fields)
    assert response.status_code == 200
    assert "no-store" in response.headers["Cache-Control"]
    match = re.search(r'id="handed" value="([^"]+)"', read_text(response))
    assert match
    return match[1]


def test_member_page_adds_a_scorer_who_signs_in_and_opens_the_scores(
    client: Client, club_and_owner
) -> None:
    session, _user = evenings.open_session()
    password = add_member(client, club_and_owner)
    assert password not in read_text(client.get(PAGE))
    scorer = Client()
    response = scorer.post("/login/", {"username": "anna", "password": password})
    assert response.status_code == 302
    assert session.event.name in read_text(scorer.get("/director/"))
    assert scorer.get(f"/director/events/{session.event.slug}/scores/").status_code == 200


def test_role_is_changed_and_rights_are_removed(client: Client, club_and_owner) -> None:
    add_member(client, club_and_owner)
    member = Membership.objects.get(user__username="anna")
    client.post(f"{PAGE}role/", {"member": member.pk, "role": "director"})
    assert "anna is now director (was scorer)" in read_text(client.get(PAGE))
    client.post(f"{PAGE}remove/", {"member": member.pk})
    text = read_text(client.get(PAGE))
    assert "anna (director) was removed" in text
    assert not Membership.objects.filter(pk=member.pk).exists()


def test_new_password_revokes_the_api_tokens(client: Client, club_and_owner) -> None:
    add_member(client, club_and_owner)
    member = Membership.objects.get(user__username="anna")
    tokens.create_token(member.user, name="the website")
    key = read_form_key(read_text(client.get(PAGE)))
    response = client.post(f"{PAGE}password/", {"member": member.pk, "form_key": key})
    assert "Password for anna" in read_text(response)
    assert not tokens.list_valid_tokens(member.user).exists()


def test_invalid_member_form_shows_the_error_and_keeps_the_input(
    client: Client, club_and_owner
) -> None:
    key = read_form_key(read_text(client.get(PAGE)))
    fields = {
        "club": club_and_owner[0].slug,
        "login": "anna pole",
        "role": "scorer",
        "form_key": key,
    }
    response = client.post(f"{PAGE}add/", fields)
    assert response.status_code == 400
    assert 'value="anna pole"' in read_text(response)
    assert 'class="toast toast--error"' in read_text(response)
    assert not User.objects.filter(username__startswith="anna").exists()


@pytest.mark.parametrize("role", ["director", "scorer"])
def test_members_without_the_owner_role_are_refused_everywhere(
    client: Client, club_and_owner, role: str
) -> None:
    user = User.objects.create(username="guest")
    member = Membership.objects.create(club=club_and_owner[0], user=user, role=role)
    client.force_login(user)
    assert client.get(PAGE).status_code == 403
    assert "Users and roles" not in read_text(client.get("/director/account/"))
    fields = {
        "club": club_and_owner[0].slug,
        "member": member.pk,
        "role": "owner",
        "login": "x",
    }
    for post_path in POST_PATHS:
        assert (
            client.post(f"{PAGE}{post_path}", fields | {"form_key": "0" * 32}).status_code
            == 404
        )
    member.refresh_from_db()
    assert member.role == role


def test_club_bar_links_to_backups_for_owners_only(client: Client, club_and_owner) -> None:
    owner_page = read_text(client.get("/director/players/"))
    archives_page = read_text(client.get("/director/club/archives/"))
    backups_page = read_text(client.get("/director/backups/"))
    guest = User.objects.create(username="guest")
    Membership.objects.create(club=club_and_owner[0], user=guest, role="director")
    client.force_login(guest)
    director_page = read_text(client.get("/director/players/"))
    for link in ('href="/director/club/archives/"', f'href="{PAGE}"'):
        assert link in owner_page
        assert link not in director_page
    assert 'href="/director/club/archives/" aria-current="page"' in archives_page
    assert 'href="/director/club/archives/" aria-current="true"' in backups_page
    assert "<h1>Backup and move</h1>" in archives_page


def test_account_page_has_the_password_first_and_tokens_last(
    client: Client, club_and_owner
) -> None:
    club_and_owner[0].has_congress_features = True
    club_and_owner[0].save()
    page = read_text(client.get("/director/account/"))
    titles = re.findall(r"<h2[^>]*>([^<]+)</h2>", page)
    assert titles == ["Password", "This computer", "Club", "API tokens"]
    links = ["password_change", "backups", "jobs", "members", "club_archives", "tokens"]
    places = [page.index(f'class="button" href="{reverse(link)}"') for link in links]
    assert places == sorted(places)


def test_owner_of_another_club_cannot_change_members(client: Client, club_and_owner) -> None:
    add_member(client, club_and_owner)
    member = Membership.objects.get(user__username="anna")
    client.force_login(evenings.create_club_with_director("Other club", "other")[1])
    fields = {
        "club": club_and_owner[0].slug,
        "member": member.pk,
        "role": "owner",
        "login": "x",
    }
    for post in POST_PATHS:
        assert client.post(f"{PAGE}{post}", fields | {"form_key": "0" * 32}).status_code == 404
    assert ">anna<" not in collapse_spaces(read_text(client.get(PAGE)))


def test_account_page_of_an_owner_links_to_the_logins(client: Client, club_and_owner) -> None:
    assert f'href="{PAGE}"' in read_text(client.get("/director/account/"))


def test_invalid_member_ids_are_not_found(client: Client, club_and_owner) -> None:
    for invalid_id in ("", "0", "-1", "x", "9" * 30):
        assert (
            client.post(f"{PAGE}role/", {"member": invalid_id, "role": "scorer"}).status_code
            == 404
        )
