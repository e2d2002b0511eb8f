"""The headers of every page, and those that a public page must not have."""

import pytest
from django.test import Client


@pytest.fixture(scope="module")
def policy() -> set[str]:
    header = Client().get("/api/schema/").headers["Content-Security-Policy"]
    return {part.strip() for part in header.split(";")}


@pytest.mark.parametrize(
    "directive",
    [
        "default-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    ],
)
def test_the_policy_allows_our_own_files_alone(policy: set[str], directive: str) -> None:
    assert directive in policy


def test_nothing_inline_is_allowed(policy: set[str]) -> None:
    assert not [part for part in policy if "unsafe" in part or "nonce" in part]


def test_a_page_is_not_framed_and_not_sniffed(client: Client) -> None:
    headers = client.get("/api/schema/").headers
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"


def test_a_page_uses_no_sensor_and_is_loaded_by_no_other_site(client: Client) -> None:
    headers = client.get("/api/schema/").headers
    policy = headers["Permissions-Policy"].split(", ")
    assert {"camera=()", "microphone=()", "geolocation=()", "payment=()"} <= set(policy)
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"


@pytest.mark.django_db
def test_a_missing_page_has_the_same_policies(client: Client) -> None:
    headers = client.get("/nowhere/").headers
    assert "camera=()" in headers["Permissions-Policy"]
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"


@pytest.mark.django_db
def test_no_middleware_gives_a_visitor_a_cookie(client: Client) -> None:
    assert not client.get("/api/schema/").cookies
    assert not client.get("/nowhere/").cookies


def test_a_page_that_is_not_public_asks_for_a_login(client: Client) -> None:
    response = client.get("/admin/auth/")
    assert response.status_code == 302
