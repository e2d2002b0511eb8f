"""Every page has the security headers, and public pages set no cookies."""

from contextlib import closing
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

SAMPLE_URL_PATHS = [
    "/",
    "/nowhere/",
    "/health/live",
    "/api/schema/",
    "/static/js/why.js",
    "/login/",
]


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
def test_content_security_policy_allows_only_own_files(
    policy: set[str], directive: str
) -> None:
    assert directive in policy


def test_nothing_inline_is_allowed(policy: set[str]) -> None:
    assert not [part for part in policy if "unsafe" in part or "nonce" in part]


def test_page_is_not_framed_and_not_sniffed(client: Client) -> None:
    headers = client.get("/api/schema/").headers
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"


def test_page_uses_no_sensors_and_is_not_loadable_from_other_sites(client: Client) -> None:
    headers = client.get("/api/schema/").headers
    policy = headers["Permissions-Policy"].split(", ")
    assert {"camera=()", "microphone=()", "geolocation=()", "payment=()"} <= set(policy)
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"


@pytest.mark.django_db
def test_missing_page_has_the_same_policies(client: Client) -> None:
    headers = client.get("/nowhere/").headers
    assert "camera=()" in headers["Permissions-Policy"]
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"


@pytest.mark.django_db
@pytest.mark.parametrize("path", SAMPLE_URL_PATHS)
def test_every_kind_of_response_has_the_security_headers(path: str, settings: Any) -> None:
    settings.SECURE_HSTS_SECONDS = 31_536_000
    settings.SECURE_HSTS_INCLUDE_SUBDOMAINS = settings.SECURE_HSTS_PRELOAD = True
    with closing(Client().get(path, secure=True)) as response:
        headers = response.headers
    assert headers["Strict-Transport-Security"] == (
        "max-age=31536000; includeSubDomains; preload"
    )
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "Access-Control-Allow-Origin" not in headers


def test_static_file_of_the_header_tests_exists() -> None:
    assert finders.find("js/why.js")


def test_plain_http_response_has_no_strict_transport_header(settings: Any) -> None:
    settings.SECURE_HSTS_SECONDS = 31_536_000
    assert "Strict-Transport-Security" not in Client().get("/health/live").headers


@pytest.mark.parametrize("path", ["/health/live", "/api/schema/", "/login/", "/static/x"])
def test_trace_requests_are_refused(path: str) -> None:
    assert Client().trace(path).status_code == 405


@pytest.mark.django_db
def test_api_request_over_plain_http_is_refused_on_a_server(settings: Any) -> None:
    settings.SECURE_SSL_REDIRECT = True
    response = Client().get("/api/events/", headers={"Authorization": "Bearer x"})
    assert (response.status_code, response.json()["code"]) == (403, "https_required")
    assert Client().get("/api/").status_code == 301
    assert Client().get("/").status_code == 301
    assert Client().get("/api/events/", secure=True).status_code == 200


@pytest.mark.django_db
def test_no_middleware_sets_a_cookie_for_visitors(client: Client) -> None:
    assert not client.get("/api/schema/").cookies
    assert not client.get("/nowhere/").cookies


def test_non_public_page_requires_a_login(client: Client) -> None:
    response = client.get("/admin/auth/")
    assert response.status_code == 302
