"""Bookings are fetched by a worker: the page follows the job, and the token is deleted."""

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from clubs import club_server as transport
from clubs.club_server import InvalidDestination, ServerUnreachable
from clubs.models import Club
from clubs.today import get_club_date
from seasons.calendar import booking_fetch
from seasons.calendar.booking_fetch import BOOKING_FETCH_JOB, queue_fetch, run_fetch
from seasons.calendar.booking_file import build_bookings_document
from seasons.calendar.models import BookingFetch
from server.jobs import broker
from server.models import Job, User
from server.outgoing import RemoteRequestFailed
from tests import evenings

pytestmark = pytest.mark.django_db
TOKEN = "ovp_0123456789"


@pytest.fixture
def club_and_user(client: Client, monkeypatch: pytest.MonkeyPatch) -> tuple[Club, User]:
    """Return a club with its director signed in, and no worker."""
    club, user = evenings.create_club_with_director()
    client.force_login(user)
    monkeypatch.setattr(broker, "is_celery_eager", lambda: False)
    monkeypatch.setattr(broker, "wake_worker", lambda *_job: None)
    return club, user


def post_fetch(client: Client, **typed: str) -> str:
    data = {"server": "whist.example", "token": TOKEN, **typed}
    return client.post(reverse("bookings_fetch"), data, follow=True).content.decode()


def test_booking_fetch_waits_for_worker_and_page_polls_it(
    client: Client, club_and_user: tuple[Club, User], monkeypatch: pytest.MonkeyPatch
) -> None:
    club, _user = club_and_user
    page = post_fetch(client)
    assert "Importing bookings from whist.example" in page
    htmx_headers = {"HX-Request": "true"}
    status_url = f"{reverse('bookings_fetched')}?club={club.slug}"
    assert f'data-hx-get="{status_url}"' in page
    assert "HX-Refresh" not in client.get(status_url, headers=htmx_headers).headers
    row = BookingFetch.objects.get()
    assert TOKEN not in row.sealed_token
    assert Job.objects.get(kind=BOOKING_FETCH_JOB.code).about == row.pk
    download_requests = []

    def fake_download(where: str, token: str) -> bytes:
        download_requests.append((where, token))
        return json.dumps(build_bookings_document(club, get_club_date(club))).encode()

    monkeypatch.setattr(booking_fetch, "download_bookings", fake_download)
    run_fetch(row.pk)
    run_fetch(row.pk)  # a job may run twice
    assert download_requests == [(f"https://whist.example/api/clubs/{club.slug}/", TOKEN)]
    row.refresh_from_db()
    assert (row.state, row.sealed_token) == (BookingFetch.State.DONE, "")
    assert client.get(status_url, headers=htmx_headers).headers["HX-Refresh"] == "true"
    assert "whist.example: Nothing new." in client.get(reverse("own_calendar")).content.decode()


def test_each_failure_sends_one_message_and_deletes_token(
    client: Client, club_and_user: tuple[Club, User], monkeypatch: pytest.MonkeyPatch
) -> None:
    post_fetch(client)
    row = BookingFetch.objects.get()

    def raise_request_failed(*_where: object, **_how: object) -> Any:
        raise RemoteRequestFailed

    monkeypatch.setattr(transport, "send_request", raise_request_failed)
    run_fetch(row.pk)
    row.refresh_from_db()
    expected_problem = "respond. Check its address and certificate."
    assert (row.state, row.sealed_token) == ("failed", "")
    assert row.problems == [f"whist.example doesn’t {expected_problem}"]
    assert expected_problem in client.get(reverse("own_calendar")).content.decode()


def test_permanently_failed_job_deletes_token(club_and_user: tuple[Club, User]) -> None:
    row = queue_fetch(
        club=club_and_user[0], server="whist.example", token=TOKEN, by=club_and_user[1]
    )
    assert list(BOOKING_FETCH_JOB.find_missing_job_keys()) == [row.pk]
    BOOKING_FETCH_JOB.on_failure(row.pk, "The worker stopped.")
    row.refresh_from_db()
    assert (row.state, row.sealed_token) == ("failed", "")
    assert row.problems == ["The worker stopped."]
    assert list(BOOKING_FETCH_JOB.find_missing_job_keys()) == []


def test_older_fetch_does_not_complete_newer_fetch(
    club_and_user: tuple[Club, User], monkeypatch: pytest.MonkeyPatch
) -> None:
    club, user = club_and_user
    row = queue_fetch(club=club, server="whist.example", token=TOKEN, by=user)

    def ask(_url: str, _token: str) -> bytes:
        queue_fetch(club=club, server="other.example", token=TOKEN, by=user)
        raise ServerUnreachable("no")

    monkeypatch.setattr(booking_fetch, "download_bookings", ask)
    run_fetch(row.pk)
    row.refresh_from_db()
    assert (row.state, row.problems) == ("wanted", [])
    assert row.address.startswith("https://other.example/")


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ({"token": "tok\u00e9n"}, "a token. Copy it"),
        ({"token": "a\u2028b"}, "a token. Copy it"),
        ({"token": ""}, "Choose a file"),
        ({"server": "https://\u2024\u2024"}, "a server address"),
        ({"server": "http://169.254.169.254/"}, "https"),
        ({"server": "x" * 300}, "a server address"),
        ({"server": "[::1"}, "a server address"),
    ],
)
def test_invalid_server_name_is_refused_immediately(
    client: Client, club_and_user: tuple[Club, User], typed: dict[str, str], text: str
) -> None:
    assert text in post_fetch(client, **typed)
    assert not BookingFetch.objects.exists()


def test_fetch_with_invalid_address_changes_nothing(club_and_user: tuple[Club, User]) -> None:
    club, user = club_and_user
    queue_fetch(club=club, server="whist.example", token=TOKEN, by=user)
    with pytest.raises(InvalidDestination):
        queue_fetch(club=club, server="ftp://x", token=TOKEN, by=user)
    assert "whist.example" in BookingFetch.objects.get().address
