"""Every error of the API has one format."""

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404
from django.test import Client
from rest_framework import exceptions

from boards.whist.errors import InvalidDeal, WhistError
from config.errors import build_api_error


class EnteredMeanwhile(WhistError):
    """The error with this code, as a stand-in."""

    code = "entered_meanwhile"


def build_response(error: Exception) -> tuple[int, Any]:
    response = build_api_error(error, {})
    assert response is not None
    return response.status_code, response.data


def test_domain_error_response_has_code_and_message() -> None:
    assert build_response(InvalidDeal("Two nines.")) == (
        400,
        {"code": "invalid_deal", "detail": "Two nines."},
    )


def test_concurrent_entry_gives_conflict_response() -> None:
    assert build_response(EnteredMeanwhile("8 was entered."))[0] == 409


def test_invalid_fields_are_named() -> None:
    status, body = build_response(exceptions.ValidationError({"ns_tricks": ["At most 13."]}))
    assert status == 400
    assert body["code"] == "invalid"
    assert body["detail"] == "ns_tricks: At most 13."
    assert body["fields"] == {"ns_tricks": ["At most 13."]}


def test_model_validation_error_is_bad_request() -> None:
    status, body = build_response(ValidationError({"name": ["Too long."]}))
    assert (status, body["fields"]) == (400, {"name": ["Too long."]})


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (Http404(), 404, "not_found"),
        (PermissionDenied(), 403, "permission_denied"),
        (exceptions.NotAuthenticated(), 401, "not_authenticated"),
        (exceptions.ParseError(), 400, "parse_error"),
        (exceptions.MethodNotAllowed("PUT"), 405, "method_not_allowed"),
    ],
)
def test_each_refusal_has_code_and_message(error: Exception, status: int, code: str) -> None:
    actual, body = build_response(error)
    assert (actual, body["code"]) == (status, code)
    assert body["detail"].endswith(".")


def test_bug_is_not_converted_to_refusal() -> None:
    assert build_api_error(ZeroDivisionError(), {}) is None


def test_unknown_url_gives_json_404(client: Client) -> None:
    response = client.get("/api/nowhere/")
    assert (response.status_code, response.json()["code"]) == (404, "not_found")


@pytest.mark.parametrize(
    "body", [b"{", b"\xff\xfe", b"[1]", b'"x"', b"null", b'{"username": 1}']
)
def test_login_with_invalid_body_is_refused(client: Client, body: bytes) -> None:
    response = client.post("/api/token/", body, content_type="application/json")
    assert response.status_code == 400
    assert set(response.json()) >= {"code", "detail"}


def test_unsupported_content_type_is_refused_with_message(client: Client) -> None:
    response = client.post("/api/token/", {"username": "x"})
    assert (response.status_code, response.json()["code"]) == (415, "unsupported_media_type")
