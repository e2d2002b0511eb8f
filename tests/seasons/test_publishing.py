"""Results are sent to a club's server completely or not at all, despite interruptions."""

import json
import random
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from io import BytesIO, StringIO
from pathlib import Path
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

import scoring.services
import scoring.session_snapshot
import tournaments.services
from clubs.club_server import (
    InvalidDestination,
    RequestFunction,
    ServerResponse,
    ServerUnreachable,
    build_club_api_url,
    build_request_function,
    read_response,
)
from clubs.models import Club
from seasons.publishing import sending
from seasons.publishing.documents.values import compute_digest, serialize_document
from seasons.publishing.documents.writing import build_event_document
from seasons.publishing.models import Destination, Publication, Received, ReceivedVersion
from seasons.publishing.sending import (
    UploadItem,
    UploadResult,
    list_documents_to_withdraw,
    list_due_destination_pks,
    list_upload_items,
    upload_documents,
    upload_waiting_documents,
)
from server.logins import tokens
from server.models import Job, User
from tests import evenings
from tests.factories import LadderFactory, SeasonFactory
from tests.house.markup import find_faults
from tournaments.models import Event

pytestmark = pytest.mark.django_db

CANARY = "Canary Quillfeather"
ByteTransfer = Callable[[bytes], bytes]


def return_unchanged(body: bytes) -> bytes:
    return body


class UnreliableConnection:
    """A connection to the server that may be cut in either direction."""

    def __init__(self, club: Club, user: User, scopes: tuple[str, ...] = ("publish",)) -> None:
        self.base = f"/api/clubs/{club.slug}/"
        token_text = tokens.create_token(user, name="laptop", scopes=scopes, club_pk=club.pk)[1]
        self.client = Client(headers={"Authorization": f"Token {token_text}"})
        self.there: ByteTransfer = return_unchanged
        self.back: ByteTransfer = return_unchanged
        self.sent = 0

    def __call__(self, way: str, path: str, body: object) -> ServerResponse:
        content = b"" if body is None else json.dumps(body, ensure_ascii=False).encode()
        received_content = self.there(content)
        wsgi_environ = {
            "CONTENT_LENGTH": str(len(content)),
            "wsgi.input": BytesIO(received_content),
        }
        response = self.client.generic(
            way, self.base + path, received_content, "application/json", **wsgi_environ
        )
        self.sent += way == "PUT"
        if len(received_content) < len(content):
            raise ServerUnreachable("cut")
        return read_response(response.status_code, self.back(response.content))


def create_laptop_club() -> tuple[Event, User]:
    """Create a finished evening with a hidden person, and a season."""
    session, user = evenings.play_session()
    event = session.event
    player = event.entries.get(number=1).players.order_by("pk")[0]
    tournaments.services.rename_player(player=player, name=CANARY, by=user)
    tournaments.services.set_player_visibility(player=player, shown="nobody", by=user)
    scoring.services.close_session(session=session, by=user)
    LadderFactory(season=SeasonFactory(club=event.club, slug="spring"))
    return event, user


def create_server_club() -> tuple[Club, User]:
    return evenings.create_club_with_director("Riverside on the net", "webmaster")


def upload_all(event: Event, server_connection: RequestFunction) -> list[UploadResult]:
    return list(upload_documents(event.club, list_upload_items(event.club), server_connection))


def correct_result(event: Event, user: User) -> None:
    """Correct a result after the close."""
    sitting = event.sessions.get().sections.get().sittings.order_by("pk").first()
    assert sitting is not None
    board = (
        scoring.session_snapshot.load_session_snapshot(event.sessions.get()).tables[0].boards[0]
    )
    evenings.enter_result(event.sessions.get(), sitting.pk, board, "13", user)


