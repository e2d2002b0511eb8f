"""Each private library function that the program uses still works as needed."""

import logging
import socket
import threading
from contextlib import suppress
from io import BytesIO
from typing import Any

import pytest
import waitress.server
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.sessions.backends.db import SessionStore
from django.http import HttpResponse
from django.test import RequestFactory
from django.utils import timezone
from django.utils.log import log_response
from reportlab.pdfgen.canvas import Canvas
from rest_framework.request import Request
from waitress import wasyncore

from server import private_apis
from server.models import LoginNote, User
from server.models.logins import ImmutableLogError


@pytest.mark.django_db
def test_raw_delete_removes_rows_without_related_rows() -> None:
    for name in ("anna", "bruno"):
        LoginNote.objects.create(at=timezone.now(), name=name, what="wait")
    with pytest.raises(ImmutableLogError):
        LoginNote.objects.filter(name="anna").delete()
    assert private_apis.delete_rows(LoginNote.objects.filter(name="anna")) == 1
    assert [login_note.name for login_note in LoginNote.objects.all()] == ["bruno"]


@pytest.mark.django_db
def test_loaded_user_is_found_only_after_first_access(client: Any) -> None:
    user = User.objects.create(username="anna")
    client.force_login(user)
    loaded_users = []

    def view(request: Any) -> HttpResponse:
        loaded_users.append(private_apis.find_loaded_user(request))
        assert request.user == user
        loaded_users.append(private_apis.find_loaded_user(request))
        return HttpResponse()

    request = RequestFactory().get("/")
    request.session = SessionStore(client.session.session_key)
    AuthenticationMiddleware(view)(request)
    assert loaded_users == [None, user]


@pytest.mark.parametrize("is_marked", [True, False])
def test_response_marked_as_logged_is_not_logged_again(
    is_marked: bool, caplog: pytest.LogCaptureFixture
) -> None:
    response = HttpResponse(status=500)
    if is_marked:
        private_apis.mark_as_logged(response)
    with caplog.at_level(logging.ERROR):
        log_response("failed", response=response, request=RequestFactory().get("/"))
    assert bool(caplog.records) is not is_marked


def test_api_request_converts_to_its_django_request() -> None:
    request = RequestFactory().get("/")
    assert private_apis.to_django_request(Request(request)) is request


def test_running_server_responds_on_additional_socket() -> None:
    def application(_environment: Any, start: Any) -> list[bytes]:
        start("200 OK", [])
        return [b"here"]

    channel_map: dict[int, Any] = {}
    with socket.create_server(("127.0.0.1", 0)) as first_socket:
        server = waitress.server.create_server(
            application, channel_map, sockets=[first_socket], threads=1
        )
        additional_socket = socket.create_server(("127.0.0.1", 0))
        address = additional_socket.getsockname()
        private_apis.add_listening_socket(server, additional_socket)
        server_thread = threading.Thread(target=server.run, daemon=True)
        server_thread.start()
        with socket.create_connection(address, timeout=10) as client_socket:
            client_socket.sendall(b"GET / HTTP/1.0\r\n\r\n")
            assert client_socket.makefile("rb").read().endswith(b"here")
        with suppress(OSError):
            server.trigger.pull_trigger(lambda: wasyncore.close_all(channel_map))
        server_thread.join(5)
        server.task_dispatcher.shutdown()


def test_pdf_page_can_be_restarted() -> None:
    canvas = Canvas(BytesIO())
    assert not private_apis.has_pdf_content(canvas)
    canvas.drawString(10, 10, "a word")
    assert private_apis.has_pdf_content(canvas)
    private_apis.restart_pdf_page(canvas)
    assert not private_apis.has_pdf_content(canvas)
    canvas.setTitle("A paper")
    assert private_apis.find_pdf_document(canvas).info.title == "A paper"
