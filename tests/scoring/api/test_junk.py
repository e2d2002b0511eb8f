"""Arbitrary input at any endpoint gets a proper error, never a server error."""

import json
from typing import Any

import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests import evenings
from tests.scoring.api.test_rights import (
    EVENT_URL,
    RESULT_URL,
    SESSION_URL,
    STATUS_BY_PUBLIC_URL,
    WRITE_REQUESTS,
    fill_path,
)
from tournaments.models import Session
from tournaments.movements import SYSTEMS_BY_NAME

pytestmark = pytest.mark.django_db

API_URLS = sorted(
    {*STATUS_BY_PUBLIC_URL, *(address for _, address, _ in WRITE_REQUESTS), "/api/token/"}
)
TESTED_WRITES = {(way, address) for way, address, _ in WRITE_REQUESTS} | {
    ("post", "/api/token/")
}
FIELD_NAMES = sorted(
    {name for _, _, body in WRITE_REQUESTS for name in body} | {"deals", "outcome", "key"}
)
FIELD_NAMES += [
    "tables",
    "pairs",
    "teams",
    "rounds",
    "absent",
    "switch",
    "one_winner",
    "method",
]
FIELD_NAMES += [
    "side",
    "revokes",
    "won_before",
    "full",
    "ns_tricks",
    "ew_tricks",
    "amount",
    "entry",
]
FIELD_NAMES += [
    "trump_recorded",
    "claimed_at",
    "carry_over",
    "across",
    "whole_averages",
    "reason",
]
PLAUSIBLE_WORDS = [
    "compass",
    "howell",
    "gilman",
    "custom",
    "played",
    "cleared",
    "none",
    "2026-03-10",
]
PLAUSIBLE_WORDS += [
    "revoke",
    "average",
    "penalty",
    "adjusted",
    "new_deal",
    "NS",
    "13/2",
    "1/0",
    "H6",
]
PLAIN_VALUES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([10**18, 2**63, 10**40, -1, 0, 1, 13, 14])
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from([*PLAUSIBLE_WORDS, "\0", "\ud800", "x" * 300])
)
NESTED_VALUES = st.recursive(
    PLAIN_VALUES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner)
)
PLAUSIBLE_BODIES = st.dictionaries(
    st.sampled_from(FIELD_NAMES),
    PLAIN_VALUES | st.lists(PLAIN_VALUES, max_size=3) | NESTED_VALUES,
)
UNREADABLE_BODIES = [
    *(b"", b"{", b"[1]", b'"x"', b"null", b"NaN", b'{"names": NaN}', b"\xff\xfe{", b"\0"),
    *(b"[" * 100_000, b'{"a":' * 100_000, b"1" * 5000, b'{"ns_tricks": 1e999}'),
    *(b'{"\\ud800": 1}', b'{"outcome": "\\ud800"}', b'{"names": ["\\ud800", "B"]}'),
    *(b'{"ns_tricks": "\\u0000"}', b'{"name": "\\u0000"}', b'{"a": 1, "a": 2}'),
]


@pytest.fixture
def session(client: Client) -> Session:
    session, user = evenings.open_session()
    client.force_login(user)
    client.raise_request_exception = True  # a server error fails the test
    return session


@pytest.fixture
def planned_session(client: Client) -> Session:
    event, user = evenings.create_event(8)
    client.force_login(user)
    return event.sessions.get()


def check_client_error(response: Any) -> None:
    assert response.status_code in (200, 201, 204, 400, 401, 403, 404, 405, 409, 415)
    if response.status_code >= 400:
        body = response.json()
        assert set(body) - {"fields", "seen", "by"} == {"code", "detail"}
        assert body["detail"]


@pytest.mark.parametrize("body", UNREADABLE_BODIES, ids=range(len(UNREADABLE_BODIES)))
def test_unreadable_body_is_refused(client: Client, session: Session, body: bytes) -> None:
    for method, address in sorted(TESTED_WRITES):
        send = getattr(client, method)
        check_client_error(
            send(fill_path(address, session), body, content_type="application/json")
        )


@pytest.mark.parametrize("method", ["post", "put", "delete", "patch"])
def test_unsupported_method_of_a_url_is_refused(
    client: Client, session: Session, method: str
) -> None:
    for address in API_URLS:
        if (method, address) not in TESTED_WRITES:
            check_client_error(getattr(client, method)(fill_path(address, session)))


@pytest.mark.parametrize(
    "content_type", ["text/plain", "application/json; charset=klingon", "", "x"]
)
def test_body_with_another_content_type_is_refused(
    client: Client, session: Session, content_type: str
) -> None:
    for address in API_URLS:
        check_client_error(
            client.generic(
                "POST", fill_path(address, session), b"{}", content_type=content_type
            )
        )


@settings(max_examples=30, suppress_health_check=list(HealthCheck))
@given(
    way=st.sampled_from(["post", "put", "patch"]),
    address=st.sampled_from([address for address in API_URLS if "close" not in address]),
    body=PLAUSIBLE_BODIES | NESTED_VALUES,
)
def test_random_body_is_refused_with_an_error_message(
    client: Client, session: Session, way: str, address: str, body: object
) -> None:
    request_body = json.dumps(body)
    check_client_error(
        getattr(client, way)(
            fill_path(address, session), request_body, content_type="application/json"
        )
    )


