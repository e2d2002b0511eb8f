"""Refused requests are logged with their view and login, without IP addresses or secrets."""

import json
import logging
from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from server.models import User
from tests import evenings

pytestmark = pytest.mark.django_db


@pytest.fixture
def log_lines(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    log = logging.getLogger("overplay.rights")
    log.addHandler(caplog.handler)
    caplog.set_level(logging.INFO, "overplay.rights")
    yield caplog
    log.removeHandler(caplog.handler)


def list_log_entries(lines: pytest.LogCaptureFixture) -> list[dict[str, object]]:
    rows = [record for record in lines.records if record.name == "overplay.rights"]
    return [json.loads(row.getMessage()) for row in rows]


def create_scorer(name: str = "stranger") -> User:
    return User.objects.create_user(name, password="a long password of three words")


def test_forbidden_page_request_is_logged(
    client: Client, log_lines: pytest.LogCaptureFixture
) -> None:
    evenings.create_club_with_director()
    user = create_scorer()
    client.force_login(user)
    assert client.get(reverse("prepare")).status_code == 403
    [log_entry] = list_log_entries(log_lines)
    logged_at = datetime.fromisoformat(str(log_entry.pop("at")))
    assert logged_at.utcoffset() == timedelta(0)
    assert abs(timezone.now() - logged_at) < timedelta(minutes=1)
    assert [log_entry] == [
        {"what": "refused", "status": 403, "method": "GET", "view": "prepare", "login": user.pk}
    ]


def test_request_for_row_of_another_club_is_logged_despite_404(
    client: Client, log_lines: pytest.LogCaptureFixture
) -> None:
    evenings.create_club_with_director()
    user = create_scorer()
    client.force_login(user)
    fixture_url = reverse("fixture_desk", args=["3f6c8e1a-0000-4000-8000-0123456789ab"])
    assert client.get(f"{fixture_url}?token=very-secret").status_code == 404
    assert [
        (log_entry["view"], log_entry["status"]) for log_entry in list_log_entries(log_lines)
    ] == [("fixture_desk", 404)]
    assert "secret" not in log_lines.text
    assert "3f6c8e1a" not in log_lines.text


def test_api_request_without_token_is_logged(
    client: Client, log_lines: pytest.LogCaptureFixture
) -> None:
    response = client.get("/api/events/", headers={"Authorization": "Token wrong-secret"})
    assert response.status_code == 401
    assert [log_entry["status"] for log_entry in list_log_entries(log_lines)] == [401]
    assert "wrong-secret" not in log_lines.text


def test_mistyped_url_is_not_logged(
    client: Client, log_lines: pytest.LogCaptureFixture
) -> None:
    client.force_login(create_scorer())
    assert client.get("/director/nowhere/").status_code == 404
    assert client.get("/events/nowhere/").status_code == 404
    assert list_log_entries(log_lines) == []