def test_upload_cut_at_any_byte_leaves_old_or_new_version_and_can_resume() -> None:
    event, user = create_laptop_club()
    club, owner = create_server_club()
    line, chance = UnreliableConnection(club, owner), random.Random(5)
    document = build_event_document(event)
    size = len(serialize_document(document))
    items = [UploadItem(event.uid, event.name, lambda: document)]
    cuts = [*range(0, size, 1024), *(chance.randrange(size) for _ in range(25))]
    for cut_position in cuts:
        line.there = lambda body, cut_position=cut_position: (
            body[:cut_position] if len(body) > 2000 else body
        )
        with pytest.raises(ServerUnreachable):
            list(upload_documents(event.club, items, line))
        assert not Received.objects.exists()
    line.there = return_unchanged
    line.back = lambda body: body[: len(body) // 2] if b'"new"' in body else body
    for _ in range(2):  # the evening arrived, then the season: both responses are lost
        with pytest.raises(ServerUnreachable):
            upload_all(event, line)
    assert Received.objects.get(uid=event.uid).digest == compute_digest(document)
    line.back = return_unchanged
    upload_results = upload_all(event, line)
    assert [item.state for item in upload_results] == ["unchanged", "unchanged"]
    put_count = line.sent
    assert {item.state for _ in range(3) for item in upload_all(event, line)} == {"unchanged"}
    assert line.sent == put_count
    assert [row.version for row in Received.objects.order_by("pk")] == [1, 1]
    check_correction_after_interruption(event, user, line, document)
    stored_text = json.dumps(list(Received.objects.values_list("document", flat=True)))
    assert "Quillfeather" not in stored_text


def check_correction_after_interruption(
    event: Event, user: User, line: UnreliableConnection, document_before: dict[str, object]
) -> None:
    correct_result(event, user)
    now = build_event_document(event)
    assert compute_digest(now) != compute_digest(document_before)
    line.there = lambda body: body[:3000] if len(body) > 3000 else body
    with pytest.raises(ServerUnreachable):
        upload_all(event, line)
    assert Received.objects.get(uid=event.uid).digest == compute_digest(document_before)
    line.there = return_unchanged
    upload_all(event, line)
    row = Received.objects.get(uid=event.uid)
    assert (row.digest, row.version) == (compute_digest(now), 2)
    assert list(row.versions.values_list("number", "reason")) == [(1, ""), (2, "corrected")]


def test_server_crash_during_upload_keeps_old_version(monkeypatch: pytest.MonkeyPatch) -> None:
    event, user = create_laptop_club()
    club, owner = create_server_club()
    line = UnreliableConnection(club, owner)
    upload_all(event, line)
    old_digest = Received.objects.get(uid=event.uid).digest
    correct_result(event, user)

    def run_out_of_memory(**_row: object) -> None:
        raise MemoryError

    with monkeypatch.context() as crash_patch:
        crash_patch.setattr(ReceivedVersion.objects, "create", run_out_of_memory)
        with pytest.raises(MemoryError):
            upload_all(event, line)
    row = Received.objects.get(uid=event.uid)
    assert (row.digest, row.version) == (old_digest, 1)
    upload_all(event, line)
    assert Received.objects.get(uid=event.uid).version == 2


def test_server_refuses_second_computer_older_version_and_other_club() -> None:
    event, user = create_laptop_club()
    club, owner = create_server_club()
    line = UnreliableConnection(club, owner)
    first_document = build_event_document(event)
    upload_all(event, line)
    correct_result(event, user)
    upload_all(event, line)
    uid = f"published/{event.uid}/"

    def put(version: int, document: dict[str, object]) -> ServerResponse:
        body = {"version": version, "digest": compute_digest(document), "document": document}
        return line("PUT", uid, body)

    other_document = first_document | {"name": "Another evening"}
    assert (put(1, other_document).status, put(1, other_document).body_data["code"]) == (
        409,
        "older",
    )
    conflict_response = put(2, other_document)
    assert (conflict_response.status, conflict_response.body_data["code"]) == (
        409,
        "two_computers",
    )
    assert put(7, build_event_document(event)).body_data["new"] is False
    broken = first_document | {"fields": "none"}
    assert put(3, broken).status == 422
    invalid_response = line(
        "PUT", uid, {"version": 3, "digest": "0" * 64, "document": first_document}
    )
    assert "digest" in str(invalid_response.body_data)
    assert (
        line(
            "PUT",
            f"published/{uuid4()}/",
            {
                "version": 1,
                "digest": compute_digest(first_document),
                "document": first_document,
            },
        ).status
        == 422
    )
    assert Received.objects.get(uid=event.uid).version == 2
    stranger = UnreliableConnection(
        evenings.create_club_with_director("Hilltop", "other")[0],
        User.objects.get(username="other"),
    )
    stranger.base = line.base
    assert (
        stranger("PUT", uid, {"version": 9, "digest": "0" * 64, "document": {}}).status == 404
    )
    unprivileged_connection = UnreliableConnection(club, owner, scopes=("read", "direct"))
    assert unprivileged_connection("PUT", uid, {}).status == 403
    with pytest.raises(InvalidDestination):
        upload_all(event, unprivileged_connection)
    own_document = build_event_document(event)
    Received.objects.all().delete()
    Event.objects.filter(pk=event.pk).update(club=club)
    assert put(1, own_document).status == 409


def test_published_document_is_shown_corrected_and_withdrawn(client: Client) -> None:
    event, user = create_laptop_club()
    club, owner = create_server_club()
    line = UnreliableConnection(club, owner)
    upload_all(event, line)
    base = reverse("sent_evening", args=[club.slug, event.slug])
    pages = [
        base,
        f"{base}boards.html",
        f"{base}card-1.html",
        reverse("sent_here", args=[club.slug]),
    ]
    pages.append(reverse("sent_season", args=[club.slug, "spring"]))
    for page in pages:
        response = client.get(page)
        text = response.content.decode()
        assert (response.status_code, find_faults(text)) == (200, []), page
        assert "Quillfeather" not in text
        assert not response.cookies
    assert "Sent by the club on" in client.get(base).content.decode()
    assert client.get(f"{base}card-99.html").status_code == 404
    data = client.get(reverse("api-published-list", args=[club.slug])).json()
    assert [result["name"] for result in data["results"]] == ["Spring 2026", "Tuesday"]
    tournaments.services.set_standings_visibility(event=event, shown="never", by=user)
    documents_to_withdraw = list_documents_to_withdraw(
        event.club, list_upload_items(event.club)
    )
    assert [row.uid for row in documents_to_withdraw] == [event.uid]
    sending.withdraw_document(documents_to_withdraw[0], line)
    assert client.get(base).status_code == 410
    assert client.get(reverse("api-published", args=[club.slug, event.uid])).status_code == 410
    row = Received.objects.get(uid=event.uid)
    assert (row.document, row.digest) == ({}, "")


def test_club_publishes_by_job_that_reports_errors(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    event, user = create_laptop_club()
    club, owner = create_server_club()
    line = UnreliableConnection(club, owner)
    monkeypatch.setattr(sending, "build_request_function", lambda address, token: line)
    client.force_login(user)
    url = reverse("results_out")
    client.post(reverse("sending_to"), {"address": "http://riverside.example", "token": "x"})
    assert "begins with https" in client.get(url).content.decode()
    assert not Destination.objects.exists()
    client.post(reverse("sending_to"), {"address": "riverside.example", "token": "ovp_x"})
    destination = Destination.objects.get()
    assert destination.address == f"https://riverside.example/api/clubs/{event.club.slug}/"
    assert "ovp_x" not in destination.sealed_token
    page = client.get(url).content.decode()
    assert find_faults(page) == []
    assert "1 event waiting" in page
    line.there = lambda body: body[:100]
    upload_waiting_documents(destination.pk)
    destination.refresh_from_db()
    assert (destination.trouble, destination.tries) == ("cut", 1)
    assert destination.next_at is not None
    line.there = return_unchanged
    client.post(reverse("sending_now"))
    assert list(list_due_destination_pks()) in ([], [destination.pk])
    upload_waiting_documents(destination.pk)
    destination.refresh_from_db()
    assert (destination.trouble, destination.next_at) == ("", None)
    assert Received.objects.count() == 2
    assert "Sending: 2 sent." in client.get(url).content.decode()
    Job.objects.all().delete()
    assert "All finished events have been sent" in client.get(url).content.decode()
    client.post(reverse("sending_withdraw"), {"uid": event.uid})
    upload_waiting_documents(destination.pk)
    upload_waiting_documents(destination.pk)
    assert Received.objects.filter(withdrawn_at=None).count() == 1
    client.post(reverse("sending_again"), {"uid": event.uid})
    upload_waiting_documents(destination.pk)
    assert Received.objects.filter(withdrawn_at=None).count() == 2
    check_choice_of_computer(event, destination, client)
    client.post(reverse("sending_to"), {"forget": "1"})
    assert not Destination.objects.exists()
    client.force_login(evenings.create_scorer(event.club))
    assert client.post(reverse("sending_now")).status_code == 403


def check_choice_of_computer(event: Event, destination: Destination, client: Client) -> None:
    Received.objects.filter(uid=event.uid).update(digest="f" * 64, version=5)
    upload_waiting_documents(destination.pk)
    row = Publication.objects.get(uid=event.uid)
    assert row.state == "twice"
    upload_waiting_documents(destination.pk)
    assert Received.objects.get(uid=event.uid).version == 5
    client.post(reverse("sending_again"), {"uid": event.uid})
    upload_waiting_documents(destination.pk)
    assert Received.objects.get(uid=event.uid).version == 6
    assert Publication.objects.get(uid=event.uid).state == "sent"


@pytest.fixture
def http_server() -> Iterator[tuple[str, list[str]]]:
    """Start a server that redirects to another host, and one that truncates its responses."""
    authorizations: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            authorizations.append(self.headers["Authorization"])
            self.rfile.read(int(self.headers["Content-Length"]))
            if "moved" in self.path:
                self.send_response(301)
                self.send_header("Location", "http://127.0.0.1:9/")
                self.end_headers()
            else:
                self.send_response(200)
                self.send_header("Content-Length", "100")
                self.end_headers()
                self.wfile.write(b'{"missing": [')

        def log_message(self, *_words: object) -> None:
            """Log nothing."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=[0.01], daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/api/clubs/x/", authorizations
    server.shutdown()
    server.server_close()


def test_token_is_sent_to_its_server_only_and_truncated_response_is_rejected(
    http_server: tuple[str, list[str]],
) -> None:
    server_url, authorizations = http_server
    requester = build_request_function(server_url, "secret", timeout_seconds=2)
    with pytest.raises(InvalidDestination, match="another address"):
        requester("POST", "moved/", {})
    with pytest.raises(ServerUnreachable):
        requester("POST", "published/missing/", {})
    with pytest.raises(ServerUnreachable, match="t respond"):
        build_request_function("http://127.0.0.1:9/", "secret", timeout_seconds=1)(
            "POST", "x", {}
        )
    assert authorizations == ["Token secret"] * 2


@pytest.mark.parametrize(
    ("typed_value", "address"),
    [
        ("riverside.example", "https://riverside.example/api/clubs/home/"),
        ("https://r.example/clubs/away/", "https://r.example/api/clubs/away/"),
        ("http://localhost:8000", "http://localhost:8000/api/clubs/home/"),
        ("http://r.example", None),
        ("https://me:you@r.example", None),
        ("https://r.example/elsewhere", None),
        ("file:///etc/passwd", None),
        ("https://r.example:port", None),
        ("https://[r.example", None),
        ("https://B\u00fccher.example", "https://xn--bcher-kva.example/api/clubs/home/"),
        ("https://[2001:db8::1]:8443", "https://[2001:db8::1]:8443/api/clubs/home/"),
        ("https://r.example:0", None),
        ("https://r.example:99999", None),
        ("https://r\u2024example\u3002.x..y", None),
        ("https://" + "a" * 64 + ".example", None),
        ("https://r.exam ple", None),
        ("https://" + "a." * 90 + "example", None),
        ("https://r.example\r\nX: y", None),
        ("https://r_\u00a0.example", None),
        ("https://r.example/clubs/h\u00f6me/", None),
        ("https://r.example/clubs/a%0d%0ab/", None),
        ("https://\ud800.example", None),
        ("", None),
    ],
)
def test_server_address_is_normalized_or_refused(typed_value: str, address: str | None) -> None:
    if address is None:
        with pytest.raises(InvalidDestination):
            build_club_api_url(typed_value, "home")
    else:
        assert build_club_api_url(typed_value, "home") == address


@pytest.mark.slow
@pytest.mark.parametrize(
    "token", ["", " ", "a b", "a\r\nHost: x", "tok\u00e9n", "\u2026", "\0"]
)
def test_malformed_token_is_refused(token: str) -> None:
    with pytest.raises(InvalidDestination, match="t a token"):
        build_request_function("https://r.example/api/clubs/home/", token)


@pytest.mark.parametrize("answer", [b"[" * 100_000, b'{"detail": "\xff', b"<html>"])
def test_truncated_response_causes_retry(answer: bytes) -> None:
    with pytest.raises(ServerUnreachable):
        read_response(200, answer)


@pytest.mark.slow
def test_command_prints_one_line_per_document(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from config.management.commands import event as command

    event, _user = create_laptop_club()
    club, owner = create_server_club()
    line = UnreliableConnection(club, owner)
    monkeypatch.setattr(command, "build_request_function", lambda address, token: line)
    (tmp_path / "token").write_text("ovp_x\n")
    options = ["--to", "riverside.example", "--token-file", str(tmp_path / "token")]

    def run_publish_command(*arguments: str) -> list[str]:
        output = StringIO()
        call_command("event", "publish", *arguments, *options, stdout=output)
        return output.getvalue().splitlines()

    assert run_publish_command(event.slug, "--dry-run") == ["would be sent 1: Tuesday"]
    assert not Received.objects.exists()
    assert not Publication.objects.exists()
    assert run_publish_command(event.slug) == ["sent 1: Tuesday"]
    club_arguments = ["--all", "--club", event.club.slug]
    assert run_publish_command(*club_arguments) == [
        "unchanged 1: Tuesday",
        "sent 1: Spring 2026",
    ]
    with pytest.raises(CommandError, match="Choose a club"):
        run_publish_command()
    with pytest.raises(CommandError, match="--all"):
        run_publish_command(event.slug, "--all")
    Received.objects.filter(uid=event.uid).update(digest="f" * 64, version=4)
    with pytest.raises(CommandError, match="Not accepted"):
        run_publish_command(event.slug)