@settings(max_examples=30, suppress_health_check=list(HealthCheck))
@given(write_request=st.sampled_from(WRITE_REQUESTS), data=st.data())
def test_valid_body_with_one_invalid_part_is_refused_with_a_message(
    client: Client,
    session: Session,
    write_request: tuple[str, str, dict[str, object]],
    data: Any,
) -> None:
    way, address, body = write_request
    spoilt_body = dict(body)
    if body:
        spoilt_body[data.draw(st.sampled_from(sorted(body)))] = data.draw(
            PLAIN_VALUES | NESTED_VALUES
        )
    request_body = json.dumps(spoilt_body).replace("{club}", session.event.club.slug)
    check_client_error(
        getattr(client, way)(
            fill_path(address, session), request_body, content_type="application/json"
        )
    )


NUMBER_STRATEGY = st.integers(1, 40) | st.sampled_from([60, 108, 999, 1000])
SEATING_STRATEGY = st.fixed_dictionaries(
    {
        "name": st.sampled_from([*SYSTEMS_BY_NAME, "custom"]),
        "boards_a_round": st.integers(1, 60),
    },
    optional={
        "tables": NUMBER_STRATEGY,
        "pairs": NUMBER_STRATEGY,
        "players": NUMBER_STRATEGY,
        "teams": NUMBER_STRATEGY,
        "rounds": NUMBER_STRATEGY,
        "absent": st.lists(st.sampled_from(["1", "2EW", "3NS", "0", "x", "²", "1NS"])),
        "one_winner": st.booleans(),
        "switch": st.lists(NUMBER_STRATEGY, max_size=4),
    },
)


@settings(max_examples=30, suppress_health_check=list(HealthCheck))
@given(seating=SEATING_STRATEGY)
def test_any_movement_is_seated_or_refused_with_a_message(
    client: Client, planned_session: Session, seating: dict[str, object]
) -> None:
    address = fill_path(f"{SESSION_URL}movement/", planned_session)
    response = client.put(address, seating, content_type="application/json")
    check_client_error(response)
    assert response.status_code in (200, 400)


@settings(max_examples=30, suppress_health_check=list(HealthCheck))
@given(
    result=st.fixed_dictionaries(
        {}, optional=dict.fromkeys(("ns_tricks", "outcome", "seen"), PLAIN_VALUES)
    )
)
def test_random_result_is_refused_with_a_message(
    client: Client, session: Session, result: object
) -> None:
    request_body = json.dumps(result)
    check_client_error(
        client.put(
            fill_path(RESULT_URL, session), request_body, content_type="application/json"
        )
    )


@pytest.mark.parametrize("number", ["0", "99", str(2**31), str(2**63), str(10**40), "9" * 5000])
def test_unknown_number_is_not_found(client: Client, session: Session, number: str) -> None:
    ends = ["entries/{}/", "sessions/{}/", "sessions/{}/boards/", "sessions/1/travellers/{}/"]
    ends += ["sessions/1/cards/{}/", "sessions/{}/cards/1/", "sessions/{}/results/"]
    for url_end in ends:
        response = client.get(fill_path(EVENT_URL, session) + url_end.format(number))
        assert (response.status_code, response.json()["code"]) == (404, "not_found"), url_end
    body = {"ns_tricks": 8}
    for address in (
        f"/api/sittings/{number}/results/1/",
        fill_path(RESULT_URL, session)[:-2] + number + "/",
    ):
        response = client.put(address, body, content_type="application/json")
        assert response.status_code in (400, 404), address
        assert set(response.json()) == {"code", "detail"}


@pytest.mark.parametrize("query", ["page=%00", "page=-1", "seen=%00", "seen=9e9", "format=xml"])
def test_invalid_query_parameter_is_refused_with_a_message(
    client: Client, session: Session, query: str
) -> None:
    for address in STATUS_BY_PUBLIC_URL:
        check_client_error(client.get(f"{fill_path(address, session)}?{query}"))


def test_unknown_event_has_the_same_response_everywhere(
    client: Client, session: Session
) -> None:
    for address in STATUS_BY_PUBLIC_URL:
        if "{slug}" in address:
            response = client.get(address.replace("{slug}", "nowhere"))
            assert (response.status_code, response.json()["code"]) == (404, "not_found"), (
                address
            )
    for way, address, body in WRITE_REQUESTS:
        if "{slug}" in address:
            response = getattr(client, way)(
                address.replace("{slug}", "nowhere"), body, content_type="application/json"
            )
            assert (response.status_code, response.json()["code"]) == (404, "not_found"), (
                address
            )


def test_unknown_field_is_named(client: Client, session: Session) -> None:
    response = client.post(
        fill_path(f"{SESSION_URL}close/", session), {"why": 1}, content_type="application/json"
    )
    assert response.json()["fields"] == {"why": ["Unknown field."]}
